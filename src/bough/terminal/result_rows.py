"""Rows whose columns nobody knows beforehand, as a table, as CSV or as JSON.

What goes into a pipe is streamed, row by row: an answer may be larger than memory.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from bough.model.text.formats import MISSING
from bough.terminal.style import Glyphs, Role, StyledLine
from bough.terminal.table import Cell, Column, draw_table
from bough.terminal.text import clean

_LEAST: Final = 8
_BETWEEN: Final = 2
_LINE_END: Final = "\r\n"
_LONGEST: Final = 2_000
"""No terminal shows more of one value, and cleaning megabytes of it takes time."""

Values = Sequence[object]


def render_rows(
    columns: Sequence[str], rows: Sequence[Values], glyphs: Glyphs, width: int | None
) -> list[StyledLine]:
    """Draw a table; numbers stand right, and in a pipe nothing is cut.

    Where there are more columns than fit, each row is written down the page instead.
    """
    if width is not None and len(columns) * (_LEAST + _BETWEEN) > width and len(columns) > 1:
        return _render_vertically(columns, rows, glyphs, width)
    numeric = [_is_numeric(rows, at) for at in range(len(columns))]
    drawn = [
        Column(name, right=right, least=None if right else _LEAST)
        for name, right in zip(columns, numeric, strict=True)
    ]
    longest = None if width is None else _LONGEST
    cells = [[_make_cell(value, longest) for value in row] for row in rows]
    return draw_table(drawn, cells, glyphs, width, whole=True)


def format_csv(
    columns: Sequence[str], rows: Iterable[Values], *, clean_up: bool = False
) -> Iterator[str]:
    """Write comma-separated values; for a terminal, without what could act on it."""
    buffer = io.StringIO()
    # Only what may end a line is quoted for it: both signs must be named.
    writer = csv.writer(buffer, lineterminator=_LINE_END)
    for row in _prepend_titles(columns, rows):
        buffer.seek(0)
        buffer.truncate()
        writer.writerow(["" if value is None else _format_value(value) for value in row])
        line = buffer.getvalue().removesuffix(_LINE_END)
        yield clean(line) if clean_up else line


def stream_json(columns: Sequence[str], rows: Iterable[Values]) -> Iterator[bytes]:
    """Write an array of objects, one row at a time."""
    names = make_names_unique(columns)
    lead = b"["
    for row in rows:
        yield lead + msgspec.json.encode(object_of(names, row))
        lead = b",\n"
    yield b"]\n" if lead == b",\n" else b"[]\n"


def object_of(names: Sequence[str], row: Values) -> dict[str, object]:
    """Put a row into an object."""
    return {
        name: _format_value(value) if isinstance(value, bytes) else value
        for name, value in zip(names, row, strict=True)
    }


def make_names_unique(columns: Sequence[str]) -> list[str]:
    """Give columns of one name a number, since an object has each name once."""
    names: dict[str, None] = {}
    for column in columns:
        name, number = column, 2
        while name in names:
            name, number = f"{column}_{number}", number + 1
        names[name] = None
    return list(names)


def _render_vertically(
    columns: Sequence[str], rows: Sequence[Values], glyphs: Glyphs, width: int
) -> list[StyledLine]:
    lines: list[StyledLine] = []
    for row in rows:
        cells = [
            (Cell(name, Role.HEADER), _make_cell(value, _LONGEST))
            for name, value in zip(columns, row, strict=True)
        ]
        drawn = draw_table((Column(), Column(least=_LEAST)), cells, glyphs, width)
        lines += [*drawn, ()]
    return lines[:-1]


def _prepend_titles(columns: Sequence[str], rows: Iterable[Values]) -> Iterator[Values]:
    yield columns
    yield from rows


def _is_numeric(rows: Sequence[Values], at: int) -> bool:
    values = [row[at] for row in rows if row[at] is not None]
    return bool(values) and all(isinstance(value, int | float) for value in values)


def _make_cell(value: object, longest: int | None) -> Cell:
    if value is None:
        return Cell(MISSING, Role.META)
    return Cell(_format_value(value)[:longest])


def _format_value(value: object) -> str:
    """Write a value as SQL would, so that it can be put into the next question."""
    return f"x'{value.hex()}'" if isinstance(value, bytes) else str(value)
