"""Times as the clients write them: UTC, milliseconds, a Z at the end."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

_BEGINNING = "1970-01-01T00:00:00.000Z"


def stamp(moment: datetime) -> str:
    """Write a moment as the clients do."""
    utc = moment.astimezone(UTC)
    return utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03d}Z"


def moment(text: str | None) -> datetime | None:
    """Read a time; None where it is none."""
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def newest(times: Iterable[str | None]) -> datetime | None:
    """Find the newest of some times, leaving out what is none."""
    return max((found for text in times if (found := moment(text))), default=None)


def after(times: Iterable[str | None], now: str | None = None) -> str:
    """Give a time later than all others: `now` where it is, else a millisecond more."""
    latest, present = newest(times), moment(now)
    if present is not None and (latest is None or present > latest):
        return now or _BEGINNING
    if latest is None:
        return _BEGINNING
    return stamp(latest + timedelta(milliseconds=1))
