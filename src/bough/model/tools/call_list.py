"""Tool calls as a list: each call of some records once, with what came of it.

A conversation shows calls where they were made, and a call that was answered twice twice.
Who counts or filters calls wants each of them once, with the numbers read already.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from bough.model.text.times import seconds_between
from bough.model.tools.calls import (
    AnyUse,
    CallResult,
    CallResults,
    FindStoredOutputs,
    collect_results,
    input_of,
    result_of,
)
from bough.model.tools.outcomes import find_exit_code
from bough.model.tools.structured_results import read_structured_result
from bough.model.tree.nodes import Tree
from bough.records.blocks import ServerToolUse, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant

_USES = (ToolUse, ServerToolUse)


class ToolCall(Struct, frozen=True, kw_only=True):
    """One call of a tool; `result` is None where none came.

    `duration_ms` is the client's own count where it is `measured`, else the time from the
    call to its result, which has the wait for a permission in it. `exit_code` is that of a
    shell, where it is known. `agent` is the id of the agent that the call started, `caller`
    that of the agent that made it: None for the session itself.
    """

    id: str
    name: str
    input: Any = None
    result: CallResult | None = None
    uuid: str | None = None
    timestamp: str | None = None
    duration_ms: float | None = None
    measured: bool = False
    exit_code: int | None = None
    is_error: bool = False
    agent: str | None = None
    caller: str | None = None


def list_tool_calls(
    records: Iterable[Record],
    tree: Tree,
    agents: Mapping[str, str],
    find_stored_outputs: FindStoredOutputs,
    caller: str | None = None,
) -> list[ToolCall]:
    """List the calls that some records made, each once, in their order.

    Args:
        records: Those that may have made calls.
        tree: Where the results are.
        agents: The agent that each call started, by the call's id.
        find_stored_outputs: Gives where large outputs lie.
        caller: The agent whose records they are.
    """
    answers = collect_results(tree)
    calls: dict[str, ToolCall] = {}
    for record in records:
        if not isinstance(record, Assistant):
            continue
        for number, block in enumerate(message_of(record).blocks):
            if isinstance(block, _USES):
                name = block.id or f"{record.offset} {number}"
                if name not in calls:
                    result = _find_result(block, answers, tree, find_stored_outputs)
                    calls[name] = _build_call(block, record, result, agents.get(block.id), caller)
    return list(calls.values())


def _find_result(
    use: AnyUse, answers: CallResults, tree: Tree, find_stored_outputs: FindStoredOutputs
) -> CallResult | None:
    """Give the last result of a call: what came before it was not the end."""
    found = answers.by_call.get(use.id)
    if not found:
        return None
    number, block = found[-1]
    return result_of(tree.nodes[number], block, find_stored_outputs)


def _build_call(
    use: AnyUse, record: Record, result: CallResult | None, agent: str | None, caller: str | None
) -> ToolCall:
    structured = read_structured_result(result) if result is not None else None
    measured = structured.seconds if structured is not None else None
    waited = seconds_between(record.timestamp, result.timestamp) if result is not None else None
    seconds = measured if measured is not None else waited
    return ToolCall(
        id=use.id,
        name=use.name,
        input=input_of(use.input),
        result=result,
        uuid=record.uuid,
        timestamp=record.timestamp,
        duration_ms=None if seconds is None else round(seconds * 1_000, 3),
        measured=measured is not None,
        exit_code=find_exit_code(use.name, result, structured)
        if result is not None and structured is not None
        else None,
        is_error=result is not None and result.is_error,
        agent=agent,
        caller=caller,
    )
