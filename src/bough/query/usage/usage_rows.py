"""Rows of usage reports: amounts under a key, in the order of their cost."""

from collections.abc import Iterable, Mapping
from operator import attrgetter

from msgspec import Struct

from bough.model.usage.costs import NO_USAGE, Cost, UsageTotal

Json = dict[str, object]
_MANY = 16
_numbers = attrgetter(
    "calls",
    "input_tokens",
    "output_tokens",
    "cache_creation_tokens",
    "cache_read_tokens",
    "unpriced_calls",
    "cost.picodollars",
    "copied.picodollars",
)


class UsageRow(Struct, frozen=True):
    """One line of a report.

    `models` has the amount of each model, the costliest first; `by` those of the breakdown
    that was asked for. `about` holds what only this kind of report has, `label` what a person
    would call the key. `path` is what a branch used from the start on.
    """

    key: str
    amount: UsageTotal
    models: dict[str, UsageTotal]
    by: dict[str, UsageTotal] = {}
    about: Json = {}
    label: str | None = None
    path: UsageTotal | None = None


def sort_rows(rows: Iterable[UsageRow]) -> list[UsageRow]:
    """Sort rows by cost, then by tokens, then by key."""
    return sorted(rows, key=lambda row: (*_sort_weight(row.amount), row.key))


def sort_by_cost(amounts: Mapping[str, UsageTotal]) -> dict[str, UsageTotal]:
    """Sort by cost, then by tokens, then by name."""
    if len(amounts) < 2:
        return dict(amounts)
    names = sorted(amounts, key=lambda name: (*_sort_weight(amounts[name]), name))
    return {name: amounts[name] for name in names}


def sum_amounts(amounts: Iterable[UsageTotal]) -> UsageTotal:
    """Add amounts up."""
    found = list(amounts)
    if len(found) < _MANY:
        # Nearly all sessions have one model.
        return found[0] if len(found) == 1 else sum(found, NO_USAGE)
    # Fast path: the total of a report with a row for each of 10,000 sessions, a fifth of the time.
    numbers = map(sum, zip(*map(_numbers, found), strict=True))
    calls, given, out, writes, reads, unpriced, picodollars, copied = numbers
    cost = Cost(picodollars, frozenset().union(*{one.cost.unpriced for one in found}))
    copies = Cost(copied, frozenset().union(*{one.copied.unpriced for one in found}))
    return UsageTotal(calls, given, out, writes, reads, cost, unpriced, copies)


def _sort_weight(amount: UsageTotal) -> tuple[int, int]:
    return -amount.cost.picodollars, -amount.tokens
