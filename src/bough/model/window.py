"""How many tokens a model can see at once.

Facts of the published models, beside their prices. A session may have been given the long
window of a model whose usual one is short; what was really sent then tells.
"""

from bough.model.pricelist import price_of

SHORT = 200_000
LONG = 1_000_000

_LONG_MARK = "[1m]"
_SMALLER = {"claude-v1": 100_000}
_SHORT = (
    "claude-3-",
    "claude-haiku-4-",
    "claude-opus-4-1-",
    "claude-opus-4-2025",
    "claude-opus-4-5",
    "claude-sonnet-4-2025",
    "claude-sonnet-4-5",
)


def window_of(model: str | None, used: int = 0) -> int | None:
    """Give the size of a model's context; None where the model is not known.

    `used` is what was sent at last: more than the usual window means the long one.
    """
    if not model:
        return None
    if model.endswith(_LONG_MARK):
        return LONG
    price = price_of(model)
    if price is None:
        return None
    if price.model in _SMALLER:
        return _SMALLER[price.model]
    size = SHORT if price.model.startswith(_SHORT) else LONG
    return size if used <= size else LONG
