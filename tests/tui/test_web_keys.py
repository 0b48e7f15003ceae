"""Keys are those of the web app: one map, whichever face one looks at."""

import re
from pathlib import Path

import pytest

from bough.tui.app.app import Bough
from bough.tui.keymap import KEYS, Keymap
from bough.tui.screens.base_screen import BaseScreen
from tests.tui.conftest import keys

ROW = re.compile(r"^  (\w+): \{ keys: \[([^\]]*)\]", re.MULTILINE)
SAME = {
    "next": "down", "previous": "up", "nextGroup": "next-prompt", "close": "back",
    "previousGroup": "previous-prompt", "first": "start", "last": "end", "searchScreen": "search",
}  # fmt: skip
"""Where the two call the same thing by another name."""
OF_A_BROWSER = {"findWords", "present"}
NAMED = {
    "ArrowDown": "down", "ArrowUp": "up", "ArrowLeft": "left", "ArrowRight": "right",
    "Enter": "enter", "Space": "space", "Escape": "escape", "Home": "home", "End": "end",
    "/": "slash", "?": "question_mark", "*": "asterisk", "Ctrl+k": "ctrl+k", ",": "comma",
    "{": "left_curly_bracket", "}": "right_curly_bracket", "+": "plus", "-": "minus", "Tab": "tab",
    "Delete": "delete",
}  # fmt: skip

OF_A_TERMINAL = {
    "page-down": "a browser scrolls by itself; Ctrl F finds there",
    "page-up": "a browser scrolls by itself",
    "sort-next": "heads of columns are buttons there",
    "sort-previous": "heads of columns are buttons there",
    "editor": "a page opens no programs",
    "theme": "a button in the bar there",
    "quit": "a tab is closed by the browser",
}
"""What the terminal app alone has a key for, and why."""
STORY = ("g s", "slash", "r e s u m a b l e", "enter", "enter")
SCREENS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Home": ((), ("home/home.svelte",)),
    "Sessions": (("g s",), ("sessions/sessions.svelte",)),
    "Search": (("s", "c h e c k p o i n t", "down"), ("search/key-bindings.ts",)),
    "Live": (("g l",), ("live/live.svelte",)),
    "Usage": (("g u",), ("usage/usage.svelte",)),
    "Settings": (("g comma",), ("settings/settings-page.svelte",)),
    "Archive": (("g a",), ("archive/archive.svelte",)),
    "Health": (("g s", "D"), ("health/health.svelte",)),
    "Conversation": (STORY, ("conversation/actions/key-bindings.ts",)),
    "Tree": ((*STORY, "t", "K", "l"), ("tree/tree-keys.ts", "tree/tree-page.svelte")),
    "Compare": ((*STORY, "t", "K", "l", "c"), ("compare/compare-page.svelte",)),
}
"""How one gets to a screen, and where the page binds its keys."""
LABEL = re.compile(r"(\w+): \{\s*run:.*?label: '([^']*)'", re.DOTALL)
MEANS = {"read": "open", "query": "search"}
"""Words of ours, and what the page says for them."""
CALLED_OTHERWISE = {("Home", "unfold"): "worktrees are always shown"}
"""What a key does on a screen of ours and something else on the page, and why."""
NOT_ON = {
    ("Home", "fold"): "worktrees are always shown",
    ("Tree", "view"): "forks stand in the tree itself",
}
"""What a key does on a screen of the page and not here, and why."""
OF_LISTS = {"start", "end", "half-down", "half-up", "tree"}
"""What is wanted wherever there is a list of sessions, or of what is in them."""
NOT_THERE = {
    ("Archive", "tree"): "Enter opens the conversation, which has it",
    ("Health", "tree"): "Enter opens the conversation, which has it",
    **dict.fromkeys(
        (("Settings", name) for name in OF_LISTS), "a form of fields: Tab goes through them"
    ),
}
"""What a key does to a list of ours and not on the page, and why."""
EVERYWHERE = "frame/shortcuts.ts"
OF_ALL_SESSIONS = {"health"}
"""What the page does to all sessions where none is meant; here only to one."""
BOUND = re.compile(r"^ +(\w+)(?:: |,$)", re.MULTILINE)


def name_here(name: str) -> str:
    dashed = re.sub("([A-Z])", lambda letter: f"-{letter[1].lower()}", name)
    return SAME.get(name, dashed)


def bound_in(root: Path, *files: str) -> set[str]:
    """List the actions that files of the page bind, by our names."""
    known = {name for name, _ in web_keys(root)}
    found: set[str] = set()
    for file in files:
        source = (root / "frontend" / "src" / file).read_text(encoding="utf-8")
        begins = [source.find(words) for words in ("): Actions {", "bindActions('")]
        found |= known & {*BOUND.findall(source[max(begins) :])}
    return {name_here(name) for name in found}


def labels_in(root: Path, *files: str) -> dict[str, str]:
    """Give what files of the page call the actions that they bind, by our names."""
    sources = [(root / "frontend" / "src" / file).read_text(encoding="utf-8") for file in files]
    return {
        name_here(name): label.lower()
        for source in sources
        for name, label in LABEL.findall(source)
    }


def web_keys(root: Path) -> list[tuple[str, str]]:
    source = root / "frontend" / "src" / "keymap.ts"
    if not source.exists():
        pytest.skip("the front end is not here")
    return [
        (name, key)
        for name, keys in ROW.findall(source.read_text(encoding="utf-8"))
        for key in re.findall(r"'([^']+)'", keys)
        if name not in OF_A_BROWSER
    ]


def test_every_key_of_the_web_app_does_the_same_here(root: Path) -> None:
    keymap = Keymap()
    found = web_keys(root)

    other = {}
    for name, key in found:
        here = keymap.name(" ".join(NAMED.get(part, part) for part in key.split(" ")))
        if here != name_here(name):
            other[key] = (name, here)

    assert len(found) > 40
    assert other == {}


def test_every_other_key_of_the_terminal_has_a_reason_to_be_its_alone(root: Path) -> None:
    shared = {name_here(name) for name, _ in web_keys(root)}

    assert {key.name for key in KEYS if key.keys} - shared == set(OF_A_TERMINAL)


@pytest.mark.parametrize("screen", list(SCREENS))
async def test_what_a_key_does_on_a_screen_of_the_web_app_it_does_on_ours(
    app: Bough, root: Path, screen: str
) -> None:
    presses, files = SCREENS[screen]
    wanted = bound_in(root, *files) | (bound_in(root, EVERYWHERE) - OF_ALL_SESSIONS)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(*presses)(pilot)
        place = app.screen
        assert isinstance(place, BaseScreen)
        assert type(place).__name__ == f"{screen}Screen"
        lacks = {name for name in wanted if not place.can_do(name)}

    assert len(wanted) > 5
    assert lacks == {name for where, name in NOT_ON if where == screen}


@pytest.mark.parametrize("screen", list(SCREENS))
async def test_what_a_key_does_in_a_list_of_ours_it_does_in_that_of_the_web_app(
    app: Bough, root: Path, screen: str
) -> None:
    presses, files = SCREENS[screen]
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(*presses)(pilot)
        place = app.screen
        assert isinstance(place, BaseScreen)
        here = {name for name in OF_LISTS if place.can_do(name)}

    lacks = here - bound_in(root, *files)

    assert lacks == {name for where, name in NOT_THERE if where == screen} & here


@pytest.mark.parametrize("screen", list(SCREENS))
async def test_what_we_call_a_key_of_a_screen_says_the_same_as_the_web_app_does(
    app: Bough, root: Path, screen: str
) -> None:
    presses, files = SCREENS[screen]
    there = labels_in(root, *files)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(*presses)(pilot)
        place = app.screen
        assert isinstance(place, BaseScreen)
        here = place.describe_keys()

    other = {
        name: (words, there[name])
        for name, words in here.items()
        if name in there and not {*words.split()} & {*there[name].split()}
        if MEANS.get(words, words) not in there[name]
    }

    assert {*other} == {name for where, name in CALLED_OTHERWISE if where == screen}, other


async def test_t_leads_from_a_comparison_to_the_tree_and_from_there_to_the_conversation(
    app: Bough,
) -> None:
    seen = []
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(*SCREENS["Compare"][0])(pilot)
        for _ in range(3):
            seen.append(type(app.screen).__name__)
            await keys("t")(pilot)

    assert seen == ["CompareScreen", "TreeScreen", "ConversationScreen"]


async def test_l_and_h_of_the_tree_go_into_a_branch_and_to_where_it_left(app: Bough) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(*STORY, "t", "g g", "l")(pilot)
        place = app.screen
        into = place.point.turn.label  # type: ignore[attr-defined]
        await keys("j", "h")(pilot)
        left = place.point.turn.label  # type: ignore[attr-defined]
        await keys("h")(pilot)
        stays = place.point.turn.label  # type: ignore[attr-defined]

    assert into == "Use a job table instead"
    assert left == stays == "Write the plan first, no code yet"
