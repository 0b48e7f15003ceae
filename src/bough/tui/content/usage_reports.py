"""Reports of the usage screen, made in workers: tables, and the same numbers as bars."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from bough.config import load_settings
from bough.model.text.formats import (
    MISSING,
    format_cost,
    format_count,
    format_plural,
    format_tokens,
)
from bough.query.stats.activity import activity_report
from bough.query.stats.agents import agent_report
from bough.query.stats.api_errors import error_report
from bough.query.stats.files import file_report
from bough.query.stats.hooks import hook_report
from bough.query.stats.stats_scope import find_stats_scope
from bough.query.stats.tools import tool_report
from bough.query.usage.calendar import Calendar, DateRange, parse_date_range
from bough.query.usage.report import UsageQuestion, UsageRow, UsageTable, report_usage
from bough.query.usage.sources import IndexUsageSource
from bough.query.usage.time_zones import find_zone
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.clock import read_time_words
from bough.terminal.reports.stats_charts import show_activity, show_errors
from bough.terminal.reports.stats_tables import (
    RenderedReport,
    show_agents,
    show_files,
    show_hooks,
    show_tools,
)
from bough.terminal.reports.usage_tables import UsageCanvas, collect_notes, render_usage
from bough.terminal.style import StyledLine
from bough.terminal.text import one_line

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.store.stats_protocol import StatsScope, StatsSource
    from bough.tui.data import LibraryQueries

USAGE_REPORTS: Final = ("daily", "weekly", "monthly", "project", "model", "session", "blocks")
STATS_REPORTS: Final = ("tools", "hooks", "errors", "agents", "files", "activity")
REPORTS: Final = (*USAGE_REPORTS, *STATS_REPORTS)
RANGES: Final = (("today", "today"), ("7d", "7 d"), ("30d", "30 d"), ("90d", "90 d"), ("", "all"))

_IN_TIME: Final = ("daily", "weekly", "monthly", "blocks", "activity")
_MOST_DAYS: Final = 100
_HEADS: Final = {
    "daily": ("Day", "Cost", "Output"),
    "weekly": ("Week from", "Cost", "Output"),
    "monthly": ("Month", "Cost", "Output"),
    "project": ("Project", "Cost", "Output"),
    "model": ("Model", "Cost", "Output"),
    "session": ("Session", "Cost", "Output"),
    "tools": ("Tool", "Calls", ""),
    "hooks": ("Hook", "Runs", ""),
    "errors": ("What", "Count", ""),
    "agents": ("Agent", "Runs", "Steps"),
    "files": ("File", "Changes", "Reads"),
    "activity": ("Day", "Prompts", "Answers"),
}
TableRenderer = Callable[[Canvas], Sequence[StyledLine]]


class UsageBar(Struct, frozen=True):
    """One bar: how long, the numbers beside it, what went wrong, and the session behind it."""

    name: str
    value: float
    number: str
    more: str = ""
    wrong: str = ""
    session: str = ""
    project: str = ""


class UsageReport(Struct, frozen=True):
    """A report that was made; without bars there is only the table."""

    report: str
    since: str
    lines: TableRenderer
    bars: tuple[UsageBar, ...] = ()
    total: str = ""
    talk: tuple[str, ...] = ()
    heads: tuple[str, str, str] = ("", "", "")

    @property
    def is_chronological(self) -> bool:
        """Tell whether its rows follow each other in time; the newest is the last then."""
        return self.report in _IN_TIME

    @property
    def command(self) -> str:
        """Name the command that gives the same."""
        name = "usage" if self.report in USAGE_REPORTS else "stats"
        return f"bough {name} {self.report}{f' --since {self.since}' if self.since else ''}"


def make_report(source: "LibraryQueries", report: str, since: str) -> UsageReport:
    """Make a report from the index, of all time or from a moment on."""
    with source.open_handle() as handle:
        zone = find_zone(load_settings().zone)
        if report in USAGE_REPORTS:
            question = UsageQuestion(report=report, since=since or None)
            answer = report_usage(
                question, IndexUsageSource(handle), now=clock.now(), settings=load_settings()
            )
            return _make_usage_report(answer, report, since, zone)
        asked = parse_date_range(since or None, None, clock.now(), zone)
        return _make_stats_report(handle, report, since, asked)


def _make_usage_report(answer: UsageTable, report: str, since: str, zone: tzinfo) -> UsageReport:
    bars = [] if report == "blocks" else [_make_cost_bar(row, report) for row in answer.rows]
    if report == "daily" and since:
        bars = _add_empty_days(bars)

    def lines(canvas: Canvas) -> Sequence[StyledLine]:
        page = UsageCanvas(canvas.now, zone, canvas.glyphs, canvas.columns or 80, canvas.words)
        return render_usage(answer, report, page) if answer.rows else []

    total = format_cost(answer.total.usd, partly_unknown=not answer.total.cost.is_complete)
    talk = tuple(one_line(text) for text in collect_notes(answer))
    heads = _HEADS.get(report, ("", "", ""))
    return UsageReport(report, since, lines, _format_day_names(bars), total, talk, heads)


def _make_cost_bar(row: UsageRow, report: str) -> UsageBar:
    amount = row.amount
    return UsageBar(
        one_line(row.label or row.key),
        amount.usd or 0.0,
        format_cost(amount.usd, partly_unknown=not amount.cost.is_complete, in_table=True),
        format_tokens(amount.output_tokens),
        session=row.key if report == "session" else "",
        project=row.key if report == "project" else "",
    )


def _make_stats_report(
    handle: "IndexHandle", report: str, since: str, asked: DateRange
) -> UsageReport:
    """Make a report of what was done."""
    behaviour, scope = handle.store.behaviour(), find_stats_scope(handle, date_range=asked)
    show, bars = _MAKERS[report](behaviour, scope)
    # Laid out once, in the worker, to learn what is to be said about it.
    talk = show(Canvas(clock.now(), columns=80, words=read_time_words())).talk
    return UsageReport(
        report,
        since,
        lambda canvas: show(canvas).lines,
        _format_day_names(bars),
        talk=tuple(talk),
        heads=_HEADS[report],
    )


def _add_empty_days(bars: Sequence[UsageBar]) -> list[UsageBar]:
    """Put the days on which nothing was spent between the others: they are empty, not absent."""
    known = {one.name: one for one in bars}
    days = sorted(day for name in known if (day := _day_of(name)) is not None)
    if len(days) != len(known) or not days or (days[-1] - days[0]).days > _MOST_DAYS:
        return list(bars)
    every = [days[0] + timedelta(days=at) for at in range((days[-1] - days[0]).days + 1)]
    return [known.get(str(day), UsageBar(str(day), 0.0, MISSING)) for day in every]


def _format_day_names(bars: Sequence[UsageBar]) -> tuple[UsageBar, ...]:
    """Write days as people do."""
    words, year = read_time_words(), clock.now().year
    named = []
    for one in bars:
        day = _day_of(one.name)
        if day is not None:
            name = f"{words.weekdays[day.weekday()]} {day.day:>2} {words.months[day.month - 1]}"
            one = replace(one, name=name if day.year == year else f"{name} {day.year}")  # noqa: PLW2901
        named.append(one)
    return tuple(named)


def _day_of(name: str) -> date | None:
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None


StatsParts = tuple[Callable[[Canvas], RenderedReport], Sequence[UsageBar]]


def _report_tools(behaviour: "StatsSource", scope: "StatsScope") -> StatsParts:
    found = tool_report(behaviour, scope)
    bars = [
        UsageBar(
            one_line(row.tool),
            row.calls,
            format_count(row.calls),
            "",
            _describe_failures(row.failed, row.refused),
        )
        for row in found.rows
    ]
    return partial(show_tools, found), bars


def _report_hooks(behaviour: "StatsSource", scope: "StatsScope") -> StatsParts:
    found = hook_report(behaviour, scope)
    bars = [
        UsageBar(
            one_line(f"{row.event} {row.command}"),
            row.runs,
            format_count(row.runs),
            wrong=_describe_failures(row.failed, row.blocked, "blocked"),
        )
        for row in found.rows
    ]
    return partial(show_hooks, found), bars


def _report_errors(behaviour: "StatsSource", scope: "StatsScope") -> StatsParts:
    found = error_report(behaviour, scope, Calendar(find_zone(load_settings().zone)))
    bars = [
        UsageBar(
            one_line(f"{row.kind}: {row.reason.replace('_', ' ')}"),
            row.count,
            format_count(row.count),
            f"in {format_plural(row.sessions, 'session')}",
            session=next(iter(row.recent_sessions), ""),
        )
        for row in found.rows
    ]
    return partial(show_errors, found), bars


def _report_agents(behaviour: "StatsSource", scope: "StatsScope") -> StatsParts:
    found = agent_report(behaviour, scope)
    bars = [
        UsageBar(
            one_line(row.type),
            row.runs,
            format_count(row.runs),
            format_count(row.steps),
            _describe_failures(row.failed, 0),
        )
        for row in found.rows
    ]
    return partial(show_agents, found), bars


def _report_files(behaviour: "StatsSource", scope: "StatsScope") -> StatsParts:
    found = file_report(behaviour, scope)
    bars = [
        UsageBar(
            one_line(row.path),
            row.reads + row.edits + row.writes,
            format_count(row.edits + row.writes),
            format_count(row.reads),
            _describe_failures(row.failed, 0),
        )
        for row in found.rows
    ]
    return partial(show_files, found), bars


def _report_activity(behaviour: "StatsSource", scope: "StatsScope") -> StatsParts:
    zone = load_settings().zone
    found = activity_report(behaviour, scope, find_zone(zone), zone or "local")
    bars = [
        UsageBar(
            day.day, day.prompts + day.answers, format_count(day.prompts), format_count(day.answers)
        )
        for day in found.days
    ]
    return partial(show_activity, found), bars


_MAKERS: Final[dict[str, Callable[["StatsSource", "StatsScope"], StatsParts]]] = {
    "tools": _report_tools,
    "hooks": _report_hooks,
    "errors": _report_errors,
    "agents": _report_agents,
    "files": _report_files,
    "activity": _report_activity,
}


def _describe_failures(failed: int, stopped: int, word: str = "refused") -> str:
    parts = [f"{format_count(failed)} failed" if failed else "", f"{format_count(stopped)} {word}"]
    return ", ".join(part for part in parts[: 2 if stopped else 1] if part)
