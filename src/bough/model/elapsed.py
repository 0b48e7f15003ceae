"""Moments and the time between two of them, from what the clients wrote."""

from datetime import UTC, datetime

from bough.model.times import utc


def moment_of(text: str | None) -> datetime | None:
    """Read a time; None where the text is none."""
    written = utc(text)
    if written is None:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def seconds_between(first: str | None, last: str | None) -> float | None:
    """Measure from one time to another; None where one is missing or they go backwards."""
    start, end = moment_of(first), moment_of(last)
    if start is None or end is None or end < start:
        return None
    return (end - start).total_seconds()
