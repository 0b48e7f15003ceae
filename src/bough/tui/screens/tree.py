"""Tree: a session as a graph, to walk in, to read from, and to travel from."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from bough.library import Session
from bough.model.elapsed import moment_of
from bough.model.exchanges import FAILED, INTERRUPTED, OPEN, Exchange
from bough.model.overview import Overview, overview
from bough.model.route import exchanges_of
from bough.query.events import Event
from bough.query.forks import forks_of
from bough.tui.looks import (
    Line,
    Role,
    Sheet,
    Span,
    counts,
    draw_graph,
    drawn_branches,
    graph_rows,
    is_working,
    money,
    now,
    one_line,
    plural,
    short_length,
    spans_of,
    spans_styles,
    time_words,
    tip_sentence,
    wrap,
)
from bough.tui.overriding import override
from bough.tui.pieces import Piece, blank, say
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.shape import shaped
from bough.tui.source import open_whole
from bough.tui.telling import chosen

_WIDE: Final = 120


class Graph:
    """A session's graph, read and computed away from the screen."""

    def __init__(self, session: Session, sheet: Sheet, *, shape: bool = False) -> None:
        self.session = session
        self.seen: Overview = overview(session)
        self.asked = [e for branch in self.seen.branches for e in exchanges_of(branch.items)]
        self.short = short_length([e.uuid for e in self.asked if e.uuid], session.tree.number)
        ended = moment_of(session.ended_at)
        aside = sheet if ended is None else replace(sheet, now=ended)
        working = is_working(session.ended_at, sheet)
        self.branches = drawn_branches(
            self.seen, aside, self.short, forks_of(session), working=working
        )
        if shape:
            self.branches = [shaped(branch) for branch in self.branches]
        self.rows = graph_rows(self.branches, sheet.styles.glyphs)
        self.by_short = {(e.uuid or "")[: self.short]: e for e in self.asked if e.uuid}
        self.sheet = aside
        self._drawn: dict[int, tuple[str, ...]] = {}

    def line(self, number: int, columns: int) -> list[Line]:
        """Give one line of the drawing."""
        if columns not in self._drawn:
            self._drawn = {columns: draw_graph(self.branches, self.sheet.styles, columns).lines}
        return [spans_of(self._drawn[columns][number])]


class Tree(Place):
    """The graph of a session."""

    KEYS: ClassVar = ("down", "open", "fork", "compare", "next-prompt", "help")

    def __init__(self, path: str, *, title: str = "", at: str | None = None) -> None:
        super().__init__()
        self.path = path
        self.title_words = title
        self.at = at
        self.graph: Graph | None = None
        self.marks: dict[str, str] = {}
        self._sheet_open = False
        self.shape = False

    @override
    def body(self) -> ComposeResult:
        """Set the graph and the detail."""
        with Container(id="both"):
            yield Reel(id="list")
            yield Reel(id="detail", rail=False)

    @override
    def where(self) -> list[str]:
        """Name the session."""
        return [self.title_words, "Tree"]

    @override
    def begin(self) -> None:
        """Read the session and draw it."""
        self._fit(self.size.width)
        self.query_one("#list", Reel).focus()
        sheet = Sheet(now(), spans_styles(self.bough.glyphs), 80, time_words())
        shape = self.shape
        self.ask(lambda: Graph(open_whole(self.path), sheet, shape=shape), self._show)

    def hear(self, heard: Sequence[Event]) -> None:
        """Draw again when the session grew."""
        if any(event.path == self.path and not event.past for event in heard):
            self.begin()

    def _show(self, found: object) -> None:
        if not isinstance(found, Graph):
            return
        first = self.graph is None
        self.graph = found
        self.title_words = found.session.title
        self.say_where()
        reel = self.query_one("#list", Reel)
        reel.show(self._pieces(found))
        if first:
            self._go_to(found, reel)
        self._detail()

    def _go_to(self, graph: Graph, reel: Reel) -> None:
        """Stand on the message that was asked for, else on the active tip."""
        wanted = next((e for e in graph.asked if self.at in e.uuids), None) if self.at else None
        wanted = wanted or next((e for e in graph.asked if e.active), None)
        if wanted is not None:
            reel.to_end()
            reel.to_key(f"row/{(wanted.uuid or '')[: graph.short]}", top=False)

    def _pieces(self, graph: Graph) -> list[Piece]:
        session, seen = graph.session, graph.seen
        facts = f"{counts(len(session.tips), seen.exchanges, seen.bill)}."
        pieces = [
            say("counts", facts),
            say("tip", f"{tip_sentence(session, seen, graph.short)}."),
            blank("b"),
        ]
        if len(session.tips) == 1:
            pieces.insert(2, say("one", "You never went back in this session."))
        for number, row in enumerate(graph.rows):
            about = graph.by_short.get(row.id) if row.id else None
            key = f"row/{row.id}" if about is not None else f"line/{number}"
            kind = "split" if row.bare else "turn" if about is not None else "aside"
            draw = partial(self._line, number, row.id)
            pieces.append(Piece(key, draw, kind, about, picked=not row.bare))
        return pieces

    def _line(self, number: int, short: str, columns: int) -> list[Line]:
        graph = self.graph
        if graph is None:
            return []
        marks = "".join(
            name for name, uuid in self.marks.items() if short and uuid.startswith(short)
        )
        lines = graph.line(number, columns - 2)
        mark: Span = (Role.MATCH if marks else Role.META, f"{marks:<2}" if marks else "  ")
        return [(mark, *line) for line in lines]

    # -- detail -------------------------------------------------------------------------------

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Set the detail at the right, or below where the terminal is narrow."""
        self._fit(event.size.width)

    def _fit(self, columns: int) -> None:
        wide = columns >= _WIDE
        self.query_one("#both").styles.layout = "horizontal" if wide else "vertical"
        detail = self.query_one("#detail")
        detail.set_class(not wide, "below")
        detail.display = wide or self._sheet_open

    def do_pane(self) -> None:
        """Open or close the sheet; where it is always seen, go to it."""
        if self.size.width < _WIDE:
            self._sheet_open = not self._sheet_open
            self._fit(self.size.width)
            return
        detail, graph = self.query_one("#detail", Reel), self.query_one("#list", Reel)
        (graph if detail.has_focus else detail).focus()

    @override
    def on_reel_moved(self, event: Reel.Moved) -> None:
        """Tell about the point under the cursor."""
        event.stop()
        if event.reel.id == "list":
            self._detail()

    def _detail(self) -> None:
        one, graph = self.exchange, self.graph
        pieces: list[Piece] = []
        if one is not None and graph is not None:
            role = Role.ACTIVE if one.active else Role.PROMPT
            words = [line for text in wrap(one_line(one.text), 42) for line in [text]][:4]
            pieces += [say(f"w{n}", line, role) for n, line in enumerate(words)]
            ended = {OPEN: "unfinished", INTERRUPTED: "interrupted", FAILED: "failed"}.get(
                one.end, "finished"
            )
            facts = [
                graph.sheet.time(one.timestamp),
                plural(one.steps, "step"),
                money(one.bill),
                ended,
            ]
            pieces.append(say("facts", ", ".join(fact for fact in facts if fact)))
            pieces.append(
                say("agents", plural(len(one.agents), "agent")) if one.agents else blank("n")
            )
            for name in ("open", "compare", "fork", "make-active", "raw"):
                key = self.bough.keymap.key(name)
                pieces.append(say(f"k{name}", f"{key.keys[0] if key.keys else '-':<6} {key.does}"))
        self.query_one("#detail", Reel).show(pieces)

    # -- keys ---------------------------------------------------------------------------------

    @property
    def exchange(self) -> Exchange | None:
        """Give the exchange under the cursor; an agent or a seam belongs to the one above."""
        reel = self.query_one("#list", Reel)
        above = (
            reel.pieces[at].about for at in range(min(reel.cursor, len(reel.pieces) - 1), -1, -1)
        )
        return next((about for about in above if isinstance(about, Exchange)), None)

    def do_open(self) -> None:
        """Read the branch that goes through the point under the cursor."""
        from bough.tui.screens.conversation import Conversation, Target  # noqa: PLC0415

        if self.exchange is not None and self.exchange.uuid is not None:
            uuid = self.exchange.uuid
            self.bough.open(
                Conversation(self.path, title=self.title_words, tip=uuid, target=Target(uuid))
            )

    def do_unfold(self) -> None:
        """Go into the branch that leaves here."""
        self.query_one("#list", Reel).jump(("split",), 1)
        self.do_down()

    def do_fold(self) -> None:
        """Go to where this branch left."""
        self.query_one("#list", Reel).jump(("split",), -1)
        self.do_up()

    def do_next_prompt(self) -> None:
        """Go to the next split."""
        self.do_unfold()

    def do_previous_prompt(self) -> None:
        """Go to the previous split."""
        self.do_fold()

    def do_zoom_out(self) -> None:
        """Show only splits, tips and seams."""
        self.shape = True
        self.begin()

    def do_zoom_in(self) -> None:
        """Show every prompt."""
        self.shape = False
        self.begin()

    def do_mark_a(self) -> None:
        """Mark A."""
        self._mark("A")

    def do_mark_b(self) -> None:
        """Mark B."""
        self._mark("B")

    def _mark(self, name: str) -> None:
        if self.exchange is not None and self.exchange.uuid is not None and self.graph is not None:
            self.marks[name] = self.exchange.uuid
            self.query_one("#list", Reel).show(self._pieces(self.graph))

    def do_compare(self) -> None:
        """Compare A with B, else the point under the cursor with the active branch."""
        from bough.tui.screens.compare import Compare  # noqa: PLC0415

        graph = self.graph
        if graph is None:
            return
        session = graph.session
        here = self.exchange.uuid if self.exchange is not None else None
        a = self.marks.get("A") or session.active_tip
        b = self.marks.get("B") or (chosen(session, here).tip if here is not None else None)
        if a is not None and b is not None and a != b:
            self.bough.open(Compare(session, a, b))
        else:
            self.bough.tell("This is on the active branch. Mark A and B, or go to another branch.")

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.preview import fork_preview  # noqa: PLC0415

        if self.exchange is not None and self.exchange.uuid is not None:
            self.bough.open(fork_preview(self.path, self.exchange.uuid))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.preview import goto_preview  # noqa: PLC0415

        if self.exchange is not None and self.exchange.uuid is not None:
            self.bough.open(goto_preview(self.path, self.exchange.uuid))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.preview import rename_preview  # noqa: PLC0415

        self.bough.open(rename_preview(self.path, self.title_words))

    def do_raw(self) -> None:
        """Show the records behind the point."""
        from bough.tui.screens.raw import Raw  # noqa: PLC0415

        if self.graph is not None and self.exchange is not None:
            self.bough.open(Raw(self.graph.session, None, self.exchange.uuid))

    def do_copy_id(self) -> None:
        """Copy the id of the point."""
        if self.exchange is not None and self.exchange.uuid is not None:
            self.bough.copy(self.exchange.uuid, "the id")
