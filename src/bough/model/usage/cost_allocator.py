"""What some records of one session cost, each API call charged once.

A session's own view of money, for the graph and for the summary of a turn. What other sessions
have of the same calls is not known here; sums over sessions are made in `bough.query.usage.totals`.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from bough.model.usage.call_cost import TokenCounts, compute_cost
from bough.model.usage.costs import NO_USAGE, Cost, UsageTotal
from bough.model.usage.price_list import PRICES, PriceList, price_of
from bough.model.usage.tokens import UsageSnapshot, count_calls_once, read_call_names
from bough.records.record import Record
from bough.records.types import Assistant

FAST = "fast"


class CallTotal(Struct, frozen=True, gc=False):
    """What some calls cost together, and which calls these are."""

    total: UsageTotal = NO_USAGE
    calls: tuple[UsageSnapshot, ...] = ()


class CostAllocator:
    """Charges each call of a session once, to whom it is named by first."""

    def __init__(self, lines: Iterable[UsageSnapshot], prices: PriceList = PRICES) -> None:
        self._prices = prices
        self._open: dict[str, list[UsageSnapshot]] = {}
        for call in count_calls_once(lines):
            self._open.setdefault(call.name, []).append(call)

    def allocate(self, records: Iterable[Record]) -> CallTotal:
        """Price the calls that some records report, and that nobody was charged for yet."""
        due: list[UsageSnapshot] = []
        for name in read_call_names(records):
            due += self._open.pop(name, ())
        return self._charge_calls(due)

    def allocate_remainder(self) -> CallTotal:
        """Price what nobody was charged for."""
        due = [call for calls in self._open.values() for call in calls]
        self._open.clear()
        return self._charge_calls(due)

    def _charge_calls(self, calls: Sequence[UsageSnapshot]) -> CallTotal:
        total = sum((price_call(call, self._prices) for call in calls), NO_USAGE)
        return CallTotal(total, tuple(calls))


class CostSources(Struct, frozen=True):
    """What the cost of a conversation is made of.

    `lines` are what every line of the session and its agents reports; `agents` has the
    records of each agent and of those it started, by the call that started it.
    """

    lines: Sequence[UsageSnapshot] = ()
    agents: Mapping[str, Sequence[Record]] = {}


def price_path(
    records: Iterable[Record],
    calls: Iterable[str],
    sources: CostSources,
    *,
    agents: bool,
    prices: PriceList = PRICES,
) -> UsageTotal:
    """Price the calls on a path of a session, and those of the agents it started.

    Args:
        records: The records on the path.
        calls: The ids of the tool calls on it, which may have started agents.
        sources: What the session's lines report, and its agents.
        agents: Whether what agents used is part of it.
        prices: What models cost.
    """
    allocator = CostAllocator(sources.lines, prices)
    if not agents:  # other records only carry copies of what agents reported
        said = (record for record in records if isinstance(record, Assistant))
        return allocator.allocate(said).total
    own = allocator.allocate(records).total
    started = (sources.agents.get(call, ()) for call in calls)
    return sum((allocator.allocate(family).total for family in started), own)


def price_calls_once(
    lines: Iterable[UsageSnapshot], *, least_rank: int = 0, prices: PriceList = PRICES
) -> UsageTotal:
    """Price what lines report, each call once; calls told only by lower ranks are left out."""
    counted = (call for call in count_calls_once(lines) if call.rank >= least_rank)
    return sum((price_call(call, prices) for call in counted), NO_USAGE)


def price_call(call: UsageSnapshot, prices: PriceList = PRICES) -> UsageTotal:
    """Price one call; one that was copied cost nothing here, and `copied` what it cost there."""
    tokens = call.tokens
    used = TokenCounts(
        input=tokens.input_tokens,
        output=tokens.output_tokens,
        cache_write_5m=tokens.cache_creation_tokens - tokens.cache_creation_1h_tokens,
        cache_write_1h=tokens.cache_creation_1h_tokens,
        cache_read=tokens.cache_read_tokens,
        web_searches=tokens.web_searches,
        fast=call.speed == FAST,
    )
    price = price_of(call.model, prices)
    unpriced = price is None and tokens.total > 0
    if price is None:
        cost = Cost(0, frozenset({call.model}) if unpriced else frozenset())
    else:
        spent = compute_cost(used, price)
        cost = Cost(spent.total, frozenset() if spent.complete else frozenset({call.model}))
    if call.origin is not None:
        return UsageTotal(copied=cost)
    return UsageTotal(
        1,
        tokens.input_tokens,
        tokens.output_tokens,
        tokens.cache_creation_tokens,
        tokens.cache_read_tokens,
        cost,
        int(unpriced),
    )
