"""Search in SQLite: orders, totals, pages, and the nearest known word for an unknown one.

The matches that were added last come first out of the full-text index; where they are few,
all are counted and put in order. A common word has a hundred thousand. Then only the last
few thousand are ranked; and by time, the files are walked through, newest first, until a
page is full.

For a word that the index does not know only words with the same two first letters are looked
at: the vocabulary is sorted, so that costs little, while reading all of it takes a second.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches

from msgspec import Struct

from bough.model.text.search_tokens import split_tokens
from bough.model.text.times import format_timestamp
from bough.store.search_protocol import (
    DatedPosition,
    Place,
    Position,
    RankedPosition,
    SearchFacets,
    SearchRequest,
    SearchRows,
)
from bough.store.sqlite.indexed_files import IndexedFile, IndexedFiles
from bough.store.sqlite.match_sql import Matcher, MatchQuery, RecordMatch, translate_request

RANKED = 3_000
"""So many matches are put in order; of more, only those that were added last."""
LOOKED_AT = 100_000
"""So many lines are looked at for one page, when files are walked through."""
COUNTED = 50_000
"""Where there are no more lines than this, all hits in them are counted."""
_FIRST_STRETCH = 2_000
_LAST_PLACE = (1 << 62, 0)


class _FileWalk(Struct):
    """How far a walk through the files got.

    `sure` are those matches that nothing in the files to come can be newer than; `bound` is
    the newest moment in these, None at the end.
    """

    found: list[RecordMatch]
    sure: list[RecordMatch]
    lines: int = 0
    bound: str | None = None


class Searcher:
    """Answers searches on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._places = IndexedFiles(connection)
        self._matcher = Matcher(connection, self._places)

    def search(self, wanted: SearchRequest) -> SearchRows:
        """Find one page of rows."""
        with _read_snapshot(self._connection):
            asked = translate_request(wanted, self._places.chosen(wanted))
            if asked is None:
                return SearchRows((), 0, 0, exact=True)
            if asked.match is None:
                return self._search_by_walking(asked)
            return self._search_words(asked)

    def count_facets(self, wanted: SearchRequest) -> SearchFacets | None:
        """Count how all hits are spread, where they are few enough to be counted."""
        with _read_snapshot(self._connection):
            asked = translate_request(wanted, self._places.chosen(wanted))
            if asked is None:
                return SearchFacets({}, {}, 0, 0)
            matches = self._find_all(asked)
            return None if matches is None else self._matcher.count_facets(asked, matches)

    def _find_all(self, asked: MatchQuery) -> Sequence[RecordMatch] | None:
        """Give all matches, unless that takes too long."""
        if asked.match is not None:
            if asked.is_plain and self._matcher.has_more(asked, RANKED):
                return None
            found = self._matcher.find_last_added(asked, self._places.newest_id(), RANKED + 1)
            return found if len(found) <= RANKED else None
        places = asked.chosen.places
        if sum(place.lines for place in places) > COUNTED:
            return None
        return self._matcher.find_in_files(asked, places)

    def _search_words(self, asked: MatchQuery) -> SearchRows:
        wanted = asked.wanted
        after = wanted.after
        by_time = wanted.order == "newest"
        if by_time and asked.is_plain and self._matcher.has_more(asked, RANKED):
            return self._by_time(asked)
        newest = self._places.newest_id()
        if isinstance(after, RankedPosition):
            newest = _read_mark(after.newest)
        matches = self._matcher.find_last_added(asked, newest, RANKED + 1)
        if not by_time:
            matches = self._matcher.rank(asked, matches)
        if len(matches) <= RANKED:
            page, more = _cut_page(matches, wanted, newest)
            sessions = self._places.sessions(match.file for match in matches)
            rows = self._matcher.rows(page)
            mark = _write_mark(newest)
            return SearchRows(rows, len(matches), sessions, exact=True, newest=mark, next=more)
        if by_time:
            return self._by_time(asked)
        page, more = _cut_page(matches[:RANKED], wanted, newest)
        total, exact = self._count_total(asked) or (RANKED, False)
        total = max(total, RANKED)
        rows, mark = self._matcher.rows(page), _write_mark(newest)
        return SearchRows(rows, total, None, exact, mark, more, ranked=RANKED)

    def _count_total(self, asked: MatchQuery) -> tuple[int, bool] | None:
        """Count matches without looking at records, where that tells something."""
        if asked.match is None or not asked.is_plain:
            return None
        gone = self._places.count_gone_records()
        return self._matcher.count(asked) - gone, not gone

    def _by_time(self, asked: MatchQuery) -> SearchRows:
        """Find the newest of very many matches."""
        if not asked.has_prefix:
            return self._search_by_walking(asked)
        wanted = asked.wanted
        matches = self._matcher.newest(asked, wanted.limit + 1)
        page = matches[: wanted.limit]
        more = (
            DatedPosition(page[-1].timestamp, page[-1].place) if len(matches) > len(page) else None
        )
        total, exact = self._count_total(asked) or (wanted.shown + len(matches), more is None)
        return SearchRows(self._matcher.rows(page), total, None, exact, next=more)

    def _search_by_walking(self, asked: MatchQuery) -> SearchRows:
        wanted = asked.wanted
        walk = self._walk_files(asked)
        walk.sure.sort(key=_by_time, reverse=True)
        page = walk.sure[: wanted.limit]
        full = len(walk.sure) > wanted.limit
        more: Position | None = None
        if full:
            more = DatedPosition(page[-1].timestamp, page[-1].place)
        elif walk.bound is not None:
            more = DatedPosition(walk.bound, _LAST_PLACE)
        whole = walk.bound is None
        total, exact = wanted.shown + len(walk.found), whole
        sessions = None
        if whole and wanted.after is None:
            sessions = self._places.sessions(match.file for match in walk.found)
        elif not whole:
            counted, exact = self._count_total(asked) or (total, False)
            total = max(counted, total)
        return SearchRows(
            rows=self._matcher.rows(page),
            total=total,
            sessions=sessions,
            exact=exact,
            next=more,
            looked_at=None if full or whole else walk.lines,
        )

    def _walk_files(self, asked: MatchQuery) -> _FileWalk:
        """Go through the files, newest first, until a page is full or enough was looked at."""
        wanted = asked.wanted
        places = self._places.sort_newest_first(asked.chosen)
        if wanted.query.after is not None:
            since = format_timestamp(wanted.query.after)
            places = [place for place in places if place[0] >= since]
        count_all = sum(place.lines for _, place in places) <= COUNTED
        walk = _FileWalk([], [])
        for start, end in _split_places([place for _, place in places]):
            part = [place for _, place in places[start:end]]
            walk.found += self._matcher.find_in_files(asked, part)
            walk.bound = bound = places[end][0] if end < len(places) else None
            walk.sure = [one for one in walk.found if bound is None or one.timestamp > bound]
            # What lies before the position was looked at for the pages before.
            if (
                not isinstance(wanted.after, DatedPosition)
                or (bound or "") < wanted.after.timestamp
            ):
                walk.lines += sum(place.lines for place in part)
            full = len(walk.sure) > wanted.limit and not count_all
            if full or walk.lines >= LOOKED_AT:
                break
        return walk


def _cut_page(
    matches: Sequence[RecordMatch], wanted: SearchRequest, newest: int
) -> tuple[Sequence[RecordMatch], Position | None]:
    """Put matches in order and cut out the page behind the position."""
    after, limit = wanted.after, wanted.limit
    if wanted.order == "relevance":
        ordered = sorted(matches, key=lambda match: (match.score, -match.id))
        start = after.rank if isinstance(after, RankedPosition) else 0
        end = start + limit
        more = RankedPosition(_write_mark(newest), end) if len(ordered) > end else None
        return ordered[start:end], more
    ordered = sorted(matches, key=_by_time, reverse=True)
    if isinstance(after, DatedPosition):
        ordered = [one for one in ordered if _by_time(one) < (after.timestamp, after.id)]
    page = ordered[:limit]
    last = page[-1] if len(ordered) > limit else None
    return page, DatedPosition(last.timestamp, last.place) if last else None


def _by_time(match: RecordMatch) -> tuple[str, Place]:
    return match.timestamp, match.place


def _write_mark(newest: int) -> bytes:
    """Write the number of the newest record as a mark that nobody else reads."""
    return newest.to_bytes(8, "big")


def _read_mark(mark: bytes) -> int:
    """Read a mark; one that was tampered with names no record."""
    return int.from_bytes(mark[:8], "big") & _LAST_PLACE[0] - 1


def _split_places(places: Sequence[IndexedFile]) -> Iterator[tuple[int, int]]:
    """Cut a list of files into stretches by their lines, each about twice the one before."""
    size = _FIRST_STRETCH
    start = lines = 0
    for at, place in enumerate(places):
        lines += place.lines
        if lines >= size:
            yield start, at + 1
            start, lines, size = at + 1, 0, size * 2
    if start < len(places):
        yield start, len(places)


@contextmanager
def _read_snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several statements see the same state, whatever is written meanwhile."""
    if connection.in_transaction:
        yield
        return
    connection.execute("begin")
    try:
        yield
    finally:
        connection.execute("rollback")


_MAKE = "create virtual table if not exists temp.vocabulary using fts5vocab(main, words, row)"
_BEGINNING = """
    select term from temp.vocabulary where term >= :start and term < :end limit 5000
"""
_ALIKE = 0.7
_SHORTEST = 4


def nearest_word(connection: sqlite3.Connection, word: str) -> str | None:
    """Find the word most like this one; None where none is."""
    known = split_tokens(word)
    if len(known) != 1 or len(known[0]) < _SHORTEST:
        return None
    start = known[0][:2]
    bounds = {"start": start, "end": start[0] + chr(ord(start[1]) + 1)}
    # An index that is opened for reading alone takes no table, not even a passing one.
    with suppress(sqlite3.OperationalError):
        connection.execute(_MAKE)
        terms = [row[0] for row in connection.execute(_BEGINNING, bounds)]
        others = [term for term in terms if term != known[0]]
        return next(iter(get_close_matches(known[0], others, 1, _ALIKE)), None)
    return None
