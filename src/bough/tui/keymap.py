"""The one key map: what each key does, the same words as in the web app.

A key may be a sequence, as `g h`. Every key has a name, by which a person may give it
another in `keys.toml` beside the settings:

    fork = "ctrl+f"
    half-down = ["d", "ctrl+d"]

The help screen and the docs are written from this table, so they tell the truth.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.config import settings_path
from bough.files.regular_file import open_regular


class Key(Struct, frozen=True):
    """One thing that can be done: its name, its keys, what it does, its word in the footer."""

    name: str
    keys: tuple[str, ...]
    does: str
    short: str = ""
    elsewhere: str = ""
    """What it does on some screens instead: in the docs, where there is no screen."""
    follows: str = ""
    """Its word in the list of what may follow a prefix, which is one line."""

    @property
    def everywhere(self) -> str:
        """Say what it does on any screen."""
        return f"{self.does} ({self.elsewhere})" if self.elsewhere else self.does


KEYS: Final[tuple[Key, ...]] = (
    Key("down", ("j", "down"), "next row or block", "move"),
    Key("up", ("k", "up"), "previous row or block"),
    Key(
        "next-prompt",
        ("J", "]"),
        "next prompt",
        "next",
        elsewhere="tree: split; search: session; usage: range",
    ),
    Key(
        "previous-prompt",
        ("K", "["),
        "previous prompt",
        elsewhere="tree: split; search: session; usage: range",
    ),
    Key("previous-session", ("left_curly_bracket",), "previous session of this project"),
    Key("next-session", ("right_curly_bracket",), "next session of this project"),
    Key("unfold", ("l", "right"), "open in place", "open"),
    Key("fold", ("h", "left"), "fold, or go to the parent"),
    Key("open", ("enter",), "open, read or confirm", "open"),
    Key("toggle", ("space",), "fold or unfold"),
    Key("back", ("escape",), "close, back one step", "back"),
    Key("start", ("g g", "home"), "to the start", follows="start"),
    Key("end", ("G", "end"), "to the end", "end", elsewhere="of a live session: and follow"),
    Key("half-down", ("d", "ctrl+d"), "half a page down", "half page"),
    Key("half-up", ("u", "ctrl+u"), "half a page up"),
    Key("page-down", ("pagedown", "ctrl+f"), "a page down", "page"),
    Key("page-up", ("pageup", "ctrl+b"), "a page up"),
    Key("home", ("g h", "1"), "Home", "home"),
    Key("sessions", ("g s", "2"), "Sessions", "sessions"),
    Key("search", ("s", "3"), "search everything", "search"),
    Key("live", ("g l", "4"), "Live", "live"),
    Key("usage", ("g u", "5"), "Usage", "usage"),
    Key("settings", ("g comma",), "Settings"),
    Key("archive", ("g a",), "Archive"),
    Key("keep-copies", ("A",), "archive what is new, or stop that", "archive"),
    Key("verify", ("V",), "verify every copy in the archive, or stop that", "verify"),
    Key("restore", ("B",), "bring back a deleted session from the archive…", "bring back"),
    Key("forget", ("delete",), "remove every copy of a session from the archive…", "forget"),
    Key("outline", ("o",), "outline pane"),
    Key("facts", ("i",), "facts or preview pane"),
    Key("unfold-turn", ("x",), "unfold this turn", "unfold", elsewhere="compare: swap"),
    Key("unfold-all", ("X",), "unfold everything"),
    Key("thinking", ("H",), "thinking shown or hidden"),
    Key("talk", ("z",), "only the talk: prompts and answers, no steps", "talk"),
    Key("follow", ("F",), "follow live", "follow"),
    Key("wrap", ("w",), "wrap long lines"),
    Key("find", ("slash",), "find or filter on this screen", "find"),
    Key("sort-next", ("greater_than_sign",), "sort by the next column", "sort"),
    Key("sort-previous", ("less_than_sign",), "sort by the column before"),
    Key("next-hit", ("n",), "next hit or difference", "next hit"),
    Key("previous-hit", ("N",), "previous hit or difference"),
    Key("palette", ("ctrl+k", "ctrl+p"), "palette", "palette"),
    Key("help", ("question_mark",), "keys of this screen", "keys"),
    Key("tree", ("t",), "tree of this session", "tree"),
    Key("compare", ("c",), "compare with the active branch, or A with B", "compare"),
    Key("mark-a", ("a",), "mark A"),
    Key("mark-b", ("b",), "mark B"),
    Key("fork", ("f",), "fork from here…", "fork"),
    Key("make-active", ("m",), "make this the active branch…"),
    Key("undo", ("U",), "undo the last change bough made…"),
    Key("rename", ("R",), "give the session another title…"),
    Key("export", ("e",), "export…", "export"),
    Key("raw", ("r",), "raw record"),
    Key("health", ("D",), "what is wrong with this session, if anything", "health"),
    Key("star", ("asterisk",), "star"),
    Key("note", ("M",), "write a note"),
    Key("hide", ("Z",), "hide a project on Home, or show it again"),
    Key("copy-resume", ("y r",), "copy the resume command", "copy", follows="resume command"),
    Key("copy-id", ("y i",), "copy the id", "copy", follows="id"),
    Key(
        "copy-link",
        ("y l",),
        "copy the link (the command that opens it)",
        "copy",
        follows="link",
    ),
    Key("copy-path", ("y p",), "copy the path", "copy", follows="path"),
    Key("copy-markdown", ("y m",), "copy as Markdown", "copy", follows="as Markdown"),
    Key("view", ("v",), "chart or table", "chart", elsewhere="conversation: the pager"),
    Key("editor", ("E",), "open in the editor"),
    Key("zoom-in", ("plus",), "tree: more detail", "zoom"),
    Key("zoom-out", ("minus",), "tree: less detail"),
    Key("pane", ("tab",), "to the other pane or side", "pane", elsewhere="search: complete"),
    Key("theme", ("T",), "dark or light", "theme"),
    Key("quit", ("q",), "quit"),
)

_PRESS_NAMES: Final = {
    "enter": "Enter",
    "escape": "Esc",
    "delete": "Delete",
    "space": "Space",
    "slash": "/",
    "question_mark": "?",
    "asterisk": "*",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "comma": ",",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "plus": "+",
    "minus": "−",  # noqa: RUF001 - a true minus sign
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "home": "Home",
    "end": "End",
    "tab": "Tab",
    "pagedown": "PgDn",
    "pageup": "PgUp",
}
# Names that a key goes by when Textual reports it.
_KEY_ALIASES: Final = {
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "upper_": "",
}


class Keymap:
    """Keys by what is pressed; sequences are found step by step."""

    def __init__(self, keys: Iterable[Key] = KEYS) -> None:
        self.keys = tuple(keys)
        self._by_press = {press: key.name for key in self.keys for press in key.keys}
        self._by_name = {key.name: key for key in self.keys}
        self.prefixes = {press.split(" ")[0] for press in self._by_press if " " in press}

    def name(self, press: str) -> str | None:
        """Give what a key or a sequence does; None where it does nothing."""
        return self._by_press.get(press)

    def key(self, name: str) -> Key:
        """Give a key by what it does."""
        return self._by_name[name]

    def list_continuations(self, prefix: str) -> list[tuple[str, Key]]:
        """List what may follow a prefix."""
        return [
            (press.split(" ")[1], self._by_name[name])
            for press, name in self._by_press.items()
            if press.startswith(f"{prefix} ")
        ]


def find_action(name: str, owners: Iterable[object]) -> Callable[[], object] | None:
    """Find what a key does: the method `do_<name>` of the first owner that has one."""
    method = f"do_{name.replace('-', '_')}"
    found = (getattr(owner, method, None) for owner in owners)
    return next((action for action in found if action is not None), None)


def name_press(key: str, character: str | None) -> str:
    """Name a key as the map does: a letter by itself, others by name."""
    if key in _KEY_ALIASES:
        return _KEY_ALIASES[key]
    if character is not None and character.isalnum() and len(character) == 1:
        return character
    return key


def format_press(press: str) -> str:
    """Write a key as people do."""
    words = [_PRESS_NAMES.get(part, part) for part in press.split(" ")]
    return " ".join(
        f"Ctrl {word.removeprefix('ctrl+').upper()}" if word.startswith("ctrl+") else word
        for word in words
    )


def load_keymap() -> tuple[Keymap, str]:
    """Read the map, with a person's own keys; the second is what is wrong with those."""
    path = settings_path().with_name("keys.toml")
    try:
        with open_regular(path) as file:
            given = tomllib.loads((file.read() or b"").decode())
    except FileNotFoundError:
        return Keymap(), ""
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Keymap(), f"The keys in {path} cannot be read: {error}."
    return _apply_overrides(given)


def _apply_overrides(given: Mapping[str, object]) -> tuple[Keymap, str]:
    wanted: dict[str, tuple[str, ...]] = {}
    wrong: list[str] = []
    known = {key.name for key in KEYS}
    for name, value in given.items():
        keys = (value,) if isinstance(value, str) else value
        if name in known and isinstance(keys, list | tuple) and all(_is_key(k) for k in keys):
            wanted[name] = tuple(str(key) for key in keys)
        else:
            wrong.append(name)
    taken = {key for keys in wanted.values() for key in keys}
    keys = [
        replace(key, keys=wanted[key.name])
        if key.name in wanted
        else replace(key, keys=tuple(k for k in key.keys if k not in taken))
        for key in KEYS
    ]
    talk = f"Not a key that can be set: {', '.join(wrong)}." if wrong else ""
    return Keymap(keys), talk


def _is_key(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
