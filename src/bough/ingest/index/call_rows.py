"""Rows of tool calls: who called what, how it ended, which files it touched.

An agent's records are copied into its session's progress records (2.1.12 to 2.1.81), and
often nowhere else any more; calls are joined by id, so a copy costs no double count.
"""

from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import astuple, replace

from bough.model.agents.runs import AgentRun, agent_answered, agent_asked
from bough.model.interpret.api_errors import was_refused
from bough.model.interpret.hooks import HookRun, hook_that_forbade
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import blocks_of, part, plain, progress_of
from bough.records.record import NO_JSON, camel
from bough.records.types import Progress, User
from bough.store.rows import Batch

_PATH_KEYS = ("file_path", "notebook_path", "path")
_TOUCHING = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead"})
_MOST = 2**53


class _Timed(Struct, rename=camel):
    duration_ms: float | None = None
    total_duration_ms: float | None = None
    duration_seconds: float | None = None


class _CarriedMessage(Struct):
    content: Raw = NO_JSON


class _Carried(Struct, rename=camel):
    timestamp: str | None = None
    message: _CarriedMessage | None = None
    tool_use_result_json: Raw = NO_JSON


class Ended(Struct, frozen=True):
    """What a record tells of how a call ended."""

    text: str
    structured: Raw
    denied: bool = False


def add_call(
    rows: Batch, offset: int, timestamp: str | None, block: ToolUse | ServerToolUse
) -> Any:
    """Keep that a tool was called; give what it was called with."""
    given = plain(block.input)
    rows.calls.append((offset, block.id, block.name, timestamp))
    if isinstance(given, dict) and block.name in _TOUCHING:
        for key in _PATH_KEYS:
            if isinstance(given.get(key), str):
                rows.touches.append((offset, block.id, given[key], block.name, timestamp))
                break
    if (run := agent_asked(block)) is not None:
        add_agent_run(rows, offset, timestamp, run)
    return given


def add_result(
    rows: Batch, offset: int, timestamp: str | None, block: ToolResult, ended: Ended
) -> bool:
    """Keep how a call ended; tell whether it failed."""
    failed = bool(block.is_error)
    refused = ended.denied or (failed and was_refused(ended.text))
    structured = bytes(ended.structured)
    rows.results.append(
        (
            offset,
            block.tool_use_id,
            timestamp,
            int(failed),
            int(refused),
            memoryview(block.content).nbytes,
            _duration(structured),
        )
    )
    if (run := agent_answered(block.tool_use_id, structured)) is not None:
        add_agent_run(rows, offset, timestamp, run)
    if refused and (hook := hook_that_forbade(block.tool_use_id, ended.text)) is not None:
        rows.hooks.append(hook_row(offset, 0, hook, timestamp))
    return failed


def add_carried(rows: Batch, record: Progress) -> None:
    """Keep the calls and results that a progress record carries over from an agent."""
    if b'"tool_use"' not in record.raw and b'"tool_result"' not in record.raw:
        return
    carried = part(progress_of(record).message_json, _Carried)
    if carried.message is None:
        return
    timestamp = carried.timestamp or record.timestamp
    for block in blocks_of(carried.message.content):
        match block:
            case ToolUse():
                add_call(rows, record.offset, timestamp, block)
            case ToolResult():
                ended = Ended(text_of(block), carried.tool_use_result_json)
                add_result(rows, record.offset, timestamp, block, ended)
            case _:
                pass


def add_agent_run(rows: Batch, offset: int, timestamp: str | None, run: AgentRun) -> None:
    """Keep what a record tells about an agent's run."""
    kept = replace(run, tokens=whole(run.tokens), steps=whole(run.steps))
    rows.agent_runs.append((offset, *astuple(kept), timestamp))


def ended_by(record: User, text: str) -> Ended:
    """Read how the call of a result record ended."""
    return Ended(text, record.tool_use_result_json, denied=record.tool_denial_kind is not None)


def hook_row(offset: int, number: int, run: HookRun, timestamp: str | None) -> tuple[object, ...]:
    """Put what a record tells about a hook into a row."""
    return (offset, number, *astuple(run), timestamp)


def text_of(block: ToolResult) -> str:
    """Give the words of a result."""
    return "\n".join(b.text for b in blocks_of(block.content) if isinstance(b, Text))


def whole(number: float | None) -> int | None:
    """Make a count whole; one that no store can hold is none."""
    if number is None or not -_MOST < number < _MOST:
        return None
    return int(number)


def _duration(structured: bytes) -> float | None:
    """Find how long a tool ran, where its structured result tells."""
    if b"uration" not in structured:
        return None
    timed = part(Raw(structured), _Timed)
    if timed.duration_seconds is not None:
        return timed.duration_seconds * 1000
    return timed.duration_ms if timed.duration_ms is not None else timed.total_duration_ms
