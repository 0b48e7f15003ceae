"""Output of programs: the first and the last lines, and the rest one fold away."""

import re
from collections.abc import Sequence
from typing import Final

from bough.export.html.folds import fold
from bough.export.markup.ansi import painted
from bough.export.markup.escape import lines_of
from bough.model.text.numbers import plural

_HEAD, _TAIL = 8, 4
_LEAST_HIDDEN: Final = 3
_LONGEST_LINE: Final = 1_000
_FAILING: Final = re.compile(
    r"\s*(?:\x1b\[[0-9;]*m)*(?:FAIL(?:ED|URE)?\b|E  |ERRORS?\b|[Ee]rror\b|\w*Error:|fatal\b|"
    r"panic\b|[✗✘\u00d7] |not ok\b|.{0,120}: (?:fatal )?error\b)"
)
"""Lines by which test runners, compilers and shells say that something is wrong."""


def output_of(text: str, key: str, *, full: bool, failed: bool = False, before: str = "") -> str:
    """Show an output; `before` stands above it (a command)."""
    lines = shown_lines(text, failed=failed)
    more = len(lines) - _HEAD - _TAIL
    look = "term failed" if failed else "term"
    start = f'<div class="{look}" tabindex="0" role="group" aria-label="Output" dir="ltr">{before}'
    if more < _LEAST_HIDDEN:
        return f'{start}<pre class="out">{_joined(lines)}</pre></div>'
    head, tail = lines[:_HEAD], lines[-_TAIL:]
    summary = f"Show {plural(more, 'more line')}"
    middle = fold(f"{key}/more", "more", summary, lambda: _middle(lines), inside=full)
    return (
        f'{start}<pre class="out">{_joined(head)}</pre>{middle}'
        f'<pre class="out">{_joined(tail)}</pre></div>'
    )


def more_lines(text: str, *, failed: bool = False) -> str:
    """Give the lines between the first and the last ones."""
    return _middle(shown_lines(text, failed=failed))


def _middle(lines: Sequence[str]) -> str:
    return f'<pre class="out">{_joined(lines[_HEAD:-_TAIL])}</pre>'


def shown_lines(text: str, *, failed: bool = False) -> list[str]:
    """Give the lines of an output as HTML; of one that failed, those that say so are set off."""
    plain = _cut(lines_of(text.strip("\n")))
    lines = painted(plain)
    if not failed:
        return lines
    return [
        f'<b class="bad">{line}</b>' if _FAILING.match(words[:200]) else line
        for words, line in zip(plain, lines, strict=True)
    ]


def _cut(lines: list[str]) -> list[str]:
    """Cut lines that no page can lay out: minified code, a picture in base64."""
    if max(map(len, lines)) <= _LONGEST_LINE:
        return lines
    return [
        line[at : at + _LONGEST_LINE]
        for line in lines
        for at in range(0, len(line) or 1, _LONGEST_LINE)
    ]


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)
