"""Tables without a grid, as wide as they need to be and no wider than the terminal.

When there is too little room, columns that may be cut are cut to their least, then columns
leave in the order they were given for it; the title goes last. A pipe gets everything.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.looks.clean import one_line
from bough.looks.fitting import fit, width
from bough.looks.style import Role, Styles

_BETWEEN: Final = 2
_GAP: Final = " " * _BETWEEN


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


class _Set(Struct, frozen=True, gc=False):
    """A cell ready to be set: clean, and measured once."""

    text: str
    columns: int
    role: Role
    note: str = ""
    note_columns: int = 0


def draw_table(
    columns: Sequence[Column], rows: Sequence[Row], styles: Styles, columns_of_screen: int | None
) -> list[str]:
    """Draw a table: one quiet line of titles, then the rows."""
    known: dict[Cell | str, _Set] = {}
    # Nothing stands behind the last column, so where nothing is cut its width is nobody's matter.
    free = columns_of_screen is None and bool(columns) and not columns[-1].right
    cells = [_measured_row(row, known, free=free) for row in rows]
    titles = [_measured(Cell(column.title, Role.HEADER), known) for column in columns]
    natural = [
        max([cell.columns + cell.note_columns for cell in column_cells])
        for column_cells in zip(titles, *cells, strict=True)
    ]
    shown = _shown(columns, natural, columns_of_screen)
    lines = [titles, *cells] if any(column.title for column in columns) else cells
    places = [(at, wide, columns[at]) for at, wide in shown.items()]
    return [_line(places, line, styles) for line in lines]


def _measured_row(row: Row, known: dict[Cell | str, _Set], *, free: bool) -> list[_Set]:
    if not free:
        return [known.get(cell) or _measured(cell, known) for cell in row]
    cells = [known.get(cell) or _measured(cell, known) for cell in row[:-1]]
    last = row[-1]
    cell = Cell(last) if isinstance(last, str) else last
    cells.append(_Set(one_line(cell.text), 0, cell.role, one_line(cell.note)))
    return cells


def _measured(cell: Cell | str, known: dict[Cell | str, _Set]) -> _Set:
    """Clean and measure a cell; most of a table's cells say what others say."""
    if isinstance(cell, str):
        text = one_line(cell)
        made = _Set(text, width(text), Role.CLAUDE)
    else:
        text, note = one_line(cell.text), one_line(cell.note) if cell.note else ""
        made = _Set(text, width(text), cell.role, note, _BETWEEN + width(note) if note else 0)
    known[cell] = made
    return made


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


def _line(places: Sequence[tuple[int, int, Column]], row: list[_Set], styles: Styles) -> str:
    parts = [_placed(row[at], columns_wide, column, styles) for at, columns_wide, column in places]
    return _GAP.join(parts).rstrip(" ")


def _placed(cell: _Set, wide: int, column: Column, styles: Styles) -> str:
    """Set a cell into its column."""
    room = wide - cell.note_columns
    if cell.note and room >= min(cell.columns, column.least or 0):
        text, blank = _fitted(cell, room, styles)
        return styles.paint(cell.role, text) + styles.paint(Role.META, _GAP + cell.note) + blank
    text, blank = _fitted(cell, wide, styles)
    text = styles.paint(cell.role, text)
    return blank + text if column.right else text + blank


def _fitted(cell: _Set, wide: int, styles: Styles) -> tuple[str, str]:
    """Cut a text to its column; give it with the blanks that fill the rest."""
    if cell.columns <= wide:
        return cell.text, " " * (wide - cell.columns)
    text = fit(cell.text, wide, styles.glyphs.ellipsis)
    return text, " " * (wide - width(text))
