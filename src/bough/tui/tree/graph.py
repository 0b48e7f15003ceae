"""The graph of a session as the tree shows it: computed in a thread, drawn row by row.

Three distances: its shape (splits, tips and seams, with what lies between only counted),
every prompt, every message.
"""

from enum import StrEnum
from functools import cached_property
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from bough.library import Session
from bough.model.conversation.branch_path import exchanges_of
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Overview, Parting, overview
from bough.model.text.times import moment_of
from bough.query.lists.related import forks_of
from bough.tui.style.style import (
    DrawnBranch,
    DrawnItem,
    DrawnMessage,
    DrawnSplit,
    DrawnTurn,
    GraphRow,
    Layout,
    Line,
    Sheet,
    draw_row,
    drawn_branches,
    graph_rows,
    is_working,
    layout_of,
    short_length,
    spans_of,
)
from bough.tui.tree.zoom import messages_of, shaped


class Zoom(StrEnum):
    """How near one looks."""

    SHAPE = "Shape"
    PROMPTS = "Prompts"
    MESSAGES = "Every message"

    def nearer(self, by: int) -> "Zoom":
        """Give the next one, nearer or further away."""
        order = list(Zoom)
        return order[max(0, min(order.index(self) + by, len(order) - 1))]


class Point(Struct, frozen=True):
    """A row that one can stand on: what was asked, and the very record."""

    exchange: Exchange
    uuid: str | None


class Graph:
    """A session's graph, its rows and what each stands for."""

    def __init__(
        self,
        session: Session,
        sheet: Sheet,
        zoom: Zoom = Zoom.PROMPTS,
        seen: Overview | None = None,
    ) -> None:
        self.session = session
        self.zoom = zoom
        self.seen = overview(session) if seen is None else seen
        self.asked = [e for branch in self.seen.branches for e in exchanges_of(branch.items)]
        shown = [e.uuids for e in self.asked] if zoom is Zoom.MESSAGES else []
        named = {e.uuid for e in self.asked if e.uuid}.union(*shown)
        self.short = short_length(named, session.tree.number)
        ended = moment_of(session.ended_at)
        self.sheet = sheet if ended is None else replace(sheet, now=ended)
        working = is_working(session.ended_at, sheet)
        branches = drawn_branches(
            self.seen, self.sheet, self.short, forks_of(session), working=working
        )
        self._by_short = {(e.uuid or "")[: self.short]: e for e in self.asked if e.uuid}
        if zoom is Zoom.SHAPE:
            branches = [shaped(branch) for branch in branches]
        elif zoom is Zoom.MESSAGES:
            branches = self._with_messages(branches)
        self.rows: list[GraphRow] = graph_rows(branches, sheet.styles.glyphs)
        self.points = self._points()
        self._layouts: dict[int, Layout] = {}

    def branch_of(self, one: Exchange) -> tuple[Branch | None, Exchange | None]:
        """Give the branch that an exchange is on, and what it was split from."""
        return self._standing.get(one.uuid or "", (None, None))

    @cached_property
    def _standing(self) -> dict[str, tuple[Branch, Exchange | None]]:
        found: dict[str, tuple[Branch, Exchange | None]] = {}
        waiting: list[tuple[Branch, Exchange | None]] = [(b, None) for b in self.seen.branches]
        while waiting:
            branch, parent = waiting.pop()
            last = parent
            for item in branch.items:
                if isinstance(item, Exchange):
                    found[item.uuid or ""] = (branch, parent)
                    last = item
                elif isinstance(item, Parting):
                    waiting += [(leaving, last) for leaving in item.branches]
        return found

    def line(self, number: int, columns: int) -> Line:
        """Draw one row in some columns."""
        if columns not in self._layouts:
            self._layouts = {columns: layout_of(self.rows, columns)}
        return spans_of(draw_row(self.rows[number], self._layouts[columns], self.sheet.styles))

    def ready(self, columns: int) -> "Graph":
        """Find the widths of the columns beforehand, and give the graph back."""
        self._layouts = {columns: layout_of(self.rows, columns)}
        return self

    def _points(self) -> list[Point | None]:
        """Tell what each row stands for; None for one that only draws."""
        inner = {
            uuid[: self.short]: Point(exchange, uuid)
            for exchange in self.asked
            if self.zoom is Zoom.MESSAGES
            for uuid in exchange.uuids
        }
        outer = {name: Point(one, one.uuid) for name, one in self._by_short.items()}
        known = inner | outer
        return [known.get(row.id) if row.id else None for row in self.rows]

    def _with_messages(self, branches: list[DrawnBranch]) -> list[DrawnBranch]:
        """Put the messages of each turn behind it, in all branches, however deep."""
        done: dict[int, DrawnBranch] = {}
        order = list(branches)
        for branch in order:  # grows while it is gone through
            for item in branch.items:
                if isinstance(item, DrawnSplit):
                    order.extend(item.ways)
        for branch in reversed(order):
            items = chain.from_iterable(self._told(item, done) for item in branch.items)
            done[id(branch)] = DrawnBranch(tuple(items), branch.active)
        return [done[id(branch)] for branch in branches]

    def _told(self, item: DrawnItem, done: dict[int, DrawnBranch]) -> list[DrawnItem]:
        if isinstance(item, DrawnSplit):
            return [DrawnSplit(tuple(done[id(way)] for way in item.ways))]
        one = self._by_short.get(item.id) if isinstance(item, DrawnTurn) else None
        if one is None:
            return [item]
        inner: list[DrawnMessage] = messages_of(one, self.session, self.sheet, self.short)
        return [item, *inner]
