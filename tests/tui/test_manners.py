"""Help that tells the truth, footers, little room, the mouse, and keys of one's own."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.keymap import KEYS
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.help import HelpScreen
from bough.tui.screens.sessions import SessionsScreen
from bough.tui.screens.tree import TreeScreen
from bough.tui.screens.usage import UsageScreen
from bough.tui.widgets.list_view import ListView
from tests.conftest import Home
from tests.sampled import mark_rest_whole
from tests.tui.conftest import keys, text_of
from tests.tui.settling import settle

SIZE = (80, 24)
STORY = ("g s", "slash", "r e s u m a b l e", "enter", "enter")
SCREENS: dict[str, tuple[str, ...]] = {
    "Home": (),
    "Sessions": ("g s",),
    "Search": ("s", "c h e c k p o i n t", "down"),
    "Live": ("g l",),
    "Usage": ("g u",),
    "Settings": ("g comma",),
    "Health": ("g s", "D"),
    "Conversation": STORY,
    "Tree": (*STORY, "t"),
}
# A list, a place to type in, a conversation, and a graph.
SOME_SCREENS = ("Sessions", "Search", "Conversation", "Tree")
EVERY_PRESS = [
    *(chr(code) for code in range(ord("a"), ord("z") + 1)),
    *(chr(code) for code in range(ord("A"), ord("Z") + 1)),
    *"0123456789",
    *(f"ctrl+{chr(code)}" for code in range(ord("a"), ord("z") + 1)),
    *("slash", "question_mark", "asterisk", "plus", "minus", "comma", "space", "enter", "escape"),
    *("left_square_bracket", "right_square_bracket", "tab", "up", "down", "left", "right"),
    *("left_curly_bracket", "right_curly_bracket"),
    *("home", "end", "pageup", "pagedown", "full_stop", "semicolon", "equals_sign", "f1"),
    *("less_than_sign", "greater_than_sign"),
]
SPELLED = {"left_square_bracket": "[", "right_square_bracket": "]"}


def key(name: str) -> events.Key:
    """Press a key as Textual would."""
    return events.Key(name, name if len(name) == 1 else None)


@pytest.mark.parametrize("screen", list(SCREENS))
async def test_help_lists_every_key_that_does_something_and_no_other(
    app: Bough, screen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def note(self: BaseScreen, name: str) -> bool:
        done.append(name)
        return self.can_do(name)

    async with app.run_test(size=SIZE) as pilot:
        await keys(*SCREENS[screen])(pilot)
        place = app.screen
        assert isinstance(place, BaseScreen)
        assert type(place).__name__ == f"{screen}Screen"
        await keys("question_mark")(pilot)
        assert isinstance(app.screen, HelpScreen)
        pieces = list(app.screen.query_one("#list", ListView).pieces)
        cut = next((n for n, p in enumerate(pieces) if p.key == "rest"), len(pieces))
        listed = {piece.key.removeprefix("key/") for piece in pieces[:cut] if piece.kind == "key"}
        await keys("escape")(pilot)
        monkeypatch.setattr(BaseScreen, "do", note)
        textual = {key for key, _ in app._bindings}
        did: dict[str, str] = {}
        presses = [*EVERY_PRESS, *(f"g {p}" for p in EVERY_PRESS), *(f"y {p}" for p in EVERY_PRESS)]
        for press in presses:
            if press in ("g", "y"):
                continue
            done.clear()
            with app._context():
                for one in press.split(" "):
                    place.on_key(key(one))
            if done:
                did[" ".join(SPELLED.get(part, part) for part in press.split(" "))] = done[-1]

        unlisted = [one.name for one in KEYS if one.name not in listed and place.can_do(one.name)]

    bound = {press: one.name for one in KEYS for press in one.keys if one.name in listed}
    works = {press: name for press, name in did.items() if name in {k.name for k in KEYS}}
    assert {p: n for p, n in works.items() if n in listed} == bound
    assert textual == {"ctrl+c", "ctrl+k", "ctrl+p"}
    assert unlisted == []


@pytest.mark.parametrize("screen", mark_rest_whole(SCREENS, SOME_SCREENS))
async def test_the_footer_names_six_keys_and_the_one_for_the_others(
    app: Bough, screen: str
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*SCREENS[screen])(pilot)
        place = app.screen
        assert isinstance(place, BaseScreen)
        names = list(dict.fromkeys(place.footer.click_actions.values()))
        line = text_of(app)[-1]

    assert len(names) == 7
    assert names[-1] == "help"
    assert "? keys" in line


@pytest.mark.parametrize("screen", mark_rest_whole(SCREENS, SOME_SCREENS))
async def test_help_speaks_of_this_screen_alone(app: Bough, screen: str) -> None:
    async with app.run_test(size=(80, 70)) as pilot:
        await keys(*SCREENS[screen], "down" if screen == "Search" else "k", "question_mark")(pilot)
        here, _, rest = "\n".join(text_of(app)).partition("On other screens")

    assert rest
    for one in KEYS:
        if one.elsewhere:
            assert one.elsewhere not in here


@pytest.mark.parametrize(
    ("prefix", "last"), [("g", "a Archive"), ("y", "m as Markdown")], ids=["g", "y"]
)
async def test_all_that_may_follow_a_key_has_room(app: Bough, prefix: str, last: str) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*STORY, prefix)(pilot)
        screen = app.screen
        assert isinstance(screen, BaseScreen)
        screen._list_followers()
        await settle(pilot)
        line = text_of(app)[-1]

    assert line.endswith(last)


async def test_where_there_is_no_room_whole_keys_are_left_out(app: Bough) -> None:
    async with app.run_test(size=(62, 24)) as pilot:
        await keys(*SCREENS["Search"])(pilot)
        line = text_of(app)[-1]
        await pilot.click("KeyBar", offset=(line.index("? keys") + 1, 0))
        await settle(pilot)
        name = type(app.screen)

    assert "\N{HORIZONTAL ELLIPSIS}" not in line
    assert name is HelpScreen


async def test_the_footer_follows_the_focus(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "slash")(pilot)
        typing = text_of(app)[-1]
        await keys("down")(pilot)

        assert "j k" not in typing
        assert "↓ ↑" in typing
        assert "j k" in text_of(app)[-1]


@pytest.mark.parametrize(
    ("size", "footer"), [((61, 17), True), ((60, 24), False), ((80, 16), False), ((40, 10), False)]
)
async def test_the_footer_goes_first_where_room_is_dear(
    app: Bough, size: tuple[int, int], footer: bool
) -> None:
    async with app.run_test(size=size) as pilot:
        await keys()(pilot)
        words = "\n".join(text_of(app))

    assert ("j k" in words) is footer
    assert "orchard-shop" in words


@pytest.mark.parametrize("size", [(39, 24), (80, 9), (20, 5)])
async def test_below_the_least_room_one_sentence_is_all(app: Bough, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await keys()(pilot)
        lines = [line for line in text_of(app) if line]

    assert len(lines) == 1
    assert lines[0].strip().endswith(".")


@pytest.mark.parametrize(
    "screen", mark_rest_whole(["Home", "Sessions", "Search", "Usage"], {"Sessions", "Search"})
)
async def test_a_resize_keeps_the_first_visible_line_of_lists(app: Bough, screen: str) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys(*SCREENS[screen], "d")(pilot)
        reel = app.screen.query_one("#list", ListView)
        assert reel.top is not None
        before = reel.top.key

        for size in ((70, 20), (60, 16), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)

        assert reel.top.key == before


class TestMouse:
    async def test_a_key_in_the_footer_can_be_clicked(self, app: Bough) -> None:
        async with app.run_test(size=SIZE) as pilot:
            await keys()(pilot)
            await pilot.click(offset=(text_of(app)[-1].index("search"), 23))
            await settle(pilot)

            assert type(app.screen).__name__ == "SearchScreen"

    async def test_the_name_in_the_bar_leads_home_and_a_place_in_it_back(self, app: Bough) -> None:
        async with app.run_test(size=SIZE) as pilot:
            await keys("enter", "enter")(pilot)
            await pilot.click(offset=(text_of(app)[0].index("orchard"), 0))
            await settle(pilot)
            back = type(app.screen)
            await pilot.click(offset=(2, 0))
            await settle(pilot)

            assert back is SessionsScreen
            assert type(app.screen).__name__ == "HomeScreen"

    async def test_the_wheel_scrolls_what_is_under_it(self, app: Bough) -> None:
        async with app.run_test(size=SIZE) as pilot:
            await keys("g s")(pilot)
            first = text_of(app)[1]
            reel = app.screen.query_one("#list", ListView)
            wheel = events.MouseScrollDown(reel, 5, 5, 0, 1, 0, False, False, False)
            reel.post_message(wheel)
            await settle(pilot)

            assert text_of(app)[1] != first

    async def test_a_click_focuses_the_other_pane(self, app: Bough) -> None:
        async with app.run_test(size=(160, 50)) as pilot:
            await keys()(pilot)
            await pilot.click(offset=(130, 20))
            await settle(pilot)

            assert app.screen.focused is not None
            assert app.screen.focused.id == "preview"


class TestKeysOfOnesOwn:
    async def test_a_key_given_away_does_no_more_what_it_did(
        self, home: Home, demo: Path, tmp_path: Path
    ) -> None:
        place = tmp_path / "user" / ".config" / "bough"
        place.mkdir(parents=True)
        (place / "keys.toml").write_text('usage = "ctrl+k"\npalette = "P"\nsearch = ["x", "g x"]\n')
        app = Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False)

        async with app.run_test(size=SIZE) as pilot:
            seen = []
            for press in ("ctrl+k", "1", "g x", "escape", "s"):
                await keys(press)(pilot)
                seen.append(type(app.screen).__name__.removesuffix("Screen"))
            footer = text_of(app)[-1]

        assert seen == ["Usage", "Home", "Search", "Home", "Home"]
        assert "x search" in footer


async def test_no_letter_does_anything_while_typing(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s", "slash", "q t D s")(pilot)

        assert type(app.screen) is SessionsScreen
        assert app.screen.query_one("#filter", Input).value == "qtDs"


async def test_an_app_without_colours_starts_in_a_process_of_its_own(
    home: Home, tmp_path: Path
) -> None:
    # Textual keeps what it parsed before, so a theme that lacks something is seen only here.
    with home.writing():
        session("plain").user("Begin").assistant("I begin.").write(home.path)
    code = (
        "import asyncio\n"
        "from bough.tui.app.app import Bough\n"
        f"app = Bough([{str(home.path)!r}], {str(tmp_path / 'i')!r}, live=False, plain=True)\n"
        "async def look():\n"
        "    async with app.run_test() as pilot:\n"
        "        await pilot.pause()\n"
        "asyncio.run(look())\n"
    )

    done = subprocess.run(  # noqa: ASYNC221 - nothing else runs
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 0, done.stderr[-500:]


async def test_trouble_that_is_still_said_is_not_said_again(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for _ in range(3):
            app.show_notice("No Claude folder here.", "error")
        await settle(pilot)

        assert [one.message for one in app._notifications] == ["No Claude folder here."]


async def test_a_list_says_the_whole_of_what_went_wrong(app: Bough) -> None:
    trouble = " ".join(["Cannot", *["read"] * 30, "this."])
    async with app.run_test(size=SIZE) as pilot:
        await keys("g s")(pilot)
        assert isinstance(app.screen, SessionsScreen)
        app.screen.query_one("#list", ListView).show([])
        app.screen.show_failure(trouble)
        await settle(pilot)

        assert "this." in "\n".join(text_of(app)).split("Esc goes back.")[0]


@pytest.mark.parametrize("screen", [SessionsScreen, UsageScreen, partial(TreeScreen, "gone.jsonl")])
async def test_a_screen_that_is_left_while_it_opens_or_is_laid_out_is_drawn_no_more(
    app: Bough, screen: Callable[[], BaseScreen]
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        left = screen()
        _ = app.push_screen(left)
        _ = app.pop_screen()
        await settle(pilot)
        drawn: list[str] = []
        left.draw_after_layout(lambda: drawn.append("drawn"))
        await settle(pilot)

        assert not left.is_there
        assert drawn == []
