"""What calls cost, and what they used: added up in one way, turned into dollars in one place.

Money is counted in whole picodollars (10^-12 USD), so sums are exact in any order. Kept apart
from the pricing, so that a list whose costs are known reads them at once.
"""

from msgspec import Struct

_PICO = 10**12


def usd(picodollars: int) -> float:
    """Give an amount in USD, rounded to the nearest float: for machine output."""
    return picodollars / _PICO


class Cost(Struct, frozen=True, gc=False):
    """What something cost; `unpriced` names the models of which something has no price.

    That is a model without any price, or one whose fast mode or web searches have none.
    """

    picodollars: int = 0
    unpriced: frozenset[str] = frozenset()

    @property
    def usd(self) -> float | None:
        """Give the cost in dollars; None where nothing in it has a price."""
        return None if self.unpriced and not self.picodollars else usd(self.picodollars)

    @property
    def is_complete(self) -> bool:
        """Tell whether everything in it has a price."""
        return not self.unpriced

    @property
    def unpriced_models(self) -> list[str]:
        """List the models of which something has no price, by name."""
        return sorted(self.unpriced)

    def __add__(self, other: "Cost") -> "Cost":
        """Add two costs."""
        if not other.picodollars and not other.unpriced:
            return self
        return Cost(self.picodollars + other.picodollars, self.unpriced | other.unpriced)


NO_COST = Cost()


class UsageTotal(Struct, frozen=True, gc=False):
    """What some calls used and cost; `unpriced_calls` are those of models without a price.

    `copied` is what other sessions paid for calls of which only copies stand here. It is no part
    of anything else in it; see `bough.model.usage.copied_calls`.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_read_tokens: int = 0
    cost: Cost = NO_COST
    unpriced_calls: int = 0
    copied: Cost = NO_COST

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
    def usd(self) -> float | None:
        """Give the cost in dollars; None where nothing in it has a price."""
        return self.cost.usd

    def __add__(self, other: "UsageTotal") -> "UsageTotal":
        """Add two sums."""
        return UsageTotal(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_creation_tokens + other.cache_creation_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cost + other.cost,
            self.unpriced_calls + other.unpriced_calls,
            self.copied + other.copied,
        )


NO_USAGE = UsageTotal()
