"""Agents: which call started which sub-agent.

An agent's conversation lies in a file of its own, or inside the main file as a sidechain.
What ties it to the call differs by version, so the ties are tried from the surest to the
weakest; where none holds, the agent stays unattached rather than at a guessed place.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.interpret.notes import extract_queued_text, extract_text
from bough.model.interpret.user_records import extract_typed_text
from bough.model.tools.calls import AGENT_TOOLS
from bough.model.tree.nodes import ROOT, Tree
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import decode_part, decode_plain, message_of, progress_of
from bough.records.record import Record, camel
from bough.records.types import Assistant, Progress, QueueOperation, User

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


class AgentStartFacts(Struct, frozen=True):
    """How an agent began: what it was told, and when; `calls` are those it made itself."""

    prompt: str = ""
    timestamp: str | None = None
    calls: frozenset[str] = frozenset()


class AgentEvidence(Struct, frozen=True):
    """What some records tell of agents, found in one look at each.

    `starters` are the calls that start agents, `calls` the ids of all calls whatever they do;
    `links` are those of `find_links`.
    """

    starters: dict[str, AgentCall]
    calls: frozenset[str]
    links: list[tuple[str, str, str]]


class AgentLink(Struct, frozen=True):
    """The call that started an agent, and how we know."""

    call: str
    known_by: str


class _CallInput(Struct):
    prompt: str = ""
    subagent_type: str | None = None
    description: str | None = None
    name: str | None = None


class _AgentResult(Struct, rename=camel):
    agent_id: str | None = None


def collect_evidence(records: Iterable[Record]) -> AgentEvidence:
    """Look for what records tell of agents."""
    starters: dict[str, AgentCall] = {}
    calls: set[str] = set()
    ties: list[tuple[str, str, str]] = []
    for record in records:
        if not isinstance(record, Assistant):
            ties += find_links(record)
            continue
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse):
                calls.add(block.id)
                if block.name in AGENT_TOOLS:
                    starters[block.id] = _read_agent_call(block, record)
    return AgentEvidence(starters, frozenset(calls), ties)


def merge_evidence(several: Sequence[AgentEvidence]) -> AgentEvidence:
    """Join what several files tell, in their order."""
    return AgentEvidence(
        {call: starter for one in several for call, starter in one.starters.items()},
        frozenset().union(*(one.calls for one in several)),
        [tie for one in several for tie in one.links],
    )


def read_agent_start(records: Sequence[Record], signs: AgentEvidence) -> AgentStartFacts:
    """Read how an agent began from its records, and what they tell of agents."""
    first = next((record.timestamp for record in records if record.timestamp), None)
    return AgentStartFacts(find_brief(records), first, signs.calls)


def find_brief(records: Iterable[Record]) -> str:
    """Give the prompt an agent was started with."""
    for record in records:
        if isinstance(record, User):
            return extract_typed_text(record).strip()
    return ""


def find_links(record: Record) -> Iterable[tuple[str, str, str]]:
    """List the ties one record tells of: an agent, a call, and how they are known."""
    match record:
        case User():
            # Nearly no result names one: it is not read to be looked through.
            return _find_links_in_result(record) if b"agentId" in record.raw else ()
        case Progress() if record.parent_tool_use_id:
            data = progress_of(record)
            agent_id = data.agent_id if data.type == "agent_progress" else None
            return [(agent_id, record.parent_tool_use_id, "progress")] if agent_id else ()
        case QueueOperation():
            return _find_links_in_queue(record)
        case _:
            return ()


def link_agents(
    signs: AgentEvidence, agents: Mapping[str, AgentStartFacts], metas: Mapping[str, AgentMeta]
) -> dict[str, AgentLink]:
    """Find the call of each agent.

    `agent_evidence` are those of every file in which the call may be. Where several calls name one
    agent the first started it; the others went on with it.
    """
    starters = signs.starters
    found: dict[str, dict[str, str]] = {name: {} for name in KNOWN_BY}
    for agent, meta in metas.items():
        if meta.tool_use_id in signs.calls:
            found["meta"][agent] = meta.tool_use_id or ""
    for agent, call, known_by in signs.links:
        own = agents[agent].calls if agent in agents else ()
        if call not in own and (known_by != "text" or call in starters):
            found[known_by].setdefault(agent, call)
    ties: dict[str, AgentLink] = {}
    for known_by, calls in found.items():
        for agent in agents:
            if agent in calls and agent not in ties:
                ties[agent] = AgentLink(calls[agent], known_by)
    taken = {tie.call for tie in ties.values()}
    free = [call for call in starters.values() if call.id not in taken]
    loose = {agent: start for agent, start in agents.items() if agent not in ties}
    return ties | {
        a: AgentLink(call, "prompt") for a, call in _link_by_prompt(loose, metas, free).items()
    }


def map_calls_to_agents(signs: AgentEvidence, ties: Mapping[str, AgentLink]) -> dict[str, str]:
    """Name the agent of each call: the one tied to it, else the one its outcome names.

    An agent that is named need not have a file: clients clean up.
    """
    found = {tie.call: agent for agent, tie in ties.items()}
    for agent, call, known_by in signs.links:
        spelled = known_by == "text" and call in signs.starters
        named = spelled or known_by in ("result", "progress")
        if named or (known_by == "queue" and agent in ties):
            found.setdefault(call, agent)
    return found


def group_sidechains(tree: Tree) -> list[list[int]]:
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


def _read_agent_call(block: ToolUse, record: Record) -> AgentCall:
    given = decode_part(block.input, _CallInput)
    return AgentCall(
        block.id,
        given.prompt,
        given.subagent_type,
        given.description,
        given.name,
        record.timestamp,
    )


def _find_links_in_result(record: User) -> Iterator[tuple[str, str, str]]:
    structured = b'"agentId"' in bytes(record.tool_use_result_json)
    spelled = b"agentId: " in record.raw
    for block in message_of(record).blocks:
        if not isinstance(block, ToolResult):
            continue
        if structured and (
            agent := decode_part(record.tool_use_result_json, _AgentResult).agent_id
        ):
            yield agent, block.tool_use_id, "result"
        if spelled and (found := _AGENT_ID.search(extract_text(block.content))):
            yield found[1], block.tool_use_id, "text"


def _find_links_in_queue(record: QueueOperation) -> Iterator[tuple[str, str, str]]:
    text = extract_queued_text(record)
    tags: dict[str, object] = dict(_TAGGED.findall(text))
    if not tags and text.lstrip().startswith("{"):
        value = decode_plain(text.encode())
        if isinstance(value, dict):
            tags = {"tool-use-id": value.get("tool_use_id"), "task-id": value.get("task_id")}
    agent, call = tags.get("task-id"), tags.get("tool-use-id")
    if isinstance(agent, str) and isinstance(call, str):
        yield agent, call, "queue"


def _link_by_prompt(
    agents: Mapping[str, AgentStartFacts],
    metas: Mapping[str, AgentMeta],
    calls: Iterable[AgentCall],
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
            if _can_start(call, start, metas.get(agent))
        }
        for agent, start in agents.items()
        if start.prompt
    }
    return _assign_certain_calls(open_to)


def _can_start(call: AgentCall, start: AgentStartFacts, meta: AgentMeta | None) -> bool:
    name = meta.name if meta is not None else None
    if call.id in start.calls or (name and call.name and name != call.name):
        return False
    return not (call.timestamp and start.timestamp) or call.timestamp <= start.timestamp


def _assign_certain_calls(open_to: dict[str, set[str]]) -> dict[str, str]:
    """Tie each agent that has one call left; drop those that would have to share one."""
    found: dict[str, str] = {}
    while sure := {agent: calls for agent, calls in open_to.items() if len(calls) == 1}:
        claims: dict[str, list[str]] = {}
        for agent, calls in sure.items():
            claims.setdefault(next(iter(calls)), []).append(agent)
            del open_to[agent]
        found |= {agents[0]: call for call, agents in claims.items() if len(agents) == 1}
        _remove_taken_calls(open_to, claims)
    return found


def _remove_taken_calls(open_to: Mapping[str, set[str]], taken: Container[str]) -> None:
    for calls in open_to.values():
        for call in [call for call in calls if call in taken]:
            calls.discard(call)
