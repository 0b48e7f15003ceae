"""How full the model's context was, and with what.

The size of a request is what was sent with it, cached or not. Which window the model had
is not in the files; one of 200,000 tokens is the usual, and a request that is larger than
that had the long one.

The files say how many tokens a request had, not what they were. Words are taken at four
characters to a token, which is near enough for a bar; what is left over was there before
anybody spoke: the system prompt, descriptions of tools, memory files.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from bough.model.conversation.content import collect_block_text
from bough.model.conversation.messages import Message
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.tools.calls import ToolBlock
from bough.model.usage.tokens import tokens_of
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant

USUAL = 200_000
LONG = 1_000_000
_LONG_MARK = "[1m]"
_FAMILY = "claude"


class ContextWindow(Struct, frozen=True):
    """The tokens of a request and the window they had to fit into."""

    tokens: int
    window: int

    @property
    def share(self) -> float:
        """Give the part of the window that was used."""
        return self.tokens / self.window


def window_size_of(model: str | None, sent: int = 0) -> int | None:
    """Give the window a model had when so many tokens were sent; None where it is unknown."""
    if not model or _FAMILY not in model:
        return None
    return LONG if sent > USUAL or _LONG_MARK in model else USUAL


def measure_context(records: Iterable[Record]) -> ContextWindow | None:
    """Measure the last request among some records; None where none tells, or whose is unknown."""
    for record in reversed(list(records)):
        if not isinstance(record, Assistant) or record.is_sidechain:
            continue
        message = message_of(record)
        if message.usage is None:
            continue
        used = tokens_of(message.usage)
        sent = used.total - used.output_tokens
        window = window_size_of(message.model, sent)
        if sent and window is not None:
            return ContextWindow(sent, window)
    return None


_CHARACTERS = 4
UNRECORDED = "Not in the records"
"""What was sent beside the messages: instructions, tools, memory, and what estimates miss."""


class ContextShare(Struct, frozen=True):
    """A part of the window, in tokens."""

    name: str
    tokens: int


def estimate_context_shares(messages: Sequence[Message], tokens: int) -> list[ContextShare]:
    """Estimate what a request of so many tokens was made of, the largest part first.

    Parts are estimated by their length. What is left of the tokens is in no record, and is last.
    """
    compactions = [
        number for number, message in enumerate(messages) if message.kind == "compaction"
    ]
    parts = {"Tool results": 0, "Tool calls": 0, "Claude": 0, "You": 0, "Notes": 0}
    for message in messages[compactions[-1] if compactions else 0 :]:
        for block in message.blocks:
            if isinstance(block, ToolBlock):
                parts["Tool results"] += len(block.result.text) if block.result else 0
                parts["Tool calls"] += len(msgspec.json.encode(block.input))
            elif block.type not in ("thinking", "redacted_thinking"):
                parts[_speaker_of(message)] += len(collect_block_text(block))
    found = {name: number // _CHARACTERS for name, number in parts.items()}
    total = sum(found.values())
    if total > tokens:
        found = {name: number * tokens // total for name, number in found.items()}
    shares = sorted(found.items(), key=lambda part: -part[1])
    rest = tokens - sum(found.values())
    return [
        ContextShare(name, number)
        for name, number in (*shares, (UNRECORDED, rest))
        if number >= max(1, tokens // 200)
    ]


def _speaker_of(message: Message) -> str:
    if message.kind == "assistant":
        return "Claude"
    return "You" if message.kind in PERSON_KINDS else "Notes"
