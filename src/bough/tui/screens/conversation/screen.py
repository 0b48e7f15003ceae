"""Conversation: one branch of a session, read, folded, searched and followed live.

Shown twice: what a person looks at first, at once, then the whole behind it. Neither what
comes later nor what is folded moves the first visible line. Its keys are those of its parts.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Input

from bough.backports import override
from bough.library import SessionRow, StreamEvent
from bough.model.conversation.messages import Message
from bough.model.interpret.kept_places import KeptPlace
from bough.model.text.formats import base_name_of, find_day, format_percent
from bough.model.text.times import parse_moment
from bough.terminal import clock
from bough.terminal.list_cells import format_kept_sign
from bough.terminal.reports.usage_tables import name_day
from bough.terminal.style import Role, Span
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.load_conversation import (
    LoadedConversation,
    Target,
    prepare_conversation,
)
from bough.tui.conversation.view import ConversationContent, ItemSource
from bough.tui.saved_state import ReadingPosition
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.conversation.actions import ConversationActions
from bough.tui.screens.conversation.branch_navigation import BranchNavigation
from bough.tui.screens.conversation.find import FindInConversation
from bough.tui.screens.conversation.fold_actions import FoldActions
from bough.tui.screens.conversation.follow import FollowLive
from bough.tui.screens.conversation.message_annotations import MessageAnnotations
from bough.tui.screens.conversation.panes import ConversationPanes
from bough.tui.screens.conversation.source import ConversationSource
from bough.tui.widgets.find_bar import FindBar
from bough.tui.widgets.list_items import make_line_item
from bough.tui.widgets.list_view import ListView

__all__ = ["ConversationScreen", "Target"]

_DAY_FROM: Final = 100
"""The columns from which a footer has room for the day beside its keys."""
_KEYS_UP_TO_POINT: Final = ("down", "unfold", "next-prompt", "find", "page-down", "back", "help")
_NOT_UP_TO_POINT: Final = frozenset(
    (
        *("fork", "make-active", "undo", "rename", "compare", "tree", "follow", "export"),
        *("previous-session", "next-session"),
    )
)
"""What changes the session, or leads to another of its branches."""


class PointLimit(Struct, frozen=True):
    """The end of a conversation that is read only up to a point: what Claude sees of a fork."""

    uuid: str
    what: str
    """What the point is for, in the words of the bar."""


class ConversationScreen(BaseScreen):
    """One conversation; with a limit only its beginning, and that only to be read."""

    KEYS: ClassVar = ("down", "unfold", "tree", "find", "follow", "copy-resume", "help")
    WORDS: ClassVar = {"view": "read in the pager", "end": "to the end, and follow"}

    def __init__(
        self,
        path: str,
        *,
        title: str = "",
        project: str = "",
        tip: str | None = None,
        target: Target | None = None,
        limit: PointLimit | None = None,
    ) -> None:
        super().__init__()
        up_to = limit.uuid if limit is not None else None
        self.source = ConversationSource(path, tip if up_to is None else up_to, up_to)
        self.title_words = title
        self.project = project
        self.target = target
        self.limit = limit
        self.footer_keys = self.KEYS if limit is None else _KEYS_UP_TO_POINT
        self.whole = False
        self.kept_in = KeptPlace.FILE
        self._is_ticking = False
        self.content: ConversationContent | None = None
        self.folds = Folds()
        self.reader = ListView(id="list")
        self.panes = ConversationPanes(self)
        self.fold_actions = FoldActions(self)
        self.find = FindInConversation(self)
        self.follow = FollowLive(self)
        self.actions = ConversationActions(self)
        self.branches = BranchNavigation(self)
        self.annotations = MessageAnnotations(self)
        self.parts = (
            self.panes,
            self.fold_actions,
            self.find,
            self.follow,
            self.actions,
            self.branches,
            self.annotations,
        )

    @override
    def body(self) -> ComposeResult:
        """Set the outline, the reader and the facts side by side."""
        with Horizontal():
            yield self.panes.outline
            yield self.reader
            yield self.panes.facts
        yield self.find.findbar

    # -- what is read -------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """Give the file of the session."""
        return self.source.path

    @property
    def session_id(self) -> str:
        """Give the id of the session: the name of its file."""
        return Path(self.path).stem

    @property
    def is_limited(self) -> bool:
        """Tell whether the conversation is read only up to a point, which nothing follows."""
        return self.limit is not None

    @property
    def is_fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""
        return self.follow.is_fresh

    @property
    def message(self) -> Message | None:
        """Give the message under the cursor."""
        picked = self.reader.picked
        return picked.about.message if picked and isinstance(picked.about, ItemSource) else None

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the project and the session; up to a point, what the point is for."""
        if self.limit is not None:
            return [self.limit.what, "Claude will see"]
        title = self.content.session.title if self.content and self.whole else self.title_words
        cwd = self.content.session.cwd if self.content is not None else None
        # From a tree or the palette one comes without it; its folder names it then.
        names = list(filter(None, [self.project or base_name_of(cwd or "")]))
        branch = (
            []
            if self.content is None or self.content.conversation.active
            else ["branch left behind"]
        )
        kept = format_kept_sign(self.kept_in, self.bough.glyphs)
        return [*names, title or "Conversation", *branch, *([kept] if kept else [])]

    @override
    def build_status_spans(self) -> list[Span]:
        """Say how far down the view is, what was found, what is new."""
        spans = self.find.build_match_spans()
        if self.reader.follow:
            spans.append((Role.ACTIVE, "  following"))
        if day := self._name_past_day():
            spans.append((Role.META, f"  {day}"))
        spans.append((Role.META, f"  {format_percent(self.reader.scroll_fraction)}"))
        if self.follow.new_count:
            words = f"  {self.follow.new_count} new {self.bough.glyphs.below_arrow}"
            spans.append((Role.ACTIVE, words))
        if not self.whole:
            spans.append((Role.META, f"  reading{self.bough.glyphs.ellipsis}"))
        return spans

    def _name_past_day(self) -> str:
        """Name the day of what is under the cursor, where that is not today: rows have times."""
        if self.size.width < _DAY_FROM:
            return ""  # keys come first
        words = self.bough.time_words
        said = parse_moment(self.message.timestamp) if self.message is not None else None
        day, today = said and find_day(said, words), find_day(clock.now(), words)
        return name_day(day, today, words) if day is not None and day != today else ""

    # -- opening ------------------------------------------------------------------------------

    @override
    def begin(self) -> None:
        """Read first what will be looked at, then everything; a point may lie anywhere."""
        if not self._is_ticking:
            self._is_ticking = True
            self.set_interval(1.0, self.follow.tick)
        self._restore_view()
        self.annotations.load()
        if self.is_limited:
            self.run_in_thread(self.read_whole, self.show_opened)
        else:
            self.run_in_thread(self._read_first, self._show_first, group="first")

    def _restore_view(self) -> None:
        """Look as it did when it was last left."""
        self.folds.thinking = self.bough.saved_state.thinking
        self.reader.wrapped = self.bough.saved_state.wrap
        self.reader.focus()
        self.panes.fit(self.size.width)

    def _read_first(self) -> LoadedConversation:
        saved = self._find_saved_position()
        offset = saved.offset if saved is not None and self.target is None else None
        return self.source.read_first(offset, self.folds, self.target, self.bough.glyphs)

    def read_whole(self) -> LoadedConversation:
        """Read all of the session; called in a thread."""
        return self.source.read_whole(self.folds, self.target, self.bough.glyphs)

    def read_from(self, offset: int) -> ConversationContent:
        """Read what was written from an offset on; called in a thread."""
        return self.source.read_from(offset, self.folds, self.bough.glyphs)

    def load_branch(self, uuid: str) -> ConversationContent:
        """Give the conversation that goes through a record; called in a thread."""
        known = self.content.session if self.content is not None else None
        return self.source.read_branch(uuid, known, self.folds, self.bough.glyphs)

    def _show_first(self, found: object) -> None:
        if not isinstance(found, LoadedConversation) or found.whole:
            self.show_opened(found)
            return
        if not self.whole and found.content.conversation.messages:
            self.content = found.content
            self.draw()
            self._go_to_start(found)
        self.run_in_thread(self.read_whole, self.show_opened)

    def show_opened(self, found: object) -> None:
        """Show the whole conversation; the first time, go to where reading begins."""
        if not isinstance(found, LoadedConversation):
            return
        first = self.content is None or self.target is not None
        known, at_end = self.follow.list_keys(), self.reader.is_at_end
        was_whole, self.whole = self.whole, True
        self.content = found.content
        self.title_words = found.content.session.title
        self.kept_in = found.kept_in
        self.draw()
        # A part that fits on the screen ends at its end, and begins with what the whole may not
        # have.
        if first or (at_end and not was_whole):
            self._go_to_start(found)
        if was_whole:
            self.follow.count_new(known, was_at_end=at_end)
        self.panes.show(found)
        self.show_breadcrumbs()

    def draw(self) -> None:
        """Show the conversation as it is folded now."""
        if self.content is None:
            return
        items = self.annotations.add_marks(self.content, self.follow.list_items(self.content))
        if not items:
            items = [make_line_item("none", "Nothing was said in this session.")]
        self.reader.show(items)
        self.show_footer_keys()

    def _go_to_start(self, found: LoadedConversation) -> None:
        """Go to the target, else where reading stopped, else to the end."""
        if self.target is not None and self.target.uuid is not None:
            if found.target_key is None:
                return
            target, self.target = self.target, None
            self.find.matches, self.reader.needle = found.matches, target.words
            if found.match_number is not None:
                self.find.go_to_match(found.match_number)
            elif not self.reader.go_to_key(found.target_key):
                self.reader.go_to_key(f"{found.target_key}:")
            return
        saved = self._find_saved_position()
        if saved is None or self.source.tip is not None or not self.reader.go_to_key(saved.key):
            self.reader.go_to_end()
            live = self.bough.find_live_row(self.session_id) is not None
            self.reader.follow = live and not self.is_limited

    def show_branch(self, content: ConversationContent) -> None:
        """Show another branch; what comes live is then of that one."""
        self.content = content
        self.follow.forget_tail()
        self.source.tip = None if content.conversation.active else content.conversation.tip
        self.draw()
        self.show_breadcrumbs()
        self.run_in_thread(
            partial(prepare_conversation, content, self.folds, None, whole=True),
            self._show_panes,
            "panes",
        )

    def _show_panes(self, found: object) -> None:
        if isinstance(found, LoadedConversation) and found.content is self.content:
            self.panes.show(found)

    def open_session(self, row: SessionRow) -> None:
        """Read another session of the project instead of this one."""
        self.remember()
        self.bough.open(self.make_session_screen(row.path, row.title), instead=True)

    def make_session_screen(self, path: str, title: str) -> Screen[object]:
        """Give a screen with another session of the project."""
        return ConversationScreen(path, title=title, project=self.project)

    def make_branch_screen(self, tip: str, target: Target) -> Screen[object]:
        """Give a screen with another branch of the session."""
        return ConversationScreen(
            self.path, title=self.title_words, project=self.project, tip=tip, target=target
        )

    # -- what happens meanwhile ---------------------------------------------------------------

    @override
    def receive_events(self, heard: Sequence[StreamEvent]) -> None:
        """Read on when the session's file grew."""
        self.follow.receive_events(heard)

    @override
    def catch_up(self) -> None:
        """Read what was written since."""
        self.follow.catch_up()

    @override
    def show_failure(self, message: str) -> None:
        """Say what went wrong; what comes next is read all the same."""
        self.follow.stop_waiting()
        super().show_failure(message)

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the panes where there is room."""
        self.panes.fit(event.size.width)

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Say where the view is, in the outline too."""
        if event.list_view is self.reader:
            self.panes.mark_prompt()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Mark what is looked for while it is typed."""
        self.find.mark(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Find what was typed."""
        self.find.submit(event.value)

    def on_find_bar_widened(self, event: FindBar.Widened) -> None:
        """Look again where there is more or less to look at."""
        event.stop()
        self.find.find_again()

    # -- leaving ------------------------------------------------------------------------------

    def _find_saved_position(self) -> ReadingPosition | None:
        return self.bough.saved_state.stopped.get(self.session_id)

    def remember(self) -> None:
        """Keep where reading stops; at the end there is nothing to keep, nor up to a point."""
        top = self.reader.top
        if self.is_limited or top is None or not self.reader.size.height:
            return
        message = top.about.message if isinstance(top.about, ItemSource) else None
        if self.reader.is_at_end or message is None:
            self.bough.saved_state.stopped.pop(self.session_id, None)
        else:
            self.bough.saved_state.save_position(
                self.session_id, ReadingPosition(top.key, message.offset)
            )

    def do_back(self) -> None:
        """Close the find bar, else leave and keep where reading stopped."""
        self.remember()
        if not self.find.close():
            self.bough.hits, self.bough.hit = (), -1
            self.bough.back()

    # -- keys ---------------------------------------------------------------------------------

    @override
    def find_action(self, name: str) -> Callable[[], object] | None:
        """Find what a key does; up to a point nothing that leads away from it."""
        if self.is_limited and name in _NOT_UP_TO_POINT:
            return None
        return super().find_action(name)
