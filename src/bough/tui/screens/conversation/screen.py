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

from bough.library import Session, read_session
from bough.query.sessions.load_part import open_first
from bough.tui.conversation.load_conversation import Opened, Target, ready, told
from bough.tui.conversation.view import About, Telling
from bough.tui.override import override
from bough.tui.saved_state import Stopped
from bough.tui.screens.conversation.branch_navigation import Branching
from bough.tui.style.style import Role, Span, share
from bough.tui.widgets.list_items import say
from bough.tui.widgets.list_view import Reel

__all__ = ["Conversation", "Target"]

_WIDE: Final = 120


class Conversation(Branching):
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
            yield Reel(id="side", rail=False)
            yield self.reader
            yield Reel(id="facts", rail=False)
        yield self.findbar

    @override
    def where(self) -> list[str]:
        """Name the project and the session."""
        title = self.telling.session.title if self.telling and self.whole else self.title_words
        names = [self.project] if self.project else []
        way = (
            []
            if self.telling is None or self.telling.conversation.active
            else ["branch left behind"]
        )
        return [*names, title or "Conversation", *way]

    @override
    def state_words(self) -> list[Span]:
        """Say how far down the view is, what was found, what is new."""
        spans = self.found_words()
        if self.reader.follow:
            spans.append((Role.ACTIVE, "  following"))
        spans.append((Role.META, f"  {share(self.reader.part)}"))
        if self.new:
            spans.append((Role.ACTIVE, f"  {self.new} new {self.bough.glyphs.below_arrow}"))
        if not self.whole:
            spans.append((Role.META, f"  reading{self.bough.glyphs.ellipsis}"))
        return spans

    # -- opening ------------------------------------------------------------------------------

    @override
    def begin(self) -> None:
        """Read first what will be looked at, then everything."""
        self.settle_in()
        if self.agent is not None:
            self.ask(partial(self._ready, self.agent, whole=True), self.show_opened)
        else:
            self.ask(self._read_first, self._show_first, group="first")

    def settle_in(self) -> None:
        """Look as it did when it was last left."""
        self.folds.thinking = self.bough.kept.thinking
        self.reader.wrapped = self.bough.kept.wrap
        self.reader.focus()
        self.fit_panes(self.size.width)

    def _read_first(self) -> Opened:
        place = self._stopped()
        offset = place.offset if place is not None and self.target is None else None
        session, whole = open_first(self.path, offset)
        return self._ready(session, whole=whole)

    @override
    def read_whole(self) -> Opened:
        """Read all of the session."""
        return self._ready(read_session(self.path), whole=True)

    def _ready(self, session: Session, *, whole: bool) -> Opened:
        uuid = self.target.uuid if self.target is not None else None
        telling = told(session, uuid, self.tip, self.bough.glyphs)
        return ready(telling, self.folds, self.target, whole=whole)

    def _show_first(self, found: object) -> None:
        if not isinstance(found, Opened) or found.whole:
            self.show_opened(found)
            return
        if not self.whole and found.telling.conversation.turns:
            self.telling = found.telling
            self.draw()
            self._go_to_start(found)
        self.ask(self.read_whole, self.show_opened)

    @override
    def show_opened(self, found: object) -> None:
        """Show the whole conversation; the first time, go to where reading begins."""
        if not isinstance(found, Opened):
            return
        first = self.telling is None or self.target is not None
        known, at_end = len(self.reader.pieces), self.reader.at_end
        was_whole, self.whole = self.whole, True
        self.telling = found.telling
        self.title_words = found.telling.session.title
        self.draw()
        if first:
            self._go_to_start(found)
        if was_whole and not at_end and not self.reader.follow:
            self.new += max(0, len(self.reader.pieces) - known)
        self.query_one("#side", Reel).show(found.outline)
        self.query_one("#facts", Reel).show(found.facts)
        self.say_where()

    @override
    def draw(self) -> None:
        """Show the conversation as it is folded now."""
        telling = self.telling
        if telling is None:
            return
        pieces = self.grafted(telling.pieces(self.folds))
        if not pieces:
            pieces = [say("none", "Nothing was said in this session.")]
        self.reader.show(pieces)
        self.say_keys()

    def _go_to_start(self, found: Opened) -> None:
        """Go to the target, else where reading stopped, else to the end."""
        if self.target is not None and self.target.uuid is not None:
            if found.goes_to is None:
                return
            target, self.target = self.target, None
            self.spots, self.reader.needle = found.spots, target.words
            if found.spot is not None:
                self.to_spot(found.spot)
            elif not self.reader.to_key(found.goes_to):
                self.reader.to_key(f"{found.goes_to}:")
            return
        place = self._stopped()
        if place is None or self.tip is not None or not self.reader.to_key(place.key):
            self.reader.to_end()
            self.reader.follow = self.bough.live_row(self.session_id) is not None

    @override
    def tell_branch(self, uuid: str) -> Telling:
        """Tell another branch of the session that is open."""
        session = self.telling.session if self.telling is not None else read_session(self.path)
        telling = told(session, uuid, None, self.bough.glyphs)
        telling.pieces(self.folds)
        return telling

    @override
    def show_branch(self, telling: Telling) -> None:
        """Show another branch; what comes live is then of that one."""
        self.telling, self._tail = telling, None
        self.tip = None if telling.conversation.active else telling.conversation.tip
        self.draw()
        self.say_where()
        self.ask(partial(ready, telling, self.folds, None, whole=True), self._beside, "beside")

    def _beside(self, found: object) -> None:
        if isinstance(found, Opened) and found.telling is self.telling:
            self.query_one("#side", Reel).show(found.outline)
            self.query_one("#facts", Reel).show(found.facts)

    @override
    def tell_part(self, session: Session) -> Telling:
        """Tell a part of the session."""
        telling = told(session, None, self.tip, self.bough.glyphs)
        telling.pieces(self.folds)
        return telling

    @override
    def follows(self) -> bool:
        """Follow a whole session, not one agent of it."""
        return self.whole and self.agent is None

    def _stopped(self) -> Stopped | None:
        return self.bough.kept.stopped.get(self.session_id)

    def remember(self) -> None:
        """Keep where reading stops; at the end there is nothing to keep."""
        top = self.reader.top
        if self.agent is not None or top is None or not self.reader.size.height:
            return
        turn = top.about.turn if isinstance(top.about, About) else None
        if self.reader.at_end or turn is None:
            self.bough.kept.stopped.pop(self.session_id, None)
        else:
            self.bough.kept.stop(self.session_id, Stopped(top.key, turn.offset))

    @override
    def do_back(self) -> None:
        """Close the find bar, else leave and keep where reading stopped."""
        self.remember()
        super().do_back()

    @override
    def another(self, tip: str, target: Target) -> Screen[object]:
        """Give a screen with another branch of the session."""
        return Conversation(
            self.path, title=self.title_words, project=self.project, tip=tip, target=target
        )

    # -- panes --------------------------------------------------------------------------------

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the panes where there is room."""
        self.fit_panes(event.size.width)

    def fit_panes(self, columns: int) -> None:
        """Show the panes that are wanted, where there is room."""
        kept = self.bough.kept
        self.query_one("#side").display = columns >= _WIDE and kept.outline
        self.query_one("#facts").display = columns >= _WIDE and kept.facts

    @override
    def on_reel_moved(self, event: Reel.Moved) -> None:
        """Say where the view is, in the outline too."""
        super().on_reel_moved(event)
        side = self.query_one("#side", Reel)
        if event.reel is self.reader and side.display and not side.has_focus:
            self._mark_prompt(side)

    def _mark_prompt(self, side: Reel) -> None:
        """Set the outline's cursor on the prompt whose turn is read."""
        reader = self.reader
        for at in range(min(reader.cursor, len(reader.pieces) - 1), -1, -1):
            piece = reader.pieces[at]
            if piece.kind in ("prompt", "seam"):
                number = side.number_of(f"o/{piece.key}")
                if number is not None and number != side.cursor:
                    side.to(number, top=False)
                return

    def do_outline(self) -> None:
        """Show or hide the outline."""
        self.bough.kept.outline = not self.bough.kept.outline
        self.fit_panes(self.size.width)

    def do_facts(self) -> None:
        """Show or hide the facts."""
        self.bough.kept.facts = not self.bough.kept.facts
        self.fit_panes(self.size.width)

    def do_pane(self) -> None:
        """Go to the next pane."""
        shown = [reel for reel in self.query(Reel) if reel.display]
        at = next((n for n, reel in enumerate(shown) if reel.has_focus), 0)
        shown[(at + 1) % len(shown)].focus()
