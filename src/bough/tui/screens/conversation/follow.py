"""A conversation that grows while it is read.

What is new is read from the last prompt on, which takes no longer in a large session than in
a small one, and put behind what is known. Once it is quiet the whole is read again, for what
only the whole can tell: costs, branches, agents. The line that is read stays where it is.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from bough.library import LiveSession, StreamEvent, describe_work
from bough.terminal import clock
from bough.terminal.style import Glyphs, Role
from bough.terminal.text import one_line
from bough.tui.conversation.load_conversation import LoadedConversation
from bough.tui.conversation.view import ConversationContent, ItemSource
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.widgets.list_items import ListItem, make_line_item

if TYPE_CHECKING:
    from textual.timer import Timer

_QUIET: Final = 1.5
"""After so many seconds without news a session is read whole again."""
_BUSY: Final = 20.0
"""Where there is always news, it is read whole so many seconds after the first."""


class FollowHost(ConversationHost, Protocol):
    """A screen with a conversation, which can read it again."""

    @property
    def is_limited(self) -> bool:
        """Tell whether the conversation is read only up to a point, which nothing follows."""

    @property
    def is_current(self) -> bool:
        """Tell whether it is the screen that is seen."""

    def read_whole(self) -> LoadedConversation:
        """Read all of the session; called in a thread."""

    def read_from(self, offset: int) -> ConversationContent:
        """Read what was written from an offset on; called in a thread."""

    def show_opened(self, found: object) -> None:
        """Show what was read."""

    def set_timer(self, delay: float, callback: Callable[[], None]) -> "Timer":
        """Call something after some seconds."""


class FollowLive:
    """What was written since a conversation was read, and whether the view goes along."""

    def __init__(self, screen: FollowHost) -> None:
        self.screen = screen
        self.new_count = 0
        """So many items came below what is seen."""
        self._is_reading = False
        self._must_read_again = False
        self._quiet_timer: Timer | None = None
        self._news_since = 0.0
        self._tail_content: ConversationContent | None = None
        """What was said since all of it was read."""

    @property
    def is_fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""
        return not self._is_reading and self._quiet_timer is None

    def can_follow(self) -> bool:
        """Tell whether there is something to be followed here: a whole session, to its end."""
        return self.screen.whole and not self.screen.is_limited

    def receive_events(self, heard: Sequence[StreamEvent]) -> None:
        """Read on when the session's file grew."""
        if any(event.session == self.screen.session_id and not event.past for event in heard):
            self.catch_up()

    def catch_up(self) -> None:
        """Read what was written since."""
        if self.can_follow():
            self._read_on()

    def list_keys(self) -> frozenset[str]:
        """List the keys of what is shown."""
        return frozenset(item.key for item in self.screen.reader.pieces)

    def count_new(self, known: frozenset[str], *, was_at_end: bool) -> None:
        """Count what is there and was not before, where it is not looked at."""
        if not was_at_end and not self.screen.reader.follow:
            self.new_count += len(self.list_keys() - known - {"live-line", "live-output"})

    def forget_tail(self) -> None:
        """Show only what was read as a whole: another branch is looked at."""
        self._tail_content = None

    def stop_waiting(self) -> None:
        """Wait no longer for what is being read: that failed, and what comes next is read."""
        self._is_reading = False

    # -- keys ---------------------------------------------------------------------------------

    def do_follow(self) -> None:
        """Follow the session live, or stop following."""
        reader = self.screen.reader
        reader.follow = not reader.follow
        if reader.follow:
            self.new_count = 0
            reader.go_to_end()
        self.screen.show_footer_keys()

    def do_end(self) -> None:
        """Go to the end, and follow what comes."""
        self.new_count = 0
        self.screen.reader.go_to_end()
        self.screen.reader.follow = not self.screen.is_limited
        self.screen.show_footer_keys()

    # -- reading ------------------------------------------------------------------------------

    def _read_on(self) -> None:
        if self._is_reading:
            self._must_read_again = True
            return
        self._is_reading = True
        # From the last prompt on that was there when all of it was read.
        known = (
            self.screen.content.pieces(self.screen.folds) if self.screen.content is not None else []
        )
        own = (item.about for item in reversed(known) if _is_own_prompt(item))
        message = next((about.message for about in own if isinstance(about, ItemSource)), None)
        offset = message.offset if message is not None else 0
        self.screen.run_in_thread(
            partial(self.screen.read_from, offset), self._append_tail, group="tail"
        )

    def _append_tail(self, found: object) -> None:
        """Put the newest messages behind those that are known."""
        self._is_reading = False
        if isinstance(found, ConversationContent):
            self._tail_content = found
            before, at_end = self.list_keys(), self.screen.reader.is_at_end
            self.screen.draw()
            self.count_new(before, was_at_end=at_end)
        self._wait_for_quiet()
        self.screen.show_footer_keys()
        if self._must_read_again:
            self._must_read_again = False
            self._read_on()

    def _wait_for_quiet(self) -> None:
        """Read all of it again once nothing comes any more, or after a while in any case."""
        now = monotonic()
        if self._quiet_timer is None:
            self._news_since = now
        elif now - self._news_since > _BUSY:
            return
        else:
            self._quiet_timer.stop()
        self._quiet_timer = self.screen.set_timer(_QUIET, self._catch_up)

    def list_items(self, content: ConversationContent) -> Sequence[ListItem]:
        """List the items of a conversation, the newest behind them, and what Claude does now."""
        row = self.find_working_row()
        newest = self._tail_content or content
        newest.set_live(clock.now() if row is not None else None)
        items: Sequence[ListItem] = content.pieces(self.screen.folds)
        if self._tail_content is not None:
            # It is short, and what is folded may have changed.
            self._tail_content.invalidate_items()
            items = append_tail(items, self._tail_content.pieces(self.screen.folds))
        if row is None or not items:
            return items
        return [*items, *_make_live_lines(row, newest.glyphs)]

    def find_working_row(self) -> LiveSession | None:
        """Give what is known of the session while Claude works on what is shown."""
        content = self.screen.content
        row = self.screen.bough.find_live_row(self.screen.session_id)
        if content is None or not content.conversation.active or self.screen.is_limited:
            return None
        return row if row is not None and row.state == "working" else None

    def tick(self) -> None:
        """Let the clocks of what runs go on, where they are seen."""
        reader = self.screen.reader
        if self.screen.is_current and reader.is_at_end and self.find_working_row() is not None:
            self.screen.draw()

    def _catch_up(self) -> None:
        self._quiet_timer = None
        if not self._is_reading:
            self._is_reading = True
            self.screen.run_in_thread(self.screen.read_whole, self._finish_catch_up)

    def _finish_catch_up(self, found: object) -> None:
        self._is_reading = False
        self._tail_content = None
        self.screen.show_opened(found)
        if self._must_read_again:
            self._must_read_again = False
            self._read_on()


def _make_live_lines(row: LiveSession, glyphs: Glyphs) -> list[ListItem]:
    """Say what Claude is doing, and below it the newest line of the call that runs."""
    words = f"{glyphs.node} {describe_work(row, clock.now())}"
    lines = [make_line_item("live-line", words, Role.ACTIVE)]
    if row.output:
        lines.append(make_line_item("live-output", f"  {one_line(row.output)}", Role.META))
    return lines


def append_tail(items: Sequence[ListItem], tail: Sequence[ListItem]) -> Sequence[ListItem]:
    """Put a tail in the place of what follows the first prompt that both have."""
    known = {item.key: at for at, item in enumerate(items) if item.kind == "prompt"}
    shared = next((n for n, item in enumerate(tail) if item.key in known), None)
    return items if shared is None else [*items[: known[tail[shared].key]], *tail[shared:]]


def _is_own_prompt(item: ListItem) -> bool:
    """Tell whether an item is a prompt of the conversation itself, not of an agent in it."""
    return item.kind == "prompt" and "/" not in item.key
