"""Sub-agents: their own conversations, and the call that starts them.

Clients up to 2.0.22 wrote an agent's records into the session's file, those up to 2.1.8 into a
file beside it, later ones into a folder of the session. The steps are the same in all of them.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Self, TypedDict, Unpack

import msgspec

from bough.errors import Misuse
from bough.sample.builder.base import SessionDraft
from bough.sample.builder.compaction import CompactionSteps
from bough.sample.builder.damage import DamageSteps
from bough.sample.builder.injected import InjectedSteps
from bough.sample.builder.metadata import MetadataSteps
from bough.sample.builder.tool_calls import ToolCallSteps
from bough.sample.data import blocks
from bough.sample.data import client_versions as eras
from bough.sample.data.blocks import Json
from bough.sample.data.ids import hex_of
from bough.sample.data.tool_results import SampleCall

AgentWork = Callable[["AgentSteps"], object]
"""What an agent does between its brief and its answer."""


class AgentTask(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is sent to do, and how the client keeps it."""

    kind: str
    task: str
    prompt: str = ""
    answer: str = "Done."
    work: AgentWork | None = None
    name: str | None = None
    agent_id: str | None = None
    model: str | None = None
    layout: str | None = None
    background: bool = False
    echoed: bool = False
    spoken: bool = False
    run: str = "wf_1"
    fields: Json = {}

    @property
    def brief(self) -> str:
        """What the agent is told."""
        return self.prompt or f"{self.task}. Answer in a few sentences."


class AgentTaskOptions(TypedDict, total=False):
    """What a caller may say of a task."""

    prompt: str
    answer: str
    work: AgentWork | None
    name: str | None
    agent_id: str | None
    model: str | None
    layout: str | None
    background: bool
    echoed: bool
    spoken: bool
    run: str
    fields: Json


class AgentSteps(ToolCallSteps, InjectedSteps, CompactionSteps, MetadataSteps, DamageSteps):
    """Steps that send others to work; an agent's own file may hold steps of every kind."""

    depth = 0

    def agent(self, kind: str, task: str, **options: Unpack[AgentTaskOptions]) -> Self:
        """Start an agent and write its answer.

        Layouts: inline, flat, folder, workflow; without one, that of the client's version. With
        `echoed` the session's file holds agent_progress copies of the agent's records. With
        `spoken` the work itself says the answer.
        """
        return self.agents(AgentTask(kind=kind, task=task, **options))

    def agents(self, *tasks: AgentTask, **fields: object) -> Self:
        """Start several agents in one message; their answers come in the same order.

        Fields belong to the message that starts them.
        """
        calls = [(task, self._make_call(task)) for task in tasks]
        ids = [self.ask(call, message=None, **fields) for _, call in calls]
        started = self.now
        ends = []
        for (task, call), tool_id in zip(calls, ids, strict=True):
            self.now = started
            child = self._run_agent(task, tool_id)
            ends.append(child.now)
            if task.echoed:
                self._write_progress_copies(child, task, tool_id)
            if task.background:
                self.now = started
                ends[-1] = started
            self.now = max(ends)
            self.reply(tool_id, _complete_call(call, task, child, child.now - started))
        return self

    def agent_file(self, agent_id: str) -> SessionDraft:
        """Give the draft of an agent's file."""
        for place, draft in self.agent_files.items():
            if place.endswith(f"agent-{agent_id}.jsonl"):
                return draft
        raise Misuse(f"No agent has the id {agent_id}. There are {sorted(self.agent_files)}.")

    def side_agent(self, prefix: str, prompt: str, answer: str) -> Self:
        """Write an agent the client runs for itself: it continues the chain, and nothing names it.

        The prefix is `acompact` or `aprompt_suggestion`.
        """
        child = self._make_child(f"{prefix}-{self.mint('hex')[:6]}", self.facts.model)
        child.cursor = self.cursor
        child.user_record(prompt)
        child.assistant(answer)
        self._store_child(child, f"{self.session_id}/subagents")
        return self

    def warmup(self) -> Self:
        """Write the throw-away agent with which clients of 2.0 warmed their cache."""
        child = self._make_child(self.mint("hex")[:7], self.facts.model)
        child.user_record("Warmup")
        child.assistant("I'm ready to help.")
        self.agent_files[f"agent-{child.facts.agent_id}.jsonl"] = child
        return self

    # how

    def _make_call(self, task: AgentTask) -> SampleCall:
        given: Json = {
            "description": task.task,
            "prompt": task.brief,
            "subagent_type": task.kind,
        }
        if task.background:
            given["run_in_background"] = True
        tool = "Agent" if self.is_since("2.1.63") else "Task"
        return SampleCall(tool=tool, given=given, name=task.name, seconds=0, fields=task.fields)

    def _run_agent(self, task: AgentTask, tool_id: str) -> "AgentSteps":
        """Let an agent work, and keep its records where its client keeps them."""
        layout = task.layout or _layout_of(self.facts.version)
        child = self._make_child(task.agent_id or self._new_agent_id(), task.model)
        if layout == "inline":
            child.entries = self.entries
            child.facts = msgspec.structs.replace(
                child.facts, agent_id=None, seed=f"{self.facts.seed}/{child.facts.agent_id}"
            )
        child.user_record(task.brief)
        if task.work is not None:
            task.work(child)
        if task.answer and not task.spoken:
            child.assistant(task.answer)
        if layout == "flat":
            self.agent_files[f"agent-{child.facts.agent_id}.jsonl"] = child
        elif layout != "inline":
            inner = f"/workflows/{task.run}" if layout == "workflow" else ""
            folder = f"{self.session_id}/subagents{inner}"
            self._store_child(child, folder)
            self._write_metadata(child, task, tool_id, folder)
        return child

    def _make_child(self, agent_id: str, model: str | None) -> "AgentSteps":
        facts = msgspec.structs.replace(
            self.facts,
            agent_id=agent_id,
            sidechain=True,
            start=self.now,
            model=model or self.facts.model,
        )
        child = AgentSteps(facts)
        child.depth = self.depth + 1
        child.companions = self.companions
        child.agent_files = self.agent_files
        child.prompt_id = self.prompt_id
        return child

    def _new_agent_id(self) -> str:
        digits = self.mint("hex")
        return f"a{digits}" if self.is_since("2.1.30") else digits[:7]

    def _store_child(self, child: "AgentSteps", folder: str) -> None:
        self.agent_files[f"{folder}/agent-{child.facts.agent_id}.jsonl"] = child

    def _write_metadata(
        self, child: "AgentSteps", task: AgentTask, tool_id: str, folder: str
    ) -> None:
        """Write the file that says what the agent is, which came with time."""
        agent_id = child.facts.agent_id
        if task.layout == "workflow":
            step = self.encode_json({"type": "agent", "agentId": agent_id, "status": "completed"})
            journal = f"{folder}/journal.jsonl"
            self.companions[journal] = self.companions.get(journal, b"") + step + b"\n"
        if not self.is_since("2.1.60"):
            return
        meta: Json = {"agentType": task.kind, "description": task.task}
        if self.is_since("2.1.150"):
            meta["toolUseId"] = tool_id
        if self.is_since("2.1.177"):
            meta["spawnDepth"] = child.depth
        self.companions[f"{folder}/agent-{agent_id}.meta.json"] = self.encode_json(meta)

    def _write_progress_copies(self, child: "AgentSteps", task: AgentTask, tool_id: str) -> None:
        """Copy an agent's records into the session, as clients of 2.1.12 to 2.1.81 did."""
        for record in child.records():
            kept = ("type", "message", "uuid", "timestamp", "requestId", "toolUseResult")
            data: Json = {
                "message": {key: record[key] for key in kept if key in record},
                "normalizedMessages": [],
                "prompt": task.brief,
                "agentId": child.facts.agent_id,
            }
            self.progress(
                "agent_progress",
                data,
                tool_id=tool_id,
                toolUseID=f"agent_{hex_of(12, tool_id)}",
                timestamp=record["timestamp"],
            )


def _layout_of(version: str) -> str:
    if not eras.is_since(version, "2.0.28"):
        return "inline"
    return "folder" if eras.is_since(version, "2.1.9") else "flat"


def _complete_call(
    call: SampleCall, task: AgentTask, child: AgentSteps, took: timedelta
) -> SampleCall:
    """Complete the call with what the agent gave back."""
    agent_id = child.facts.agent_id
    calls = sum(1 for record in child.records() if _is_call(record, agent_id))
    said: list[Json] = [blocks.text(task.answer)]
    structured: Json = {
        "content": said,
        "totalDurationMs": int(took.total_seconds() * 1000),
        "totalTokens": 12_400 + 900 * calls,
        "totalToolUseCount": calls,
        "usage": {"input_tokens": 6, "output_tokens": 40 * calls + 200},
    }
    if agent_id is not None:
        structured = {"status": "completed", "prompt": task.brief, "agentId": agent_id} | structured
        said.append(blocks.text(f"agentId: {agent_id} (for resuming to continue this agent)"))
    if task.background:
        structured = {
            "isAsync": True,
            "status": "async_launched",
            "agentId": agent_id,
            "description": task.task,
            "prompt": task.brief,
            "outputFile": f"/home/dev/.claude/tasks/{agent_id}.output",
            "canReadOutputFile": True,
        }
        said = [blocks.text(f"Async agent launched successfully.\nagentId: {agent_id}")]
    return msgspec.structs.replace(call, result=said, structured=structured)


def _is_call(record: Json, agent_id: str | None) -> bool:
    """Say whether a record is a tool call of this agent; inline files hold others too."""
    message = record.get("message")
    if record.get("type") != "assistant" or not isinstance(message, dict):
        return False
    if agent_id is None and not record.get("isSidechain"):
        return False
    return any(block["type"] == "tool_use" for block in message["content"])
