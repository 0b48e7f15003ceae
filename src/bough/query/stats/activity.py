"""Activity: when people said something and models answered, by day and by hour of the week.

Hours and days are those of the reader's zone. A minute of UTC lies in one hour of every
zone, so each minute is converted once.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo

from msgspec import Struct

from bough.store.stats_protocol import IndexedAnswer, IndexedPrompt, StatsScope, StatsSource

_LONGEST = 366 * 20
_MINUTE = len("2026-11-15T14:38")


class DayRow(Struct, frozen=True):
    """One day; `sessions` are those in which something was said or answered."""

    day: str
    prompts: int
    answers: int
    sessions: int


class HourRow(Struct, frozen=True):
    """One hour of the week over all weeks; weekday 1 is Monday, 7 Sunday."""

    weekday: int
    hour: int
    prompts: int
    answers: int


class ActivityTotals(Struct, frozen=True):
    """All of it; `active_days` are the days on which anything happened."""

    prompts: int
    answers: int
    sessions: int
    active_days: int


class ActivityReport(Struct, frozen=True):
    """Activity by day, from the first to the last without a gap, and by hour of the week.

    `hours` leaves out hours in which nothing ever happened.
    """

    zone: str
    days: list[DayRow]
    hours: list[HourRow]
    totals: ActivityTotals


class _Counts:
    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._places: dict[str, tuple[date, int] | None] = {}
        self.days: Counter[date] = Counter()
        self.hours: Counter[tuple[int, int]] = Counter()
        self.sessions: dict[date, set[str]] = {}

    def add(self, moments: Iterable[IndexedAnswer] | Iterable[IndexedPrompt]) -> None:
        for moment in moments:
            place = self._find_slot((moment.timestamp or "")[:_MINUTE])
            if place is not None:
                day, hour = place
                self.days[day] += 1
                self.hours[day.isoweekday(), hour] += 1
                self.sessions.setdefault(day, set()).add(moment.session)

    def _find_slot(self, minute: str) -> tuple[date, int] | None:
        try:
            return self._places[minute]
        except KeyError:
            self._places[minute] = self._compute_slot(minute)
            return self._places[minute]

    def _compute_slot(self, minute: str) -> tuple[date, int] | None:
        try:
            local = datetime.fromisoformat(f"{minute}+00:00").astimezone(self._zone)
        except (ValueError, OverflowError, OSError):
            return None
        return local.date(), local.hour


def activity_report(
    behaviour: StatsSource, scope: StatsScope, zone: tzinfo, zone_name: str = "local"
) -> ActivityReport:
    """Count prompts and answers by day and by hour of the week."""
    return count_activity(behaviour.prompts(scope), behaviour.answers(scope), zone, zone_name)


def count_activity(
    said: Iterable[IndexedPrompt],
    answered: Iterable[IndexedAnswer],
    zone: tzinfo,
    zone_name: str = "local",
) -> ActivityReport:
    """Put prompts and answers into days and hours."""
    prompts, answers = _Counts(zone), _Counts(zone)
    prompts.add(said)
    answers.add(answered)
    days = [_day_row(day, prompts, answers) for day in _list_days({*prompts.days, *answers.days})]
    hours = [
        HourRow(weekday, hour, prompts.hours[weekday, hour], answers.hours[weekday, hour])
        for weekday, hour in sorted({*prompts.hours, *answers.hours})
    ]
    everywhere = set().union(*prompts.sessions.values(), *answers.sessions.values())
    totals = ActivityTotals(
        prompts.days.total(),
        answers.days.total(),
        len(everywhere),
        sum(day.sessions > 0 for day in days),
    )
    return ActivityReport(zone_name, days, hours, totals)


def _list_days(seen: set[date]) -> list[date]:
    """List the days from the first to the last, the empty ones too.

    A clock that once stood at 1970 must not give twenty thousand empty days.
    """
    if not seen:
        return []
    first, last = min(seen), max(seen)
    if (last - first).days > _LONGEST:
        return sorted(seen)
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _day_row(day: date, prompts: _Counts, answers: _Counts) -> DayRow:
    sessions = prompts.sessions.get(day, set()) | answers.sessions.get(day, set())
    return DayRow(day.isoformat(), prompts.days[day], answers.days[day], len(sessions))
