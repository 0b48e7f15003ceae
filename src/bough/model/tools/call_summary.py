"""What a tool call is about, in one line: a path, a command, a question.

The words come from the call's input, which the model wrote: any key may be missing and any
value of any type. Tools that nobody knows show the first text they were given.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from bough.model.text import formats

LONGEST = 400
"""More than any line can show; a heredoc of a thousand lines is still only a command."""

_MCP = "mcp__"
_PATHS = frozenset({"file_path", "notebook_path", "path"})
_FILE_TOOLS = frozenset({"Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "NotebookRead"})
_FOLDER_CHANGE = re.compile(r"""\s*cd\s+(?:"([^"]+)"|'([^']+)'|([^\s;&|]+))\s*&&\s*(?=\S)""")
_DRIVE = re.compile(r"[A-Za-z]:[/\\]?")


def split_tool_name(name: str) -> tuple[str, str]:
    """Give a tool's name as people know it, and the MCP server it belongs to, if any."""
    if not name.startswith(_MCP):
        return name, ""
    server, _, tool = name.removeprefix(_MCP).partition("__")
    return (tool, server) if tool else (name, "")


def summarize_call(name: str, given: Any, cwd: str | None = None) -> str:
    """Say what a call is about; paths below the working folder are told from there."""
    fields = given if isinstance(given, Mapping) else {}
    near = {
        key: _shorten_field(value, cwd) if key in _PATHS else value for key, value in fields.items()
    }
    if name == "Bash" and cwd and isinstance(command := near.get("command"), str):
        near["command"] = _drop_folder_change(command, cwd)
    words = _SUMMARIZERS[name](near) if name in _SUMMARIZERS else ""
    return to_summary_line(words or _find_first_text(near or given))


def name_call(name: str, given: Any, cwd: str | None = None) -> str:
    """Name a call as its row does: the tool, then what it is about."""
    tool, server = split_tool_name(name)
    label = f"{server}: {tool}" if server else tool
    return f"{label} {summarize_call(name, given, cwd)}".strip()


def shorten_path(path: str, cwd: str | None) -> str:
    """Tell a path from the working folder on, where it lies below it."""
    folder = (cwd or "").rstrip("/\\")
    is_below = _fold_case(path, folder).startswith(_fold_case(folder, folder))
    if folder and is_below and path[len(folder) :][:1] in ("/", "\\"):
        return path[len(folder) + 1 :] or path
    return path


def _fold_case(path: str, folder: str) -> str:
    """Write a path of Windows in one of its spellings: case and slashes do not matter there."""
    return path.replace("/", "\\").lower() if _DRIVE.match(folder) else path


def split_path(tool: str, summary: str) -> tuple[str, str]:
    """Part what a call is about into the folder and the file, where it is a path; else ("", all).

    Where there is little room, the folder is cut and the file stays.
    """
    if tool not in _FILE_TOOLS:
        return "", summary
    at = max(summary.rfind("/"), summary.rfind("\\")) + 1
    return (summary[:at], summary[at:]) if 0 < at < len(summary) else ("", summary)


def _drop_folder_change(command: str, cwd: str) -> str:
    """Leave out that a command first goes to the folder it is in: it says nothing, at length."""
    change = _FOLDER_CHANGE.match(command)
    if change is None:
        return command
    folder = (change[1] or change[2] or change[3]).rstrip("/\\")
    if folder == cwd.rstrip("/\\"):
        return command[change.end() :]
    near = shorten_path(folder, cwd)
    return command if near == folder else f"cd {near} && {command[change.end() :]}"


def _shorten_field(path: object, cwd: str | None) -> object:
    if not isinstance(path, str):
        return path
    # The working folder itself is where everything happens: no word is needed for it.
    return "" if cwd and path.rstrip("/\\") == cwd else shorten_path(path, cwd)


def to_summary_line(text: str) -> str:
    """Set what a call is about on one line; a row has more room than a title."""
    return formats.to_one_line(text, LONGEST)


def find_text(fields: Mapping[str, Any], *keys: str) -> str:
    """Give the first of some fields that holds words or a number."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}"
    return ""


def label_agent(fields: Mapping[str, Any]) -> str:
    """Name an agent as its row does: its type, then what it was sent for."""
    kind = find_text(fields, "subagent_type")
    task = find_text(fields, "description", "prompt", "name")
    return f"{kind}: {task}" if kind and task else kind or task


def _read_fields(*keys: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda fields: find_text(fields, *keys)


def _fixed_text(words: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda _: words


def _summarize_task(fields: Mapping[str, Any]) -> str:
    number = find_text(fields, "taskId", "task_id", "id")
    return f"#{number}" if number else ""


def _summarize_task_update(fields: Mapping[str, Any]) -> str:
    status = find_text(fields, "status")
    words = _summarize_task(fields)
    return f"{words} → {status}" if words and status else words or status


def _summarize_todos(fields: Mapping[str, Any]) -> str:
    """Name what is being worked on, else the first thing to do."""
    items = fields.get("todos")
    todos = [todo for todo in items if isinstance(todo, Mapping)] if isinstance(items, list) else []
    current = [todo for todo in todos if todo.get("status") == "in_progress"]
    return next((find_text(todo, "content") for todo in (*current, *todos)), "")


def _summarize_question(fields: Mapping[str, Any]) -> str:
    questions = fields.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return (
        find_text(first, "question")
        if isinstance(first, Mapping)
        else find_text(fields, "question")
    )


def _summarize_grep(fields: Mapping[str, Any]) -> str:
    pattern, place = find_text(fields, "pattern"), find_text(fields, "glob", "path")
    return f"{pattern}  in {place}" if pattern and place else pattern


def _summarize_message(fields: Mapping[str, Any]) -> str:
    receiver = find_text(fields, "to", "recipient")
    words = find_text(fields, "summary", "message", "content")
    return f"{receiver}: {words}" if receiver and words else receiver or words


def _find_first_text(given: Any) -> str:
    """Show the first words or number among whatever a tool was given."""
    if isinstance(given, str):
        return given
    return find_text(given, *given) if isinstance(given, Mapping) else ""


_SUMMARIZERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "Agent": label_agent,
    "AskUserQuestion": _summarize_question,
    "Bash": _read_fields("command", "description"),
    "BashOutput": _read_fields("bash_id", "shell_id"),
    "Edit": _read_fields("file_path"),
    "EnterPlanMode": _fixed_text("begins to plan"),
    "ExitPlanMode": _fixed_text("shows its plan"),
    "Glob": _read_fields("pattern"),
    "Grep": _summarize_grep,
    "KillBash": _read_fields("shell_id"),
    "KillShell": _read_fields("shell_id"),
    "LS": _read_fields("path"),
    "LSP": _read_fields("operation"),
    "MultiEdit": _read_fields("file_path"),
    "NotebookEdit": _read_fields("notebook_path"),
    "NotebookRead": _read_fields("notebook_path"),
    "PowerShell": _read_fields("command", "description"),
    "Read": _read_fields("file_path"),
    "SendMessage": _summarize_message,
    "Skill": _read_fields("skill", "command"),
    "Task": label_agent,
    "TaskCreate": _read_fields("subject", "description"),
    "TaskGet": _summarize_task,
    "TaskList": _fixed_text("all tasks"),
    "TaskOutput": _read_fields("task_id"),
    "TaskStop": _read_fields("task_id", "shell_id"),
    "TaskUpdate": _summarize_task_update,
    "TodoWrite": _summarize_todos,
    "ToolSearch": _read_fields("query"),
    "WebFetch": _read_fields("url"),
    "WebSearch": _read_fields("query"),
    "Write": _read_fields("file_path"),
    "exit_plan_mode": _fixed_text("shows its plan"),
    "web_fetch": _read_fields("url"),
    "web_search": _read_fields("query"),
}
