"""Time zones by name, and the machine's own.

Python has no object for "the zone of this machine" that knows the summer time of other
days; asking for the offset of now and keeping it is wrong for half of the year.
"""

import time
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bough.backports import override
from bough.errors import Misuse


class LocalZone(tzinfo):
    """The machine's own zone, with the summer time that held at each moment."""

    @override
    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """Give the offset at a local time."""
        if moment is None:
            return None
        try:
            seconds = time.mktime((*moment.timetuple()[:8], -1))
            return timedelta(seconds=time.localtime(seconds).tm_gmtoff)
        except (OverflowError, ValueError, OSError):
            return timedelta(0)

    @override
    def fromutc(self, moment: datetime) -> datetime:
        """Give the local time of a moment."""
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)

    @override
    def dst(self, moment: datetime | None) -> timedelta | None:  # noqa: ARG002 - as in tzinfo
        """Leave open how much of the offset is summer time."""
        return None

    @override
    def tzname(self, moment: datetime | None) -> str | None:  # noqa: ARG002 - as in tzinfo
        """Name the zone."""
        return "local"


def find_zone(name: str | None) -> tzinfo:
    """Find a zone by its name; the machine's own where none is given."""
    if name is None or name.lower() == "local":
        return LocalZone()
    if name.upper() in ("UTC", "Z"):
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Misuse(f"No time zone is called {name}. Names look like Europe/Prague.") from error


def identify_zone(name: str | None) -> tuple[object, ...]:
    """Tell zones apart; the machine's own may be another tomorrow."""
    if name is None or name.lower() == "local":
        return "local", time.tzname, time.timezone, time.altzone
    return (name,)
