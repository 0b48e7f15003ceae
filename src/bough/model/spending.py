"""What a session cost so far, counted as its lines come.

The rules are those of `bough.model.usage`: one API call is many lines and the largest
snapshot counts. Here nobody waits for the end of the file, so a better snapshot takes the
place of the one before. Only the newest calls are remembered, because the lines of one
call stand close together; so memory stays small, however long a session is watched.
"""

from msgspec import Struct

from bough.model.pricelist import PRICES, PriceList, price_of
from bough.model.pricing import TokenCounts, cost
from bough.model.usage import Snapshot

_STRETCH = 2_048


class Spent(Struct, frozen=True):
    """A sum in picodollars; not `complete` where something used has no price."""

    picodollars: int = 0
    complete: bool = True
    calls: int = 0


class Spending:
    """Adds up calls."""

    def __init__(self, prices: PriceList = PRICES) -> None:
        self._prices = prices
        self._calls: dict[str, Snapshot] = {}
        self._before: dict[str, Snapshot] = {}
        self._sum = 0
        self._complete = True
        self._count = 0

    @property
    def total(self) -> Spent:
        """Give what was spent so far."""
        return Spent(self._sum, self._complete, self._count)

    def add(self, line: Snapshot) -> None:
        """Count a line, or let it take the place of a smaller one of the same call."""
        key = line.message_id or f"{line.offset}:{line.uuid}"
        known = self._calls.get(key) or self._before.get(key)
        if known is None:
            self._count += 1
            if len(self._calls) >= _STRETCH:
                self._before, self._calls = self._calls, {}
        elif (line.rank, line.tokens.total) <= (known.rank, known.tokens.total):
            return
        else:
            self._sum -= self._cost(known)
        self._calls[key] = line
        self._sum += self._cost(line)

    def _cost(self, line: Snapshot) -> int:
        price = price_of(line.model, self._prices)
        if price is None:
            self._complete = False
            return 0
        tokens = line.tokens
        found = cost(
            TokenCounts(
                input=tokens.input_tokens,
                output=tokens.output_tokens,
                cache_write_5m=tokens.cache_creation_tokens - tokens.cache_creation_1h_tokens,
                cache_write_1h=tokens.cache_creation_1h_tokens,
                cache_read=tokens.cache_read_tokens,
                web_searches=tokens.web_searches,
                fast=line.speed == "fast",
            ),
            price,
        )
        self._complete = self._complete and found.complete
        return found.total
