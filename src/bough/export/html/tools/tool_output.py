"""Output of programs: the first and the last lines, and the rest one fold away.

Of an output that the client moved to a file of its own: how large it is, and how it begins. A
page shows the whole of one when it is asked to; a document that stands alone has it inside.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.export.html.folds import render_button, render_fold
from bough.export.markup.ansi import render_ansi
from bough.export.markup.escape import escape_attribute, escape_html, split_lines
from bough.model.text.formats import format_plural, format_size
from bough.model.tools.call_detail import OUTPUT_HEAD, OUTPUT_TAIL, count_hidden_lines
from bough.model.tools.calls import CallResult
from bough.query.sessions.stored_outputs import StoredOutput

_LEAST_HIDDEN: Final = 3
_LONGEST_LINE: Final = 1_000
_FEW_LINES: Final = 4
_FAILING: Final = re.compile(
    r"\s*(?:\x1b\[[0-9;]*m)*(?:FAIL(?:ED|URE)?\b|E  |ERRORS?\b|[Ee]rror\b|\w*Error:|fatal\b|"
    r"panic\b|[✗✘\u00d7] |not ok\b|.{0,120}: (?:fatal )?error\b)"
)
"""Lines by which test runners, compilers and shells say that something is wrong."""


def render_output(
    text: str, key: str, *, full: bool, failed: bool = False, before: str = ""
) -> str:
    """Show an output; `before` stands above it (a command)."""
    lines = render_lines(text, failed=failed)
    more = count_hidden_lines(len(lines), _LEAST_HIDDEN)
    look = "term failed" if failed else "term"
    start = f'<div class="{look}" tabindex="0" role="group" aria-label="Output" dir="ltr">{before}'
    if not more:
        return f'{start}<pre class="out">{_join_lines(lines)}</pre></div>'
    head, tail = lines[:OUTPUT_HEAD], lines[-OUTPUT_TAIL:]
    summary = f"Show {format_plural(more, 'more line')}"
    middle = render_fold(f"{key}/more", "more", summary, lambda: _render_middle(lines), inside=full)
    return (
        f'{start}<pre class="out">{_join_lines(head)}</pre>{middle}'
        f'<pre class="out">{_join_lines(tail)}</pre></div>'
    )


def render_client_words(text: str) -> str:
    """Show why a call failed where a few lines say it; they are read, so they are never cut."""
    lines = render_lines(text)
    if len(lines) > _FEW_LINES:
        return ""
    return f'<p class="why" dir="auto">{_join_lines(lines)}</p>'


def render_middle_lines(text: str, *, failed: bool = False) -> str:
    """Give the lines between the first and the last ones."""
    return _render_middle(render_lines(text, failed=failed))


def _render_middle(lines: Sequence[str]) -> str:
    return f'<pre class="out">{_join_lines(lines[OUTPUT_HEAD:-OUTPUT_TAIL])}</pre>'


def render_lines(text: str, *, failed: bool = False) -> list[str]:
    """Give the lines of an output as HTML; of one that failed, those that say so are set off."""
    plain = _wrap_long_lines(split_lines(text.strip("\n")))
    lines = render_ansi(plain)
    if not failed:
        return lines
    return [
        f'<b class="bad">{line}</b>' if _FAILING.match(words[:200]) else line
        for words, line in zip(plain, lines, strict=True)
    ]


def _wrap_long_lines(lines: list[str]) -> list[str]:
    """Cut lines that no page can lay out: minified code, a picture in base64."""
    if max(map(len, lines)) <= _LONGEST_LINE:
        return lines
    return [
        line[at : at + _LONGEST_LINE]
        for line in lines
        for at in range(0, len(line) or 1, _LONGEST_LINE)
    ]


def _join_lines(lines: Sequence[str]) -> str:
    return "\n".join(lines)


_TAG: Final = "<persisted-output>"
_OPENS: Final = re.compile(rf"\s*{_TAG}")
_END: Final = "</persisted-output>"
_SIZE: Final = re.compile(r"too large \(([\d.,]+) ?([kKMG]?i?B)\)")
_PREVIEW: Final = re.compile(r"\nPreview \(first [^)\n]*\):\n")


class MovedOutput(Struct, frozen=True):
    """What the record says of an output that lies elsewhere."""

    size: str
    preview: str
    head: str


def parse_moved_output(result: CallResult) -> MovedOutput | None:
    """Read what a record says of an output that was moved; None where it holds it itself."""
    if _OPENS.match(result.text) is None:
        return None
    inner = result.text.strip().removeprefix(_TAG).removesuffix(_END).strip("\n")
    much = _SIZE.search(inner[:400])
    start = _PREVIEW.search(inner)
    preview = inner[start.end() :].removesuffix("\n...") if start else ""
    head = inner[: start.end()] if start else inner
    return MovedOutput(f"{much[1]} {much[2]}" if much else "", preview, head.strip())


def render_moved_line(result: CallResult, kept: MovedOutput, agent: str | None) -> str:
    """Say that an output lies in a file of its own, and offer to show it; `agent` has it."""
    much, start = _open_moved_line(kept)
    if result.persisted is None:
        return f"{start}{much}, kept in a file that is gone. This is how it begins.</div>"
    name = result.persisted.replace("\\", "/").rpartition("/")[2]
    show = render_button("output", "Show", name=name, agent=agent)
    return f"{start}{much}, kept in a file. {show}</div>"


def render_whole_output(kept: MovedOutput, output: StoredOutput, key: str) -> str:
    """Hold all of an output that lies in a file of its own, in a fold."""
    much, start = _open_moved_line(kept)
    lines = "\n".join(render_lines(output.text))
    cut = "" if output.whole else f'<p class="end">{describe_cut(output)}</p>'
    body = (
        '<div class="term" tabindex="0" role="group" aria-label="Whole output" dir="ltr">'
        f'<pre class="out">{lines}</pre></div>{cut}'
    )
    shown = render_fold(f"{key}/whole", "more", "Show the whole output", body, inside=True)
    return f"{start}{much}, kept in a file.</div>{shown}"


def describe_cut(output: StoredOutput) -> str:
    """Say how much of an output is missing."""
    shown = len(output.text.encode("utf-8", "replace"))
    return f"This is how it begins: {format_size(shown)} of {format_size(output.bytes)}."


def _open_moved_line(kept: MovedOutput) -> tuple[str, str]:
    much = f"Output of {escape_html(kept.size)}" if kept.size else "Output"
    return much, f'<div class="kept" title="{escape_attribute(kept.head)}">'
