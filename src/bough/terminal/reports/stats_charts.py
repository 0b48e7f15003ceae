"""Reports of `bough stats` over time: errors by day, activity by hour, the overview."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from bough.model.text.formats import count, plural
from bough.query.stats.activity import ActivityReport, DayRow
from bough.query.stats.api_errors import ErrorReport, ErrorRow
from bough.query.stats.overview import Overview
from bough.terminal.canvas import Sheet
from bough.terminal.charts import fold, heat, sparkline
from bough.terminal.reports.stats_tables import Shown, some, table
from bough.terminal.style import ASCII, Role, Span
from bough.terminal.table import Cell, Column, Row

_SPARK: Final = 20
_REASON: Final = len("authentication failed")
_WIDEST: Final = 90
_SHORT_ID: Final = 8
_HOURS: Final = range(24)
_SHOWN_DAYS: Final = 14
_KINDS: Final = {
    "error": "could not answer",
    "retry": "tried again",
    "interrupted": "interrupted",
}


def show_errors(report: ErrorReport, sheet: Sheet) -> Shown:
    """Show troubles with their course over the days, and where to look."""
    columns = (
        Column("WHAT", leaves=5),
        Column("WHY", least=_REASON),
        Column("COUNT", right=True),
        Column("COURSE", leaves=4),
        Column("SESSIONS", right=True, leaves=2),
        Column("LAST", right=True, leaves=3),
        Column("LATEST IN", leaves=1),
    )
    span = _span([day.day for row in report.rows for day in row.days])
    rows: list[Row] = [
        (
            Cell(
                _KINDS.get(row.kind, row.kind), Role.ERROR if row.kind == "error" else Role.CLAUDE
            ),
            row.reason.replace("_", " "),
            count(row.count),
            Cell(_course(row, span, sheet), Role.ERROR),
            count(row.sessions),
            sheet.time(row.last),
            Cell(", ".join(one[:_SHORT_ID] for one in row.recent_sessions[:2]), Role.META),
        )
        for row in report.rows
    ]
    talk = [f"The course runs from {span[0]} to {span[-1]}."] if len(span) > 1 else []
    return Shown(table(columns, rows, sheet), talk)


def show_activity(report: ActivityReport, sheet: Sheet) -> Shown:
    """Show a heat map of the week, then the last days."""
    if not report.days:
        return Shown([], [])
    grid = [[0] * len(_HOURS) for _ in range(7)]
    for hour in report.hours:
        grid[hour.weekday - 1][hour.hour] = hour.prompts + hour.answers
    names = [sheet.words.weekdays[day][:3] for day in range(7)]
    scale = "".join(f"{hour:<6}" for hour in _HOURS[::3]).rstrip()
    lines = [_painted([(Role.HEADER, f"     {scale}")], sheet)]
    for name, cells, numbers in zip(names, heat(grid, unicode=_unicode(sheet)), grid, strict=True):
        spans = [
            (Role.HEADER, f"{name:<5}"),
            (Role.ACTIVE, cells),
            (Role.META, f"  {sum(numbers):>6,}"),
        ]
        lines.append(_painted(spans, sheet))
    lines += ["", *_days(report.days[-_SHOWN_DAYS:], sheet)]
    totals = report.totals
    counted = (
        f"{plural(totals.prompts, 'prompt')} and {plural(totals.answers, 'answer')} in "
        f"{plural(totals.sessions, 'session')} on {plural(totals.active_days, 'day')}, "
        "together in the map."
    )
    return Shown(lines, [counted])


def show_overview(report: Overview, sheet: Sheet) -> Shown:
    """Show one line from each report."""
    tools, hooks, errors = report.tools, report.hooks, report.errors
    models = ", ".join(f"{row.model} {count(row.answers)}" for row in report.top_models[:3])
    most = ", ".join(f"{row.tool} {count(row.calls)}" for row in report.top_tools[:3])
    active = report.activity
    facts: list[tuple[str, int, str]] = [
        (
            "prompts",
            active.prompts,
            f"in {plural(active.sessions, 'session')} on {plural(active.active_days, 'day')}",
        ),
        ("answers", active.answers, models),
        ("tool calls", tools.calls, _said((tools.failed, "failed"), (tools.refused, "refused"))),
        ("", 0, most),
        ("hook runs", hooks.runs, _said((hooks.failed, "failed"), (hooks.blocked, "blocked"))),
        (
            "agents",
            report.agents.runs,
            _said((report.agents.failed, "failed"), (report.agents.steps, "steps")),
        ),
        (
            "errors",
            errors.errors,
            _said((errors.retries, "tries again"), (errors.interruptions, "interruptions")),
        ),
        (
            "compactions",
            report.compactions.count,
            f"in {plural(report.compactions.sessions, 'session')}",
        ),
        ("files", report.files.files, _said((report.files.changed, "changed"))),
    ]
    columns = (Column("WHAT"), Column("COUNT", right=True), Column("", least=10))
    rows: list[Row] = [
        (what, some(number) if what else "", Cell(about if number or not what else "", Role.META))
        for what, number, about in facts
        if what or about
    ]
    lines = table(columns, rows, sheet)
    if report.days:
        values = fold([day.prompts + day.answers for day in report.days], _room(sheet))
        line = sparkline(values, unicode=_unicode(sheet))
        lines += ["", _painted([(Role.ACTIVE, line)], sheet)]
        ends = f"{report.days[0].day} to {report.days[-1].day}, prompts and answers"
        lines.append(_painted([(Role.META, ends)], sheet))
    talk = ["More: bough stats tools, hooks, errors, agents, models, compactions, files, activity."]
    return Shown(lines, talk)


def _days(days: Sequence[DayRow], sheet: Sheet) -> list[str]:
    columns = (
        Column("DAY", right=True),
        Column("PROMPTS", right=True),
        Column("ANSWERS", right=True),
        Column("SESSIONS", right=True),
    )
    rows: list[Row] = [
        (_day_name(day.day, sheet), some(day.prompts), some(day.answers), some(day.sessions))
        for day in days
    ]
    return table(columns, rows, sheet)


def _day_name(text: str, sheet: Sheet) -> str:
    day = date.fromisoformat(text)
    weekday, month = sheet.words.weekdays[day.weekday()], sheet.words.months[day.month - 1]
    return f"{weekday} {day.day} {month} {day.year}"


def _span(days: Sequence[str]) -> list[str]:
    """List all days from the first to the last; empty where none has a date."""
    dates = [date.fromisoformat(day) for day in days if day[:1].isdigit()]
    if not dates:
        return []
    first, last = min(dates), max(dates)
    return [(first + timedelta(days=n)).isoformat() for n in range((last - first).days + 1)]


def _course(row: ErrorRow, span: Sequence[str], sheet: Sheet) -> str:
    by_day = {day.day: day.count for day in row.days}
    values = fold([by_day.get(day, 0) for day in span], _SPARK)
    return sparkline(values, unicode=_unicode(sheet))


def _said(*facts: tuple[int, str]) -> str:
    return ", ".join(f"{count(number)} {word}" for number, word in facts if number)


def _room(sheet: Sheet) -> int:
    return min(sheet.columns or _WIDEST, _WIDEST)


def _unicode(sheet: Sheet) -> bool:
    return sheet.styles.glyphs != ASCII


def _painted(spans: Sequence[Span], sheet: Sheet) -> str:
    return sheet.styles.line(spans)
