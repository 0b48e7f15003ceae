"""Reports of `bough stats` over time: errors by day, activity by hour, the overview."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from bough.model.text.formats import format_count, format_plural
from bough.query.stats.activity import ActivityReport, DayRow
from bough.query.stats.api_errors import ErrorReport, ErrorRow
from bough.query.stats.overview import StatsOverview
from bough.query.stats.stats_report import StatsReport
from bough.terminal.canvas import Canvas
from bough.terminal.charts import draw_heat_map, draw_sparkline, sum_neighbours
from bough.terminal.list_cells import shorten_model
from bough.terminal.reports.stats_tables import (
    RenderedReport,
    format_count_cell,
    render_table,
    show_table,
)
from bough.terminal.style import Role, StyledLine, line_of, make_line
from bough.terminal.table import Cell, Column, TableRow

_SPARK: Final = 20
_REASON: Final = len("authentication failed")
_WIDEST: Final = 90
_SHORT_ID: Final = 8
_HOURS: Final = range(24)
_SHOWN_DAYS: Final = 14
_KINDS: Final = {
    "error": "could not answer",
    "retry": "retried",
    "interrupted": "interrupted",
}


def show_report(report: StatsReport, canvas: Canvas) -> RenderedReport:
    """Show any report."""
    match report:
        case StatsOverview():
            return show_overview(report, canvas)
        case ErrorReport():
            return show_errors(report, canvas)
        case ActivityReport():
            return show_activity(report, canvas)
        case _:
            return show_table(report, canvas)


def show_errors(report: ErrorReport, canvas: Canvas) -> RenderedReport:
    """Show troubles with their trend over the days, and where to look."""
    columns = (
        Column("WHAT", leaves=5),
        Column("WHY", least=_REASON),
        Column("COUNT", right=True),
        Column("COURSE", leaves=4),
        Column("SESSIONS", right=True, leaves=2),
        Column("LAST", right=True, leaves=3),
        Column("LATEST IN", leaves=1),
    )
    span = _list_days([day.day for row in report.rows for day in row.days])
    rows: list[TableRow] = [
        (
            Cell(
                _KINDS.get(row.kind, row.kind), Role.ERROR if row.kind == "error" else Role.CLAUDE
            ),
            row.reason.replace("_", " "),
            format_count(row.count),
            Cell(_draw_trend(row, span, canvas), Role.ERROR),
            format_count(row.sessions),
            canvas.time(row.last),
            Cell(", ".join(one[:_SHORT_ID] for one in row.recent_sessions[:2]), Role.META),
        )
        for row in report.rows
    ]
    talk = [f"The trend runs from {span[0]} to {span[-1]}."] if len(span) > 1 else []
    return RenderedReport(render_table(columns, rows, canvas), talk)


def show_activity(report: ActivityReport, canvas: Canvas) -> RenderedReport:
    """Show a heat map of the week, then the last days."""
    if not report.days:
        return RenderedReport([], [])
    grid = [[0] * len(_HOURS) for _ in range(7)]
    for hour in report.hours:
        grid[hour.weekday - 1][hour.hour] = hour.prompts + hour.answers
    names = [canvas.words.weekdays[day][:3] for day in range(7)]
    scale = "".join(f"{hour:<6}" for hour in _HOURS[::3]).rstrip()
    lines = [line_of(f"     {scale}", Role.HEADER)]
    for name, cells, numbers in zip(
        names, draw_heat_map(grid, unicode=_has_unicode(canvas)), grid, strict=True
    ):
        spans = [
            (Role.HEADER, f"{name:<5}"),
            (Role.ACTIVE, cells),
            (Role.META, f"  {sum(numbers):>6,}"),
        ]
        lines.append(make_line(spans))
    lines += [(), *_render_days(report.days[-_SHOWN_DAYS:], canvas)]
    totals = report.totals
    counted = (
        f"{format_plural(totals.prompts, 'prompt')} and {format_plural(totals.answers, 'answer')} "
        f"in {format_plural(totals.sessions, 'session')} "
        f"on {format_plural(totals.active_days, 'day')}, together in the map."
    )
    return RenderedReport(lines, [counted])


def show_overview(report: StatsOverview, canvas: Canvas) -> RenderedReport:
    """Show one line from each report."""
    tools, hooks, errors = report.tools, report.hooks, report.errors
    models = ", ".join(
        f"{shorten_model(row.model)} {format_count(row.answers)}" for row in report.top_models[:3]
    )
    most = ", ".join(f"{row.tool} {format_count(row.calls)}" for row in report.top_tools[:3])
    active = report.activity
    facts: list[tuple[str, int, str]] = [
        (
            "prompts",
            active.prompts,
            (
                f"in {format_plural(active.sessions, 'session')} "
                f"on {format_plural(active.active_days, 'day')}"
            ),
        ),
        ("answers", active.answers, models),
        (
            "tool calls",
            tools.calls,
            _join_facts((tools.failed, "failed"), (tools.refused, "refused")),
        ),
        ("", 0, most),
        (
            "hook runs",
            hooks.runs,
            _join_facts((hooks.failed, "failed"), (hooks.blocked, "blocked")),
        ),
        (
            "agents",
            report.agents.runs,
            _join_facts((report.agents.failed, "failed"), (report.agents.steps, "steps")),
        ),
        (
            "errors",
            errors.errors,
            _join_facts((errors.retries, "retries"), (errors.interruptions, "interruptions")),
        ),
        (
            "compactions",
            report.compactions.count,
            f"in {format_plural(report.compactions.sessions, 'session')}",
        ),
        ("files", report.files.files, _join_facts((report.files.changed, "changed"))),
    ]
    columns = (Column("WHAT"), Column("COUNT", right=True), Column("", least=10))
    rows: list[TableRow] = [
        (
            what,
            format_count_cell(number) if what else "",
            Cell(about if number or not what else "", Role.META),
        )
        for what, number, about in facts
        if what or about
    ]
    lines = render_table(columns, rows, canvas)
    if report.days:
        values = sum_neighbours(
            [day.prompts + day.answers for day in report.days], _chart_columns(canvas)
        )
        line = draw_sparkline(values, unicode=_has_unicode(canvas))
        lines += [(), make_line([(Role.ACTIVE, line)])]
        ends = f"{report.days[0].day} to {report.days[-1].day}, prompts and answers"
        lines.append(line_of(ends, Role.META))
    talk = ["More: bough stats tools, hooks, errors, agents, models, compactions, files, activity."]
    return RenderedReport(lines, talk)


def _render_days(days: Sequence[DayRow], canvas: Canvas) -> list[StyledLine]:
    columns = (
        Column("DAY", right=True),
        Column("PROMPTS", right=True),
        Column("ANSWERS", right=True),
        Column("SESSIONS", right=True),
    )
    rows: list[TableRow] = [
        (
            _name_day(day.day, canvas),
            format_count_cell(day.prompts),
            format_count_cell(day.answers),
            format_count_cell(day.sessions),
        )
        for day in days
    ]
    return render_table(columns, rows, canvas)


def _name_day(text: str, canvas: Canvas) -> str:
    day = date.fromisoformat(text)
    weekday, month = canvas.words.weekdays[day.weekday()], canvas.words.months[day.month - 1]
    return f"{weekday} {day.day} {month} {day.year}"


def _list_days(days: Sequence[str]) -> list[str]:
    """List all days from the first to the last; empty where none has a date."""
    dates = [date.fromisoformat(day) for day in days if day[:1].isdigit()]
    if not dates:
        return []
    first, last = min(dates), max(dates)
    return [(first + timedelta(days=n)).isoformat() for n in range((last - first).days + 1)]


def _draw_trend(row: ErrorRow, span: Sequence[str], canvas: Canvas) -> str:
    by_day = {day.day: day.count for day in row.days}
    values = sum_neighbours([by_day.get(day, 0) for day in span], _SPARK)
    return draw_sparkline(values, unicode=_has_unicode(canvas))


def _join_facts(*facts: tuple[int, str]) -> str:
    return ", ".join(f"{format_count(number)} {word}" for number, word in facts if number)


def _chart_columns(canvas: Canvas) -> int:
    return min(canvas.columns or _WIDEST, _WIDEST)


def _has_unicode(canvas: Canvas) -> bool:
    return not canvas.glyphs.is_ascii
