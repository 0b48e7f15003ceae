"""Find words in a conversation: in which piece they are, and which folds are on the way.

A message is made of many records, and a long one of several pieces. A record is where its call or
its words are; one that shows nothing of its own is where the one before it is.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from bough.export.html.messages import is_spoken
from bough.export.html.notes import group_notes
from bough.export.pieces import PieceContent
from bough.model.conversation.content import ContentBlock, TextBlock, collect_block_text
from bough.model.conversation.messages import Message
from bough.model.conversation.steps import AnswerPart, StepRun, group_rows
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.session import Session
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.records.blocks import ServerToolUse, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, User

_MAY_BE_FOLDED = 500
_MAY_BE_FOLDED_LINES = 12
_FOLDED = frozenset({"thinking", "note", "hook", "summary", "compaction"})


class PieceMatch(Struct, frozen=True):
    """Where words stand: the piece, the block in it, what must be open, and how often."""

    number: int
    key: str
    opens: tuple[str, ...]
    count: int
    uuid: str | None = None


class _BlockPlace(Struct, frozen=True):
    """A block, its place in the message, the folds above it, and the step of a run it is in."""

    place: int
    block: ContentBlock
    under: tuple[str, ...] = ()
    run: StepRun | None = None
    step: int = 0


def find_words(slots: Sequence[PieceContent], words: str) -> list[PieceMatch]:
    """Find some words, whatever their case; nothing for no words."""
    wanted = words.casefold()
    if not wanted.strip():
        return []
    return [found for n, slot in enumerate(slots) for found in _find_in_content(n, slot, wanted)]


def count_words(messages: Iterable[Message], words: str) -> int:
    """Count how often some words stand in messages, whatever their case; never for no words."""
    wanted = words.casefold()
    if not wanted.strip():
        return 0
    return sum(_count_matches(block, wanted) for one in messages for block in one.blocks)


def _find_in_content(number: int, slot: PieceContent, wanted: str) -> Iterator[PieceMatch]:
    uuid = slot.info.uuid
    message = slot.message
    if isinstance(slot.item, Branch) or message is None:
        return
    if isinstance(slot.item, Compaction):
        times = sum(_count_matches(block, wanted) for block in message.blocks)
        if times:
            key = f"{slot.info.key}~kept"
            yield PieceMatch(number, key, (key,), times, uuid)
        return
    rows: dict[int, dict[int, str]] = {}
    for spot in _list_blocks(slot, message):
        times = _count_matches(spot.block, wanted)
        if not times:
            continue
        above: tuple[str, ...] = ()
        if spot.run is not None:
            # Asked for where something was found only: it looks at every result of the run.
            hidden = rows.get(id(spot.run)) or rows.setdefault(
                id(spot.run), _name_hidden_rows(spot.run)
            )
            above = (hidden[spot.step],) if spot.step in hidden else ()
        own = message.key
        yield PieceMatch(number, f"{own}~{spot.place}", _folds_above(spot, own, above), times, uuid)


def find_row(
    slots: Sequence[PieceContent], session: Session, number: int, uuid: str
) -> PieceMatch | None:
    """Find the row of a piece that a record is shown in, and the folds on the way to it.

    None where the record begins its message: that is the piece itself, and nothing is opened.
    """
    slot = slots[number]
    message = slot.message
    record = session.tree.number.get(uuid)
    if message is None or record is None or uuid == message.uuid or slot.info.kind != "answer":
        return None
    names = set(_names_in_record(session.tree.nodes[record]))
    for spot in _list_blocks(slot, message):
        if names.isdisjoint(_names_of_block(spot.block)):
            continue
        hidden = _name_hidden_rows(spot.run) if spot.run is not None else {}
        above = (hidden[spot.step],) if spot.step in hidden else ()
        own = message.key
        return PieceMatch(number, f"{own}~{spot.place}", _folds_above(spot, own, above), 1, uuid)
    return None


def _list_blocks(slot: PieceContent, message: Message) -> Iterator[_BlockPlace]:
    if slot.info.kind != "answer":
        placed = list(enumerate(message.blocks))
        quiet = [(n, b) for n, b in placed if message.kind not in PERSON_KINDS or not is_spoken(b)]
        under = _name_note_groups(quiet)
        yield from (_BlockPlace(place, block, under.get(place, ())) for place, block in placed)
        return
    for part in slot.parts:
        if not isinstance(part, StepRun):
            yield _BlockPlace(part.number, part.block)
            continue
        for row in part.rows:
            yield _BlockPlace(row.number, row.block, (), part, row.number)
            under = _name_note_groups(row.notes)
            for place, words in row.notes:
                yield _BlockPlace(place, words, under.get(place, ()), part, row.number)


def _name_note_groups(blocks: Sequence[tuple[int, ContentBlock]]) -> dict[int, tuple[str, ...]]:
    """Name the fold that holds each of some notes in a row."""
    return {
        place: (f"{several[0][0]}*",)
        for several in group_notes(blocks)
        if len(several) > 1
        for place, _ in several
    }


def _name_hidden_rows(run: StepRun) -> dict[int, str]:
    """Name the fold of each row that is left out."""
    views = {step.number: view_of(step.block) for step in run.steps}
    hidden = (group.rows for group in group_rows(run, views) if group.is_hidden)
    return {row.number: f"{rows[0].number}+" for rows in hidden for row in rows}


def _folds_above(spot: _BlockPlace, message: str, above: tuple[str, ...]) -> tuple[str, ...]:
    """Name the folds on the way to a block; a page opens those of them that are there."""
    own = str(spot.place)
    inner: tuple[str, ...] = (own, f"{own}/more", f"{own}/answer")
    if isinstance(spot.block, TextBlock):
        folded = spot.block.type in _FOLDED
        long = spot.block.type == "output" or len(spot.block.text) > _MAY_BE_FOLDED
        long = long or spot.block.text.count("\n") >= _MAY_BE_FOLDED_LINES
        inner = (own,) if folded else (f"{own}/more",) if long else ()
    return tuple(f"{message}~{place}" for place in (*above, *spot.under, *inner))


def _count_matches(block: ContentBlock, wanted: str) -> int:
    return collect_block_text(block).casefold().count(wanted)


def index_records(slots: Sequence[PieceContent], session: Session) -> dict[str, int]:
    """Give the number of the piece of every record."""
    found: dict[str, int] = {}
    long: dict[int, tuple[Message, dict[str, int]]] = {}
    for number, slot in enumerate(slots):
        if slot.message is None:
            continue
        if slot.info.kind != "answer" or (slot.head and _is_last_piece(slots, number)):
            found |= dict.fromkeys(slot.message.uuids, number)
            continue
        _, names = long.setdefault(id(slot.message), (slot.message, {}))
        for name in _names_in_parts(slot.parts):
            names.setdefault(name, number)
        found.setdefault(slot.message.uuids[0] if slot.message.uuids else "", number)
    for message, names in long.values():
        found |= _place_records(
            message, names, session, found.get(message.uuids[0] if message.uuids else "", 0)
        )
    return found


def _is_last_piece(slots: Sequence[PieceContent], number: int) -> bool:
    after = slots[number + 1] if number + 1 < len(slots) else None
    return after is None or after.message is not slots[number].message


def _place_records(
    message: Message, names: dict[str, int], session: Session, first: int
) -> dict[str, int]:
    found: dict[str, int] = {}
    at = first
    tree = session.tree
    for uuid in message.uuids:
        number = tree.number.get(uuid)
        if number is not None:
            at = next((names[n] for n in _names_in_record(tree.nodes[number]) if n in names), at)
        found[uuid] = at
    return found


def _names_in_parts(parts: Sequence[AnswerPart]) -> list[str]:
    names: list[str] = []
    for part in parts:
        blocks = [row.block for row in part.rows] if isinstance(part, StepRun) else [part.block]
        names += [name for block in blocks for name in _names_of_block(block)]
    return names


def _names_of_block(block: ContentBlock) -> tuple[str, ...]:
    """Name a block as `_names_in_record` does."""
    name = block.id if isinstance(block, ToolBlock) else block.text
    return (name,) if name else ()


def _names_in_record(record: Record) -> list[str]:
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
