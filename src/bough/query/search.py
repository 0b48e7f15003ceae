"""Search: the records that answer a query, with the words around what was found.

The store finds rows; here their text is read again from the user's files, to show it and,
where a query asks for what the index cannot know (a regex, a mark such as ->), to check
it. Checking is bounded: a page says how far it got, and the next one goes on from there.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from bough.errors import Unreadable
from bough.files.lines import read_at
from bough.ingest.extract import Extractor
from bough.line import Line
from bough.model.snippets import Snippet, Sought, snippet
from bough.query.cursors import Place, cursor_of, place_of
from bough.records.decode import decode
from bough.records.record import BadLine
from bough.store.hits import KINDS, Found, HitRow, Order, Wanted, kinds_wanted
from bough.store.protocol import Store
from bough.store.searchql import And, Not, Or, Query, Text, matches, sought, to_fts

CHECKED = 5_000
"""So many records are read at most to check them for one page."""
_CHECKED_BYTES = 64 * 1024 * 1024
_WIDTH = 160


class Hit(Struct, frozen=True):
    """One record that was found.

    `session` is the one whose conversation this is, also for what one of its agents said.
    `snippet` is None where the file has gone or changed since it was read; `marks` are
    places in it. `role` is who speaks: user, assistant, or nobody.
    """

    session: str
    project: str
    uuid: str | None
    timestamp: str | None
    kind: str
    snippet: str | None
    active: bool
    marks: tuple[tuple[int, int], ...]
    title: str
    project_name: str
    worktree_of: str | None
    role: str | None
    tool: str | None
    model: str | None
    failed: bool
    branch: int | None
    agent: str | None
    agent_type: str | None
    agent_description: str | None
    path: str
    line: int


class SearchPage(Struct, frozen=True):
    """One page of hits.

    `total` counts all hits; where `partial` is not empty it may be only how many are known
    of, and each sentence there says what is missing. `next` is the cursor of the next page.
    """

    total: int
    sessions: int | None
    hits: tuple[Hit, ...]
    partial: tuple[str, ...] = ()
    next: str | None = None
    order: Order = "relevance"


class ListedHit(Struct, frozen=True):
    """A hit as `--json` and the other faces give it."""

    session: str
    project: str
    uuid: str | None
    timestamp: str | None
    kind: str
    snippet: str | None
    active: bool


class Answer(Struct, frozen=True):
    """A page as `--json` and the other faces give it."""

    query: str
    total: int
    partial: bool
    hits: tuple[ListedHit, ...]
    next: str | None


def search(
    store: Store,
    query: Query,
    *,
    order: Order = "relevance",
    limit: int = 20,
    cursor: str | None = None,
    roots: Sequence[str] = (),
) -> SearchPage:
    """Find one page of hits.

    Args:
        store: The index.
        query: What `searchql.parse` read.
        order: By relevance, or the newest first; without words always the newest.
        limit: How many hits a page has at most.
        cursor: The `next` of the page before.
        roots: Beginnings of the paths of files that count; none: all.

    Raises:
        Misuse: The cursor is none, or of another search.
        IndexTrouble: The index cannot be read.
    """
    if limit < 1:
        raise Misuse(f"A page holds one hit at least, not {limit}.")
    fts = to_fts(query.text)
    order = order if fts.match is not None else "newest"
    place = place_of(cursor, query, order) if cursor else Place()
    wanted = Wanted(query, order, limit, place.position, place.shown, tuple(roots))
    if fts.exact:
        found = store.search(wanted)
        hits = [_hit(row, query, texts_of(row)) for row in found.rows]
        partial = [*_shortcomings(found)]
    else:
        found, hits, partial = _checked(store, wanted)
    shown = place.shown + len(hits)
    return SearchPage(
        total=max(found.total, shown),
        sessions=found.sessions,
        hits=tuple(hits),
        partial=tuple(partial),
        next=cursor_of(found.next, shown, query, order) if found.next else None,
        order=order,
    )


def answer(text: str, page: SearchPage, partial: str | None = None) -> Answer:
    """Put a page in the form that faces give it; `partial` is what the index itself lacks."""
    fields = ListedHit.__struct_fields__
    hits = tuple(ListedHit(*(getattr(hit, name) for name in fields)) for hit in page.hits)
    return Answer(text, page.total, bool(page.partial or partial), hits, page.next)


def texts_of(row: HitRow) -> tuple[str, ...] | None:
    """Read a record's texts again, by kind; None where it is no more what it was."""
    try:
        raw = read_at(row.path, row.offset, row.length)
    except Unreadable:
        return None
    record = decode(Line(row.offset, row.line, raw))
    if isinstance(record, BadLine) or record.uuid != row.uuid:
        return None
    return Extractor(agent=row.role == "agent").texts(record)


def _checked(store: Store, wanted: Wanted) -> tuple[Found, list[Hit], list[str]]:
    """Find hits among candidates by reading each; all of them are counted, if they are few."""
    query = wanted.query
    kinds = [KINDS.index(kind) for kind in kinds_wanted(query)]
    hits: list[Hit] = []
    files: set[str] = set()
    count = read = size = 0
    behind_page: Position | None = None
    behind_all: Position | None = None
    partial: list[str] = []
    for found, row, position in _candidates(store, wanted):
        texts = texts_of(row)
        read += 1
        size += row.length
        if texts and _holds(query.text, [texts[kind] for kind in kinds if texts[kind]]):
            count += 1
            files.add(row.session)
            if len(hits) < wanted.limit:
                hits.append(_hit(row, query, texts))
                behind_page = position
