"""Days, weeks and months as the reader's calendar has them, and stretches of time.

Records are stamped in UTC; a day begins where the reader lives. Most hours of UTC lie in
one day there, so an hour is looked up once. A stretch is asked for in words: a word for a
day, a month or a year means all of it at both ends, so `--until yesterday` has yesterday
in it; `3d` means the whole of the day three days ago.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from msgspec import Struct

from bough.errors import Misuse
from bough.model.text.times import format_timestamp

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNDATED = "undated"
"""The day, week and month of a call whose time cannot be read."""

_HOUR = timedelta(hours=1)
_MOMENT = timedelta(microseconds=1)
_DAYS_AGO = re.compile(r"\d{1,9}[dwy]", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|today|yesterday|[a-z]+day", re.ASCII)
_WEEK = re.compile(r"(?:this|last)[\s_-]+week")
_MONTH = re.compile(r"\d{4}-\d{1,2}|(?:this|last)[\s_-]+month", re.ASCII)
_YEAR = re.compile(r"\d{4}|(?:this|last)[\s_-]+year", re.ASCII)


class DateRange(Struct, frozen=True):
    """A stretch of time in UTC, as records write it: from `since` on, until before `until`."""

    since: str | None = None
    until: str | None = None

    def contains(self, timestamp: str | None) -> bool:
        """Tell whether a moment lies in it; what has no time lies in no stretch with an end."""
        if timestamp is None:
            return self.since is None and self.until is None
        after = self.since is None or timestamp >= self.since
        return after and (self.until is None or timestamp < self.until)


class Calendar:
    """Tells the day, the week and the month of a moment."""

    def __init__(self, zone: tzinfo, week_start: str = WEEKDAYS[0]) -> None:
        self._zone = zone
        self._first = WEEKDAYS.index(week_start)
        # What is known of an hour of UTC; what cannot be known by the hour is not in it.
        self._days: dict[str, str] = {}
        self._weeks: dict[str, str] = {}
        self._months: dict[str, str] = {}

    def day(self, timestamp: str | None) -> str:
        """Give the day as 2026-11-15."""
        known = self._days.get(timestamp[:13]) if timestamp else None
        return known or self._resolve_day(timestamp)[0]

    def week(self, timestamp: str | None) -> str:
        """Give the first day of the week."""
        known = self._weeks.get(timestamp[:13]) if timestamp else None
        return known or self._resolve_day(timestamp)[1]

    def month(self, timestamp: str | None) -> str:
        """Give the month as 2026-11."""
        known = self._months.get(timestamp[:13]) if timestamp else None
        return known or self._resolve_day(timestamp)[2]

    def _resolve_day(self, timestamp: str | None) -> tuple[str, str, str]:
        if timestamp is None:
            return UNDATED, UNDATED, UNDATED
        hour = timestamp[:13]
        try:
            at = datetime.fromisoformat(timestamp).astimezone(self._zone).date()
            start = datetime.fromisoformat(f"{hour}:00:00+00:00")
            first = start.astimezone(self._zone).date()
            last = (start + _HOUR - _MOMENT).astimezone(self._zone).date()
        except (ValueError, OverflowError, OSError):
            return UNDATED, UNDATED, UNDATED
        back = (at.weekday() - self._first) % 7
        week = date.fromordinal(max(1, at.toordinal() - back))
        day = at.isoformat()
        if first == last:
            self._days[hour], self._weeks[hour] = day, week.isoformat()
            self._months[hour] = day[:7]
        return day, week.isoformat(), day[:7]


def find_weekday(name: str) -> str:
    """Find a weekday by its name or the beginning of it."""
    found = [day for day in WEEKDAYS if name and day.startswith(name.lower())]
    if len(found) != 1:
        raise Misuse(f"No weekday is called {name}. Weeks begin on monday, sunday or another day.")
    return found[0]


def parse_date_range(
    since: str | None, until: str | None, now: datetime, zone: tzinfo
) -> DateRange:
    """Read a stretch of time from the words for its ends."""
    return DateRange(
        format_timestamp(_find_bounds("since", since, now, zone)[0]) if since else None,
        format_timestamp(_find_bounds("until", until, now, zone)[1]) if until else None,
    )


def _find_bounds(name: str, written: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """Find where what a word names begins and ends."""
    from bough.store.query_language import parse_moment  # noqa: PLC0415 - 13 ms; most reports name no time

    start = parse_moment(written, now, zone)
    if start is None:
        raise Misuse(
            f"--{name} takes a time such as 2026-11-01, yesterday, last-month or 3d, not {written}."
        )
    word = written.strip().lower()
    local = start.astimezone(zone)
    if _DAYS_AGO.fullmatch(word) or _DAY.fullmatch(word):
        return _start_of_day(local.date(), zone), _start_of_day(
            local.date() + timedelta(days=1), zone
        )
    if _WEEK.fullmatch(word):
        return start, _start_of_day(local.date() + timedelta(days=7), zone)
    if _MONTH.fullmatch(word):
        year, month = local.year + local.month // 12, local.month % 12 + 1
        return start, _start_of_day(date(year, month, 1), zone)
    if _YEAR.fullmatch(word):
        return start, _start_of_day(date(local.year + 1, 1, 1), zone)
    return start, start


def _start_of_day(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
