"""What a call that still runs shows of itself: one line, the newest of what it put out.

Clients of 2.1.9 to 2.1.81 write it in progress records, about one a second; others write nothing
until the result is there. A record of an agent is a copy of the agent's own line.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from bough.model.text.formats import format_plural
from bough.model.text.terminal_codes import strip_terminal_codes
from bough.model.tools.call_summary import name_call, to_summary_line
from bough.model.tools.calls import input_of
from bough.records.blocks import ApiMessage, Text, ToolUse
from bough.records.decode import decode_part, progress_of
from bough.records.types import Progress, ProgressData

_TAIL: Final = 4_000


class _CopiedLine(Struct, gc=False):
    """The copy of an agent's line."""

    type: str = ""
    message: ApiMessage | None = None


def read_progress_line(record: Progress) -> str | None:
    """Give the newest line that a progress record shows of its call; None where it has none."""
    data = progress_of(record)
    reader = _READERS.get(data.type)
    return reader(data) or None if reader is not None else None


def _find_last_line(output: str) -> str | None:
    """Give the last line with words; of a line that writes over itself, what was written last."""
    for line in reversed(output[-_TAIL:].splitlines()):
        words = strip_terminal_codes(line).strip()
        if words:
            return to_summary_line(words)
    return None


def _describe_agent_step(data: ProgressData) -> str | None:
    copied = decode_part(data.message_json, _CopiedLine)
    if copied.type != "assistant" or copied.message is None:
        return None
    for block in reversed(copied.message.blocks):
        match block:
            case ToolUse():
                return name_call(block.name, input_of(block.input), None)
            case Text() if block.text.strip():
                return _find_last_line(block.text)
            case _:
                continue
    return None


def _describe_search(data: ProgressData) -> str:
    return to_summary_line(f"searches: {data.query}") if data.query else ""


def _describe_results(data: ProgressData) -> str:
    return "" if data.result_count is None else format_plural(int(data.result_count), "result")


def _describe_task(data: ProgressData) -> str:
    return to_summary_line(f"waits for: {data.task_description}") if data.task_description else ""


_READERS: Final[Mapping[str, Callable[[ProgressData], str | None]]] = {
    "bash_progress": lambda data: _find_last_line(data.output or data.full_output or ""),
    "agent_progress": _describe_agent_step,
    "mcp_progress": lambda data: data.status,
    "query_update": _describe_search,
    "search_results_received": _describe_results,
    "waiting_for_task": _describe_task,
}
