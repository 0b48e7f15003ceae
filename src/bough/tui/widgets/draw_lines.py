"""Lines put on the screen: roles become colours, the cursor and what was found are set off."""

import re

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from bough.terminal.style import StyledLine, text_of
from bough.terminal.text import make_harmless
from bough.tui.style.style import ThemeStyles


class DrawOptions(Struct, frozen=True):
    """How a line is drawn: the theme, the ground, whether the cursor is on it, what is sought."""

    theme_styles: ThemeStyles
    base: Style
    is_current: bool = False
    focused: bool = True
    needle: str = ""


def compile_pattern(needle: str) -> re.Pattern[str]:
    """Make the pattern of words that are looked for, whatever their case."""
    return re.compile(re.escape(needle), re.IGNORECASE)


def draw_strip(line: StyledLine, columns: int, looks: DrawOptions) -> Strip:
    """Draw a line: a mark for the cursor, the pieces, and the ground to the end."""
    line = tuple((role, make_harmless(text)) for role, text in line)
    base = looks.base + (looks.theme_styles.cursor if looks.is_current else Style())
    glyphs = looks.theme_styles.glyphs
    mark = " " if not looks.is_current else glyphs.cursor if looks.focused else glyphs.pointer
    segments = [Segment(mark, base)]
    marks = _find_matches(line, looks.needle)
    at = 0
    for role, text in line:
        style = base + looks.theme_styles.style(role)
        segments += _split_at_matches(text, at, marks, style, base + looks.theme_styles.match)
        at += len(text)
    return Strip(segments).adjust_cell_length(columns, base)


def _find_matches(line: StyledLine, needle: str) -> list[tuple[int, int]]:
    if not needle:
        return []
    return [found.span() for found in compile_pattern(needle).finditer(text_of(line))]


def _split_at_matches(
    text: str, start: int, marks: list[tuple[int, int]], style: Style, match: Style
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
