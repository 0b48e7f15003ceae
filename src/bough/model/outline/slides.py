"""A conversation as slides: what is revealed of it one after the other, for whoever presents it.

What a person sent is one slide. An answer is as many as it has parts: words, a thought, a block
of steps, an agent; a thought inside a block of steps parts it in two. Notes have no slide of
their own and come with the one before them; branches that leave here are not shown. The page and
the file that is sent both show this list.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.messages import Message
from bough.model.conversation.steps import (
    AnswerPart,
    RunRow,
    SingleBlock,
    Step,
    StepRun,
    WordRow,
    is_talk,
    split_into_parts,
)
from bough.model.interpret.message_kinds import PERSON_KINDS, THOUGHT_TYPES
from bough.model.outline.pieces import Piece, PieceKind
from bough.model.outline.session_outline import Compaction
from bough.model.outline.turns import Turn
from bough.model.tools.calls import ToolBlock


class SlideKind(StrEnum):
    """What a slide shows. The values are words of the web API and of the file."""

    PROMPT = "prompt"
    ANSWER = "answer"
    THOUGHT = "thought"
    STEPS = "steps"
    AGENT = "agent"
    NOTE = "note"
    ERROR = "error"
    COMPACTION = "compaction"

    __repr__ = str.__repr__


_KINDS: Final = {
    PieceKind.COMPACTION: SlideKind.COMPACTION,
    PieceKind.ERROR: SlideKind.ERROR,
    PieceKind.INTERRUPT: SlideKind.ERROR,
    PieceKind.NOTE: SlideKind.NOTE,
    PieceKind.BAD_LINE: SlideKind.NOTE,
}
_LEFT_OUT: Final = frozenset({PieceKind.SIDE_BRANCH, PieceKind.TURN_END})


class Slide(Struct, frozen=True, gc=False):
    """One slide: a piece of a conversation, or a part of an answer.

    `turn` counts the turns and the compactions before it. Of an answer, `parts` are what is shown,
    and `is_first` and `is_last` say whether it begins and ends the message. `notes` come with it.
    `ended_turn` is the turn that it ends, and `answers` are all messages of that.
    """

    key: str
    kind: SlideKind
    turn: int
    piece: Piece
    parts: tuple[AnswerPart, ...] = ()
    is_first: bool = True
    is_last: bool = True
    notes: tuple[Piece, ...] = ()
    ended_turn: Turn | None = None
    answers: tuple[Message, ...] = ()

    @property
    def message(self) -> str:
        """Name the message it is of, as an address does."""
        message = self.piece.message
        return message.key if message is not None else self.piece.key.partition("/")[0]


class SlideList(Struct, frozen=True):
    """The slides of a conversation, and what each of its turns is called."""

    slides: Sequence[Slide]
    turns: Sequence[str]

    def find_message(self, uuid: str) -> int | None:
        """Find the slide a message begins with, by any of its records; None where it has none."""
        for number, slide in enumerate(self.slides):
            messages = (piece.message for piece in (slide.piece, *slide.notes))
            if slide.message == uuid or any(
                one is not None and (uuid == one.key or uuid in one.uuids) for one in messages
            ):
                return number
        return None


def list_slides(pieces: Iterable[Piece]) -> SlideList:
    """List the slides of a conversation from its pieces."""
    slides: list[Slide] = []
    turns: list[str] = []
    early_notes: list[Piece] = []
    current: Turn | Compaction | None = None
    for piece in pieces:
        if piece.kind is PieceKind.TURN_END:
            _end_turn(slides, piece)
        if piece.kind in _LEFT_OUT:
            continue
        item = piece.item if isinstance(piece.item, Compaction) else piece.within
        if not turns or (item is not None and item is not current):
            current = item
            turns.append(_name_turn(item))
        found = list(_cut_piece(piece, len(turns) - 1))
        if found and found[0].kind is not SlideKind.NOTE:
            slides += [replace(found[0], notes=tuple(early_notes)), *found[1:]]
            early_notes.clear()
        elif found and slides:
            slides[-1] = replace(slides[-1], notes=(*slides[-1].notes, piece))
        elif found:
            early_notes.append(piece)
    slides += [Slide(one.key, SlideKind.NOTE, 0, one) for one in early_notes]
    return _drop_empty_turns(slides, turns)


def _cut_piece(piece: Piece, turn: int) -> Iterator[Slide]:
    message = piece.message
    if piece.kind is not PieceKind.ANSWER or message is None:
        kind = SlideKind.PROMPT if piece.kind in PERSON_KINDS else _KINDS[piece.kind]
        yield Slide(piece.key, kind, turn, piece)
        return
    parts = split_into_parts(message.blocks)
    stretches = _group_parts(cut for part in parts for cut in _cut_at_thoughts(part))
    for number, stretch in enumerate(stretches):
        yield Slide(
            key=f"{message.key}:{number}" if number else message.key,
            kind=next(filter(None, map(_kind_of_part, stretch)), SlideKind.STEPS),
            turn=turn,
            piece=piece,
            parts=stretch,
            is_first=number == 0,
            is_last=number == len(stretches) - 1,
        )


def _cut_at_thoughts(part: AnswerPart) -> Iterator[AnswerPart]:
    """Let what was thought in a block of steps stand alone, and what was done between as blocks."""
    if not isinstance(part, StepRun):
        yield part
        return
    for is_thought, group in groupby(part.rows, key=_is_thought):
        rows = tuple(group)
        if not is_thought and any(isinstance(row, Step) for row in rows):
            yield StepRun(rows)
            continue
        for row in rows:
            yield SingleBlock(row.number, row.block)
            yield from (SingleBlock(number, note) for number, note in row.notes)


def _is_thought(row: RunRow) -> bool:
    return isinstance(row, WordRow) and row.is_thought


def _group_parts(parts: Iterable[AnswerPart]) -> list[tuple[AnswerPart, ...]]:
    """Give each part of an answer for itself; a hook or a note goes with the one before it."""
    found: list[tuple[AnswerPart, ...]] = []
    for part in parts:
        if found and (_kind_of_part(part) is None or _is_quiet(found[-1])):
            found[-1] = (*found[-1], part)
        else:
            found.append((part,))
    return found


def _is_quiet(parts: Iterable[AnswerPart]) -> bool:
    return not any(map(_kind_of_part, parts))


def _kind_of_part(part: AnswerPart) -> SlideKind | None:
    """Tell what a part is; None for a hook or a note."""
    if isinstance(part, StepRun):
        return SlideKind.STEPS
    if isinstance(part.block, ToolBlock):
        return SlideKind.AGENT
    if part.block.type in THOUGHT_TYPES:
        return SlideKind.THOUGHT
    return SlideKind.ANSWER if is_talk(part) else None


def _end_turn(slides: list[Slide], end: Piece) -> None:
    """Let the last slide of an answer say what its turn took."""
    if not end.messages or not isinstance(end.item, Turn):
        return
    own = {id(message) for message in end.messages}
    for number in range(len(slides) - 1, -1, -1):
        if id(slides[number].piece.message) in own:
            slides[number] = replace(slides[number], ended_turn=end.item, answers=end.messages)
            return
        if slides[number].turn != slides[-1].turn:
            return


def _name_turn(item: Turn | Compaction | None) -> str:
    if isinstance(item, Compaction):
        return "Compaction"
    return item.label if item is not None else ""


def _drop_empty_turns(slides: Sequence[Slide], turns: Sequence[str]) -> SlideList:
    """Number the turns anew where one has no slide."""
    used = sorted({slide.turn for slide in slides})
    if len(used) == len(turns):
        return SlideList(slides, turns)
    numbers = {old: new for new, old in enumerate(used)}
    return SlideList(
        [replace(slide, turn=numbers[slide.turn]) for slide in slides], [turns[old] for old in used]
    )
