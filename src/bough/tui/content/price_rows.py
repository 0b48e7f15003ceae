"""The prices that a person set, one row for each model, and what is typed for them."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from bough.library import Setting

NEW_PRICE: Final = ""
_SHOWN: Final = ("input", "output")


class PriceRow(Struct, frozen=True):
    """The price of a model, in USD per million tokens; of `NEW_PRICE` one is to be added."""

    model: str
    rates: Mapping[str, object]

    @property
    def text(self) -> str:
        """Write the rates as they are typed: 3 15."""
        return " ".join(_write_rate(self.rates.get(name)) for name in _SHOWN).strip()

    @property
    def words(self) -> str:
        """Say what a million tokens costs."""
        rates = [f"{_write_rate(self.rates.get(name)) or '?'} {name}" for name in _SHOWN]
        more = len([name for name in self.rates if name not in _SHOWN])
        return ", ".join([*rates, *([f"{more} more rates"] if more else [])])


def list_price_rows(row: Setting) -> list[PriceRow]:
    """List the prices of a setting."""
    value = row.value if isinstance(row.value, Mapping) else {}
    return [
        PriceRow(str(model), rates) for model, rates in value.items() if isinstance(rates, Mapping)
    ]


def read_price(row: PriceRow, typed: str) -> dict[str, dict[str, object] | None]:
    """Read what was typed for a price: rates, or with a new one its model first.

    Raises:
        ValueError: It is something else.
    """
    words = typed.replace(",", " ").split()
    if row.model == NEW_PRICE:
        if not words:
            return {}
        model, *words = words
    else:
        model = row.model
        if not words:
            return {model: None}
    if len(words) != len(_SHOWN):
        raise ValueError(typed)
    return {model: {name: float(word) for name, word in zip(_SHOWN, words, strict=True)}}


def _write_rate(rate: object) -> str:
    return f"{rate:g}" if isinstance(rate, int | float) else ""
