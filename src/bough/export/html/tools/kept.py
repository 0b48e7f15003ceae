"""Outputs that the client moved to a file of their own: how large, and how they begin.

A page shows the whole of one when it is asked to; a document that stands alone has it inside.
"""

import re
from typing import Final

from msgspec import Struct

from bough.export.html.folds import button, fold
from bough.export.html.tools.output import shown_lines
from bough.export.markup.escape import attribute, escaped
from bough.model.text.numbers import size
from bough.model.tools.calls import Result
from bough.query.sessions.stored_outputs import KeptOutput

_TAG: Final = "<persisted-output>"
_OPENS: Final = re.compile(rf"\s*{_TAG}")
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
    if _OPENS.match(result.text) is None:
        return None
    inner = result.text.strip().removeprefix(_TAG).removesuffix(_END).strip("\n")
    much = _SIZE.search(inner[:400])
    start = _PREVIEW.search(inner)
    preview = inner[start.end() :].removesuffix("\n...") if start else ""
    head = inner[: start.end()] if start else inner
    return Kept(f"{much[1]} {much[2]}" if much else "", preview, head.strip())


def kept_line(result: Result, kept: Kept, agent: str | None) -> str:
    """Say that an output lies in a file of its own, and offer to show it; `agent` has it."""
    much, start = _start(kept)
    if result.persisted is None:
        return f"{start}{much}, kept in a file that is gone. This is how it begins.</div>"
    name = result.persisted.replace("\\", "/").rpartition("/")[2]
    show = button("output", "Show", name=name, agent=agent)
    return f"{start}{much}, kept in a file. {show}</div>"


def whole_output(kept: Kept, output: KeptOutput, key: str) -> str:
    """Hold all of an output that lies in a file of its own, in a fold."""
    much, start = _start(kept)
    lines = "\n".join(shown_lines(output.text))
    cut = "" if output.whole else f'<p class="end">{beginning(output)}</p>'
    body = (
        '<div class="term" tabindex="0" role="group" aria-label="Whole output" dir="ltr">'
        f'<pre class="out">{lines}</pre></div>{cut}'
    )
    shown = fold(f"{key}/whole", "more", "Show the whole output", body, inside=True)
    return f"{start}{much}, kept in a file.</div>{shown}"


def beginning(output: KeptOutput) -> str:
    """Say how much of an output is missing."""
    shown = len(output.text.encode("utf-8", "replace"))
    return f"This is how it begins: {size(shown)} of {size(output.bytes)}."


def _start(kept: Kept) -> tuple[str, str]:
    much = f"Output of {escaped(kept.size)}" if kept.size else "Output"
    return much, f'<div class="kept" title="{attribute(kept.head)}">'
