"""A session at a glance: its exchanges, on branches that part where a person went back.

This is what `bough tree` draws and what an outline beside a conversation shows.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.agents.summaries import Agents
from bough.model.conversation.exchanges import Collecting, Exchange, begun_by, begun_without
from bough.model.session import Session
from bough.model.tree.branches import Line, lines_of
from bough.model.tree.message_tree import NONE, Is
from bough.model.usage.costs import Bill, Till
from bough.model.usage.price_list import PRICES, PriceList
from bough.records.record import Record
from bough.records.types import Assistant, System


class Seam(Struct, frozen=True):
    """A compaction: tokens before and after, messages kept and dropped; None is not known."""

    uuid: str | None
    timestamp: str | None
    trigger: str | None = None
    before: int | None = None
    after: int | None = None
    kept: int | None = None
    dropped: int = 0


class Parting(Struct, frozen=True):
    """Other branches that leave here."""

    branches: tuple["Branch", ...]


class Branch(Struct, frozen=True):
    """A line of a session; `active` where the active tip is on it.

    `cause` says why it is another one: edit, command or retry; empty for a first one.
    """

    items: tuple[Exchange | Seam | Parting, ...]
    active: bool = False
    cause: str = ""


class Overview(Struct, frozen=True):
    """A whole session: one branch for each root, and what everything cost."""

    branches: tuple[Branch, ...]
    exchanges: int
    bill: Bill


_Item = Exchange | Seam | list[Line]


def overview(session: Session, prices: PriceList = PRICES) -> Overview:
    """Look at a session as a whole."""
    active = next((tip.knot for tip in session.tips if tip.active), NONE)
    till = Till(session.usage_lines(), prices)
    agents = Agents(session)
    roots = lines_of(session.story, active)
    lines = list(_all_lines(roots))
    walks = [_Walk(session, line, active, till, agents).items() for line in lines]
    # From the innermost out, so that what leaves a line is there when the line is put together.
    branches: dict[int, Branch] = {}
    causes = {child: point.cause for point in session.branch_points for child in point.children}
    for line, items in zip(reversed(lines), reversed(walks), strict=True):
        first = session.tree.uuid(session.story.knots[line.knots[0]].first)
        branches[id(line)] = Branch(
            items=tuple(_placed(item, branches) for item in items),
            active=active in line.knots,
            cause=causes.get(first, "") if line.parent != NONE else "",
        )
    exchanges = [item for items in walks for item in items if isinstance(item, Exchange)]
    bill = sum((exchange.bill for exchange in exchanges), till.rest())
    return Overview(tuple(branches[id(line)] for line in roots), len(exchanges), bill)


def _all_lines(roots: Sequence[Line]) -> Iterator[Line]:
    """List every line before those that leave it."""
    waiting = list(reversed(roots))
    while waiting:
        line = waiting.pop()
        yield line
        waiting += [leaving for lines in line.leaves.values() for leaving in lines]


def _placed(item: _Item, branches: Mapping[int, Branch]) -> Exchange | Seam | Parting:
    if isinstance(item, list):
        return Parting(tuple(branches[id(line)] for line in item))
    return item


class _Walk:
    """One line, gone through from its start to its end."""

    def __init__(
        self, session: Session, line: Line, active: int, till: Till, agents: Agents
    ) -> None:
        self._session = session
        self._story = session.story
        self._line = line
        self._active = active
        self._till = till
        self._agents = agents
        self._told: list[_Item] = []
        self._current: Collecting | None = None
        self._early: list[Record] = []
        self._leaving: list[list[Line]] = []
        self._at_tip = False

    def items(self) -> list[_Item]:
        """Tell the exchanges and seams of the line, and the lines that leave it."""
        for knot in self._line.knots:
            if self._story.knots[knot].kind is Is.SEAM:
                self._add_seam(knot)
                continue
            own = self._story.knots[knot]
            for number in sorted([*own.nodes, *own.notes]):
                self._take(self._session.tree.nodes[number])
            self._at_tip = self._at_tip or knot == self._active
            if knot in self._line.leaves:
                self._leaving.append(self._line.leaves[knot])
            for seam in self._story.dead_seams.get(knot, ()):
                self._add_seam(seam)
        self._close()
        return self._told

    def _take(self, record: Record) -> None:
        begun = begun_by(record)
        if begun is None and self._current is None and isinstance(record, Assistant):
            begun = begun_without(record, again=self._line.parent != NONE and not self._told)
        if begun is not None:
            self._close()
            self._current = begun
            for earlier in self._early:
                begun.take(earlier)
            self._early.clear()
        if self._current is None:
            self._early.append(record)
        else:
            self._current.take(record)

    def _close(self) -> None:
        """Finish an exchange; what leaves in it is told behind it."""
        current = self._current
        if current is not None:
            started = self._agents.among(current.calls.values())
            agents = tuple(self._agents.sent_out(use, self._till) for use in started)
            bill = sum((agent.bill for agent in agents), self._till.charge(current.records))
            self._told.append(current.finished(agents, bill, active=self._at_tip))
        self._told += self._leaving
        self._current, self._leaving, self._at_tip = None, [], False

    def _add_seam(self, knot: int) -> None:
        self._close()
        nodes = [self._session.tree.nodes[number] for number in self._story.knots[knot].nodes]
        boundary = next((n for n in nodes if isinstance(n, System)), None)
        about = boundary.compact_metadata if boundary is not None else None
        kept = about.preserved_messages if about is not None else None
        count = len(kept.uuids) if kept is not None else 0
        self._told.append(
            Seam(
                uuid=nodes[0].uuid,
                timestamp=nodes[0].timestamp,
                trigger=about.trigger if about else None,
                before=_whole(about.pre_tokens) if about else None,
                after=_whole(about.post_tokens) if about else None,
                kept=count if kept is not None else None,
                dropped=max(0, self._talk_before(knot) - count),
            )
        )

    def _talk_before(self, seam: int) -> int:
        """Count the messages between a seam and the one before it."""
        count, knot = 0, self._story.knots[seam].parent
        while knot != NONE and self._story.knots[knot].kind is not Is.SEAM:
            count += len(self._story.knots[knot].nodes)
            knot = self._story.knots[knot].parent
        return count


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)
