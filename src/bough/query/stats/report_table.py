"""A report of statistics as one table: columns with their units, rows of plain values, notes.

Every face paints the same table: the command line as text, the terminal app as bars too. The
values are those of the report; how a count, a size or a time is written follows from its unit.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from bough.model.text.formats import MISSING, format_count, format_plural
from bough.query.stats.activity import ActivityReport
from bough.query.stats.agents import AgentReport
from bough.query.stats.api_errors import ErrorReport
from bough.query.stats.compactions import CompactionReport
from bough.query.stats.files import FileReport
from bough.query.stats.hooks import HookReport
from bough.query.stats.models import ModelReport
from bough.query.stats.tools import ToolReport

TabularReport = ToolReport | HookReport | AgentReport | ModelReport | CompactionReport | FileReport
"""Reports that are a table and nothing else."""

_LEAST: Final = 12
_NAME: Final = 24
_TOOL: Final = 18


class ColumnUnit(StrEnum):
    """What the values of a column are. A rare count is mostly zero, and a dash then."""

    TEXT = "text"
    TOOL = "tool"
    AGENT = "agent"
    COMPACTION = "compaction"
    PATH = "path"
    COUNT = "count"
    RARE_COUNT = "rare_count"
    FAILURES = "failures"
    BAR = "bar"
    MILLISECONDS = "milliseconds"
    TOKENS = "tokens"
    BYTES = "bytes"
    TIME = "time"


class ReportColumn(Struct, frozen=True):
    """A column; `leaves` is its turn to go where there is no room, 0 for never.

    `least` is how narrow a text may be cut before others go.
    """

    title: str
    unit: ColumnUnit
    leaves: int = 0
    least: int | None = None


class ReportTable(Struct, frozen=True):
    """A table, and sentences that say what its numbers are."""

    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()


class ReportBar(Struct, frozen=True):
    """A row as a bar: how long, the numbers beside it, what went wrong, and what it leads to.

    That is a session, a project, or what a `query` finds; nothing where nothing is known of it.
    """

    name: str
    value: float
    number: str
    more: str = ""
    wrong: str = ""
    session: str = ""
    project: str = ""
    query: str = ""


def table_of(report: TabularReport) -> ReportTable:
    """Put a report into a table."""
    columns, list_values, list_notes = _TABLES[type(report)]
    rows = tuple(list_values(row) for row in report.rows)
    return ReportTable(
        tuple(ReportColumn(*column) for column in columns),
        rows,
        tuple(note for note in list_notes(report) if note) if rows else (),
    )


def bars_of(report: object) -> list[ReportBar]:
    """Give the rows of a report as bars; none where a report has no number to compare."""
    make = _BARS.get(type(report))
    return list(make(report)) if make is not None else []


def _describe_tools(report: ToolReport) -> tuple[str, ...]:
    measured = sum(row.measured for row in report.rows)
    estimated = sum(row.estimated for row in report.rows)
    unfinished = report.totals.unfinished
    return (
        "Durations run from call to result, with your time to allow it in them; "
        f"{format_count(measured)} of {format_count(measured + estimated)} "
        "were measured by the client."
        if estimated
        else "",
        f"{format_plural(unfinished, 'call')} got no result." if unfinished else "",
    )


def _describe_hooks(report: HookReport) -> tuple[str, ...]:
    unknown = report.totals.unknown
    return (f"How {format_plural(unknown, 'run')} ended, no record tells." if unknown else "",)


def _describe_compactions(report: CompactionReport) -> tuple[str, ...]:
    most = format_count(report.totals.most_in_a_session)
    return (f"Tokens are medians. At most {most} in one session.",)


def _describe_files(report: FileReport) -> tuple[str, ...]:
    files, changed = report.totals.files, report.totals.changed
    return (f"{format_plural(files, 'file')}, {format_count(changed)} of them changed.",)


_Column = tuple[str, ColumnUnit] | tuple[str, ColumnUnit, int] | tuple[str, ColumnUnit, int, int]
_TRIGGERS: Final = {"auto": "automatic", "manual": "by you"}
_Table = tuple[Sequence[_Column], Callable[[Any], tuple[Any, ...]], Callable[[Any], Iterable[str]]]
_TABLES: Final[dict[type, _Table]] = {
    ToolReport: (
        (
            ("TOOL", ColumnUnit.TOOL, 0, _TOOL),
            ("CALLS", ColumnUnit.COUNT),
            ("", ColumnUnit.BAR, 2),
            ("FAILED", ColumnUnit.FAILURES),
            ("REFUSED", ColumnUnit.RARE_COUNT, 5),
            ("P50", ColumnUnit.MILLISECONDS, 4),
            ("P95", ColumnUnit.MILLISECONDS, 6),
            ("OUTPUT", ColumnUnit.BYTES, 3),
            ("LAST", ColumnUnit.TIME, 1),
        ),
        lambda row: (
            *(row.tool, row.calls, row.calls, row.failed, row.refused),
            *(row.p50_ms, row.p95_ms, row.output_bytes, row.last),
        ),
        _describe_tools,
    ),
    HookReport: (
        (
            ("EVENT", ColumnUnit.TEXT, 4),
            ("COMMAND", ColumnUnit.TOOL, 0, _NAME),
            ("RUNS", ColumnUnit.COUNT),
            ("FAILED", ColumnUnit.FAILURES),
            ("BLOCKED", ColumnUnit.RARE_COUNT),
            ("P50", ColumnUnit.MILLISECONDS, 2),
            ("P95", ColumnUnit.MILLISECONDS, 3),
            ("LAST", ColumnUnit.TIME, 1),
        ),
        lambda row: (
            *(row.event or MISSING, row.command, row.runs, row.failed, row.blocked),
            *(row.p50_ms, row.p95_ms, row.last),
        ),
        _describe_hooks,
    ),
    AgentReport: (
        (
            ("TYPE", ColumnUnit.AGENT, 0, _LEAST),
            ("RUNS", ColumnUnit.COUNT),
            ("FAILED", ColumnUnit.FAILURES),
            ("STEPS", ColumnUnit.RARE_COUNT, 4),
            ("TOKENS", ColumnUnit.TOKENS, 2),
            ("P50", ColumnUnit.MILLISECONDS, 5),
            ("P95", ColumnUnit.MILLISECONDS, 3),
            ("LAST", ColumnUnit.TIME, 1),
        ),
        lambda row: (
            *(row.type, row.runs, row.failed, row.steps, row.tokens or None),
            *(row.p50_ms, row.p95_ms, row.last),
        ),
        lambda _: (
            "Tokens are those of each agent's last request. What all cost: bough usage agent.",
        ),
    ),
    ModelReport: (
        (
            ("MODEL", ColumnUnit.TEXT, 0, _LEAST),
            ("ANSWERS", ColumnUnit.COUNT),
            ("", ColumnUnit.BAR, 2),
            ("BY AGENTS", ColumnUnit.RARE_COUNT, 3),
            ("SESSIONS", ColumnUnit.COUNT, 4),
            ("LAST", ColumnUnit.TIME, 1),
        ),
        lambda row: (
            *(row.model, row.answers, row.answers, row.agent_answers, row.sessions, row.last),
        ),
        lambda _: ("Tokens and cost: bough usage model.",),
    ),
    CompactionReport: (
        (
            ("TRIGGER", ColumnUnit.COMPACTION),
            ("COUNT", ColumnUnit.COUNT),
            ("TOKENS BEFORE", ColumnUnit.TOKENS),
            ("AFTER", ColumnUnit.TOKENS),
            ("LARGEST", ColumnUnit.TOKENS, 2),
            ("SESSIONS", ColumnUnit.COUNT, 3),
            ("LAST", ColumnUnit.TIME, 1),
        ),
        lambda row: (
            *(_TRIGGERS.get(row.trigger, row.trigger), row.count, row.tokens_before),
            *(row.tokens_after, row.largest_before, row.sessions, row.last),
        ),
        _describe_compactions,
    ),
    FileReport: (
        (
            ("READS", ColumnUnit.RARE_COUNT),
            ("EDITS", ColumnUnit.RARE_COUNT),
            ("WRITES", ColumnUnit.RARE_COUNT),
            ("FAILED", ColumnUnit.FAILURES, 2),
            ("SESSIONS", ColumnUnit.COUNT, 3),
            ("LAST", ColumnUnit.TIME, 1),
            ("FILE", ColumnUnit.PATH, 0, _LEAST),
        ),
        lambda row: (
            *(row.reads, row.edits, row.writes, row.failed, row.sessions, row.last, row.path),
        ),
        _describe_files,
    ),
}


def write_filter(field: str, value: str) -> str:
    """Write the query for everything with a value; one with quotes in it cannot be asked for."""
    return "" if '"' in value else f'{field}:"{value}"'


def write_days(first: str, number: int) -> str:
    """Write the query for some days from a first one on; nothing where it is none."""
    try:
        after = date.fromisoformat(first) + timedelta(days=number)
    except (ValueError, OverflowError):
        return ""
    return f"after:{first} before:{after}"


def _bar_tools(report: ToolReport) -> Iterable[ReportBar]:
    for row in report.rows:
        wrong = _describe_failures(row.failed, row.refused)
        query = write_filter("tool", row.tool)
        yield ReportBar(row.tool, row.calls, format_count(row.calls), wrong=wrong, query=query)


def _bar_hooks(report: HookReport) -> Iterable[ReportBar]:
    for row in report.rows:
        wrong = _describe_failures(row.failed, row.blocked, "blocked")
        name = f"{row.event} {row.command}"
        yield ReportBar(name, row.runs, format_count(row.runs), wrong=wrong)


def _bar_errors(report: ErrorReport) -> Iterable[ReportBar]:
    for row in report.rows:
        yield ReportBar(
            f"{row.kind}: {row.reason.replace('_', ' ')}",
            row.count,
            format_count(row.count),
            f"in {format_plural(row.sessions, 'session')}",
            session=next(iter(row.recent_sessions), ""),
        )


def _bar_agents(report: AgentReport) -> Iterable[ReportBar]:
    for row in report.rows:
        runs, steps = format_count(row.runs), format_count(row.steps)
        yield ReportBar(row.type, row.runs, runs, steps, _describe_failures(row.failed))


def _bar_files(report: FileReport) -> Iterable[ReportBar]:
    for row in report.rows:
        changes = row.edits + row.writes
        number, reads = format_count(changes), format_count(row.reads)
        wrong = _describe_failures(row.failed)
        query = write_filter("file", row.path)
        yield ReportBar(row.path, row.reads + changes, number, reads, wrong, query=query)


def _bar_activity(report: ActivityReport) -> Iterable[ReportBar]:
    for day in report.days:
        prompts, answers = format_count(day.prompts), format_count(day.answers)
        query = write_days(day.day, 1)
        yield ReportBar(day.day, day.prompts + day.answers, prompts, answers, query=query)


_BARS: Final[dict[type, Callable[[Any], Iterable[ReportBar]]]] = {
    ToolReport: _bar_tools,
    HookReport: _bar_hooks,
    ErrorReport: _bar_errors,
    AgentReport: _bar_agents,
    FileReport: _bar_files,
    ActivityReport: _bar_activity,
}


def _describe_failures(failed: int, stopped: int = 0, word: str = "refused") -> str:
    parts = [f"{format_count(failed)} failed" if failed else "", f"{format_count(stopped)} {word}"]
    return ", ".join(part for part in parts[: 2 if stopped else 1] if part)
