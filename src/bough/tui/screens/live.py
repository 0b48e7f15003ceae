"""Live: all sessions that are going on, and below them what happens, as it happens."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from bough.backports import override
from bough.library import LiveSession, StreamEvent
from bough.terminal.reports.live_stream import join_calls
from bough.tui.content.live_cards import render_event, render_live_card, render_live_row
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.session_rows import AnySession, SessionActions
from bough.tui.widgets.list_items import ListItem, make_line_item
from bough.tui.widgets.list_view import ListView

_WIDE: Final = 140
_NOTHING: Final = "Nothing is running. Start `claude` anywhere and it appears here."


class LiveScreen(BaseScreen):
    """What is going on."""

    KEYS: ClassVar = ("down", "open", "tree", "pane", "follow", "copy-resume", "help")
    WORDS: ClassVar = {"open": "read"}
    TITLE = "Live"

    def __init__(self) -> None:
        super().__init__()
        self._is_ticking = False
        self.actions = SessionActions(self)
        self.parts = (self.actions,)

    @override
    def body(self) -> ComposeResult:
        """Set the sessions above the stream, in two columns where there is room."""
        with Horizontal(id="cards"):
            yield ListView(id="list")
            yield ListView(id="second")
        yield ListView(id="stream")

    @override
    def begin(self) -> None:
        """Show what is known."""
        self.query_one("#list", ListView).focus()
        self.query_one("#stream", ListView).follow = True
        self.draw()
        if not self._is_ticking:
            self._is_ticking = True
            self.set_interval(1.0, self._tick)

    def _tick(self) -> None:
        if self.is_current:
            self._draw_rows()

    @override
    def receive_events(self, heard: Sequence[StreamEvent]) -> None:  # noqa: ARG002 - all is shown anew
        """Show what happened."""
        self.draw()

    @override
    def catch_up(self) -> None:
        """Show what happened meanwhile."""
        self.draw()

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Set cards side by side where there is room."""
        if not self.is_there:
            return
        second = self.query_one("#second", ListView)
        second.display = event.size.width >= _WIDE
        if second.has_focus and not second.display:
            self.query_one("#list", ListView).focus()
        self._draw_rows()

    # -- what is shown ------------------------------------------------------------------------

    def draw(self) -> None:
        """Show the sessions and the stream anew."""
        self._draw_rows()
        shown = [event for event in self.bough.stream if event.kind not in ("title", "started")]
        items = [
            ListItem(
                f"e/{event.path}/{event.uuid}/{event.call}/{event.kind}/{number}",
                partial(render_event, event, self.bough.glyphs, self.bough.time_words),
                event.kind,
                event,
            )
            for number, event in enumerate(join_calls(shown))
        ]
        self.query_one("#stream", ListView).show(
            items or [make_line_item("quiet", "Nothing happened yet.")]
        )

    def _draw_rows(self) -> None:
        rows = self.bough.live_rows
        first, second = self.query_one("#list", ListView), self.query_one("#second", ListView)
        if not second.display:
            first.show(list(self._build_items(rows)) or [make_line_item("none", _NOTHING)])
            return
        first.show(list(self._build_items(rows[0::2])) or [make_line_item("none", _NOTHING)])
        second.show(list(self._build_items(rows[1::2])))

    def _build_items(self, rows: Sequence[LiveSession]) -> Iterator[ListItem]:
        draw = render_live_card if self.size.width >= _WIDE else render_live_row
        for row in rows:
            key = f"{row.project}/{row.id}"
            yield ListItem(key, partial(draw, row, self.bough.glyphs), "session", row)

    # -- keys ---------------------------------------------------------------------------------

    @property
    def row(self) -> AnySession | None:
        """Give the session under the cursor of the column that has focus."""
        focused = self.list_view
        picked = focused.picked if focused is not None and focused.id != "stream" else None
        if picked is None:
            picked = self.query_one("#list", ListView).picked
        about = picked.about if picked is not None else None
        return about if isinstance(about, LiveSession) else None

    def project_of(self, row: AnySession) -> str:
        """Name the project of a session, for the bar."""
        return row.name if isinstance(row, LiveSession) else ""

    def do_open(self) -> None:
        """Read and follow the session, from its row or from something that happened in it."""
        from bough.tui.screens.conversation.screen import ConversationScreen, Target  # noqa: PLC0415

        focused = self.list_view
        picked = focused.picked if focused is not None else None
        about = picked.about if picked is not None else None
        if not isinstance(about, StreamEvent):
            self.actions.do_open()
        elif about.path and about.agent is None:
            target = Target(about.uuid) if about.uuid else None
            self.bough.open(ConversationScreen(about.path, project=about.name, target=target))
        else:
            row = self.bough.find_live_row(about.session)
            if row is not None:
                self.bough.open(ConversationScreen(row.path, title=row.title, project=row.name))

    def do_unfold(self) -> None:
        """Go to the right column; from there, read the session."""
        second = self.query_one("#second", ListView)
        if second.display and second.pieces and self.query_one("#list", ListView).has_focus:
            self._focus_column(self.query_one("#list", ListView), second)
        else:
            self.do_open()

    def do_fold(self) -> None:
        """Go to the left column."""
        second = self.query_one("#second", ListView)
        if second.has_focus:
            self._focus_column(second, self.query_one("#list", ListView))

    def _focus_column(self, here: ListView, there: ListView) -> None:
        there.focus()
        there.go_to(here.cursor, top=False)

    def do_follow(self) -> None:
        """Follow the stream, or let it stand."""
        stream = self.query_one("#stream", ListView)
        stream.follow = not stream.follow
        if stream.follow:
            stream.go_to_end()
        self.bough.show_notice("Following." if stream.follow else "Not following. F follows again.")

    def do_pane(self) -> None:
        """Go to the next part: the columns, then the stream."""
        shown = [one for one in self.query(ListView) if one.display and one.pieces]
        at = next((n for n, one in enumerate(shown) if one.has_focus), -1)
        shown[(at + 1) % len(shown)].focus()
