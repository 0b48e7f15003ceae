"""How a tool call ended, in a word or two: exit 1, 220 lines, refused by you.

The text of a result is what always is there. The client's structured copy tells more where
it is, with keys of its own for each tool (docs/format.md, toolUseResult). What neither says
is left out: no outcome is guessed.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from msgspec import Struct

from bough.model.text.line_diff import count_changed_lines, count_patch_lines
from bough.model.text.terminal_codes import strip_terminal_codes
from bough.model.tools.call_summary import to_summary_line
from bough.model.tools.calls import CallResult, ToolBlock
from bough.model.tools.structured_results import StructuredResult, read_structured_result


class CallState(StrEnum):
    """Where a call stands; open while there is no result."""

    OK = "ok"
    FAILED = "failed"
    REFUSED = "refused"
    BLOCKED = "blocked"
    STOPPED = "stopped"
    OPEN = "open"


class CallOutcome(Struct, frozen=True, gc=False):
    """How a call ended.

    `reason` says in one line why it did not end well. `added` and `removed` are lines of a
    file, `span` the first and the last line that were read.
    """

    state: CallState = CallState.OK
    text: str = ""
    reason: str = ""
    added: int | None = None
    removed: int | None = None
    span: tuple[int, int] | None = None


class _EndedCall(Struct, frozen=True, gc=False):
    """A call that went well: what was given, what came back, what the client says of it."""

    given: dict[str, Any]
    result: CallResult
    structured: StructuredResult


_EXIT = re.compile(r"(?:Error: )?Exit code (-?\d{1,10})\b[ \t]*\n?")
_STOPPED = "[Request interrupted by user"
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action right now)"
    r"|User rejected|\[Request interrupted by user for tool use\]"
)
_REFUSAL_WORDS = re.compile(r"the user said:\s*(.+)", re.DOTALL)
_NOT_PERMITTED = re.compile(
    r"Claude requested permissions? .{0,400}haven't granted|Permission (?:for|to) .{0,400}denied",
    re.DOTALL,
)
_HOOK = re.compile(r"\w+:[\w-]* hook (?:error|blocked)|\w+ operation blocked by hook")
_HOOK_WORDS = re.compile(r"\]: *(.+)", re.DOTALL)
_CANCELLED = re.compile(r"(?:<tool_use_error>)?(?:Cancelled: parallel|Sibling) tool call")
_TAG = re.compile(r"</?tool_use_error>")
_NUMBERED = re.compile(r"[ \t]*(\d{1,9})(?:→|\t)")
_FOUND = re.compile(r"Found (\d{1,9}) files?")
_NOTHING_FOUND = re.compile(r"No (?:files|matches|results) found")
_ERROR_WORD = re.compile(
    r"\b(?:error|fail(?:ed|ure|s)?|fatal|panic|exception|denied|cannot|not found|no such)\b",
    re.IGNORECASE,
)
_SHELLS = frozenset({"Bash", "PowerShell"})
BACKGROUND = "in the background"
_LOOK = 2_000
"""How much of a text is looked at to learn what it is."""


def strip_error_tags(text: str) -> str:
    """Take off the tags in which the client wraps what it says of a call that it refused."""
    return _TAG.sub("", text)


def outcome_of(block: ToolBlock, structured: StructuredResult) -> CallOutcome:
    """Say how a call ended, also by what the client told of its result."""
    result = block.result
    if result is None:
        return CallOutcome(CallState.OPEN)
    if result.is_error:
        return _outcome_of_error(result.text, structured)
    if structured.interrupted:
        return CallOutcome(CallState.STOPPED, "stopped by you")
    given = block.input if isinstance(block.input, dict) else {}
    maker = _OUTCOME_BY_TOOL.get(block.name)
    return maker(_EndedCall(given, result, structured)) if maker is not None else CallOutcome()


def find_exit_code(tool: str, result: CallResult, structured: StructuredResult) -> int | None:
    """Find the exit code of a shell; None where nothing tells it."""
    if tool not in _SHELLS:
        return None
    if result.is_error:
        exited = _EXIT.match(result.text.lstrip())
        return int(exited[1]) if exited is not None else None
    # Only a command that ended with 0 has neither an error nor a word about its code.
    unclear = (
        structured.interrupted
        or structured.background_task_id
        or structured.return_code_interpretation
    )
    return None if unclear else 0


def exit_code_of(block: ToolBlock) -> int | None:
    """Give the exit code of a shell command; None where the client did not keep it."""
    if block.result is None:
        return None
    return find_exit_code(block.name, block.result, read_structured_result(block.result))


def format_counted(number: int, thing: str, many: str = "") -> str:
    """Write a count and what is counted."""
    return f"{number:,} {thing if number == 1 else many or thing + 's'}"


def _outcome_of_error(text: str, structured: StructuredResult) -> CallOutcome:
    """Say why a call did not do what it was asked to."""
    text = text.lstrip()
    if (prevented := _outcome_if_prevented(text[:_LOOK])) is not None:
        return prevented
    exited = _EXIT.match(text)
    if exited is None:
        return CallOutcome(CallState.FAILED, "failed", _find_reason(strip_error_tags(text)))
    output = text[exited.end() :]
    if output.startswith(_STOPPED) or structured.interrupted:
        return CallOutcome(CallState.STOPPED, "stopped by you")
    return CallOutcome(CallState.FAILED, f"exit {exited[1]}", _find_reason(output))


def _outcome_if_prevented(opening: str) -> CallOutcome | None:
    """Tell what kept a tool from running at all; None where it ran."""
    if _REFUSED.match(opening):
        said = _REFUSAL_WORDS.search(opening)
        return CallOutcome(
            CallState.REFUSED, "refused by you", to_summary_line(said[1]) if said else ""
        )
    if _HOOK.match(opening):
        words = _HOOK_WORDS.search(opening)
        return CallOutcome(
            CallState.BLOCKED, "blocked by hook", to_summary_line(words[1] if words else opening)
        )
    if _NOT_PERMITTED.match(opening):
        return CallOutcome(CallState.REFUSED, "not permitted", to_summary_line(opening))
    if _CANCELLED.match(opening):
        return CallOutcome(CallState.STOPPED, "cancelled")
    return None


def _find_reason(output: str) -> str:
    """Find the line of an output that most likely says what went wrong."""
    lines = [line for line in strip_terminal_codes(output).splitlines() if line.strip()]
    error = next((line for line in lines if _ERROR_WORD.search(line)), None)
    return to_summary_line(error or next(iter(lines), ""))


def _outcome_of_changes(sizes: list[tuple[int, int]]) -> CallOutcome:
    added, removed = sum(a for a, _ in sizes), sum(r for _, r in sizes)
    text = f"+{added:,} \N{MINUS SIGN}{removed:,}"
    return CallOutcome(text=text, added=added, removed=removed)


def _outcome_of_lines(call: _EndedCall) -> CallOutcome:
    text = call.result.text.strip("\n")
    count = text.count("\n") + 1 if text.strip() else 0
    return CallOutcome(text=format_counted(count, "line") if count > 1 else "")


def _outcome_of_shell(call: _EndedCall) -> CallOutcome:
    if call.structured.background_task_id:
        return CallOutcome(text=BACKGROUND)
    if call.structured.return_code_interpretation:
        return CallOutcome(text=to_summary_line(call.structured.return_code_interpretation))
    return _outcome_of_lines(call) if call.result.persisted is None else CallOutcome()


def _outcome_of_read(call: _EndedCall) -> CallOutcome:
    structured = call.structured
    if structured.type == "file_unchanged":
        return CallOutcome(text="unchanged")
    if call.result.images or structured.type in ("image", "pdf"):
        return CallOutcome(text="PDF" if structured.type == "pdf" else "image")
    if structured.file is not None and structured.file.num_lines:
        first = structured.file.start_line or 1
        return CallOutcome(span=(first, first + structured.file.num_lines - 1))
    lines = call.result.text.split("\n")
    top = next(filter(None, map(_NUMBERED.match, lines)), None)
    end = next(filter(None, map(_NUMBERED.match, reversed(lines))), None)
    return CallOutcome(span=(int(top[1]), int(end[1])) if top and end else None)


def _outcome_of_edit(call: _EndedCall) -> CallOutcome:
    if call.structured.structured_patch:
        return _outcome_of_changes(
            [count_patch_lines(hunk.lines) for hunk in call.structured.structured_patch]
        )
    edits = call.given.get("edits")
    pieces = edits if isinstance(edits, list) else [call.given]
    return _outcome_of_changes(
        [
            count_changed_lines(str(piece.get("old_string", "")), str(piece.get("new_string", "")))
            for piece in pieces
            if isinstance(piece, dict)
        ]
    )


def _outcome_of_write(call: _EndedCall) -> CallOutcome:
    if call.structured.structured_patch:
        return _outcome_of_changes(
            [count_patch_lines(hunk.lines) for hunk in call.structured.structured_patch]
        )
    lines = len(str(call.given.get("content", "")).splitlines())
    if call.structured.type == "create":
        return CallOutcome(text=f"+{lines:,}", added=lines, removed=0)
    return CallOutcome(text=format_counted(lines, "line"))


def _outcome_of_grep(call: _EndedCall) -> CallOutcome:
    structured = call.structured
    mode = structured.mode or call.given.get("output_mode") or "files_with_matches"
    if mode == "content":
        return (
            CallOutcome(text=format_counted(structured.num_lines, "line"))
            if structured.num_lines
            else _outcome_of_lines(call)
        )
    if mode == "count" and structured.num_matches is not None:
        return CallOutcome(text=format_counted(structured.num_matches, "match", "matches"))
    return (
        _outcome_of_file_search(call) if mode == "files_with_matches" else _outcome_of_lines(call)
    )


def _outcome_of_file_search(call: _EndedCall) -> CallOutcome:
    more = " or more" if call.structured.truncated else ""
    if call.structured.num_files is not None:
        return CallOutcome(text=format_counted(call.structured.num_files, "file") + more)
    lines = [line for line in call.result.text.splitlines() if line.strip()]
    if not lines or _NOTHING_FOUND.match(lines[0]):
        return CallOutcome(text="nothing found")
    said = _FOUND.match(lines[0])
    return CallOutcome(text=format_counted(int(said[1]) if said else len(lines), "file"))


def _outcome_of_todos(call: _EndedCall) -> CallOutcome:
    listed = call.structured.new_todos or call.given.get("todos")
    todos = [t for t in listed if isinstance(t, dict)] if isinstance(listed, list) else []
    done = sum(todo.get("status") == "completed" for todo in todos)
    return CallOutcome(text=f"{done} of {len(todos)} done" if todos else "")


def _outcome_of_fetch(call: _EndedCall) -> CallOutcome:
    code = call.structured.code
    if code is not None and code >= 400:
        return CallOutcome(CallState.FAILED, f"{code} {call.structured.code_text or ''}".strip())
    return _outcome_of_lines(call)


def _outcome_of_web_search(call: _EndedCall) -> CallOutcome:
    answers = [one for one in call.structured.results or () if isinstance(one, dict)]
    lists = [one["content"] for one in answers if isinstance(one.get("content"), list)]
    pages = sum(map(len, lists))
    return CallOutcome(text=format_counted(pages, "result") if pages else "")


def _outcome_of_questions(call: _EndedCall) -> CallOutcome:
    answers = (call.structured.answers or {}).values()
    return CallOutcome(
        text=to_summary_line(", ".join(str(one) for one in answers if isinstance(one, str)))
    )


def _outcome_of_plan(_: _EndedCall) -> CallOutcome:
    return CallOutcome(text="approved by you")


def _outcome_of_tool_search(call: _EndedCall) -> CallOutcome:
    found = call.structured.matches
    return CallOutcome(text=format_counted(len(found), "tool") if found is not None else "")


def _outcome_of_agent(call: _EndedCall) -> CallOutcome:
    if call.structured.is_async or call.structured.status == "async_launched":
        return CallOutcome(text=BACKGROUND)
    steps = call.structured.total_tool_use_count
    return CallOutcome(text=format_counted(steps, "step") if steps is not None else "")


_OUTCOME_BY_TOOL: dict[str, Callable[[_EndedCall], CallOutcome]] = {
    "Agent": _outcome_of_agent,
    "AskUserQuestion": _outcome_of_questions,
    "Bash": _outcome_of_shell,
    "BashOutput": _outcome_of_lines,
    "Edit": _outcome_of_edit,
    "ExitPlanMode": _outcome_of_plan,
    "Glob": _outcome_of_file_search,
    "Grep": _outcome_of_grep,
    "LS": _outcome_of_lines,
    "MultiEdit": _outcome_of_edit,
    "PowerShell": _outcome_of_shell,
    "Read": _outcome_of_read,
    "Task": _outcome_of_agent,
    "TaskOutput": _outcome_of_lines,
    "TodoWrite": _outcome_of_todos,
    "ToolSearch": _outcome_of_tool_search,
    "WebFetch": _outcome_of_fetch,
    "WebSearch": _outcome_of_web_search,
    "Write": _outcome_of_write,
    "exit_plan_mode": _outcome_of_plan,
}
