"""What a session cost so far, counted as its lines come.

The rules are those of `bough.model.usage.tokens`: one API call is many lines and the largest
snapshot counts. Here nobody waits for the end of the file, so a better snapshot takes the
place of the one before. Only the newest calls are remembered, because the lines of one
call stand close together; so memory stays small, however long a session is watched.
"""

from msgspec import Struct

from bough.model.usage.call_cost import usd
from bough.model.usage.costs import price_call
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.tokens import UsageSnapshot

REMEMBERED = 32
"""So many calls are remembered at least while a session is watched; a whole file needs all."""


class RunningTotal(Struct, frozen=True):
    """What calls cost; not `complete` where something in it has no price."""

    calls: int = 0
    picodollars: int = 0
    complete: bool = True

    @property
    def usd(self) -> float | None:
        """Give the cost in dollars; None where nothing in it has a price."""
        return None if not self.complete and not self.picodollars else usd(self.picodollars)


class RunningCost:
    """Adds up calls."""

    def __init__(self, prices: PriceList = PRICES, remembered: int = REMEMBERED) -> None:
        self._prices = prices
        self._remembered = remembered
        self._recent_calls: dict[int, tuple[int, int, int]] = {}
        self._older_calls: dict[int, tuple[int, int, int]] = {}
        self._calls = 0
        self._picodollars = 0
        self._complete = True

    @property
    def total(self) -> RunningTotal:
        """Give what was spent so far."""
        return RunningTotal(self._calls, self._picodollars, self._complete)

    def add(self, line: UsageSnapshot) -> None:
        """Count a line, or let it take the place of a smaller one of the same call."""
        key = hash(line.message_id or (line.offset, line.uuid))
        rank, total, counted = (
            self._recent_calls.get(key) or self._older_calls.get(key) or (-1, 0, 0)
        )
        if rank < 0:
            self._calls += 1
            if len(self._recent_calls) >= self._remembered:
                self._older_calls, self._recent_calls = self._recent_calls, {}
        elif (line.rank, line.tokens.total) <= (rank, total):
            return
        bill = price_call(line, self._prices)
        self._picodollars += bill.picodollars - counted
        self._complete = self._complete and bill.complete
        self._recent_calls[key] = (line.rank, line.tokens.total, bill.picodollars)
