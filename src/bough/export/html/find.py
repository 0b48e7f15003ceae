"""Finding words in a conversation: which piece, and which folds are on the way to them.

In which piece a record is, by its uuid.

A turn is made of many records, and a long one of several pieces. A record is where its call or
its words are; one that shows nothing of its own is where the one before it is.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from bough.export.html.messages import is_spoken
from bough.export.html.notes import note_groups
from bough.export.pieces import Slot, turn_key
from bough.model.conversation.content import Block, Words, block_text
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.steps import Part, Run, rows_shown
from bough.model.conversation.turns import Turn
from bough.model.session import Session
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.records.blocks import ServerToolUse, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, User

_ASKED = frozenset({"prompt", "queued", "command", "shell"})
_MAY_BE_FOLDED = 500
_FOLDED = frozenset({"thinking", "note", "hook", "summary", "seam"})


class Found(Struct, frozen=True):
    """Where words stand: the piece, the block in it, what must be open, and how often."""

    number: int
    key: str
    opens: tuple[str, ...]
    count: int
    uuid: str | None = None


class _Spot(Struct, frozen=True):
    """A block, its place in the turn, the folds above it, and the step of a run it is in."""

    place: int
    block: Block
    under: tuple[str, ...] = ()
    run: Run | None = None
    step: int = 0


def find_in(slots: Sequence[Slot], words: str) -> list[Found]:
    """Find some words, whatever their case; nothing for no words."""
    wanted = words.casefold()
    if not wanted.strip():
        return []
    return [found for n, slot in enumerate(slots) for found in _in_slot(n, slot, wanted)]


def _in_slot(number: int, slot: Slot, wanted: str) -> Iterator[Found]:
    uuid = slot.piece.uuid
    turn = slot.turn
    if isinstance(slot.item, Branch) or turn is None:
        return
    if isinstance(slot.item, Seam):
        times = sum(_times(block, wanted) for block in turn.blocks)
        if times:
            key = f"{slot.piece.key}~kept"
            yield Found(number, key, (key,), times, uuid)
        return
    rows: dict[int, dict[int, str]] = {}
    for spot in _blocks(slot, turn):
        times = _times(spot.block, wanted)
        if not times:
            continue
        above: tuple[str, ...] = ()
        if spot.run is not None:
            # Asked for where something was found only: it looks at every result of the run.
            hidden = rows.get(id(spot.run)) or rows.setdefault(id(spot.run), _hidden(spot.run))
            above = (hidden[spot.step],) if spot.step in hidden else ()
        own = turn_key(turn)
        yield Found(number, f"{own}~{spot.place}", _way_to(spot, own, above), times, uuid)


def _blocks(slot: Slot, turn: Turn) -> Iterator[_Spot]:
    if slot.piece.kind != "answer":
        placed = list(enumerate(turn.blocks))
        quiet = [(n, b) for n, b in placed if turn.kind not in _ASKED or not is_spoken(b)]
        under = _groups(quiet)
        yield from (_Spot(place, block, under.get(place, ())) for place, block in placed)
        return
    for part in slot.parts:
        if not isinstance(part, Run):
            yield _Spot(part.number, part.block)
            continue
        for step in part.steps:
            yield _Spot(step.number, step.block, (), part, step.number)
            under = _groups(step.beside)
            for place, words in step.beside:
                yield _Spot(place, words, under.get(place, ()), part, step.number)


def _groups(blocks: Sequence[tuple[int, Block]]) -> dict[int, tuple[str, ...]]:
    """Name the fold that holds each of some notes in a row."""
    return {
        place: (f"{several[0][0]}*",)
        for several in note_groups(blocks)
        if len(several) > 1
        for place, _ in several
    }


def _hidden(run: Run) -> dict[int, str]:
    """Name the fold of each step that is left out."""
    found: dict[int, str] = {}
    first: int | None = None
    shown = rows_shown([view_of(step.block) for step in run.steps])
    for step, is_shown in zip(run.steps, shown, strict=True):
        first = None if is_shown else step.number if first is None else first
        if first is not None:
            found[step.number] = f"{first}+"
    return found


def _way_to(spot: _Spot, turn: str, above: tuple[str, ...]) -> tuple[str, ...]:
    """Name the folds on the way to a block; a page opens those of them that are there."""
    own = str(spot.place)
    inner: tuple[str, ...] = (own, f"{own}/more", f"{own}/answer")
    if isinstance(spot.block, Words):
        folded = spot.block.type in _FOLDED
        long = spot.block.type == "output" or len(spot.block.text) > _MAY_BE_FOLDED
        inner = (own,) if folded else (f"{own}/more",) if long else ()
    return tuple(f"{turn}~{place}" for place in (*above, *spot.under, *inner))


def _times(block: Block, wanted: str) -> int:
    return block_text(block).casefold().count(wanted)


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
