"""When something happened, by quarter of an hour of UTC: each lies in one hour of every zone."""

from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache

from msgspec import Struct, field

from bough.store.stats_protocol import IndexedAnswer, IndexedPrompt

_MINUTE = len("2026-11-15T14:38")
_QUARTERS_A_DAY = 96
_QUARTER_MINUTES = 15
_KNOWN_MINUTES = 4096


class ActivitySum(Struct, array_like=True):
    """How often something was said or answered, by quarter of an hour."""

    quarters: dict[int, int] = field(default_factory=dict)

    def add(self, moment: IndexedAnswer | IndexedPrompt) -> None:
        """Take in one moment; what is no time counts nowhere."""
        quarter = _find_quarter((moment.timestamp or "")[:_MINUTE])
        if quarter is not None:
            self.quarters[quarter] = self.quarters.get(quarter, 0) + 1

    def merge(self, other: "ActivitySum") -> None:
        """Take in the moments of another sum."""
        for quarter, number in other.quarters.items():
            self.quarters[quarter] = self.quarters.get(quarter, 0) + number


@lru_cache(_KNOWN_MINUTES)
def _find_quarter(minute: str) -> int | None:
    """Number the quarters of an hour since the first day of the first year."""
    try:
        moment = datetime.fromisoformat(f"{minute}+00:00")
    except (ValueError, OverflowError):
        return None
    quarter = (moment.hour * 60 + moment.minute) // _QUARTER_MINUTES
    return moment.toordinal() * _QUARTERS_A_DAY + quarter


def find_local_hour(quarter: int, zone: tzinfo) -> tuple[date, int] | None:
    """Find the day and the hour of a quarter in a zone."""
    day, place = divmod(quarter, _QUARTERS_A_DAY)
    hour, part = divmod(place * _QUARTER_MINUTES, 60)
    try:
        moment = datetime.combine(date.fromordinal(day), time(hour, part), UTC)
        local = moment.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None
    return local.date(), local.hour
