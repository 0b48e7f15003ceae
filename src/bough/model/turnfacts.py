"""Facts about turns that their own records do not say: whose they are, how long, how full.

A turn belongs to an exchange or a seam of the route; a thought lasted from what was written
before it; the context was as full as the last request of the turn was large.
"""

from collections.abc import Iterable

from bough.model.context import Context, context_after
from bough.model.conversation import Conversation
from bough.model.elapsed import seconds_between
from bough.model.exchanges import Exchange
from bough.model.overview import Parting, Seam
from bough.model.route import Item
from bough.model.session import Session
from bough.model.turns import Turn
from bough.records.blocks import RedactedThinking, Thinking
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant


def turns_by_item(
    conversations: Iterable[Conversation], items: Iterable[Item]
) -> dict[str, list[Turn]]:
    """Sort turns under the exchange or seam they belong to; the first conversation's count."""
    starts = set(_uuids(items))
    found: dict[str, list[Turn]] = {}
    for conversation in conversations:
        new: dict[str, list[Turn]] = {}
        early: list[Turn] = []
        current: list[Turn] | None = None
        for turn in conversation.turns:
            if turn.uuid in starts and turn.uuid not in new:
                current = new.setdefault(turn.uuid or "", early)
                early = []
            (early if current is None else current).append(turn)
        found |= {uuid: turns for uuid, turns in new.items() if uuid not in found}
    return found


def thought_seconds(conversation: Conversation) -> dict[str, list[float | None]]:
    """Measure thoughts: each from what was written before it, unless the client says.

    They are given by the uuid of their turn, in the order in which it shows them.
    """
    by_record: dict[str, list[float | None]] = {}
    before: str | None = None
    for item in conversation.items:
        if isinstance(item, BadLine):
            continue
        if isinstance(item, Assistant) and item.uuid:
            kinds = (Thinking, RedactedThinking)
            count = sum(isinstance(block, kinds) for block in message_of(item).blocks)
            by_record[item.uuid] = [_seconds(item, before)] * count
        before = item.timestamp or before
    return {
        turn.uuid or "": [one for uuid in turn.uuids for one in by_record.get(uuid, ())]
        for turn in conversation.turns
        if turn.kind == "assistant"
    }


def context_of(session: Session, turn: Turn) -> Context | None:
    """Measure how full the context was at the end of a turn."""
    return context_after(records_of(session, turn))


def records_of(session: Session, turn: Turn) -> list[Record]:
    """List the records a turn is made of, as far as they are in the tree."""
    tree = session.tree
    return [tree.nodes[tree.number[uuid]] for uuid in turn.uuids if uuid in tree.number]


def _uuids(items: Iterable[Item]) -> Iterable[str]:
    waiting = list(items)
    while waiting:
        match waiting.pop():
            case Parting(branches=branches):
                waiting += [item for branch in branches for item in branch.items]
            case Exchange(uuid=uuid) | Seam(uuid=uuid):
                if uuid:
                    yield uuid


def _seconds(record: Assistant, before: str | None) -> float | None:
    if record.thinking_duration_ms is not None:
        return record.thinking_duration_ms / 1_000
    return seconds_between(before, record.timestamp)
