"""Hits as rows, grouped by session, what was found set off in them.

What the search screen says where it has no hits: how one searches, what to try instead.

Questions of the search screen, asked in workers: hits, what to try instead, what fits.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.errors import BoughError
from bough.library import (
    Hit,
    Query,
    SearchPage,
    Suggestion,
    count_session_hits,
    describe_session_hits,
    gather_vocabulary,
    list_kept_places,
    parse_query,
    search,
    suggest_query,
)
from bough.model.interpret.kept_places import KeptPlace
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.list_cells import NOTHING_GONE, format_kept_sign
from bough.terminal.reports.search_hits import (
    HIT_ROLES,
    count_other_sessions,
    describe_hit,
    group_by_session,
    name_speaker,
)
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import clean, one_line, pad, width
from bough.tui.widgets.cells import align_cells
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item

if TYPE_CHECKING:
    from bough.library import Vocabulary
    from bough.tui.data import LibraryQueries

_SPEAKER: Final = 8


def build_hit_items(
    hits: Sequence[Hit],
    canvas: Canvas,
    in_sessions: Mapping[str, int],
    kept: Mapping[tuple[str, str], KeptPlace] = NOTHING_GONE,
) -> Iterator[ListItem]:
    """Set each session's name above its hits; what forks took along is set once.

    `in_sessions` counts the hits of each session, those that are not here too; `kept` tells by
    project and session where the words are whose file was deleted.
    """
    number = 0
    shown = Counter(hit.session for hit in hits)
    others = count_other_sessions(hits)
    for group in group_by_session([hit for hit in hits if id(hit) in others]):
        session = group[0].session
        count = describe_session_hits(shown[session], in_sessions.get(session))
        place = kept.get((group[0].project, session), KeptPlace.FILE)
        draw = partial(_render_heading, group[0], count, format_kept_sign(place, canvas.glyphs))
        yield ListItem(f"s/{number}", draw, "session", picked=False)
        for hit in group:
            yield ListItem(
                f"h/{number}", partial(_render_hit, hit, canvas, others[id(hit)]), "hit", hit
            )
            number += 1


def matched_words_of(hit: Hit) -> str:
    """Give the words of a hit that were found, the longest: a phrase, not a word of it."""
    if not hit.snippet or not hit.marks:
        return ""
    return hit.snippet[slice(*_find_longest_mark(hit))]


def _find_longest_mark(hit: Hit) -> tuple[int, int]:
    return max(hit.marks, key=lambda mark: mark[1] - mark[0])


def describe_hit_position(hits: Sequence[object], number: int, page: SearchPage) -> str:
    """Say which hit is being read: "hit 3 of 180, session 1 of 12"."""
    known = [hit for hit in hits if isinstance(hit, Hit)]
    sessions = list(dict.fromkeys((hit.project, hit.session) for hit in known))
    here = sessions.index((known[number].project, known[number].session)) + 1
    more = "" if page.exact else "+"
    all_sessions = "" if page.sessions is None else f" of {page.sessions:,}"
    return f"hit {number + 1:,} of {page.total:,}{more}, session {here:,}{all_sessions}"


def _render_heading(first: Hit, count: str, sign: str, columns: int) -> list[StyledLine]:
    left: list[Span] = [(Role.META, f"{first.session[:8]}  "), (Role.PROMPT, one_line(first.title))]
    left += [(Role.META, f"  {sign}")] if sign else []
    right: list[Span] = [(Role.META, f"{one_line(first.project_name)}  {count}")]
    return [align_cells(left, right, columns)]


def _render_hit(hit: Hit, canvas: Canvas, others: int, columns: int) -> list[StyledLine]:
    speaker = pad(one_line(name_speaker(hit, canvas)), _SPEAKER)
    lead: list[Span] = [
        (Role.META, f"  {canvas.time(hit.timestamp):>9}  "),
        (HIT_ROLES.get(hit.kind, Role.META), f"{speaker}  "),
    ]
    right = describe_hit(hit, others, short=True)
    room = columns - sum(width(text) for _, text in lead) - (width(right) + 2 if right else 0)
    return [
        align_cells(
            [*lead, *_highlight_matches(hit, room)], [(Role.META, right)] if right else [], columns
        )
    ]


def _highlight_matches(hit: Hit, room: int) -> list[Span]:
    """Set off what was found; where that stands too far right, the text begins later."""
    if hit.snippet is None:
        return [(Role.META, "the file has changed since it was read")]
    spans: list[Span] = []
    place = 0
    if hit.marks and _find_longest_mark(hit)[1] > room - 2:
        start = _find_longest_mark(hit)[0] - max(0, room // 3)
        # No further than the room is used: the end of the text stands at its right.
        place = max(0, min(start, len(hit.snippet) - room + 1))
        spans.append((Role.CLAUDE, "…"))
    for start, end in hit.marks:
        if end <= place:
            continue
        spans += [
            (Role.CLAUDE, hit.snippet[place:start]),
            (Role.MATCH, hit.snippet[max(place, start) : end]),
        ]
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


def build_hint_items(searches: Sequence[str]) -> list[ListItem]:
    """Say how one searches, and what was searched for lately."""
    pieces = [make_line_item("hint", "Type to search all sessions.", Role.HEADER)]
    for number, (query, about) in enumerate(_HINTS):
        line: StyledLine = ((Role.PROMPT, f"  {query:<32}"), (Role.META, about))
        pieces.append(ListItem(f"hint/{number}", draw_fixed([line]), picked=False))
    if searches:
        pieces += [
            make_blank_item("lately."),
            make_line_item("lately", "Recent searches", Role.HEADER),
        ]
    for number, query in enumerate(searches[:_LATELY]):
        draw = draw_fixed([((Role.CLAUDE, one_line(query)),)])
        pieces.append(ListItem(f"lately/{number}", draw, "query", query))
    return pieces


def build_suggestion_items(found: "SearchOutcome") -> Iterator[ListItem]:
    """Say what would find something; Enter on it searches for that."""
    tried = found.instead
    if tried is None:
        return
    number = f"{tried.total:,}{'' if tried.exact else '+'}"
    what, instead = one_line(tried.what), one_line(tried.instead or "")
    words = f'"{instead}" has {number}.' if instead else f"Without {what}: {number}."
    better = found.query.replace(tried.what, tried.instead or "").strip()
    yield ListItem("instead", draw_fixed([((Role.PROMPT, words),)]), "query", better)


LIMIT: Final = 100


class SearchOutcome(Struct, frozen=True):
    """What a query gave, or why it makes no sense."""

    query: str
    page: SearchPage | None = None
    trouble: str = ""
    took: float = 0.0
    instead: Suggestion | None = None
    in_sessions: Mapping[str, int] = {}
    kept: Mapping[tuple[str, str], KeptPlace] = NOTHING_GONE


def run_search(source: "LibraryQueries", text: str) -> SearchOutcome:
    """Search; what is wrong with a query is an answer too."""
    if not text.strip():
        return SearchOutcome(text)
    start = perf_counter()
    try:
        query = parse_query(text, clock.now(), may_be_empty=True)
        if query == Query():
            return SearchOutcome(text)
        with source.open_handle() as handle:
            page = search(query, limit=LIMIT, index=handle)
            took = perf_counter() - start
            instead = None if page.hits else suggest_query(query, index=handle)
            counts = count_session_hits(query, page, index=handle)
            kept = list_kept_places(handle)
    except BoughError as error:
        return SearchOutcome(text, trouble=error.message)
    return SearchOutcome(text, page, took=took, instead=instead, in_sessions=counts, kept=kept)


def load_vocabulary(source: "LibraryQueries") -> "Vocabulary":
    """Gather what may complete a query."""
    with source.open_handle() as handle:
        return gather_vocabulary(handle)
