"""Outputs that the client moved to a file of their own: how large, and how they begin."""

import re
from typing import Final

from msgspec import Struct

from bough.export.html.folds import button
from bough.export.markup.text import attribute, escaped
from bough.model.tools import Result

_TAG: Final = "<persisted-output>"
_END: Final = "</persisted-output>"
_SIZE: Final = re.compile(r"too large \(([\d.,]+) ?([kKMG]?i?B)\)")
_PREVIEW: Final = re.compile(r"\nPreview \(first [^)\n]*\):\n")


class Kept(Struct, frozen=True):
    """What the record says of an output that lies elsewhere."""

    size: str
    preview: str
    head: str


def kept_of(result: Result) -> Kept | None:
    """Read what a record says of an output that was moved; None where it holds it itself."""
    text = result.text.strip()
    if not text.startswith(_TAG):
        return None
    inner = text.removeprefix(_TAG).removesuffix(_END).strip("\n")
    size = _SIZE.search(inner[:400])
    start = _PREVIEW.search(inner)
    preview = inner[start.end() :].removesuffix("\n...") if start else ""
    head = inner[: start.end()] if start else inner
    return Kept(f"{size[1]} {size[2]}" if size else "", preview, head.strip())


def kept_line(result: Result, kept: Kept, agent: str | None) -> str:
    """Say that an output lies in a file of its own, and offer to show it; `agent` has it."""
    much = f"Output of {escaped(kept.size)}" if kept.size else "Output"
    start = f'<div class="kept" title="{attribute(kept.head)}">'
    if result.persisted is None:
        return f"{start}{much}, kept in a file that is gone. This is how it begins.</div>"
    name = result.persisted.replace("\\", "/").rpartition("/")[2]
    show = button("output", "Show", name=name, agent=agent)
    return f"{start}{much}, kept in a file. {show}</div>"
