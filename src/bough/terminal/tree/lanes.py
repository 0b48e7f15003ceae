"""Rows of the graph, as characters: what stands left of each, its sign and its words.

Which row stands in which lane is computed in `bough.model.graph.lanes`, for every face.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from msgspec import Struct

from bough.model.graph.lanes import Lane, LaneRow, place_in_lanes
from bough.terminal.style import Glyphs, Role, Span
from bough.terminal.text import one_line
from bough.terminal.tree.graph_items import (
    GraphAgent,
    GraphBranch,
    GraphCompaction,
    GraphFork,
    GraphItem,
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
    uuid: str | None = None
    """The record of a compaction, whose row shows no id."""
    bare: bool = False
    tip: bool = False


def build_graph_rows(
    branches: Sequence[GraphBranch], glyphs: Glyphs, *, reverse: bool = False
) -> list[GraphRow]:
    """Put branches into rows, oldest first, or newest first with the corners turned."""
    end, corner = (glyphs.start, glyphs.up) if reverse else (glyphs.end, glyphs.down)
    placed = place_in_lanes(branches, split=_list_side_branches, is_tip=_is_tip, most=_LANES)
    # Rows that follow each other share their lane.
    drawn: dict[int, _DrawnLane] = {}
    rows: list[GraphRow] = []
    for one in placed:
        lane = drawn.get(id(one.lane))
        if lane is None:
            lane = drawn[id(one.lane)] = _DrawnLane(one.lane, glyphs)
        rows.append(_build_row(one, lane, end if one.ends else glyphs.tee, corner))
    return rows[::-1] if reverse else rows


class _DrawnLane:
    """A lane as characters: what stands left of the sign, and how wide that is."""

    def __init__(self, lane: Lane, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.active = lane.active
        self.role = _choose_role(lane.active)
        bars = [
            (_choose_role(one.active), f"{glyphs.bar} " if one.goes_on else "  ")
            for one in lane.bars
        ]
        depth = [(Role.META, f"{glyphs.ellipsis}{lane.depth} ")] if lane.crowded else []
        self.lead: tuple[Span, ...] = (*bars, *depth)
        self.indent = sum(len(text) for _, text in self.lead)


def _choose_role(active: bool) -> Role:
    return Role.ACTIVE if active else Role.LEFT


def _list_side_branches(item: GraphItem) -> Sequence[GraphBranch] | None:
    return item.branches if isinstance(item, GraphSplit) else None


def _is_tip(item: GraphItem) -> bool:
    return isinstance(item, GraphTurn) and item.tip


def _build_row(row: LaneRow[GraphItem], lane: _DrawnLane, stem: str, corner: str) -> GraphRow:
    glyphs = lane.glyphs
    match row.item:
        case None | GraphSplit():
            return _build_corner(lane, stem, glyphs, corner)
        case GraphTurn():
            return _build_turn(row.item, lane, glyphs, on=row.on_path)
        case GraphMessage():
            return _build_message(row.item, lane, glyphs)
        case GraphAgent() | GraphFork():
            return _build_leaving(row.item, lane, stem + glyphs.dash, glyphs)
        case GraphCompaction():
            return _build_compaction(row.item, lane, glyphs)
        case _ as never:
            assert_never(never)


def _build_corner(lane: _DrawnLane, stem: str, glyphs: Glyphs, corner: str) -> GraphRow:
    return GraphRow(
        lead=(*lane.lead, (lane.role, stem)),
        indent=lane.indent,
        sign=glyphs.dash + corner,
        sign_role=Role.LEFT,
        bare=True,
    )


def _build_turn(turn: GraphTurn, lane: _DrawnLane, glyphs: Glyphs, *, on: bool) -> GraphRow:
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


def _build_message(message: GraphMessage, lane: _DrawnLane, glyphs: Glyphs) -> GraphRow:
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
    item: GraphAgent | GraphFork, lane: _DrawnLane, stem: str, glyphs: Glyphs
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


def _build_compaction(compaction: GraphCompaction, lane: _DrawnLane, glyphs: Glyphs) -> GraphRow:
    return GraphRow(
        lead=lane.lead,
        indent=lane.indent,
        sign=glyphs.compaction,
        sign_role=Role.COMPACTION,
        time=compaction.time,
        text=one_line(compaction.text),
        text_role=Role.COMPACTION,
        compaction=True,
        uuid=compaction.uuid,
    )
