"""What is told about a point of the tree: where it stands, how it ended, what can be done.

The turns before and after a point, along the branch that it was chosen on.
"""

from collections.abc import Container, Iterator
from typing import Final

from bough.library import find_neighbor_point, read_session
from bough.model.graph.turn_messages import find_last_answer
from bough.model.outline.branch_path import (
    explain_why_left,
    format_branch_length,
    list_own_turns,
)
from bough.model.outline.session_outline import Branch
from bough.model.outline.turns import FAILED, INTERRUPTED, OPEN, Turn
from bough.model.text.formats import format_plural
from bough.model.usage.costs import NO_USAGE
from bough.terminal.header import format_usage_cost
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import one_line, wrap
from bough.tui.keymap import Keymap, format_press
from bough.tui.tree.graph import Graph, GraphPoint
from bough.tui.widgets.list_items import ListItem, make_blank_item, make_line_item

_KEYS: Final = {
    "open": "Read this branch",
    "compare": "Compare with the active branch",
    "fork": "Fork a new session",
    "make-active": "Make this the active branch",
    "raw": "Raw records",
}
_ENDS: Final = {OPEN: "unfinished", INTERRUPTED: "interrupted", FAILED: "failed"}
_PROMPT, _ANSWER = 4, 6
_LABEL: Final = 6


def build_detail_items(
    point: GraphPoint, graph: Graph, keymap: Keymap, idle: Container[str] = ()
) -> list[ListItem]:
    """Tell about a point, and name the keys that do something there: all but `idle`."""
    one = point.turn
    pieces = [
        *_build_status_items(one, graph),
        _make_excerpt("prompt", one.label, Role.PROMPT, _PROMPT),
    ]
    facts = (
        graph.canvas.time(one.timestamp),
        format_plural(one.steps, "step"),
        format_plural(len(one.agents), "agent") if one.agents else "",
        format_usage_cost(one.cost),
        _ENDS.get(one.end, "finished"),
    )
    pieces += [
        make_line_item("facts", ", ".join(fact for fact in facts if fact)),
        make_blank_item("1"),
    ]
    answer = find_last_answer(one, graph.session)
    if answer:
        pieces += [
            _make_excerpt("answer", graph.canvas.excerpt(answer), Role.CLAUDE, _ANSWER),
            make_blank_item("2"),
        ]
    more = graph.canvas.glyphs.ellipsis
    for name, does in _KEYS.items():
        if name in idle:
            continue
        key = keymap.key(name)
        press = format_press(key.keys[0]) if key.keys else "-"
        opens = more if name in ("fork", "make-active") else ""
        pieces.append(make_line_item(f"k{name}", f"{press:<{_LABEL}} {does}{opens}"))
    return pieces


def _build_status_items(one: Turn, graph: Graph) -> Iterator[ListItem]:
    """Say whether it is active, and of a branch that was left, where and why."""
    glyphs = graph.canvas.glyphs
    branch, parent = graph.branch_of(one)
    if one.active:
        yield make_line_item("state", f"{glyphs.tip} Active tip", Role.ACTIVE)
    elif branch is None or branch.active:
        yield make_line_item("state", f"{glyphs.node} On the active branch", Role.ACTIVE)
    else:
        why, at = explain_why_left(branch)
        words = " ".join(filter(None, (why, graph.canvas.time(at) if at else "")))
        yield make_line_item("state", f"{glyphs.other} Left behind, {words}", Role.LEFT)
        if parent is not None:
            yield _make_excerpt("split", f'Split from "{one_line(parent.label)}"', Role.META, 2)
        yield make_line_item("branch", _summarize_branch(branch))


def _summarize_branch(branch: Branch) -> str:
    own = list_own_turns(branch)
    bill = sum((one.cost for one in own), NO_USAGE)
    facts = (
        format_branch_length(branch),
        format_plural(sum(one.steps for one in own), "step"),
        format_usage_cost(bill),
    )
    return ", ".join(fact for fact in facts if fact)


def _make_excerpt(key: str, text: str, role: Role, most: int) -> ListItem:
    """Make a piece of a text, of a long one its beginning."""

    def draw(columns: int) -> list[StyledLine]:
        return [((role, line),) for line in wrap(one_line(text), max(10, columns - 1))[:most]]

    return ListItem(key, draw, "talk", picked=False)


def read_neighbor_turn(path: str, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of the turn before or after that has an end; None where none has.

    Args:
        path: The session's file.
        branch: A record of the branch.
        here: A record of the turn to go from.
        by: 1 for what comes after, -1 for what came before.
    """
    return find_neighbor_point(read_session(path), branch, here, by)
