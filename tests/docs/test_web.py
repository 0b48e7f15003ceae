"""docs/web.md names every option, key and place of the web app, and shows pictures that exist."""

import re
from pathlib import Path

import pytest

from bough.cli.commands.web import web

_SHOWN = {"ArrowDown": "↓", "ArrowUp": "↑", "ArrowLeft": "←", "ArrowRight": "→", "Escape": "Esc"}
_ACTION = re.compile(r"^  \w+: \{ keys: \[(.+)\], label: '([^']*)' \}", re.MULTILINE)


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "web.md").read_text(encoding="utf-8")


def test_every_option_is_described(page: str) -> None:
    own = [name for option in web.params for name in option.opts if name != "--help"]

    assert [name for name in own if f"`{name}" not in page] == []


def test_the_table_of_keys_is_the_key_map(page: str, root: Path) -> None:
    keymap = (root / "frontend/src/keymap.ts").read_text(encoding="utf-8")
    wanted = [
        (" ".join(f"`{shown(key)}`" for key in re.findall(r"'([^']+)'", keys)), label)
        for keys, label in _ACTION.findall(keymap)
    ]

    table = page[page.index("## Keys") : page.index("## Search")]

    assert re.findall(r"^\| (`.+`) \| (.+) \|$", table, re.MULTILINE) == wanted
    assert len(wanted) > 30


def test_every_place_of_the_bar_is_described(page: str, root: Path) -> None:
    places = (root / "frontend/src/navigation.ts").read_text(encoding="utf-8")
    paths = re.findall(r"path: '([^']+)'", places)

    assert len(paths) >= 4
    assert [path for path in paths if f"`{path}" not in page] == []


def test_every_picture_is_shown_somewhere(root: Path) -> None:
    pictures = [path.name for path in (root / "docs" / "pictures").glob("*.png")]
    words = " ".join(
        path.read_text(encoding="utf-8") for path in [root / "README.md", *root.glob("docs/*.md")]
    )

    assert [name for name in pictures if f"pictures/{name}" not in words] == []


def shown(key: str) -> str:
    parts = key.split(" ")
    return " ".join(
        _SHOWN.get(part, f"Ctrl {part[5:].upper()}" if part.startswith("Ctrl+") else part)
        for part in parts
    )
