"""Hits as rows, grouped by session, what was found set off in them.

What the search screen says where it has no hits: how one searches, what to try instead.

Questions of the search screen, asked in workers: hits, what to try instead, what fits.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.errors import BoughError
from bough.query.search.completion import vocabulary_of
from bough.query.search.search import Hit, SearchPage, search
from bough.query.search.suggestions import Suggestion, suggest
from bough.query.usage.time_zones import Local
from bough.store.query_language import Query, parse
from bough.tui.style.style import (
    HIT_ROLES,
    Line,
    Role,
    Sheet,
    Span,
    by_session,
    clean,
    elsewhere,
    hit_note,
    now,
    one_line,
    pad,
    who,
    width,
)
from bough.tui.widgets.cells import cells
from bough.tui.widgets.list_items import Piece, blank, say, still

if TYPE_CHECKING:
    from bough.query.search.completion import Vocabulary
    from bough.tui.data import Source

_SPEAKER: Final = 8


def hit_pieces(hits: Sequence[Hit], sheet: Sheet) -> Iterator[Piece]:
    """Set each session's name above its hits; what forks took along is set once."""
    number = 0
    others = elsewhere(hits)
    for group in by_session([hit for hit in hits if id(hit) in others]):
        yield Piece(f"s/{number}", partial(_heading, group), "session", picked=False)
        for hit in group:
            yield Piece(f"h/{number}", partial(_hit_line, hit, sheet, others[id(hit)]), "hit", hit)
            number += 1


def words_found(hit: Hit) -> str:
    """Give the first words of a hit that were found."""
    return hit.snippet[slice(*hit.marks[0])] if hit.snippet and hit.marks else ""


def _heading(hits: Sequence[Hit], columns: int) -> list[Line]:
    first = hits[0]
    left: list[Span] = [(Role.META, f"{first.session[:8]}  "), (Role.PROMPT, one_line(first.title))]
    number = f"{len(hits)} hits" if len(hits) > 1 else "1 hit"
    right: list[Span] = [(Role.META, f"{one_line(first.project_name)}  {number}")]
    return [cells(left, right, columns)]


def _hit_line(hit: Hit, sheet: Sheet, others: int, columns: int) -> list[Line]:
    speaker = pad(one_line(who(hit, sheet)), _SPEAKER)
    lead: list[Span] = [
        (Role.META, f"  {sheet.time(hit.timestamp):>9}  "),
        (HIT_ROLES.get(hit.kind, Role.META), f"{speaker}  "),
    ]
    right = hit_note(hit, others, short=True)
    room = columns - sum(width(text) for _, text in lead) - (width(right) + 2 if right else 0)
    return [cells([*lead, *_marked(hit, room)], [(Role.META, right)] if right else [], columns)]


def _marked(hit: Hit, room: int) -> list[Span]:
    """Set off what was found; where that stands too far right, the text begins later."""
    if hit.snippet is None:
        return [(Role.META, "the file has changed since it was read")]
    spans: list[Span] = []
    place = 0
    if hit.marks and hit.marks[0][1] > room - 2:
        place = max(0, hit.marks[0][0] - max(0, room // 3))
        spans.append((Role.CLAUDE, "…"))
    for start, end in hit.marks:
        spans += [(Role.CLAUDE, hit.snippet[place:start]), (Role.MATCH, hit.snippet[start:end])]
        place = end
    spans.append((Role.CLAUDE, hit.snippet[place:]))
    return [(role, clean(text).replace("\n", " ")) for role, text in spans if text]


_LATELY: Final = 12
_HINTS: Final = (
    ('words "exact words" check*', "all of them; case does not matter"),
    ("disk OR memory  -draft", "either; without"),
    ("tool:Bash is:error", "calls that failed"),
    ("project:shop after:yesterday", "in a project, from a moment on"),
    ("/time(out|d out)/", "a regular expression"),
)


def hint_pieces(searches: Sequence[str]) -> list[Piece]:
    """Say how one searches, and what was searched for lately."""
    pieces = [say("hint", "Type to search all sessions.", Role.HEADER)]
    for number, (query, about) in enumerate(_HINTS):
        line: Line = ((Role.PROMPT, f"  {query:<32}"), (Role.META, about))
        pieces.append(Piece(f"hint/{number}", still([line]), picked=False))
    if searches:
        pieces += [blank("lately."), say("lately", "Searched lately", Role.HEADER)]
    for number, query in enumerate(searches[:_LATELY]):
        draw = still([((Role.CLAUDE, one_line(query)),)])
        pieces.append(Piece(f"lately/{number}", draw, "query", query))
    return pieces


def instead_pieces(found: "Found") -> Iterator[Piece]:
    """Say what would find something; Enter on it searches for that."""
    tried = found.instead
    if tried is None:
        return
    number = f"{tried.total:,}{'' if tried.exact else '+'}"
    what, instead = one_line(tried.what), one_line(tried.instead or "")
    words = f'"{instead}" has {number}.' if instead else f"Without {what}: {number}."
    better = found.query.replace(tried.what, tried.instead or "").strip()
    yield Piece("instead", still([((Role.PROMPT, words),)]), "query", better)


LIMIT: Final = 100


class Found(Struct, frozen=True):
    """What a query gave, or why it makes no sense."""

    query: str
    page: SearchPage | None = None
    trouble: str = ""
    took: float = 0.0
    instead: Suggestion | None = None


def ask(source: "Source", text: str) -> Found:
    """Search; what is wrong with a query is an answer too."""
    if not text.strip():
        return Found(text)
    start = perf_counter()
    try:
        query = parse(text, now(), Local())
        if query == Query():
            return Found(text)
        with source.handle() as handle:
            roots = tuple(f"{folder / 'projects'}/" for folder in handle.folders)
            page = search(handle.store, query, limit=LIMIT, roots=roots)
            took = perf_counter() - start
            instead = None if page.hits else suggest(handle.store, query, roots)
    except BoughError as error:
        return Found(text, trouble=error.message)
    return Found(text, page, took=took, instead=instead)


def words_known(source: "Source") -> "Vocabulary":
    """Gather what may complete a query."""
    with source.handle() as handle:
        return vocabulary_of(handle)
