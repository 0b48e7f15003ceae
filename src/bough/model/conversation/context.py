"""How full the model's context was.

The size of a request is what was sent with it, cached or not. Which window the model had
is not in the files; one of 200,000 tokens is the usual, and a request that is larger than
that had the long one.
"""

from collections.abc import Iterable

from msgspec import Struct

from bough.model.usage.tokens import tokens_of
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant

USUAL = 200_000
LONG = 1_000_000
_LONG_MARK = "[1m]"
_FAMILY = "claude"


class Context(Struct, frozen=True):
    """The tokens of a request and the window they had to fit into."""

    tokens: int
    window: int

    @property
    def share(self) -> float:
        """Give the part of the window that was used."""
        return self.tokens / self.window


def window_of(model: str | None, sent: int = 0) -> int | None:
    """Give the window a model had when so many tokens were sent; None where it is unknown."""
    if not model or _FAMILY not in model:
        return None
    return LONG if sent > USUAL or _LONG_MARK in model else USUAL


def context_after(records: Iterable[Record]) -> Context | None:
    """Measure the last request among some records; None where none tells, or whose is unknown."""
    for record in reversed(list(records)):
        if not isinstance(record, Assistant) or record.is_sidechain:
            continue
        message = message_of(record)
        if message.usage is None:
            continue
        used = tokens_of(message.usage)
        sent = used.total - used.output_tokens
        window = window_of(message.model, sent)
        if sent and window is not None:
            return Context(sent, window)
    return None
