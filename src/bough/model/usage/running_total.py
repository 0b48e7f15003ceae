"""What a session cost so far, counted as its lines come.

The rules are those of `bough.model.usage.tokens`: one API call is many lines and the largest
snapshot counts. Here nobody waits for the end of the file, so a better snapshot takes the
place of the one before. Only the newest calls are remembered, because the lines of one
call stand close together; so memory stays small, however long a session is watched.
"""

from bough.model.usage.cost_allocator import price_call
from bough.model.usage.costs import NO_COST, Cost, UsageTotal
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.tokens import MAIN, UsageSnapshot

REMEMBERED = 32
"""So many calls are remembered at least while a session is watched; a whole file needs all."""


class RunningCost:
    """Adds up calls."""

    def __init__(self, prices: PriceList = PRICES, remembered: int = REMEMBERED) -> None:
        self._prices = prices
        self._remembered = remembered
        self._recent_calls: dict[int, tuple[bool, int, int]] = {}
        self._older_calls: dict[int, tuple[bool, int, int]] = {}
        self._calls = 0
        self._own = NO_COST
        self._copied = NO_COST

    @property
    def total(self) -> UsageTotal:
        """Give what was spent so far; tokens are not counted here."""
        return UsageTotal(self._calls, cost=self._own, copied=self._copied)

    def add(self, line: UsageSnapshot) -> None:
        """Count a line, or let it take the place of a smaller one of the same call."""
        key = hash(line.message_id or (line.offset, line.uuid))
        main = line.rank == MAIN
        known = self._recent_calls.get(key) or self._older_calls.get(key)
        if known is None:
            self._calls += line.origin is None
            if len(self._recent_calls) >= self._remembered:
                self._older_calls, self._recent_calls = self._recent_calls, {}
        elif (main, line.tokens.total) <= known[:2]:
            return
        priced = price_call(line, self._prices)
        cost = priced.cost + priced.copied  # of one call, one of them is nothing
        grown = cost.picodollars - (0 if known is None else known[2])
        if line.origin is None:
            self._own += Cost(grown, cost.unpriced)
        else:
            self._copied += Cost(grown, cost.unpriced)
        self._recent_calls[key] = (main, line.tokens.total, cost.picodollars)
