"""Keys are those of the web app: one map, whichever face one looks at."""

import re
from pathlib import Path

import pytest

from bough.tui.keymap import Keymap

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
        dashed = re.sub("([A-Z])", lambda letter: f"-{letter[1].lower()}", name)
        if here != SAME.get(name, dashed):
            other[key] = (name, here)

    assert len(found) > 40
    assert other == {}
