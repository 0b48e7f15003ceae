"""What a call cost.

Money is counted in whole picodollars (10^-12 USD): 5 USD per million tokens is 5,000,000
of them a token. So sums are exact in any order, and rounding happens once, where a number
is shown; only fast mode by a fraction can leave less than one, rounded half up. A model
without a price has no cost; nothing is guessed from a model's family.
"""

from enum import StrEnum

from msgspec import Struct

from bough.model.usage.published_prices import ModelPrice


class TokenCounts(Struct, frozen=True, gc=False):
    """What one call used; `fast` if it was served in fast mode."""

    input: int = 0
    output: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0
    web_searches: int = 0
    fast: bool = False

    @property
    def prompt(self) -> int:
        """Count the tokens that were sent, cached or not."""
        return self.input + self.cache_write_5m + self.cache_write_1h + self.cache_read


class LongContextPricing(StrEnum):
    """How the higher rates of a long context are applied; show which one was used.

    MARGINAL: in each token class, what is above the limit pays the higher rate (as ccusage
    does). WHOLE_CALL: when the prompt is above the limit, the whole call pays it.
    """

    MARGINAL = "marginal"
    WHOLE_CALL = "whole-call"


class CallCost(Struct, frozen=True, gc=False):
    """A cost by what caused it, in picodollars.

    Not `complete` when something was used for which no price is known: a web search, or
    fast mode, which is then counted at the usual rate.
    """

    input: int = 0
    output: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0
    web_search: int = 0
    complete: bool = True

    @property
    def total(self) -> int:
        """Sum it up, in picodollars."""
        return self.tokens + self.web_search

    @property
    def tokens(self) -> int:
        """Sum up the tokens alone, without fees, in picodollars."""
        writes = self.cache_write_5m + self.cache_write_1h
        return self.input + self.output + writes + self.cache_read

    def __add__(self, other: "CallCost") -> "CallCost":
        """Add two costs; the sum is complete if both are."""
        return CallCost(
            self.input + other.input,
            self.output + other.output,
            self.cache_write_5m + other.cache_write_5m,
            self.cache_write_1h + other.cache_write_1h,
            self.cache_read + other.cache_read,
            self.web_search + other.web_search,
            self.complete and other.complete,
        )


def compute_cost(
    used: TokenCounts,
    price: ModelPrice,
    long_context: LongContextPricing = LongContextPricing.MARGINAL,
) -> CallCost:
    """Price one call. Fast mode multiplies every class of tokens; fees stay as they are."""
    low = high = price.rates
    limit = 0
    if price.tier is not None and long_context is LongContextPricing.MARGINAL:
        limit, high = price.tier.above, price.tier.rates
    elif price.tier is not None and used.prompt > price.tier.above:
        low = high = price.tier.rates
    percent = price.fast_percent if used.fast and price.fast_percent is not None else 100

    searches = used.web_searches * (price.web_search or 0)
    complete = not (used.web_searches and price.web_search is None) and not (
        used.fast and price.fast_percent is None
    )
    if not limit and percent == 100:
        # Fast path: ten thousand sums of sessions, in a third of the time.
        return CallCost(
            used.input * high.input,
            used.output * high.output,
            used.cache_write_5m * high.cache_write_5m,
            used.cache_write_1h * high.cache_write_1h,
            used.cache_read * high.cache_read,
            searches,
            complete,
        )

    def amount(tokens: int, low_rate: int, high_rate: int) -> int:
        below = min(tokens, limit) if limit else 0
        plain = below * low_rate + (tokens - below) * high_rate
        return plain if percent == 100 else (plain * percent + 50) // 100

    return CallCost(
        amount(used.input, low.input, high.input),
        amount(used.output, low.output, high.output),
        amount(used.cache_write_5m, low.cache_write_5m, high.cache_write_5m),
        amount(used.cache_write_1h, low.cache_write_1h, high.cache_write_1h),
        amount(used.cache_read, low.cache_read, high.cache_read),
        searches,
        complete,
    )
