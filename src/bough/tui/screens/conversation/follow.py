"""A conversation that grows while it is read.

What is new is read from the last prompt on, which takes no longer in a large session than in
a small one, and put behind what is known. Once it is quiet the whole is read again, for what
only the whole can tell: costs, branches, agents. The line that is read stays where it is.
"""

from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from bough.library import Session
from bough.query.live.events import Event
from bough.query.sessions.load_part import open_from
from bough.tui.conversation.load_conversation import Opened
from bough.tui.conversation.view import About, Telling
from bough.tui.override import override
from bough.tui.screens.conversation.actions import Elsewhere
from bough.tui.widgets.list_items import Piece

if TYPE_CHECKING:
    from textual.timer import Timer

_QUIET: Final = 1.5
"""After so many seconds without news a session is read whole again."""
_BUSY: Final = 20.0
"""Where there is always news, it is read whole so many seconds after the first."""


class Following(Elsewhere):
    """A conversation that is followed live."""

    def __init__(self) -> None:
        super().__init__()
        self._reading = False
        self._again = False
        self._quiet: Timer | None = None
        self._since = 0.0
        self._tail: Telling | None = None
        """What was said since all of it was read."""

    def read_whole(self) -> Opened:
        """Read the session; called in a thread."""
        raise NotImplementedError

    def show_opened(self, found: object) -> None:
        """Show what was read."""
        raise NotImplementedError

    def tell_part(self, session: Session) -> Telling:
        """Tell a part of the session; called in a thread."""
        raise NotImplementedError

    @property
    @override
    def fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""
        return not self._reading and self._quiet is None

    def follows(self) -> bool:
        """Tell whether there is something to be followed here."""
        return self.whole

    @override
    def hear(self, heard: Sequence[Event]) -> None:
        """Read on when the session's file grew."""
        if any(event.session == self.session_id and not event.past for event in heard):
            self.look_again()

    @override
    def look_again(self) -> None:
        """Read what was written since."""
        if self.follows():
            self._read_on()

    def _read_on(self) -> None:
        if self._reading:
            self._again = True
            return
        self._reading = True
        # From the last prompt on that was there when all of it was read.
        known = self.telling.pieces(self.folds) if self.telling is not None else []
        own = (piece.about for piece in reversed(known) if _is_prompt(piece))
        turn = next((about.turn for about in own if isinstance(about, About)), None)
        offset = turn.offset if turn is not None else 0
        self.ask(partial(self._read_end, offset), self._graft, group="graft")

    def _read_end(self, offset: int) -> Telling:
        return self.tell_part(open_from(self.path, offset))

    def _graft(self, found: object) -> None:
        """Put the newest turns behind those that are known."""
        self._reading = False
        if isinstance(found, Telling):
            self._tail = found
            before, at_end = len(self.reader.pieces), self.reader.at_end
            self.draw()
            if not at_end and not self.reader.follow:
                self.new += max(0, len(self.reader.pieces) - before)
        self._wait_for_quiet()
        self.say_keys()
        if self._again:
            self._again = False
            self._read_on()

    def _wait_for_quiet(self) -> None:
        """Read all of it again once nothing comes any more, or after a while in any case."""
        now = monotonic()
        if self._quiet is None:
            self._since = now
        elif now - self._since > _BUSY:
            return
        else:
            self._quiet.stop()
        self._quiet = self.set_timer(_QUIET, self._catch_up)

    def grafted(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """Give some pieces with the newest ones behind them, from a prompt that both have."""
        if self._tail is None:
            return pieces
        self._tail.renew()  # it is short, and what is folded may have changed
        fresh = self._tail.pieces(self.folds)
        known = {piece.key: at for at, piece in enumerate(pieces) if piece.kind == "prompt"}
        shared = next((n for n, piece in enumerate(fresh) if piece.key in known), None)
        return pieces if shared is None else [*pieces[: known[fresh[shared].key]], *fresh[shared:]]

    @override
    def fail(self, message: str) -> None:
        """Say what went wrong; what comes next is read all the same."""
        self._reading = False
        super().fail(message)

    def _catch_up(self) -> None:
        self._quiet = None
        if not self._reading:
            self._reading = True
            self.ask(self.read_whole, self._caught_up)

    def _caught_up(self, found: object) -> None:
        self._reading = False
        self._tail = None
        self.show_opened(found)
        if self._again:
            self._again = False
            self._read_on()


def _is_prompt(piece: Piece) -> bool:
    """Tell whether a piece is a prompt of the conversation itself, not of an agent in it."""
    return piece.kind == "prompt" and "/" not in piece.key
