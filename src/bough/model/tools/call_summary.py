"""What a tool call is about, in one line: a path, a command, a question.

The words come from the call's input, which the model wrote: any key may be missing and any
value of any type. Tools that nobody knows show the first text they were given.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bough.model.text import formats

LONGEST = 400
"""More than any line can show; a heredoc of a thousand lines is still only a command."""

_MCP = "mcp__"
_PATHS = frozenset({"file_path", "notebook_path", "path"})


def name_and_server(name: str) -> tuple[str, str]:
    """Give a tool's name as people know it, and the MCP server it belongs to, if any."""
    if not name.startswith(_MCP):
        return name, ""
    server, _, tool = name.removeprefix(_MCP).partition("__")
    return (tool, server) if tool else (name, "")


def about(name: str, given: Any, cwd: str | None = None) -> str:
    """Say what a call is about; paths below the working folder are told from there."""
    fields = given if isinstance(given, Mapping) else {}
    near = {key: _near(value, cwd) if key in _PATHS else value for key, value in fields.items()}
    words = _ABOUT[name](near) if name in _ABOUT else ""
    return one_line(words or _first_text(near or given))


def short_path(path: str, cwd: str | None) -> str:
    """Tell a path from the working folder on, where it lies below it."""
    folder = (cwd or "").rstrip("/\\")
    if folder and path.startswith(folder) and path[len(folder) :][:1] in ("/", "\\"):
        return path[len(folder) + 1 :] or path
    return path


def _near(path: object, cwd: str | None) -> object:
    if not isinstance(path, str):
        return path
    # The working folder itself is where everything happens: no word is needed for it.
    return "" if cwd and path.rstrip("/\\") == cwd else short_path(path, cwd)


def one_line(text: str) -> str:
    """Set what a call is about on one line; a row has more room than a title."""
    return formats.one_line(text, LONGEST)


def text_in(fields: Mapping[str, Any], *keys: str) -> str:
    """Give the first of some fields that holds words or a number."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}"
    return ""


def agent_words(fields: Mapping[str, Any]) -> str:
    """Name an agent as its row does: its type, then what it was sent for."""
    kind = text_in(fields, "subagent_type")
    task = text_in(fields, "description", "prompt", "name")
    return f"{kind}: {task}" if kind and task else kind or task


def _of(*keys: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda fields: text_in(fields, *keys)


def _always(words: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda _: words


def _numbered(fields: Mapping[str, Any]) -> str:
    number = text_in(fields, "taskId", "task_id", "id")
    return f"#{number}" if number else ""


def _task_update(fields: Mapping[str, Any]) -> str:
    status = text_in(fields, "status")
    words = _numbered(fields)
    return f"{words} → {status}" if words and status else words or status


def _todos(fields: Mapping[str, Any]) -> str:
    """Name what is being worked on, else the first thing to do."""
    items = fields.get("todos")
    todos = [todo for todo in items if isinstance(todo, Mapping)] if isinstance(items, list) else []
    current = [todo for todo in todos if todo.get("status") == "in_progress"]
    return next((text_in(todo, "content") for todo in (*current, *todos)), "")


def _question(fields: Mapping[str, Any]) -> str:
    questions = fields.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else None
    return text_in(first, "question") if isinstance(first, Mapping) else text_in(fields, "question")


def _grep(fields: Mapping[str, Any]) -> str:
    pattern, place = text_in(fields, "pattern"), text_in(fields, "glob", "path")
    return f"{pattern}  in {place}" if pattern and place else pattern


def _message(fields: Mapping[str, Any]) -> str:
    receiver = text_in(fields, "to", "recipient")
    words = text_in(fields, "summary", "message", "content")
    return f"{receiver}: {words}" if receiver and words else receiver or words


def _first_text(given: Any) -> str:
    """Show the first words or number among whatever a tool was given."""
    if isinstance(given, str):
        return given
    return text_in(given, *given) if isinstance(given, Mapping) else ""


_ABOUT: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "Agent": agent_words,
    "AskUserQuestion": _question,
    "Bash": _of("command", "description"),
    "BashOutput": _of("bash_id", "shell_id"),
    "Edit": _of("file_path"),
    "EnterPlanMode": _always("begins to plan"),
    "ExitPlanMode": _always("shows its plan"),
    "Glob": _of("pattern"),
    "Grep": _grep,
    "KillBash": _of("shell_id"),
    "KillShell": _of("shell_id"),
    "LS": _of("path"),
    "LSP": _of("operation"),
    "MultiEdit": _of("file_path"),
    "NotebookEdit": _of("notebook_path"),
    "NotebookRead": _of("notebook_path"),
    "PowerShell": _of("command", "description"),
    "Read": _of("file_path"),
    "SendMessage": _message,
    "Skill": _of("skill", "command"),
    "Task": agent_words,
    "TaskCreate": _of("subject", "description"),
    "TaskGet": _numbered,
    "TaskList": _always("all tasks"),
    "TaskOutput": _of("task_id"),
    "TaskStop": _of("task_id", "shell_id"),
    "TaskUpdate": _task_update,
    "TodoWrite": _todos,
    "ToolSearch": _of("query"),
    "WebFetch": _of("url"),
    "WebSearch": _of("query"),
    "Write": _of("file_path"),
    "exit_plan_mode": _always("shows its plan"),
    "web_fetch": _of("url"),
    "web_search": _of("query"),
}
