"""Facts about messages that their own records do not say: whose they are, how long, how full.

A message belongs to a turn or a compaction of the route; a thought lasted from what was written
before it; the context was as full as the last request of the message was large.
"""

from collections.abc import Iterable

from bough.model.conversation.context_window import ContextWindow, measure_context
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.outline.branch_path import OutlineItem
from bough.model.outline.session_outline import BranchOff, Compaction
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.times import seconds_between
from bough.records.blocks import RedactedThinking, Thinking
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant

_THOUGHTS = (Thinking, RedactedThinking)


def group_messages_by_item(
    conversations: Iterable[Conversation], items: Iterable[OutlineItem]
) -> dict[str, list[Message]]:
    """Sort messages under the item they belong to, by its key; the first conversation's count.

    An item's key is that of the message it begins with: turns of an outline and of a
    conversation are begun by the same rule.
    """
    starts = set(_list_keys(items))
    found: dict[str, list[Message]] = {}
    for conversation in conversations:
        new: dict[str, list[Message]] = {}
        early: list[Message] = []
        current: list[Message] | None = None
        for message in conversation.messages:
            begun = next((key for key in (message.key, *message.uuids) if key in starts), None)
            if begun is not None and begun not in new:
                current = new.setdefault(begun, early)
                early = []
            (early if current is None else current).append(message)
        found |= {key: messages for key, messages in new.items() if key not in found}
    return found


def measure_thoughts(conversation: Conversation) -> dict[str, list[float | None]]:
    """Measure the thoughts of all answers, by the uuid of their message."""
    thoughts = ThoughtDurations(conversation)
    answers = (message for message in conversation.messages if message.kind == "assistant")
    return {message.uuid or "": thoughts.measure(message) for message in answers}


class ThoughtDurations:
    """How long thoughts took: each from what was written before it, unless the client says."""

    def __init__(self, conversation: Conversation) -> None:
        self._items = conversation.items
        self._places = {
            item.uuid: place
            for place, item in enumerate(self._items)
            if isinstance(item, Assistant) and item.uuid
        }

    def measure(self, message: Message) -> list[float | None]:
        """Measure the thoughts of a message, in the order in which it shows them."""
        places = (self._places.get(uuid) for uuid in message.uuids)
        return [
            seconds for place in places if place is not None for seconds in self._measure_at(place)
        ]

    def _measure_at(self, place: int) -> list[float | None]:
        record = self._items[place]
        if not isinstance(record, Assistant):
            return []
        count = sum(isinstance(block, _THOUGHTS) for block in message_of(record).blocks)
        return [self._measure_record(record, place)] * count if count else []

    def _measure_record(self, record: Assistant, place: int) -> float | None:
        if record.thinking_duration_ms is not None:
            return record.thinking_duration_ms / 1_000
        earlier = (self._items[at] for at in range(place - 1, -1, -1))
        stamps = (item.timestamp for item in earlier if not isinstance(item, BadLine))
        return seconds_between(next((stamp for stamp in stamps if stamp), None), record.timestamp)


def measure_message_context(session: Session, message: Message) -> ContextWindow | None:
    """Measure how full the context was at the end of a message."""
    return measure_context(records_of(session, message))


def records_of(session: Session, message: Message) -> list[Record]:
    """List the records a message is made of, as far as they are in the tree."""
    tree = session.tree
    return [tree.nodes[tree.number[uuid]] for uuid in message.uuids if uuid in tree.number]


def _list_keys(items: Iterable[OutlineItem]) -> Iterable[str]:
    waiting = list(items)
    while waiting:
        match waiting.pop():
            case BranchOff(branches=branches):
                waiting += [item for branch in branches for item in branch.items]
            case Turn() | Compaction() as item:
                if item.key:
                    yield item.key
