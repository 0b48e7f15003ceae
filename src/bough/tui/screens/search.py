"""Search: every hit while typing, grouped by session; Enter lands on the words."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from bough.backports import override
from bough.library import Completion, Hit, Vocabulary, apply_completion, complete_query
from bough.model.text.formats import format_duration, format_plural
from bough.terminal.style import Role, Span
from bough.terminal.text import one_line
from bough.tui.content.last_messages import hit_key, read_around_hit
from bough.tui.content.search_hits import (
    SearchOutcome,
    build_hint_items,
    build_hit_items,
    build_suggestion_items,
    describe_hit_position,
    load_vocabulary,
    matched_words_of,
    run_search,
)
from bough.tui.content.session_preview import build_message_items
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.preview_pane import PreviewPane
from bough.tui.widgets.cells import make_paragraph
from bough.tui.widgets.frame import Clicked, OneLine
from bough.tui.widgets.list_items import ListItem, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from textual.timer import Timer

    from bough.tui.app.app import Bough

_PAUSE: Final = 0.12
_SEARCHES: Final = 50
_MAX_COMPLETIONS: Final = 8
_ROOMY: Final = 100


class SearchScreen(BaseScreen):
    """Search everything."""

    KEYS: ClassVar = ("down", "open", "next-prompt", "find", "pane", "back", "help")
    WORDS: ClassVar = {
        "next-prompt": "next session",
        "previous-prompt": "previous session",
        "find": "query",
    }
    TITLE = "Search"

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.words = words
        self.found: SearchOutcome | None = None
        self.known = Vocabulary()
        self.offer = Completion(0, 0)
        self._timer: Timer | None = None
        self._opens_first_hit = False
        self.preview = PreviewPane(self, self._build_preview)
        self.parts = (self.preview,)

    @override
    def body(self) -> ComposeResult:
        """Set the box on top of the hits, and the preview beside them."""
        yield Input(self.words, placeholder="Search all sessions", id="box")
        yield OneLine(id="offers")
        with Horizontal(classes="halves"):
            yield ListView(id="list")
            yield self.preview.pane

    @override
    def begin(self) -> None:
        """Type first."""
        self.query_one("#offers", OneLine).display = False
        self.query_one("#box", Input).focus()
        self.run_in_thread(
            partial(load_vocabulary, self.bough.source), self._set_vocabulary, group="known"
        )
        self._show_hints()

    @override
    def describe_keys(self) -> Mapping[str, str]:
        """Say what Tab does while one types, and what is next among the hits."""
        if not isinstance(self.focused, Input):
            return self.WORDS
        return {"open": "read", "pane": "complete" if self.offer.items else "hits"}

    # -- typing -------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Ask after a short pause; an older answer is dropped."""
        if self._timer is not None:
            self._timer.stop()
        self.words = event.value
        self._show_completions()
        self._timer = self.set_timer(_PAUSE, self._search)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Go to the best hit at once."""
        self.query_one("#list", ListView).focus()
        if self.found is not None and self.found.query == self.words:
            self.do_open()
            return
        self._opens_first_hit = True
        if self._timer is not None:
            self._timer.stop()
        self._search()

    def _set_vocabulary(self, found: object) -> None:
        if isinstance(found, Vocabulary):
            self.known = found
            self._show_completions()

    def _show_completions(self) -> None:
        """Say below the box what may stand where one types."""
        box, line = self.query_one("#box", Input), self.query_one("#offers", OneLine)
        self.offer = complete_query(box.value, box.cursor_position, self.known)
        items = self.offer.items[:_MAX_COMPLETIONS]
        line.display = bool(items)
        spans: list[Span] = [(Role.META, "  Tab ")]
        for number, item in enumerate(items):
            about = f" {one_line(item.about)}" if item.about and number == 0 else ""
            role = Role.PROMPT if number == 0 else Role.META
            spans.append((role, f"{one_line(item.text)}{about}   "))
        line.click_actions = {number + 1: f"offers:{number}" for number in range(len(items))}
        line.write(spans)
        self.show_footer_keys()

    def insert_completion(self, number: int = 0) -> None:
        """Put in what was offered."""
        box = self.query_one("#box", Input)
        if number < len(self.offer.items):
            box.value, box.cursor_position = apply_completion(
                box.value, self.offer, self.offer.items[number]
            )
        box.focus()

    @override
    def on_clicked(self, event: Clicked) -> None:
        """Put in what was clicked."""
        kind, _, number = event.name.partition(":")
        if kind == "offers":
            self.insert_completion(int(number))

    # -- hits ---------------------------------------------------------------------------------

    def _search(self) -> None:
        self.run_in_thread(
            partial(run_search, self.bough.source, self.words), self._show, group="search"
        )

    @override
    def reload_from_index(self) -> None:
        """Ask again once the index is current."""
        if self.words.strip():
            self._search()

    def _show(self, found: object) -> None:
        if not isinstance(found, SearchOutcome):
            return
        if found.trouble and self.found is not None and self.found.page is not None:
            # A wrong query keeps the last good hits, and says what is wrong with it.
            found = SearchOutcome(found.query, self.found.page, found.trouble)
        same = self.found is not None and found.query == self.found.query
        self.found = found
        if found.page is None and not found.trouble:
            self._show_hints()
        else:
            rows = self.query_one("#list", ListView)
            rows.show(list(self._build_items(found)))
            if not same:
                rows.go_to_start()
        self.show_footer_keys()
        if self._opens_first_hit:
            self._opens_first_hit = False
            self.do_open()

    def _show_hints(self) -> None:
        rows = self.query_one("#list", ListView)
        rows.show(build_hint_items(self.bough.saved_state.searches))
        rows.go_to_start()

    @override
    def build_status_spans(self) -> list[Span]:
        """Say how much was found."""
        page = self.found.page if self.found is not None else None
        if page is None or self.found is None:
            return []
        more = "" if page.exact else "+"
        where = (
            f" in {format_plural(page.sessions, 'session')}" if page.sessions is not None else ""
        )
        hits = "1 hit" if page.total == 1 and page.exact else f"{page.total:,}{more} hits"
        if self.size.width < _ROOMY:
            return [(Role.META, hits)]
        return [(Role.META, f"{hits}{where}, {format_duration(self.found.took)}")]

    def _build_items(self, found: SearchOutcome) -> Iterator[ListItem]:
        if found.trouble:
            yield make_paragraph("trouble", found.trouble, Role.ERROR)
        if self.bough.indexing:
            yield make_line_item("indexing", f"{self.bough.indexing}. These are the hits so far.")
        page = found.page
        if page is None:
            return
        if not page.hits and not found.trouble:
            yield make_line_item("none", f'No hit for "{one_line(found.query)}".')
            yield from build_suggestion_items(found)
        yield from build_hit_items(page.hits, self.make_canvas(), found.in_sessions, found.kept)
        for sentence in page.partial:
            yield make_paragraph(f"partial/{sentence}", sentence)

    # -- the preview --------------------------------------------------------------------------

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the preview where there is room."""
        self.preview.fit(event.size.width)

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Let the preview follow the cursor."""
        self.preview.follow_cursor(event.list_view)

    def _build_preview(self, item: ListItem | None) -> Sequence[ListItem]:
        """Show what was said before the hit, in it, and after it."""
        hit = item.about if item is not None else None
        if not isinstance(hit, Hit):
            return []
        self.preview.pane.needle = matched_words_of(hit)
        seen = self.preview.request(hit_key(hit), partial(read_around_hit, hit))
        head = [
            make_line_item("title", one_line(hit.title), Role.PROMPT),
            make_blank_item("title."),
        ]
        canvas, glyphs = self.make_canvas(), self.bough.glyphs
        return [*head, *(build_message_items(seen, canvas, glyphs) if seen is not None else ())]

    # -- keys ---------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Land on the words; a search of before is made again."""
        rows = self.query_one("#list", ListView)
        hits = [item.about for item in rows.pieces if isinstance(item.about, Hit)]
        picked = rows.picked
        if picked is not None and isinstance(picked.about, str):
            self.query_one("#box", Input).value = picked.about
            self._opens_first_hit = False
        elif picked is not None and isinstance(picked.about, Hit):
            self.bough.hits = hits
            self.bough.hit_page = self.found.page if self.found is not None else None
            self.bough.hit_words = self.found.query if self.found is not None else ""
            self._save_query()
            go_to_hit(self.bough, hits.index(picked.about))

    def _save_query(self) -> None:
        kept = self.bough.saved_state
        others = [one for one in kept.searches if one != self.words]
        kept.searches = [self.words, *others][:_SEARCHES]

    def do_unfold(self) -> None:
        """Go into the preview, where there is one; else land on the words."""
        if self.preview.is_shown:
            self.preview.pane.focus()
        else:
            self.do_open()

    def do_fold(self) -> None:
        """Go back to the hits."""
        self.query_one("#list", ListView).focus()

    def do_next_prompt(self) -> None:
        """Go to the next session."""
        self._switch_session(1)

    def do_previous_prompt(self) -> None:
        """Go to the previous session."""
        self._switch_session(-1)

    def _switch_session(self, by: int) -> None:
        rows = self.query_one("#list", ListView)
        if by < 0:
            rows.jump(("session",), -1)
            rows.step(-1)
        if rows.jump(("session",), by):
            rows.go_to(rows.cursor, top=False)

    def do_find(self) -> None:
        """Go back to the box."""
        self.query_one("#box", Input).focus()

    def do_pane(self) -> None:
        """Put in what is offered while typing; else go to the next part."""
        box, rows = self.query_one("#box", Input), self.query_one("#list", ListView)
        if box.has_focus and self.offer.items:
            self.insert_completion()
        elif box.has_focus:
            rows.focus()
        elif rows.has_focus and self.preview.is_shown:
            self.preview.pane.focus()
        else:
            box.focus()

    def do_down(self) -> None:
        """Go to the hits, then down in them."""
        if self.query_one("#box", Input).has_focus:
            self.query_one("#list", ListView).focus()
        else:
            self.list_keys.do_down()

    def do_up(self) -> None:
        """Go up in the hits, from the first to the box."""
        rows = self.query_one("#list", ListView)
        if not rows.has_focus or any(item.picked for item in rows.pieces[: rows.cursor]):
            self.list_keys.do_up()
        else:
            self.query_one("#box", Input).focus()


def go_to_hit(app: "Bough", number: int, *, instead: bool = False) -> None:
    """Open a hit of the last search; `instead` of the conversation that is seen."""
    from bough.tui.screens.conversation.screen import ConversationScreen, Target  # noqa: PLC0415

    if not app.hits:
        return
    app.hit = number % len(app.hits)
    hit = app.hits[app.hit]
    if app.hit_page is not None:
        app.hit_position = describe_hit_position(app.hits, app.hit, app.hit_page)
    if isinstance(hit, Hit):
        target = Target(hit.uuid, matched_words_of(hit))
        screen = ConversationScreen(
            hit.path, title=hit.title, project=hit.project_name, target=target
        )
        app.open(screen, instead=instead)
