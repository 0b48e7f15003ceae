"""The lists as pictures, at both sizes and without colours; look before you take one over."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from bough.query.live.running_sessions import LiveSession, list_live_sessions
from bough.tui.app.app import Bough
from tests.tui.conftest import NOW, keys
from tests.tui.settling import settle

Compare = Callable[..., bool]
SMALL = (80, 24)
LARGE = (160, 50)
TINY = (60, 16)


@pytest.fixture
def going_on(demo: Path) -> Sequence[LiveSession]:
    return list_live_sessions([demo], since=NOW - timedelta(days=500), now=NOW)


@pytest.fixture
def plain(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bough:
    monkeypatch.setenv("NO_COLOR", "1")
    return Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False, plain=True)


@pytest.fixture
def light(demo: Path, tmp_path: Path) -> Bough:
    return Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False, theme="light")


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bough.tui.content.search_hits.perf_counter", lambda: 0.0)


def with_live(
    app: Bough, rows: Sequence[LiveSession], *presses: str
) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        app.update_live(rows, [])
        await keys(*presses)(pilot)

    return run


class TestHome:
    @pytest.mark.parametrize("size", [SMALL, LARGE, TINY])
    def test_who_waits_stands_on_top(
        self,
        snap_compare: Compare,
        app: Bough,
        going_on: Sequence[LiveSession],
        size: tuple[int, int],
    ) -> None:
        assert snap_compare(app, terminal_size=size, run_before=with_live(app, going_on))

    def test_the_preview_in_the_light_theme(
        self, snap_compare: Compare, light: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        before = with_live(light, going_on, "k")

        assert snap_compare(light, terminal_size=LARGE, run_before=before)

    def test_the_preview_without_colours(
        self, snap_compare: Compare, plain: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        assert snap_compare(plain, terminal_size=LARGE, run_before=with_live(plain, going_on))


class TestCockpit:
    @pytest.mark.parametrize("size", [SMALL, LARGE])
    def test_sessions_are_rows_or_cards(
        self,
        snap_compare: Compare,
        app: Bough,
        going_on: Sequence[LiveSession],
        size: tuple[int, int],
    ) -> None:
        assert snap_compare(app, terminal_size=size, run_before=with_live(app, going_on, "g l"))

    def test_cards_without_colours(
        self, snap_compare: Compare, plain: Bough, going_on: Sequence[LiveSession]
    ) -> None:
        before = with_live(plain, going_on, "g l")

        assert snap_compare(plain, terminal_size=LARGE, run_before=before)


class TestSessions:
    @pytest.mark.parametrize("size", [SMALL, (120, 40), LARGE])
    def test_states_stand_in_their_column(
        self,
        snap_compare: Compare,
        app: Bough,
        going_on: Sequence[LiveSession],
        size: tuple[int, int],
    ) -> None:
        assert snap_compare(app, terminal_size=size, run_before=with_live(app, going_on, "g s"))

    def test_sessions_without_colours(self, snap_compare: Compare, plain: Bough) -> None:
        assert snap_compare(plain, terminal_size=SMALL, run_before=with_live(plain, [], "g s"))


class TestSearch:
    @pytest.mark.parametrize("size", [(120, 40), LARGE])
    def test_what_was_said_around_a_hit_stands_beside_it(
        self, snap_compare: Compare, app: Bough, size: tuple[int, int]
    ) -> None:
        before = with_live(app, [], "s", "c h e c k p o i n t", "down", "j")

        assert snap_compare(app, terminal_size=size, run_before=before)

    def test_values_are_offered_and_a_wrong_query_says_what_it_wants(
        self, snap_compare: Compare, app: Bough
    ) -> None:
        async def before(pilot: Pilot[None]) -> None:
            await keys("s")(pilot)
            # All at once: letter by letter, what was found before the last one may stay.
            app.screen.query_one("#box", Input).value = "tool:"
            await keys("down")(pilot)

        assert snap_compare(app, terminal_size=SMALL, run_before=before)

    def test_the_first_look_says_how_one_searches(self, snap_compare: Compare, app: Bough) -> None:
        before = with_live(app, [], "s", "down")

        assert snap_compare(app, terminal_size=SMALL, run_before=before)

    def test_hits_without_colours(self, snap_compare: Compare, plain: Bough) -> None:
        before = with_live(plain, [], "s", "c h e c k p o i n t", "down")

        assert snap_compare(plain, terminal_size=SMALL, run_before=before)


class TestUsage:
    @pytest.mark.parametrize("report", ["tools", "hooks", "errors", "activity", "session"])
    def test_reports_are_bars(self, snap_compare: Compare, app: Bough, report: str) -> None:
        app.saved_state.report = report

        assert snap_compare(app, terminal_size=(120, 40), run_before=with_live(app, [], "g u"))

    def test_a_table_without_colours(self, snap_compare: Compare, plain: Bough) -> None:
        before = with_live(plain, [], "g u", "v")

        assert snap_compare(plain, terminal_size=SMALL, run_before=before)
