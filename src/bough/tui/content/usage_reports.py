"""Reports of the usage screen, made in workers: tables, and the same numbers as bars."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from bough.config import settings
from bough.model.text.formats import MISSING
from bough.query.scope import scope_of
from bough.query.stats.activity import activity_report
from bough.query.stats.agents import agent_report
from bough.query.stats.api_errors import error_report
from bough.query.stats.files import file_report
from bough.query.stats.hooks import hook_report
from bough.query.stats.tools import tool_report
from bough.query.usage.calendar import Calendar, Stretch, stretch
from bough.query.usage.report import Answer, Question, Row, usage
from bough.query.usage.sources import IndexSource
from bough.query.usage.time_zones import zone_named
from bough.tui.style.style import (
    Page,
    Sheet,
    Shown,
    cost,
    count,
    now,
    one_line,
    plural,
    show_activity,
    show_agents,
    show_errors,
    show_files,
    show_hooks,
    show_tools,
    talk_of,
    time_words,
    tokens,
    usage_lines,
)

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.store.stats_protocol import Behaviour, Scope
    from bough.tui.data import Source

SPENT: Final = ("daily", "weekly", "monthly", "project", "model", "session", "blocks")
DONE: Final = ("tools", "hooks", "errors", "agents", "files", "activity")
REPORTS: Final = (*SPENT, *DONE)
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
Lines = Callable[[Sheet], Sequence[str]]


class Bar(Struct, frozen=True):
    """One bar: how long, the numbers beside it, what went wrong, and the session behind it."""

    name: str
    value: float
    number: str
    more: str = ""
    wrong: str = ""
    session: str = ""
    project: str = ""


class Made(Struct, frozen=True):
    """A report that was made; without bars there is only the table."""

    report: str
    since: str
    lines: Lines
    bars: tuple[Bar, ...] = ()
    total: str = ""
    talk: tuple[str, ...] = ()
    heads: tuple[str, str, str] = ("", "", "")

    @property
    def in_time(self) -> bool:
        """Tell whether its rows follow each other in time; the newest is the last then."""
        return self.report in _IN_TIME

    @property
    def command(self) -> str:
        """Name the command that gives the same."""
        name = "usage" if self.report in SPENT else "stats"
        return f"bough {name} {self.report}{f' --since {self.since}' if self.since else ''}"


def make(source: "Source", report: str, since: str) -> Made:
    """Make a report from the index, of all time or from a moment on."""
    with source.handle() as handle:
        zone = zone_named(settings().zone)
        if report in SPENT:
            question = Question(report=report, since=since or None)
            answer = usage(question, IndexSource(handle), now=now(), settings=settings())
            return _spent(answer, report, since, zone)
        asked = stretch(since or None, None, now(), zone)
        return _done(handle, report, since, asked)


def _spent(answer: Answer, report: str, since: str, zone: tzinfo) -> Made:
    bars = [] if report == "blocks" else [_money(row, report) for row in answer.rows]
    if report == "daily" and since:
        bars = _with_empty_days(bars)

    def lines(sheet: Sheet) -> Sequence[str]:
        page = Page(sheet.now, zone, sheet.styles, sheet.columns or 80, sheet.words)
        return usage_lines(answer, report, page) if answer.rows else []

    total = cost(answer.total.cost_usd, partly_unknown=answer.total.partly_unknown)
    talk = tuple(one_line(text) for text in talk_of(answer))
    heads = _HEADS.get(report, ("", "", ""))
    return Made(report, since, lines, _named(bars), total, talk, heads)


def _money(row: Row, report: str) -> Bar:
    amount = row.amount
    known = amount.cost or not amount.partly_unknown
    usd = amount.cost_usd if known else None
    return Bar(
        one_line(row.label or row.key),
        amount.cost_usd,
        cost(usd, partly_unknown=amount.partly_unknown, in_table=True),
        tokens(amount.output_tokens),
        session=row.key if report == "session" else "",
        project=row.key if report == "project" else "",
    )


def _done(handle: "IndexHandle", report: str, since: str, asked: Stretch) -> Made:
    """Make a report of what was done."""
    behaviour, scope = handle.store.behaviour(), scope_of(handle, stretch=asked)
    show, bars = _MAKERS[report](behaviour, scope)
    # Laid out once, in the worker, to learn what is to be said about it.
    talk = show(Sheet(now(), columns=80, words=time_words())).talk
    return Made(
        report,
        since,
        lambda sheet: show(sheet).lines,
        _named(bars),
        talk=tuple(talk),
        heads=_HEADS[report],
    )


def _with_empty_days(bars: Sequence[Bar]) -> list[Bar]:
    """Put the days on which nothing was spent between the others: they are empty, not absent."""
    known = {one.name: one for one in bars}
    days = sorted(day for name in known if (day := _day_of(name)) is not None)
    if len(days) != len(known) or not days or (days[-1] - days[0]).days > _MOST_DAYS:
        return list(bars)
    every = [days[0] + timedelta(days=at) for at in range((days[-1] - days[0]).days + 1)]
    return [known.get(str(day), Bar(str(day), 0.0, MISSING)) for day in every]


def _named(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    """Write days as people do."""
    words, year = time_words(), now().year
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


Asked = tuple[Callable[[Sheet], Shown], Sequence[Bar]]


def _tools(behaviour: "Behaviour", scope: "Scope") -> Asked:
    found = tool_report(behaviour, scope)
    bars = [
        Bar(one_line(row.tool), row.calls, count(row.calls), "", _wrong(row.failed, row.refused))
        for row in found.rows
    ]
    return partial(show_tools, found), bars


def _hooks(behaviour: "Behaviour", scope: "Scope") -> Asked:
    found = hook_report(behaviour, scope)
    bars = [
        Bar(
            one_line(f"{row.event} {row.command}"),
            row.runs,
            count(row.runs),
            wrong=_wrong(row.failed, row.blocked, "blocked"),
        )
        for row in found.rows
    ]
    return partial(show_hooks, found), bars


def _errors(behaviour: "Behaviour", scope: "Scope") -> Asked:
    found = error_report(behaviour, scope, Calendar(zone_named(settings().zone)))
    bars = [
        Bar(
            one_line(f"{row.kind}: {row.reason.replace('_', ' ')}"),
            row.count,
            count(row.count),
            f"in {plural(row.sessions, 'session')}",
            session=next(iter(row.recent_sessions), ""),
        )
        for row in found.rows
    ]
    return partial(show_errors, found), bars


def _agents(behaviour: "Behaviour", scope: "Scope") -> Asked:
    found = agent_report(behaviour, scope)
    bars = [
        Bar(
            one_line(row.type),
            row.runs,
            count(row.runs),
            count(row.steps),
            _wrong(row.failed, 0),
        )
        for row in found.rows
    ]
    return partial(show_agents, found), bars


def _files(behaviour: "Behaviour", scope: "Scope") -> Asked:
    found = file_report(behaviour, scope)
    bars = [
        Bar(
            one_line(row.path),
            row.reads + row.edits + row.writes,
            count(row.edits + row.writes),
            count(row.reads),
            _wrong(row.failed, 0),
        )
        for row in found.rows
    ]
    return partial(show_files, found), bars


def _activity(behaviour: "Behaviour", scope: "Scope") -> Asked:
    zone = settings().zone
    found = activity_report(behaviour, scope, zone_named(zone), zone or "local")
    bars = [
        Bar(day.day, day.prompts + day.answers, count(day.prompts), count(day.answers))
        for day in found.days
    ]
    return partial(show_activity, found), bars


_MAKERS: Final[dict[str, Callable[["Behaviour", "Scope"], Asked]]] = {
    "tools": _tools,
    "hooks": _hooks,
    "errors": _errors,
    "agents": _agents,
    "files": _files,
    "activity": _activity,
}


def _wrong(failed: int, stopped: int, word: str = "refused") -> str:
    parts = [f"{count(failed)} failed" if failed else "", f"{count(stopped)} {word}"]
    return ", ".join(part for part in parts[: 2 if stopped else 1] if part)
