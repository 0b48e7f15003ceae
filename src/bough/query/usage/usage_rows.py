"""Rows of usage reports: amounts under a key, in the order of their cost."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from bough.model.usage.costs import NO_USAGE, UsageTotal

Json = dict[str, object]


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
    # Nearly all sessions have one model.
    return found[0] if len(found) == 1 else sum(found, NO_USAGE)


def _sort_weight(amount: UsageTotal) -> tuple[int, int]:
    return -amount.cost.picodollars, -amount.tokens
