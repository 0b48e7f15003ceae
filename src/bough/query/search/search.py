"""Search: the records that answer a query, with the words around what was found.

The store finds rows and puts them in order; their text is read again from the user's
files. Results that lack something say what: `partial` holds a sentence for each reason.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from bough.errors import Misuse
from bough.model.text.formats import plural
from bough.model.text.snippets import snippet
from bough.query.lists.list_rows import may_have_better_title, title_of
from bough.query.search.cursors import Place, cursor_of, place_of
from bough.query.search.verify import Texts, checked, texts_of
from bough.store.protocol import Store
from bough.store.query_language import Query, matches, sought, to_fts
from bough.store.search_protocol import KINDS, Found, HitRow, Order, Spread, Wanted, kinds_wanted

_WIDTH = 160
_MOST_FILTERS = 100
_ROLES = {
    "assistant": "assistant",
    "user": "user",
    "attachment": "user",
    "queue-operation": "user",
}


class Hit(Struct, frozen=True):
    """One record that was found.

    `session` is the one whose conversation this is, also for what one of its agents said.
    `snippet` is None where the file has gone or changed since it was read; `marks` are
    places in it. `role` is whose side it is on: user, assistant, or neither.
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
    offset: int = 0


class SearchPage(Struct, frozen=True):
    """One page of hits.

    `total` counts all hits, or those known of where it is not `exact`; `sessions` counts
    theirs, where that is known. `partial` holds a sentence for everything that is missing.
    `next` is the cursor of the next page.
    """

    total: int
    exact: bool
    sessions: int | None
    hits: tuple[Hit, ...]
    partial: tuple[str, ...] = ()
    next: str | None = None
    order: Order = "relevance"


class ListedHit(Struct, frozen=True):
    """A hit as `--json` gives it."""

    session: str
    project: str
    uuid: str | None
    timestamp: str | None
    kind: str
    snippet: str | None
    active: bool


class Answer(Struct, frozen=True):
    """A page as `--json` gives it."""

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
        Misuse: The cursor is of another search, or there are too many filters.
        IndexTrouble: The index cannot be read.
    """
    if limit < 1:
        raise Misuse(f"A page has one hit at least, not {limit}.")
    if len(query.filters) > _MOST_FILTERS:
        raise Misuse(f"A query takes {_MOST_FILTERS} filters at most, not {len(query.filters)}.")
    fts = to_fts(query.text)
    order = order if fts.match is not None else "newest"
    place = place_of(cursor, query, order) if cursor else Place()
    wanted = Wanted(query, order, limit, place.position, place.shown, tuple(roots))
    return _found(store, wanted) if fts.exact else _read(store, wanted)


def spread(store: Store, query: Query, roots: Sequence[str] = ()) -> Spread | None:
    """Count how the hits of a query are spread; None where that takes too long to find out."""
    if not to_fts(query.text).exact:
        return None
    return store.spread(Wanted(query, "newest", roots=tuple(roots)))


def answer(text: str, page: SearchPage, partial: str | None = None) -> Answer:
    """Put a page in the form of `--json`; `partial` says what the index itself lacks."""
    fields = ListedHit.__struct_fields__
    hits = tuple(ListedHit(*(getattr(hit, name) for name in fields)) for hit in page.hits)
    return Answer(text, page.total, bool(page.partial or partial), hits, page.next)


def _found(store: Store, wanted: Wanted) -> SearchPage:
    """Show what the index found, which is all there is to know."""
    found = store.search(wanted)
    hits = _hits(store, wanted.query, [(row, texts_of(row)) for row in found.rows])
    shown = wanted.shown + len(hits)
    return SearchPage(
        total=max(found.total, shown),
        exact=found.exact,
        sessions=found.sessions,
        hits=hits,
        partial=tuple(_shortcomings(found)),
        next=cursor_of(found.next, shown, wanted),
        order=wanted.order,
    )


def _read(store: Store, wanted: Wanted) -> SearchPage:
    """Show which of the candidates hold, by reading them."""
    done = checked(store, wanted)
    hits = _hits(store, wanted.query, done.rows)
    partial = []
    if done.ranked is not None:
        partial.append(_ranked(done.ranked))
    if done.read is not None:
        partial.append(
            f"Read {plural(done.read, 'record')} to check them; the rest comes with the next page."
        )
    return SearchPage(
        total=wanted.shown + done.count,
        exact=done.read is None and done.ranked is None,
        sessions=None if done.sessions is None else len(done.sessions),
        hits=hits,
        partial=tuple(partial),
        next=cursor_of(done.next, wanted.shown + len(hits), wanted),
        order=wanted.order,
    )


def _shortcomings(found: Found) -> Iterator[str]:
    """Say what a page lacks, and why."""
    if found.ranked is not None:
        yield _ranked(found.ranked)
    if found.looked_at is not None:
        yield f"Looked at {found.looked_at:,} lines; the rest comes with the next page."
    elif not found.exact and found.ranked is None:
        yield "Counted only as far as was looked at."


def _ranked(number: int) -> str:
    return f"Ranked are the {number:,} matches that were indexed last; by time, all are found."


def _hits(
    store: Store, query: Query, rows: Sequence[tuple[HitRow, Texts | None]]
) -> tuple[Hit, ...]:
    weak = any(may_have_better_title(row.title_source) for row, _ in rows)
    others = store.titles_from_others() if weak else {}
    return tuple(_hit(row, query, texts, others) for row, texts in rows)


def _hit(
    row: HitRow, query: Query, texts: Texts | None, others: Mapping[int, Sequence[str]]
) -> Hit:
    weak = may_have_better_title(row.title_source)
    kind, excerpt, marks = _excerpt(row, query, texts)
    return Hit(
        session=row.session,
        project=row.project,
        uuid=row.uuid,
        timestamp=row.timestamp,
        kind=kind,
        snippet=excerpt,
        active=bool(row.active),
        marks=marks,
        title=title_of(row.session, row.title, row.session_file if weak else None, others),
        project_name=row.project_name,
        worktree_of=row.worktree_of,
        role=_ROLES.get(row.record),
        tool=row.tool,
        model=row.model,
        failed=bool(row.failed),
        branch=row.branch,
        agent=row.agent,
        agent_type=row.agent_type,
        agent_description=row.agent_description,
        path=row.path,
        line=row.line,
        offset=row.offset,
    )


def _excerpt(
    row: HitRow, query: Query, texts: Texts | None
) -> tuple[str, str | None, tuple[tuple[int, int], ...]]:
    """Choose the kind of words that was found, and cut an excerpt out of them."""
    allowed = kinds_wanted(query)
    if texts is None:
        return _likely_kind(row, allowed), None, ()
    written = [(k, text) for k, text in zip(KINDS, texts, strict=False) if text and k in allowed]
    if not written:
        return _likely_kind(row, allowed), "", ()
    whole = [one for one in written if len(written) > 1 and matches(query.text, one[1])]
    words = sought(query.text)
    cut = [(kind, snippet(text, words, _WIDTH)) for kind, text in whole or written]
    kind, best = next((one for one in cut if one[1].marks), cut[0])
    return kind, best.text, best.marks


def _likely_kind(row: HitRow, allowed: Sequence[str]) -> str:
    """Guess the kind of a record whose text cannot be read."""
    by_record = {
        "assistant": "tool_input" if row.tool else "text",
        "user": "tool_result" if row.tool else "prompt",
    }
    kind = by_record.get(row.record, "note")
    return kind if kind in allowed else allowed[0]
