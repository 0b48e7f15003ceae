"""Reports of `bough stats` as tables: what happened, without the clock and the calendar.

Each gives lines for stdout and sentences for stderr, which say what the numbers are.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.model.text.formats import MISSING, count, duration, name_of, plural, size, tokens
from bough.query.stats.agents import AgentReport
from bough.query.stats.compactions import CompactionReport
from bough.query.stats.files import FileReport
from bough.query.stats.hooks import HookReport
from bough.query.stats.models import ModelReport
from bough.query.stats.tools import ToolReport
from bough.terminal.canvas import Sheet
from bough.terminal.charts import bar
from bough.terminal.style import ASCII, Role
from bough.terminal.table import Cell, Column, Row, draw_table

_BAR: Final = 8
_LEAST: Final = 12
_NAME: Final = 24


class Shown(Struct, frozen=True):
    """What a report looks like: its lines, and what is to be said about them."""

    lines: list[str]
    talk: list[str]


def show_tools(report: ToolReport, sheet: Sheet) -> Shown:
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
    rows: list[Row] = [
        (
            Cell(row.tool, Role.TOOL),
            count(row.calls),
            drawn_bar(row.calls, largest, sheet),
            bad(row.failed),
            some(row.refused),
            milliseconds(row.p50_ms),
            milliseconds(row.p95_ms),
            size(row.output_bytes),
            sheet.time(row.last),
        )
        for row in report.rows
    ]
    measured = sum(row.measured for row in report.rows)
    estimated = sum(row.estimated for row in report.rows)
    talk = []
    if estimated:
        talk.append(
            "Durations run from call to result, with your time to allow it in them; "
            f"{count(measured)} of {count(measured + estimated)} were measured by the client."
        )
    if report.totals.unfinished:
        talk.append(f"{plural(report.totals.unfinished, 'call')} got no result.")
    return Shown(table(columns, rows, sheet), talk)


def show_hooks(report: HookReport, sheet: Sheet) -> Shown:
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
    rows: list[Row] = [
        (
            row.event or MISSING,
            Cell(row.command, Role.TOOL),
            count(row.runs),
            bad(row.failed),
            some(row.blocked),
            milliseconds(row.p50_ms),
            milliseconds(row.p95_ms),
            sheet.time(row.last),
        )
        for row in report.rows
    ]
    talk = []
    if report.totals.unknown:
        talk.append(f"How {plural(report.totals.unknown, 'run')} ended, no record tells.")
    return Shown(table(columns, rows, sheet), talk)


def show_agents(report: AgentReport, sheet: Sheet) -> Shown:
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
    rows: list[Row] = [
        (
            Cell(row.type, Role.AGENT),
            count(row.runs),
            bad(row.failed),
            some(row.steps),
            tokens(row.tokens) if row.tokens else MISSING,
            milliseconds(row.p50_ms),
            milliseconds(row.p95_ms),
            sheet.time(row.last),
        )
        for row in report.rows
    ]
    talk = ["Tokens are those of each agent's last request. What all cost: bough usage agent."]
    return Shown(table(columns, rows, sheet), talk if rows else [])


def show_models(report: ModelReport, sheet: Sheet) -> Shown:
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
    rows: list[Row] = [
        (
            row.model,
            count(row.answers),
            drawn_bar(row.answers, largest, sheet),
            some(row.agent_answers),
            count(row.sessions),
            sheet.time(row.last),
        )
        for row in report.rows
    ]
    return Shown(
        table(columns, rows, sheet), ["Tokens and cost: bough usage model."] if rows else []
    )


def show_compactions(report: CompactionReport, sheet: Sheet) -> Shown:
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
    rows: list[Row] = [
        (
            Cell(words.get(row.trigger, row.trigger), Role.COMPACTION),
            count(row.count),
            maybe_tokens(row.tokens_before),
            maybe_tokens(row.tokens_after),
            maybe_tokens(row.largest_before),
            count(row.sessions),
            sheet.time(row.last),
        )
        for row in report.rows
    ]
    most = report.totals.most_in_a_session
    talk = [f"Tokens are medians. At most {count(most)} in one session."] if rows else []
    return Shown(table(columns, rows, sheet), talk)


def show_files(report: FileReport, sheet: Sheet) -> Shown:
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
    rows: list[Row] = [
        (
            some(row.reads),
            some(row.edits),
            some(row.writes),
            bad(row.failed),
            count(row.sessions),
            sheet.time(row.last),
            _file(row.path, sheet),
        )
        for row in report.rows
    ]
    totals = report.totals
    talk = [f"{plural(totals.files, 'file')}, {count(totals.changed)} of them changed."]
    return Shown(table(columns, rows, sheet), talk if rows else [])


def _file(path: str, sheet: Sheet) -> Cell:
    """Write a path whole, or for a narrow place the file and the folder it is in."""
    if sheet.columns is None:
        return Cell(path)
    name = name_of(path)
    folder = path.removesuffix(name).rstrip("/\\")
    return Cell(name, note=name_of(folder) if folder else "")


def table(columns: Sequence[Column], rows: Sequence[Row], sheet: Sheet) -> list[str]:
    """Draw a table, or nothing where there is nothing to show."""
    return draw_table(columns, rows, sheet.styles, sheet.columns) if rows else []


def drawn_bar(value: int, largest: int, sheet: Sheet) -> Cell:
    """Draw a bar in its column."""
    plain = sheet.styles.glyphs == ASCII
    return Cell(bar(value, largest, _BAR, unicode=not plain), Role.ACTIVE)


def bad(number: int) -> Cell:
    """Write a count of what went wrong, set off where there is any."""
    return Cell(some(number), Role.ERROR if number else Role.META)


def some(number: int) -> str:
    """Write a count; nothing is a dash."""
    return count(number) if number else MISSING


def maybe_tokens(number: int | None) -> str:
    """Write tokens that may be unknown."""
    return MISSING if number is None else tokens(number)


def milliseconds(number: float | None) -> str:
    """Write a duration that is kept in milliseconds."""
    return duration(None if number is None else number / 1000)
