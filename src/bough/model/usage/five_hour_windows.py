"""Five-hour blocks: the windows in which Claude's limits are counted.

A block begins at the full hour (UTC) of its first call and lasts five hours. A call later
than that, or more than five hours after the call before it, begins the next block; in the
second case the silence in between is a block of its own, a gap. This is an estimate: the
files do not say when the provider's window really began. Calls of different accounts must
not be mixed here, which the caller knows and this module cannot.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from msgspec import Struct

WINDOW_LENGTH = timedelta(hours=5)


class PricedCall(Struct, frozen=True, gc=False):
    """One call: when, what it used, and what it cost in picodollars.

    Or several within a quarter of an hour, then `at` is when the first was made and `last` when
    the last was.
    """

    at: datetime
    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0
    cost: int = 0
    model: str = ""
    calls: int = 1
    last: datetime | None = None


class UsageWindow(Struct, frozen=True):
    """A block, or the gap between two. `first` and `last` are calls; a gap has none.

    `parts` are the values it was made of: calls, or several together.
    """

    start: datetime
    end: datetime
    first: datetime | None = None
    last: datetime | None = None
    calls: int = 0
    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0
    cost: int = 0
    models: tuple[str, ...] = ()
    parts: int = 0

    @property
    def is_gap(self) -> bool:
        """Tell whether nothing happened in it."""
        return self.first is None

    @property
    def tokens(self) -> int:
        """Count all tokens, cached ones included."""
        return self.input + self.output + self.cache_write + self.cache_read

    def is_active(self, now: datetime) -> bool:
        """Tell whether it still runs: not over, and its last call no five hours ago."""
        return self.last is not None and now - self.last < WINDOW_LENGTH and now < self.end


class BurnRate(Struct, frozen=True):
    """How fast a block is used up, between its first and its last call."""

    tokens_per_minute: float
    uncached_per_minute: float
    cost_per_hour: float
    """In picodollars."""


class WindowProjection(Struct, frozen=True):
    """Where an active block ends if it goes on like this; cost in picodollars."""

    minutes_left: float
    tokens: int
    cost: int


def split_into_windows(
    calls: Iterable[PricedCall], length: timedelta = WINDOW_LENGTH
) -> list[UsageWindow]:
    """Cut calls into blocks and gaps, oldest first; the order of the calls does not matter."""
    return list(_iter_windows(sorted(calls, key=lambda call: call.at), length))


def measure_burn_rate(block: UsageWindow) -> BurnRate | None:
    """Measure how fast a block was used; None for a gap or a single moment."""
    if block.first is None or block.last is None or block.first == block.last:
        return None
    minutes = (block.last - block.first) / timedelta(minutes=1)
    return BurnRate(
        block.tokens / minutes,
        (block.input + block.output) / minutes,
        block.cost / minutes * 60,
    )


def project_window(block: UsageWindow, now: datetime) -> WindowProjection | None:
    """Project an active block to its end; None when it is over or has no speed yet."""
    speed = measure_burn_rate(block)
    if speed is None or not block.is_active(now):
        return None
    minutes = (block.end - now) / timedelta(minutes=1)
    return WindowProjection(
        minutes,
        round(block.tokens + speed.tokens_per_minute * minutes),
        round(block.cost + speed.cost_per_hour * minutes / 60),
    )


def _iter_windows(calls: list[PricedCall], length: timedelta) -> Iterator[UsageWindow]:
    current: list[PricedCall] = []
    start = last = datetime.min.replace(tzinfo=UTC)
    for call in calls:
        if current and (call.at - start > length or call.at - last > length):
            yield _build_window(start, current, length)
            if call.at - last > length:
                yield UsageWindow(last + length, call.at)
            current = []
        if not current:
            start = call.at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
            last = call.at
        current.append(call)
        last = max(last, call.last or call.at)
    if current:
        yield _build_window(start, current, length)


def _build_window(start: datetime, calls: list[PricedCall], length: timedelta) -> UsageWindow:
    return UsageWindow(
        start,
        start + length,
        calls[0].at,
        max(call.last or call.at for call in calls),
        sum(call.calls for call in calls),
        sum(call.input for call in calls),
        sum(call.output for call in calls),
        sum(call.cache_write for call in calls),
        sum(call.cache_read for call in calls),
        sum(call.cost for call in calls),
        tuple(dict.fromkeys(call.model for call in calls if call.model)),
        len(calls),
    )
