"""The pieces of a conversation, before anything of them is rendered.

A piece is one unit of a page's list: a prompt, a part of an answer, a compaction, a side branch.
A long answer makes several, so that no unit is larger than a few screens. Listing twenty
thousand records must cost next to nothing, so only lengths are looked at here.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import is_interrupt
from bough.model.conversation.steps import AnswerPart, StepRun, split_into_parts
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.outline.branch_path import OutlineItem, list_own_turns
from bough.model.outline.session_outline import Branch, BranchOff, Compaction
from bough.model.outline.turns import Turn
from bough.model.tools.calls import ToolBlock

MOST_BLOCKS: Final = 12
_MOST_ROWS: Final = 6
_COLUMNS: Final = 90
_KINDS: Final = {
    "assistant": "answer",
    "notice": "note",
    "meta": "note",
    "hook": "note",
}
_FOLDED: Final = frozenset({"thinking", "redacted_thinking", "note", "hook", "summary"})


class Piece(Struct, frozen=True, gc=False):
    """One unit of a page's list.

    `key` is the same as long as the session lives. `lines` is how many lines of text it is
    likely to take; `marks` are letters for a map: p(rompt), s(eam), e(rror), a(gent), t(wig).
    """

    key: str
    kind: str
    uuid: str | None
    timestamp: str | None
    lines: int
    marks: str = ""


class PieceContent(Struct, frozen=True, gc=False):
    """A piece and what it is made of.

    Of an answer, `parts` are those of this piece; `head` and `last` say whether it begins and
    ends the message. `ended_turn` is what was asked where this ends it, and `answers` all messages
    of that. `left` marks what is on a branch that was left behind.
    """

    piece: Piece
    message: Message | None = None
    parts: tuple[AnswerPart, ...] = ()
    head: bool = True
    last: bool = True
    ended_turn: Turn | None = None
    item: Turn | Compaction | Branch | None = None
    left: bool = False
    answers: tuple[Message, ...] = ()


def list_contents(
    items: Sequence[OutlineItem], messages: dict[str, list[Message]], everything: Sequence[Message]
) -> list[PieceContent]:
    """List the slots of a route; what belongs to none of its items follows at the end."""
    found: list[PieceContent] = []
    placed: set[int] = set()
    left = False
    for item in items:
        match item:
            case Turn():
                own = _take_unplaced(messages.get(item.key, ()), placed)
                found += _list_turn(item, own, left=left)
            case Compaction():
                own = _take_unplaced(messages.get(item.key, ()), placed)
                found += _list_compaction(item, own, left=left)
            case BranchOff():
                found += [
                    _make_side_branch(path, number) for number, path in enumerate(item.branches)
                ]
                left = left or any(path.active for path in item.branches)
    rest = [message for message in everything if id(message) not in placed]
    return found + [slot for message in rest for slot in _list_message(message, left=left)]


def _take_unplaced(messages: Sequence[Message], placed: set[int]) -> list[Message]:
    """Take the messages that no item before has, and remember them."""
    own = [message for message in messages if id(message) not in placed]
    placed.update(map(id, own))
    return own


def _list_turn(item: Turn, messages: Sequence[Message], *, left: bool) -> Iterator[PieceContent]:
    answers = [message for message in messages if message.kind == "assistant"]
    for message in messages:
        if answers and message is answers[-1]:
            yield from _list_message(message, item, tuple(answers), left=left)
        else:
            yield from _list_message(message, left=left)


def _list_message(
    message: Message,
    foot: Turn | None = None,
    answers: tuple[Message, ...] = (),
    *,
    left: bool = False,
) -> Iterator[PieceContent]:
    if message.kind != "assistant":
        yield PieceContent(_make_piece(message), message, left=left)
        return
    key = message.key
    stretches = list(_split_parts(split_into_parts(message.blocks))) or [()]
    for number, parts in enumerate(stretches):
        piece = Piece(
            key=f"{key}:{number}" if number else key,
            kind="answer",
            uuid=message.uuid,
            timestamp=message.timestamp,
            lines=sum(map(_estimate_lines, parts)) + 2,
            marks=_collect_marks(parts),
        )
        last = number == len(stretches) - 1
        end = foot if last else None
        yield PieceContent(
            piece, message, parts, number == 0, last, end, left=left, answers=answers
        )


def _list_compaction(
    compaction: Compaction, messages: Sequence[Message], *, left: bool
) -> Iterator[PieceContent]:
    """Show the compaction as one piece, and what else came with it behind it."""
    told = next((message for message in messages if message.kind == "compaction"), None)
    key = f"{compaction.uuid}/compaction"
    piece = Piece(key, "compaction", compaction.uuid, compaction.timestamp, 4, "s")
    yield PieceContent(piece, told, item=compaction, left=left)
    for message in messages:
        if message is not told:
            yield from _list_message(message, left=left)


def _make_side_branch(branch: Branch, number: int) -> PieceContent:
    asked = list_own_turns(branch)
    uuid = asked[0].uuid if asked else None
    key = f"{uuid or number}/side-branch"
    at = asked[0].timestamp if asked else None
    return PieceContent(Piece(key, "side-branch", uuid, at, 2, "t"), item=branch)


def _make_piece(message: Message) -> Piece:
    kind = _KINDS.get(message.kind, message.kind)
    interrupted = kind == "note" and any(
        isinstance(block, TextBlock) and is_interrupt(block) for block in message.blocks
    )
    marks = "p" if kind in PERSON_KINDS else "e" if kind in ("error", "bad_line") else ""
    lines = sum(_estimate_text_lines(b) for b in message.blocks if isinstance(b, TextBlock))
    return Piece(
        key=message.key,
        kind="interrupt" if interrupted else kind,
        uuid=message.uuid,
        timestamp=message.timestamp,
        lines=lines + 2 if kind in PERSON_KINDS else min(lines, 3),
        marks=marks,
    )


def _split_parts(parts: Sequence[AnswerPart]) -> Iterator[tuple[AnswerPart, ...]]:
    """Cut the parts of an answer into stretches of so many blocks; runs stay whole."""
    stretch: list[AnswerPart] = []
    blocks = 0
    for part in parts:
        size = min(len(part.steps), _MOST_ROWS) if isinstance(part, StepRun) else 1
        if stretch and blocks + size > MOST_BLOCKS:
            yield tuple(stretch)
            stretch, blocks = [], 0
        stretch.append(part)
        blocks += size
    if stretch:
        yield tuple(stretch)


def _estimate_lines(part: AnswerPart) -> int:
    if isinstance(part, StepRun):
        return min(len(part.steps), _MOST_ROWS) + 2
    if isinstance(part.block, ToolBlock):
        return 5
    return _estimate_text_lines(part.block)


def _estimate_text_lines(block: TextBlock) -> int:
    if block.type in _FOLDED:
        return 1
    if block.picture is not None:
        return 10
    return block.text.count("\n") + len(block.text) // _COLUMNS + 1


def _collect_marks(parts: Sequence[AnswerPart]) -> str:
    marks = ""
    for part in parts:
        if isinstance(part, StepRun):
            calls = [step.block for step in part.steps]
        elif isinstance(part.block, ToolBlock):
            calls = [part.block]
            marks += "a"
        else:
            continue
        if any(call.result is not None and call.result.is_error for call in calls):
            marks += "e"
    return "".join(dict.fromkeys(marks))
