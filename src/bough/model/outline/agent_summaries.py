"""Agents as rows: what one was sent out for, how it ended, what it took.

An agent's own file tells most. Where it is gone, the client's copy of the result is left;
one that ran in the background is only announced there, and a notice tells later how it
ended.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from bough.model.agents.runs import ANNOUNCED, read_agent_notice
from bough.model.interpret.notes import extract_attached_prompt, extract_queued_text
from bough.model.interpret.user_records import extract_typed_text
from bough.model.session import Agent, Session
from bough.model.text.times import seconds_between
from bough.model.tools.call_summary import label_agent, to_summary_line
from bough.model.tools.calls import AGENT_TOOLS
from bough.model.tools.structured_results import StructuredResult
from bough.model.usage.cost_allocator import CallTotal, CostAllocator
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.tokens import UsageSnapshot
from bough.records.blocks import ServerToolUse, ToolResult, ToolUse
from bough.records.decode import attachment_of, decode_part, decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, QueueOperation, User

_NOTICE = b"<task-notification>"
_TASK_STATUS = re.compile(r"<task-id>\s*([^<\s]+)\s*</task-id>\s*<status>\s*([^<\s]+)\s*</status>")


class AgentSummary(Struct, frozen=True):
    """A sub-agent that was started; `ok` is None where its end is not known.

    `id` is None where its file is gone: then there is no bill either. `call` is empty where
    no call has it for its own: an agent of a workflow, which follows the call `after`.
    `charged` are the API calls that the cost is of.
    """

    call: str
    id: str | None
    text: str
    ok: bool | None = None
    steps: int | None = None
    seconds: float | None = None
    cost: UsageTotal = NO_USAGE
    after: str | None = None
    charged: tuple[UsageSnapshot, ...] = ()


class AgentSummaries:
    """The agents of a session, by the calls that started them."""

    def __init__(self, session: Session) -> None:
        self._records = session.records
        self.by_call = {a.link.call: a for a in session.agents if a.link is not None}
        self._workflow_agents = session.workflow_agents

    @cached_property
    def _results(self) -> dict[str, tuple[User, ToolResult]]:
        return dict(_iter_results(self._records))

    @cached_property
    def _ended_well(self) -> dict[str, bool]:
        return dict(_iter_notices(self._records))

    def filter_agent_calls(
        self, calls: Iterable[ToolUse | ServerToolUse]
    ) -> list[ToolUse | ServerToolUse]:
        """List the calls that started agents: by their name, or because an agent says so."""
        return [use for use in calls if use.name in AGENT_TOOLS or use.id in self.by_call]

    def summarize_agent(
        self, use: ToolUse | ServerToolUse, allocator: CostAllocator
    ) -> AgentSummary:
        """Describe the agent that a call started, and charge what it cost."""
        agent = self.by_call.get(use.id)
        structured, ok = (
            _read_result(*self._results[use.id])
            if use.id in self._results
            else (StructuredResult(), None)
        )
        noticed = self._ended_well.get(use.id)
        if noticed is None and agent is not None:
            noticed = self._ended_well.get(agent.id)
        if noticed is not None:
            ok = noticed
        elif structured.is_async or structured.status == ANNOUNCED:
            ok = None
        if agent is None:
            text = to_summary_line(_describe_call(use))
            return AgentSummary(
                use.id, None, text, ok, structured.total_tool_use_count, structured.seconds
            )
        bill = _charge_family(agent, allocator)
        lasted = seconds_between(agent.started_at, agent.ended_at)
        return AgentSummary(
            call=use.id,
            id=agent.id,
            text=to_summary_line(describe_agent(agent) or _describe_call(use)),
            ok=ok,
            steps=count_agent_steps(agent),
            seconds=structured.seconds if structured.total_duration_ms is not None else lasted,
            cost=bill.total,
            charged=bill.calls,
        )

    def summarize_workflow_agents(
        self, calls: Iterable[str], allocator: CostAllocator
    ) -> list[AgentSummary]:
        """Describe the agents of workflows that follow some calls, and charge what they cost."""
        if not self._workflow_agents:
            return []
        found = ((call, agent) for call in calls for agent in self._workflow_agents.get(call, ()))
        return [
            AgentSummary(
                call="",
                id=agent.id,
                text=to_summary_line(describe_agent(agent) or agent.brief) or agent.id,
                ok=_has_answered(agent),
                steps=count_agent_steps(agent),
                seconds=seconds_between(agent.started_at, agent.ended_at),
                cost=bill.total,
                after=call,
                charged=bill.calls,
            )
            for call, agent in found
            for bill in (_charge_family(agent, allocator),)
        ]


def _charge_family(agent: Agent, allocator: CostAllocator) -> CallTotal:
    """Charge what an agent used, and those that it started."""
    return allocator.allocate(record for one in (agent, *agent.agents) for record in one.records)


def _has_answered(agent: Agent) -> bool | None:
    """Tell whether an agent has said its last word, as far as its file tells."""
    last = next((r for r in reversed(agent.records) if isinstance(r, Assistant)), None)
    ended = last is not None and not any(isinstance(b, ToolUse) for b in message_of(last).blocks)
    return True if ended else None


def describe_agent(agent: Agent) -> str:
    """Name an agent as its row does: its type, then what it was sent for."""
    return label_agent({"subagent_type": agent.type, "description": agent.description})


def count_agent_steps(agent: Agent) -> int:
    """Count the calls an agent made itself, without those that started others."""
    started = {inner.link.call for inner in agent.agents if inner.link is not None}
    return len(agent.agent_evidence.calls - started)


def _describe_call(use: ToolUse | ServerToolUse) -> str:
    given = decode_plain(use.input)
    return (label_agent(given) if isinstance(given, dict) else "") or use.name


def _iter_results(records: Iterable[Record]) -> Iterator[tuple[str, tuple[User, ToolResult]]]:
    """Find the result of each call; few are of agents, and only these are read."""
    for record in records:
        if isinstance(record, User):
            for block in message_of(record).blocks:
                if isinstance(block, ToolResult):
                    yield block.tool_use_id, (record, block)


def _read_result(record: User, block: ToolResult) -> tuple[StructuredResult, bool]:
    """Read the client's copy of a result, and whether the call went well."""
    return decode_part(record.tool_use_result_json, StructuredResult), not block.is_error


def _iter_notices(records: Iterable[Record]) -> Iterator[tuple[str, bool]]:
    """Give how tasks in the background ended, by the call that started each and by its id."""
    for record in records:
        if isinstance(record, Assistant) or _NOTICE not in record.raw:
            continue
        text = _extract_words(record)
        noticed = read_agent_notice(text)
        if noticed is not None and noticed.status is not None:
            yield noticed.call, noticed.status == "completed"
        elif named := _TASK_STATUS.search(text):
            yield named[1], named[2] == "completed"


def _extract_words(record: Record) -> str:
    match record:
        case User():
            return extract_typed_text(record)
        case Attachment():
            return extract_attached_prompt(attachment_of(record))
        case QueueOperation():
            return extract_queued_text(record)
        case _:
            return ""
