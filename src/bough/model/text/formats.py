"""Numbers, money, times, titles and paths as people read them.

Every face shows a number the same way, so each form has one function here. They are pure:
the moment that is "now" and the zone come from the caller. JSON never passes through here.
Paths inside records may come from any system, and are data.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from msgspec import Struct

LONGEST = 200
_API_ERROR = re.compile(r"API Error: \d+ \{")


def to_one_line(text: str, longest: int = LONGEST) -> str:
    """Set a text on one line of bounded length."""
    line = " ".join(text[: longest * 4].split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def is_title(summary: str) -> bool:
    """Tell whether a summary can name a session; old clients kept errors of the API as such."""
    return bool(summary.strip()) and not _API_ERROR.match(summary)


def choose_excerpt(title: str, first: str, last: str) -> str:
    """Choose words by which a session is known besides its title; empty where there are none.

    Of two sessions that are both called "Commit it" the first prompts tell which is which.
    """
    said = title.rstrip("…")
    if first and not first.startswith(said):
        return first
    return last if last and not last.startswith(said) else ""


MISSING: Final = "-"
_MOST_FOLDERS: Final = 100
"""No person tells files apart by more folders; what a record says was written may be anything."""
_WEEK: Final = 6
_MINUTE: Final = 60
_NEARLY: Final = timedelta(seconds=_MINUTE)
_HOUR: Final = 3_600
_DAY: Final = 86_400


class TimeFormat(Struct, frozen=True):
    """How a locale writes days, months and the hour, and the zone they are told in.

    Without a `zone` times are told in the machine's, with the summer time that held then.
    """

    weekdays: tuple[str, ...] = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months: tuple[str, ...] = (
        *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
        *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    )
    twelve_hours: bool = False
    whole_weekdays: tuple[str, ...] = (
        *("Monday", "Tuesday", "Wednesday", "Thursday"),
        *("Friday", "Saturday", "Sunday"),
    )
    whole_months: tuple[str, ...] = (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    )
    zone: tzinfo | None = None


ENGLISH: Final = TimeFormat()


def format_count(number: int) -> str:
    """Write a count: in full under 10,000, then 12.9k, 1.90M."""
    return f"{number:,}" if number < 10_000 else _format_short(number, decimals_below=1_000_000)


def format_tokens(number: int) -> str:
    """Write tokens: 950, 2.1k, 62k, 1.90M."""
    return f"{number}" if number < 1_000 else _format_short(number, decimals_below=9_950)


def format_steps(number: int) -> str:
    """Write a count with its word: 1 step, 31 steps."""
    return format_plural(number, "step")


def format_plural(number: int, word: str, many: str | None = None) -> str:
    """Write a count and the thing counted, in the right number."""
    return f"{format_count(number)} {word if number == 1 else many or word + 's'}"


def format_cost(usd: float | None, *, partly_unknown: bool = False, in_table: bool = False) -> str:
    """Write a cost in dollars; None is a cost whose price nobody told."""
    if usd is None or (partly_unknown and usd <= 0):
        return "no price"
    if usd <= 0:
        return MISSING if in_table else "$0.00"
    # Rounded first: $999.996 is a thousand, and a thousand has no cents.
    text = f"${usd:,.0f}" if round(usd, 2) >= 1_000 else f"${usd:.2f}"
    text = "<$0.01" if usd < 0.01 else text
    return f"{text} +?" if partly_unknown else text


def format_cost_and_copies(own: str, copied_usd: float | None) -> str:
    """Write beside what a session spent itself what it only has copies of, where that cost."""
    if not copied_usd or copied_usd <= 0:
        return own
    words = f"{format_cost(copied_usd)} copied"
    return f"{own}, and {words}" if own not in ("", MISSING) else words


def format_percent(part: float) -> str:
    """Write a share as whole percent; nearly none and nearly all are not rounded away."""
    if 0 < part < 0.01:
        return "<1%"
    if 0.99 < part < 1:
        return ">99%"
    return f"{part * 100:.0f}%"


def format_size(number: int) -> str:
    """Write a size: 512 B, 4.1 kB, 1.1 MB, 41 MB."""
    if number < 1_000:
        return f"{number} B"
    value = float(number)
    for unit in ("kB", "MB", "GB"):
        value /= 1_000
        if value < 9.95:
            return f"{value:.1f} {unit}"
        if value < 999.5:
            return f"{value:.0f} {unit}"
    return f"{value / 1_000:.1f} TB"


def format_changes(added: int, removed: int) -> str:
    """Write the lines an edit added and removed, with a true minus sign."""
    return f"+{format_count(added)} \N{MINUS SIGN}{format_count(removed)}"


def format_duration(seconds: float | None) -> str:
    """Write how long something took: 38 ms, 4.2 s, 1 min 52 s, 2 h 14 min, 3 d 4 h."""
    if seconds is None or seconds < 0:
        return MISSING
    if seconds < 9.95:
        return f"{seconds * 1_000:.0f} ms" if seconds < 0.0995 else f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return _format_two_units(whole // _MINUTE, "min", whole % _MINUTE, "s")
    minutes = round(seconds / _MINUTE)
    if minutes < _DAY // _MINUTE:
        return _format_two_units(minutes // 60, "h", minutes % 60, "min")
    hours = round(seconds / _HOUR)
    return _format_two_units(hours // 24, "d", hours % 24, "h")


def format_age(seconds: float) -> str:
    """Write how long something has lasted, for what ticks: now, 4 min, 2 h, 3 d."""
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)} h"
    return f"{int(seconds // _DAY)} d"


def format_elapsed(seconds: float) -> str:
    """Write a running clock: 0:14, 12:03, 1:02:03; from a day on in days, 60 d 11 h."""
    whole = max(0, int(seconds))
    if whole >= _DAY:
        return format_duration(whole)
    hours, minutes = divmod(whole // _MINUTE, 60)
    if hours:
        return f"{hours}:{minutes:02}:{whole % _MINUTE:02}"
    return f"{minutes}:{whole % _MINUTE:02}"


def format_moment(
    at: datetime | None, now: datetime, zone: tzinfo | None = None, words: TimeFormat = ENGLISH
) -> str:
    """Write a moment by its distance: 14:38, Tue 16:20, 9 Nov, 2025-11-09.

    Both times carry their zone. Without a zone they are shown in that of the words, or in the
    machine's, with the summer time that held at each of them.
    """
    if at is None:
        return MISSING
    zone = zone or words.zone
    return _format_local(at.astimezone(zone), _local_date_of(now, zone), words)


def _format_local(local: datetime, today: date, words: TimeFormat) -> str:
    days = (today - local.date()).days
    if days == 0:
        return _format_clock(local, words)
    if 0 < days <= _WEEK:
        return f"{words.weekdays[local.weekday()]} {_format_clock(local, words)}"
    return _format_day(local.date(), today, words)


def format_clock(
    at: datetime,
    zone: tzinfo | None = None,
    words: TimeFormat = ENGLISH,
    *,
    seconds: bool = False,
) -> str:
    """Write the time of day of a moment whose day is known: 14:38, or 14:38:05."""
    return _format_clock(at.astimezone(zone or words.zone), words, seconds=seconds)


def find_day(at: datetime, words: TimeFormat = ENGLISH) -> date:
    """Find the day of a moment, in the zone of the words."""
    return at.astimezone(words.zone).date()


def format_day_line(day: date, today: date | None, words: TimeFormat = ENGLISH) -> str:
    """Write a day in full: Tuesday 4 March, and the year where it is not this one."""
    year = "" if today is not None and day.year == today.year else f" {day.year}"
    return (
        f"{words.whole_weekdays[day.weekday()]} {day.day} {words.whole_months[day.month - 1]}{year}"
    )


def format_recent_moment(
    at: datetime | None, now: datetime, zone: tzinfo | None = None, words: TimeFormat = ENGLISH
) -> str:
    """Write a moment for a list in which the newest says "now" for its first minute."""
    if at is not None and abs((now - at).total_seconds()) < _MINUTE:
        return "now"
    return format_moment(at, now, zone, words)


def format_recent_moments(
    moments: Iterable[datetime | None], now: datetime, words: TimeFormat = ENGLISH
) -> list[str]:
    """Write the moments of a list as `format_recent_moment` does, and look once what day it is."""
    today, since, until = _local_date_of(now, words.zone), now - _NEARLY, now + _NEARLY
    return [
        MISSING
        if at is None
        else "now"
        if since < at < until
        else _format_local(at.astimezone(words.zone), today, words)
        for at in moments
    ]


def _local_date_of(now: datetime, zone: tzinfo | None) -> date:
    return now.astimezone(zone).date()


def _format_short(number: int, decimals_below: int) -> str:
    """Write a large number with its unit; limits lie where rounding reaches the next form."""
    if number < min(decimals_below, 999_950):
        return f"{number / 1_000:.1f}k"
    if number < 999_500:
        return f"{number / 1_000:.0f}k"
    value, unit = (number / 1e6, "M") if number < 999_500_000 else (number / 1e9, "B")
    if value < 9.995:
        return f"{value:.2f}{unit}"
    return f"{value:.1f}{unit}" if value < 99.95 else f"{value:,.0f}{unit}"


def _format_two_units(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large} {large_unit}" + (f" {small} {small_unit}" if small else "")


def _format_clock(local: datetime, words: TimeFormat, *, seconds: bool = False) -> str:
    rest = f"{local.minute:02}:{local.second:02}" if seconds else f"{local.minute:02}"
    if words.twelve_hours:
        return f"{local.hour % 12 or 12}:{rest} {'AM' if local.hour < 12 else 'PM'}"
    return f"{local.hour:02}:{rest}"


def _format_day(day: date, today: date, words: TimeFormat) -> str:
    if day.year == today.year:
        return f"{day.day} {words.months[day.month - 1]}"
    return day.isoformat()


def base_name_of(path: str) -> str:
    """Give the last part of a path of any system."""
    windows = "\\" in path and not path.startswith("/")
    parts = path.replace("\\", "/") if windows else path
    return parts.rstrip("/").rpartition("/")[2] or path


def shorten_apart(paths: Sequence[str]) -> list[str]:
    """Give each path by its name, with as many folders before it as tell its namesakes apart."""
    parts = [path.replace("\\", "/").strip("/").split("/")[-_MOST_FOLDERS:] for path in paths]
    depths = [1] * len(parts)
    while True:
        ends = ["/".join(one[-depth:]) for one, depth in zip(parts, depths, strict=True)]
        shared = Counter(ends)
        longer = [
            depth + (shared[end] > 1 and depth < len(one))
            for one, depth, end in zip(parts, depths, ends, strict=True)
        ]
        if longer == depths:
            return ends
        depths = longer
