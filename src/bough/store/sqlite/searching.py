"""Search in SQLite.

The full-text index gives the matches, the last added first; where they are few, all of
them are counted and put in order. A common word has a hundred thousand: then only the last
few thousand are ranked, and by time the files are walked through, newest first, until a
page is full. FTS5 must drive each join: the other way round it is asked once per record,
a thousand times slower, so every join is a cross join.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
from msgspec import Struct

from bough.store.hits import KINDS, Dated, Found, HitRow, Position, Ranked, Wanted
from bough.store.searchql import Field, Fts, to_fts
from bough.store.sqlite.narrowing import Where, add_filters, add_times, kinds_wanted
from bough.store.sqlite.places import Chosen, Place, Places, ranges, stretches

RANKED = 4_000
"""So many matches are put in order; of more, only the last added."""
LOOKED_AT = 100_000
"""So many lines are looked at for one page, when files are walked through."""
_FIRST_STRETCH = 2_000
_FEW_FILES = 500
_LAST_ID = 1 << 62

# A prompt or an answer that has the word is worth more than an output that has it.
_SCORE = "bm25(words, 4.0, 3.0, 2.0, 1.5, 1.0, 0.5)"
_MATCHES = """
    select record.id, record.file_id, coalesce(record.timestamp, ''), {score}
    from words cross join record on record.id = words.rowid
    where words match :match and words.rowid between :first and :newest {where}
    order by words.rowid desc limit :limit
"""
_MATCHES_IN_FILES = """
    with part as materialized (
        select json_extract(value, '$[0]') as low, json_extract(value, '$[1]') as high
        from json_each(:ranges))
    select record.id, record.file_id, coalesce(record.timestamp, ''), 0.0
    from part
    cross join words on words match :match and words.rowid between part.low and part.high
    cross join record on record.id = words.rowid
    where true {where}
"""
_RECORDS_IN_FILES = """
    select record.id, record.file_id, coalesce(record.timestamp, ''), 0.0
    from json_each(:files) as part cross join record on record.file_id = part.value
    where true {where}
"""
_IDS_IN_FILES = """
    select record.id from json_each(:files) as part
    cross join record on record.file_id = part.value
"""
_BOUNDS = """
    select coalesce(min(record.id), 1), coalesce(max(record.id), 0)
    from json_each(:files) as part cross join record on record.file_id = part.value
"""
_COUNT = "select count(*) from words where words match :match"
_ROWS = """
    select record.id, f.path, record.offset, record.length, record.line, record.kind,
        record.uuid, record.timestamp, record.model, record.tool, record.failed, record.branch,
        record.active, f.role, f.session, f.agent, f.agent_type, f.agent_description, p.dir,
        p.name, p.worktree_of,
        (
            select s.title from file own join session s on s.file_id = own.id
            where own.session = f.session and own.role = 'session'
            order by own.id = f.id desc, own.project_id = f.project_id desc limit 1
        )
    from json_each(:ids) as part
    cross join record on record.id = part.value
    join file f on f.id = record.file_id
    join project p on p.id = f.project_id
    order by part.key
"""
_RECORD_FIELDS = (
    Field.TOOL,
    Field.FILE,
    Field.MODEL,
    Field.ROLE,
    Field.BRANCH,
    Field.IS,
    Field.HAS,
)


class _Match(NamedTuple):
    id: int
    file: int
    timestamp: str
    score: float


class _Asked(Struct, frozen=True):
    """A question in the words of SQLite."""

    wanted: Wanted
    chosen: Chosen
    match: str | None
    where: Where

    @property
    def is_plain(self) -> bool:
        """Tell whether every match counts."""
        return self.chosen.everything and not self.where.clauses

    def files(self) -> str:
        """List the chosen files for a statement."""
        return _listed([place.id for place in self.chosen.places])


class Searcher:
    """Answers searches on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._places = Places(connection)
        connection.create_function("has_words", 2, _has_words, deterministic=True)

    def search(self, wanted: Wanted) -> Found:
        """Find one page of rows."""
        with _one_moment(self._connection):
            asked = self._asked(wanted)
            if asked is None or not asked.chosen.places:
                return Found((), 0, 0, exact=True)
            return self._found(asked)

    def _asked(self, wanted: Wanted) -> _Asked | None:
        """Translate a question; None where nothing can answer it."""
        query = wanted.query
        kinds = kinds_wanted(query, KINDS)
        if not kinds:
            return None
        fts = to_fts(query.text)
        where = Where()
        add_times(where, query)
        add_filters(where, query, _RECORD_FIELDS)
        if fts.match is None:
            _add_presence(where, fts, kinds)
        match = _in_kinds(fts.match, kinds)
        return _Asked(wanted, self._places.chosen(wanted), match, where)

    def _found(self, asked: _Asked) -> Found:
        wanted = asked.wanted
        if asked.match is None:
            return self._walked(asked)
        after = wanted.after
        newest = after.newest if isinstance(after, Ranked) else self._places.newest_id()
        matches = self._matches(asked, newest)
        whole = len(matches) <= RANKED
        if wanted.order == "newest" and not whole:
            return self._walked(asked)
        page, more = _page(matches[:RANKED], wanted, newest)
        total, exact = (len(matches), True) if whole else self._total(asked)
        return Found(
            rows=self._rows(page),
            total=total,
            sessions=self._places.sessions(match.file for match in matches) if whole else None,
            exact=exact,
            next=more,
            ranked=None if whole else RANKED,
        )

    def _matches(self, asked: _Asked, newest: int) -> list[_Match]:
        """Give the matches that were added last, one more than are ever put in order."""
        ranked = asked.wanted.order == "relevance"
        first, last, where = 1, newest, asked.where
        if not asked.chosen.everything:
            where = Where([*where.clauses], {**where.values})
            where.add("record.file_id in (select value from json_each(:files))")
            where.values["files"] = asked.files()
            if len(asked.chosen.places) <= _FEW_FILES:
                first, last = self._connection.execute(
                    _BOUNDS, {"files": where.values["files"]}
                ).fetchone()
        values = {
            "match": asked.match,
            "first": first,
            "newest": min(last, newest),
            "limit": RANKED + 1,
        }
        statement = _MATCHES.replace("{score}", _SCORE if ranked else "0.0")
        return self._run(statement, where, values)

    def _total(self, asked: _Asked) -> tuple[int, bool]:
        """Count matches without looking at records, where that can be right."""
        if not asked.is_plain:
            return RANKED, False
        count: int = self._connection.execute(_COUNT, {"match": asked.match}).fetchone()[0]
        return count, not self._places.has_gone_records()

    def _walked(self, asked: _Asked) -> Found:
        """Go through the files, newest first, until a page is full or enough was looked at."""
        wanted = asked.wanted
        places = self._places.newest_first(asked.chosen.places)
        found: list[_Match] = []
        sure: list[_Match] = []
        end = lines = 0
        for start, end in stretches(places, _FIRST_STRETCH):
            found += self._in_files(asked, [place for _, place in places[start:end]])
            lines += sum(place.lines for _, place in places[start:end])
            # Files that are still to come may hold something newer than the rest of these.
            bound = places[end][0] if end < len(places) else ""
            sure = [match for match in found if match.timestamp > bound or end == len(places)]
            if len(sure) > wanted.limit or lines >= LOOKED_AT:
                break
        sure.sort(key=_by_time, reverse=True)
        page = sure[: wanted.limit]
        more: Position | None = None
        if len(sure) > wanted.limit:
            more = Dated(page[-1].timestamp, page[-1].id)
        elif end < len(places):
            more = Dated(places[end][0], _LAST_ID)
        total, exact, sessions = wanted.shown + len(found), end >= len(places), None
        if not exact and asked.match is not None and asked.is_plain:
            total, exact = self._total(asked)
        elif exact and not wanted.after:
            sessions = self._places.sessions(match.file for match in found)
        cut_short = end < len(places) and len(sure) <= wanted.limit
        return Found(
            self._rows(page), total, sessions, exact, more, None, lines if cut_short else None
        )

    def _in_files(self, asked: _Asked, places: Sequence[Place]) -> list[_Match]:
        where = Where([*asked.where.clauses], {**asked.where.values})
        after = asked.wanted.after
        if isinstance(after, Dated):
            moment = f"({where.bind(after.timestamp)}, {where.bind(after.id)})"
            where.add(f"(coalesce(record.timestamp, ''), record.id) < {moment}")
        files = {"files": _listed([place.id for place in places])}
        if asked.match is None:
            return self._run(_RECORDS_IN_FILES, where, files)
        ids = self._connection.execute(_IDS_IN_FILES, files)
        parts = msgspec.json.encode(ranges(row[0] for row in ids)).decode()
        return self._run(_MATCHES_IN_FILES, where, {"match": asked.match, "ranges": parts})

    def _run(self, statement: str, where: Where, values: dict[str, object]) -> list[_Match]:
        rows = self._connection.execute(
            statement.replace("{where}", where.sql()), {**where.values, **values}
        )
        return [_Match(*row) for row in rows]

    def _rows(self, page: Sequence[_Match]) -> list[HitRow]:
        ids = _listed([match.id for match in page])
        return [HitRow(*row) for row in self._connection.execute(_ROWS, {"ids": ids})]


def _page(
    matches: Sequence[_Match], wanted: Wanted, newest: int
) -> tuple[Sequence[_Match], Position | None]:
    """Put matches in order and cut out the page behind the position."""
    after, limit = wanted.after, wanted.limit
    if wanted.order == "relevance":
        ordered = sorted(matches, key=lambda match: (match.score, -match.id))
        rank = after.rank if isinstance(after, Ranked) else 0
        end = rank + limit
        return ordered[rank:end], Ranked(newest, end) if len(ordered) > end else None
    ordered = sorted(matches, key=_by_time, reverse=True)
    if isinstance(after, Dated):
        ordered = [one for one in ordered if _by_time(one) < (after.timestamp, after.id)]
    page = ordered[:limit]
    last = page[-1] if len(ordered) > limit else None
    return page, Dated(last.timestamp, last.id) if last else None


def _by_time(match: _Match) -> tuple[str, int]:
    return match.timestamp, match.id


def _in_kinds(match: str | None, kinds: Sequence[str]) -> str | None:
    """Ask FTS5 to look only into the columns of these kinds."""
    if match is None or len(kinds) == len(KINDS):
        return match
    return f"{{{' '.join(kinds)}}} : ({match})"


def _add_presence(where: Where, fts: Fts, kinds: Sequence[str]) -> None:
    """Without words to find, a record must still have something to show."""
    sizes = "select 1 from words_docsize as size where size.id = record.id"
    if len(kinds) == len(KINDS):
        where.add(f"(record.image = 1 or exists ({sizes}))")
    else:
        wanted = sum(1 << KINDS.index(kind) for kind in kinds)
        where.add(f"exists ({sizes} and has_words(size.sz, {wanted}))")
    if fts.exclude is not None:
        against = where.bind(_in_kinds(fts.exclude, kinds))
        where.add(f"record.id not in (select rowid from words where words match {against})")


def _has_words(sizes: bytes, wanted: int) -> bool:
    """Read how many words each column has, as FTS5 keeps it: numbers of 7 bits a byte."""
    column = 0
    some = False
    for byte in sizes:
        some = some or bool(byte & 0x7F)
        if byte < 0x80:
            if some and wanted >> column & 1:
                return True
            column += 1
            some = False
    return False


def _listed(numbers: Sequence[int]) -> str:
    return msgspec.json.encode(numbers).decode()


@contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Let several statements see the same state, whatever is written meanwhile."""
    if connection.in_transaction:
        yield
        return
    connection.execute("begin")
    try:
        yield
    finally:
        connection.execute("rollback")
