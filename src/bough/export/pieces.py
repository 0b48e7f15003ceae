"""The pieces of a page: those of the conversation, its long answers cut into several.

No unit of a page is larger than a few screens. How much room a piece is likely to take is
estimated from lengths alone, before anything of it is rendered.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.steps import MOST_ROWS, AnswerPart, StepRun, split_into_parts
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.outline.branch_path import list_own_turns
from bough.model.outline.pieces import Piece, PieceKind
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.slides import Slide
from bough.model.outline.turns import Turn
from bough.model.tools.calls import ToolBlock

MOST_BLOCKS: Final = 12
_COLUMNS: Final = 90
_PROMPT_LINES: Final = 20
"""A longer prompt is folded."""
_FOLDED: Final = frozenset({"thinking", "redacted_thinking", "note", "hook", "summary"})
_FAILED_KINDS: Final = frozenset({PieceKind.ERROR, PieceKind.BAD_LINE})


class PieceInfo(Struct, frozen=True, gc=False):
    """What a page knows of a piece before it asks for it.

    `key` is the same as long as the session lives. `lines` is how many lines of text it is
    likely to take; `marks` are letters for a map: p(rompt), s(ummary of a compaction), e(rror),
    a(gent), t for a side branch.
    """

    key: str
    kind: str
    uuid: str | None
    timestamp: str | None
    lines: int
    marks: str = ""


class PieceContent(Struct, frozen=True, gc=False):
    """A piece of a page and what it is made of.

    Of an answer, `parts` are those of this piece; `head` and `last` say whether it begins and
    ends the message. `ended_turn` is the turn that this ends, and `answers` all messages
    of that. `left` marks what is on a branch that was left behind.
    """

    info: PieceInfo
    message: Message | None = None
    parts: tuple[AnswerPart, ...] = ()
    head: bool = True
    last: bool = True
    ended_turn: Turn | None = None
    item: Turn | Compaction | Branch | None = None
    left: bool = False
    answers: tuple[Message, ...] = ()


def make_slide_content(slide: Slide) -> PieceContent:
    """Give what a slide shows as a piece of its own."""
    piece, message = slide.piece, slide.piece.message
    if not slide.parts or message is None:
        content = PieceContent(_make_info(piece), message, item=piece.item, left=piece.left)
        return replace(content, info=replace(content.info, key=slide.key))
    info = PieceInfo(slide.key, piece.kind, message.uuid, message.timestamp, 0)
    return PieceContent(
        info,
        message,
        slide.parts,
        slide.is_first,
        slide.is_last,
        slide.ended_turn,
        left=piece.left,
        answers=slide.answers,
    )


def list_contents(pieces: Iterable[Piece]) -> list[PieceContent]:
    """List the pieces of a page; what a turn took stands under its last answer."""
    found: list[PieceContent] = []
    last_answer = 0
    for piece in pieces:
        message = piece.message
        if piece.kind is PieceKind.TURN_END:
            if piece.messages and isinstance(piece.item, Turn):
                found[last_answer] = replace(
                    found[last_answer], ended_turn=piece.item, answers=piece.messages
                )
        elif piece.kind is PieceKind.ANSWER and message is not None:
            found += _cut_answer(message, left=piece.left)
            last_answer = len(found) - 1
        else:
            found.append(PieceContent(_make_info(piece), message, item=piece.item, left=piece.left))
    return found


def _cut_answer(message: Message, *, left: bool) -> Iterator[PieceContent]:
    key = message.key
    stretches = list(_split_parts(split_into_parts(message.blocks))) or [()]
    for number, parts in enumerate(stretches):
        info = PieceInfo(
            key=f"{key}:{number}" if number else key,
            kind=PieceKind.ANSWER,
            uuid=message.uuid,
            timestamp=message.timestamp,
            lines=sum(map(_estimate_lines, parts)) + 2,
            marks=_collect_marks(parts),
        )
        last = number == len(stretches) - 1
        yield PieceContent(info, message, parts, number == 0, last, left=left)


def _make_info(piece: Piece) -> PieceInfo:
    match piece.item:
        case Compaction(uuid=uuid, timestamp=at):
            return PieceInfo(piece.key, piece.kind, uuid, at, 4, "s")
        case Branch() as branch:
            first = next(iter(list_own_turns(branch)), None)
            uuid, at = (first.uuid, first.timestamp) if first is not None else (None, None)
            return PieceInfo(piece.key, piece.kind, uuid, at, 2, "t")
        case _:
            return _make_message_info(piece)


def _make_message_info(piece: Piece) -> PieceInfo:
    message = piece.message
    blocks = message.blocks if message is not None else ()
    lines = sum(_estimate_text_lines(b) for b in blocks if isinstance(b, TextBlock))
    is_prompt = piece.kind in PERSON_KINDS
    return PieceInfo(
        key=piece.key,
        kind=piece.kind,
        uuid=message.uuid if message is not None else None,
        timestamp=message.timestamp if message is not None else None,
        lines=min(lines, _PROMPT_LINES) + 2 if is_prompt else min(lines, 3),
        marks="p" if is_prompt else "e" if piece.kind in _FAILED_KINDS else "",
    )


def _split_parts(parts: Sequence[AnswerPart]) -> Iterator[tuple[AnswerPart, ...]]:
    """Cut the parts of an answer into stretches of so many blocks; runs stay whole."""
    stretch: list[AnswerPart] = []
    blocks = 0
    for part in parts:
        size = min(len(part.rows), MOST_ROWS) if isinstance(part, StepRun) else 1
        if stretch and blocks + size > MOST_BLOCKS:
            yield tuple(stretch)
            stretch, blocks = [], 0
        stretch.append(part)
        blocks += size
    if stretch:
        yield tuple(stretch)


def _estimate_lines(part: AnswerPart) -> int:
    if isinstance(part, StepRun):
        return min(len(part.rows), MOST_ROWS) + 2
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
