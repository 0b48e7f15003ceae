"""Agents: which call started which sub-agent.

An agent's conversation lies in a file of its own, or inside the main file as a sidechain.
What ties it to the call differs by version, so the ties are tried from the surest to the
weakest; where none holds, the agent stays unattached rather than at a guessed place.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from bough.model.notes import queued_text, spoken
from bough.model.prompts import typed_text
from bough.model.tree import ROOT, Tree
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of, part, plain, progress_of
from bough.records.record import Record, camel
from bough.records.types import Assistant, Progress, QueueOperation, User

AGENT_TOOLS = frozenset({"Task", "Agent"})
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


def agent_calls(records: Iterable[Record]) -> dict[str, AgentCall]:
    """List the calls that start agents."""
    calls = {}
    for record in records:
        if not isinstance(record, Assistant):
            continue
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse) and block.name in AGENT_TOOLS:
                given = part(block.input, _CallInput)
                calls[block.id] = AgentCall(
                    block.id, given.prompt, given.subagent_type, given.description, given.name
                )
    return calls


def tie_agents(
    records: Sequence[Record],
    agents: Mapping[str, str],
    metas: Mapping[str, AgentMeta],
) -> dict[str, Tie]:
    """Find the call of each agent.

    `agents` maps an agent's id to the first prompt it was given; `records` are those of the
    file that may have started it.
    """
    calls = agent_calls(records)
    ties: dict[str, Tie] = {}
    sources = (
        ("meta", {a: m.tool_use_id for a, m in metas.items() if m.tool_use_id}),
        ("result", dict(_by_result(records))),
        ("progress", dict(_by_progress(records))),
        ("queue", dict(_by_queue(records))),
        ("text", dict(_by_text(records))),
        ("prompt", _by_prompt(agents, metas, calls)),
    )
    taken: set[str] = set()
    for known_by, found in sources:
        for agent in agents:
            call = found.get(agent)
            if call is None or agent in ties:
                continue
            if known_by == "meta" and call not in calls:
                continue
            if known_by == "prompt" and call in taken:
                continue
            ties[agent] = Tie(call, known_by)
            taken.add(call)
    return ties


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


def brief_of(records: Iterable[Record]) -> str:
    """Give the prompt an agent was started with."""
    for record in records:
        if isinstance(record, User):
            return typed_text(record).strip()
    return ""


def _by_result(records: Sequence[Record]) -> Iterable[tuple[str, str]]:
    for record in records:
        if isinstance(record, User) and b'"agentId"' in bytes(record.tool_use_result_json):
            agent = part(record.tool_use_result_json, _Outcome).agent_id
            call = _answered(record)
            if agent and call:
                yield agent, call


def _answered(record: User) -> str | None:
    for block in message_of(record).blocks:
        if isinstance(block, ToolResult):
            return block.tool_use_id
    return None


def _by_progress(records: Sequence[Record]) -> Iterable[tuple[str, str]]:
    for record in records:
        if isinstance(record, Progress) and record.parent_tool_use_id:
            data = progress_of(record)
            if data.type == "agent_progress" and data.agent_id:
                yield data.agent_id, record.parent_tool_use_id


def _by_queue(records: Sequence[Record]) -> Iterable[tuple[str, str]]:
    for record in records:
        if not isinstance(record, QueueOperation):
            continue
        text = queued_text(record)
        tags = {name: value for name, value in _TAGGED.findall(text)}
        if not tags and text.lstrip().startswith("{"):
            value = plain(text.encode())
            if isinstance(value, dict):
                tags = {"tool-use-id": value.get("tool_use_id"), "task-id": value.get("task_id")}
        agent, call = tags.get("task-id"), tags.get("tool-use-id")
        if isinstance(agent, str) and isinstance(call, str):
            yield agent, call


def _by_text(records: Sequence[Record]) -> Iterable[tuple[str, str]]:
    for record in records:
        if not isinstance(record, User) or b"agentId: " not in record.raw:
            continue
        for block in message_of(record).blocks:
            if isinstance(block, ToolResult):
                found = _AGENT_ID.search(spoken(block.content))
                if found:
                    yield found[1], block.tool_use_id


def _by_prompt(
    agents: Mapping[str, str], metas: Mapping[str, AgentMeta], calls: Mapping[str, AgentCall]
) -> dict[str, str]:
    """Tie by equal prompts; where several calls share one, the name must agree too."""
    by_prompt: dict[str, list[AgentCall]] = {}
    for call in calls.values():
        by_prompt.setdefault(call.prompt.strip(), []).append(call)
    found = {}
    for agent, prompt in agents.items():
        same = by_prompt.get(prompt.strip(), []) if prompt.strip() else []
        name = metas[agent].name if agent in metas else None
        if name is not None:
            same = [call for call in same if call.name in (None, name)]
        if same:
            # Calls with one prompt are taken in order: the agents are, too.
            call = same.pop(0) if len(same) > 1 else same[0]
            by_prompt[prompt.strip()] = [c for c in by_prompt[prompt.strip()] if c is not call]
            found[agent] = call.id
    return found


def ties_of(record: Record) -> Iterable[tuple[str, str, str]]:
    """List what one record tells of agents: (agent, call, how it is known)."""
    match record:
        case User():
            found = (("result", _by_result), ("text", _by_text))
        case Progress():
            found = (("progress", _by_progress),)
        case QueueOperation():
            found = (("queue", _by_queue),)
        case _:
            return ()
    return [(agent, call, how) for how, find in found for agent, call in find((record,))]
