"""Moments as people write them.

Every date names the moment it begins: `after:2026-11-01` starts with that day and
`before:2026-11-01` stops short of it, so the two split time without a gap or an overlap.
Days, weeks (from Monday), months and years begin where the reader lives; the answer is in
UTC. A weekday is the latest one that has begun, today included.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)
_TIMED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)", re.ASCII)
_AGO = re.compile(r"(\d{1,9})([mhdwy])", re.ASCII)
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def parse_moment(written: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Read when something began, in UTC; None when it is no date. `now` must know its zone."""
    try:
        found = _parse_moment(written.strip(), now, zone)
        return found.astimezone(UTC) if found else None
    except (ValueError, OverflowError):
        # The 31st of February, an hour 25, a year before the first.
        return None


def _parse_moment(written: str, now: datetime, zone: tzinfo) -> datetime | None:
    if ago := _AGO.fullmatch(written):
        return now.astimezone(UTC) - int(ago[1]) * _UNITS[ago[2]]
    if _TIMED.fullmatch(written):
        exact = datetime.fromisoformat(written)
        return exact if exact.tzinfo else exact.replace(tzinfo=zone)
    today = now.astimezone(zone).date()
    if clock := _CLOCK.fullmatch(written):
        return datetime.combine(today, time(int(clock[1]), int(clock[2])), zone)
    if written.lower() == "now":
        return now
    day = _parse_day(written, today)
    return datetime.combine(day, time(), zone) if day else None


def _parse_day(written: str, today: date) -> date | None:
    if numbers := _DATE.fullmatch(written):
        year, month, day = numbers.groups(default="1")
        return date(int(year), int(month), int(day))
    word = re.sub(r"[\s_-]+", " ", written.lower())
    if word in _WEEKDAYS:
        return today - timedelta(days=(today.weekday() - _WEEKDAYS.index(word)) % 7)
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    named = {
        "today": today,
        "yesterday": today - timedelta(days=1),
        "this week": monday,
        "last week": monday - timedelta(weeks=1),
        "this month": first,
        "last month": (first - timedelta(days=1)).replace(day=1),
        "this year": today.replace(month=1, day=1),
    }
    if word == "last year":
        return date(today.year - 1, 1, 1)
    return named.get(word)
