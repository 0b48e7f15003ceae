"""The sessions behind a row of a report: in which a tool was called, a hook ran, a file was read.

A row says how many sessions it counts; these are the ones, with how often it happened in each.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo
from itertools import chain
from typing import Final

from msgspec import Struct

from bough.errors import Misuse
from bough.query.stats.hooks import find_hook_runs
from bough.query.stats.percentiles import later_of
from bough.store.stats_protocol import StatsScope, StatsSource

_MINUTE: Final = len("2026-11-15T14:38")
KEY_SEPARATOR: Final = " "


class ReportSession(Struct, frozen=True):
    """A session, how often something happened in it, and when it last did."""

    session: str
    count: int
    last: str | None


_Event = tuple[str, str | None]
"""A session and a moment."""


def list_report_sessions(
    report: str, key: str, source: StatsSource, scope: StatsScope, zone: tzinfo
) -> list[ReportSession]:
    """List the sessions behind a row, those with most first.

    The key of a hook is its event and its command, of an error its kind and its reason, with a
    space between; of activity a day, or a weekday from 1 (Monday) and an hour, as `1-14`.

    Raises:
        Misuse: No report of that name has sessions behind its rows.
    """
    find = _EVENTS.get(report)
    if find is None:
        raise Misuse(f"{report} has no sessions behind its rows. There are {', '.join(_EVENTS)}.")
    counts: dict[str, int] = {}
    last: dict[str, str | None] = {}
    for session, moment in find(key, source, scope, zone):
        counts[session] = counts.get(session, 0) + 1
        last[session] = later_of(last.get(session), moment)
    found = [ReportSession(session, count, last[session]) for session, count in counts.items()]
    return sorted(found, key=lambda one: (-one.count, one.last or "", one.session))


def _find_calls(
    tool: str, source: StatsSource, scope: StatsScope, _zone: tzinfo
) -> Iterable[_Event]:
    return ((one.session, one.started) for one in source.calls(scope) if one.name == tool)


def _find_hook_runs(
    key: str, source: StatsSource, scope: StatsScope, _zone: tzinfo
) -> Iterable[_Event]:
    event, _, command = key.partition(KEY_SEPARATOR)
    for run in find_hook_runs(source, scope):
        if (run.event, run.command) == (event, command):
            yield run.session, run.timestamp


def _find_errors(
    key: str, source: StatsSource, scope: StatsScope, _zone: tzinfo
) -> Iterable[_Event]:
    kind, _, reason = key.partition(KEY_SEPARATOR)
    for one in source.troubles(scope):
        if (one.kind, one.reason) == (kind, reason):
            yield one.session, one.timestamp


def _find_answers(
    model: str, source: StatsSource, scope: StatsScope, _zone: tzinfo
) -> Iterable[_Event]:
    return ((one.session, one.timestamp) for one in source.answers(scope) if one.model == model)


def _find_compactions(
    trigger: str, source: StatsSource, scope: StatsScope, _zone: tzinfo
) -> Iterable[_Event]:
    for one in source.compactions(scope):
        if (one.trigger or "unknown") == trigger:
            yield one.session, one.timestamp


def _find_touches(
    path: str, source: StatsSource, scope: StatsScope, _zone: tzinfo
) -> Iterable[_Event]:
    return ((one.session, one.timestamp) for one in source.touches(scope) if one.path == path)


def _find_activity(
    key: str, source: StatsSource, scope: StatsScope, zone: tzinfo
) -> Iterable[_Event]:
    prompts = ((one.session, one.timestamp) for one in source.prompts(scope))
    answers = ((one.session, one.timestamp) for one in source.answers(scope))
    slots: dict[str, tuple[str, str]] = {}
    for session, moment in chain(prompts, answers):
        minute = (moment or "")[:_MINUTE]
        if minute not in slots:
            slots[minute] = _name_slots(minute, zone)
        if key in slots[minute]:
            yield session, moment


def _name_slots(minute: str, zone: tzinfo) -> tuple[str, str]:
    """Name the day of a minute, and its hour of the week."""
    try:
        local = datetime.fromisoformat(f"{minute}+00:00").astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return "", ""
    return local.date().isoformat(), f"{local.isoweekday()}-{local.hour}"


_FindEvents = Callable[[str, StatsSource, StatsScope, tzinfo], Iterable[_Event]]
_EVENTS: Final[dict[str, _FindEvents]] = {
    "tools": _find_calls,
    "hooks": _find_hook_runs,
    "errors": _find_errors,
    "models": _find_answers,
    "compactions": _find_compactions,
    "files": _find_touches,
    "activity": _find_activity,
}
