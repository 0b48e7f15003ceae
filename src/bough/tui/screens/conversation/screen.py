"""Conversation: one way through a session, read, folded, searched and followed live.

Shown twice: what a person looks at first, at once, then the whole behind it. Neither what
comes later nor what is folded moves the first visible line.
"""

from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen

from bough.library import Session, open_first, read_session
from bough.model.text.formats import format_percent
from bough.terminal.style import Role, Span
from bough.tui.conversation.load_conversation import (
    LoadedConversation,
    Target,
    build_content,
    prepare_conversation,
)
from bough.tui.conversation.view import ConversationContent, ItemSource
from bough.tui.override import override
from bough.tui.saved_state import ReadingPosition
from bough.tui.screens.conversation.branch_navigation import BranchNavigation
from bough.tui.widgets.list_items import make_line_item
from bough.tui.widgets.list_view import ListView

__all__ = ["ConversationScreen", "Target"]

_WIDE: Final = 120


class ConversationScreen(BranchNavigation):
    """One conversation."""

    KEYS: ClassVar = ("down", "unfold", "tree", "find", "follow", "copy-resume", "help")

    def __init__(
        self,
        path: str,
        *,
        title: str = "",
        project: str = "",
        tip: str | None = None,
        target: Target | None = None,
        agent: Session | None = None,
    ) -> None:
        super().__init__()
        self.path = path
        self.title_words = title
        self.project = project
        self.tip = tip
        self.target = target
        self.agent = agent

    @override
    def body(self) -> ComposeResult:
        """Set the outline, the reader and the facts side by side."""
        with Horizontal():
            yield ListView(id="side", rail=False)
            yield self.reader
            yield ListView(id="facts", rail=False)
        yield self.findbar

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the project and the session."""
        title = self.content.session.title if self.content and self.whole else self.title_words
        names = [self.project] if self.project else []
        way = (
            []
            if self.content is None or self.content.conversation.active
            else ["branch left behind"]
        )
        return [*names, title or "Conversation", *way]

    @override
    def build_status_spans(self) -> list[Span]:
        """Say how far down the view is, what was found, what is new."""
        spans = self.build_match_spans()
        if self.reader.follow:
            spans.append((Role.ACTIVE, "  following"))
        spans.append((Role.META, f"  {format_percent(self.reader.scroll_fraction)}"))
        if self.new_count:
            spans.append((Role.ACTIVE, f"  {self.new_count} new {self.bough.glyphs.below_arrow}"))
        if not self.whole:
            spans.append((Role.META, f"  reading{self.bough.glyphs.ellipsis}"))
        return spans

    # -- opening ------------------------------------------------------------------------------

    @override
    def begin(self) -> None:
        """Read first what will be looked at, then everything."""
        self.restore_view()
        if self.agent is not None:
            self.run_in_thread(
                partial(self._load_content, self.agent, whole=True), self.show_opened
            )
        else:
            self.run_in_thread(self._read_first, self._show_first, group="first")

    def restore_view(self) -> None:
        """Look as it did when it was last left."""
        self.folds.thinking = self.bough.saved_state.thinking
        self.reader.wrapped = self.bough.saved_state.wrap
        self.reader.focus()
        self.fit_panes(self.size.width)

    def _read_first(self) -> LoadedConversation:
        place = self._find_saved_position()
        offset = place.offset if place is not None and self.target is None else None
        session, whole = open_first(self.path, offset)
        return self._load_content(session, whole=whole)

    @override
    def read_whole(self) -> LoadedConversation:
        """Read all of the session."""
        return self._load_content(read_session(self.path), whole=True)

    def _load_content(self, session: Session, *, whole: bool) -> LoadedConversation:
        uuid = self.target.uuid if self.target is not None else None
        telling = build_content(session, uuid, self.tip, self.bough.glyphs)
        return prepare_conversation(telling, self.folds, self.target, whole=whole)

    def _show_first(self, found: object) -> None:
        if not isinstance(found, LoadedConversation) or found.whole:
            self.show_opened(found)
            return
        if not self.whole and found.content.conversation.messages:
            self.content = found.content
            self.draw()
            self._go_to_start(found)
        self.run_in_thread(self.read_whole, self.show_opened)

    @override
    def show_opened(self, found: object) -> None:
        """Show the whole conversation; the first time, go to where reading begins."""
        if not isinstance(found, LoadedConversation):
            return
        first = self.content is None or self.target is not None
        known, at_end = len(self.reader.pieces), self.reader.is_at_end
        was_whole, self.whole = self.whole, True
        self.content = found.content
        self.title_words = found.content.session.title
        self.draw()
        if first:
            self._go_to_start(found)
        if was_whole and not at_end and not self.reader.follow:
            self.new_count += max(0, len(self.reader.pieces) - known)
        self.query_one("#side", ListView).show(found.outline)
        self.query_one("#facts", ListView).show(found.facts)
        self.show_breadcrumbs()

    @override
    def draw(self) -> None:
        """Show the conversation as it is folded now."""
        telling = self.content
        if telling is None:
            return
        pieces = self.add_tail(telling.pieces(self.folds))
        if not pieces:
            pieces = [make_line_item("none", "Nothing was said in this session.")]
        self.reader.show(pieces)
        self.show_footer_keys()

    def _go_to_start(self, found: LoadedConversation) -> None:
        """Go to the target, else where reading stopped, else to the end."""
        if self.target is not None and self.target.uuid is not None:
            if found.target_key is None:
                return
            target, self.target = self.target, None
            self.matches, self.reader.needle = found.matches, target.words
            if found.match_number is not None:
                self.go_to_match(found.match_number)
            elif not self.reader.go_to_key(found.target_key):
                self.reader.go_to_key(f"{found.target_key}:")
            return
        place = self._find_saved_position()
        if place is None or self.tip is not None or not self.reader.go_to_key(place.key):
            self.reader.go_to_end()
            self.reader.follow = self.bough.find_live_row(self.session_id) is not None

    @override
    def load_branch(self, uuid: str) -> ConversationContent:
        """Tell another branch of the session that is open."""
        session = self.content.session if self.content is not None else read_session(self.path)
        telling = build_content(session, uuid, None, self.bough.glyphs)
        telling.pieces(self.folds)
        return telling

    @override
    def show_branch(self, telling: ConversationContent) -> None:
        """Show another branch; what comes live is then of that one."""
        self.content, self._tail_content = telling, None
        self.tip = None if telling.conversation.active else telling.conversation.tip
        self.draw()
        self.show_breadcrumbs()
        self.run_in_thread(
            partial(prepare_conversation, telling, self.folds, None, whole=True),
            self._show_panes,
            "beside",
        )

    def _show_panes(self, found: object) -> None:
        if isinstance(found, LoadedConversation) and found.content is self.content:
            self.query_one("#side", ListView).show(found.outline)
            self.query_one("#facts", ListView).show(found.facts)

    @override
    def load_part(self, session: Session) -> ConversationContent:
        """Tell a part of the session."""
        telling = build_content(session, None, self.tip, self.bough.glyphs)
        telling.pieces(self.folds)
        return telling

    @override
    def can_follow(self) -> bool:
        """Follow a whole session, not one agent of it."""
        return self.whole and self.agent is None

    def _find_saved_position(self) -> ReadingPosition | None:
        return self.bough.saved_state.stopped.get(self.session_id)

    def remember(self) -> None:
        """Keep where reading stops; at the end there is nothing to keep."""
        top = self.reader.top
        if self.agent is not None or top is None or not self.reader.size.height:
            return
        message = top.about.message if isinstance(top.about, ItemSource) else None
        if self.reader.is_at_end or message is None:
            self.bough.saved_state.stopped.pop(self.session_id, None)
        else:
            self.bough.saved_state.save_position(
                self.session_id, ReadingPosition(top.key, message.offset)
            )

    @override
    def do_back(self) -> None:
        """Close the find bar, else leave and keep where reading stopped."""
        self.remember()
        super().do_back()

    @override
    def make_branch_screen(self, tip: str, target: Target) -> Screen[object]:
        """Give a screen with another branch of the session."""
        return ConversationScreen(
            self.path, title=self.title_words, project=self.project, tip=tip, target=target
        )

    # -- panes --------------------------------------------------------------------------------

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the panes where there is room."""
        self.fit_panes(event.size.width)

    def fit_panes(self, columns: int) -> None:
        """Show the panes that are wanted, where there is room."""
        kept = self.bough.saved_state
        self.query_one("#side").display = columns >= _WIDE and kept.outline
        self.query_one("#facts").display = columns >= _WIDE and kept.facts

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Say where the view is, in the outline too."""
        super().on_list_view_moved(event)
        side = self.query_one("#side", ListView)
        if event.list_view is self.reader and side.display and not side.has_focus:
            self._mark_prompt(side)

    def _mark_prompt(self, side: ListView) -> None:
        """Set the outline's cursor on the prompt whose turn is read."""
        reader = self.reader
        for at in range(min(reader.cursor, len(reader.pieces) - 1), -1, -1):
            piece = reader.pieces[at]
            if piece.kind in ("prompt", "seam"):
                number = side.number_of(f"o/{piece.key}")
                if number is not None and number != side.cursor:
                    side.go_to(number, top=False)
                return

    def do_outline(self) -> None:
        """Show or hide the outline."""
        self.bough.saved_state.outline = not self.bough.saved_state.outline
        self.fit_panes(self.size.width)

    def do_facts(self) -> None:
        """Show or hide the facts."""
        self.bough.saved_state.facts = not self.bough.saved_state.facts
        self.fit_panes(self.size.width)

    def do_pane(self) -> None:
        """Go to the next pane."""
        shown = [reel for reel in self.query(ListView) if reel.display]
        at = next((n for n, reel in enumerate(shown) if reel.has_focus), 0)
        shown[(at + 1) % len(shown)].focus()
