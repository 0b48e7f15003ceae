"""A session: one file's records, and everything they mean.

Built from values; nothing here reads a disk. Each view (tree, conversations, agents ...) is
made on first use and kept.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import is_
from typing import Final, Protocol, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from bough.model.agents.links import (
    AgentCall,
    AgentEvidence,
    AgentLink,
    AgentMeta,
    collect_evidence,
    find_brief,
    group_sidechains,
    link_agents,
    map_calls_to_agents,
    merge_evidence,
    read_agent_start,
)
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.group_items import UnlinkedLines, find_unlinked_lines
from bough.model.conversation.messages import MessageSources
from bough.model.conversation.path_totals import PathTotal, sum_paths
from bough.model.conversation.plan_files import PlanFile, find_plan_names
from bough.model.conversation.titles import Title, find_title
from bough.model.conversation.todo_lists import TodoList
from bough.model.health import (
    Health,
    ResumeGap,
    examine_session,
    find_resume_gap,
    name_session_in_actions,
)
from bough.model.tools.call_list import ToolCall, list_tool_calls
from bough.model.tools.calls import FindStoredOutputs
from bough.model.transcript import Tip, Transcript
from bough.model.tree.build import NONE
from bough.model.tree.lineage import Origin
from bough.model.usage.cost_allocator import CostSources, price_calls_once
from bough.model.usage.costs import UsageTotal
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.tokens import (
    Usage,
    UsageSnapshot,
    count_calls_once,
    read_snapshots,
    sum_by_message,
    sum_usage,
)
from bough.records.blocks import ToolUse
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, kind_of

__all__ = ["Agent", "AgentSource", "Session", "SessionCompanions", "Tip"]

R = TypeVar("R", bound=Record)

_OF_RECORDS: Final[tuple[str, ...]] = (
    "tree",
    "message_tree",
    "branch_points",
    "tips",
    "branch_lines",
)
"""What a session finds out from its records alone, whoever writes its words anew."""


class AgentSource(Struct, frozen=True):
    """An agent's file as it was read."""

    id: str
    path: str | None
    records: Sequence[Record]
    bad_lines: Sequence[BadLine]
    meta: AgentMeta | None
    layout: str


def _no_origin() -> Origin | None:
    return None


def _no_plan_files(_: Iterable[str]) -> Sequence[PlanFile]:
    return ()


class SessionCompanions(Struct, frozen=True):
    """What belongs to a session beside its file; the costly parts are asked for when needed."""

    sidecar_title: str | None = None
    summaries: Callable[[], Mapping[str, str]] = dict
    stored_outputs: FindStoredOutputs = dict
    agents: Callable[[], Sequence[AgentSource]] = tuple
    origin: Callable[[], Origin | None] = _no_origin
    todo_lists: Callable[[], Sequence[TodoList]] = tuple
    plan_files: Callable[[Iterable[str]], Sequence[PlanFile]] = _no_plan_files
    is_open: Callable[[], bool] = bool


class RecordRewriter(Protocol):
    """Writes the parts of a session anew, say with secrets hidden."""

    def record(self, record: Record) -> Record:
        """Write a record anew; its uuid, its place and its kind stay."""
        ...

    def bad_line(self, line: BadLine) -> BadLine:
        """Write a line anew that is no record."""
        ...

    def words(self, text: str) -> str:
        """Write a text anew that stands beside the records: a title, a description."""
        ...


class Session(Transcript):
    """One session, or one agent's own conversation."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the word for it, as in the records
        records: Sequence[Record],
        bad_lines: Sequence[BadLine] = (),
        *,
        path: str | None = None,
        companions: SessionCompanions | None = None,
        sidechain: bool | None = None,
    ) -> None:
        super().__init__(id, records, bad_lines, sidechain=sidechain)
        self.path = path
        self._companions = companions or SessionCompanions()
        self._is_open = self._companions.is_open
        self._group: AgentGroup | None = None
        self._agent_evidence: AgentEvidence | None = None

    def with_client(self, client: str | None) -> "Session":
        """Give this session as another version of the client would resume it."""
        seen = Session(
            self.id,
            self.records,
            self.bad_lines,
            path=self.path,
            companions=self._companions,
            sidechain=self.sidechain,
        )
        seen._client = client
        seen.records_left_out, seen.started_in = self.records_left_out, self.started_in
        return seen

    def keep_newest(self, count: int) -> "Session":
        """Give this session with so many of its records only, those at the end of its file."""
        records = self.records[-count:]
        start = records[0].offset if records else 0
        seen = Session(
            self.id,
            records,
            [line for line in self.bad_lines if line.offset >= start],
            path=self.path,
            companions=self._companions,
            sidechain=self.sidechain,
        )
        seen._client = self._client
        seen.size = self.size
        seen.records_left_out = self.records_left_out + len(self.records) - len(records)
        seen.started_in = self.cwd
        return seen

    def rewrite_with(self, by: RecordRewriter) -> "Session":
        """Give this session with every record written anew, those of its agents too."""
        own = self._companions
        seen = Session(
            self.id,
            [by.record(record) for record in self.records],
            [by.bad_line(line) for line in self.bad_lines],
            path=self.path,
            companions=SessionCompanions(
                sidecar_title=by.words(own.sidecar_title) if own.sidecar_title else None,
                summaries=lambda: {leaf: by.words(text) for leaf, text in own.summaries().items()},
                stored_outputs=own.stored_outputs,
                agents=lambda: [_rewrite_source(source, by) for source in own.agents()],
                origin=own.origin,
                todo_lists=lambda: [_rewrite_todos(one, by) for one in own.todo_lists()],
                plan_files=lambda names: [
                    replace(plan, text=by.words(plan.text)) for plan in own.plan_files(names)
                ],
                is_open=own.is_open,
            ),
            sidechain=self.sidechain,
        )
        seen._client, seen.records_left_out = self._client, self.records_left_out
        seen.started_in = by.words(self.started_in) if self.started_in else None
        if all(map(is_, seen.records, self.records)):
            # Nothing was written anew, as mostly: what the records alone say holds as it is.
            known = {name: vars(self)[name] for name in _OF_RECORDS if name in vars(self)}
            vars(seen).update(known)
        # Records keep their places, but not their lengths; the client's rule asks for the file's.
        last = self.records[-1] if self.records else None
        seen.size = last.offset + len(last.raw) if last and self.size is None else self.size
        return seen

    # -- conversations ------------------------------------------------------------------------

    @cached_property
    def conversations(self) -> list[Conversation]:
        """List the conversations, one for each tip, in the tips' order."""
        main = self._main_tip
        return [
            self._main_conversation if tip is main else self._build_conversation(tip)
            for tip in self.tips
        ]

    @cached_property
    def _main_tip(self) -> Tip | None:
        """Give the active tip, else the last; None where there is no talk."""
        return next((tip for tip in self.tips if tip.active), self.tips[-1] if self.tips else None)

    @cached_property
    def _main_conversation(self) -> Conversation:
        """Give the conversation to the main tip: of thousands, mostly this one alone is asked for.

        It counts what lies on its own path, which is less than all there is.
        """
        if self._main_tip is not None:
            return self._build_conversation(self._main_tip)
        return Conversation(
            self.message_tree,
            NONE,
            self.unlinked_lines,
            self._message_sources,
            active=False,
            find_cost_sources=self._find_cost_sources,
        )

    @cached_property
    def conversations_by_tip(self) -> Mapping[str | None, Sequence[Conversation]]:
        """Give the conversations by their tips; mostly one for each."""
        found: dict[str | None, list[Conversation]] = {}
        for conversation in self.conversations:
            found.setdefault(conversation.tip, []).append(conversation)
        return found

    def conversation(self, tip: str | None = None) -> Conversation:
        """Give the conversation to a tip, or through any node; the active one by default.

        A session the client would not resume gives its last line of talk; one without any
        talk gives what notes there are.
        """
        if tip is None:
            return self._main_conversation
        if found := self.conversations_by_tip.get(tip):
            return found[0]
        return self._build_conversation(self._tip_of(tip))

    def _build_conversation(self, tip: Tip) -> Conversation:
        if tip.group == NONE:
            tree = self._message_tree_with_agents
            group = tree.above[self.tree.number[tip.uuid]]
            return Conversation(
                tree,
                group,
                UnlinkedLines({}),
                self._message_sources,
                active=tip.active,
                tip=tip.uuid,
                find_cost_sources=self._find_cost_sources,
            )
        return Conversation(
            self.message_tree,
            tip.group,
            self.unlinked_lines,
            self._message_sources,
            active=tip.active,
            tip=tip.uuid,
            find_branch_point=lambda: self._find_branch_point(tip.group),
            find_cost_sources=self._find_cost_sources,
            find_totals=dict if tip is self._main_tip else lambda: self._path_totals,
        )

    @cached_property
    def _path_totals(self) -> Mapping[int, PathTotal]:
        sources = self._message_sources
        return sum_paths(self.message_tree, self.unlinked_lines, lambda: sources.results.call_ids)

    @cached_property
    def unlinked_lines(self) -> UnlinkedLines:
        """Give the lines outside the tree that a reader wants to see."""
        return find_unlinked_lines(self.message_tree, self.records, self.bad_lines)

    @cached_property
    def _message_sources(self) -> MessageSources:
        return MessageSources(
            self.tree,
            self._map_calls_to_agents,
            self._companions.stored_outputs,
            lambda: sum_by_message(self.own_usage_lines),
        )

    # -- agents -------------------------------------------------------------------------------

    @cached_property
    def agents(self) -> list["Agent"]:
        """List the agents, in files of their own or inside this one."""
        group = self._group
        if group is None:
            sources = [*self._companions.agents(), *self._find_inline_agents()]
            group = _build_agent_group(self, sources, self._companions.stored_outputs)
        return group.filter_started_by(self) if self.sidechain else group.agents

    def agent(self, call: str) -> "Agent | None":
        """Find the agent a tool call started; None too where its file is gone."""
        return next((a for a in self.agents if a.link is not None and a.link.call == call), None)

    @cached_property
    def workflow_agents(self) -> Mapping[str, Sequence["Agent"]]:
        """Give the agents of workflows that no call has for its own, by the call they follow.

        One call starts a whole workflow, and often nothing names it. Then it is the last call
        before the agent began.
        """
        owners = {agent.link.call: agent for agent in self.agents if agent.link is not None}
        loose = [
            agent
            for agent in self.agents
            if agent.layout == "workflow"
            and (agent.link is None or owners[agent.link.call] is not agent)
        ]
        calls = sorted(self._list_call_times()) if loose else []
        found: dict[str, list[Agent]] = {}
        for agent in loose:
            if agent.link is not None:
                found.setdefault(agent.link.call, []).append(agent)
            elif calls:
                at = bisect_right(calls, agent.started_at or "", key=lambda call: call[0])
                found.setdefault(calls[max(at - 1, 0)][1], []).append(agent)
        return found

    def _list_call_times(self) -> Iterator[tuple[str, str]]:
        """List the calls of this line of talk with their times."""
        for record in self.tree.nodes:
            if isinstance(record, Assistant) and (self.sidechain or not record.is_sidechain):
                for block in message_of(record).blocks:
                    if isinstance(block, ToolUse):
                        yield record.timestamp or "", block.id

    @cached_property
    def agent_evidence(self) -> AgentEvidence:
        """Give what the records tell of agents."""
        return (
            collect_evidence(self.records) if self._agent_evidence is None else self._agent_evidence
        )

    def _map_calls_to_agents(self) -> Mapping[str, str]:
        ties = {agent.id: agent.link for agent in self.agents if agent.link is not None}
        return map_calls_to_agents(self.agent_evidence, ties)

    def _find_inline_agents(self) -> list[AgentSource]:
        if self.sidechain:
            return []
        return [
            AgentSource(
                f"inline-{self.tree.uuid(group[0])[:8]}",
                None,
                [self.tree.nodes[number] for number in group],
                (),
                None,
                "inline",
            )
            for group in group_sidechains(self.tree)
        ]

    # -- facts --------------------------------------------------------------------------------

    @cached_property
    def title_and_source(self) -> Title | None:
        """Give the title and where it comes from."""
        companions = self._companions
        return find_title(
            self.records,
            self.tree,
            sidecar=companions.sidecar_title,
            elsewhere=companions.summaries,
            sidechain=self.sidechain,
        )

    @property
    def title(self) -> str:
        """Give the title as the client's picker would show it."""
        found = self.title_and_source
        return found.text if found else f"Session {self.id[:8]}"

    @property
    def origin(self) -> Origin | None:
        """Give the session this one was forked or copied from; reads the whole project."""
        return self._companions.origin()

    @cached_property
    def todo_lists(self) -> Sequence[TodoList]:
        """List what is to be done, as the client keeps it beside the session; its own first."""
        return () if self.sidechain else self._companions.todo_lists()

    @cached_property
    def plan_files(self) -> Sequence[PlanFile]:
        """List the plans that the session names and whose files are still there."""
        if self.sidechain:
            return ()
        return self._companions.plan_files(find_plan_names(self.tree.nodes))

    @cached_property
    def usage(self) -> Usage:
        """Sum what the session and its agents used, each call counted once."""
        return sum_usage(count_calls_once(self.usage_lines()))

    def usage_lines(self) -> list[UsageSnapshot]:
        """List what every line reports, the agents' too; each call may come several times."""
        agents = [agent for agent in self.agents if agent.layout != "inline"]
        return [line for one in (self, *agents) for line in one.own_usage_lines]

    @cached_property
    def own_usage_lines(self) -> list[UsageSnapshot]:
        """List what every line of this file reports."""
        return list(read_snapshots(self.records, agent=self.sidechain))

    def cost(self, *, agents: bool, prices: PriceList = PRICES) -> UsageTotal:
        """Price what the session used, each call once, over all of its branches.

        Args:
            agents: Whether what its agents used is part of it.
            prices: What models cost; by default the published prices.
        """
        if agents:
            return price_calls_once(self.usage_lines(), prices=prices)
        # A file also holds lines of agents: their own in old files, and copies in progress lines.
        own = 1 if self.sidechain else 2
        return price_calls_once(self.own_usage_lines, least_rank=own, prices=prices)

    def _find_cost_sources(self) -> CostSources:
        """Give what costs are made of; an agent brings those along that it started."""
        by_call = {agent.link.call: agent for agent in self.agents if agent.link is not None}
        families = {call: [agent, *agent.agents] for call, agent in by_call.items()}
        for call, agents in self.workflow_agents.items():
            families.setdefault(call, []).extend(
                one for agent in agents for one in (agent, *agent.agents)
            )
        return CostSources(
            self.usage_lines(),
            {call: [r for one in family for r in one.records] for call, family in families.items()},
        )

    # -- records ------------------------------------------------------------------------------

    @overload
    def of(self, kind: type[R]) -> list[R]: ...

    @overload
    def of(self, kind: str) -> list[Record]: ...

    def of(self, kind: type[R] | str) -> Sequence[Record]:
        """List the records of one kind, in file order.

        Args:
            kind: A class of `bough.records`, or the name that the client gives the kind.
        """
        if isinstance(kind, str):
            return [record for record in self.records if kind_of(record) == kind]
        return [record for record in self.records if isinstance(record, kind)]

    def calls(self, *, agents: bool = False) -> list[ToolCall]:
        """List the tool calls, each once, in the order they were made.

        Args:
            agents: Also those of its agents, each agent's behind the others.
        """
        found = list_tool_calls(
            [node for node in self.tree.nodes if self.sidechain or not node.is_sidechain],
            self.tree,
            self._map_calls_to_agents(),
            self._companions.stored_outputs,
            self.id if self.sidechain else None,
        )
        return [*found, *(call for a in self.agents for call in a.calls())] if agents else found

    @cached_property
    def health(self) -> Health:
        """Look for what is damaged, unknown or out of a resume's reach."""
        found = examine_session(
            self.records, self.bad_lines, self.message_tree, self.choice, self.conversation()
        )
        return name_session_in_actions(found, self.id)

    @cached_property
    def resume_gap(self) -> ResumeGap:
        """Give what a resume would leave behind of the conversation that is shown."""
        return find_resume_gap(self.message_tree, self.choice, self.conversation())


class Agent(Session):
    """A sub-agent's own conversation, and the call it hangs on.

    `layout` says where it was kept: subagents, workflow, flat or inline. Its `agents` are
    those it started itself or through others, found in the `family`: all of the session's.
    """

    def __init__(
        self,
        source: AgentSource,
        signs: AgentEvidence,
        tie: AgentLink | None,
        call: AgentCall | None,
        family: "AgentGroup",
    ) -> None:
        super().__init__(
            source.id,
            source.records,
            source.bad_lines,
            path=source.path,
            companions=SessionCompanions(stored_outputs=family.stored_outputs),
            sidechain=True,
        )
        meta = source.meta or AgentMeta()
        self.layout = source.layout
        self.link = tie
        self.type = meta.agent_type or (call.agent_type if call else None)
        self.description = meta.description or (call.description if call else None)
        self.brief = find_brief(source.records)
        self._group = family
        self._agent_evidence = signs


def _rewrite_source(source: AgentSource, by: RecordRewriter) -> AgentSource:
    meta = source.meta
    description = meta.description if meta is not None else None
    if meta is not None and description:
        meta = replace(meta, description=by.words(description))
    records = [by.record(record) for record in source.records]
    lines = [by.bad_line(line) for line in source.bad_lines]
    return replace(source, records=records, bad_lines=lines, meta=meta)


def _rewrite_todos(listed: TodoList, by: RecordRewriter) -> TodoList:
    items = tuple(
        replace(
            item, text=by.words(item.text), doing=by.words(item.doing), about=by.words(item.about)
        )
        for item in listed.items
    )
    return replace(listed, items=items)


class AgentGroup(Struct, dict=True):
    """All agents of a session, and where their large outputs lie: in the session's folder."""

    stored_outputs: FindStoredOutputs
    agents: list[Agent] = []

    def filter_started_by(self, session: Session) -> list[Agent]:
        """Keep the agents that a session started, itself or through others."""
        kept: dict[int, Agent] = {}
        calls: Iterable[str] = session.agent_evidence.calls
        while found := sorted({n for call in calls for n in self._numbers_by_call.get(call, ())}):
            agents = {number: self.agents[number] for number in found if number not in kept}
            kept |= agents
            calls = [call for agent in agents.values() for call in agent.agent_evidence.calls]
        return list(kept.values())

    @cached_property
    def _numbers_by_call(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for number, agent in enumerate(self.agents):
            if agent.link is not None:
                found.setdefault(agent.link.call, []).append(number)
        return found


def _build_agent_group(
    session: Session, sources: Sequence[AgentSource], stored_outputs: FindStoredOutputs
) -> AgentGroup:
    """Make agents of what was read, each tied to the call that started it."""
    if not sources:
        return AgentGroup(stored_outputs)
    read = [(source, collect_evidence(source.records)) for source in sources]
    starts = {source.id: read_agent_start(source.records, signs) for source, signs in read}
    metas = {source.id: source.meta for source in sources if source.meta is not None}
    everything = merge_evidence([session.agent_evidence, *(signs for _, signs in read)])
    ties = link_agents(everything, starts, metas)
    family = AgentGroup(stored_outputs)
    for source, signs in read:
        tie = ties.get(source.id)
        call = everything.starters.get(tie.call) if tie else None
        family.agents.append(Agent(source, signs, tie, call, family))
    return family
