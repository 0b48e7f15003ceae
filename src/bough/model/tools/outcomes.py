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

from bough.model.text.line_diff import patch_size, text_change
from bough.model.tools.call_summary import one_line
from bough.model.tools.calls import Result, ToolBlock
from bough.model.tools.structured_results import Told


class State(StrEnum):
    """Where a call stands; open while there is no result."""

    OK = "ok"
    FAILED = "failed"
    REFUSED = "refused"
    BLOCKED = "blocked"
    STOPPED = "stopped"
    OPEN = "open"


class Outcome(Struct, frozen=True, gc=False):
    """How a call ended.

    `reason` says in one line why it did not end well. `added` and `removed` are lines of a
    file, `span` the first and the last line that were read.
    """

    state: State = State.OK
    text: str = ""
    reason: str = ""
    added: int | None = None
    removed: int | None = None
    span: tuple[int, int] | None = None


class _Call(Struct, frozen=True, gc=False):
    """A call that went well: what was given, what came back, what the client says of it."""

    given: dict[str, Any]
    result: Result
    told: Told


_EXIT = re.compile(r"(?:Error: )?Exit code (-?\d{1,10})\b[ \t]*\n?")
_STOPPED = "[Request interrupted by user"
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action right now)"
    r"|User rejected|\[Request interrupted by user for tool use\]"
)
_SAID = re.compile(r"the user said:\s*(.+)", re.DOTALL)
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
_TELLING = re.compile(
    r"\b(?:error|fail(?:ed|ure|s)?|fatal|panic|exception|denied|cannot|not found|no such)\b",
    re.IGNORECASE,
)
BACKGROUND = "in the background"
_LOOK = 2_000
"""How much of a text is looked at to learn what it is."""


def outcome_of(block: ToolBlock, told: Told) -> Outcome:
    """Say how a call ended, also by what the client told of its result."""
    result = block.result
    if result is None:
        return Outcome(State.OPEN)
    if result.is_error:
        return _bad_end(result.text, told)
    if told.interrupted:
        return Outcome(State.STOPPED, "stopped by you")
    given = block.input if isinstance(block.input, dict) else {}
    maker = _GOOD_ENDS.get(block.name)
    return maker(_Call(given, result, told)) if maker is not None else Outcome()


def counted(number: int, thing: str, many: str = "") -> str:
    """Write a count and what is counted."""
    return f"{number:,} {thing if number == 1 else many or thing + 's'}"


def _bad_end(text: str, told: Told) -> Outcome:
    """Say why a call did not do what it was asked to."""
    text = text.lstrip()
    if (prevented := _prevented(text[:_LOOK])) is not None:
        return prevented
    exited = _EXIT.match(text)
    if exited is None:
        return Outcome(State.FAILED, "failed", _reason(_TAG.sub("", text)))
    output = text[exited.end() :]
    if output.startswith(_STOPPED) or told.interrupted:
        return Outcome(State.STOPPED, "stopped by you")
    return Outcome(State.FAILED, f"exit {exited[1]}", _reason(output))


def _prevented(opening: str) -> Outcome | None:
    """Tell what kept a tool from running at all; None where it ran."""
    if _REFUSED.match(opening):
        said = _SAID.search(opening)
        return Outcome(State.REFUSED, "refused by you", one_line(said[1]) if said else "")
    if _HOOK.match(opening):
        words = _HOOK_WORDS.search(opening)
        return Outcome(State.BLOCKED, "blocked by hook", one_line(words[1] if words else opening))
    if _NOT_PERMITTED.match(opening):
        return Outcome(State.REFUSED, "not permitted", one_line(opening))
    if _CANCELLED.match(opening):
        return Outcome(State.STOPPED, "cancelled")
    return None


def _reason(output: str) -> str:
    """Find the line of an output that most likely says what went wrong."""
    lines = [line for line in output.splitlines() if line.strip()]
    telling = next((line for line in lines if _TELLING.search(line)), None)
    return one_line(telling or next(iter(lines), ""))


def _changed(sizes: list[tuple[int, int]]) -> Outcome:
    added, removed = sum(a for a, _ in sizes), sum(r for _, r in sizes)
    text = f"+{added:,} \N{MINUS SIGN}{removed:,}"
    return Outcome(text=text, added=added, removed=removed)


def _lines(call: _Call) -> Outcome:
    text = call.result.text.strip("\n")
    count = text.count("\n") + 1 if text.strip() else 0
    return Outcome(text=counted(count, "line") if count > 1 else "")


def _shell(call: _Call) -> Outcome:
    if call.told.background_task_id:
        return Outcome(text=BACKGROUND)
    if call.told.return_code_interpretation:
        return Outcome(text=one_line(call.told.return_code_interpretation))
    return _lines(call) if call.result.persisted is None else Outcome()


def _read(call: _Call) -> Outcome:
    told = call.told
    if told.type == "file_unchanged":
        return Outcome(text="unchanged")
    if call.result.images or told.type in ("image", "pdf"):
        return Outcome(text="PDF" if told.type == "pdf" else "image")
    if told.file is not None and told.file.num_lines:
        first = told.file.start_line or 1
        return Outcome(span=(first, first + told.file.num_lines - 1))
    lines = call.result.text.split("\n")
    top = next(filter(None, map(_NUMBERED.match, lines)), None)
    end = next(filter(None, map(_NUMBERED.match, reversed(lines))), None)
    return Outcome(span=(int(top[1]), int(end[1])) if top and end else None)


def _edit(call: _Call) -> Outcome:
    if call.told.structured_patch:
        return _changed([patch_size(hunk.lines) for hunk in call.told.structured_patch])
    edits = call.given.get("edits")
    pieces = edits if isinstance(edits, list) else [call.given]
    return _changed(
        [
            text_change(str(piece.get("old_string", "")), str(piece.get("new_string", "")))
            for piece in pieces
            if isinstance(piece, dict)
        ]
    )


def _write(call: _Call) -> Outcome:
    if call.told.structured_patch:
        return _changed([patch_size(hunk.lines) for hunk in call.told.structured_patch])
    lines = len(str(call.given.get("content", "")).splitlines())
    if call.told.type == "create":
        return Outcome(text=f"+{lines:,}", added=lines, removed=0)
    return Outcome(text=counted(lines, "line"))


def _grep(call: _Call) -> Outcome:
    told = call.told
    mode = told.mode or call.given.get("output_mode") or "files_with_matches"
    if mode == "content":
        return Outcome(text=counted(told.num_lines, "line")) if told.num_lines else _lines(call)
    if mode == "count" and told.num_matches is not None:
        return Outcome(text=counted(told.num_matches, "match", "matches"))
    return _found(call) if mode == "files_with_matches" else _lines(call)


def _found(call: _Call) -> Outcome:
    more = " or more" if call.told.truncated else ""
    if call.told.num_files is not None:
        return Outcome(text=counted(call.told.num_files, "file") + more)
    lines = [line for line in call.result.text.splitlines() if line.strip()]
    if not lines or _NOTHING_FOUND.match(lines[0]):
        return Outcome(text="nothing found")
    said = _FOUND.match(lines[0])
    return Outcome(text=counted(int(said[1]) if said else len(lines), "file"))


def _todos(call: _Call) -> Outcome:
    listed = call.told.new_todos or call.given.get("todos")
    todos = [t for t in listed if isinstance(t, dict)] if isinstance(listed, list) else []
    done = sum(todo.get("status") == "completed" for todo in todos)
    return Outcome(text=f"{done} of {len(todos)} done" if todos else "")


def _fetch(call: _Call) -> Outcome:
    code = call.told.code
    if code is not None and code >= 400:
        return Outcome(State.FAILED, f"{code} {call.told.code_text or ''}".strip())
    return _lines(call)


def _search(call: _Call) -> Outcome:
    answers = [one for one in call.told.results or () if isinstance(one, dict)]
    lists = [one["content"] for one in answers if isinstance(one.get("content"), list)]
    pages = sum(map(len, lists))
    return Outcome(text=counted(pages, "result") if pages else "")


def _answers(call: _Call) -> Outcome:
    answers = (call.told.answers or {}).values()
    return Outcome(text=one_line(", ".join(str(one) for one in answers if isinstance(one, str))))


def _plan(_: _Call) -> Outcome:
    return Outcome(text="approved by you")


def _tools(call: _Call) -> Outcome:
    found = call.told.matches
    return Outcome(text=counted(len(found), "tool") if found is not None else "")


def _agent(call: _Call) -> Outcome:
    if call.told.is_async or call.told.status == "async_launched":
        return Outcome(text=BACKGROUND)
    steps = call.told.total_tool_use_count
    return Outcome(text=counted(steps, "step") if steps is not None else "")


_GOOD_ENDS: dict[str, Callable[[_Call], Outcome]] = {
    "Agent": _agent,
    "AskUserQuestion": _answers,
    "Bash": _shell,
    "BashOutput": _lines,
    "Edit": _edit,
    "ExitPlanMode": _plan,
    "Glob": _found,
    "Grep": _grep,
    "LS": _lines,
    "MultiEdit": _edit,
    "PowerShell": _shell,
    "Read": _read,
    "Task": _agent,
    "TaskOutput": _lines,
    "TodoWrite": _todos,
    "ToolSearch": _tools,
    "WebFetch": _fetch,
    "WebSearch": _search,
    "Write": _write,
    "exit_plan_mode": _plan,
}
