"""Bills: what some records of one session cost, each API call charged once.

A session's own view of money, for the graph and for the foot of a turn. What other sessions
have of the same calls is not known here; sums over sessions are made in `bough.query.usage.totals`.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from bough.model.usage import tokens as ledger
from bough.model.usage.call_cost import TokenCounts, compute_cost, usd
from bough.model.usage.price_list import PRICES, PriceList, price_of
from bough.model.usage.tokens import Tokens, UsageSnapshot
from bough.records.record import Record
from bough.records.types import Assistant

FAST = "fast"


class UsageCost(Struct, frozen=True, gc=False):
    """What calls used and cost; not `complete` where something in it has no price."""

    calls: int = 0
    tokens: Tokens = Tokens()
    picodollars: int = 0
    complete: bool = True

    @property
    def usd(self) -> float | None:
        """Give the cost in dollars; None where nothing in it has a price."""
        return None if not self.complete and not self.picodollars else usd(self.picodollars)

    def __add__(self, other: "UsageCost") -> "UsageCost":
        """Add two bills."""
        return UsageCost(
            self.calls + other.calls,
            self.tokens + other.tokens,
            self.picodollars + other.picodollars,
            self.complete and other.complete,
        )


NO_COST = UsageCost()


class CostAllocator:
    """Charges each call of a session once, to whom it is named by first."""

    def __init__(self, lines: Iterable[UsageSnapshot], prices: PriceList = PRICES) -> None:
        self._prices = prices
        self._open: dict[str, list[UsageSnapshot]] = {}
        for call in ledger.count_calls_once(lines):
            self._open.setdefault(call.name, []).append(call)

    def allocate(self, records: Iterable[Record]) -> UsageCost:
        """Bill the calls that some records report, and that nobody was charged for yet."""
        due: list[UsageSnapshot] = []
        for name in ledger.read_call_names(records):
            due += self._open.pop(name, ())
        return self._price_calls(due)

    def allocate_remainder(self) -> UsageCost:
        """Bill what nobody was charged for."""
        due = [call for calls in self._open.values() for call in calls]
        self._open.clear()
        return self._price_calls(due)

    def _price_calls(self, calls: Iterable[UsageSnapshot]) -> UsageCost:
        return sum((price_call(call, self._prices) for call in calls), NO_COST)


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
) -> UsageCost:
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
        return allocator.allocate(record for record in records if isinstance(record, Assistant))
    own = allocator.allocate(records)
    started = (sources.agents.get(call, ()) for call in calls)
    return sum((allocator.allocate(family) for family in started), own)


def price_calls_once(
    lines: Iterable[UsageSnapshot], *, least_rank: int = 0, prices: PriceList = PRICES
) -> UsageCost:
    """Price what lines report, each call once; calls told only by lower ranks are left out."""
    counted = (call for call in ledger.count_calls_once(lines) if call.rank >= least_rank)
    return sum((price_call(call, prices) for call in counted), NO_COST)


def price_call(call: UsageSnapshot, prices: PriceList = PRICES) -> UsageCost:
    """Price one call."""
    price = price_of(call.model, prices)
    if price is None:
        return UsageCost(1, call.tokens, complete=not call.tokens.total)
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
    spent = compute_cost(used, price)
    return UsageCost(1, tokens, spent.total, spent.complete)
