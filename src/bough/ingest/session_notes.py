"""What the client keeps of a session in other folders: things to do, and plans.

    todos/<session>-agent-<agent>.json    a list, up to 2.1.50; the session's own names itself
    tasks/<session>/<number>.json         one thing to do a file, later
    plans/<words>.md                      the text of a plan, named in the records

All of them lie beside `projects/`. As with other sidecars, one that is missing, damaged or not
ours to read says nothing, and fails nobody.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Raw

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, require_source
from bough.files.directory import list_entries
from bough.ingest.sidecars import read_small_file
from bough.model.conversation.plan_files import PlanFile
from bough.model.conversation.todo_lists import TodoItem, TodoList, read_todo_items
from bough.records.decode import decode_plain

_MOST_FILES: Final = 500
_LONGEST_PLAN: Final = 1024 * 1024
_PLAN_NAME: Final = re.compile(r"[\w][\w.-]*")
_AGENT: Final = "-agent-"


def claude_dir_of(session: Path) -> Path:
    """Name the Claude folder of a session's file: `projects/<project>/<file>`."""
    return session.parent.parent.parent


def read_todo_lists(session: Path, sources: SourceFinder) -> list[TodoList]:
    """Read what is to be done in a session: its own list, then those of its agents."""
    folder, name = claude_dir_of(session) / "todos", session.stem
    found = [TodoList(None, read_own_todos(session, sources))]
    start = f"{name}{_AGENT}"
    for entry in _list_names(folder, sources):
        agent = entry.removeprefix(start).removesuffix(".json")
        if entry == f"{start}{agent}.json" and agent != name:
            items = read_todo_items(_read_json(folder / entry, sources))
            found.append(TodoList(agent, items))
    return [one for one in found if one.items]


def read_own_todos(session: Path, sources: SourceFinder) -> tuple[TodoItem, ...]:
    """Read what is to be done in a session, without what its agents have to do."""
    claude_dir, name = claude_dir_of(session), session.stem
    listed = _read_json(claude_dir / "todos" / f"{name}{_AGENT}{name}.json", sources)
    tasks = read_todo_items(_read_tasks(claude_dir / "tasks" / name, sources))
    return tasks or read_todo_items(listed)


def read_plan_files(session: Path, names: Iterable[str], sources: SourceFinder) -> list[PlanFile]:
    """Read the plans that a session's records name, as far as their files are there."""
    folder = claude_dir_of(session) / "plans"
    found = []
    for name in sorted(set(names)):
        if _PLAN_NAME.fullmatch(name) is None:
            continue
        path = folder / f"{name}.md"
        try:
            data = require_source(sources, path).at(0, _LONGEST_PLAN)
        except Unreadable:
            continue
        text = data.decode("utf-8", "replace")
        if text.strip():
            found.append(PlanFile(name, str(path), text))
    return found


def _read_tasks(folder: Path, sources: SourceFinder) -> list[object]:
    numbers = (entry for entry in _list_names(folder, sources) if entry.endswith(".json"))
    chosen = sorted(numbers, key=_order)[:_MOST_FILES]
    return [_read_json(folder / entry, sources) for entry in chosen]


def _order(name: str) -> tuple[int, str]:
    """Order tasks by their numbers."""
    stem = name.removesuffix(".json")
    return (int(stem) if stem.isascii() and stem.isdigit() else _MOST_FILES, stem)


def _list_names(folder: Path, sources: SourceFinder) -> list[str]:
    return list(list_entries(str(folder), [], sources.list_kept(str(folder))))


def _read_json(path: Path, sources: SourceFinder) -> object:
    data = read_small_file(path, sources)
    return decode_plain(Raw(data)) if data else None
