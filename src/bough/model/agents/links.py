"""Agents: which call started which sub-agent.

An agent's conversation lies in a file of its own, or inside the main file as a sidechain.
What ties it to the call differs by version, so the ties are tried from the surest to the
weakest; where none holds, the agent stays unattached rather than at a guessed place.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.interpret.notes import queued_text, spoken
from bough.model.interpret.user_records import typed_text
from bough.model.tree.nodes import ROOT, Tree
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of, part, plain, progress_of
from bough.records.record import Record, camel
from bough.records.types import Assistant, Progress, QueueOperation, User

AGENT_TOOLS = frozenset({"Task", "Agent"})
KNOWN_BY = ("meta", "result", "progress", "queue", "text", "prompt")
"""How a tie may be known, the surest first."""

_AGENT_ID = re.compile(r"agentId: ([\w-]+)")
_TAGGED = re.compile(r"<(tool-use-id|task-id)>\s*([^<\s]+)\s*</\1>")


class AgentMeta(Struct, frozen=True, rename="camel"):
    """What a `.meta.json` beside an agent's file says."""

    agent_type: str | None = None
    description: str | None = None
    tool_use_id: str | None = None
    name: str | None = None


class AgentCall(Struct, frozen=True):
    """A call that starts an agent."""

    id: str
    prompt: str
    agent_type: str | None
    description: str | None
    name: str | None
    timestamp: str | None = None


class Start(Struct, frozen=True):
    """How an agent began: what it was told, and when; `calls` are those it made itself."""

    prompt: str = ""
    timestamp: str | None = None
    calls: frozenset[str] = frozenset()


class Signs(Struct, frozen=True):
    """What some records tell of agents, found in one look at each.

    `starters` are the calls that start agents, `calls` the ids of all calls whatever they do;
    `ties` are those of `ties_of`.
    """

    starters: dict[str, AgentCall]
    calls: frozenset[str]
    ties: list[tuple[str, str, str]]


class Tie(Struct, frozen=True):
    """The call that started an agent, and how we know."""

    call: str
    known_by: str


class _CallInput(Struct):
    prompt: str = ""
    subagent_type: str | None = None
    description: str | None = None
    name: str | None = None


class _Outcome(Struct, rename=camel):
    agent_id: str | None = None


def signs_of(records: Iterable[Record]) -> Signs:
    """Look for what records tell of agents."""
    starters: dict[str, AgentCall] = {}
    calls: set[str] = set()
    ties: list[tuple[str, str, str]] = []
    for record in records:
        if not isinstance(record, Assistant):
            ties += ties_of(record)
            continue
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse):
                calls.add(block.id)
                if block.name in AGENT_TOOLS:
                    starters[block.id] = _agent_call(block, record)
    return Signs(starters, frozenset(calls), ties)


def put_together(several: Sequence[Signs]) -> Signs:
    """Join what several files tell, in their order."""
    return Signs(
        {call: starter for one in several for call, starter in one.starters.items()},
        frozenset().union(*(one.calls for one in several)),
        [tie for one in several for tie in one.ties],
    )


def start_of(records: Sequence[Record], signs: Signs) -> Start:
    """Read how an agent began from its records, and what they tell of agents."""
    first = next((record.timestamp for record in records if record.timestamp), None)
    return Start(brief_of(records), first, signs.calls)


def brief_of(records: Iterable[Record]) -> str:
    """Give the prompt an agent was started with."""
    for record in records:
        if isinstance(record, User):
            return typed_text(record).strip()
    return ""


def ties_of(record: Record) -> Iterable[tuple[str, str, str]]:
    """List the ties one record tells of: an agent, a call, and how they are known."""
    match record:
        case User():
            # Nearly no result names one: it is not read to be looked through.
            return _told_by_result(record) if b"agentId" in record.raw else ()
        case Progress() if record.parent_tool_use_id:
            data = progress_of(record)
            told = data.agent_id if data.type == "agent_progress" else None
            return [(told, record.parent_tool_use_id, "progress")] if told else ()
        case QueueOperation():
            return _told_by_queue(record)
        case _:
            return ()


def tie_agents(
    signs: Signs, agents: Mapping[str, Start], metas: Mapping[str, AgentMeta]
) -> dict[str, Tie]:
    """Find the call of each agent.

    `signs` are those of every file in which the call may be. Where several calls name one
    agent the first started it; the others went on with it.
    """
    starters = signs.starters
    found: dict[str, dict[str, str]] = {name: {} for name in KNOWN_BY}
    for agent, meta in metas.items():
        if meta.tool_use_id in signs.calls:
            found["meta"][agent] = meta.tool_use_id or ""
    for agent, call, known_by in signs.ties:
        own = agents[agent].calls if agent in agents else ()
        if call not in own and (known_by != "text" or call in starters):
            found[known_by].setdefault(agent, call)
    ties: dict[str, Tie] = {}
    for known_by, calls in found.items():
        for agent in agents:
            if agent in calls and agent not in ties:
                ties[agent] = Tie(calls[agent], known_by)
    taken = {tie.call for tie in ties.values()}
    free = [call for call in starters.values() if call.id not in taken]
    loose = {agent: start for agent, start in agents.items() if agent not in ties}
    return ties | {a: Tie(call, "prompt") for a, call in _by_prompt(loose, metas, free).items()}


def agents_by_call(signs: Signs, ties: Mapping[str, Tie]) -> dict[str, str]:
    """Name the agent of each call: the one tied to it, else the one its outcome names.

    An agent that is named need not have a file: clients clean up.
    """
    found = {tie.call: agent for agent, tie in ties.items()}
    for agent, call, known_by in signs.ties:
        spelled = known_by == "text" and call in signs.starters
        named = spelled or known_by in ("result", "progress")
        if named or (known_by == "queue" and agent in ties):
            found.setdefault(call, agent)
    return found


def sidechains(tree: Tree) -> list[list[int]]:
    """Group the sidechain nodes of a main file by the line they belong to."""
    groups: dict[int, list[int]] = {}
    top: dict[int, int] = {}
    for number, record in enumerate(tree.nodes):
        if not record.is_sidechain:
            continue
        walked = []
        at = number
        while at not in top:
            walked.append(at)
            parent = tree.parent[at]
            if parent == ROOT or not tree.nodes[parent].is_sidechain:
                top[at] = at
                break
            at = parent
        for passed in walked:
            top[passed] = top[at]
        groups.setdefault(top[number], []).append(number)
    return [groups[start] for start in sorted(groups)]


def _agent_call(block: ToolUse, record: Record) -> AgentCall:
    given = part(block.input, _CallInput)
    return AgentCall(
        block.id,
        given.prompt,
        given.subagent_type,
        given.description,
        given.name,
        record.timestamp,
    )


def _told_by_result(record: User) -> Iterator[tuple[str, str, str]]:
    structured = b'"agentId"' in bytes(record.tool_use_result_json)
    spelled = b"agentId: " in record.raw
    for block in message_of(record).blocks:
        if not isinstance(block, ToolResult):
            continue
        if structured and (agent := part(record.tool_use_result_json, _Outcome).agent_id):
            yield agent, block.tool_use_id, "result"
        if spelled and (found := _AGENT_ID.search(spoken(block.content))):
            yield found[1], block.tool_use_id, "text"


def _told_by_queue(record: QueueOperation) -> Iterator[tuple[str, str, str]]:
    text = queued_text(record)
    tags: dict[str, object] = dict(_TAGGED.findall(text))
    if not tags and text.lstrip().startswith("{"):
        value = plain(text.encode())
        if isinstance(value, dict):
            tags = {"tool-use-id": value.get("tool_use_id"), "task-id": value.get("task_id")}
    agent, call = tags.get("task-id"), tags.get("tool-use-id")
    if isinstance(agent, str) and isinstance(call, str):
        yield agent, call, "queue"


def _by_prompt(
    agents: Mapping[str, Start], metas: Mapping[str, AgentMeta], calls: Iterable[AgentCall]
) -> dict[str, str]:
    """Tie by equal prompts, as far as only one call can be meant.

    The names must not disagree, and no agent begins before its call.
    """
    by_prompt: dict[str, list[AgentCall]] = {}
    for call in calls:
        by_prompt.setdefault(call.prompt.strip(), []).append(call)
    open_to = {
        agent: {
            call.id
            for call in by_prompt.get(start.prompt, ())
            if _may_start(call, start, metas.get(agent))
        }
        for agent, start in agents.items()
        if start.prompt
    }
    return _certain(open_to)


def _may_start(call: AgentCall, start: Start, meta: AgentMeta | None) -> bool:
    name = meta.name if meta is not None else None
    if call.id in start.calls or (name and call.name and name != call.name):
        return False
    return not (call.timestamp and start.timestamp) or call.timestamp <= start.timestamp


def _certain(open_to: dict[str, set[str]]) -> dict[str, str]:
    """Tie each agent that has one call left; drop those that would have to share one."""
    found: dict[str, str] = {}
    while sure := {agent: calls for agent, calls in open_to.items() if len(calls) == 1}:
        claims: dict[str, list[str]] = {}
        for agent, calls in sure.items():
            claims.setdefault(next(iter(calls)), []).append(agent)
            del open_to[agent]
        found |= {agents[0]: call for call, agents in claims.items() if len(agents) == 1}
        _take(open_to, claims)
    return found


def _take(open_to: Mapping[str, set[str]], taken: Container[str]) -> None:
    for calls in open_to.values():
        for call in [call for call in calls if call in taken]:
            calls.discard(call)
