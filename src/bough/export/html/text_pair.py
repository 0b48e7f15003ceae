"""Two texts, or what two branches left of a file, as HTML that stands side by side."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import Final

from bough.export.html.tools.file_tools import render_edit
from bough.export.markup.code import mark_ranges
from bough.export.markup.escape import escape_html, split_lines
from bough.export.markup.line_diff import Marks, mark_changed_words
from bough.export.markup.markdown import render_markdown
from bough.model.text.line_diff import find_differences
from bough.model.tools.call_detail import FileEdit
from bough.model.tools.structured_results import NumberedHunk

_MOST_LINES: Final = 4_000
"""Texts with more lines than this are shown without marks."""
_TAG: Final = re.compile(r"<(/?)(\w+)[^>]*>")
_INSIDE_LINES: Final = frozenset({"a", "code", "em", "i", "s", "span", "strong"})
"""Tags that stand inside a line; every other one ends it."""


def render_text_pair(a: str, b: str) -> tuple[str, str]:
    """Show two texts as typed; in lines that are alike, the words that differ are marked."""
    one, other = split_lines(a), split_lines(b)
    gone, come = _mark_lines(one, other)
    return _join_lines(one, gone), _join_lines(other, come)


def render_prose_pair(a: str, b: str) -> tuple[str, str]:
    """Show two answers as a conversation shows them, with the same marks."""
    one, other = render_markdown(a), render_markdown(b)
    if not (a and b) or one == other:
        return one, other
    lines, others = _find_text_lines(one), _find_text_lines(other)
    gone, come = _mark_lines(
        [_read_line(one, line) for line in lines], [_read_line(other, line) for line in others]
    )
    return _mark_pieces(one, lines, gone), _mark_pieces(other, others, come)


def render_hunks(path: str, hunks: Sequence[NumberedHunk]) -> str:
    """Show a change of a file; nothing where there is none."""
    return render_edit(FileEdit(path, (), hunks)) or "" if hunks else ""


def _mark_lines(
    one: Sequence[str], other: Sequence[str]
) -> tuple[dict[int, Marks], dict[int, Marks]]:
    """Mark the words in which lines differ, by the number of the line on its side."""
    gone: dict[int, Marks] = {}
    come: dict[int, Marks] = {}
    if len(one) + len(other) <= _MOST_LINES:
        for first, last, start, end in find_differences(one, other):
            for i, marks, j, others in mark_changed_words(one[first:last], other[start:end]):
                gone[first + i], come[start + j] = marks, others
    return gone, come


def _join_lines(lines: Sequence[str], marks: dict[int, Marks]) -> str:
    return "\n".join(
        mark_ranges(escape_html(line), marks.get(number, ())) for number, line in enumerate(lines)
    )


_TextLine = list[tuple[int, int]]
"""Where the text of a line stands in some HTML, stretch by stretch between its tags."""


def _find_text_lines(html: str) -> list[_TextLine]:
    """Find the lines of text in some HTML: what stands between tags that end a line."""
    lines: list[_TextLine] = [[]]
    at = 0
    for tag in _TAG.finditer(html):
        _add_text(html, at, tag.start(), lines)
        at = tag.end()
        if tag[2] not in _INSIDE_LINES and lines[-1]:
            lines.append([])
    _add_text(html, at, len(html), lines)
    return [line for line in lines if line]


def _add_text(html: str, start: int, end: int, lines: list[_TextLine]) -> None:
    """Add a text without tags to the last line; each line break in it begins another."""
    while start < end:
        stop = html.find("\n", start, end)
        stop = end if stop < 0 else stop
        if start < stop:
            lines[-1].append((start, stop))
        if stop < end and lines[-1]:
            lines.append([])
        start = stop + 1


def _read_line(html: str, line: _TextLine) -> str:
    return unescape("".join(html[start:end] for start, end in line))


def _mark_pieces(html: str, lines: Sequence[_TextLine], marks: dict[int, Marks]) -> str:
    """Mark stretches of lines; a mark never reaches over a tag."""
    out: list[str] = []
    written = 0
    for number in sorted(marks):
        for start, end in _place_marks(lines[number], marks[number]):
            out += [html[written:start], "<mark>", html[start:end], "</mark>"]
            written = end
    out.append(html[written:])
    return "".join(out)


def _place_marks(line: _TextLine, marks: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the places in the HTML of what is marked in the text of a line."""
    for first, last in marks:
        before = 0
        for start, end in line:
            left, right = max(first - before, 0), min(last - before, end - start)
            if left < right:
                yield start + left, start + right
            before += end - start
