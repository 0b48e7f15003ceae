"""Reports of the usage screen, made in workers: tables, and the same numbers as bars."""

import calendar
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from bough import library
from bough.config import load_settings
from bough.library import ReportBar
from bough.model.text.formats import MISSING, format_cost, format_tokens
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.clock import read_time_words
from bough.terminal.reports.stats_charts import show_report
from bough.terminal.reports.usage_tables import UsageCanvas, collect_notes, render_usage
from bough.terminal.style import StyledLine
from bough.terminal.text import one_line

if TYPE_CHECKING:
    from bough.library import StatsReport, UsageRow, UsageTable
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


class UsageReport(Struct, frozen=True):
    """A report that was made; without bars there is only the table."""

    report: str
    since: str
    lines: TableRenderer
    bars: tuple[ReportBar, ...] = ()
    total: str = ""
    talk: tuple[str, ...] = ()
    heads: tuple[str, str, str] = ("", "", "")
    rows: tuple[ReportBar, ...] = ()
    """What each line of the table is; the bars may have empty days between."""

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
        if report in USAGE_REPORTS:
            answer = library.usage(report, since=since or None, index=handle, now=clock.now())
            return _make_usage_report(answer, report, since)
        made = library.stats(report, since=since or None, index=handle, now=clock.now())
        return _make_stats_report(made, report, since)


def _make_usage_report(answer: "UsageTable", report: str, since: str) -> UsageReport:
    zone = library.find_zone(load_settings().zone)
    bars = [] if report == "blocks" else [_make_cost_bar(row, report) for row in answer.rows]
    rows = _format_day_names(bars)
    if report == "daily" and since:
        bars = _add_empty_days(bars)

    def lines(canvas: Canvas) -> Sequence[StyledLine]:
        page = UsageCanvas(canvas.now, zone, canvas.glyphs, canvas.columns or 80, canvas.words)
        return render_usage(answer, report, page) if answer.rows else []

    total = format_cost(answer.total.usd, partly_unknown=not answer.total.cost.is_complete)
    talk = tuple(one_line(text) for text in collect_notes(answer))
    heads = _HEADS.get(report, ("", "", ""))
    return UsageReport(report, since, lines, _format_day_names(bars), total, talk, heads, rows)


def _make_cost_bar(row: "UsageRow", report: str) -> ReportBar:
    amount = row.amount
    return ReportBar(
        one_line(row.label or row.key),
        amount.usd or 0.0,
        format_cost(amount.usd, partly_unknown=not amount.cost.is_complete, in_table=True),
        format_tokens(amount.output_tokens),
        session=row.key if report == "session" else "",
        project=row.key if report == "project" else "",
        query=_write_query(row.key, report),
    )


def _write_query(key: str, report: str) -> str:
    """Write the query that finds what is behind a row; nothing where the row names it itself."""
    match report:
        case "daily":
            return library.write_days(key, 1)
        case "weekly":
            return library.write_days(key, 7)
        case "monthly":
            days = calendar.monthrange(int(key[:4]), int(key[5:7]))[1] if key[:4].isdigit() else 0
            return library.write_days(f"{key}-01", days) if days else ""
        case "model":
            return library.write_filter("model", key)
        case _:
            return ""


def _make_stats_report(made: "StatsReport", report: str, since: str) -> UsageReport:
    """Make a report of what was done."""
    bars = [replace(bar, name=one_line(bar.name)) for bar in library.bars_of(made)]
    # Laid out once, in the worker, to learn what is to be said about it.
    talk = show_report(made, Canvas(clock.now(), columns=80, words=read_time_words())).talk
    return UsageReport(
        report,
        since,
        lambda canvas: show_report(made, canvas).lines,
        _format_day_names(bars),
        talk=tuple(talk),
        heads=_HEADS[report],
        rows=_format_day_names(bars),
    )


def _add_empty_days(bars: Sequence[ReportBar]) -> list[ReportBar]:
    """Put the days on which nothing was spent between the others: they are empty, not absent."""
    known = {one.name: one for one in bars}
    days = sorted(day for name in known if (day := _day_of(name)) is not None)
    if len(days) != len(known) or not days or (days[-1] - days[0]).days > _MOST_DAYS:
        return list(bars)
    every = [days[0] + timedelta(days=at) for at in range((days[-1] - days[0]).days + 1)]
    return [known.get(str(day), ReportBar(str(day), 0.0, MISSING)) for day in every]


def _format_day_names(bars: Sequence[ReportBar]) -> tuple[ReportBar, ...]:
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
