"""Token counts that come to a given price.

The demo's costs are chosen first, because they are what a person sees; the tokens follow from
them. Prices are dollars for a million tokens: input, output, cache write, cache read.
"""

from collections.abc import Sequence

from bough.sample.data.blocks import Json

_PRICES: dict[str, tuple[float, float, float, float]] = {
    "claude-opus-4-6": (5.0, 25.0, 6.25, 0.5),
    "claude-opus-4-5-20251101": (5.0, 25.0, 6.25, 0.5),
    "claude-opus-4-1-20250805": (15.0, 75.0, 18.75, 1.5),
    "claude-opus-5-5": (4.0, 20.0, 5.0, 0.2),
    "claude-sonnet-4-20250514": (3.0, 15.0, 3.75, 0.3),
    "claude-sonnet-4-5-20250929": (3.0, 15.0, 3.75, 0.3),
    "claude-sonnet-4-6": (3.0, 15.0, 3.75, 0.3),
    "claude-haiku-4-5-20251001": (1.0, 5.0, 1.25, 0.1),
}
_FRESH = 4
_LEAST = 60
_MOST_CONTEXT = 150_000


def allocate_tokens(
    model: str, dollars: float, messages: int, context: tuple[int, int] | None = None
) -> list[Json]:
    """Give the counts of so many messages of one model that together cost so much.

    The context grows from the first number to the second; what money is left is spoken. Without
    a context it is chosen to leave about a third for speech. A model without a price gets the
    counts of a cheap one: its cost is unknown anyway.
    """
    price = _PRICES.get(model, _PRICES["claude-haiku-4-5-20251001"])
    start, end = context or _choose_context(price, dollars, messages)
    steps = [start + (end - start) * n // messages for n in range(messages + 1)]
    counts = [(steps[n], steps[n + 1] - steps[n]) for n in range(messages)]
    spent = sum(
        read * price[3] + written * price[2] + _FRESH * price[0] for read, written in counts
    )
    words = round((dollars * 1e6 - spent) / price[1])
    return [
        {
            "input_tokens": _FRESH,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "output_tokens": spoken,
        }
        for (read, written), spoken in zip(counts, _share_words(words, messages), strict=True)
    ]


def price_tokens(model: str, counts: Sequence[Json]) -> float:
    """Price counts, to check them."""
    fields = (
        "input_tokens",
        "output_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
    )
    price = _PRICES[model]
    total = 0.0
    for each in counts:
        for field, rate in zip(fields, price, strict=True):
            count = each[field]
            total += rate * (count if isinstance(count, int) else 0)
    return total / 1e6


def _choose_context(
    price: tuple[float, float, float, float], dollars: float, messages: int
) -> tuple[int, int]:
    each = dollars * 1e6 / messages
    read = min(int(each * 0.42 / price[3]), _MOST_CONTEXT)
    grown = int(each * 0.25 / price[2]) * messages
    return max(read - grown // 2, 0), max(read - grown // 2, 0) + grown


def _share_words(words: int, messages: int) -> list[int]:
    """Share out words unevenly; the last message, which is the answer, says most."""
    weights = [2 + n % 3 for n in range(messages - 1)] + [8]
    total = sum(weights)
    shares = [max(words * weight // total, _LEAST) for weight in weights]
    shares[-1] = max(shares[-1] + words - sum(shares), _LEAST)
    return shares
