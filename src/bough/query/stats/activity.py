"""Activity: when people said something and models answered, by day and by hour of the week.

Hours and days are those of the reader's zone.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta, tzinfo
from typing import Final

from msgspec import Struct

from bough.query.stats.answer_sums import ANSWER_SUMS, list_session_activity
from bough.query.stats.kept_sums import SumKind
from bough.query.stats.quarter_hours import ActivitySum, find_local_hour
from bough.store.stats_protocol import StatsScope, StatsSource

_LONGEST = 366 * 20


class DayRow(Struct, frozen=True):
    """One day; `sessions` are those of lists in which something was said or answered."""

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


PROMPT_SUMS: Final = SumKind(
    "prompts",
    "prompt",
    (str, ActivitySum),
    lambda source, scope, part: source.prompts(scope, part),
    lambda prompt: prompt.session,
    lambda prompt: prompt.timestamp,
)


class _Counts:
    """Sums of sessions, put into the days and hours of a zone."""

    def __init__(self, sums: Mapping[str, ActivitySum], zone: tzinfo) -> None:
        self.days: Counter[date] = Counter()
        self.hours: Counter[tuple[int, int]] = Counter()
        self.sessions: dict[date, set[str]] = {}
        slots: dict[int, tuple[date, int] | None] = {}
        for session, found in sums.items():
            for quarter, number in found.quarters.items():
                if quarter not in slots:
                    slots[quarter] = find_local_hour(quarter, zone)
                slot = slots[quarter]
                if slot is not None:
                    day, hour = slot
                    self.days[day] += number
                    self.hours[day.isoweekday(), hour] += number
                    self.sessions.setdefault(day, set()).add(session)


def activity_report(
    behaviour: StatsSource, scope: StatsScope, zone: tzinfo, zone_name: str = "local"
) -> ActivityReport:
    """Count prompts and answers by day and by hour of the week."""
    prompts = PROMPT_SUMS.count(behaviour, scope)
    answers = list_session_activity(ANSWER_SUMS.count(behaviour, scope))
    listed = frozenset(behaviour.own_sessions(scope))
    return build_activity_report(prompts, answers, zone, zone_name, listed=listed)


def build_activity_report(
    said: Mapping[str, ActivitySum],
    answered: Mapping[str, ActivitySum],
    zone: tzinfo,
    zone_name: str = "local",
    *,
    listed: frozenset[str],
) -> ActivityReport:
    """Put sums of prompts and of answers into days and hours.

    Sessions are counted where they are `listed`: where only an agent's file is left, lists have no
    session either.
    """
    prompts, answers = _Counts(said, zone), _Counts(answered, zone)
    days = [
        _day_row(day, prompts, answers, listed)
        for day in _list_days({*prompts.days, *answers.days})
    ]
    hours = [
        HourRow(weekday, hour, prompts.hours[weekday, hour], answers.hours[weekday, hour])
        for weekday, hour in sorted({*prompts.hours, *answers.hours})
    ]
    everywhere = set().union(*prompts.sessions.values(), *answers.sessions.values())
    totals = ActivityTotals(
        prompts.days.total(),
        answers.days.total(),
        len(everywhere & listed),
        sum(day.prompts + day.answers > 0 for day in days),
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


def _day_row(day: date, prompts: _Counts, answers: _Counts, listed: frozenset[str]) -> DayRow:
    sessions = prompts.sessions.get(day, set()) | answers.sessions.get(day, set())
    return DayRow(day.isoformat(), prompts.days[day], answers.days[day], len(sessions & listed))
