"""The ledger: counted calls added up under keys, and priced.

A hundred thousand calls are priced in sums: rates are per token, so the price of a sum is
the sum of the prices. Only calls for which that is not so, fast ones and those longer than
a model's usual context, are priced one by one. Either way the result is exact; dollars as
floats appear only where numbers leave the program.
"""

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bough.model.books import Book, Entry, Reported
from bough.model.pricelist import PriceList, price_of
from bough.model.prices import Price
from bough.model.pricing import TokenCounts, cost, usd

FAST = "fast"

K = TypeVar("K", bound=Hashable)
_Sums = list[int]
_FIELDS = 7
"""Calls, input, output, cache writes, cache reads, writes for an hour, web searches."""


class Amount(Struct, frozen=True):
    """What some calls used and cost, in picodollars.

    `unpriced` counts the calls of models without a price. It is `incomplete` when something
    else has none: a web search or fast mode.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_read_tokens: int = 0
    cost: int = 0
    unpriced: int = 0
    incomplete: bool = False

    @property
    def tokens(self) -> int:
        """Count all tokens, cached ones included."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_creation_tokens
            + self.cache_read_tokens
        )

    @property
    def cost_usd(self) -> float:
        """Give the cost in dollars, rounded to the nearest float."""
        return usd(self.cost)

    @property
    def partly_unknown(self) -> bool:
        """Tell whether something in it has no price."""
        return self.incomplete or self.unpriced > 0

    def __add__(self, other: "Amount") -> "Amount":
        """Add two amounts."""
        return Amount(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_creation_tokens + other.cache_creation_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cost + other.cost,
            self.unpriced + other.unpriced,
            self.incomplete or other.incomplete,
        )


NOTHING = Amount()

KeyOf = Callable[[Book, Reported], K]


def tally(
    calls: Iterable[Entry], key_of: KeyOf[K], prices: PriceList
) -> dict[K, dict[str, Amount]]:
    """Add calls up by key and model."""
    sums: dict[tuple[K, str], _Sums] = {}
    odd: dict[tuple[K, str], list[Reported]] = {}
    limits: dict[str, int | None] = {}
    for book, line in calls:
        model = line.model
        key = (key_of(book, line), model)
        have = sums.get(key)
        if have is None:
            have = sums[key] = [0] * _FIELDS
            if model not in limits:
                limits[model] = _usual_length(price_of(model, prices))
        have[0] += 1
        have[1] += line.input_tokens
        have[2] += line.output_tokens
        have[3] += line.cache_creation_tokens
        have[4] += line.cache_read_tokens
        have[5] += line.cache_creation_1h_tokens
        have[6] += line.web_searches
        limit = limits[model]
        if line.speed == FAST or (limit is not None and line.total > limit):
            odd.setdefault(key, []).append(line)
    found: dict[K, dict[str, Amount]] = {}
    for (name, model), have in sums.items():
        price = price_of(model, prices)
        found.setdefault(name, {})[model] = _amount(have, price, odd.get((name, model), ()))
    return found


def amount_of(line: Reported, prices: PriceList) -> Amount:
    """Price one call."""
    return _amount(_sums_of([line]), price_of(line.model, prices), [line])


def counts_of(line: Reported) -> TokenCounts:
    """Give what a call used in the words of `bough.model.pricing`."""
    return _counts(_sums_of([line]), fast=line.speed == FAST)


@contextmanager
def at_rest() -> Iterator[None]:
    """Let nobody look for cycles meanwhile: there are none among a million small values."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _usual_length(price: Price | None) -> int | None:
    """Give the length up to which every token of a call has one rate; None: there is no end."""
    return price.tier.above if price is not None and price.tier is not None else None


def _amount(have: _Sums, price: Price | None, odd: Iterable[Reported]) -> Amount:
    calls, given, out, writes, reads = have[:5]
    if price is None:
        unpriced = calls if given or out or writes or reads else 0
        return Amount(calls, given, out, writes, reads, unpriced=unpriced)
    odd = list(odd)
    taken = _sums_of(odd)
    flat = replace(price, tier=None) if price.tier is not None else price
    usual = cost(_counts([a - b for a, b in zip(have, taken, strict=True)]), flat)
    costs = [cost(counts_of(line), price) for line in odd] if odd else []
    picodollars = usual.total + sum(one.total for one in costs)
    incomplete = not usual.complete or not all(one.complete for one in costs)
    return Amount(calls, given, out, writes, reads, picodollars, incomplete=incomplete)


def _sums_of(lines: Iterable[Reported]) -> _Sums:
    found = [0] * _FIELDS
    for line in lines:
        for place, number in enumerate(
            (
                1,
                line.input_tokens,
                line.output_tokens,
                line.cache_creation_tokens,
                line.cache_read_tokens,
                line.cache_creation_1h_tokens,
                line.web_searches,
            )
        ):
            found[place] += number
    return found


def _counts(have: _Sums, *, fast: bool = False) -> TokenCounts:
    _, given, out, writes, reads, hour, searches = have
    return TokenCounts(given, out, writes - hour, hour, reads, searches, fast)
