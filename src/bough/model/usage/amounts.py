"""What calls used and cost, added up.

Kept apart from the counting, so that a list whose costs are known reads them at once.
"""

from msgspec import Struct

from bough.model.usage.call_cost import usd


class UsageTotal(Struct, frozen=True):
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

    def __add__(self, other: "UsageTotal") -> "UsageTotal":
        """Add two amounts."""
        return UsageTotal(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_creation_tokens + other.cache_creation_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cost + other.cost,
            self.unpriced + other.unpriced,
            self.incomplete or other.incomplete,
        )


NO_USAGE = UsageTotal()
