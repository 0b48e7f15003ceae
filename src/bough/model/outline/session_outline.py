"""A session at a glance: its turns, on branches that part where a person went back.

This is what `bough tree` draws and what an outline beside a conversation shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from bough.model.conversation.group_items import list_group_items
from bough.model.conversation.message_rules import turn_rule_for
from bough.model.interpret.resume_pair import is_placeholder
from bough.model.outline.agent_summaries import AgentSummaries, AgentSummary
from bough.model.outline.branch_names import name_branches
from bough.model.outline.turns import (
    CONTINUED,
    RETRY,
    Turn,
    TurnBuilder,
    describe_answer,
    describe_prompt,
)
from bough.model.session import Session
from bough.model.tree.branches import BranchLine
from bough.model.tree.message_tree import NONE, GroupKind
from bough.model.usage.cost_allocator import CostAllocator
from bough.model.usage.costs import UsageTotal
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.tokens import UsageSnapshot
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, System


class Compaction(Struct, frozen=True):
    """A compaction: tokens before and after, messages kept and dropped; None is not known."""

    uuid: str | None
    timestamp: str | None
    trigger: str | None = None
    before: int | None = None
    after: int | None = None
    kept: int | None = None
    dropped: int = 0

    @property
    def key(self) -> str:
        """Name it as its message does."""
        return self.uuid or ""


class BranchOff(Struct, frozen=True, gc=False):
    """Other branches that leave here."""

    branches: tuple["Branch", ...]


class Branch(Struct, frozen=True, gc=False):
    """A line of a session; `active` where the active tip is on it.

    `cause` says why it is another one: edit, command or retry; empty for a first one. `name` is
    what its conversation is called; empty where the session has no other.
    """

    items: tuple[Turn | Compaction | BranchOff, ...]
    active: bool = False
    cause: str = ""
    name: str = ""


class BranchPosition(Struct, frozen=True, eq=False):
    """A branch, and where it leaves another: before item `at`.

    `left` says that the active branch goes elsewhere from there, or did so further above.
    """

    branch: Branch
    parent: "BranchPosition | None" = None
    at: int = 0
    left: bool = False


class SessionOutline(Struct, frozen=True, dict=True):
    """A whole session: one branch for each root, its turns counted, and what everything cost.

    `unplaced` are the API calls in that cost which no turn is charged for.
    """

    branches: tuple[Branch, ...]
    turns: int
    cost: UsageTotal
    unplaced: tuple[UsageSnapshot, ...] = ()

    @cached_property
    def positions(self) -> Mapping[str, BranchPosition]:
        """Give the branch of each record; the first of them where several have it."""
        found: dict[str, BranchPosition] = {}
        for place in list_positions(self.branches):
            for item in place.branch.items:
                if isinstance(item, Turn):
                    for uuid in (*item.ends, *item.uuids):
                        found.setdefault(uuid, place)
        return found

    @cached_property
    def all_turns(self) -> list[Turn]:
        """List the turns of all branches with their continuations."""
        return [turn for branch in self.branches for turn in list_turns(branch.items)]

    @cached_property
    def agents_by_call(self) -> Mapping[str, AgentSummary]:
        """Describe the agents by the calls that started them."""
        return {agent.call: agent for agent in self._agents if agent.call}

    @cached_property
    def workflow_agents(self) -> Mapping[str, Sequence[AgentSummary]]:
        """Group the agents of workflows by the call they follow."""
        found: dict[str, list[AgentSummary]] = {}
        for agent in self._agents:
            if agent.after is not None:
                found.setdefault(agent.after, []).append(agent)
        return found

    @property
    def _agents(self) -> Iterator[AgentSummary]:
        return (agent for turn in self.all_turns for agent in turn.agents)


def list_turns(items: Sequence[Turn | Compaction | BranchOff]) -> Iterator[Turn]:
    """List the turns among some items with their continuations, and those of what leaves there."""
    waiting = list(reversed(items))
    while waiting:
        item = waiting.pop()
        if isinstance(item, Turn):
            yield item
        elif isinstance(item, BranchOff):
            waiting += [i for branch in reversed(item.branches) for i in reversed(branch.items)]


def list_positions(roots: Sequence[Branch]) -> Iterator[BranchPosition]:
    """List branches with where they leave others, each before those that leave it."""
    waiting = [BranchPosition(root) for root in reversed(roots)]
    while waiting:
        place = waiting.pop()
        yield place
        items = place.branch.items
        active = [at for at, item in enumerate(items) if isinstance(item, Turn) and item.active]
        for at, item in enumerate(items):
            if isinstance(item, BranchOff):
                goes_on = bool(active) and active[-1] >= at
                left = place.left or goes_on or any(branch.active for branch in item.branches)
                waiting += [
                    BranchPosition(branch, place, at, left) for branch in reversed(item.branches)
                ]


_LineItem = Turn | Compaction | list[BranchLine]


def outline_of(session: Session, prices: PriceList = PRICES) -> SessionOutline:
    """Look at a session as a whole."""
    active = next((tip.group for tip in session.tips if tip.active), NONE)
    allocator = CostAllocator(session.usage_lines(), prices)
    agents = AgentSummaries(session)
    roots = session.branch_lines
    lines = list(_list_lines(roots))
    walks = [_LineWalk(session, line, active, allocator, agents).items() for line in lines]
    # From the innermost out, so that what leaves a line is there when the line is put together.
    branches: dict[int, Branch] = {}
    causes = {child: point.cause for point in session.branch_points for child in point.children}
    names = dict(zip((tip.group for tip in session.tips), name_branches(session), strict=True))
    for line, items in zip(reversed(lines), reversed(walks), strict=True):
        first = session.tree.uuid(session.message_tree.groups[line.groups[0]].first)
        branches[id(line)] = Branch(
            items=tuple(_resolve_item(item, branches) for item in items),
            active=active in line.groups,
            cause=causes.get(first, "") if line.parent != NONE else "",
            name=names.get(line.groups[-1], "") if len(names) > 1 else "",
        )
    turns = [item for items in walks for item in items if isinstance(item, Turn)]
    rest = allocator.allocate_remainder()
    cost = sum((turn.cost for turn in turns), rest.total)
    count = sum(not turn.is_continuation for turn in turns)
    return SessionOutline(tuple(branches[id(line)] for line in roots), count, cost, rest.calls)


def _list_lines(roots: Sequence[BranchLine]) -> Iterator[BranchLine]:
    """List every line before those that leave it."""
    waiting = list(reversed(roots))
    while waiting:
        line = waiting.pop()
        yield line
        waiting += [leaving for lines in line.side_branches.values() for leaving in lines]


def _resolve_item(item: _LineItem, branches: Mapping[int, Branch]) -> Turn | Compaction | BranchOff:
    if isinstance(item, list):
        return BranchOff(tuple(branches[id(line)] for line in item))
    return item


class _LineWalk:
    """One line, gone through from its start to its end."""

    def __init__(
        self,
        session: Session,
        line: BranchLine,
        active: int,
        allocator: CostAllocator,
        agents: AgentSummaries,
    ) -> None:
        self._session = session
        self._message_tree = session.message_tree
        self._line = line
        self._active = active
        self._cost_allocator = allocator
        self._agents = agents
        self._items: list[_LineItem | TurnBuilder] = []
        self._current: TurnBuilder | None = None
        self._callers: dict[str, TurnBuilder] = {}
        self._early_records: list[Record] = []
        self._side_branches: list[list[BranchLine]] = []

    def items(self) -> list[_LineItem]:
        """List the turns and compactions of the line, and the lines that leave it."""
        tree = self._message_tree
        for group in self._line.groups:
            self._add_group(group)
            if self._current is not None and tree.groups[group].kind is not GroupKind.COMPACTION:
                self._current.ends.add(self._session.tree.uuid(tree.last_line(group)))
                self._current.active = self._current.active or group == self._active
            if group in self._line.side_branches:
                self._side_branches.append(self._line.side_branches[group])
            for compaction in tree.trailing_compactions.get(group, ()):
                self._add_group(compaction)
        self._close_turn()
        return [
            self._build_turn(item) if isinstance(item, TurnBuilder) else item
            for item in self._items
        ]

    def _add_group(self, group: int) -> None:
        """Add the records of a group; a compaction stands for its own."""
        own = self._message_tree.groups[group]
        is_compaction = own.kind is GroupKind.COMPACTION
        first = self._session.tree.nodes[own.first]
        nodes = (
            {id(self._session.tree.nodes[number]) for number in own.nodes} if is_compaction else ()
        )
        for item in list_group_items(self._message_tree, group, self._session.unlinked_lines):
            if isinstance(item, BadLine):
                continue
            if id(item) not in nodes:
                self._add_record(item)
            elif item is first:
                self._add_compaction(group)

    def _add_record(self, record: Record) -> None:
        begun = self._begin_turn(record)
        if begun is not None:
            self._close_turn()
            self._current = begun
            for earlier in self._early_records:
                begun.take(earlier)
            self._early_records.clear()
        if self._current is None:
            self._early_records.append(record)
        else:
            self._current.take(record)

    def _begin_turn(self, record: Record) -> TurnBuilder | None:
        """Begin a turn, or what stands apart from the turn it belongs to."""
        rule = turn_rule_for(record)
        if rule is not None:
            words = describe_prompt(record, rule)
            return TurnBuilder(str(rule.kind), record, words, self._callers)
        if self._current is None and isinstance(record, Assistant) and not is_placeholder(record):
            kind = RETRY if self._answers_again() else CONTINUED
            return TurnBuilder(kind, record, describe_answer(record), self._callers)
        return None

    def _answers_again(self) -> bool:
        """Tell whether the line begins with another answer to a prompt."""
        parent = self._line.parent
        begins = parent != NONE and not self._items
        return begins and self._message_tree.groups[parent].kind is GroupKind.PROMPT

    def _close_turn(self) -> None:
        """Finish a turn; what leaves in it stands behind it."""
        if self._current is not None:
            self._items.append(self._current)
        self._items += self._side_branches
        self._current, self._side_branches = None, []

    def _build_turn(self, turn: TurnBuilder) -> Turn:
        started = self._agents.filter_agent_calls(turn.calls.values())
        agents = [self._agents.summarize_agent(use, self._cost_allocator) for use in started]
        agents += self._agents.summarize_workflow_agents(turn.calls, self._cost_allocator)
        return turn.build(tuple(agents), self._cost_allocator.allocate(turn.records))

    def _add_compaction(self, group: int) -> None:
        self._close_turn()
        nodes = [
            self._session.tree.nodes[number] for number in self._message_tree.groups[group].nodes
        ]
        boundary = next((n for n in nodes if isinstance(n, System)), None)
        about = boundary.compact_metadata if boundary is not None else None
        kept = about.preserved_messages if about is not None else None
        count = len(kept.uuids) if kept is not None else 0
        self._items.append(
            Compaction(
                uuid=nodes[0].uuid,
                timestamp=nodes[0].timestamp,
                trigger=about.trigger if about else None,
                before=_round_or_none(about.pre_tokens) if about else None,
                after=_round_or_none(about.post_tokens) if about else None,
                kept=count if kept is not None else None,
                dropped=max(0, self._count_messages_before(group) - count),
            )
        )

    def _count_messages_before(self, compaction: int) -> int:
        """Count the messages between a compaction and the one before it."""
        count, group = 0, self._message_tree.groups[compaction].parent
        while group != NONE and self._message_tree.groups[group].kind is not GroupKind.COMPACTION:
            count += len(self._message_tree.groups[group].nodes)
            group = self._message_tree.groups[group].parent
        return count


def _round_or_none(number: float | None) -> int | None:
    return None if number is None else round(number)
