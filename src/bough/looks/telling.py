"""What reading a conversation aloud needs: its turns by exchange, and facts about them."""

from collections.abc import Iterable, Mapping

from bough.looks.heading import short_length
from bough.looks.sheet import Sheet
from bough.looks.turnlines import Setting
from bough.model.context import Context, context_after
from bough.model.conversation import Conversation
from bough.model.elapsed import seconds_between
from bough.model.exchanges import Exchange
from bough.model.overview import Overview, Parting, Seam
from bough.model.route import Item, exchanges_of
from bough.model.session import Agent, Session
from bough.model.toolview import call_times
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


def setting_for(
    session: Session, seen: Overview, sheet: Sheet, conversations: Iterable[Conversation]
) -> Setting:
    """Gather what the turns of some conversations are written with."""
    told = list(conversations)
    asked = [e for branch in seen.branches for e in exchanges_of(branch.items)]
    thoughts: dict[str, list[float | None]] = {}
    for conversation in told:
        thoughts |= _thoughts(conversation)
    return Setting(
        sheet=sheet,
        agents={agent.call: agent for exchange in asked for agent in exchange.agents},
        times=call_times(session.records),
        thoughts=thoughts,
        contexts=_contexts(session, told),
        cwd=session.cwd,
        short=short_length([e.uuid for e in asked if e.uuid], session.tree.number),
        asker="Brief" if isinstance(session, Agent) or session.sidechain else "You",
    )


def _uuids(items: Iterable[Item]) -> Iterable[str]:
    waiting = list(items)
    while waiting:
        match waiting.pop():
            case Parting(branches=branches):
                waiting += [item for branch in branches for item in branch.items]
            case Exchange(uuid=uuid) | Seam(uuid=uuid):
                if uuid:
                    yield uuid


def _thoughts(conversation: Conversation) -> dict[str, list[float | None]]:
    """Measure thoughts: each from what was written before it, unless the client says."""
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


def _seconds(record: Assistant, before: str | None) -> float | None:
    if record.thinking_duration_ms is not None:
        return record.thinking_duration_ms / 1_000
    return seconds_between(before, record.timestamp)


def _contexts(session: Session, conversations: Iterable[Conversation]) -> Mapping[str, Context]:
    found: dict[str, Context] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            if turn.kind == "assistant" and turn.uuid and turn.uuid not in found:
                context = context_after(_records(session, turn))
                if context is not None:
                    found[turn.uuid] = context
    return found


def _records(session: Session, turn: Turn) -> list[Record]:
    tree = session.tree
    return [tree.nodes[tree.number[uuid]] for uuid in turn.uuids if uuid in tree.number]
