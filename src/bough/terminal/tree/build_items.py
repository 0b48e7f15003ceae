"""A session's overview as the graph takes it: texts, times and costs, ready to be drawn."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from msgspec.structs import replace

from bough.model.graph.session_graph import UNFINISHED, WORKING, find_branch_note
from bough.model.outline.branch_path import describe_compaction
from bough.model.outline.day_lines import format_by_day
from bough.model.outline.session_outline import Branch, BranchOff, Compaction, SessionOutline
from bough.model.outline.turns import CONTINUED, FAILED, INTERRUPTED, Turn
from bough.model.text.times import parse_moment
from bough.query.lists.related import SessionFork
from bough.terminal.canvas import Canvas
from bough.terminal.header import SHORT, format_usage_cost
from bough.terminal.style import Role
from bough.terminal.tree import graph_items as drawn

WORKS_FOR: Final = timedelta(minutes=10)
"""How long after its last line a turn without an end is taken to be still at work."""


def build_branches(
    seen: SessionOutline,
    canvas: Canvas,
    short: int,
    forks: Sequence[SessionFork] = (),
    *,
    working: bool = False,
) -> list[drawn.GraphBranch]:
    """Turn an overview into branches for the graph."""
    done: dict[int, drawn.GraphBranch] = {}
    order: list[Branch] = list(seen.branches)
    for branch in order:  # grows while it is gone through
        for item in branch.items:
            if isinstance(item, BranchOff):
                order.extend(item.branches)
    first = {id(branch) for branch in seen.branches}
    for branch in reversed(order):
        left = id(branch) not in first
        dated = [item for item in branch.items if not isinstance(item, BranchOff)]
        written = format_by_day((i.timestamp for i in dated), canvas.now, None, canvas.words)
        times = dict(zip(map(id, dated), written, strict=True))
        items = [
            one
            for item in branch.items
            for one in _build_items(item, times.get(id(item), ""), canvas, short, forks, done)
        ]
        done[id(branch)] = drawn.GraphBranch(
            tuple(_note_last_turn(items, branch, canvas, left=left, working=working)),
            active=branch.active,
        )
    return [done[id(branch)] for branch in seen.branches]


def _build_items(
    item: Turn | Compaction | BranchOff,
    time: str,
    canvas: Canvas,
    short: int,
    forks: Sequence[SessionFork],
    done: Mapping[int, drawn.GraphBranch],
) -> list[drawn.GraphItem]:
    match item:
        case Compaction():
            arrow = canvas.glyphs.arrow
            return [drawn.GraphCompaction(time, describe_compaction(item, arrow), item.uuid)]
        case BranchOff():
            return [drawn.GraphSplit(tuple(done[id(branch)] for branch in item.branches))]
        case Turn():
            turn = drawn.GraphTurn(
                id=item.uuid[:short] if item.uuid else item.key,
                time=time,
                text=item.label,
                note={FAILED: FAILED, INTERRUPTED: INTERRUPTED}.get(item.end, ""),
                note_role=Role.ERROR if item.end == FAILED else Role.META,
                steps=item.steps or None,
                cost=format_usage_cost(item.cost),
                tip=item.active,
                continued=item.kind == CONTINUED,
            )
            agents = [
                drawn.GraphAgent(a.text, a.ok, steps=a.steps, cost=format_usage_cost(a.cost))
                for a in item.agents
            ]
            leaving = [_build_fork(fork, canvas) for fork in forks if fork.at in item.uuids]
            return [turn, *agents, *leaving]


def _build_fork(fork: SessionFork, canvas: Canvas) -> drawn.GraphFork:
    text = f"forked to {fork.session[:SHORT]}, {fork.title}"
    return drawn.GraphFork(text, canvas.time(fork.timestamp) if fork.timestamp else "")


def _note_last_turn(
    items: list[drawn.GraphItem], branch: Branch, canvas: Canvas, *, left: bool, working: bool
) -> list[drawn.GraphItem]:
    """Say at the last turn of a branch why it was left, or that it still runs."""
    last = next((at for at in range(len(items) - 1, -1, -1) if _is_turn(items[at])), None)
    own = [item for item in branch.items if isinstance(item, Turn)]
    if last is None or not own:
        return items
    turn = items[last]
    if not isinstance(turn, drawn.GraphTurn):
        return items
    note, role = turn.note, turn.note_role
    found = find_branch_note(branch, left=left, working=working)
    if found.word or (left and not branch.active):
        note = f"{found.word} {canvas.time(found.at)}" if found.at else found.word
        role = {WORKING: Role.ACTIVE, UNFINISHED: Role.META}.get(found.word, role)
    items[last] = replace(turn, note=note, note_role=role)
    return items


def _is_turn(item: drawn.GraphItem) -> bool:
    return isinstance(item, drawn.GraphTurn)


def is_working(ended_at: str | None, canvas: Canvas) -> bool:
    """Tell whether something was written so lately that a client is likely at work."""
    moment = parse_moment(ended_at)
    return moment is not None and abs(canvas.now - moment) <= WORKS_FOR
