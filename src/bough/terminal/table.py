"""Tables without a grid, as wide as they need to be and no wider than the terminal.

When there is too little room, columns that may be cut are cut to their least, then columns
leave in the order they were given for it; the title goes last. A pipe gets every column, and
each text up to a width that no honest name has: all rows are as wide as the widest.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.terminal.style import Glyphs, Role, Span, StyledLine, strip_line
from bough.terminal.text import clean_lines, fit, measure_lines, one_line, width

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
    role: Role = Role.CLAUDE
    """That of its cells which are nothing but text."""


class Cell(Struct, frozen=True, gc=False):
    """A text with its role, and a quiet note after it that gives way before the text does."""

    text: str
    role: Role = Role.CLAUDE
    note: str = ""


_NO_NOTE: Final = ("", 0)
TableRow = Sequence[Cell | str]
_SetCell = tuple[str, StyledLine, str]
"""A cell in its column: the blanks before it, its pieces, the blanks after it."""


class _MeasuredCell(Struct, frozen=True, gc=False):
    """A cell that is cut or has a note."""

    text: str
    columns: int
    role: Role
    note: str = ""
    note_columns: int = 0


class _MeasuredColumn(Struct, frozen=True):
    """The cells of a column ready to be set: clean, and measured once.

    `roles` is None where every cell has that of plain text. `notes` are few, by row, each with the
    columns it takes.
    """

    texts: list[str]
    widths: list[int]
    roles: list[Role] | None
    notes: dict[int, tuple[str, int]]

    @property
    def natural(self) -> int:
        """Count the columns of the widest cell."""
        with_notes = [self.widths[row] + columns for row, (_, columns) in self.notes.items()]
        return max([*self.widths, *with_notes], default=0)


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
    titles: list[_MeasuredColumn] = []
    measured: list[_MeasuredColumn] = []
    for at, column in enumerate(columns):
        # Nothing stands behind the last column, so where nothing is cut its width is nobody's
        # matter.
        is_free = columns_of_screen is None and at == len(columns) - 1 and not column.right
        cells = [row[at] for row in rows]
        found = _measure_column(cells, column.role, is_free=is_free)
        measured.append(_shorten_texts(found, glyphs) if is_free and is_cut else found)
        titles.append(_measure_column([Cell(column.title, Role.HEADER)], Role.HEADER))
    natural = [
        max(title.natural, column.natural) for title, column in zip(titles, measured, strict=True)
    ]
    if is_cut:
        natural = [
            wide if column.right else min(wide, _WIDEST_IN_PIPE)
            for wide, column in zip(natural, columns, strict=True)
        ]
    shown = _choose_widths(columns, natural, columns_of_screen)
    lines: list[StyledLine] = []
    if any(column.title for column in columns):
        lines += _draw_lines(titles, columns, shown, glyphs)
    return lines + _draw_lines(measured, columns, shown, glyphs)


def _measure_column(
    cells: Sequence[Cell | str], role: Role, *, is_free: bool = False
) -> _MeasuredColumn:
    """Clean the cells of a column and measure them; a free one takes what it takes."""
    notes: dict[int, tuple[str, int]] = {}
    roles: list[Role] | None = None
    texts = [cell for cell in cells if isinstance(cell, str)]
    if len(texts) < len(cells):
        texts = [cell if isinstance(cell, str) else cell.text for cell in cells]
        roles = [role if isinstance(cell, str) else cell.role for cell in cells]
        for row, cell in enumerate(cells):
            if not isinstance(cell, str) and cell.note:
                note = one_line(cell.note)
                notes[row] = (note, 0 if is_free else _BETWEEN + width(note))
    elif role is not Role.CLAUDE:
        roles = [role] * len(texts)
    texts = clean_lines(texts)
    widths = [0] * len(texts) if is_free else measure_lines(texts)
    return _MeasuredColumn(texts, widths, roles, notes)


def _shorten_texts(column: _MeasuredColumn, glyphs: Glyphs) -> _MeasuredColumn:
    """Cut what no honest text is as long as."""
    texts = [
        # Few texts have so many characters, and only they need to be measured.
        fit(text, _WIDEST_LAST, glyphs.ellipsis) if len(text) > _WIDEST_LAST // 2 else text
        for text in column.texts
    ]
    return replace(column, texts=texts)


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


def _draw_lines(
    measured: Sequence[_MeasuredColumn],
    columns: Sequence[Column],
    shown: Mapping[int, int],
    glyphs: Glyphs,
) -> list[StyledLine]:
    """Set the columns that are shown side by side."""
    parts: list[Sequence[str | _SetCell]] = []
    plain: list[list[str]] = []
    for at, wide in shown.items():
        column = measured[at]
        if column.roles is None and column.natural <= wide:
            plain.append(_render_plain_column(column, wide, is_right=columns[at].right))
            continue
        if plain:
            parts.append(list(map(_GAP.join, zip(*plain, strict=True))))
            plain = []
        parts.append(_render_column(column, wide, columns[at], glyphs))
    if plain:
        parts.append(list(map(_GAP.join, zip(*plain, strict=True))))
    return [_join_cells(line) for line in zip(*parts, strict=True)]


def _render_plain_column(column: _MeasuredColumn, wide: int, *, is_right: bool) -> list[str]:
    """Set the cells of a column as text: none has a role of its own, and all fit."""
    cells = zip(column.texts, column.widths, strict=True)
    if is_right:
        return [" " * (wide - columns) + text for text, columns in cells]
    return [text + " " * (wide - columns) for text, columns in cells]


def _render_column(
    cells: _MeasuredColumn, wide: int, column: Column, glyphs: Glyphs
) -> list[str | _SetCell]:
    """Set the cells of a column: as text where they have no role of their own."""
    right = column.right
    notes = cells.notes
    roles = cells.roles or [Role.CLAUDE] * len(cells.texts)
    found: list[str | _SetCell] = []
    for text, columns, role in zip(cells.texts, cells.widths, roles, strict=True):
        note, note_columns = notes.get(len(found), _NO_NOTE) if notes else _NO_NOTE
        if note or columns > wide:
            cell = _MeasuredCell(text, columns, role, note, note_columns)
            found.append(_render_cell(cell, wide, column, glyphs))
            continue
        # Nearly every cell is its text and blanks.
        blank = " " * (wide - columns)
        if role is Role.CLAUDE or not text:
            found.append(blank + text if right else text + blank)
        else:
            span = ((role, text),)
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
