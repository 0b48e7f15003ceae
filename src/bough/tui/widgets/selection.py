"""Words taken with the mouse: from where to where, and what they are.

Places are pieces, lines and columns of the list, not of the screen, so that a selection
stays where it is when the list scrolls under the pointer.
"""

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from bough.terminal.style import ASCII, UNICODE, StyledLine, text_of


class ListPosition(Struct, frozen=True, order=True):
    """A place in a list: the number of the piece, the line of it, the column."""

    piece: int
    line: int
    column: int


class Selection(Struct, frozen=True):
    """From one place to another, whichever comes first."""

    anchor: ListPosition
    end: ListPosition

    def columns(self, piece: int, line: int) -> tuple[int, int | None] | None:
        """Give what of a line is taken, from a column to another; None where nothing is."""
        first, last = min(self.anchor, self.end), max(self.anchor, self.end)
        here = (piece, line)
        if not (first.piece, first.line) <= here <= (last.piece, last.line):
            return None
        start = first.column if here == (first.piece, first.line) else 0
        stop = last.column + 1 if here == (last.piece, last.line) else None
        return start, stop


def draw_selection(strip: Strip, taken: tuple[int, int | None], style: Style) -> Strip:
    """Set off what is taken of a line; the first column is the cursor's."""
    start, stop = taken[0] + 1, strip.cell_length if taken[1] is None else taken[1] + 1
    stop = min(stop, strip.cell_length)
    if start >= stop:
        return strip
    inner = [Segment(text, (own or Style()) + style) for text, own, _ in strip.crop(start, stop)]
    whole = [*strip.crop(0, start), *inner, *strip.crop(stop, strip.cell_length)]
    return Strip(whole, strip.cell_length)


def extract_selected_text(line: StyledLine, taken: tuple[int, int | None]) -> str:
    """Give what is taken of a line, without the stem that it hangs on.

    A wide character is taken with its first column, a mark with the character it stands on.
    """
    start, stop = max(taken[0], count_rail_columns(line)), taken[1]
    found: list[str] = []
    column = 0
    inside = False
    for character in text_of(line):
        columns = cell_len(character)
        if columns:
            inside = column >= start and (stop is None or column < stop)
        if inside:
            found.append(character)
        column += columns
    return "".join(found).rstrip()


def count_rail_columns(line: Sequence[tuple[object, str]]) -> int:
    """Count the columns that the stem takes at the start of a line."""
    columns = 0
    for _, text in line:
        if text not in _RAILS:
            break
        columns += len(text)
    return columns


_RAILS = frozenset(
    stem
    for glyphs in (UNICODE, ASCII)
    for stem in (glyphs.bar, f"{glyphs.bar} ", f"{glyphs.tee}{glyphs.dash}")
)
