"""Sums of calls: what a file's calls used, added up by quarter of an hour.

A report asks for days, weeks or windows of five hours, in the reader's zone. Every zone of this
century is whole quarters of an hour away from UTC, so a quarter lies in one day of any of them,
and sums of quarters give the same answers as the calls themselves. What is not added up: a call
whose price is more than tokens times rates (fast, or longer than a published price says), one of
another century, and one made at the very moment a quarter begins, because what ends then may
still have it. Rates are no part of a sum: tokens are kept, and priced when asked.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter

from msgspec import Struct

from bough.model.usage.across_files import FileUsage, ReportedUsage, count_once
from bough.model.usage.price_list import PriceList, price_of
from bough.model.usage.tokens import MAIN

FAST = "fast"

_USUAL = len("2026-01-05T09:00:00.000Z")
_QUARTERS = {f"{minute:02}": f"{minute // 15 * 15:02}" for minute in range(60)}
_BEGINS = frozenset(f"{minute:02}:00.000Z" for minute in range(0, 60, 15))


class UsageSum(Struct, frozen=True, gc=False, array_like=True):
    """What some calls of one model used, that fall into one quarter and on one step of a branch.

    The fields that `ReportedUsage` has too mean the same, so that reports read both; `timestamp`
    is where the quarter begins, `offset` where one of the calls stands. `first_at` and `last_at`
    are the times of the first and the last call.
    """

    offset: int
    model: str
    timestamp: str | None
    calls: int
    input_tokens: int
    output_tokens: int
    cache_creation_tokens: int
    cache_read_tokens: int
    cache_creation_1h_tokens: int
    web_searches: int
    speed: str | None
    rank: int
    first_at: str | None
    last_at: str | None
    origin: str | None = None

    @property
    def total(self) -> int:
        """Count all tokens, cached ones included."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_creation_tokens
            + self.cache_read_tokens
        )


SumRow = tuple[object, ...]
"""A sum as a store keeps it: quarter, step, special, and the fields of `UsageSum` from `offset` on
without its `timestamp`."""

_tokens: Callable[[ReportedUsage], tuple[int, ...]] = attrgetter(
    "input_tokens",
    "output_tokens",
    "cache_creation_tokens",
    "cache_read_tokens",
    "cache_creation_1h_tokens",
    "web_searches",
)


def begin_of(quarter: str) -> str | None:
    """Give the moment at which a quarter begins; None for what has no time."""
    return f"{quarter}:00.000Z" if 0 < len(quarter) < _USUAL else quarter or None


def quarter_of(timestamp: str | None) -> str:
    """Name the quarter of an hour that a moment lies in; nothing for what has no time."""
    if timestamp is None:
        return ""
    minute = _QUARTERS.get(timestamp[14:16])
    usual = len(timestamp) == _USUAL and timestamp[:2] == "20" and minute is not None
    if not usual or timestamp[14:] in _BEGINS:
        return timestamp
    return f"{timestamp[:14]}{minute}"


def is_aligned(timestamp: str) -> bool:
    """Tell whether a moment is one at which a quarter begins: sums can be cut there."""
    return len(timestamp) == _USUAL and timestamp[:2] == "20" and timestamp[14:] in _BEGINS


def can_price_sums(model: str, prices: PriceList) -> bool:
    """Tell whether all calls are kept apart that these prices treat otherwise than others."""
    price, limit = price_of(model, prices), _limit_of(model)
    return price is None or price.tier is None or (limit is not None and limit <= price.tier.above)


def sum_alone(usage: FileUsage, step_of: Callable[[int], int]) -> list[SumRow]:
    """Add up the calls of a file as if there were no other."""
    return sum_lines((line for _, line in count_once([usage])), step_of)


def sum_lines(lines: Iterable[ReportedUsage], step_of: Callable[[int], int]) -> list[SumRow]:
    """Add up the calls of a file that count; `step_of` tells on which step a line stands."""
    groups: dict[_Key, list[ReportedUsage]] = {}
    for line in lines:
        alone = _is_special(line)
        key = (
            quarter_of(line.timestamp),
            step_of(line.offset),
            line.model,
            int(line.rank == MAIN),
            line.offset if alone else -1,
            line.origin,
        )
        group = groups.get(key)
        if group is None:
            groups[key] = [line]
        else:
            group.append(line)
    return [_sum_row(key, group) for key, group in groups.items()]


_Key = tuple[str, int, str, int, int, str | None]


def _sum_row(key: _Key, lines: list[ReportedUsage]) -> SumRow:
    quarter, step, model, main, alone, origin = key
    first = lines[0]
    times = [line.timestamp for line in lines if line.timestamp is not None]
    return (
        quarter,
        step,
        int(alone >= 0),
        min(line.offset for line in lines),
        model,
        len(lines),
        *(_tokens(first) if len(lines) == 1 else map(sum, zip(*map(_tokens, lines), strict=True))),
        first.speed if alone >= 0 else None,
        MAIN if main else 0,
        min(times, default=None),
        max(times, default=None),
        origin,
    )


def _is_special(line: ReportedUsage) -> bool:
    """Tell whether the price of a call may be more than tokens times rates."""
    if line.speed == FAST:
        return True
    limit = _limit_of(line.model)
    return limit is not None and line.total > limit and max(_tokens(line)) > limit


@lru_cache(maxsize=256)
def _limit_of(model: str) -> int | None:
    """Give the number of tokens of one kind above which the published price is another."""
    price = price_of(model)
    return None if price is None or price.tier is None else price.tier.above
