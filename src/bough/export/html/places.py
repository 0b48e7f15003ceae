"""In which piece a record is, by its uuid.

A turn is made of many records, and a long one of several pieces. A record is where its call or
its words are; one that shows nothing of its own is where the one before it is.
"""

from collections.abc import Sequence

from bough.export.pieces import Slot
from bough.model.conversation.showing import Words
from bough.model.conversation.steps import Part, Run
from bough.model.conversation.turns import Turn
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.records.blocks import ServerToolUse, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, User


def places_of(slots: Sequence[Slot], session: Session) -> dict[str, int]:
    """Give the number of the piece of every record."""
    found: dict[str, int] = {}
    long: dict[int, tuple[Turn, dict[str, int]]] = {}
    for number, slot in enumerate(slots):
        if slot.turn is None:
            continue
        if slot.piece.kind != "answer" or (slot.head and _is_last(slots, number)):
            found |= dict.fromkeys(slot.turn.uuids, number)
            continue
        _, names = long.setdefault(id(slot.turn), (slot.turn, {}))
        for name in _names_in(slot.parts):
            names.setdefault(name, number)
        found.setdefault(slot.turn.uuids[0] if slot.turn.uuids else "", number)
    for turn, names in long.values():
        found |= _spread(turn, names, session, found.get(turn.uuids[0] if turn.uuids else "", 0))
    return found


def _is_last(slots: Sequence[Slot], number: int) -> bool:
    after = slots[number + 1] if number + 1 < len(slots) else None
    return after is None or after.turn is not slots[number].turn


def _spread(turn: Turn, names: dict[str, int], session: Session, first: int) -> dict[str, int]:
    found: dict[str, int] = {}
    at = first
    tree = session.tree
    for uuid in turn.uuids:
        number = tree.number.get(uuid)
        if number is not None:
            at = next((names[n] for n in _names_of(tree.nodes[number]) if n in names), at)
        found[uuid] = at
    return found


def _names_in(parts: Sequence[Part]) -> list[str]:
    names: list[str] = []
    for part in parts:
        blocks = [step.block for step in part.steps] if isinstance(part, Run) else [part.block]
        for block in blocks:
            match block:
                case ToolBlock():
                    names.append(block.id)
                case Words() if block.text:
                    names.append(block.text)
                case _:
                    continue
    return names


def _names_of(record: Record) -> list[str]:
    """Name what a record shows: its calls by their ids, its words by themselves."""
    names: list[str] = []
    for block in message_of(record).blocks if isinstance(record, Assistant | User) else ():
        match block:
            case ToolUse() | ServerToolUse():
                names.append(block.id)
            case ToolResult():
                names.append(block.tool_use_id)
            case Text():
                names.append(block.text)
            case Thinking():
                names.append(block.thinking)
            case _:
                continue
    return [name for name in names if name]
