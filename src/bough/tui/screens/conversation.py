"""Conversation: one way through a session, read, folded, searched and followed live.

Shown twice: what a person looks at first, at once, then the whole behind it. Neither what
comes later nor what is folded moves the first visible line.
"""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from bough.library import Session
from bough.model.exchanges import Exchange
from bough.model.overview import Branch, Seam
from bough.model.turns import Turn
from bough.query.events import Event
from bough.tui.looks import Role, Span, share
from bough.tui.overriding import override
from bough.tui.panes import fact_pieces, outline_pieces
from bough.tui.pieces import Piece, say
from bough.tui.reel import Reel
from bough.tui.screens.reading import Reading
from bough.tui.source import is_small, open_part, open_whole
from bough.tui.state import Stopped
from bough.tui.telling import About, Telling

_WIDE: Final = 120
_QUIET: Final = 1.5
"""After so many seconds without news a large session is read whole again."""


class Target(Struct, frozen=True):
    """Where to go once a session is open: a record, and words in it."""

    uuid: str | None = None
    words: str = ""


class Conversation(Reading):
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
        self.whole = False
        self._reading = False
        self._again = False

    @override
    def body(self) -> ComposeResult:
        """Set the outline, the reader and the facts side by side."""
        with Horizontal():
            yield Reel(id="side", rail=False)
            yield self.reader
            yield Reel(id="facts", rail=False)
        yield Input(placeholder="Find in this conversation", id="find", classes="hidden")

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
        spans: list[Span] = []
        if self.spots:
            spans.append((Role.MATCH, f" {self.spot + 1} of {len(self.spots):,} "))
        if self.reader.follow:
            spans.append((Role.ACTIVE, "  following"))
        spans.append((Role.META, f"  {share(self.reader.part)}"))
        if self.new:
            spans.append((Role.ACTIVE, f"  {self.new} new ↓"))
        if not self.whole:
            spans.append((Role.META, "  reading…"))
        return spans

    # -- opening ------------------------------------------------------------------------------

    @override
    def begin(self) -> None:
        """Read first what will be looked at, then everything."""
        self.folds.thinking = self.bough.kept.thinking
        self.reader.wrapped = self.bough.kept.wrap
        self.reader.focus()
        self._fit(self.size.width)
        if self.agent is not None:
            self.ask(partial(self._told, self.agent), self._show_whole)
        elif is_small(self.path):
            self.ask(self._read_whole, self._show_whole)
        else:
            self.ask(self._read_part, self._show_part, group="part")

    def _read_part(self) -> Telling:
        place = self._stopped()
        offset = place.offset if place is not None and self.target is None else None
        return self._told(open_part(self.path, offset))

    def _read_whole(self) -> Telling:
        return self._told(open_whole(self.path))

    def _told(self, session: Session) -> Telling:
        wanted = self.target.uuid if self.target is not None else self.tip
        if wanted is not None and wanted not in session.tree.number:
            wanted = None
        telling = Telling(
            session,
            wanted or self.tip if self._knows(session) else wanted,
            glyphs=self.bough.glyphs,
        )
        telling.pieces(self.folds)
        return telling

    def _knows(self, session: Session) -> bool:
        return self.tip is not None and self.tip in session.tree.number

    def _show_part(self, found: object) -> None:
        if isinstance(found, Telling) and not self.whole and found.conversation.turns:
            self.telling = found
            self.draw(first=True)
        self.ask(self._read_whole, self._show_whole)

    def _show_whole(self, found: object) -> None:
        if not isinstance(found, Telling):
            return
        first = self.telling is None or self.target is not None
        known = len(self.reader.pieces)
        was_whole, self.whole = self.whole, True
        self.telling = found
        self.title_words = found.session.title
        self.draw(first=first)
        if was_whole and not self.reader.at_end:
            self.new += max(0, len(self.reader.pieces) - known)
        self._side_panes()
        self.say_where()
        self._reading = False
        if self._again:
            self._again = False
            self._read_again()

    @override
    def draw(self, *, first: bool = False) -> None:
        """Show the conversation; the first time, go to where reading begins."""
        telling = self.telling
        if telling is None:
            return
        pieces = telling.pieces(self.folds)
        if not pieces:
            pieces = [say("none", "Nothing was said in this session.")]
        self.reader.show(pieces)
        if first:
            self._go_to_start_place()
        self.say_keys()

    def _go_to_start_place(self) -> None:
        """Go to the target, else where reading stopped, else to the end."""
        telling, target = self.telling, self.target
        if telling is None:
            return
        if target is not None and target.uuid is not None:
            turn = telling.holding(target.uuid)
            if turn is None:
                return
            self.target = None
            self._go_to_words(turn, target)
            return
        place = self._stopped()
        if place is None or self.tip is not None or not self.reader.to_key(place.key):
            self.reader.to_end()
            self.reader.follow = self.bough.live_row(telling.session.id) is not None

    def _go_to_words(self, turn: Turn, target: Target) -> None:
        telling = self.telling
        if telling is None:
            return
        if target.words:
            self.spots = telling.spots(target.words)
            self.reader.needle = target.words
            inside = {spot.key for spot in telling.spots(target.words, turn)}
            found = next((n for n, s in enumerate(self.spots) if s.key in inside), None)
            if found is not None:
                self._to_spot(found)
                return
        if not self.reader.to_key(telling.key_of(turn)):
            self.reader.to_key(f"{telling.key_of(turn)}:")

    def _stopped(self) -> Stopped | None:
        return self.bough.kept.stopped.get(self._session_id)

    def remember(self) -> None:
        """Keep where reading stops; at the end there is nothing to keep."""
        top = self.reader.top
        if self.agent is not None or top is None or not self.reader.size.height:
            return
        turn = top.about.turn if isinstance(top.about, About) else None
        if self.reader.at_end or turn is None:
            self.bough.kept.stopped.pop(self._session_id, None)
        else:
            self.bough.kept.stop(self._session_id, Stopped(top.key, turn.offset))

    @override
    def do_back(self) -> None:
        """Close the find bar, else leave and keep where reading stopped."""
        self.remember()
        super().do_back()

    # -- live ---------------------------------------------------------------------------------

    def hear(self, heard: Sequence[Event]) -> None:
        """Read on when the session's file grew."""
        if self.agent is not None or not self.whole:
            return
        if any(event.session == self._session_id and not event.past for event in heard):
            self._read_again()

    def _read_again(self) -> None:
        if self._reading:
            self._again = True
            return
        self._reading = True
        if is_small(self.path):
            self.ask(self._read_whole, self._show_whole)
        else:
            self.ask(self._read_end, self._graft, group="graft")

    def _read_end(self) -> Telling:
        return self._told(open_part(self.path))

    def _graft(self, found: object) -> None:
        """Put the newest turns of a large session behind those that are known."""
        self._reading = False
        if not isinstance(found, Telling) or self.telling is None:
            return
        fresh = found.pieces(self.folds)
        known = {piece.key: at for at, piece in enumerate(self.reader.pieces)}
        shared = next(
            (n for n, p in enumerate(fresh) if p.kind == "prompt" and p.key in known), None
        )
        if shared is not None:
            before = len(self.reader.pieces)
            kept = [*self.reader.pieces[: known[fresh[shared].key]], *fresh[shared:]]
            self.reader.show(kept)
            if not self.reader.at_end:
                self.new += max(0, len(kept) - before)
        self.set_timer(_QUIET, self._catch_up)
        self.say_keys()

    def _catch_up(self) -> None:
        if not self._reading:
            self._reading = True
            self.ask(self._read_whole, self._show_whole)

    # -- panes --------------------------------------------------------------------------------

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the panes where there is room."""
        self._fit(event.size.width)

    def _fit(self, columns: int) -> None:
        kept = self.bough.kept
        self.query_one("#side").display = columns >= _WIDE and kept.outline
        self.query_one("#facts").display = columns >= _WIDE and kept.facts

    def _side_panes(self) -> None:
        if self.telling is not None:
            self.query_one("#side", Reel).show(outline_pieces(self.telling))
            self.query_one("#facts", Reel).show(fact_pieces(self.telling))

    def do_outline(self) -> None:
        """Show or hide the outline."""
        self.bough.kept.outline = not self.bough.kept.outline
        self._fit(self.size.width)

    def do_facts(self) -> None:
        """Show or hide the facts."""
        self.bough.kept.facts = not self.bough.kept.facts
        self._fit(self.size.width)

    def do_pane(self) -> None:
        """Go to the next pane."""
        shown = [reel for reel in self.query(Reel) if reel.display]
        at = next((n for n, reel in enumerate(shown) if reel.has_focus), 0)
        shown[(at + 1) % len(shown)].focus()

    # -- opening things -----------------------------------------------------------------------

    @override
    def do_open(self) -> None:
        """Open what is under the cursor: read a branch, go to a prompt, unfold the rest."""
        reel = self.reel
        picked = reel.picked if reel is not None else None
        if picked is None or self.telling is None:
            return
        if reel is not self.reader:
            self._open_beside(picked)
        elif picked.kind == "twig" and isinstance(picked.about, About):
            self._read_branch(picked.about.item)
        elif picked.kind == "seam" and isinstance(picked.about, About):
            self._show_dropped(picked, picked.about.item)
        else:
            self.do_toggle()

    def _open_beside(self, picked: Piece) -> None:
        if isinstance(picked.about, Branch):
            self._read_branch(picked.about)
        elif isinstance(picked.about, str):
            self.reader.to_key(picked.about)
            self.reader.focus()

    def _read_branch(self, branch: object) -> None:
        asked = (
            [i for i in branch.items if isinstance(i, Exchange)]
            if isinstance(branch, Branch)
            else []
        )
        last = next((one.uuid for one in reversed(asked) if one.uuid), None)
        if last is not None:
            screen = Conversation(
                self.path,
                title=self.title_words,
                project=self.project,
                tip=last,
                target=Target(asked[0].uuid),
            )
            self.bough.open(screen)

    def _show_dropped(self, picked: Piece, seam: object) -> None:
        from bough.tui.screens.dropped import Dropped  # noqa: PLC0415

        if not self.folds.is_open(picked.key):
            self.do_toggle()
        elif isinstance(seam, Seam) and self.telling is not None:
            self.bough.open(Dropped(self.telling, seam))

    def do_compare(self) -> None:
        """Compare the branch under the cursor with the active one."""
        from bough.tui.screens.compare import Compare  # noqa: PLC0415

        picked = self.reader.picked
        about = picked.about if picked is not None else None
        if self.telling is None or not self.whole:
            return
        session, tip = self.telling.session, self.telling.conversation.tip
        if isinstance(about, About) and isinstance(about.item, Branch):
            asked = [i for i in about.item.items if isinstance(i, Exchange)]
            tip = next((one.uuid for one in reversed(asked) if one.uuid), tip)
        active = session.active_tip
        if active is not None and tip is not None and tip != active:
            self.bough.open(Compare(session, active, tip))
        else:
            self.bough.tell(
                "This is the active branch. Compare another: c on a twig or in the tree."
            )
