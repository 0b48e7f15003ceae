"""The commands that bough writes to the client's settings, and by which it knows its own again.

What a person or another program wrote stays, also where it looks alike: a hook of ours is one that
is written as we write it, and a status line one that starts our program and does nothing else.
"""

import os
import re
import sys
from pathlib import Path
from shlex import quote, shlex
from typing import Final

import msgspec
from msgspec import Struct

from bough.errors import Misuse
from bough.guard_program import EVENT as GUARD_EVENT
from bough.timetravel.settings_file import HOOKS

STATUS_LINE_PROGRAM: Final = "bough-statusline"
_OPERATORS: Final = frozenset(";&|<>()")
_GUARDED: Final = re.compile(r"(?:test ! -x (?P<place>.+) \|\| (?=(?P=place) ))?(?P<run>.+)")
_EVENT: Final = re.compile(r"[A-Za-z]{1,40}")


class HookSpec(Struct, frozen=True, kw_only=True):
    """A program of ours that the client runs at its hooks.

    `operation` is what the journal and a person call it. Without `events` of its own it takes
    those that every client seen knows.
    """

    name: str
    operation: str
    events: tuple[str, ...] = ()
    is_waited_for: bool = False

    def is_own(self, command: str) -> bool:
        """Tell whether a command is this program as we write it, wherever it lies."""
        found = _GUARDED.fullmatch(command)
        words = _split_command(found["run"]) if found else []
        if words[2:] not in ([], ["$PPID"]) or len(words) < 2:
            return False
        return _name_of(words[0]) == self.name and bool(_EVENT.fullmatch(words[1]))

    def write_group(self, event: str) -> str:
        """Write the hook of an event; where the client waits for it, it may answer."""
        place = find_program(self.name)
        command = f"{place} {event}"
        if os.name == "posix":
            # It ends quietly where the program is gone. The shell's parent is the client: that it
            # is gone is known by this.
            command = f"test ! -x {place} || {place} {event} $PPID"
        hook = {"type": "command", "command": command, "async": True, "timeout": 2}
        if self.is_waited_for:
            hook = {"type": "command", "command": command, "timeout": 5}
        return msgspec.json.format(msgspec.json.encode({"hooks": [hook]}), indent=0).decode()


HOOK: Final = HookSpec(name="bough-hook", operation=HOOKS)
GUARD: Final = HookSpec(
    name="bough-guard", operation="guard", events=(GUARD_EVENT,), is_waited_for=True
)


def is_own_status_line(command: str) -> bool:
    """Tell whether a command starts bough's status line, and nothing beside it."""
    words = _split_command(command)
    if not words or any(_OPERATORS.issuperset(word) for word in words if word):
        return False
    first = _name_of(words[0])
    if first.startswith("python") and words[1:2] == ["-m"]:
        first, words = words[2] if len(words) > 2 else "", words[2:]
    return first == STATUS_LINE_PROGRAM or (first == "bough" and words[1:2] == ["statusline"])


def find_program(name: str) -> str:
    """Name a program of ours by its full path, as a shell reads it.

    A client is not always started from the shell in which bough is found.
    """
    folder = Path(sys.executable).parent
    for file in (folder / name, folder / f"{name}.exe"):
        if file.is_file():
            return quote(file.as_posix())
    raise Misuse(f"{name} is not beside {sys.executable}. Install bough as a package.")


def _split_command(command: str) -> list[str]:
    """Split a command as a shell does; what joins commands is a word of its own."""
    parts = shlex(command, posix=True, punctuation_chars=True)
    parts.whitespace_split = True
    parts.commenters = ""
    try:
        return list(parts)
    except ValueError:
        return []  # a quote without its end


def _name_of(word: str) -> str:
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe")
