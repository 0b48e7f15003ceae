"""A conversation that grows while it is read.

What is new is read from the last prompt on, which takes no longer in a large session than in
a small one, and put behind what is known. Once it is quiet the whole is read again, for what
only the whole can tell: costs, branches, agents. The line that is read stays where it is.
"""

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from bough.library import Session, StreamEvent, open_from
from bough.tui.conversation.load_conversation import LoadedConversation
from bough.tui.conversation.view import ConversationContent, ItemSource
from bough.tui.override import override
from bough.tui.screens.conversation.actions import ConversationActions
from bough.tui.widgets.list_items import ListItem

if TYPE_CHECKING:
    from textual.timer import Timer

_QUIET: Final = 1.5
"""After so many seconds without news a session is read whole again."""
_BUSY: Final = 20.0
"""Where there is always news, it is read whole so many seconds after the first."""


class FollowLive(ConversationActions):
    """A conversation that is followed live."""

    def __init__(self) -> None:
        super().__init__()
        self._is_reading = False
        self._must_read_again = False
        self._quiet_timer: Timer | None = None
        self._news_since = 0.0
        self._tail_content: ConversationContent | None = None
        """What was said since all of it was read."""

    def read_whole(self) -> LoadedConversation:
        """Read the session; called in a thread."""
        raise NotImplementedError

    def show_opened(self, found: object) -> None:
        """Show what was read."""
        raise NotImplementedError

    def load_part(self, session: Session) -> ConversationContent:
        """Tell a part of the session; called in a thread."""
        raise NotImplementedError

    @property
    @override
    def is_fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""
        return not self._is_reading and self._quiet_timer is None

    def can_follow(self) -> bool:
        """Tell whether there is something to be followed here."""
        return self.whole

    @override
    def receive_events(self, heard: Sequence[StreamEvent]) -> None:
        """Read on when the session's file grew."""
        if any(event.session == self.session_id and not event.past for event in heard):
            self.catch_up()

    @override
    def catch_up(self) -> None:
        """Read what was written since."""
        if self.can_follow():
            self._read_on()

    def _read_on(self) -> None:
        if self._is_reading:
            self._must_read_again = True
            return
        self._is_reading = True
        # From the last prompt on that was there when all of it was read.
        known = self.content.pieces(self.folds) if self.content is not None else []
        own = (piece.about for piece in reversed(known) if _is_own_prompt(piece))
        message = next((about.message for about in own if isinstance(about, ItemSource)), None)
        offset = message.offset if message is not None else 0
        self.run_in_thread(partial(self._read_end, offset), self._append_tail, group="graft")

    def _read_end(self, offset: int) -> ConversationContent:
        return self.load_part(open_from(self.path, offset))

    def _append_tail(self, found: object) -> None:
        """Put the newest messages behind those that are known."""
        self._is_reading = False
        if isinstance(found, ConversationContent):
            self._tail_content = found
            before, at_end = len(self.reader.pieces), self.reader.is_at_end
            self.draw()
            if not at_end and not self.reader.follow:
                self.new_count += max(0, len(self.reader.pieces) - before)
        self._wait_for_quiet()
        self.show_footer_keys()
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
        self._quiet_timer = self.set_timer(_QUIET, self._catch_up)

    def add_tail(self, pieces: Sequence[ListItem]) -> Sequence[ListItem]:
        """Give some pieces with the newest ones behind them, from a prompt that both have."""
        if self._tail_content is None:
            return pieces
        self._tail_content.invalidate_items()  # it is short, and what is folded may have changed
        fresh = self._tail_content.pieces(self.folds)
        known = {piece.key: at for at, piece in enumerate(pieces) if piece.kind == "prompt"}
        shared = next((n for n, piece in enumerate(fresh) if piece.key in known), None)
        return pieces if shared is None else [*pieces[: known[fresh[shared].key]], *fresh[shared:]]

    @override
    def show_failure(self, message: str) -> None:
        """Say what went wrong; what comes next is read all the same."""
        self._is_reading = False
        super().show_failure(message)

    def _catch_up(self) -> None:
        self._quiet_timer = None
        if not self._is_reading:
            self._is_reading = True
            self.run_in_thread(self.read_whole, self._finish_catch_up)

    def _finish_catch_up(self, found: object) -> None:
        self._is_reading = False
        self._tail_content = None
        self.show_opened(found)
        if self._must_read_again:
            self._must_read_again = False
            self._read_on()


def _is_own_prompt(piece: ListItem) -> bool:
    """Tell whether a piece is a prompt of the conversation itself, not of an agent in it."""
    return piece.kind == "prompt" and "/" not in piece.key
