"""Evaluating a team's budgets: what was used becomes dollars here, the database adds them up.

The prices are those of `bough usage`, with the settings of whoever asks. A call counts once for
each person, as in the sums; what two people have, after a pull, counts for both.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from bough.config import load_settings
from bough.model.usage.costs import NO_USAGE
from bough.model.usage.price_list import PriceList, apply_overrides
from bough.model.usage.sums import UsageSum
from bough.query.usage.totals import price_call
from bough.store.postgres.administration.team_budgets import (
    ProjectDay,
    cross_marks,
    is_admin,
    load_period_sums,
    save_spend,
)
from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import CrossedMark, DayCost

_LOCK: Final = "spend"
_PICO_IN_MICRO: Final = 10**6


def evaluate_budgets(connection: ServerConnection, *, everybody: bool = False) -> list[CrossedMark]:
    """Keep what was spent lately and note the marks that are crossed; gives the new ones.

    Args:
        connection: The database.
        everybody: Price what everybody has, which only an admin can; else one's own.
    """
    everybody = everybody and is_admin(connection)
    prices = apply_overrides(load_settings().prices)
    # Another machine of the same person may change sums meanwhile, and keep what is spent by them:
    # what was read before that must not be kept after it.
    connection.wait_for_lock(_LOCK)
    try:
        spend = price_days(load_period_sums(connection, everybody=everybody), prices)
        save_spend(connection, spend, everybody=everybody)
    finally:
        connection.release_lock(_LOCK)
    return cross_marks(connection)


def price_days(
    sums: Iterable[tuple[ProjectDay, UsageSum]], prices: PriceList
) -> dict[ProjectDay, DayCost]:
    """Price what was used, by project and day."""
    spend = {}
    for key, group in groupby(sorted(sums, key=lambda one: one[0]), key=lambda one: one[0]):
        total = sum((price_call(one, prices) for _, one in group), NO_USAGE)
        micro = round(total.cost.picodollars / _PICO_IN_MICRO)
        spend[key] = DayCost(micro, total.unpriced_calls)
    return spend
