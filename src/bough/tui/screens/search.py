"""Search: every hit while typing, grouped by session; Enter lands on the words."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from bough.query.search.completion import Completion, Vocabulary, complete, put
from bough.query.search.search import Hit
from bough.tui.content.last_messages import around, hit_key
from bough.tui.content.search_hits import (
    Found,
    ask,
    hint_pieces,
    hit_pieces,
    instead_pieces,
    words_found,
    words_known,
)
from bough.tui.content.session_preview import said_pieces
from bough.tui.override import override
from bough.tui.screens.with_preview import Beside
from bough.tui.style.style import Role, Span, duration, one_line, plural
from bough.tui.widgets.cells import told
from bough.tui.widgets.frame import Clicked, OneLine
from bough.tui.widgets.list_items import Piece, blank, say
from bough.tui.widgets.list_view import Reel

if TYPE_CHECKING:
    from textual.timer import Timer

    from bough.tui.app.app import Bough

_PAUSE: Final = 0.12
_SEARCHES: Final = 50
_SHOWN: Final = 8
_ROOMY: Final = 100


class Search(Beside):
    """Search everything."""

    KEYS: ClassVar = ("down", "open", "next-prompt", "find", "pane", "back", "help")
    TITLE = "Search"

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.words = words
        self.found: Found | None = None
        self.known = Vocabulary()
        self.offer = Completion(0, 0)
        self._timer: Timer | None = None
        self._hurries = False

    @override
    def body(self) -> ComposeResult:
        """Set the box on top of the hits, and the preview beside them."""
        yield Input(self.words, placeholder="Search all sessions", id="box")
        yield OneLine(id="offers")
        with Horizontal(classes="halves"):
            yield Reel(id="list")
            yield Reel(id="preview")

    @override
    def begin(self) -> None:
        """Type first."""
        self.query_one("#offers", OneLine).display = False
        self.query_one("#box", Input).focus()
        self.ask(partial(words_known, self.bough.source), self._know, group="known")
        self._hint()

    @override
    def words_now(self) -> Mapping[str, str]:
        """Say what Tab does while one types."""
        if not isinstance(self.focused, Input):
            return {}
        return {"open": "read", "pane": "complete" if self.offer.items else "hits"}

    # -- typing -------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Ask after a short pause; an older answer is dropped."""
        if self._timer is not None:
            self._timer.stop()
        self.words = event.value
        self._offer()
        self._timer = self.set_timer(_PAUSE, self._search)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Go to the best hit at once."""
        self.query_one("#list", Reel).focus()
        if self.found is not None and self.found.query == self.words:
            self.do_open()
            return
        self._hurries = True
        if self._timer is not None:
            self._timer.stop()
        self._search()

    def _know(self, found: object) -> None:
        if isinstance(found, Vocabulary):
            self.known = found
            self._offer()

    def _offer(self) -> None:
        """Say below the box what may stand where one types."""
        box, line = self.query_one("#box", Input), self.query_one("#offers", OneLine)
        self.offer = complete(box.value, box.cursor_position, self.known)
        items = self.offer.items[:_SHOWN]
        line.display = bool(items)
        spans: list[Span] = [(Role.META, "  Tab ")]
        for number, item in enumerate(items):
            about = f" {one_line(item.about)}" if item.about and number == 0 else ""
            role = Role.PROMPT if number == 0 else Role.META
            spans.append((role, f"{one_line(item.text)}{about}   "))
        line.names = {number + 1: f"offers:{number}" for number in range(len(items))}
        line.write(spans)
        self.say_keys()

    def take(self, number: int = 0) -> None:
        """Put in what was offered."""
        box = self.query_one("#box", Input)
        if number < len(self.offer.items):
            box.value, box.cursor_position = put(box.value, self.offer, self.offer.items[number])
        box.focus()

    @override
    def on_clicked(self, event: Clicked) -> None:
        """Put in what was clicked."""
        kind, _, number = event.name.partition(":")
        if kind == "offers":
            self.take(int(number))

    # -- hits ---------------------------------------------------------------------------------

    def _search(self) -> None:
        self.ask(partial(ask, self.bough.source, self.words), self._show, group="search")

    @override
    def indexed(self) -> None:
        """Ask again once the index is current."""
        if self.words.strip():
            self._search()

    def _show(self, found: object) -> None:
        if not isinstance(found, Found):
            return
        if found.trouble and self.found is not None and self.found.page is not None:
            # A wrong query keeps the last good hits, and says what is wrong with it.
            found = Found(found.query, self.found.page, found.trouble)
        same = self.found is not None and found.query == self.found.query
        self.found = found
        if found.page is None and not found.trouble:
            self._hint()
        else:
            reel = self.query_one("#list", Reel)
            reel.show(list(self._pieces(found)))
            if not same:
                reel.to_start()
        self.say_keys()
        if self._hurries:
            self._hurries = False
            self.do_open()

    def _hint(self) -> None:
        reel = self.query_one("#list", Reel)
        reel.show(hint_pieces(self.bough.kept.searches))
        reel.to_start()

    @override
    def state_words(self) -> list[Span]:
        """Say how much was found."""
        page = self.found.page if self.found is not None else None
        if page is None or self.found is None:
            return []
        more = "" if page.exact else "+"
        where = f" in {plural(page.sessions, 'session')}" if page.sessions is not None else ""
        hits = "1 hit" if page.total == 1 and page.exact else f"{page.total:,}{more} hits"
        if self.size.width < _ROOMY:
            return [(Role.META, hits)]
        return [(Role.META, f"{hits}{where}, {duration(self.found.took)}")]

    def _pieces(self, found: Found) -> Iterator[Piece]:
        if found.trouble:
            yield told("trouble", found.trouble, Role.ERROR)
        if self.bough.indexing:
            yield say("indexing", f"{self.bough.indexing}. These are the hits so far.")
        page = found.page
        if page is None:
            return
        if not page.hits:
            yield say("none", f'No hit for "{one_line(found.query)}".')
            yield from instead_pieces(found)
        yield from hit_pieces(page.hits, self.sheet())
        for sentence in page.partial:
            yield told(f"partial/{sentence}", sentence)

    # -- the preview --------------------------------------------------------------------------

    @override
    def preview(self, piece: Piece | None) -> Sequence[Piece]:
        """Show what was said before the hit, in it, and after it."""
        hit = piece.about if piece is not None else None
        reel = self.query_one("#preview", Reel)
        if not isinstance(hit, Hit):
            return []
        reel.needle = words_found(hit)
        seen = self.glimpse(hit_key(hit), partial(around, hit))
        head = [say("title", one_line(hit.title), Role.PROMPT), blank("title.")]
        sheet, glyphs = self.sheet(), self.bough.glyphs
        return [*head, *(said_pieces(seen, sheet, glyphs) if seen is not None else ())]

    # -- keys ---------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Land on the words; a search of before is made again."""
        reel = self.query_one("#list", Reel)
        hits = [piece.about for piece in reel.pieces if isinstance(piece.about, Hit)]
        picked = reel.picked
        if picked is not None and isinstance(picked.about, str):
            self.query_one("#box", Input).value = picked.about
            self._hurries = False
        elif picked is not None and isinstance(picked.about, Hit):
            self.bough.hits = hits
            self._keep_query()
            go_to_hit(self.bough, hits.index(picked.about))

    def _keep_query(self) -> None:
        kept = self.bough.kept
        others = [one for one in kept.searches if one != self.words]
        kept.searches = [self.words, *others][:_SEARCHES]

    def do_unfold(self) -> None:
        """Go into the preview, where there is one; else land on the words."""
        if self.previews:
            self.query_one("#preview", Reel).focus()
        else:
            self.do_open()

    def do_fold(self) -> None:
        """Go back to the hits."""
        self.query_one("#list", Reel).focus()

    def do_next_prompt(self) -> None:
        """Go to the next session."""
        self._other_session(1)

    def do_previous_prompt(self) -> None:
        """Go to the previous session."""
        self._other_session(-1)

    def _other_session(self, by: int) -> None:
        reel = self.query_one("#list", Reel)
        if by < 0:
            reel.jump(("session",), -1)
            reel.step(-1)
        if reel.jump(("session",), by):
            reel.to(reel.cursor, top=False)

    def do_find(self) -> None:
        """Go back to the box."""
        self.query_one("#box", Input).focus()

    @override
    def do_pane(self) -> None:
        """Put in what is offered while typing; else go to the next part."""
        box, rows = self.query_one("#box", Input), self.query_one("#list", Reel)
        if box.has_focus and self.offer.items:
            self.take()
        elif box.has_focus:
            rows.focus()
        elif rows.has_focus and self.previews:
            self.query_one("#preview", Reel).focus()
        else:
            box.focus()

    @override
    def do_down(self) -> None:
        """Go to the hits, then down in them."""
        if self.query_one("#box", Input).has_focus:
            self.query_one("#list", Reel).focus()
        else:
            super().do_down()

    @override
    def do_up(self) -> None:
        """Go up in the hits, from the first to the box."""
        reel = self.query_one("#list", Reel)
        if not reel.has_focus or any(piece.picked for piece in reel.pieces[: reel.cursor]):
            super().do_up()
        else:
            self.query_one("#box", Input).focus()


def go_to_hit(app: "Bough", number: int, *, instead: bool = False) -> None:
    """Open a hit of the last search; `instead` of the conversation that is seen."""
    from bough.tui.screens.conversation.screen import Conversation, Target  # noqa: PLC0415

    if not app.hits:
        return
    app.hit = number % len(app.hits)
    hit = app.hits[app.hit]
    if isinstance(hit, Hit):
        target = Target(hit.uuid, words_found(hit))
        screen = Conversation(hit.path, title=hit.title, project=hit.project_name, target=target)
        app.open(screen, instead=instead)
