"""How an agent's run went, as far as the client itself says.

The call names the kind of agent. The result of one that was waited for says what it took;
one in the background is only announced there, and a notice tells later how it ended.
"""

import re

from msgspec import Raw, Struct

from bough.model.tools.calls import AGENT_TOOLS
from bough.records.blocks import ServerToolUse, ToolUse
from bough.records.decode import decode_part
from bough.records.record import camel

ANNOUNCED = "async_launched"
NOTICE = "notice"
_OPENING = "<task-notification>"
_WARMUP = "Warmup"
_TAG = re.compile(
    r"<(tool-use-id|status|total_tokens|subagent_tokens|tool_uses|duration_ms)>\s*([^<\s]+)\s*</\1>"
)


class AgentRun(Struct, frozen=True, gc=False):
    """What one record tells about an agent's run; None where it does not say.

    `source` is call, result or notice; shells in the background are noticed alike, so a
    notice alone makes no agent. It is brief, with an empty call, where an agent's own file
    tells its type.
    `tokens` is what the client calls the total: the size of the agent's last request with
    its answer. `steps` are the agent's own calls of tools.
    """

    call: str
    source: str
    type: str | None = None
    status: str | None = None
    tokens: int | None = None
    steps: int | None = None
    duration_ms: float | None = None


class _AgentInput(Struct):
    subagent_type: str | None = None


class _AgentOutput(Struct, rename=camel):
    agent_id: str | None = None
    agent_type: str | None = None
    status: str | None = None
    total_tokens: float | None = None
    total_tool_use_count: float | None = None
    total_duration_ms: float | None = None
    was_interrupted: bool | None = None


def read_agent_call(block: ToolUse | ServerToolUse) -> AgentRun | None:
    """Read what kind of agent a call starts; None where it starts none."""
    if block.name not in AGENT_TOOLS:
        return None
    return AgentRun(block.id, "call", decode_part(block.input, _AgentInput).subagent_type)


def read_agent_result(call: str, structured: bytes) -> AgentRun | None:
    """Read what an agent took from the client's copy of its result."""
    if b'"agentId"' not in structured and b'"totalToolUseCount"' not in structured:
        return None
    output = decode_part(Raw(structured), _AgentOutput)
    if output.agent_id is None and output.total_tool_use_count is None:
        return None
    status = "interrupted" if output.was_interrupted else output.status
    return AgentRun(
        call,
        "result",
        output.agent_type,
        status,
        _to_int(output.total_tokens),
        _to_int(output.total_tool_use_count),
        output.total_duration_ms,
    )


def read_agent_notice(text: str) -> AgentRun | None:
    """Read how a task in the background ended from the notice of it."""
    if not text.lstrip().startswith(_OPENING):
        return None
    # What the agent answered lies between, and may hold any tag: the first and the last count.
    tags = _TAG.findall(text)
    first: dict[str, str] = {}
    for tag, value in tags:
        first.setdefault(tag, value)
    last = dict(tags)
    call = first.get("tool-use-id")
    if call is None:
        return None
    tokens = last.get("total_tokens") or last.get("subagent_tokens")
    return AgentRun(
        call,
        NOTICE,
        None,
        first.get("status"),
        _parse_int(tokens),
        _parse_int(last.get("tool_uses")),
        _parse_int(last.get("duration_ms")),
    )


def name_client_task(brief: str) -> str | None:
    """Name what the client itself starts an agent for, where its brief is all that tells."""
    return "warmup" if brief == _WARMUP else None


def _to_int(number: float | None) -> int | None:
    return None if number is None else int(number)


def _parse_int(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None
