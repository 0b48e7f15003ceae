"""Search: the records that answer a query, with the words around what was found.

The store finds rows and puts them in order; their text is read again from the user's
files. Results that lack something say what: `partial` holds a sentence for each reason.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from bough.errors import Misuse
from bough.files.byte_source import SourceFinder, gather_sources
from bough.model.text.formats import format_count, format_plural
from bough.model.text.snippet_noise import find_noise
from bough.model.text.snippets import cut_snippet
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.lists.list_rows import may_have_better_title, title_of
from bough.query.search.cursors import (
    SearchCursor,
    find_position_behind,
    format_cursor,
    list_cursors,
    make_cursor,
    parse_cursor,
)
from bough.query.search.verify import (
    SECONDS,
    RewriteRecord,
    Texts,
    VerifiedRows,
    find_marked_spans,
    read_record,
    read_texts,
    verify_candidates,
)
from bough.store.protocol import Store
from bough.store.query_language import FoundMatches, Query, list_marked_terms, matches, to_fts
from bough.store.search_protocol import (
    KINDS,
    HitRow,
    Order,
    SearchFacets,
    SearchRequest,
    SearchRows,
    choose_kinds,
)

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
    `cut_snippet` is None where the file has gone or changed since it was read; `marks` are
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


class UncheckedRecord(Struct, frozen=True):
    """A record that was not looked at, because a pattern was given up on it."""

    session: str
    uuid: str | None
    line: int


class SearchPage(Struct, frozen=True):
    """One page of hits.

    `total` counts all hits, or those known of where it is not `exact`; `sessions` counts
    theirs, where that is known. `partial` holds a sentence for everything that is missing.
    `next` is the cursor of the next page. `skipped` are records on which a pattern was given
    up: nobody knows whether they are hits. `behind` has for each hit where a page begins that
    follows it.
    """

    total: int
    exact: bool
    sessions: int | None
    hits: tuple[Hit, ...]
    partial: tuple[str, ...] = ()
    next: str | None = None
    order: Order = "relevance"
    skipped: tuple[UncheckedRecord, ...] = ()
    behind: tuple[SearchCursor, ...] = ()

    def cursor_behind(self, count: int) -> str | None:
        """Give the cursor of the page that follows the first hits of this one, so many."""
        return self.next if count >= len(self.hits) else format_cursor(self.behind[count - 1])


class ListedHit(Struct, frozen=True):
    """A hit as `--json` gives it."""

    session: str
    project: str
    uuid: str | None
    timestamp: str | None
    kind: str
    snippet: str | None
    active: bool
    title: str
    path: str
    line: int


class SearchDocument(Struct, frozen=True):
    """A page as `--json` gives it."""

    query: str
    total: int
    partial: bool
    hits: tuple[ListedHit, ...]
    next: str | None
    skipped: tuple[UncheckedRecord, ...]


def search(  # noqa: PLR0913 - one for each thing that can be asked for
    store: Store,
    query: Query,
    *,
    order: Order = "relevance",
    limit: int = 20,
    cursor: str | None = None,
    roots: Sequence[str] = (),
    sources: SourceFinder = USUAL_SOURCES,
    rewrite: RewriteRecord | None = None,
    excerpts: bool = True,
) -> SearchPage:
    """Find one page of hits.

    Args:
        store: The index.
        query: What `searchql.parse` read.
        order: By relevance, or the newest first; without words always the newest.
        limit: How many hits a page has at most.
        cursor: The `next` of the page before.
        roots: Beginnings of the paths of files that count; none: all.
        sources: Where the bytes of records are found.
        rewrite: Writes what was found anew before words are cut out of it.
        excerpts: Whether words are cut out of it at all.

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
    place = parse_cursor(cursor, query, order) if cursor else SearchCursor()
    wanted = SearchRequest(query, order, limit, place.position, place.shown, tuple(roots))
    if fts.exact and store.finds_phrases(query):
        return _page_from_index(store, wanted, sources, rewrite, excerpts=excerpts)
    return _page_from_files(store, wanted, sources, rewrite)


def count_facets(store: Store, query: Query, roots: Sequence[str] = ()) -> SearchFacets | None:
    """Count how the hits of a query are spread; None where that takes too long to find out."""
    if not to_fts(query.text).exact or not store.finds_phrases(query):
        return None
    return store.count_facets(SearchRequest(query, "newest", roots=tuple(roots)))


def count_session_hits(
    store: Store, query: Query, page: SearchPage, roots: Sequence[str] = ()
) -> Mapping[str, int]:
    """Count the hits of each session on a page, those of other pages too; none where unknown."""
    if page.next is None and page.total == len(page.hits):
        return Counter(hit.session for hit in page.hits)
    found = count_facets(store, query, roots)
    return found.sessions if found is not None else {}


def describe_session_hits(shown: int, total: int | None) -> str:
    """Say how many hits a session has, and how many of them are here: 4 of 25 hits."""
    if total is None or total <= shown:
        return format_plural(shown, "hit")
    return f"{format_count(shown)} of {format_plural(total, 'hit')}"


def search_document(text: str, page: SearchPage, partial: str | None = None) -> SearchDocument:
    """Put a page in the form of `--json`; `partial` says what the index itself lacks."""
    fields = ListedHit.__struct_fields__
    hits = tuple(ListedHit(*(getattr(hit, name) for name in fields)) for hit in page.hits)
    lacks = bool(page.partial or partial)
    return SearchDocument(text, page.total, lacks, hits, page.next, page.skipped)


def _page_from_index(
    store: Store,
    wanted: SearchRequest,
    sources: SourceFinder,
    rewrite: RewriteRecord | None,
    *,
    excerpts: bool,
) -> SearchPage:
    """Show what the index found, which is all there is to know."""
    found = store.search(wanted)
    rows: list[tuple[HitRow, Texts | None]] = [(row, None) for row in found.rows]
    if excerpts or rewrite is not None:
        sources = gather_sources(sources, [(row.path, row.offset) for row in found.rows])
    if excerpts:
        rows = [(row, read_texts(row, sources, rewrite)) for row in found.rows]
    elif rewrite is not None:
        for row in found.rows:
            if (record := read_record(row, sources)) is not None:
                rewrite(row.path, record)
    hits = _build_hits(store, wanted.query, rows)
    shown = wanted.shown + len(hits)
    return SearchPage(
        total=max(found.total, shown),
        exact=found.exact,
        sessions=found.sessions,
        hits=hits,
        partial=tuple(_list_shortcomings(found)),
        next=format_cursor(make_cursor(wanted, found.next, len(hits))),
        order=wanted.order,
        behind=list_cursors(
            wanted, (find_position_behind(wanted, found, count) for count in range(1, len(hits)))
        ),
    )


def _page_from_files(
    store: Store, wanted: SearchRequest, sources: SourceFinder, rewrite: RewriteRecord | None
) -> SearchPage:
    """Show which of the candidates hold, by reading them."""
    done = verify_candidates(store, wanted, sources)
    if rewrite is not None:
        done.rows = [(row, read_texts(row, sources, rewrite) or ()) for row, _ in done.rows]
    hits = _build_hits(store, wanted.query, done.rows, _find_spans(wanted.query, done))
    partial = [_describe_skipped(row) for row in done.skipped]
    if done.ranked is not None:
        partial.append(_ranking_note(done.ranked))
    if done.read is not None:
        partial.append(
            f"Read {format_plural(done.read, 'record')} to check them; "
            "the rest comes with the next page."
        )
    return SearchPage(
        total=wanted.shown + done.count,
        exact=done.read is None and done.ranked is None,
        sessions=None if done.sessions is None else len(done.sessions),
        hits=hits,
        partial=tuple(partial),
        next=format_cursor(make_cursor(wanted, done.next, len(hits))),
        order=wanted.order,
        behind=list_cursors(wanted, done.behind),
        skipped=tuple(UncheckedRecord(row.session, row.uuid, row.line) for row in done.skipped),
    )


def _find_spans(query: Query, done: VerifiedRows) -> FoundMatches:
    """Find all places to mark in the hits of a page; the first of each are known."""
    kinds = choose_kinds(query)
    texts = [text for _, several in done.rows for text in _texts_by_kind(kinds, several).values()]
    return find_marked_spans(query, texts, done.found)


def _describe_skipped(row: HitRow) -> str:
    return (
        f"Line {row.line} of session {row.session[:8]} was not looked at: "
        f"the pattern was stopped there, a page takes {SECONDS:.0f} s at most."
    )


def _list_shortcomings(found: SearchRows) -> Iterator[str]:
    """Say what a page lacks, and why."""
    if found.ranked is not None:
        yield _ranking_note(found.ranked)
    if found.looked_at is not None:
        yield f"Looked at {found.looked_at:,} lines; the rest comes with the next page."
    elif not found.exact and found.ranked is None:
        yield "Counted only as far as was looked at."


def _ranking_note(number: int) -> str:
    return f"Ranked are the {number:,} matches that were indexed last; by time, all are found."


def _build_hits(
    store: Store,
    query: Query,
    rows: Sequence[tuple[HitRow, Texts | None]],
    found: FoundMatches | None = None,
) -> tuple[Hit, ...]:
    weak = {
        row.session_file
        for row, _ in rows
        if row.session_file is not None and may_have_better_title(row.title_source)
    }
    others = store.titles_from_others(sorted(weak)) if weak else {}
    return tuple(
        _build_hit(row, others, *_cut_excerpt(row, query, texts, found or {}))
        for row, texts in rows
    )


def _build_hit(
    row: HitRow,
    others: Mapping[int, Sequence[str]],
    kind: str,
    excerpt: str | None,
    marks: tuple[tuple[int, int], ...],
) -> Hit:
    weak = may_have_better_title(row.title_source)
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


def _cut_excerpt(
    row: HitRow, query: Query, texts: Texts | None, found: FoundMatches
) -> tuple[str, str | None, tuple[tuple[int, int], ...]]:
    """Choose the kind of words that was found, and cut an excerpt out of them."""
    allowed = choose_kinds(query)
    if texts is None:
        return _guess_kind(row, allowed), None, ()
    written = list(_texts_by_kind(allowed, texts).items())
    if not written:
        return _guess_kind(row, allowed), "", ()
    whole = [one for one in written if len(written) > 1 and matches(query.text, one[1], found)]
    cut = [
        (
            kind,
            cut_snippet(text, list_marked_terms(query.text, text, found), _WIDTH, find_noise(kind)),
        )
        for kind, text in whole or written
    ]
    kind, best = next((one for one in cut if one[1].marks), cut[0])
    return kind, best.text, best.marks


def _texts_by_kind(kinds: Sequence[str], texts: Texts) -> dict[str, str]:
    """Give the texts of the kinds that count, where there is any."""
    return {kind: text for kind, text in zip(KINDS, texts, strict=False) if text and kind in kinds}


def _guess_kind(row: HitRow, allowed: Sequence[str]) -> str:
    """Guess the kind of a record whose text cannot be read."""
    by_record = {
        "assistant": "tool_input" if row.tool else "text",
        "user": "tool_result" if row.tool else "prompt",
    }
    kind = by_record.get(row.record, "note")
    return kind if kind in allowed else allowed[0]
