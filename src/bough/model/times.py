"""Times: what a client wrote, as ISO-8601 in UTC, or nothing.

Every client writes `2026-01-05T09:00:00.000Z`. Other tools edit the files, so anything may
stand there; what is no time is left out, because lists are sorted by these texts.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from bough.records.record import Record

_USUAL = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z")


def utc(text: str | None) -> str | None:
    """Give a time in UTC with milliseconds; None where the text is no time."""
    if text is None or _USUAL.fullmatch(text):
        return text
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def first_and_last(records: Iterable[Record]) -> tuple[str | None, str | None]:
    """Give the oldest and the newest time of some records."""
    written = {record.timestamp for record in records}
    times = [time for text in written if (time := utc(text)) is not None]
    return min(times, default=None), max(times, default=None)
