"""What a session cost so far, counted as its lines come.

The rules are those of `bough.model.usage`: one API call is many lines and the largest
snapshot counts. Here nobody waits for the end of the file, so a better snapshot takes the
place of the one before. Only the newest calls are remembered, because the lines of one
call stand close together; so memory stays small, however long a session is watched.
"""

from bough.model.bills import NOTHING, Bill, bill_of
from bough.model.pricelist import PRICES, PriceList
from bough.model.usage import Snapshot, Tokens

_STRETCH = 256


class Tally:
    """Adds up calls."""

    def __init__(self, prices: PriceList = PRICES) -> None:
        self._prices = prices
        self._calls: dict[str, Snapshot] = {}
        self._before: dict[str, Snapshot] = {}
        self.bill = NOTHING

    def add(self, line: Snapshot) -> None:
        """Count a line, or let it take the place of a smaller one of the same call."""
        key = line.message_id or f"{line.offset}:{line.uuid}"
        known = self._calls.get(key) or self._before.get(key)
        if known is None:
            if len(self._calls) >= _STRETCH:
                self._before, self._calls = self._calls, {}
        elif (line.rank, line.tokens.total) <= (known.rank, known.tokens.total):
            return
        else:
            self.bill += _negative(bill_of(known, self._prices))
        self._calls[key] = line
        self.bill += bill_of(line, self._prices)


def _negative(bill: Bill) -> Bill:
    tokens = bill.tokens
    return Bill(
        -bill.calls,
        Tokens(
            -tokens.input_tokens,
            -tokens.output_tokens,
            -tokens.cache_creation_tokens,
            -tokens.cache_read_tokens,
            -tokens.cache_creation_1h_tokens,
            -tokens.web_searches,
        ),
        -bill.picodollars,
    )
