"""Things to do as rows: what is done has its sign, what is being done stands out."""

from collections.abc import Iterable

from bough.model.conversation.todo_lists import DOING, DONE, TodoItem, TodoList
from bough.terminal.canvas import Canvas
from bough.terminal.style import Glyphs, Role, StyledLine


def render_todo_lists(lists: Iterable[TodoList], canvas: Canvas, indent: int) -> list[StyledLine]:
    """Write what is to be done, one row each; those of agents behind their names."""
    lines: list[StyledLine] = []
    for one in lists:
        if one.agent is not None:
            words = f"{canvas.glyphs.agent} agent {one.agent}"
            lines.append(canvas.compose_line([(Role.AGENT, words)], indent=indent))
        lines += [
            canvas.compose_line([mark_todo(item, canvas.glyphs)], indent=indent)
            for item in one.items
        ]
    return lines


def mark_todo(item: TodoItem, glyphs: Glyphs) -> tuple[Role, str]:
    """Write one thing to do behind its sign, with its priority and what it waits for."""
    signs = {DONE: (Role.META, glyphs.ok), DOING: (Role.ACTIVE, glyphs.node)}
    role, sign = signs.get(item.status, (Role.CLAUDE, glyphs.other))
    notes = [f"{item.priority} priority" if item.priority else ""]
    notes.append(f"after {', '.join(item.blocked_by)}" if item.blocked_by else "")
    note = ", ".join(filter(None, notes))
    return role, f"{sign} {item.text}{f' ({note})' if note else ''}"
