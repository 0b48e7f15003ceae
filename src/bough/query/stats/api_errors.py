"""Errors: answers that did not come, tries that were repeated, interruptions."""

from collections import Counter

from msgspec import Struct

from bough.model.interpret.api_errors import ERROR, INTERRUPTED, RETRY
from bough.query.usage.calendar import Calendar
from bough.store.stats_protocol import IndexedTrouble, StatsScope, StatsSource

_SHOWN_SESSIONS = 5


class ErrorDay(Struct, frozen=True):
    """How often it happened on a day."""

    day: str
    count: int


class ErrorRow(Struct, frozen=True):
    """One kind of trouble for one reason.

    `kind` is error (Claude could not answer), retry (the client tried again) or interrupted
    (a person stopped it). `example` has the words of the newest one. `recent_sessions` are
    the last few it happened in, the newest first.
    """

    kind: str
    reason: str
    count: int
    sessions: int
    first: str | None
    last: str | None
    example: str | None
    recent_sessions: list[str]
    days: list[ErrorDay]


class ErrorTotals(Struct, frozen=True):
    """All troubles by kind."""

    errors: int
    retries: int
    interruptions: int


class ErrorReport(Struct, frozen=True):
    """Troubles: errors, then retries, then interruptions, the most frequent first."""

    rows: list[ErrorRow]
    totals: ErrorTotals


def error_report(behaviour: StatsSource, scope: StatsScope, calendar: Calendar) -> ErrorReport:
    """Count what went wrong, by kind and reason."""
    found: dict[tuple[str, str], list[IndexedTrouble]] = {}
    for trouble in behaviour.troubles(scope):
        found.setdefault((trouble.kind, trouble.reason), []).append(trouble)
    rows = [
        _error_row(kind, reason, troubles, calendar) for (kind, reason), troubles in found.items()
    ]
    order = (ERROR, RETRY, INTERRUPTED)
    rows.sort(key=lambda row: (order.index(row.kind), -row.count, row.reason))
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.kind] += row.count
    return ErrorReport(rows, ErrorTotals(*(counts[kind] for kind in order)))


def _error_row(
    kind: str, reason: str, troubles: list[IndexedTrouble], calendar: Calendar
) -> ErrorRow:
    """Put together the troubles of one kind, which come in the order they happened."""
    dated = [one.timestamp for one in troubles if one.timestamp is not None]
    newest_first = dict.fromkeys(one.session for one in reversed(troubles))
    days = Counter(calendar.day(moment) for moment in dated)
    example = next((one.detail for one in reversed(troubles) if one.detail), None)
    return ErrorRow(
        kind,
        reason,
        len(troubles),
        len(newest_first),
        dated[0] if dated else None,
        dated[-1] if dated else None,
        example,
        list(newest_first)[:_SHOWN_SESSIONS],
        [ErrorDay(day, count) for day, count in sorted(days.items())],
    )
