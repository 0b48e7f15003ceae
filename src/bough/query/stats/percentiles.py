"""How durations spread: the middle one, and the one that nineteen of twenty stay under."""

from array import array
from collections.abc import Sequence
from datetime import datetime
from math import ceil, fsum

from msgspec import Struct


class Percentiles(Struct, frozen=True):
    """The 50th and the 95th percentile, in milliseconds; None where nothing was measured."""

    p50_ms: float | None = None
    p95_ms: float | None = None


class Durations(Struct, array_like=True):
    """Milliseconds, packed: half a million of them are added up at once."""

    packed: bytearray

    def __len__(self) -> int:
        return len(self.packed) // _DOUBLE

    def add(self, duration_ms: float) -> None:
        """Take in one more."""
        self.packed += array("d", (duration_ms,)).tobytes()

    def merge(self, other: "Durations") -> None:
        """Take in all of another."""
        self.packed += other.packed

    def find_percentiles(self) -> Percentiles:
        """Find the percentiles of all."""
        return find_percentiles(self._unpack())

    def total(self) -> float:
        """Add all up; in which order they came makes no difference."""
        return fsum(self._unpack())

    def _unpack(self) -> "array[float]":
        return array("d", bytes(self.packed))


_DOUBLE = array("d").itemsize


def no_durations() -> Durations:
    """Begin with none."""
    return Durations(bytearray())


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
