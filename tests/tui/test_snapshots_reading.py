"""The screens of a conversation as pictures: every size, both themes, no colour, no Unicode."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.tui.settling import settle

Compare = Callable[..., bool]
Make = Callable[..., Bough]
SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (160, 50)
LEFT = "k k k k k k k k k k k k"
"""The keys from the active tip to a branch that was left."""


@pytest.fixture
def builder(demo: Path) -> Path:
    return next(demo.rglob("3f9c*.jsonl"))


@pytest.fixture
def make(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    def made(*, light: bool = False, plain: bool = False, unicode: bool = True) -> Bough:
        if plain:
            monkeypatch.setenv("NO_COLOR", "1")
        theme = None if plain else "light" if light else "dark"
        index = str(tmp_path / "index.sqlite")
        return Bough([str(demo)], index, live=False, theme=theme, plain=plain, unicode=unicode)

    return made


def seen(compare: Compare, app: Bough, builder: Path, size: tuple[int, int], *presses: str) -> bool:
    return compare(app, terminal_size=size, run_before=opened(builder, *presses))


def opened(builder: Path, *presses: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        assert isinstance(pilot.app, Bough)
        pilot.app.open(ConversationScreen(str(builder), project="resume-import"))
        await settle(pilot)
        for press in presses:
            await pilot.press(*press.split(" "))
            await settle(pilot)

    return run


class TestReading:
    def test_panes_stand_beside_it_from_120_columns(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        assert seen(snap_compare, make(light=True), builder, MIDDLE, "K K K K")

    def test_it_is_readable_without_unicode(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        assert seen(snap_compare, make(unicode=False), builder, SMALL, "K K K K")

    def test_an_opened_seam_tells_what_claude_still_knew(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        presses = ("slash", "C o m p a c t e d", "escape", "g g", "J J J J", "k", "l")
        assert seen(snap_compare, make(), builder, MIDDLE, *presses)

    def test_a_hit_inside_an_agent_is_opened(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        presses = ("g g", "slash", "e v e r y space p l a c e", "enter")
        assert seen(snap_compare, make(), builder, SMALL, *presses)


class TestZoom:
    @pytest.mark.parametrize("press", ["minus", "plus"])
    def test_the_tree_from_further_away_and_from_nearer(
        self, snap_compare: Compare, make: Make, builder: Path, press: str
    ) -> None:
        assert seen(snap_compare, make(), builder, SMALL, "t", press)

    def test_a_point_is_told_about(self, snap_compare: Compare, make: Make, builder: Path) -> None:
        assert seen(snap_compare, make(light=True), builder, LARGE, "t", LEFT)

    def test_the_tree_without_unicode(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        assert seen(snap_compare, make(unicode=False), builder, SMALL, "t", LEFT, "tab")


class TestCompared:
    def test_side_by_side_in_the_light(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        assert seen(snap_compare, make(light=True), builder, LARGE, "t", LEFT, "c")


class TestRaw:
    def test_records_as_they_are_in_the_file(
        self, snap_compare: Compare, make: Make, builder: Path
    ) -> None:
        assert seen(snap_compare, make(), builder, SMALL, "r")

    def test_what_was_dropped(self, snap_compare: Compare, make: Make, builder: Path) -> None:
        async def run(pilot: Pilot[None]) -> None:
            await opened(builder)(pilot)
            screen = pilot.app.screen
            assert isinstance(screen, ConversationScreen)
            compaction = next(piece for piece in screen.reader.pieces if piece.kind == "compaction")
            screen.reader.go_to_key(compaction.key)
            for press in ("enter", "enter"):
                await pilot.press(press)
                await settle(pilot)

        assert snap_compare(make(), terminal_size=SMALL, run_before=run)
