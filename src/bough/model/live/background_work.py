"""What a session has going on behind its turns: agents and shells that nobody has heard the end of.

A turn can be over while an agent or a shell that it started works on. Their start is in the result
of the call that started them, their end in a notice, in the queue or as an input of Claude's.
Clients from 2.1.200 also count the agents that are left when a turn ends.
"""

import re

from msgspec import Raw, Struct

from bough.model.agents.runs import ANNOUNCED
from bough.model.tools.calls import input_of
from bough.records.blocks import ToolUse
from bough.records.decode import decode_part, message_of
from bough.records.metadata import QueueOperation
from bough.records.record import Record, camel
from bough.records.types import Assistant, Attachment, System, User

_NOTICE = b"<task-notification>"
_TASK = re.compile(rb"<task-id>\s*([^<\s]+)\s*</task-id>")
_STOPS = frozenset({"TaskStop", "KillShell", "KillBash"})
_MOST = 200


class _StartedTask(Struct, gc=False, rename=camel):
    status: str | None = None
    agent_id: str | None = None
    background_task_id: str | None = None


class BackgroundWork:
    """The tasks of one session that are not known to have ended."""

    def __init__(self) -> None:
        self.agents: dict[str, None] = {}
        self.shells: dict[str, None] = {}
        self.counted = 0
        """How many agents the client itself counted when the last turn ended."""

    def add(self, record: Record) -> None:
        """Take one record of the main conversation into account."""
        match record:
            case User() if record.tool_use_result_json:
                self._add_start(record.tool_use_result_json)
            case User() | QueueOperation() | Attachment() if _NOTICE in record.raw:
                for task in _TASK.findall(record.raw):
                    self._end_task(task.decode(errors="replace"))
            case Assistant() if any(name.encode() in record.raw for name in _STOPS):
                self._add_stop(record)
            case System(pending_background_agent_count=float() as count):
                self.counted = int(count)
            case _:
                return

    def _add_start(self, structured: Raw) -> None:
        raw = bytes(structured)
        if b'"async_launched"' not in raw and b'"backgroundTaskId"' not in raw:
            return
        task = decode_part(structured, _StartedTask)
        if task.status == ANNOUNCED and task.agent_id:
            _keep(self.agents, task.agent_id)
        if task.background_task_id:
            _keep(self.shells, task.background_task_id)

    def _add_stop(self, record: Assistant) -> None:
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse) and block.name in _STOPS:
                fields = input_of(block.input)
                for name in ("task_id", "shell_id"):
                    self._end_task(str(fields.get(name)))

    def _end_task(self, task: str) -> None:
        if task in self.agents:
            self.counted = max(0, self.counted - 1)
        self.agents.pop(task, None)
        self.shells.pop(task, None)


def _keep(tasks: dict[str, None], task: str) -> None:
    if len(tasks) >= _MOST:
        del tasks[next(iter(tasks))]
    tasks[task] = None
