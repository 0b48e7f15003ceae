"""Times: what a client wrote, as ISO-8601 in UTC or as a moment, and the time between two.

Every client writes `2026-01-05T09:00:00.000Z`. Other tools edit the files, so anything may
stand there; what is no time, or no time of this century, is left out, because lists are
sorted by these texts and charts have a bar for every day.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bough.records.record import Record

_USUAL = len("2026-01-05T09:00:00.000Z")
_FIRST_YEAR, _LAST_YEAR = 2000, 2099


def to_utc(text: str | None) -> str | None:
    """Give a time in UTC with milliseconds; None where the text is no time."""
    if text is None:
        return None
    # Fast path: a time, 0.8 us instead of 0.9; every line has one, and nearly all are as usual.
    if _is_usual(text):
        try:
            year = datetime.fromisoformat(text).year
        except ValueError:
            return None
        return text if _FIRST_YEAR <= year <= _LAST_YEAR else None
    moment = parse_moment(text)
    if moment is None:
        return None
    return format_timestamp(moment)


def format_timestamp(moment: datetime) -> str:
    """Write a moment as records do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def format_timestamp_ns(moment_ns: int) -> str:
    """Write the time of a file as records do."""
    return format_timestamp(datetime.fromtimestamp(moment_ns / 1e9, UTC))


def parse_moment(text: str | None) -> datetime | None:
    """Read a time, to the millisecond; None where the text is none."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if not _is_usual(text):
            moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
            moment = moment.replace(microsecond=moment.microsecond // 1_000 * 1_000)
    except (ValueError, OverflowError):
        return None
    return moment if _FIRST_YEAR <= moment.year <= _LAST_YEAR else None


def _is_usual(text: str) -> bool:
    return len(text) == _USUAL and text[10] == "T" and text[-1] == "Z" and text.isascii()


def find_time_range(records: "Iterable[Record]") -> tuple[str | None, str | None]:
    """Give the oldest and the newest time of some records."""
    written = {record.timestamp for record in records}
    written.discard(None)
    usual: list[str] = []
    odd: list[str] = []
    for text in cast("set[str]", written):
        (usual if _is_usual(text) else odd).append(text)
    times = [time for text in odd if (time := to_utc(text)) is not None]
    # These stand in the order of time as they are: only the outermost are read.
    usual.sort()
    for among in (usual, reversed(usual)):
        outermost = next((text for text in among if to_utc(text) is not None), None)
        if outermost is not None:
            times.append(outermost)
    return min(times, default=None), max(times, default=None)


def seconds_between(first: str | None, last: str | None) -> float | None:
    """Measure from one time to another; None where one is missing or they go backwards."""
    start, end = parse_moment(first), parse_moment(last)
    if start is None or end is None or end < start:
        return None
    return (end - start).total_seconds()
