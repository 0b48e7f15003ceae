"""The ledger: counted calls added up under keys, and priced.

A hundred thousand calls are priced in sums: rates are per token, so the price of a sum is
the sum of the prices. Only calls for which that is not so, fast ones and those longer than
a model's usual context, are priced one by one. Either way the result is exact; dollars as
floats appear only where numbers leave the program. Entries are calls, or sums of calls that
were made before (`bough.model.usage.sums`); those have none of the special ones in them.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

from msgspec.structs import replace

from bough.model.usage.across_files import FileUsage, ReportedUsage
from bough.model.usage.call_cost import TokenCounts, compute_cost
from bough.model.usage.costs import Cost, UsageTotal
from bough.model.usage.price_list import PriceList, price_of
from bough.model.usage.published_prices import ModelPrice
from bough.model.usage.sums import FAST, UsageSum

CountedUsage = ReportedUsage | UsageSum
"""What one call used, or several of one model together."""
LedgerEntry = tuple[FileUsage, CountedUsage]
"""What calls used, and whose they are."""

K = TypeVar("K", bound=Hashable)
_Sums = tuple[int, int, int, int, int, int]
"""Input, output, cache writes, cache reads, writes for an hour, web searches."""

_columns: Callable[[CountedUsage], _Sums] = attrgetter(
    "input_tokens",
    "output_tokens",
    "cache_creation_tokens",
    "cache_read_tokens",
    "cache_creation_1h_tokens",
    "web_searches",
)


_NONE: frozenset[str] = frozenset()
KeyOf = Callable[[FileUsage, CountedUsage], K]


def sum_by_key(
    calls: Iterable[LedgerEntry], key_of: KeyOf[K], prices: PriceList
) -> dict[K, dict[str, UsageTotal]]:
    """Add calls up by key and model."""
    groups: dict[tuple[K, str], list[CountedUsage]] = {}
    for usage, line in calls:
        key = (key_of(usage, line), line.model)
        group = groups.get(key)
        if group is None:
            groups[key] = [line]
        else:
            group.append(line)
    found: dict[K, dict[str, UsageTotal]] = {}
    known = {model: price_of(model, prices) for model in {model for _, model in groups}}
    for (name, model), lines in groups.items():
        found.setdefault(name, {})[model] = _price_lines(lines, model, known[model])
    return found


def price_call(line: CountedUsage, prices: PriceList) -> UsageTotal:
    """Price one call."""
    return _price_lines([line], line.model, price_of(line.model, prices))


def token_counts_of(line: CountedUsage) -> TokenCounts:
    """Give what a call used in the words of `bough.model.usage.call_cost`."""
    return _token_counts(_columns(line), fast=line.speed == FAST)


def _price_lines(lines: Sequence[CountedUsage], model: str, price: ModelPrice | None) -> UsageTotal:
    sums = _sum_columns(lines)
    given, out, writes, reads, _, _ = sums
    calls = sum(line.calls for line in lines)
    if price is None:
        unpriced = calls if given or out or writes or reads else 0
        cost = Cost(0, frozenset({model}) if unpriced else frozenset())
        return UsageTotal(calls, given, out, writes, reads, cost, unpriced)
    odd = [line for line in lines if _has_special_price(line, price)]
    if odd:
        sums = _sum_columns([line for line in lines if not _has_special_price(line, price)])
    flat = replace(price, tier=None) if price.tier is not None else price
    priced = compute_cost(_token_counts(sums), flat)
    for line in odd:
        priced += compute_cost(token_counts_of(line), price)
    cost = Cost(priced.total, _NONE if priced.complete else frozenset({model}))
    return UsageTotal(calls, given, out, writes, reads, cost)


def _has_special_price(line: CountedUsage, price: ModelPrice) -> bool:
    """Tell whether a call's price is not just tokens times rates; no sum of several has such."""
    if line.speed == FAST or (price.tier is not None and line.total > price.tier.above):
        return line.calls == 1
    return False


def _sum_columns(lines: Sequence[CountedUsage]) -> _Sums:
    if len(lines) < 2:
        return _columns(lines[0]) if lines else (0, 0, 0, 0, 0, 0)
    given, out, writes, reads, hour, searches = map(sum, zip(*map(_columns, lines), strict=True))
    return given, out, writes, reads, hour, searches


def _token_counts(sums: _Sums, *, fast: bool = False) -> TokenCounts:
    given, out, writes, reads, hour, searches = sums
    return TokenCounts(given, out, writes - hour, hour, reads, searches, fast)
