"""A session at a glance: its exchanges, on branches that part where a person went back.

This is what `bough tree` draws and what an outline beside a conversation shows.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from bough.model.agentruns import agent_noticed
from bough.model.bills import Bill, Till
from bough.model.elapsed import seconds_between
from bough.model.exchanges import AgentRun, Collecting, Exchange, begun_by, begun_without
from bough.model.knots import NONE, Is
from bough.model.pricelist import PRICES, PriceList
from bough.model.session import Agent, Session
from bough.model.tools import result_of
from bough.model.tooltold import Told, told_by
from bough.model.toolwords import agent_words
from bough.model.ways import Line, lines_of
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of, plain
from bough.records.record import Record
from bough.records.types import Assistant, System, User

_NOTICE = b"<task-notification>"


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


def overview(session: Session, prices: PriceList = PRICES) -> Overview:
    """Look at a session as a whole."""
    return _Looking(session, prices).overview()


class _Looking:
    """What is needed to look at a session."""

    def __init__(self, session: Session, prices: PriceList) -> None:
        self.session = session
        self.story = session.story
        self.till = Till(session.usage_lines(), prices)
        self.agents = {a.tie.call: a for a in session.agents if a.tie is not None}
        self.told = dict(_told_of_agents(session.records))
        self.ended = dict(_noticed(session.records))
        self.active = next((tip.knot for tip in session.tips if tip.active), NONE)
        self.causes = {
            child: point.cause for point in session.branch_points for child in point.children
        }
        self.exchanges = 0
        self.bill = Bill()

    def overview(self) -> Overview:
        """Tell each line, then set the lines into one another from the innermost out."""
        roots = lines_of(self.story, self.active)
        lines = list(_all_lines(roots))
        told = [self._tell(line) for line in lines]
        branches: dict[int, Branch] = {}
        for line, items in zip(reversed(lines), reversed(told), strict=True):
            branches[id(line)] = self._branch(line, items, branches)
        total = self.bill + self.till.rest()
        return Overview(tuple(branches[id(line)] for line in roots), self.exchanges, total)

    def _branch(
        self, line: Line, items: "list[Exchange | Seam | list[Line]]", inner: Mapping[int, Branch]
    ) -> Branch:
        first = self.session.tree.uuid(self.story.knots[line.knots[0]].first)
        return Branch(
            items=tuple(
                Parting(tuple(inner[id(leaving)] for leaving in item))
                if isinstance(item, list)
                else item
                for item in items
            ),
            active=self.active in line.knots,
            cause=self.causes.get(first, "") if line.parent != NONE else "",
        )

    def _tell(self, line: Line) -> "list[Exchange | Seam | list[Line]]":
        """Go along a line and tell its exchanges, seams, and the lines that leave it."""
        items: list[Exchange | Seam | list[Line]] = []
        current: Collecting | None = None
        early: list[Record] = []
        leaving: list[list[Line]] = []
        is_tip = False
        for knot in line.knots:
            if self.story.knots[knot].kind is Is.SEAM:
                items += self._closed(current, leaving, active=is_tip)
                items.append(self._seam(knot))
                current, leaving, is_tip = None, [], False
                continue
            for record in self._records(knot):
                begun = begun_by(record)
                if begun is None and current is None and isinstance(record, Assistant):
                    begun = begun_without(record, again=line.parent != NONE and not items)
                if begun is not None:
                    items += self._closed(current, leaving, active=is_tip)
                    current, leaving, is_tip = begun, [], False
                    for earlier in early:
                        current.take(earlier)
                    early = []
                if current is None:
                    early.append(record)
                else:
                    current.take(record)
            is_tip = is_tip or knot == self.active
            if knot in line.leaves:
                leaving.append(line.leaves[knot])
            for seam in self.story.dead_seams.get(knot, ()):
                items += self._closed(current, leaving, active=is_tip)
                items.append(self._seam(seam))
                current, leaving, is_tip = None, [], False
        return items + self._closed(current, leaving, active=is_tip)

    def _closed(
        self, current: Collecting | None, leaving: list[list[Line]], *, active: bool
    ) -> "list[Exchange | Seam | list[Line]]":
        """Finish an exchange; what leaves in it is drawn behind it."""
        if current is None:
            return [*leaving]
        calls = current.agent_calls(self.agents)
        agents = tuple(self._agent(call, current) for call in calls)
        bill = sum((agent.bill for agent in agents), self.till.charge(current.records))
        self.exchanges += 1
        self.bill += bill
        return [current.finished(agents, bill, active=active), *leaving]

    def _agent(self, call: str, current: Collecting) -> AgentRun:
        told = self.told.get(call)
        agent = self.agents.get(call)
        ok = self._ended_well(call, current, told)
        if agent is None:
            steps = told.total_tool_use_count if told else None
            return AgentRun(call, None, _words(call, current), ok, steps, told and told.seconds)
        family = [agent, *agent.agents]
        return AgentRun(
            call=call,
            id=agent.id,
            text=_words(call, current, agent),
            ok=ok,
            steps=_steps(agent),
            seconds=(told and told.total_duration_ms and told.seconds)
            or seconds_between(agent.started_at, agent.ended_at),
            bill=self.till.charge(record for each in family for record in each.records),
        )

    def _ended_well(self, call: str, current: Collecting, told: Told | None) -> bool | None:
        if call in self.ended:
            return self.ended[call]
        if told is not None and (told.is_async or told.status == "async_launched"):
            return None
        return current.outcome(call)

    def _records(self, knot: int) -> Iterator[Record]:
        own = self.story.knots[knot]
        return (self.session.tree.nodes[number] for number in sorted([*own.nodes, *own.notes]))

    def _seam(self, knot: int) -> Seam:
        nodes = [self.session.tree.nodes[number] for number in self.story.knots[knot].nodes]
        boundary = next((n for n in nodes if isinstance(n, System)), None)
        about = boundary.compact_metadata if boundary is not None else None
        kept = about.preserved_messages if about is not None else None
        count = len(kept.uuids) if kept is not None else 0
        return Seam(
            uuid=nodes[0].uuid,
            timestamp=nodes[0].timestamp,
            trigger=about.trigger if about else None,
            before=_whole(about.pre_tokens) if about else None,
            after=_whole(about.post_tokens) if about else None,
            kept=count if kept is not None else None,
            dropped=max(0, self._talk_before(knot) - count),
        )

    def _talk_before(self, seam: int) -> int:
        """Count the messages between a seam and the one before it."""
        count, knot = 0, self.story.knots[seam].parent
        while knot != NONE and self.story.knots[knot].kind is not Is.SEAM:
            count += len(self.story.knots[knot].nodes)
            knot = self.story.knots[knot].parent
        return count
