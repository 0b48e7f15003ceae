"""Tables of `bough stats` on a terminal: each value is written as its unit says.

A report gives lines for stdout and sentences for stderr, which say what the numbers are.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from bough.model.text.formats import (
    MISSING,
    base_name_of,
    format_count,
    format_duration,
    format_size,
    format_tokens,
)
from bough.query.stats.report_table import ColumnUnit, TabularReport, table_of
from bough.terminal.canvas import Canvas
from bough.terminal.charts import draw_bar
from bough.terminal.style import Role, StyledLine
from bough.terminal.table import Cell, Column, TableRow, draw_table

_BAR: Final = 8
_AT_LEFT: Final = frozenset(
    {
        ColumnUnit.TEXT,
        ColumnUnit.TOOL,
        ColumnUnit.AGENT,
        ColumnUnit.COMPACTION,
        ColumnUnit.PATH,
        ColumnUnit.BAR,
    }
)


class RenderedReport(Struct, frozen=True):
    """What a report looks like: its lines, and what is to be said about them."""

    lines: list[StyledLine]
    talk: list[str]


def show_table(report: TabularReport, canvas: Canvas) -> RenderedReport:
    """Show a report that is a table."""
    table = table_of(report)
    columns = [
        Column(one.title, right=one.unit not in _AT_LEFT, leaves=one.leaves, least=one.least)
        for one in table.columns
    ]
    units = [column.unit for column in table.columns]
    largest = [
        max((row[at] for row in table.rows), default=0) if unit is ColumnUnit.BAR else 0
        for at, unit in enumerate(units)
    ]
    rows: list[TableRow] = [
        [
            _make_cell(value, unit, most, canvas)
            for value, unit, most in zip(row, units, largest, strict=True)
        ]
        for row in table.rows
    ]
    return RenderedReport(render_table(columns, rows, canvas), list(table.notes))


def _make_cell(value: Any, unit: ColumnUnit, largest: int, canvas: Canvas) -> Cell | str:
    match unit:
        case ColumnUnit.BAR:
            drawn = draw_bar(value, largest, _BAR, unicode=not canvas.glyphs.is_ascii)
            return Cell(drawn, Role.ACTIVE)
        case ColumnUnit.TIME:
            return canvas.time(value)
        case ColumnUnit.PATH:
            return _render_path(value, canvas)
        case _:
            return _CELLS[unit](value)


def _render_path(path: str, canvas: Canvas) -> Cell:
    """Write a path whole, or for a narrow place the file and the folder it is in."""
    if canvas.columns is None:
        return Cell(path)
    name = base_name_of(path)
    folder = path.removesuffix(name).rstrip("/\\")
    return Cell(name, note=base_name_of(folder) if folder else "")


def render_table(
    columns: Sequence[Column], rows: Sequence[TableRow], canvas: Canvas
) -> list[StyledLine]:
    """Draw a table, or nothing where there is nothing to show."""
    return draw_table(columns, rows, canvas.glyphs, canvas.columns) if rows else []


def _render_failures(number: int) -> Cell:
    """Write a count of what went wrong, set off where there is any."""
    return Cell(format_count_cell(number), Role.ERROR if number else Role.META)


def format_count_cell(number: int) -> str:
    """Write a count; nothing is a dash."""
    return format_count(number) if number else MISSING


def _format_tokens_cell(number: int | None) -> str:
    """Write tokens that may be unknown."""
    return MISSING if number is None else format_tokens(number)


def _format_milliseconds(number: float | None) -> str:
    """Write a duration that is kept in milliseconds."""
    return format_duration(None if number is None else number / 1000)


_CELLS: Final[dict[ColumnUnit, Callable[[Any], Cell | str]]] = {
    ColumnUnit.TEXT: str,
    ColumnUnit.TOOL: lambda name: Cell(name, Role.TOOL),
    ColumnUnit.AGENT: lambda name: Cell(name, Role.AGENT),
    ColumnUnit.COMPACTION: lambda name: Cell(name, Role.COMPACTION),
    ColumnUnit.COUNT: format_count,
    ColumnUnit.RARE_COUNT: format_count_cell,
    ColumnUnit.FAILURES: _render_failures,
    ColumnUnit.MILLISECONDS: _format_milliseconds,
    ColumnUnit.TOKENS: _format_tokens_cell,
    ColumnUnit.BYTES: format_size,
}
