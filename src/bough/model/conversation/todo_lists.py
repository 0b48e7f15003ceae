"""What is to be done in a session, as the client keeps it in files of its own.

Clients up to 2.1.50 keep one list for a session and one for each of its agents, later ones a
file for each task. Both become the same list here. Values are those that a model wrote: any may
be missing, and what makes no sense is left out.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from bough.model.tools.call_summary import find_text

DONE: Final = "completed"
DOING: Final = "in_progress"


class TodoItem(Struct, frozen=True, gc=False):
    """One thing to do; `doing` is what is said while it is done, `blocked_by` names others."""

    text: str
    status: str
    doing: str = ""
    priority: str = ""
    id: str = ""
    about: str = ""
    blocked_by: tuple[str, ...] = ()


class TodoList(Struct, frozen=True, gc=False):
    """A list of things to do: the session's own, or that of an agent."""

    agent: str | None
    items: tuple[TodoItem, ...]


class TodoProgress(Struct, frozen=True, gc=False):
    """How much of a list is done, and what is being done now; empty where nothing is."""

    done: int
    total: int
    doing: str = ""

    @property
    def words(self) -> str:
        """Say it: 2 of 5 todos done, now: wiring the command line."""
        now = f", now: {self.doing}" if self.doing else ""
        return f"{self.done} of {self.total} todos done{now}"


def read_todo_items(listed: object) -> tuple[TodoItem, ...]:
    """Read the things to do of a list, whatever else is in it."""
    if not isinstance(listed, Sequence) or isinstance(listed, str | bytes):
        return ()
    found = (_read_item(one) for one in listed if isinstance(one, Mapping))
    return tuple(item for item in found if item.text)


def _read_item(given: Mapping[str, object]) -> TodoItem:
    blocked = given.get("blockedBy")
    return TodoItem(
        text=find_text(given, "content", "subject"),
        status=find_text(given, "status") or "pending",
        doing=find_text(given, "activeForm"),
        priority=find_text(given, "priority"),
        id=find_text(given, "id"),
        about=find_text(given, "description"),
        blocked_by=tuple(map(str, blocked)) if isinstance(blocked, list) else (),
    )


def count_todos(lists: Sequence[TodoList]) -> TodoProgress | None:
    """Count what is done of the session's own list; None where it has none."""
    return count_items([item for one in lists if one.agent is None for item in one.items])


def count_items(items: Sequence[TodoItem]) -> TodoProgress | None:
    """Count what is done of some things; None where there are none."""
    if not items:
        return None
    now = next((item for item in items if item.status == DOING), None)
    done = sum(item.status == DONE for item in items)
    return TodoProgress(done, len(items), (now.doing or now.text) if now is not None else "")
