"""Reports of `bough stats` as tables: what happened, without the clock and the calendar.

Each gives lines for stdout and sentences for stderr, which say what the numbers are.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.model.text.formats import (
    MISSING,
    base_name_of,
    format_count,
    format_duration,
    format_plural,
    format_size,
    format_tokens,
)
from bough.query.stats.agents import AgentReport
from bough.query.stats.compactions import CompactionReport
from bough.query.stats.files import FileReport
from bough.query.stats.hooks import HookReport
from bough.query.stats.models import ModelReport
from bough.query.stats.tools import ToolReport
from bough.terminal.canvas import Canvas
from bough.terminal.charts import draw_bar
from bough.terminal.style import ASCII, Role, StyledLine
from bough.terminal.table import Cell, Column, TableRow, draw_table

_BAR: Final = 8
_LEAST: Final = 12
_NAME: Final = 24


class RenderedReport(Struct, frozen=True):
    """What a report looks like: its lines, and what is to be said about them."""

    lines: list[StyledLine]
    talk: list[str]


def show_tools(report: ToolReport, canvas: Canvas) -> RenderedReport:
    """Show tools, with a bar for how often each was called."""
    columns = (
        Column("TOOL", least=18),
        Column("CALLS", right=True),
        Column("", leaves=2),
        Column("FAILED", right=True),
        Column("REFUSED", right=True, leaves=5),
        Column("P50", right=True, leaves=4),
        Column("P95", right=True, leaves=6),
        Column("OUTPUT", right=True, leaves=3),
        Column("LAST", right=True, leaves=1),
    )
    largest = max((row.calls for row in report.rows), default=0)
    rows: list[TableRow] = [
        (
            Cell(row.tool, Role.TOOL),
            format_count(row.calls),
            make_bar_cell(row.calls, largest, canvas),
            render_failures(row.failed),
            format_count_cell(row.refused),
            format_milliseconds(row.p50_ms),
            format_milliseconds(row.p95_ms),
            format_size(row.output_bytes),
            canvas.time(row.last),
        )
        for row in report.rows
    ]
    measured = sum(row.measured for row in report.rows)
    estimated = sum(row.estimated for row in report.rows)
    talk = []
    if estimated:
        talk.append(
            "Durations run from call to result, with your time to allow it in them; "
            f"{format_count(measured)} of {format_count(measured + estimated)} "
            "were measured by the client."
        )
    if report.totals.unfinished:
        talk.append(f"{format_plural(report.totals.unfinished, 'call')} got no result.")
    return RenderedReport(render_table(columns, rows, canvas), talk)


def show_hooks(report: HookReport, canvas: Canvas) -> RenderedReport:
    """Show hooks by event and command."""
    columns = (
        Column("EVENT", leaves=4),
        Column("COMMAND", least=_NAME),
        Column("RUNS", right=True),
        Column("FAILED", right=True),
        Column("BLOCKED", right=True),
        Column("P50", right=True, leaves=2),
        Column("P95", right=True, leaves=3),
        Column("LAST", right=True, leaves=1),
    )
    rows: list[TableRow] = [
        (
            row.event or MISSING,
            Cell(row.command, Role.TOOL),
            format_count(row.runs),
            render_failures(row.failed),
            format_count_cell(row.blocked),
            format_milliseconds(row.p50_ms),
            format_milliseconds(row.p95_ms),
            canvas.time(row.last),
        )
        for row in report.rows
    ]
    talk = []
    if report.totals.unknown:
        talk.append(f"How {format_plural(report.totals.unknown, 'run')} ended, no record tells.")
    return RenderedReport(render_table(columns, rows, canvas), talk)


def show_agents(report: AgentReport, canvas: Canvas) -> RenderedReport:
    """Show agents by type."""
    columns = (
        Column("TYPE", least=_LEAST),
        Column("RUNS", right=True),
        Column("FAILED", right=True),
        Column("STEPS", right=True, leaves=4),
        Column("TOKENS", right=True, leaves=2),
        Column("P50", right=True, leaves=5),
        Column("P95", right=True, leaves=3),
        Column("LAST", right=True, leaves=1),
    )
    rows: list[TableRow] = [
        (
            Cell(row.type, Role.AGENT),
            format_count(row.runs),
            render_failures(row.failed),
            format_count_cell(row.steps),
            format_tokens(row.tokens) if row.tokens else MISSING,
            format_milliseconds(row.p50_ms),
            format_milliseconds(row.p95_ms),
            canvas.time(row.last),
        )
        for row in report.rows
    ]
    talk = ["Tokens are those of each agent's last request. What all cost: bough usage agent."]
    return RenderedReport(render_table(columns, rows, canvas), talk if rows else [])


def show_models(report: ModelReport, canvas: Canvas) -> RenderedReport:
    """Show models, with a bar for how often each answered."""
    columns = (
        Column("MODEL", least=_LEAST),
        Column("ANSWERS", right=True),
        Column("", leaves=2),
        Column("BY AGENTS", right=True, leaves=3),
        Column("SESSIONS", right=True, leaves=4),
        Column("LAST", right=True, leaves=1),
    )
    largest = max((row.answers for row in report.rows), default=0)
    rows: list[TableRow] = [
        (
            row.model,
            format_count(row.answers),
            make_bar_cell(row.answers, largest, canvas),
            format_count_cell(row.agent_answers),
            format_count(row.sessions),
            canvas.time(row.last),
        )
        for row in report.rows
    ]
    return RenderedReport(
        render_table(columns, rows, canvas), ["Tokens and cost: bough usage model."] if rows else []
    )


def show_compactions(report: CompactionReport, canvas: Canvas) -> RenderedReport:
    """Show compactions by what set them off."""
    words = {"auto": "automatic", "manual": "by you"}
    columns = (
        Column("TRIGGER"),
        Column("COUNT", right=True),
        Column("TOKENS BEFORE", right=True),
        Column("AFTER", right=True),
        Column("LARGEST", right=True, leaves=2),
        Column("SESSIONS", right=True, leaves=3),
        Column("LAST", right=True, leaves=1),
    )
    rows: list[TableRow] = [
        (
            Cell(words.get(row.trigger, row.trigger), Role.COMPACTION),
            format_count(row.count),
            format_tokens_cell(row.tokens_before),
            format_tokens_cell(row.tokens_after),
            format_tokens_cell(row.largest_before),
            format_count(row.sessions),
            canvas.time(row.last),
        )
        for row in report.rows
    ]
    most = report.totals.most_in_a_session
    talk = [f"Tokens are medians. At most {format_count(most)} in one session."] if rows else []
    return RenderedReport(render_table(columns, rows, canvas), talk)


def show_files(report: FileReport, canvas: Canvas) -> RenderedReport:
    """Show files, those changed most first."""
    columns = (
        Column("READS", right=True),
        Column("EDITS", right=True),
        Column("WRITES", right=True),
        Column("FAILED", right=True, leaves=2),
        Column("SESSIONS", right=True, leaves=3),
        Column("LAST", right=True, leaves=1),
        Column("FILE", least=_LEAST),
    )
    rows: list[TableRow] = [
        (
            format_count_cell(row.reads),
            format_count_cell(row.edits),
            format_count_cell(row.writes),
            render_failures(row.failed),
            format_count(row.sessions),
            canvas.time(row.last),
            _render_path(row.path, canvas),
        )
        for row in report.rows
    ]
    totals = report.totals
    talk = [
        f"{format_plural(totals.files, 'file')}, {format_count(totals.changed)} of them changed."
    ]
    return RenderedReport(render_table(columns, rows, canvas), talk if rows else [])


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


def make_bar_cell(value: int, largest: int, canvas: Canvas) -> Cell:
    """Draw a bar in its column."""
    plain = canvas.glyphs == ASCII
    return Cell(draw_bar(value, largest, _BAR, unicode=not plain), Role.ACTIVE)


def render_failures(number: int) -> Cell:
    """Write a count of what went wrong, set off where there is any."""
    return Cell(format_count_cell(number), Role.ERROR if number else Role.META)


def format_count_cell(number: int) -> str:
    """Write a count; nothing is a dash."""
    return format_count(number) if number else MISSING


def format_tokens_cell(number: int | None) -> str:
    """Write tokens that may be unknown."""
    return MISSING if number is None else format_tokens(number)


def format_milliseconds(number: float | None) -> str:
    """Write a duration that is kept in milliseconds."""
    return format_duration(None if number is None else number / 1000)
