"""Tree: a session as a graph, to walk in, to read from, and to travel from."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from bough.backports import override
from bough.library import StreamEvent, read_session
from bough.model.graph.zoom import Zoom
from bough.model.outline.branch_path import describe_active_tip
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.header import describe_counts, describe_end
from bough.terminal.style import Role, Span, StyledLine
from bough.tui.conversation.view import ConversationContent
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.tree_actions import TreeActions
from bough.tui.tree.detail import build_detail_items
from bough.tui.tree.graph import Graph, GraphPoint
from bough.tui.widgets.list_items import ListItem, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

_WIDE: Final = 120
_SLOW: Final = 0.3
"""Who waits longer is told why."""
_MARKS: Final = 2
"""So many columns take the marks A and B, before the lanes."""


class TreeScreen(BaseScreen):
    """The graph of a session."""

    KEYS: ClassVar = ("down", "open", "fork", "compare", "zoom-in", "next-prompt", "help")
    WORDS: ClassVar = {
        "open": "read",
        "next-prompt": "next split",
        "previous-prompt": "previous split",
        "unfold": "into the branch",
        "fold": "to where the branch left",
        "tree": "back to the conversation",
        "pane": "detail",
    }

    def __init__(
        self,
        path: str,
        *,
        title: str = "",
        at: str | None = None,
        content: ConversationContent | None = None,
    ) -> None:
        super().__init__()
        self.path = path
        self.title_words = title
        self.graph: Graph | None = None
        self.actions = TreeActions(self)
        self.parts = (self.actions,)
        self.at = at
        self.zoom = Zoom.PROMPTS
        self._is_detail_open = False
        self._known_content = content
        """The conversation one comes from: its session need not be read again."""

    @property
    def point(self) -> GraphPoint | None:
        """Give what is under the cursor; an agent or a compaction belongs to what is above."""
        rows = self.query_one("#list", ListView)
        above = (
            rows.pieces[at].about for at in range(min(rows.cursor, len(rows.pieces) - 1), -1, -1)
        )
        return next((about for about in above if isinstance(about, GraphPoint)), None)

    @property
    def uuid(self) -> str | None:
        """Give the id of the record under the cursor, or of the nearest before it."""
        point, graph = self.point, self.graph
        if point is None or graph is None or point.uuid is not None:
            return point.uuid if point is not None else None
        at = graph.turns.index(point.turn)
        before = (one.uuid for one in reversed(graph.turns[:at]) if one.uuid)
        own = sorted(point.turn.uuids, key=graph.session.tree.number.__getitem__)
        return own[0] if own else next(before, None)

    @property
    def point_key(self) -> str | None:
        """Name what is under the cursor as a point of time travel."""
        return self.point.key if self.point is not None else None

    @override
    def body(self) -> ComposeResult:
        """Set the graph and the detail."""
        with Container(id="both"):
            yield ListView(id="list")
            yield ListView(id="detail", rail=False)

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the session."""
        return [self.title_words, "Tree"]

    @override
    def begin(self) -> None:
        """Read the session and draw it."""
        self._fit_detail(self.size.width)
        self.query_one("#list", ListView).focus()
        self._draw()
        self.set_timer(_SLOW, self._say_reading)

    def _say_reading(self) -> None:
        if self.graph is None:
            more = self.bough.glyphs.ellipsis
            self.query_one("#list", ListView).show(
                [make_line_item("reading", f"Reading the session{more}")]
            )

    def _draw(self) -> None:
        columns = self.query_one("#list", ListView).item_width - _MARKS
        self.run_in_thread(partial(self._build_graph, self.zoom, columns), self._show)

    def _make_canvas(self) -> Canvas:
        return Canvas(clock.now(), self.bough.glyphs, 80, self.bough.time_words, markdown=True)

    def _build_graph(self, zoom: Zoom, columns: int) -> Graph:
        """Read the session where it is not known yet, and put it into rows."""
        canvas = self._make_canvas()
        known = self._known_content
        graph = (
            Graph(read_session(self.path), canvas, zoom)
            if known is None
            else Graph(known.session, canvas, zoom, known.outline)
        )
        return graph.prepare_layout(columns)

    @override
    def receive_events(self, heard: Sequence[StreamEvent]) -> None:
        """Draw again when the session grew."""
        if any(event.path == self.path and not event.past for event in heard):
            self.catch_up()

    @override
    def catch_up(self) -> None:
        """Draw the session as it is now."""
        self._known_content = None
        self._draw()

    def _show(self, found: object) -> None:
        if not isinstance(found, Graph):
            return
        first = self.graph is None or self.graph.zoom is not found.zoom
        here = self.point
        self.graph = found
        self.title_words = found.session.title
        self.show_breadcrumbs()
        rows = self.query_one("#list", ListView)
        rows.show(self._build_items(found))
        if first:
            self._go_to(found, rows, here.key if here is not None else self.at)
        self._show_detail()
        self.show_footer_keys()

    def _go_to(self, graph: Graph, rows: ListView, at: str | None) -> None:
        """Stand on a message, else on its prompt or the nearest before it, else on the tip."""
        asked = graph.turns
        wanted = next((n for n, one in enumerate(asked) if at in one.uuids), None) if at else None
        if wanted is None:
            wanted = next((n for n, one in enumerate(asked) if one.active), 0)
        names = [at, *(one.key for one in reversed(asked[: wanted + 1]))]
        rows.go_to_end()
        for name in names:
            if name and rows.go_to_key(f"row/{name}", top=False):
                return

    def _build_items(self, graph: Graph) -> list[ListItem]:
        session, seen = graph.session, graph.outline
        # Its rows name days as seen from its end: which day that was, stands here.
        counts = describe_counts(len(session.tips), seen.turns, seen.cost)
        ended = describe_end(session.ended_at, self._make_canvas())
        facts = f"{', '.join(filter(None, (counts, ended)))}."
        items = [
            make_line_item("counts", facts),
            make_line_item("tip", f"{describe_active_tip(session, seen, graph.short)}."),
            make_blank_item("b"),
        ]
        if len(session.tips) == 1:
            items.insert(2, make_line_item("one", "You never went back in this session."))
        for number, (row, point) in enumerate(zip(graph.rows, graph.points, strict=True)):
            key = f"row/{point.key}" if point is not None else f"line/{number}"
            kind = "split" if row.bare else "turn" if point is not None else "aside"
            draw = partial(self._draw_row, number, point)
            items.append(ListItem(key, draw, kind, point or row.uuid, picked=not row.bare))
        return items

    def _draw_row(self, number: int, point: GraphPoint | None, columns: int) -> list[StyledLine]:
        graph = self.graph
        if graph is None or number >= len(graph.rows):
            return []
        marks = "".join(
            name
            for name, uuid in self.actions.marks.items()
            if point is not None and uuid == point.uuid
        )
        mark: Span = (Role.MATCH if marks else Role.META, f"{marks:<2}" if marks else "  ")
        return [(mark, *graph.render_row(number, columns - _MARKS))]

    def draw_marks(self) -> None:
        """Show the graph with the points that are marked."""
        if self.graph is not None:
            self.query_one("#list", ListView).show(self._build_items(self.graph))
            self._show_detail()
            self.show_footer_keys()

    @override
    def build_status_spans(self) -> list[Span]:
        """Say how near one looks."""
        if self.size.width < _WIDE:
            return [(Role.META, str(self.zoom))]
        spans: list[Span] = []
        for zoom in Zoom:
            chosen = zoom is self.zoom
            words = f"[{zoom}]" if chosen else f" {zoom} "
            spans.append((Role.ACTIVE if chosen else Role.META, words))
        return spans

    # -- detail -------------------------------------------------------------------------------

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Set the detail at the right, or below where the terminal is narrow."""
        if self.is_there:
            self._fit_detail(event.size.width)

    def _fit_detail(self, columns: int) -> None:
        wide = columns >= _WIDE
        self.query_one("#both").styles.layout = "horizontal" if wide else "vertical"
        detail = self.query_one("#detail")
        detail.set_class(not wide, "below")
        detail.display = wide or self._is_detail_open

    def do_pane(self) -> None:
        """Open or close the detail; where it is always seen, go to it."""
        if self.size.width < _WIDE:
            self._is_detail_open = not self._is_detail_open
            self._fit_detail(self.size.width)
            return
        detail, graph = self.query_one("#detail", ListView), self.query_one("#list", ListView)
        (graph if detail.has_focus else detail).focus()

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Tell about the point under the cursor."""
        event.stop()
        if event.list_view.id == "list":
            self._show_detail()
            self.show_footer_keys()

    def _show_detail(self) -> None:
        point, graph = self.point, self.graph
        if point is not None and graph is not None:
            idle = self.actions.list_idle_keys()
            items = build_detail_items(point, graph, self.bough.keymap, idle)
            self.query_one("#detail", ListView).show(items)

    # -- keys ---------------------------------------------------------------------------------

    @override
    def can_do(self, name: str) -> bool:
        """Tell whether a key does something at the point under the cursor."""
        return super().can_do(name) and name not in self.actions.list_idle_keys()

    def do_open(self) -> None:
        """Read the branch that goes through the point under the cursor."""
        from bough.tui.screens.conversation.screen import ConversationScreen, Target  # noqa: PLC0415

        picked = self.query_one("#list", ListView).picked
        about = picked.about if picked is not None else None
        uuid = about if isinstance(about, str) else self.uuid  # a compaction, by its record
        if uuid is not None:
            self.bough.open(
                ConversationScreen(self.path, title=self.title_words, tip=uuid, target=Target(uuid))
            )

    def do_tree(self) -> None:
        """Go back to the conversation one came from, else to the session's own."""
        from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

        below = self.bough.screen_stack[-2]
        if isinstance(below, ConversationScreen) and below.path == self.path:
            self.bough.back()
        else:
            self.bough.open(ConversationScreen(self.path, title=self.title_words), instead=True)

    def do_unfold(self) -> None:
        """Go into the branch that leaves here."""
        if self.graph is not None:
            self._go_to_row(self.graph.find_branch_into(self._row_number))

    def do_fold(self) -> None:
        """Go to where this branch left."""
        if self.graph is not None:
            self._go_to_row(self.graph.find_parent(self._row_number))

    @property
    def _row_number(self) -> int:
        """Give the number of the graph's row under the cursor; its head stands above it."""
        rows = self.query_one("#list", ListView)
        return rows.cursor - self._head_length

    @property
    def _head_length(self) -> int:
        rows, graph = self.query_one("#list", ListView), self.graph
        return len(rows.pieces) - (len(graph.rows) if graph is not None else 0)

    def _go_to_row(self, number: int | None) -> None:
        if number is not None:
            self.query_one("#list", ListView).go_to(number + self._head_length, top=False)

    def do_next_prompt(self) -> None:
        """Go to the next split."""
        self.query_one("#list", ListView).jump(("split",), 1)
        self.list_keys.do_down()

    def do_previous_prompt(self) -> None:
        """Go to the previous split."""
        self.query_one("#list", ListView).jump(("split",), -1)
        self.list_keys.do_up()

    def do_zoom_out(self) -> None:
        """Look from further away."""
        self._change_zoom(-1)

    def do_zoom_in(self) -> None:
        """Look nearer."""
        self._change_zoom(1)

    def _change_zoom(self, by: int) -> None:
        zoom = self.zoom.step_by(by)
        if zoom is not self.zoom:
            self.zoom = zoom
            self._draw()
            self.show_footer_keys()
