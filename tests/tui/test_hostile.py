"""Text of a transcript that wants to act on the terminal does not get there."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.conftest import Home
from tests.sampled import mark_rest_whole
from tests.tui.conftest import keys, text_of
from tests.tui.settling import settle

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m \x9b31m \x1b]52;c;aGk=\x1b\\ \x07\x08\x7f"
BIDI = "\u202eevil\u202c \u2066iso\u2069 \u200f\ufeff"
WIDE = "漢字かな交じり文 👩‍👩‍👧‍👦 🇨🇿 e\u0301\u0301\u0301 z\u200b\u200dw"
MARKUP = "[bold]not bold[/bold] [@click=app.quit]click[/] [link=http://x]l[/link] [/]"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture
def path(home: Home) -> Path:
    """Write a session whose every part is hostile."""
    nasty = f"{ESCAPES} {BIDI} {WIDE} {MARKUP}"
    told = (
        session("hostile")
        .user(f"prompt {nasty}")
        .thinking(f"thought {nasty}")
        .assistant(f"answer {nasty}\n```\n{'x' * 300_000}\n```\n{'漢' * 50_000}")
        .tool("Bash", {"command": f"echo {nasty}"}, f"output {nasty}\n" * 40)
        .tool("TodoWrite", {"todos": [{"content": nasty, "status": "pending"}]}, "ok")
        .tool("Odd\x1b[2J", {nasty: [nasty, {"deep": nasty}]}, nasty)
        .assistant("a" * 1_000_000)
        .user("the end")
        .assistant("yes")
    )
    with home.writing():
        return told.write(home.path)


def checked(app: Bough, columns: int) -> list[str]:
    """Read the screen and check that each line is clean and as wide as the terminal."""
    strips = app.screen._compositor.render_strips()
    for strip in strips:
        text = "".join(segment.text for segment in strip)
        assert not FORBIDDEN.search(text), repr(text)
        assert cell_len(text) == columns, repr(text)
    return text_of(app)


@pytest.mark.parametrize("columns", mark_rest_whole([80, 40, 160], {40}))
async def test_nothing_of_a_hostile_transcript_reaches_the_terminal_raw(
    home: Home, clock: object, path: Path, tmp_path: Path, columns: int
) -> None:
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)
    seen: list[str] = []
    async with app.run_test(size=(columns, 24)) as pilot:
        await keys()(pilot)
        seen += checked(app, columns)
        await keys("g s")(pilot)
        seen += checked(app, columns)
        app.open(ConversationScreen(str(path)))
        await settle(pilot)
        await keys("g g", "X")(pilot)
        for _ in range(12):
            seen += checked(app, columns)
            await keys("pagedown")(pilot)
        await keys("G", "r")(pilot)
        seen += checked(app, columns)
        await keys("escape", "t")(pilot)
        seen += checked(app, columns)

    assert any("[bold]not bold[/bold]" in line for line in seen)
    assert any("prompt" in line for line in seen)


async def test_a_hostile_session_can_be_searched_and_found(
    home: Home, clock: object, path: Path, tmp_path: Path
) -> None:
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await keys("s", "t h o u g h t", "down")(pilot)
        checked(app, 80)
        await keys("enter")(pilot)
        seen = checked(app, 80)
        await keys("ctrl+k")(pilot)
        await pilot.press(*"prompt")
        await settle(pilot)
        checked(app, 80)

    assert any("Thought" in line for line in seen)
