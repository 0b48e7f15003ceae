"""Tables without a grid, as wide as they need to be and no wider than the terminal.

When there is too little room, columns that may be cut are cut to their least, then columns
leave in the order they were given for it; the title goes last. A pipe gets every column, and
each text up to a width that no honest name has: all rows are as wide as the widest.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from bough.terminal.style import Glyphs, Role, Span, StyledLine, strip_line
from bough.terminal.text import fit, one_line, width

_BETWEEN: Final = 2
_GAP: Final = " " * _BETWEEN
_WIDEST_IN_PIPE: Final = 300
_WIDEST_LAST: Final = 1_000
"""What the last column may have in a pipe: it makes no other row wider."""


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


TableRow = Sequence[Cell | str]
_SetCell = tuple[str, StyledLine, str]
"""A cell in its column: the blanks before it, its pieces, the blanks after it."""


class _MeasuredCell(Struct, frozen=True, gc=False):
    """A cell ready to be set: clean, and measured once."""

    text: str
    columns: int
    role: Role
    note: str = ""
    note_columns: int = 0


def draw_table(
    columns: Sequence[Column],
    rows: Sequence[TableRow],
    glyphs: Glyphs,
    columns_of_screen: int | None,
    *,
    whole: bool = False,
) -> list[StyledLine]:
    """Draw a table: one quiet line of titles, then the rows; `whole` cuts nothing in a pipe."""
    is_cut = columns_of_screen is None and not whole
    titled = any(column.title for column in columns)
    measured: list[list[_MeasuredCell]] = []
    for at, column in enumerate(columns):
        cells = [row[at] for row in rows]
        # Nothing stands behind the last column, so where nothing is cut its width is nobody's
        # matter.
        free = columns_of_screen is None and at == len(columns) - 1 and not column.right
        title = _measure_cells([Cell(column.title, Role.HEADER)]) if titled else []
        measured.append(
            title
            + (
                _clean_cells(cells, _WIDEST_LAST if is_cut else None, glyphs)
                if free
                else _measure_cells(cells)
            )
        )
    natural = [
        max([cell.columns + cell.note_columns for cell in cells], default=0) for cells in measured
    ]
    if is_cut:
        natural = [
            wide if column.right else min(wide, _WIDEST_IN_PIPE)
            for wide, column in zip(natural, columns, strict=True)
        ]
    shown = _choose_widths(columns, natural, columns_of_screen)
    parts = [_render_column(measured[at], wide, columns[at], glyphs) for at, wide in shown.items()]
    return [_join_cells(line) for line in zip(*parts, strict=True)]


def _measure_cells(cells: Iterable[Cell | str]) -> list[_MeasuredCell]:
    found: list[_MeasuredCell] = []
    for cell in cells:
        if isinstance(cell, str):
            text = one_line(cell)
            found.append(_MeasuredCell(text, width(text), Role.CLAUDE))
            continue
        text = one_line(cell.text)
        if not cell.note:
            found.append(_MeasuredCell(text, width(text), cell.role))
            continue
        note = one_line(cell.note)
        found.append(_MeasuredCell(text, width(text), cell.role, note, _BETWEEN + width(note)))
    return found


def _clean_cells(
    cells: Iterable[Cell | str], longest: int | None, glyphs: Glyphs
) -> list[_MeasuredCell]:
    """Clean the cells of a column behind which nothing stands: how wide it is matters little."""
    found: list[_MeasuredCell] = []
    for given in cells:
        cell = Cell(given) if isinstance(given, str) else given
        text = one_line(cell.text)
        # Few texts have so many characters, and only they need to be measured.
        if longest is not None and len(text) > longest // 2:
            text = fit(text, longest, glyphs.ellipsis)
        found.append(_MeasuredCell(text, 0, cell.role, one_line(cell.note)))
    return found


def _choose_widths(
    columns: Sequence[Column], natural: list[int], room: int | None
) -> dict[int, int]:
    """Choose the columns that are shown, and how wide."""
    widths = dict(enumerate(natural))
    if room is None:
        return widths
    leaving = sorted((at for at in widths if columns[at].leaves), key=lambda at: columns[at].leaves)
    while (cut := _cut_widths(columns, widths, room)) is None and leaving:
        del widths[leaving.pop(0)]
    return cut or _cut_widths(columns, widths, room, at_any_cost=True) or widths


def _cut_widths(
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


def _render_column(
    cells: Sequence[_MeasuredCell], wide: int, column: Column, glyphs: Glyphs
) -> list[str | _SetCell]:
    """Set the cells of a column: as text where they have no role of their own."""
    right = column.right
    found: list[str | _SetCell] = []
    for cell in cells:
        if cell.note or cell.columns > wide:
            found.append(_render_cell(cell, wide, column, glyphs))
            continue
        # Nearly every cell is its text and blanks.
        text, blank = cell.text, " " * (wide - cell.columns)
        if cell.role is Role.CLAUDE or not text:
            found.append(blank + text if right else text + blank)
        else:
            span = ((cell.role, text),)
            found.append((blank, span, "") if right else ("", span, blank))
    return found


def _render_cell(cell: _MeasuredCell, wide: int, column: Column, glyphs: Glyphs) -> _SetCell:
    """Cut a cell into its column, or set it with its note."""
    room = wide - cell.note_columns
    if cell.note and room >= min(cell.columns, column.least or 0):
        text, blank = _fit_cell(cell, room, glyphs)
        return "", ((cell.role, text), (Role.META, _GAP + cell.note)), blank
    text, blank = _fit_cell(cell, wide, glyphs)
    span = ((cell.role, text),) if text else ()
    return (blank, span, "") if column.right else ("", span, blank)


def _join_cells(cells: Iterable[str | _SetCell]) -> StyledLine:
    """Join the cells of a row; blanks and texts that follow one another are one piece."""
    spans: list[Span] = []
    plain, gap = "", ""
    for cell in cells:
        if isinstance(cell, str):
            plain += gap + cell
        else:
            before, own, after = cell
            plain += gap + before
            if plain:
                spans.append((Role.CLAUDE, plain))
            spans += own
            plain = after
        gap = _GAP
    plain = plain.rstrip(" ")
    if not plain:
        return strip_line(spans)
    spans.append((Role.CLAUDE, plain))
    return tuple(spans)


def _fit_cell(cell: _MeasuredCell, wide: int, glyphs: Glyphs) -> tuple[str, str]:
    """Cut a text to its column; give it with the blanks that fill the rest."""
    if cell.columns <= wide:
        return cell.text, " " * (wide - cell.columns)
    text = fit(cell.text, wide, glyphs.ellipsis)
    return text, " " * (wide - width(text))
