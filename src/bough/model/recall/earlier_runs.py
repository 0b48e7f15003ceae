"""Earlier runs: where a command failed before, or an error was seen, and what was run next.

What was run next is the call after which the same did not come back within ten turns of the
same conversation. That is evidence and no cause: whoever reads it judges whether it helped.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from bough.model.conversation.conversation import Conversation
from bough.model.recall.signatures import find_error_line, make_signature
from bough.model.session import Session
from bough.model.tools.call_list import ToolCall
from bough.model.tools.calls import ToolBlock

SHELLS: Final = frozenset({"Bash", "PowerShell"})
_TURNS: Final = 10
_CONVERSATIONS: Final = 20


class EarlierRun(Struct, frozen=True):
    """One place where it happened: the call, how it ended, and the call that came next.

    `next` is None where nothing was run afterwards, or where it kept coming back.
    """

    uuid: str | None
    timestamp: str | None
    active: bool
    command: str
    failed: bool
    exit_code: int | None
    error: str
    next: str | None = None
    next_uuid: str | None = None
    next_failed: bool = False


class _Step(Struct, frozen=True):
    call: ToolCall
    turn: int


def find_earlier_runs(session: Session, signature: str, *, by_error: bool) -> list[EarlierRun]:
    """Find the calls of a session with a signature, oldest first, each once.

    Args:
        session: Where is looked.
        signature: That of a command, or of the line that names an error.
        by_error: Whether it is an error's: then only failed calls count.
    """
    calls = {call.id: call for call in session.calls()}
    found: dict[str, EarlierRun] = {}
    # The active conversation first: a call that several share is told as part of it.
    ordered = sorted(session.conversations, key=lambda one: not one.active)
    for conversation in ordered[:_CONVERSATIONS]:
        steps = list(_list_steps(conversation, calls))
        for number, step in enumerate(steps):
            if step.call.id not in found and _has_signature(step.call, signature, by_error):
                found[step.call.id] = _describe_run(
                    steps, number, signature, conversation.active, by_error=by_error
                )
    return sorted(found.values(), key=lambda run: run.timestamp or "")


def command_of(call: ToolCall) -> str:
    """Give the command of a shell call, else an empty text."""
    given = call.input.get("command") if isinstance(call.input, dict) else None
    return given if call.name in SHELLS and isinstance(given, str) else ""


def has_failed(call: ToolCall) -> bool:
    """Tell whether a call ended badly."""
    return call.is_error or bool(call.exit_code)


def _list_steps(conversation: Conversation, calls: Mapping[str, ToolCall]) -> Iterator[_Step]:
    for number, turn in enumerate(conversation.turns):
        for message in turn.messages:
            for block in message.blocks:
                if isinstance(block, ToolBlock) and block.id in calls:
                    yield _Step(calls[block.id], number)


def _has_signature(call: ToolCall, signature: str, by_error: bool) -> bool:
    if not by_error:
        command = command_of(call)
        return bool(command) and make_signature(command) == signature
    if not has_failed(call) or call.result is None:
        return False
    return make_signature(find_error_line(call.result.text)) == signature


def _describe_run(
    steps: Sequence[_Step], number: int, signature: str, active: bool, *, by_error: bool
) -> EarlierRun:
    call = steps[number].call
    after = _find_next(steps, number, signature, by_error) if has_failed(call) else None
    error = find_error_line(call.result.text) if call.result is not None else ""
    return EarlierRun(
        uuid=call.uuid,
        timestamp=call.timestamp,
        active=active,
        command=command_of(call) or call.name,
        failed=has_failed(call),
        exit_code=call.exit_code,
        error=error if has_failed(call) else "",
        next=describe_call(after) if after is not None else None,
        next_uuid=after.uuid if after is not None else None,
        next_failed=after is not None and has_failed(after),
    )


def _find_next(
    steps: Sequence[_Step], number: int, signature: str, by_error: bool
) -> ToolCall | None:
    """Find the first call behind which the same failure does not come back for ten turns."""
    for at in range(number + 1, len(steps)):
        step = steps[at]
        if has_failed(step.call) and _has_signature(step.call, signature, by_error):
            continue
        last = step.turn + _TURNS
        if not any(
            one.turn <= last
            and has_failed(one.call)
            and _has_signature(one.call, signature, by_error)
            for one in steps[at + 1 :]
        ):
            return step.call
    return None


def describe_call(call: ToolCall) -> str:
    """Write a call in a line: the command, or the tool and what it was given first."""
    command = command_of(call)
    if command:
        return command
    fields = call.input if isinstance(call.input, dict) else {}
    given = (fields.get(name) for name in ("file_path", "path", "pattern", "description"))
    first = next((value for value in given if isinstance(value, str)), "")
    return f"{call.name} {first}".rstrip()
