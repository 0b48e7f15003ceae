"""A session: one file's records, and everything they mean.

Built from values; nothing here reads a disk. Each view (tree, conversations, agents ...) is
made on first use and kept.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from bough.errors import TipNotFound
from bough.model import usage as ledger
from bough.model.active import (
    Choice,
    Version,
    active_knot,
    choose,
    newest_version,
    parse_version,
)
from bough.model.agents import AgentMeta, Tie, agent_calls, brief_of, sidechains, tie_agents
from bough.model.branches import BranchPoint, branch_points, tips
from bough.model.conversation import Conversation, Extras, find_extras
from bough.model.health import Health, examine
from bough.model.plans import PlanFacts, plan_facts
from bough.model.story import NONE, Story, build_story
from bough.model.titles import Title, title_of
from bough.model.tools import Shelf, collect_results
from bough.model.tree import Tree, build_tree
from bough.model.turns import Setting
from bough.model.usage import Usage
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Unknown, User


class AgentSource(Struct, frozen=True):
    """An agent's file as it was read."""

    id: str
    path: str | None
    records: Sequence[Record]
    bad_lines: Sequence[BadLine]
    meta: AgentMeta | None
    layout: str


class Companions(Struct, frozen=True):
    """What belongs to a session beside its file; the costly parts are asked for when needed."""

    sidecar_title: str | None = None
    summaries: Callable[[], Mapping[str, str]] = dict
    shelf: Callable[[], Shelf] = dict
    agents: Callable[[], Sequence[AgentSource]] = tuple


class Tip(Struct, frozen=True):
    """The end of a line of conversation."""

    uuid: str
    active: bool
    knot: int


class Session:
    """One session, or one agent's own conversation."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the word for it, as in the records
        records: Sequence[Record],
        bad_lines: Sequence[BadLine] = (),
        *,
        path: str | None = None,
        companions: Companions | None = None,
        client: str | None = None,
        sidechain: bool | None = None,
    ) -> None:
        self.id = id
        self.path = path
        self.records = records
        self.bad_lines = bad_lines
        self._companions = companions or Companions()
        self._client = client
        self._ties: Mapping[str, str] | None = None
        self.sidechain = _is_sidechain(records) if sidechain is None else sidechain

    # -- the tree and its ways ------------------------------------------------------------

    @cached_property
    def tree(self) -> Tree:
        """Give the nodes and who follows whom."""
        return build_tree(self.records)

    @cached_property
    def story(self) -> Story:
        """Give the knots and how they are joined."""
        return build_story(self.tree, sidechain=self.sidechain)

    @cached_property
    def branch_points(self) -> list[BranchPoint]:
        """List where a person went on in more than one way."""
        return branch_points(self.story)

    @cached_property
    def version(self) -> str | None:
        """Give the newest client that wrote into the file."""
        return newest_version(self.records)

    @cached_property
    def choice(self) -> Choice:
        """Give the node the client would continue from, and by which rule."""
        client: Version | None = parse_version(self._client or self.version)
        if self.sidechain:
            return Choice(len(self.tree.nodes) - 1, "last-line")
        return choose(self.records, self.tree, client)

    @cached_property
    def tips(self) -> list[Tip]:
        """List the tips in file order; at most one is active."""
        hijacked = self._sidechain_tip()
        active = NONE if hijacked else active_knot(self.story, self.choice)
        knots = tips(self.story)
        if active != NONE and active not in knots:
            knots = sorted([*knots, active], key=self.story.last_line)
        found = [Tip(self._uuid_of(knot), knot == active, knot) for knot in knots]
        return [*found, *([hijacked] if hijacked else [])]

    @property
    def active_tip(self) -> str | None:
        """Give the uuid of the active tip, None where the client would find none."""
        return next((tip.uuid for tip in self.tips if tip.active), None)

    @cached_property
    def conversations(self) -> list[Conversation]:
        """List the conversations, one for each tip, in the tips' order."""
        return [self._conversation(tip) for tip in self.tips]

    def conversation(self, tip: str | None = None) -> Conversation:
        """Give the conversation to a tip, or through any node; the active one by default.

        A session the client would not resume gives its last line of talk; one without any
        talk gives what notes there are.
        """
        if tip is None:
            if not self.conversations:
                return Conversation(self.story, NONE, self._extras, self._setting, active=False)
            active = [c for c in self.conversations if c.active]
            return (active or self.conversations[-1:])[0]
        for conversation in self.conversations:
            if conversation.tip == tip:
                return conversation
        return self._conversation(Tip(tip, False, self._knot_of(tip)))

    def find(self, prefix: str) -> str:
        """Give the uuid of the node that a prefix names, or raise TipNotFound."""
        if prefix in self.tree.number:
            return prefix
        found = [uuid for uuid in self.tree.number if uuid.startswith(prefix)]
        if len({self.tree.number[uuid] for uuid in found}) != 1:
            raise TipNotFound(prefix, self.id)
        return found[0]

    # -- companions -------------------------------------------------------------------------

    @cached_property
    def agents(self) -> list["Agent"]:
        """List the agents, in files of their own or inside this one."""
        sources = [*self._companions.agents(), *self._inline_agents()]
        briefs = {source.id: brief_of(source.records) for source in sources}
        metas = {source.id: source.meta for source in sources if source.meta is not None}
        everything = [*self.records, *(r for source in sources for r in source.records)]
        ties = tie_agents(everything, briefs, metas)
        calls = agent_calls(everything)
        by_call = {tie.call: agent for agent, tie in ties.items()}
        own = agent_calls(self.records)
        found = []
        for source in sources:
            tie = ties.get(source.id)
            if self.sidechain and (tie is None or tie.call not in own):
                continue
            call = calls.get(tie.call) if tie else None
            meta = source.meta or AgentMeta()
            agent = Agent(source, tie, self._companions.shelf, by_call)
            agent.type = meta.agent_type or (call.agent_type if call else None)
            agent.description = meta.description or (call.description if call else None)
            agent.brief = briefs[source.id]
            found.append(agent)
        return found

    def agent(self, call: str) -> "Agent | None":
        """Find the agent a tool call started."""
        return next((a for a in self.agents if a.tie is not None and a.tie.call == call), None)

    # -- facts --------------------------------------------------------------------------------

    @cached_property
    def title_and_source(self) -> Title | None:
        """Give the title and where it comes from."""
        companions = self._companions
        return title_of(
            self.records,
            self.tree,
            sidecar=companions.sidecar_title,
            elsewhere=companions.summaries,
        )

    @property
    def title(self) -> str:
        """Give the title as the client's picker would show it."""
        found = self.title_and_source
        return found.text if found else f"Session {self.id[:8]}"

    @cached_property
    def usage(self) -> Usage:
        """Sum what the session and its agents used, each call counted once."""
        lines = [*ledger.snapshots(self.records, agent=self.sidechain)]
        for agent in self.agents:
            if agent.layout != "inline":
                lines += ledger.snapshots(agent.records, agent=True)
        return ledger.total(ledger.counted(lines))

    @cached_property
    def health(self) -> Health:
        """Look for what is damaged, unknown or out of a resume's reach."""
        return examine(self.records, self.bad_lines, self.story, self.choice, self.conversation())

    @cached_property
    def plan(self) -> PlanFacts:
        """Give what ties this session to plans."""
        return plan_facts(self.tree.nodes)

    @cached_property
    def models(self) -> list[str]:
        """List the models that answered, in the order they came."""
        seen: dict[str, None] = {}
        for snapshot in ledger.snapshots(self.records):
            seen.setdefault(snapshot.model)
        return list(seen)

    @property
    def unknown_records(self) -> list[Unknown]:
        """List the records of kinds we do not know."""
        return [record for record in self.records if isinstance(record, Unknown)]

    @property
    def started_at(self) -> str | None:
        """Give the oldest time in the file."""
        return min((r.timestamp for r in self.tree.nodes if r.timestamp), default=None)

    @property
    def ended_at(self) -> str | None:
        """Give the newest time in the file."""
        return max((r.timestamp for r in self.tree.nodes if r.timestamp), default=None)

    @property
    def cwd(self) -> str | None:
        """Give the folder the session was started in."""
        return next((record.cwd for record in self.records if record.cwd), None)

    @property
    def git_branch(self) -> str | None:
        """Give the branch the session was last on."""
        return next((r.git_branch for r in reversed(self.records) if r.git_branch), None)

    @property
    def entrypoint(self) -> str | None:
        """Give what started the client."""
        return next((record.entrypoint for record in self.records if record.entrypoint), None)

    # -- parts ----------------------------------------------------------------------------------

    @cached_property
    def _extras(self) -> Extras:
        return find_extras(self.story, self.records, self.bad_lines)

    @cached_property
    def _setting(self) -> Setting:
        lines = {r[0].uuid or "": r for r in self.tree.lines if len(r) > 1}
        lines |= {r[-1].uuid or "": r for r in self.tree.lines if len(r) > 1}
        return Setting(
            collect_results(self.tree),
            self.tree.nodes,
            self._calls_to_agents(),
            self._companions.shelf(),
            ledger.by_message(ledger.snapshots(self.records, agent=self.sidechain)),
            lines,
        )

    def _calls_to_agents(self) -> Mapping[str, str]:
        if self._ties is not None:
            return self._ties
        return {a.tie.call: a.id for a in self.agents if a.tie is not None}

    def _inline_agents(self) -> list[AgentSource]:
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
            for group in sidechains(self.tree)
        ]

    def _uuid_of(self, knot: int) -> str:
        return self.tree.uuid(self.story.last_line(knot))

    def _sidechain_tip(self) -> Tip | None:
        """Give the tip where an old client would be led astray by an agent's line."""
        node = self.choice.node
        if self.sidechain or node == NONE or not self.tree.nodes[node].is_sidechain:
            return None
        talk = (n for n in self.tree.up(node) if isinstance(self.tree.nodes[n], User | Assistant))
        return Tip(self.tree.uuid(next(talk, node)), True, NONE)

    def _knot_of(self, uuid: str) -> int:
        number = self.tree.number.get(uuid, NONE)
        if number == NONE:
            raise TipNotFound(uuid, self.id)
        return self.story.above[number]

    def _conversation(self, tip: Tip) -> Conversation:
        if tip.knot == NONE:
            story = build_story(self.tree, sidechain=True)
            knot = story.above[self.tree.number[tip.uuid]]
            extras = Extras({})
            return Conversation(story, knot, extras, self._setting, active=tip.active, tip=tip.uuid)
        point, own_from = self._parting(tip.knot)
        return Conversation(
            self.story,
            tip.knot,
            self._extras,
            self._setting,
            active=tip.active,
            branch_point=point,
            own_from=own_from,
            tip=tip.uuid,
        )

    def _parting(self, knot: int) -> tuple[BranchPoint | None, int]:
        """Find the last branch point on a way, and how far the way is shared."""
        points = {point.uuid: point for point in self.branch_points}
        way = self.story.path(knot)
        for at in range(len(way) - 2, -1, -1):
            point = points.get(self._uuid_of(way[at]))
            if point is not None:
                return point, at + 1
        return None, 0


class Agent(Session):
    """A sub-agent's own conversation, and the call it hangs on."""

    def __init__(
        self,
        source: AgentSource,
        tie: Tie | None,
        shelf: Callable[[], Shelf],
        calls: Mapping[str, str],
    ) -> None:
        super().__init__(
            source.id,
            source.records,
            source.bad_lines,
            path=source.path,
            companions=Companions(shelf=shelf),
            sidechain=True,
        )
        self.layout = source.layout
        self.tie = tie
        self.type: str | None = None
        self.description: str | None = None
        self.brief = ""
        self._ties = calls


def _is_sidechain(records: Sequence[Record]) -> bool:
    """Tell whether a file is an agent's: all of its talk is a sidechain."""
    talk = [record for record in records if isinstance(record, User | Assistant)]
    return bool(talk) and all(record.is_sidechain for record in talk)
