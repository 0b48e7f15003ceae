"""Branches put into rows: who stands in which lane, in which order.

The stem stands at the left. A way that left it is drawn to its end, one lane to the right,
before the stem goes on; so the lane is free again for the next. Work waits on a list, not
on the call stack: a session may nest as deep as it likes.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from msgspec import Struct

from bough.terminal.style import Glyphs, Role, Span
from bough.terminal.text import one_line
from bough.terminal.tree.graph_items import (
    GraphAgent,
    GraphBranch,
    GraphCompaction,
    GraphFork,
    GraphMessage,
    GraphSplit,
    GraphTurn,
)

_LANES: Final = 12  # deeper ones share the last, with their depth written in it


class GraphRow(Struct, frozen=True):
    """One line before it is set; `lead` is what stands left of the sign."""

    lead: tuple[Span, ...]
    indent: int
    sign: str
    sign_role: Role
    id: str = ""
    time: str = ""
    text: str = ""
    text_role: Role = Role.CLAUDE
    tail: str = ""
    tail_role: Role = Role.META
    steps: int | None = None
    cost: str = ""
    compaction: bool = False
    bare: bool = False
    tip: bool = False


class _Lane(Struct, frozen=True):
    """Where a branch is drawn: what stands left of it, its depth, whether Claude was told it."""

    lead: tuple[Span, ...] = ()
    depth: int = 0
    active: bool = False

    @property
    def role(self) -> Role:
        return Role.ACTIVE if self.active else Role.LEFT

    @property
    def indent(self) -> int:
        return sum(len(text) for _, text in self.lead)


class _SideBranch(Struct, frozen=True):
    """A branch that leaves the one it stands in."""

    branch: GraphBranch


class _PlacedItem(Struct, frozen=True):
    """An item in its lane; `ends` when nothing of the branch follows it."""

    item: (
        GraphTurn
        | GraphMessage
        | GraphAgent
        | GraphCompaction
        | GraphFork
        | GraphSplit
        | _SideBranch
        | GraphBranch
    )
    lane: _Lane
    ends: bool = False


def build_graph_rows(
    branches: Sequence[GraphBranch], glyphs: Glyphs, *, reverse: bool = False
) -> list[GraphRow]:
    """Put branches into rows, oldest first, or newest first with the corners turned."""
    end, corner = (glyphs.start, glyphs.up) if reverse else (glyphs.end, glyphs.down)
    rows: list[GraphRow] = []
    waiting = [_PlacedItem(branch, _Lane(active=branch.active)) for branch in reversed(branches)]
    past_tip = False
    while waiting:
        place = waiting.pop()
        stem = end if place.ends else glyphs.tee
        match place.item:
            case GraphBranch():
                waiting += reversed(list(_place_items(place.item, place.lane)))
            case GraphSplit():
                waiting += reversed(list(_place_branches(place.item, place.lane, ends=place.ends)))
            case _SideBranch():
                rows.append(_build_corner(place.lane, stem, glyphs, corner))
                lane = _open_lane(place.lane, glyphs, goes_on=not place.ends)
                waiting.append(_PlacedItem(place.item.branch, lane))
            case GraphTurn():
                on = place.lane.active and not past_tip
                rows.append(_build_turn(place.item, place.lane, glyphs, on=on))
                past_tip = past_tip or place.item.tip
            case GraphMessage():
                rows.append(_build_message(place.item, place.lane, glyphs))
            case GraphAgent() | GraphFork():
                rows.append(_build_leaving(place.item, place.lane, stem + glyphs.dash, glyphs))
            case GraphCompaction():
                rows.append(_build_compaction(place.item, place.lane, glyphs))
            case _ as never:
                assert_never(never)
    return rows[::-1] if reverse else rows


def _place_items(branch: GraphBranch, lane: _Lane) -> Iterator[_PlacedItem]:
    last = len(branch.items) - 1
    for at, item in enumerate(branch.items):
        yield _PlacedItem(item, lane, ends=at == last)


def _place_branches(split: GraphSplit, lane: _Lane, *, ends: bool) -> Iterator[_PlacedItem]:
    last = len(split.branches) - 1
    for at, path in enumerate(split.branches):
        yield _PlacedItem(_SideBranch(path), lane, ends=ends and at == last)


def _open_lane(lane: _Lane, glyphs: Glyphs, *, goes_on: bool) -> _Lane:
    """Open the lane to the right; the bar of the one it leaves stays while that goes on."""
    depth = lane.depth + 1
    if depth > _LANES:
        kept = lane.lead[: _LANES - 1]
        return _Lane((*kept, (Role.META, f"{glyphs.ellipsis}{depth} ")), depth)
    bar = f"{glyphs.bar} " if goes_on else "  "
    return _Lane((*lane.lead, (lane.role, bar)), depth)


def _build_corner(lane: _Lane, stem: str, glyphs: Glyphs, corner: str) -> GraphRow:
    return GraphRow(
        lead=(*lane.lead, (lane.role, stem)),
        indent=lane.indent,
        sign=glyphs.dash + corner,
        sign_role=Role.LEFT,
        bare=True,
    )


def _build_turn(turn: GraphTurn, lane: _Lane, glyphs: Glyphs, *, on: bool) -> GraphRow:
    sign = glyphs.bar if turn.continued else glyphs.node if on else glyphs.other
    spoken = Role.CLAUDE if on else Role.LEFT
    return GraphRow(
        lead=lane.lead,
        indent=lane.indent,
        sign=glyphs.tip if turn.tip else sign,
        sign_role=Role.ACTIVE if on else Role.LEFT,
        id=turn.id,
        time=turn.time,
        text=one_line(turn.text),
        text_role=Role.META if turn.continued else spoken,
        tail=f"{one_line(turn.note)} " if turn.note else "",
        tail_role=turn.note_role,
        steps=turn.steps,
        cost=turn.cost,
        tip=turn.tip,
    )


def _build_message(message: GraphMessage, lane: _Lane, glyphs: Glyphs) -> GraphRow:
    """Put a message in a row of its own, set in behind the prompt it belongs to."""
    spoken = Role.CLAUDE if lane.active else Role.LEFT
    return GraphRow(
        lead=lane.lead,
        indent=lane.indent,
        sign=glyphs.bar,
        sign_role=lane.role,
        id=message.id,
        time=message.time,
        text=f"  {one_line(message.text)}",
        text_role=Role.META if message.quiet else spoken,
    )


def _build_leaving(
    item: GraphAgent | GraphFork, lane: _Lane, stem: str, glyphs: Glyphs
) -> GraphRow:
    """Put what leaves the stem in one row."""
    lead = (*lane.lead, (lane.role, stem))
    text = one_line(item.text)
    if isinstance(item, GraphFork):
        tail = f"{item.time} " if item.time else ""
        return GraphRow(lead, lane.indent, glyphs.fork, Role.META, text=text, tail=tail)
    mark = {True: glyphs.ok, False: glyphs.failed, None: " "}[item.ok]
    note = one_line(item.note)
    return GraphRow(
        lead=lead,
        indent=lane.indent,
        sign=glyphs.agent,
        sign_role=Role.AGENT,
        text=text,
        text_role=Role.CLAUDE if lane.active else Role.LEFT,
        tail=f"{note} {mark}" if note else mark.strip(),
        tail_role={True: Role.ACTIVE, False: Role.ERROR, None: Role.META}[item.ok],
        steps=item.steps,
        cost=item.cost,
    )


def _build_compaction(compaction: GraphCompaction, lane: _Lane, glyphs: Glyphs) -> GraphRow:
    return GraphRow(
        lead=lane.lead,
        indent=lane.indent,
        sign=glyphs.compaction,
        sign_role=Role.COMPACTION,
        time=compaction.time,
        text=one_line(compaction.text),
        text_role=Role.COMPACTION,
        compaction=True,
    )
