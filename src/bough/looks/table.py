"""Tables without a grid, as wide as they need to be and no wider than the terminal.

When there is too little room, columns that may be cut are cut to their least, then columns
leave in the order they were given for it; the title goes last. A pipe gets everything.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.looks.clean import one_line
from bough.looks.fitting import fit, width
from bough.looks.style import Role, Span, Styles

_BETWEEN: Final = 2


class Column(Struct, frozen=True):
    """A column; `leaves` is its turn to go when there is no room, 0 for never."""

    title: str = ""
    right: bool = False
    leaves: int = 0
    least: int | None = None
    """The narrowest it may be cut to while others can still leave; None: it is not cut."""


class Cell(Struct, frozen=True):
    """A text with its role, and a quiet note after it that gives way before the text does."""

    text: str
    role: Role = Role.CLAUDE
    note: str = ""


Row = Sequence[Cell | str]


def draw_table(
    columns: Sequence[Column], rows: Sequence[Row], styles: Styles, columns_of_screen: int | None
) -> list[str]:
    """Draw a table: one quiet line of titles, then the rows."""
    cells = [[_cleaned(cell) for cell in row] for row in rows]
    titles = [Cell(column.title, Role.HEADER) for column in columns]
    natural = [
        max(map(_width, column_cells), default=0)
        for column_cells in zip(titles, *cells, strict=True)
    ]
    shown = _shown(columns, natural, columns_of_screen)
    lines = [titles, *cells] if any(column.title for column in columns) else cells
    return [_line(columns, shown, line, styles) for line in lines]


def _cleaned(cell: Cell | str) -> Cell:
    if isinstance(cell, str):
        return Cell(one_line(cell))
    return Cell(one_line(cell.text), cell.role, one_line(cell.note))


def _width(cell: Cell) -> int:
    return width(cell.text) + (_BETWEEN + width(cell.note) if cell.note else 0)


def _shown(columns: Sequence[Column], natural: list[int], room: int | None) -> dict[int, int]:
    """Choose the columns that are shown, and how wide."""
    widths = dict(enumerate(natural))
    if room is None:
        return widths
    leaving = sorted((at for at in widths if columns[at].leaves), key=lambda at: columns[at].leaves)
    while (cut := _cut(columns, widths, room)) is None and leaving:
        del widths[leaving.pop(0)]
    return cut or _cut(columns, widths, room, at_any_cost=True) or widths


def _cut(
    columns: Sequence[Column], widths: dict[int, int], room: int, *, at_any_cost: bool = False
) -> dict[int, int] | None:
    """Cut columns from the last to the first until all fit; None when they do not."""
    over = sum(widths.values()) + _BETWEEN * (len(widths) - 1) - room
    cut = dict(widths)
    for at in reversed(widths):
        least = columns[at].least
        if over > 0 and least is not None:
            gain = min(over, max(0, cut[at] - (1 if at_any_cost else least)))
            cut[at] -= gain
            over -= gain
    return cut if over <= 0 or at_any_cost else None


def _line(columns: Sequence[Column], shown: dict[int, int], row: list[Cell], styles: Styles) -> str:
    spans: list[Span] = []
    for at, columns_wide in shown.items():
        if spans:
            spans.append((Role.CLAUDE, " " * _BETWEEN))
        spans += _spans(row[at], columns_wide, columns[at], styles)
    return styles.line(spans)


def _spans(cell: Cell, wide: int, column: Column, styles: Styles) -> list[Span]:
    """Set a cell into its column."""
    ellipsis = styles.glyphs.ellipsis
    note_width = width(cell.note) + _BETWEEN
    if cell.note and wide - note_width >= min(width(cell.text), column.least or 0):
        text = fit(cell.text, wide - note_width, ellipsis)
        blank = " " * (wide - width(text) - note_width)
        return [
            (cell.role, text),
            (Role.META, " " * _BETWEEN + cell.note),
            (Role.CLAUDE, blank),
        ]
    text = fit(cell.text, wide, ellipsis)
    blank = " " * (wide - width(text))
    spans = [(cell.role, text), (Role.CLAUDE, blank)]
    return spans[::-1] if column.right else spans
