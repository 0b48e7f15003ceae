"""Where reading begins: at the end, also where the first part that is read fits on the screen."""

from pathlib import Path

from bough.query.index.handle import open_index
from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.conftest import Home
from tests.tui.conftest import show, text_of


async def test_a_tall_screen_opens_at_the_end_of_a_session(
    home: Home, tmp_path: Path, clock: object
) -> None:
    builder = session("tall").user("The first of all")
    for number in range(40):
        builder.tool("Bash", {"command": f"make {number}"}, "x" * 60_000)
        builder.assistant(f"Answer {number}").user(f"Prompt {number}")
    builder.tool("Bash", {"command": "make last"}, "x" * 60_000).assistant("The last of all")
    with home.writing():
        path = builder.write(home.path)
    open_index([home.path], tmp_path / "index.sqlite").close()
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)
    async with app.run_test(size=(220, 55)) as pilot:
        screen = ConversationScreen(str(path))
        await show(pilot, screen)
        shown = "\n".join(text_of(app))
        at_end = screen.reader.is_at_end

    assert at_end
    assert "The last of all" in shown
