"""Stars, notes and hidden projects in the terminal app, and the way from session to session."""

from bough.library import load_annotations
from bough.tui.app.app import Bough
from bough.tui.screens.annotations.annotation_actions import NoteScreen
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.home import HomeScreen
from bough.tui.screens.sessions import SessionsScreen
from tests.tui.conftest import keys, text_of

SIZE = (120, 40)


async def test_a_star_on_a_session_is_kept_and_shown(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "asterisk")(pilot)
        assert isinstance(app.screen, SessionsScreen)
        row = app.screen.row
        assert row is not None
        starred = load_annotations().find("session", row.id).starred
        shown = f"* {row.title}" in "\n".join(text_of(app))
        await keys("asterisk")(pilot)

        assert starred
        assert shown
        assert f"* {row.title}" not in "\n".join(text_of(app))
        assert load_annotations().list_all() == []


async def test_a_note_is_typed_and_stands_in_the_list(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "M")(pilot)
        opened = type(app.screen)
        await keys("a", "s", "k", "enter")(pilot)

        assert opened is NoteScreen
        assert isinstance(app.screen, SessionsScreen)
        assert [one.note for one in load_annotations().list_all()] == ["ask"]
        assert any(line.split()[-1] != "ask" and " ask " in line for line in text_of(app))


async def test_escape_leaves_a_note_as_it_was(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "M", "x", "escape")(pilot)

        assert isinstance(app.screen, SessionsScreen)
        assert load_annotations().list_all() == []


async def test_a_note_on_a_message_stands_below_it(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "enter", "K", "asterisk", "M", "w", "h", "y", "enter")(pilot)
        assert isinstance(app.screen, ConversationScreen)
        message = app.screen.message
        assert message is not None
        (said,) = load_annotations().list_all()

        assert (said.kind, said.id, said.starred, said.note) == (
            "message",
            message.uuid,
            True,
            "why",
        )
        assert said.session == app.screen.session_id
        assert any("* why" in line for line in text_of(app))


async def test_a_hidden_project_is_behind_one_line(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys()(pilot)
        assert isinstance(app.screen, HomeScreen)
        project = app.screen.project
        assert project is not None
        await keys("Z")(pilot)
        hidden = "\n".join(text_of(app))
        shown = app.screen.query_one("#list")
        shown.go_to_key("hidden")  # type: ignore[attr-defined]
        await keys("enter")(pilot)
        opened = "\n".join(text_of(app))
        await keys("j", "Z")(pilot)

        assert load_annotations().list_all() == []
        assert "1 hidden project" in hidden
        assert "1 hidden project; Z shows one again" in opened
        assert "hidden project" not in "\n".join(text_of(app))


async def test_braces_go_from_session_to_session_and_say_where_it_ends(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "enter")(pilot)
        assert isinstance(app.screen, ConversationScreen)
        first = app.screen.path
        depth = len(app.screen_stack)
        await keys("right_curly_bracket")(pilot)
        assert isinstance(app.screen, ConversationScreen)
        second = app.screen.path
        await keys("left_curly_bracket")(pilot)

        assert isinstance(app.screen, ConversationScreen)
        assert app.screen.path == first != second
        assert len(app.screen_stack) == depth
