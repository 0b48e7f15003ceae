"""What the client says about a session, as it writes it for a status line.

Every field may be missing, and none is believed: texts come from folders, branches and models
that somebody named, so what could act on a terminal is taken out, and numbers must be some.
"""

import json
import os
import re
from collections.abc import Mapping
from math import isfinite

from bough.client_input import MOST_BYTES, read_stdin

_LONGEST = 60

# A sequence that acts on a terminal goes whole; of one without an end only the beginning goes.
_ESCAPES = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,400}(?:\x07|\x1b\\|\x9c)"
    r"|(?:\x1b\[|\x9b)[0-?]{0,40}[ -/]{0,10}[@-~]"
    r"|\x1b[ -/]{0,10}[0-~]?"
)
# Letters and marks that nobody sees, beside those that Python does not call printable.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_DATED = re.compile(r"-\d{8}$")


def clean_text(text: str, longest: int = _LONGEST) -> str:
    """Set a text on one line of bounded length, without what could act on a terminal."""
    text = text[: longest * 8]
    if not (text.isascii() and text.isprintable()):
        text = _INVISIBLE.sub("", _ESCAPES.sub("", text))
        text = "".join(c if c.isprintable() else " " if c.isspace() else "" for c in text)
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


class ClientStatus:
    """The document of a client, asked field by field."""

    def __init__(self, document: object = None) -> None:
        self._document = document if isinstance(document, Mapping) else {}

    def value(self, *keys: str) -> object:
        """Give the value at a place in the document; None where there is none."""
        found: object = self._document
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def text(self, *keys: str) -> str:
        """Give a text as it is; empty where there is none."""
        found = self.value(*keys)
        return found if isinstance(found, str) else ""

    def number(self, *keys: str) -> float | None:
        """Give a number that is one; None where there is none."""
        found = self.value(*keys)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return None
        try:
            value = float(found)
        except OverflowError:
            return None
        return value if isfinite(value) else None

    @property
    def session(self) -> str:
        """Give the id of the session."""
        return self.text("session_id")

    @property
    def folder(self) -> str:
        """Give the folder the client works in."""
        return self.text("workspace", "current_dir") or self.text("cwd")

    @property
    def project(self) -> str:
        """Name the project as people do, by the last part of its path."""
        path = self.text("workspace", "project_dir") or self.folder
        return clean_text(re.split(r"[/\\]", path.rstrip("/\\"))[-1])

    @property
    def model(self) -> str:
        """Name the model as every list does: without the maker and the day it was made."""
        name = self.text("model", "id").split("[")[0]
        return clean_text(_DATED.sub("", name.removeprefix("claude-"))) or clean_text(
            self.text("model", "display_name")
        )

    @property
    def context_percent(self) -> float | None:
        """Tell how much of the model's window is taken."""
        used = self.number("context_window", "used_percentage")
        if used is not None:
            return used
        # Clients before they counted it themselves.
        size = self.number("context_window", "context_window_size")
        names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        parts = [self.number("context_window", "current_usage", name) for name in names]
        if not size or size < 0 or all(part is None for part in parts):
            return None
        return 100 * sum(part or 0 for part in parts) / size

    @property
    def claude_folder(self) -> str | None:
        """Name the Claude folder that the session lies in, by the path of its transcript."""
        path = self.text("transcript_path")
        above = os.path.dirname(os.path.dirname(path))  # noqa: PTH120 - pathlib costs 4 ms
        folder, name = os.path.split(above)
        return folder if name == "projects" and os.path.isabs(folder) else None  # noqa: PTH117


def read_client_status() -> ClientStatus:
    """Read what the client writes to stdin; nothing where nobody writes anything sound."""
    return parse_client_status(read_stdin())


def parse_client_status(data: bytes) -> ClientStatus:
    """Read the document of a client; one that is none says nothing."""
    if len(data) > MOST_BYTES:
        return ClientStatus()
    try:
        return ClientStatus(json.loads(data))
    except (ValueError, RecursionError):
        return ClientStatus()
