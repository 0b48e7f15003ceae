"""Search: every hit while typing, grouped by session; Enter lands on the words."""

from collections.abc import Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec import Struct
from textual.app import ComposeResult
from textual.widgets import Input

from bough.errors import BoughError
from bough.query.search import Hit, SearchPage, search
from bough.query.zones import Local
from bough.store.searchql import Query, parse
from bough.tui.looks import (
    Line,
    Role,
    Sheet,
    Span,
    clean,
    duration,
    now,
    one_line,
    pad,
    plural,
    spans_styles,
    who,
)
from bough.tui.overriding import override
from bough.tui.pieces import Piece, say
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.rows import cells

if TYPE_CHECKING:
    from textual.timer import Timer

    from bough.tui.app import Bough

_PAUSE: Final = 0.12
_LIMIT: Final = 100
_ROLES: Final = {
    "prompt": Role.PROMPT,
    "text": Role.CLAUDE,
    "thinking": Role.THINKING,
    "tool_input": Role.TOOL,
    "tool_result": Role.TOOL,
}


class Found(Struct, frozen=True):
    """What a query gave, or why it makes no sense."""

    query: str
    page: SearchPage | None = None
    trouble: str = ""
    took: float = 0.0


class Search(Place):
    """Search everything."""

    KEYS: ClassVar = ("down", "open", "next-prompt", "find", "back", "help")
    TITLE = "Search"

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.words = words
        self.found: Found | None = None
        self._timer: Timer | None = None
        self._hurries = False

    @override
    def body(self) -> ComposeResult:
        """Set the box on top of the hits."""
        yield Input(
            self.words,
            placeholder='words "exact words" tool:Bash project:x after:yesterday',
            id="box",
        )
        yield Reel(id="list")

    @override
    def begin(self) -> None:
        """Type first."""
        self.query_one("#box", Input).focus()
        self.query_one("#list", Reel).show(
            [say("hint", "Type to search all sessions. ↓ goes to the hits.")]
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        """Ask after a short pause; an older answer is dropped."""
        if self._timer is not None:
            self._timer.stop()
        self.words = event.value
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

    def _search(self) -> None:
        self.ask(partial(ask, self.bough, self.words), self._show, group="search")

    def _show(self, found: object) -> None:
        if not isinstance(found, Found):
            return
        if found.trouble and self.found is not None and self.found.page is not None:
            # A wrong query keeps the last good hits, and says what is wrong with it.
            found = Found(found.query, self.found.page, found.trouble)
        self.found = found
        reel = self.query_one("#list", Reel)
        reel.needle = ""
        reel.show(list(self._pieces(found)))
        reel.to_start()
        self.say_keys()
        if self._hurries:
            self._hurries = False
            self.do_open()

    @override
    def state_words(self) -> list[Span]:
        """Say how much was found."""
        page = self.found.page if self.found is not None else None
        if page is None or self.found is None:
            return []
        more = "" if page.exact else "+"
        where = f" in {plural(page.sessions, 'session')}" if page.sessions is not None else ""
        return [(Role.META, f"{page.total:,}{more} hits{where}, {duration(self.found.took)}")]

    def _pieces(self, found: Found) -> Iterator[Piece]:
        if found.trouble:
            yield say("trouble", one_line(found.trouble), Role.ERROR)
        page = found.page
        if page is None:
            return
        if not page.hits:
            yield say("none", f'No hit for "{one_line(found.query)}".')
        sheet = Sheet(now(), spans_styles(self.bough.glyphs), 80)
        number = 0
        for hits in by_session(page.hits):
            yield Piece(f"s/{number}", partial(_heading, hits), "session", picked=False)
            for hit in hits:
                yield Piece(f"h/{number}", partial(_hit_line, hit, sheet), "hit", hit)
                number += 1
        for sentence in page.partial:
            yield say(f"partial/{sentence}", sentence)

    # -- keys ---------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Land on the words."""
        reel = self.query_one("#list", Reel)
        hits = [piece.about for piece in reel.pieces if isinstance(piece.about, Hit)]
        picked = reel.picked
        if picked is None or not isinstance(picked.about, Hit) or self.found is None:
            return
        self.bough.hits = hits
        self._keep_query()
        go_to_hit(self.bough, hits.index(picked.about))

    def _keep_query(self) -> None:
        kept = self.bough.kept
        kept.searches = [self.words, *(one for one in kept.searches if one != self.words)][:50]

    def do_unfold(self) -> None:
        """Land on the words."""
        self.do_open()

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
    def do_down(self) -> None:
        """Go to the hits, then down in them."""
        reel = self.query_one("#list", Reel)
        if reel.has_focus:
            reel.step(1)
        else:
            reel.focus()

    @override
    def do_up(self) -> None:
        """Go up in the hits, from the first to the box."""
        reel = self.query_one("#list", Reel)
        if any(piece.picked for piece in reel.pieces[: reel.cursor]):
            reel.step(-1)
        else:
            self.query_one("#box", Input).focus()


def ask(app: "Bough", text: str) -> Found:
    """Search; what is wrong with a query is an answer too."""
    if not text.strip():
        return Found(text)
    start = perf_counter()
    try:
        query = parse(text, now(), Local())
        if query == Query():
            return Found(text)
        with app.source.handle() as handle:
            roots = tuple(f"{folder / 'projects'}/" for folder in handle.folders)
            page = search(handle.store, query, limit=_LIMIT, roots=roots)
    except BoughError as error:
        return Found(text, trouble=error.message)
    return Found(text, page, took=perf_counter() - start)


def by_session(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Group hits by session, in the order of the best of each."""
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        groups.setdefault((hit.project, hit.session), []).append(hit)
    return list(groups.values())


def go_to_hit(app: "Bough", number: int, *, instead: bool = False) -> None:
    """Open a hit of the last search; `instead` of the conversation that is seen."""
    from bough.tui.screens.conversation import Conversation, Target  # noqa: PLC0415

    if not app.hits:
        return
    app.hit = number % len(app.hits)
    hit = app.hits[app.hit]
    if not isinstance(hit, Hit):
        return
    words = hit.snippet[slice(*hit.marks[0])] if hit.snippet and hit.marks else ""
    screen = Conversation(
        hit.path, title=hit.title, project=hit.project_name, target=Target(hit.uuid, words)
    )
    if instead:
        app.open(screen, instead=True)
    else:
        app.open(screen)


def _heading(hits: Sequence[Hit], columns: int) -> list[Line]:
    first = hits[0]
    left: list[Span] = [(Role.META, f"{first.session[:8]}  "), (Role.PROMPT, one_line(first.title))]
    right: list[Span] = [(Role.META, f"{one_line(first.project_name)}  {len(hits)}")]
    return [cells(left, right, columns)]


def _hit_line(hit: Hit, sheet: Sheet, columns: int) -> list[Line]:
    speaker = pad(one_line(who(hit, sheet)), 8)
    left: list[Span] = [
        (Role.META, f"  {sheet.time(hit.timestamp):>9}  "),
        (_ROLES.get(hit.kind, Role.META), f"{speaker}  "),
        *_marked(hit),
    ]
    note = "left behind" if hit.branch is not None and not hit.active else ""
    agent = f"agent {one_line(hit.agent_type or hit.agent)}" if hit.agent else ""
    right = ", ".join(word for word in (agent, note) if word)
    return [cells(left, [(Role.META, right)] if right else [], columns)]


def _marked(hit: Hit) -> list[Span]:
    if hit.snippet is None:
        return [(Role.META, "the file has changed since it was read")]
    spans: list[Span] = []
    place = 0
    for start, end in hit.marks:
        spans += [(Role.CLAUDE, hit.snippet[place:start]), (Role.MATCH, hit.snippet[start:end])]
        place = end
    spans.append((Role.CLAUDE, hit.snippet[place:]))
    return [(role, clean(text).replace("\n", " ")) for role, text in spans if text]
