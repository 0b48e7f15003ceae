"""A conversation as one list of pieces, in the order in which it is read.

A piece is a prompt, an answer, a note, an error, a compaction, a side branch, or the end of a
turn. Every face paints this list: a page, a document, the command line, the terminal app. An
answer is one piece here; `split_into_parts` gives its text, thoughts, runs of steps and agents.
Listing twenty thousand records must cost next to nothing, so nothing is rendered here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import is_interrupt
from bough.model.conversation.steps import SingleBlock, is_talk, split_into_parts
from bough.model.interpret.message_kinds import PERSON_KINDS, BlockType, MessageKind
from bough.model.outline.branch_path import OutlineItem, list_own_turns
from bough.model.outline.session_outline import Branch, BranchOff, Compaction
from bough.model.outline.turns import Turn


class PieceKind(StrEnum):
    """What a piece is. The values are words of the web API."""

    PROMPT = "prompt"
    QUEUED = "queued"
    COMMAND = "command"
    SHELL = "shell"
    ANSWER = "answer"
    NOTE = "note"
    INTERRUPT = "interrupt"
    ERROR = "error"
    BAD_LINE = "bad_line"
    COMPACTION = "compaction"
    SIDE_BRANCH = "side-branch"
    TURN_END = "turn-end"

    __repr__ = str.__repr__


_KINDS: Final = {
    MessageKind.ASSISTANT: PieceKind.ANSWER,
    MessageKind.NOTICE: PieceKind.NOTE,
    MessageKind.META: PieceKind.NOTE,
    MessageKind.HOOK: PieceKind.NOTE,
}


_TYPED: Final = frozenset({BlockType.TEXT, BlockType.IMAGE, BlockType.DOCUMENT})


class Piece(Struct, frozen=True, gc=False):
    """One piece of a conversation.

    `key` is the same as long as the session lives. `item` is the compaction, the side branch or
    the ended turn that the piece is; of a message, `within` is the turn or the compaction it
    stands in. `messages` are the answers of an ended turn, and all that came with a compaction.
    `left` marks what is on a branch that was left behind; `depth` counts the side branches that
    were unfolded around it.
    """

    key: str
    kind: PieceKind
    message: Message | None = None
    item: Turn | Compaction | Branch | None = None
    within: Turn | Compaction | None = None
    messages: tuple[Message, ...] = ()
    left: bool = False
    depth: int = 0


_Place = tuple[Turn | Compaction | None, bool, int]
"""Where a message stands: in which item, whether on a branch left behind, and how deep."""


def list_pieces(
    items: Sequence[OutlineItem],
    messages: Mapping[str, Sequence[Message]],
    everything: Iterable[Message],
    *,
    unfold: bool = False,
    left: bool = False,
) -> list[Piece]:
    """List the pieces of a path, with `unfold` those of its side branches too.

    `messages` are those of each item by its key; what of `everything` belongs to no item
    follows at the end. `left` says of a part that it is left behind from its start.
    """
    found: list[Piece] = []
    placed: set[int] = set()
    waiting: list[tuple[OutlineItem | Branch, int, int]] = [(i, 0, 0) for i in reversed(items)]
    while waiting:
        item, depth, number = waiting.pop()
        match item:
            case Turn() | Compaction():
                own = [one for one in messages.get(item.key, ()) if id(one) not in placed]
                placed.update(map(id, own))
                found += _list_item(item, own, left, depth)
            case BranchOff():
                branches = list(enumerate(item.branches))
                waiting += [(branch, depth, at) for at, branch in reversed(branches)]
                left = left or any(branch.active for branch in item.branches)
            case Branch():
                found.append(_make_side_branch(item, number, depth))
                if unfold:
                    waiting += [(inner, depth + 1, 0) for inner in reversed(item.items)]
    rest = (message for message in everything if id(message) not in placed)
    return found + [_make_piece(message, (None, left, 0)) for message in rest]


def list_message_pieces(messages: Iterable[Message]) -> list[Piece]:
    """List the pieces of some messages by themselves, without the outline around them."""
    return [_make_piece(message, (None, False, 0)) for message in messages]


def keep_talk(pieces: Iterable[Piece]) -> list[Piece]:
    """Keep what was asked and answered of some pieces: no steps, thoughts, agents and notes.

    The end of a turn still says what it took, and a compaction or a side branch where it stands.
    """
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind is PieceKind.NOTE:
            continue
        if piece.message is not None:
            blocks = _list_talk_blocks(piece.message, piece.kind)
            if piece.kind is PieceKind.ANSWER and not blocks:
                continue
            piece = replace(piece, message=replace(piece.message, blocks=blocks))  # noqa: PLW2901
        found.append(piece)
    return found


def _list_talk_blocks(message: Message, kind: PieceKind) -> list[ContentBlock]:
    if kind is PieceKind.ANSWER:
        parts = filter(is_talk, split_into_parts(message.blocks))
        return [part.block for part in parts if isinstance(part, SingleBlock)]
    if kind in PERSON_KINDS:
        return [block for block in message.blocks if block.type in _TYPED]
    return message.blocks


def _list_item(
    item: Turn | Compaction, messages: Sequence[Message], left: bool, depth: int
) -> Iterator[Piece]:
    """List the messages of a turn and its end, or a compaction and what else came with it."""
    place = item, left, depth
    if isinstance(item, Turn):
        yield from (_make_piece(message, place) for message in messages)
        answers = tuple(one for one in messages if one.kind is MessageKind.ASSISTANT)
        key = f"{item.key}/turn-end"
        yield Piece(key, PieceKind.TURN_END, item=item, messages=answers, left=left, depth=depth)
        return
    summary = next((one for one in messages if one.kind is MessageKind.COMPACTION), None)
    yield Piece(
        f"{item.uuid}/compaction",
        PieceKind.COMPACTION,
        summary,
        item,
        messages=tuple(messages),
        left=left,
        depth=depth,
    )
    yield from (_make_piece(message, place) for message in messages if message is not summary)


def _make_piece(message: Message, place: _Place) -> Piece:
    within, left, depth = place
    kind = _KINDS.get(message.kind) or PieceKind(message.kind)
    if kind is PieceKind.NOTE and any(
        isinstance(block, TextBlock) and is_interrupt(block) for block in message.blocks
    ):
        kind = PieceKind.INTERRUPT
    return Piece(message.key, kind, message, within=within, left=left, depth=depth)


def _make_side_branch(branch: Branch, number: int, depth: int) -> Piece:
    """Name a side branch by its first turn, or by its place where no turn has a name."""
    turns = list_own_turns(branch)
    uuid = turns[0].uuid if turns else None
    return Piece(f"{uuid or number}/side-branch", PieceKind.SIDE_BRANCH, item=branch, depth=depth)
