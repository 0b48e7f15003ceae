"""A large conversation whose end alone is told anew while it grows.

Telling twenty thousand records takes the better part of a second, and somebody who follows
a session should not wait that long for each word. The last turns told by themselves are
the same pieces as in the whole; that is checked when the end is cut off, piece by piece.
Whatever is not a plain continuation (a rewind, a compaction, a line that starts elsewhere)
makes the whole be told again.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from bough.errors import NotFound
from bough.library import ConversationView, OutlineRow, PieceMatch
from bough.model.conversation.conversation import Conversation
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.session import Session
from bough.records.record import Record
from bough.records.types import System

if TYPE_CHECKING:
    from bough.library import PieceContent, PieceInfo

_MOST: Final = 2_000
"""An end of more records is as slow as it is meant not to be."""

BuildView = Callable[[Session], ConversationView]
CutSession = Callable[[int, int | None], Session]
"""Gives the session from one offset on, to another if there is one."""


class TailSplit:
    """The end of a conversation: which pieces of the whole it replaces, and how it is told.

    `at` is the first piece it replaces; the turn before that is told with it, but not
    shown: what comes first in a conversation is shown otherwise than the rest.
    """

    def __init__(self, whole: ConversationView, at: int, offset: int, skip: int) -> None:
        self.whole = whole
        self.at = at
        self.offset = offset
        self.skip = skip


class AppendedView:
    """The beginning of one view and the end of another, as one conversation."""

    def __init__(self, end: TailSplit, tail: ConversationView) -> None:
        self.end = end
        self._tail = tail
        self._shift = end.at - end.skip
        self.session = end.whole.session
        self.contents: Sequence[PieceContent] = [
            *end.whole.contents[: end.at],
            *tail.contents[end.skip :],
        ]
        self.pieces: Sequence[PieceInfo] = [slot.info for slot in self.contents]

    @property
    def conversation(self) -> Conversation:
        """Give the conversation that its end belongs to."""
        return self._tail.conversation

    def html(self, number: int) -> str:
        """Render one piece."""
        if number < self.end.at:
            return self.end.whole.html(number)
        return self._tail.html(number - self._shift)

    def body(self, key: str) -> str:
        """Render the body of a fold, wherever it is."""
        try:
            return self._tail.body(key)
        except NotFound:
            return self.end.whole.body(key)

    def find_piece(self, uuid: str) -> int | None:
        """Find the piece a record is in."""
        found = self._tail.find_piece(uuid)
        if found is not None and found >= self.end.skip:
            return found + self._shift
        return self.end.whole.find_piece(uuid)

    def find_row(self, uuid: str) -> PieceMatch | None:
        """Find the row inside a piece that a record is shown in."""
        found = self._tail.find_row(uuid)
        if found is not None and found.number >= self.end.skip:
            return replace(found, number=found.number + self._shift)
        return self.end.whole.find_row(uuid)

    def outline(self) -> list[OutlineRow]:
        """List what was asked."""
        return self._outline

    @cached_property
    def _outline(self) -> list[OutlineRow]:
        before = [row for row in self.end.whole.outline() if row.number < self.end.at]
        after = [row for row in self._tail.outline() if row.number >= self.end.skip]
        return [*before, *(replace(row, number=row.number + self._shift) for row in after)]

    def find(self, words: str) -> list[PieceMatch]:
        """Find all places where some words stand."""
        before = [one for one in self.end.whole.find(words) if one.number < self.end.at]
        after = [one for one in self._tail.find(words) if one.number >= self.end.skip]
        return [*before, *(replace(one, number=one.number + self._shift) for one in after)]


def split_tail(whole: ConversationView, cut_off: CutSession, tell: BuildView) -> TailSplit | None:
    """Cut the last turns off a conversation; None where they cannot stand alone."""
    asked = [n for n, slot in enumerate(whole.contents) if slot.info.kind in PERSON_KINDS]
    if len(asked) < 3 or len(whole.session.tips) != 1:
        return None
    first, at = asked[-3], asked[-2]
    message = whole.contents[first].message
    if message is None or _count_records_from(whole.session, message.offset) > _MOST:
        return None
    alone = tell(cut_off(message.offset, whole.session.records[-1].offset))
    skip = next((n for n, p in enumerate(alone.pieces) if p.key == whole.pieces[at].key), 0)
    if not skip or alone.contents[skip:] != whole.contents[at:]:
        return None
    return TailSplit(whole, at, message.offset, skip)


def extend_view(end: TailSplit, cut_off: CutSession, tell: BuildView) -> AppendedView | None:
    """Tell the end as it is now; None where it does more than go on."""
    session = cut_off(end.offset, None)
    if len(session.records) > _MOST or len(session.tips) != 1:
        return None
    known = end.whole.session.tree.number
    fresh = [r for r in session.records if r.uuid is not None and r.uuid not in known]
    if any(_is_new_start(record, session) for record in fresh):
        return None
    tail = tell(session)
    same = end.whole.pieces[end.at - 1].key
    before = [piece.key for piece in tail.pieces[: end.skip]]
    return AppendedView(end, tail) if before and before[-1] == same else None


def _is_new_start(record: Record, session: Session) -> bool:
    if isinstance(record, System) and record.subtype == "compact_boundary":
        return True
    parent = record.parent_uuid
    return parent is None or parent not in session.tree.number


def _count_records_from(session: Session, offset: int) -> int:
    offsets = [record.offset for record in session.records]
    return len(offsets) - bisect_left(offsets, offset)
