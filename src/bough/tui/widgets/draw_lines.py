"""Lines put on the screen: roles become colours, the cursor and what was found are set off."""

import re
from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from bough.terminal.style import StyledLine, text_of
from bough.terminal.text import make_harmless
from bough.tui.style.style import ThemeStyles
from bough.tui.widgets.selection import count_rail_columns

Mark = tuple[int, int]
"""Where something that was found begins and ends in a line."""


class DrawOptions(Struct, frozen=True):
    """How a line is drawn: the theme, the ground, whether the cursor is on it, what was found."""

    theme_styles: ThemeStyles
    base: Style
    is_current: bool = False
    focused: bool = True
    marks: Sequence[Mark] = ()


def find_marks(lines: Sequence[StyledLine], needle: str) -> list[list[Mark]]:
    """Find words in the lines of an item, whatever their case, also where they go on below."""
    marks: list[list[Mark]] = [[] for _ in lines]
    words = needle.split()
    if not words:
        return marks
    texts = [text_of(_make_line_harmless(line)) for line in lines]
    leads = [_measure_lead(line, text) for line, text in zip(lines, texts, strict=True)]
    parts = [text[lead:].rstrip(" ") for lead, text in zip(leads, texts, strict=True)]
    starts = [0, *accumulate(len(part) + 1 for part in parts)]
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    number = 0
    for found in pattern.finditer("\n".join(parts)):
        while starts[number + 1] <= found.start():
            number += 1
        for at in range(number, len(parts)):
            if starts[at] >= found.end():
                break
            begin = max(0, found.start() - starts[at])
            end = min(len(parts[at]), found.end() - starts[at])
            if begin < end:
                marks[at].append((begin + leads[at], end + leads[at]))
    return marks


def _measure_lead(line: StyledLine, text: str) -> int:
    """Measure what stands before the words of a line: the stem, and blanks."""
    rail = count_rail_columns(line)
    return len(text) - len(text[rail:].lstrip(" "))


def _make_line_harmless(line: StyledLine) -> StyledLine:
    return tuple((role, make_harmless(text)) for role, text in line)


def draw_strip(line: StyledLine, columns: int, looks: DrawOptions) -> Strip:
    """Draw a line: a mark for the cursor, the pieces, and the ground to the end."""
    line = _make_line_harmless(line)
    base = looks.base + (looks.theme_styles.cursor if looks.is_current else Style())
    glyphs = looks.theme_styles.glyphs
    mark = " " if not looks.is_current else glyphs.cursor if looks.focused else glyphs.pointer
    segments = [Segment(mark, base)]
    at = 0
    for role, text in line:
        style = base + looks.theme_styles.style(role)
        segments += _split_at_matches(text, at, looks.marks, style, base + looks.theme_styles.match)
        at += len(text)
    return Strip(segments).adjust_cell_length(columns, base)


def _split_at_matches(
    text: str, start: int, marks: Sequence[Mark], style: Style, match: Style
) -> list[Segment]:
    """Cut a text where something that was found begins and ends."""
    if not marks:
        return [Segment(text, style)]
    pieces: list[Segment] = []
    place = 0
    for first, last in marks:
        begin, end = max(0, first - start), min(len(text), last - start)
        if begin >= end:
            continue
        if begin > place:
            pieces.append(Segment(text[place:begin], style))
        pieces.append(Segment(text[begin:end], match))
        place = end
    if place < len(text):
        pieces.append(Segment(text[place:], style))
    return pieces
