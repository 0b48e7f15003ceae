"""Agents as rows: what one was sent out for, how it ended, what it took.

An agent's own file tells most. Where it is gone, the client's copy of the result is left;
one that ran in the background is only announced there, and a notice tells later how it
ended.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from bough.model.agents.links import AGENT_TOOLS
from bough.model.agents.runs import ANNOUNCED, agent_noticed
from bough.model.interpret.notes import attached_prompt, queued_text
from bough.model.interpret.user_records import typed_text
from bough.model.session import Agent, Session
from bough.model.text.times import seconds_between
from bough.model.tools.call_summary import agent_words, one_line
from bough.model.tools.structured_results import Told
from bough.model.usage.costs import NOTHING, Bill, Till
from bough.records.blocks import ServerToolUse, ToolResult, ToolUse
from bough.records.decode import attachment_of, message_of, part, plain
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, QueueOperation, User

_NOTICE = b"<task-notification>"
_NAMED = re.compile(r"<task-id>\s*([^<\s]+)\s*</task-id>\s*<status>\s*([^<\s]+)\s*</status>")


class SentOut(Struct, frozen=True):
    """A sub-agent that was started; `ok` is None where its end is not known.

    `id` is None where its file is gone: then there is no bill either.
    """

    call: str
    id: str | None
    text: str
    ok: bool | None = None
    steps: int | None = None
    seconds: float | None = None
    bill: Bill = NOTHING


class Agents:
    """The agents of a session, by the calls that started them."""

    def __init__(self, session: Session) -> None:
        self._records = session.records
        self.by_call = {a.tie.call: a for a in session.agents if a.tie is not None}

    @cached_property
    def _results(self) -> dict[str, tuple[User, ToolResult]]:
        return dict(_results(self._records))

    @cached_property
    def _noticed(self) -> dict[str, bool]:
        return dict(_notices(self._records))

    def among(self, calls: Iterable[ToolUse | ServerToolUse]) -> list[ToolUse | ServerToolUse]:
        """List the calls that started agents: by their name, or because an agent says so."""
        return [use for use in calls if use.name in AGENT_TOOLS or use.id in self.by_call]

    def sent_out(self, use: ToolUse | ServerToolUse, till: Till) -> SentOut:
        """Describe the agent that a call started, and charge what it cost."""
        agent = self.by_call.get(use.id)
        told, ok = _told(*self._results[use.id]) if use.id in self._results else (Told(), None)
        noticed = self._noticed.get(use.id)
        if noticed is None and agent is not None:
            noticed = self._noticed.get(agent.id)
        if noticed is not None:
            ok = noticed
        elif told.is_async or told.status == ANNOUNCED:
            ok = None
        if agent is None:
            text = one_line(_called(use))
            return SentOut(use.id, None, text, ok, told.total_tool_use_count, told.seconds)
        family = (agent, *agent.agents)
        lasted = seconds_between(agent.started_at, agent.ended_at)
        return SentOut(
            call=use.id,
            id=agent.id,
            text=one_line(name_of(agent) or _called(use)),
            ok=ok,
            steps=steps_of(agent),
            seconds=told.seconds if told.total_duration_ms is not None else lasted,
            bill=till.charge(record for each in family for record in each.records),
        )


def name_of(agent: Agent) -> str:
    """Name an agent as its row does: its type, then what it was sent for."""
    return agent_words({"subagent_type": agent.type, "description": agent.description})


def steps_of(agent: Agent) -> int:
    """Count the calls an agent made itself, without those that started others."""
    started = {inner.tie.call for inner in agent.agents if inner.tie is not None}
    return len(agent.signs.calls - started)


def _called(use: ToolUse | ServerToolUse) -> str:
    given = plain(use.input)
    return (agent_words(given) if isinstance(given, dict) else "") or use.name


def _results(records: Iterable[Record]) -> Iterator[tuple[str, tuple[User, ToolResult]]]:
    """Find the result of each call; few are of agents, and only these are read."""
    for record in records:
        if isinstance(record, User):
            for block in message_of(record).blocks:
                if isinstance(block, ToolResult):
                    yield block.tool_use_id, (record, block)


def _told(record: User, block: ToolResult) -> tuple[Told, bool]:
    """Read the client's copy of a result, and whether the call went well."""
    return part(record.tool_use_result_json, Told), not block.is_error


def _notices(records: Iterable[Record]) -> Iterator[tuple[str, bool]]:
    """Give how tasks in the background ended, by the call that started each and by its id."""
    for record in records:
        if isinstance(record, Assistant) or _NOTICE not in record.raw:
            continue
        text = _words_of(record)
        noticed = agent_noticed(text)
        if noticed is not None and noticed.status is not None:
            yield noticed.call, noticed.status == "completed"
        elif named := _NAMED.search(text):
            yield named[1], named[2] == "completed"


def _words_of(record: Record) -> str:
    match record:
        case User():
            return typed_text(record)
        case Attachment():
            return attached_prompt(attachment_of(record))
        case QueueOperation():
            return queued_text(record)
        case _:
            return ""
