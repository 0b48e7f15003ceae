"""Rows of tool calls: who called what, how it ended, which files it touched.

An agent's records are copied into its session's progress records (2.1.12 to 2.1.81), and
often nowhere else any more; calls are joined by id, so a copy costs no double count.
"""

from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import astuple, replace

from bough.model.agents.runs import AgentRun, read_agent_call, read_agent_result
from bough.model.interpret.api_errors import is_refusal
from bough.model.interpret.hooks import HookRun, find_blocking_hook
from bough.model.text.times import to_utc
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import blocks_of, decode_part, decode_plain, progress_of
from bough.records.record import NO_JSON, camel
from bough.records.types import Progress, User
from bough.store.rows import RowBatch

_PATH_KEYS = ("file_path", "notebook_path", "path")
_FILE_TOOLS = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead"})
_MOST = 2**53


class _Durations(Struct, rename=camel):
    duration_ms: float | None = None
    total_duration_ms: float | None = None
    duration_seconds: float | None = None


class _CarriedMessage(Struct):
    content: Raw = NO_JSON


class _CarriedRecord(Struct, rename=camel):
    timestamp: str | None = None
    message: _CarriedMessage | None = None
    tool_use_result_json: Raw = NO_JSON


class CallEnd(Struct, frozen=True):
    """What a record tells of how a call ended."""

    text: str
    structured: Raw
    denied: bool = False


def add_call(
    rows: RowBatch, offset: int, timestamp: str | None, block: ToolUse | ServerToolUse, given: Any
) -> None:
    """Keep that a tool was called; `given` is its input, decoded."""
    rows.calls.append((offset, block.id, block.name, timestamp))
    if isinstance(given, dict) and block.name in _FILE_TOOLS:
        for key in _PATH_KEYS:
            if isinstance(given.get(key), str):
                rows.touches.append((offset, block.id, given[key], block.name, timestamp))
                break
    if (run := read_agent_call(block)) is not None:
        add_agent_run(rows, offset, timestamp, run)


def add_result(
    rows: RowBatch, offset: int, timestamp: str | None, block: ToolResult, ended: CallEnd
) -> bool:
    """Keep how a call ended; tell whether it failed."""
    failed = bool(block.is_error)
    refused = ended.denied or (failed and is_refusal(ended.text))
    structured = bytes(ended.structured)
    rows.results.append(
        (
            offset,
            block.tool_use_id,
            timestamp,
            int(failed),
            int(refused),
            memoryview(block.content).nbytes,
            _find_duration(structured),
        )
    )
    if (run := read_agent_result(block.tool_use_id, structured)) is not None:
        add_agent_run(rows, offset, timestamp, run)
    if refused and (hook := find_blocking_hook(block.tool_use_id, ended.text)) is not None:
        rows.hooks.append(hook_row(offset, 0, hook, timestamp))
    return failed


def add_carried_calls(rows: RowBatch, record: Progress) -> None:
    """Keep the calls and results that a progress record carries over from an agent."""
    if b'"tool_use"' not in record.raw and b'"tool_result"' not in record.raw:
        return
    carried = decode_part(progress_of(record).message_json, _CarriedRecord)
    if carried.message is None:
        return
    timestamp = to_utc(carried.timestamp) or record.timestamp
    for block in blocks_of(carried.message.content):
        match block:
            case ToolUse():
                add_call(rows, record.offset, timestamp, block, decode_plain(block.input))
            case ToolResult():
                ended = CallEnd(result_text(block), carried.tool_use_result_json)
                add_result(rows, record.offset, timestamp, block, ended)
            case _:
                pass


def add_agent_run(rows: RowBatch, offset: int, timestamp: str | None, run: AgentRun) -> None:
    """Keep what a record tells about an agent's run."""
    kept = replace(run, tokens=to_whole_number(run.tokens), steps=to_whole_number(run.steps))
    rows.agent_runs.append((offset, *astuple(kept), timestamp))


def read_call_end(record: User, text: str) -> CallEnd:
    """Read how the call of a result record ended."""
    return CallEnd(text, record.tool_use_result_json, denied=record.tool_denial_kind is not None)


def hook_row(offset: int, number: int, run: HookRun, timestamp: str | None) -> tuple[object, ...]:
    """Put what a record tells about a hook into a row."""
    return (offset, number, *astuple(run), timestamp)


def result_text(block: ToolResult) -> str:
    """Give the words of a result."""
    return "\n".join(b.text for b in blocks_of(block.content) if isinstance(b, Text))


def to_whole_number(number: float | None) -> int | None:
    """Make a count whole; one that no store can hold is none."""
    if number is None or not -_MOST < number < _MOST:
        return None
    return int(number)


def _find_duration(structured: bytes) -> float | None:
    """Find how long a tool ran, where its structured result tells."""
    if b"uration" not in structured:
        return None
    timed = decode_part(Raw(structured), _Durations)
    if timed.duration_seconds is not None:
        return timed.duration_seconds * 1000
    return timed.duration_ms if timed.duration_ms is not None else timed.total_duration_ms
