"""The pieces of a conversation, before anything of them is rendered.

A piece is one unit of a page's list: a prompt, a stretch of an answer, a seam, a twig. A
long answer makes several, so that no unit is larger than a few screens. Listing twenty
thousand records must cost next to nothing, so only lengths are looked at here.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from bough.model.conversation.branch_path import Item, asked_on
from bough.model.conversation.content import Words
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.note_labels import is_interrupt
from bough.model.conversation.outline import Branch, Parting, Seam
from bough.model.conversation.steps import Part, Run, parts_of
from bough.model.conversation.turns import Turn
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
_ASKED: Final = frozenset({"prompt", "queued", "command", "shell"})
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


class Slot(Struct, frozen=True, gc=False):
    """A piece and what it is made of.

    Of an answer, `parts` are those of this piece; `head` and `last` say whether it begins and
    ends the turn. `foot` is what was asked where this ends it, and `answers` all turns of that.
    `left` marks what is on a branch that was left behind.
    """

    piece: Piece
    turn: Turn | None = None
    parts: tuple[Part, ...] = ()
    head: bool = True
    last: bool = True
    foot: Exchange | None = None
    item: Exchange | Seam | Branch | None = None
    left: bool = False
    answers: tuple[Turn, ...] = ()


def turn_key(turn: Turn) -> str:
    """Name a turn: by its uuid, a bad line by its place."""
    return turn.uuid or f"@{turn.offset}"


def slots_of(
    items: Sequence[Item], turns: dict[str, list[Turn]], everything: Sequence[Turn]
) -> list[Slot]:
    """List the slots of a route; what belongs to none of its items follows at the end."""
    found: list[Slot] = []
    placed: set[int] = set()
    left = False
    for item in items:
        match item:
            case Exchange():
                own = _fresh(turns.get(item.uuid or "", ()), placed)
                found += _exchange(item, own, left=left)
            case Seam():
                own = _fresh(turns.get(item.uuid or "", ()), placed)
                found += _seam(item, own, left=left)
            case Parting():
                found += [_twig(way, number) for number, way in enumerate(item.branches)]
                left = left or any(way.active for way in item.branches)
    rest = [turn for turn in everything if id(turn) not in placed]
    return found + [slot for turn in rest for slot in _turn(turn, left=left)]


def _fresh(turns: Sequence[Turn], placed: set[int]) -> list[Turn]:
    """Take the turns that no item before has, and remember them."""
    own = [turn for turn in turns if id(turn) not in placed]
    placed.update(map(id, own))
    return own


def _exchange(item: Exchange, turns: Sequence[Turn], *, left: bool) -> Iterator[Slot]:
    answers = [turn for turn in turns if turn.kind == "assistant"]
    for turn in turns:
        if answers and turn is answers[-1]:
            yield from _turn(turn, item, tuple(answers), left=left)
        else:
            yield from _turn(turn, left=left)


def _turn(
    turn: Turn,
    foot: Exchange | None = None,
    answers: tuple[Turn, ...] = (),
    *,
    left: bool = False,
) -> Iterator[Slot]:
    if turn.kind != "assistant":
        yield Slot(_piece(turn), turn, left=left)
        return
    key = turn_key(turn)
    stretches = list(_stretches(parts_of(turn.blocks))) or [()]
    for number, parts in enumerate(stretches):
        piece = Piece(
            key=f"{key}:{number}" if number else key,
            kind="answer",
            uuid=turn.uuid,
            timestamp=turn.timestamp,
            lines=sum(map(_height, parts)) + 2,
            marks=_marks(parts),
        )
        last = number == len(stretches) - 1
        end = foot if last else None
        yield Slot(piece, turn, parts, number == 0, last, end, left=left, answers=answers)


def _seam(seam: Seam, turns: Sequence[Turn], *, left: bool) -> Iterator[Slot]:
    """Show the compaction as one piece, and what else came with it behind it."""
    told = next((turn for turn in turns if turn.kind == "compaction"), None)
    key = f"{seam.uuid}/seam"
    piece = Piece(key, "seam", seam.uuid, seam.timestamp, 4, "s")
    yield Slot(piece, told, item=seam, left=left)
    for turn in turns:
        if turn is not told:
            yield from _turn(turn, left=left)


def _twig(branch: Branch, number: int) -> Slot:
    asked = asked_on(branch)
    uuid = asked[0].uuid if asked else None
    key = f"{uuid or number}/twig"
    at = asked[0].timestamp if asked else None
    return Slot(Piece(key, "twig", uuid, at, 2, "t"), item=branch)


def _piece(turn: Turn) -> Piece:
    kind = _KINDS.get(turn.kind, turn.kind)
    interrupted = kind == "note" and any(
        isinstance(block, Words) and is_interrupt(block) for block in turn.blocks
    )
    marks = "p" if kind in _ASKED else "e" if kind in ("error", "bad_line") else ""
    lines = sum(_words_height(b) for b in turn.blocks if isinstance(b, Words))
    return Piece(
        key=turn_key(turn),
        kind="interrupt" if interrupted else kind,
        uuid=turn.uuid,
        timestamp=turn.timestamp,
        lines=lines + 2 if kind in _ASKED else min(lines, 3),
        marks=marks,
    )


def _stretches(parts: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """Cut the parts of an answer into stretches of so many blocks; runs stay whole."""
    stretch: list[Part] = []
    blocks = 0
    for part in parts:
        size = min(len(part.steps), _MOST_ROWS) if isinstance(part, Run) else 1
        if stretch and blocks + size > MOST_BLOCKS:
            yield tuple(stretch)
            stretch, blocks = [], 0
        stretch.append(part)
        blocks += size
    if stretch:
        yield tuple(stretch)


def _height(part: Part) -> int:
    if isinstance(part, Run):
        return min(len(part.steps), _MOST_ROWS) + 2
    if isinstance(part.block, ToolBlock):
        return 5
    return _words_height(part.block)


def _words_height(block: Words) -> int:
    if block.type in _FOLDED:
        return 1
    if block.picture is not None:
        return 10
    return block.text.count("\n") + len(block.text) // _COLUMNS + 1


def _marks(parts: Sequence[Part]) -> str:
    marks = ""
    for part in parts:
        if isinstance(part, Run):
            calls = [step.block for step in part.steps]
        elif isinstance(part.block, ToolBlock):
            calls = [part.block]
            marks += "a"
        else:
            continue
        if any(call.result is not None and call.result.is_error for call in calls):
            marks += "e"
    return "".join(dict.fromkeys(marks))
