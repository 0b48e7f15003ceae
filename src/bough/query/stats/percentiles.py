"""How durations spread: the middle one, and the one that nineteen of twenty stay under."""

from collections.abc import Sequence
from datetime import datetime
from math import ceil

from msgspec import Struct


class Percentiles(Struct, frozen=True):
    """The 50th and the 95th percentile, in milliseconds; None where nothing was measured."""

    p50_ms: float | None = None
    p95_ms: float | None = None


def find_percentiles(durations: Sequence[float]) -> Percentiles:
    """Find the percentiles; each is one of the durations, never a value in between."""
    if not durations:
        return Percentiles()
    ordered = sorted(durations)
    return Percentiles(_percentile(ordered, 0.50), _percentile(ordered, 0.95))


def milliseconds_between(started: str | None, ended: str | None) -> float | None:
    """Give the milliseconds between two moments; None where they cannot be told."""
    if started is None or ended is None:
        return None
    try:
        passed = (datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds()
    except (ValueError, TypeError):
        return None
    return passed * 1000 if passed >= 0 else None


def later_of(one: str | None, other: str | None) -> str | None:
    """Give the later of two moments, either of which may be missing."""
    if one is None or other is None:
        return one or other
    return max(one, other)


def _percentile(ordered: Sequence[float], share: float) -> float:
    return round(ordered[ceil(share * len(ordered)) - 1], 3)
