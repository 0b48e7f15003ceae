"""A drag takes words: those under it, without the stem, and they are copied."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from bough.backports import override
from bough.query.index.handle import open_index
from bough.sample import session
from bough.terminal.style import Role
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.widgets.list_items import ListItem, draw_fixed
from bough.tui.widgets.list_view import ListView
from bough.tui.widgets.selection import ListPosition, Selection, extract_selected_text
from tests.conftest import Home
from tests.tui.conftest import text_of
from tests.tui.settling import settle


class Shown(App[None]):
    """One reel, and what was taken from it."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self.lines = lines
        self.taken: list[str] = []
        self.opened = 0

    @override
    def compose(self) -> ComposeResult:
        yield ListView(id="list")

    def on_mount(self) -> None:
        pieces = [
            ListItem(str(number), draw_fixed([((Role.CLAUDE, line),)]))
            for number, line in enumerate(self.lines)
        ]
        self.query_one(ListView).show(pieces)

    def on_list_view_taken(self, event: ListView.Taken) -> None:
        self.taken.append(event.text)

    def on_list_view_opened(self) -> None:
        self.opened += 1


async def drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    def mouse(kind: type[events.MouseEvent], at: tuple[int, int]) -> events.MouseEvent:
        return kind(None, *at, 0, 0, 1, False, False, False, screen_x=at[0], screen_y=at[1])

    app = pilot.app
    for event in (
        mouse(events.MouseDown, start),
        mouse(events.MouseMove, ((start[0] + end[0]) // 2, end[1])),
        mouse(events.MouseMove, end),
        mouse(events.MouseUp, end),
    ):
        app.post_message(event)
        await pilot.pause()


async def test_the_words_under_a_drag_are_taken() -> None:
    app = Shown("one two three", "four five six", "seven")
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await drag(pilot, (5, 0), (4, 1))

    assert app.taken == ["two three\nfour"]
    assert app.opened == 0


async def test_a_drag_upwards_takes_the_same() -> None:
    app = Shown("one two three", "four five six", "seven")
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await drag(pilot, (4, 1), (5, 0))

    assert app.taken == ["two three\nfour"]


async def test_a_click_takes_nothing() -> None:
    app = Shown("one two three", "four five six")
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await pilot.click(ListView, offset=(5, 1))
        await pilot.pause()

    assert app.taken == []


async def test_what_is_taken_is_set_off() -> None:
    app = Shown("one two three", "four five six")
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        await drag(pilot, (1, 0), (3, 0))
        strip = pilot.app.query_one(ListView).render_line(0)

    off = "".join(text for text, style, _ in strip if style is not None and style.reverse)
    assert off == "one"


@pytest.mark.parametrize(
    ("line", "taken", "text"),
    [
        ("漢字かな", (2, 5), "字か"),
        ("plain", (1, 3), "la"),
        ("plain  ", (0, None), "plain"),
        ("short", (9, 12), ""),
    ],
)
def test_columns_are_counted_as_the_terminal_does(
    line: str, taken: tuple[int, int | None], text: str
) -> None:
    assert extract_selected_text(((Role.CLAUDE, line),), taken) == text


def test_the_stem_is_not_taken() -> None:
    line = ((Role.ACTIVE, "│ "), (Role.CLAUDE, "said"))

    assert extract_selected_text(line, (0, None)) == "said"
    assert (
        extract_selected_text(((Role.CLAUDE, "│ a table of theirs"),), (0, None))
        == "│ a table of theirs"
    )


@given(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9)),
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9)),
)
def test_whichever_end_comes_first_the_same_is_taken(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    there, back = (
        Selection(ListPosition(*one), ListPosition(*other)),
        Selection(ListPosition(*other), ListPosition(*one)),
    )

    for piece in range(6):
        for line in range(6):
            assert there.columns(piece, line) == back.columns(piece, line)


async def test_words_of_a_conversation_are_copied_with_a_word_about_it(
    home: Home, clock: object, tmp_path: Path
) -> None:
    with home.writing():
        path = session("dragged").user("Take these words").assistant("And these.").write(home.path)
    open_index([home.path], tmp_path / "index.sqlite").close()
    app = Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.open(ConversationScreen(str(path)))
        await settle(pilot)
        rows = text_of(app)
        y = next(n for n, row in enumerate(rows) if n and "Take these words" in row)
        await drag(pilot, (1, y), (70, y + 2))
        await settle(pilot)

        assert app.clipboard == "Take these words\n● Claude  09:00\nAnd these."
        assert any("Copied the words" in note.message for note in app._notifications)
