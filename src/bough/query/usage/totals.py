"""The ledger: counted calls added up under keys, and priced.

A hundred thousand calls are priced in sums: rates are per token, so the price of a sum is
the sum of the prices. Only calls for which that is not so, fast ones and those longer than
a model's usual context, are priced one by one. Either way the result is exact; dollars as
floats appear only where numbers leave the program.
"""

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import TypeVar

from msgspec.structs import replace

from bough.model.usage.across_files import Book, Entry, Reported
from bough.model.usage.amounts import Amount
from bough.model.usage.call_cost import TokenCounts, cost
from bough.model.usage.price_list import PriceList, price_of
from bough.model.usage.published_prices import Price

FAST = "fast"

K = TypeVar("K", bound=Hashable)
_Sums = tuple[int, int, int, int, int, int]
"""Input, output, cache writes, cache reads, writes for an hour, web searches."""

_columns: Callable[[Reported], _Sums] = attrgetter(
    "input_tokens",
    "output_tokens",
    "cache_creation_tokens",
    "cache_read_tokens",
    "cache_creation_1h_tokens",
    "web_searches",
)


KeyOf = Callable[[Book, Reported], K]


def tally(
    calls: Iterable[Entry], key_of: KeyOf[K], prices: PriceList
) -> dict[K, dict[str, Amount]]:
    """Add calls up by key and model."""
    groups: dict[tuple[K, str], list[Reported]] = {}
    for book, line in calls:
        key = (key_of(book, line), line.model)
        group = groups.get(key)
        if group is None:
            groups[key] = [line]
        else:
            group.append(line)
    found: dict[K, dict[str, Amount]] = {}
    for (name, model), lines in groups.items():
        found.setdefault(name, {})[model] = _amount(lines, price_of(model, prices))
    return found


def amount_of(line: Reported, prices: PriceList) -> Amount:
    """Price one call."""
    return _amount([line], price_of(line.model, prices))


def counts_of(line: Reported) -> TokenCounts:
    """Give what a call used in the words of `bough.model.usage.call_cost`."""
    return _counts(_columns(line), fast=line.speed == FAST)


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


def _amount(lines: Sequence[Reported], price: Price | None) -> Amount:
    sums = _sums(lines)
    given, out, writes, reads, _, _ = sums
    calls = len(lines)
    if price is None:
        unpriced = calls if given or out or writes or reads else 0
        return Amount(calls, given, out, writes, reads, unpriced=unpriced)
    odd = [line for line in lines if _is_odd(line, price)]
    if odd:
        sums = _sums([line for line in lines if not _is_odd(line, price)])
    flat = replace(price, tier=None) if price.tier is not None else price
    costs = [cost(_counts(sums), flat), *(cost(counts_of(line), price) for line in odd)]
    return Amount(
        calls,
        given,
        out,
        writes,
        reads,
        sum(one.total for one in costs),
        incomplete=not all(one.complete for one in costs),
    )


def _is_odd(line: Reported, price: Price) -> bool:
    """Tell whether a call's price is not just tokens times rates."""
    return line.speed == FAST or (price.tier is not None and line.total > price.tier.above)


def _sums(lines: Sequence[Reported]) -> _Sums:
    if len(lines) < 2:
        return _columns(lines[0]) if lines else (0, 0, 0, 0, 0, 0)
    given, out, writes, reads, hour, searches = map(sum, zip(*map(_columns, lines), strict=True))
    return given, out, writes, reads, hour, searches


def _counts(sums: _Sums, *, fast: bool = False) -> TokenCounts:
    given, out, writes, reads, hour, searches = sums
    return TokenCounts(given, out, writes - hour, hour, reads, searches, fast)
