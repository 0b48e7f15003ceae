"""Published prices of models, as of a date.

USD per million tokens, one row per published name: facts, kept in Python because that
loads faster than a file and needs no disk. Rates that were not published follow
Anthropic's general rule: a 5-minute cache write costs 1.25 of the input, a 1-hour write 2,
a read 0.1. Retired models stay, since old sessions were paid at their prices. Two facts are
of their time: fast mode was sold for Opus 4.6 and 4.7, at six times the price, until it
was withdrawn in summer 2026; and Sonnet 4 and 4.5 cost more beyond 200,000 tokens while
their long context was on trial. Only calls of that time can be fast, or that long.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

AS_OF: Final = "2026-11"


class TokenRates(Struct, frozen=True):
    """What a token of each class costs, in picodollars (10^-12 USD)."""

    input: int
    output: int
    cache_write_5m: int
    cache_write_1h: int
    cache_read: int


class PriceTier(Struct, frozen=True):
    """The rates of a long context, beyond so many tokens."""

    above: int
    rates: TokenRates


class ModelPrice(Struct, frozen=True):
    """The price of a model. None is not published: no fast mode, no fee known."""

    model: str
    rates: TokenRates
    tier: PriceTier | None = None
    fast_percent: int | None = None
    web_search: int | None = None
    as_of: str = AS_OF


def scale_rates(rates: TokenRates, percent: int) -> TokenRates:
    """Multiply every rate, rounded half up to a picodollar."""
    return TokenRates(*((rate * percent + 50) // 100 for rate in astuple(rates)))


def per_token(usd_per_million: float) -> int:
    """Turn USD per million tokens into picodollars per token."""
    return round(usd_per_million * 10**6)


def rates(
    usd_input: float,
    usd_output: float,
    read: float | None = None,
    write_5m: float | None = None,
    write_1h: float | None = None,
) -> TokenRates:
    """Build rates from USD per million tokens; what was not published follows the rule."""
    return TokenRates(
        input=per_token(usd_input),
        output=per_token(usd_output),
        cache_write_5m=per_token(usd_input * 1.25 if write_5m is None else write_5m),
        cache_write_1h=per_token(usd_input * 2 if write_1h is None else write_1h),
        cache_read=per_token(usd_input / 10 if read is None else read),
    )


_SEARCH = 10 * 10**9  # 10 USD per thousand web searches, in picodollars each
_SONNET_LONG = PriceTier(200_000, rates(6, 22.5))
_HAIKU_5_5_LONG = PriceTier(100_000, rates(0.5, 2.5))

_OPUS_5 = rates(5, 25)
_SONNET_4 = rates(3, 15)

_ROWS = (
    # Name, rates, long context, fast mode in percent, web search.
    ("claude-v1", rates(8, 24), None, None, None),
    ("claude-3-opus-20240229", rates(15, 75), None, None, None),
    ("claude-3-5-haiku-20241022", rates(0.8, 4), None, None, None),
    ("claude-3-5-sonnet-20240620", rates(3, 15), None, None, None),
    ("claude-3-5-sonnet-20241022", rates(3, 15), None, None, None),
    ("claude-3-7-sonnet-20240620", rates(3.6, 18), None, None, None),
    ("claude-3-7-sonnet-20250219", rates(3, 15), None, None, None),
    ("claude-opus-4-20250514", rates(15, 75), None, None, _SEARCH),
    ("claude-opus-4-1-20250805", rates(15, 75), None, None, _SEARCH),
    ("claude-opus-4-5", _OPUS_5, None, None, _SEARCH),
    ("claude-opus-4-5-20251101", _OPUS_5, None, None, _SEARCH),
    ("claude-opus-4-6", _OPUS_5, None, 600, _SEARCH),
    ("claude-opus-4-6-20260205", _OPUS_5, None, 600, _SEARCH),
    ("claude-opus-4-6-v1", _OPUS_5, None, 600, _SEARCH),
    ("claude-opus-4-7", _OPUS_5, None, 600, _SEARCH),
    ("claude-opus-4-7-20260416", _OPUS_5, None, 600, _SEARCH),
    ("claude-opus-4-8", _OPUS_5, None, 200, _SEARCH),
    ("claude-opus-5", _OPUS_5, None, 200, _SEARCH),
    ("claude-opus-5-5", rates(4, 20, read=0.2), None, 200, _SEARCH),
    ("claude-sonnet-4-20250514", _SONNET_4, _SONNET_LONG, None, _SEARCH),
    ("claude-sonnet-4-5", _SONNET_4, _SONNET_LONG, None, _SEARCH),
    ("claude-sonnet-4-5-20250929", _SONNET_4, _SONNET_LONG, None, _SEARCH),
    ("claude-sonnet-4-6", _SONNET_4, None, None, _SEARCH),
    ("claude-sonnet-5", rates(2, 10), None, None, _SEARCH),
    ("claude-sonnet-5-5", rates(2, 10, read=0.1), None, None, _SEARCH),
    ("claude-haiku-4-5", rates(1, 5), None, None, None),
    ("claude-haiku-4-5-20251001", rates(1, 5), None, None, None),
    ("claude-haiku-5-5", rates(0.1, 0.5), _HAIKU_5_5_LONG, None, _SEARCH),
    ("claude-fable-5", rates(10, 50), None, None, _SEARCH),
    ("claude-fable-5-1", rates(10, 50, read=0.25), None, None, _SEARCH),
    ("claude-mythos-preview", rates(10, 50), None, None, _SEARCH),
    ("claude-mythos-5", rates(10, 50), None, None, _SEARCH),
    ("claude-mythos-5-1", rates(10, 50, read=0.25), None, None, _SEARCH),
)

PUBLISHED: Final = {row[0]: ModelPrice(*row) for row in _ROWS}

# Bedrock's profiles of one region (us., eu., ...) cost a tenth more than its global one,
# since Sonnet 4.5; these models are older.
REGIONAL_PERCENT: Final = 110
NOT_REGIONAL: Final = (
    "claude-v1",
    "claude-3-",
    "claude-opus-4-2025",
    "claude-opus-4-1-",
    "claude-sonnet-4-2025",
)

# Names that stand for a dated one. Undated names with a row of their own need none.
ALIASES: Final = {
    "claude-3-opus": "claude-3-opus-20240229",
    "claude-3-5-haiku": "claude-3-5-haiku-20241022",
    "claude-3-5-sonnet": "claude-3-5-sonnet-20241022",
    "claude-3-7-sonnet": "claude-3-7-sonnet-20250219",
    "claude-opus-4": "claude-opus-4-20250514",
    "claude-opus-4-0": "claude-opus-4-20250514",
    "claude-opus-4-1": "claude-opus-4-1-20250805",
    "claude-sonnet-4": "claude-sonnet-4-20250514",
    "claude-sonnet-4-0": "claude-sonnet-4-20250514",
}
