"""Where the locale is not UTF-8 nothing of ours needs it."""

import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from bough.terminal.style import ASCII, PLAIN_SIGNS, UNICODE
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.sampled import mark_rest_whole
from tests.tui.conftest import text_of
from tests.tui.settling import settle

SCREENS = [
    (), ("X",), ("t",), ("t", "plus"), ("t", "f"), ("t", "tab"), ("slash",), ("r",), ("e",),
    ("question_mark",), ("ctrl+k",), ("g s",), ("g u",), ("g l",), ("g comma",), ("D",),
]  # fmt: skip
SMALL, LARGE = (80, 24), (160, 50)
SHOWN = [(presses, size) for presses in SCREENS for size in (SMALL, LARGE)]
# Every screen where most people see it, and those that have more to show where there is room.
SOME_SHOWN = [*((presses, SMALL) for presses in SCREENS), ((), LARGE), (("t",), LARGE)]


@pytest.fixture
def app(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bough:
    monkeypatch.chdir(tmp_path)
    return Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False, unicode=False)


def name_shown(shown: tuple[tuple[str, ...], tuple[int, int]]) -> str:
    presses, (width, _) = shown
    return f"{' '.join(presses)}-{width}"


def story(demo: Path) -> Path:
    return next(path for path in demo.rglob("3f9c*.jsonl"))


async def seen(pilot: Pilot[None], *presses: str) -> list[str]:
    for one in presses:
        await pilot.press(*one.split(" "))
        await settle(pilot)
    assert isinstance(pilot.app, Bough)
    return text_of(pilot.app)


@pytest.mark.parametrize("shown", mark_rest_whole(SHOWN, SOME_SHOWN), ids=name_shown)
async def test_no_screen_shows_a_sign_beyond_ascii(
    app: Bough, demo: Path, shown: tuple[tuple[str, ...], tuple[int, int]]
) -> None:
    presses, size = shown
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        app.open(ConversationScreen(str(story(demo))))
        await settle(pilot)
        lines = await seen(pilot, *presses)

        strips = app.screen._compositor.render_strips()
        # A title may be in any script; letters are never ours.
        assert {c for c in "".join(lines) if not c.isascii() and not c.isalpha()} == set()
        assert {strip.cell_length for strip in strips} == {size[0]}


def test_every_glyph_has_a_plain_one() -> None:
    assert all(getattr(ASCII, name).isascii() for name in ASCII.__struct_fields__)
    assert all(
        getattr(UNICODE, name).translate(PLAIN_SIGNS).isascii()
        for name in UNICODE.__struct_fields__
    )


def test_a_plain_sign_takes_as_many_columns_as_the_one_it_stands_for() -> None:
    wrong = {
        chr(code): plain for code, plain in PLAIN_SIGNS.items()
        if cell_len(chr(code)) != len(str(plain))
    }  # fmt: skip

    assert wrong == {}


@pytest.mark.skipif(sys.platform == "win32", reason="locales are named otherwise")
def test_a_plain_locale_asks_for_plain_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    from bough.terminal.capabilities import can_show_unicode  # noqa: PLC0415

    assert not can_show_unicode("utf-8", {"LC_ALL": "C"})
    assert not can_show_unicode("iso-8859-1", {})
    assert can_show_unicode("utf-8", {"LC_ALL": "C.UTF-8"})
