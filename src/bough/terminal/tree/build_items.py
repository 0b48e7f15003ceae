"""A session's overview as the graph takes it: texts, times and costs, ready to be drawn."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from bough.model.conversation.branch_path import left_at, left_because, seam_text
from bough.model.conversation.exchanges import FAILED, INTERRUPTED, OPEN, Exchange
from bough.model.conversation.outline import Branch, Overview, Parting, Seam
from bough.model.text.times import moment_of
from bough.query.lists.related import ForkedOff
from bough.terminal.canvas import Sheet
from bough.terminal.header import SHORT, money
from bough.terminal.style import Role
from bough.terminal.tree import graph_items as drawn

WORKS_FOR: Final = timedelta(minutes=10)
"""How long after its last line a turn without an end is taken to be still at work."""


Item = drawn.Turn | drawn.Agent | drawn.Seam | drawn.Fork | drawn.Split


def drawn_branches(
    seen: Overview,
    sheet: Sheet,
    short: int,
    forks: Sequence[ForkedOff] = (),
    *,
    working: bool = False,
) -> list[drawn.Branch]:
    """Turn an overview into branches for the graph."""
    done: dict[int, drawn.Branch] = {}
    order: list[Branch] = list(seen.branches)
    for branch in order:  # grows while it is gone through
        for item in branch.items:
            if isinstance(item, Parting):
                order.extend(item.branches)
    first = {id(branch) for branch in seen.branches}
    for branch in reversed(order):
        left = id(branch) not in first
        items = [one for item in branch.items for one in _items(item, sheet, short, forks, done)]
        done[id(branch)] = drawn.Branch(
            tuple(_noted(items, branch, sheet, left=left, working=working)), active=branch.active
        )
    return [done[id(branch)] for branch in seen.branches]


def _items(
    item: Exchange | Seam | Parting,
    sheet: Sheet,
    short: int,
    forks: Sequence[ForkedOff],
    done: Mapping[int, drawn.Branch],
) -> list[Item]:
    match item:
        case Seam():
            arrow = sheet.styles.glyphs.arrow
            return [drawn.Seam(sheet.time(item.timestamp), seam_text(item, arrow))]
        case Parting():
            return [drawn.Split(tuple(done[id(branch)] for branch in item.branches))]
        case Exchange():
            turn = drawn.Turn(
                id=(item.uuid or "")[:short],
                time=sheet.time(item.timestamp),
                text=item.text or f"({item.kind})",
                note={FAILED: FAILED, INTERRUPTED: INTERRUPTED}.get(item.end, ""),
                note_role=Role.ERROR if item.end == FAILED else Role.META,
                steps=item.steps or None,
                cost=money(item.bill),
                tip=item.active,
            )
            agents = [
                drawn.Agent(a.text, a.ok, steps=a.steps, cost=money(a.bill)) for a in item.agents
            ]
            leaving = [_fork(fork, sheet) for fork in forks if fork.at in item.uuids]
            return [turn, *agents, *leaving]


def _fork(fork: ForkedOff, sheet: Sheet) -> drawn.Fork:
    text = f"forked to {fork.session[:SHORT]}, {fork.title}"
    return drawn.Fork(text, sheet.time(fork.timestamp) if fork.timestamp else "")


def _noted(
    items: list[Item], branch: Branch, sheet: Sheet, *, left: bool, working: bool
) -> list[Item]:
    """Say at the last turn of a branch why it was left, or that it still runs."""
    last = next((at for at in range(len(items) - 1, -1, -1) if _is_turn(items[at])), None)
    own = [item for item in branch.items if isinstance(item, Exchange)]
    if last is None or not own:
        return items
    turn = items[last]
    if not isinstance(turn, drawn.Turn):
        return items
    note, role = turn.note, turn.note_role
    if left and not branch.active:
        why = left_because(branch)
        note = f"{why} {sheet.time(left_at(branch))}" if why == "rewound" else why
    elif own[-1].end == OPEN:
        note, role = ("working", Role.ACTIVE) if working else ("unfinished", Role.META)
    items[last] = drawn.Turn(
        turn.id, turn.time, turn.text, note, role, turn.steps, turn.cost, turn.tip
    )
    return items


def _is_turn(item: Item) -> bool:
    return isinstance(item, drawn.Turn)


def is_working(ended_at: str | None, sheet: Sheet) -> bool:
    """Tell whether something was written so lately that a client is likely at work."""
    moment = moment_of(ended_at)
    return moment is not None and abs(sheet.now - moment) <= WORKS_FOR
