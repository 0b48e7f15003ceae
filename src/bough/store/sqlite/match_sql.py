"""The statements of a search: which records match, and what is known of them.

FTS5 must drive every join: the other way round it is asked once per record, a thousand
times slower, so all joins are cross joins. A record that was forgotten leaves its words in
the full-text index; the join with the records that are there leaves it out.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from bough.model.text.formats import base_name_of
from bough.store.query_language import WHOLE_WORDS, Field, FtsQuery, join_near, join_words, to_fts
from bough.store.search_protocol import (
    KINDS,
    DatedPosition,
    HitRow,
    Place,
    SearchFacets,
    SearchRequest,
    choose_kinds,
)
from bough.store.sqlite.connection import fetch_all_packed
from bough.store.sqlite.filters import WhereClause, add_filters, add_times
from bough.store.sqlite.indexed_files import FileSelection, IndexedFile, IndexedFiles

# Fast path: words of one project among fifty, 0.11 s of CPU to 0.02 s in 1.9 million records.
# Where the records of some files begin and end is read from all of them: 0.1 s for a million.
_FEW_LINES = 250_000
# A prompt or an answer that has the word is worth more than an output that has it, and a name
# that has it as one of its parts less than all of them.
_SCORE = "bm25(words, 4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.3)"
_PROSE = ("prompt", "text")
_THOUGHTS = ("thinking",)
_STEP = 1_000.0
"""More than any score: what ranks above ranks above, however often the other has the words."""
_IDS = "select rowid from words where words match :match and rowid between :first and :last"
_LAST_ADDED = """
    select record.id, record.file_id, record.offset, coalesce(record.timestamp, ''), {score}
    from words cross join record on record.id = words.rowid
    where words match :match and words.rowid between :first and :newest {where}
    order by words.rowid desc limit :limit
"""
_NEWEST = """
    select record.id, record.file_id, record.offset, coalesce(record.timestamp, '') as moment, 0.0
    from words cross join record on record.id = words.rowid
    where words match :match {where}
    order by moment desc, record.file_id desc, record.offset desc limit :limit
"""
_MATCHES_IN_FILES = """
    with part as materialized (
        select json_extract(value, '$[0]') as low, json_extract(value, '$[1]') as high
        from json_each(:ranges))
    select record.id, record.file_id, record.offset, coalesce(record.timestamp, ''), 0.0
    from part
    cross join words on words match :match and words.rowid between part.low and part.high
    cross join record on record.id = words.rowid
    where true {where}
"""
_RECORDS_IN_FILES = """
    select record.id, record.file_id, record.offset, coalesce(record.timestamp, ''), 0.0
    from json_each(:files) as part cross join record on record.file_id = part.value
    where true {where}
"""
_COUNT_UP_TO = """
    select count(*) from (select 1 from words where words match :match limit :limit)
"""
_COUNT = "select count(*) from words where words match :match"
_SPREAD = """
    select p.name, p.worktree_of, record.branch is not null, record.active, f.session, count(*)
    from json_each(:ids) as part
    cross join record on record.id = part.value
    cross join file f on f.id = record.file_id
    cross join project p on p.id = f.project_id
    group by 1, 2, 3, 4, 5
"""
_MATCHES_OF_KIND = """
    select count(*) from words cross join record on record.id = words.rowid
    where words match :match {where}
"""
_RECORDS_OF_KIND = """
    select count(*) from json_each(:ids) as part
    cross join words_docsize as size on size.id = part.value
    where has_words(size.sz, :kind)
"""
_ROWS = """
    select f.id, f.path, record.offset, record.length, record.line, record.kind,
        record.uuid, record.timestamp, record.model, record.tool, record.failed, record.branch,
        record.active, f.role, f.session, f.agent, f.agent_type, f.agent_description, p.dir,
        p.name, p.worktree_of, s.title, s.title_source, s.file_id
    from json_each(:ids) as part
    cross join record on record.id = part.value
    cross join file f on f.id = record.file_id
    cross join project p on p.id = f.project_id
    left join file own on own.session = f.session and own.role = 'session'
        and own.project_id = f.project_id
    left join session s on s.file_id = own.id
    order by part.key
"""
_RECORD_FIELDS = (
    Field.TOOL,
    Field.FILE,
    Field.MODEL,
    Field.ROLE,
    Field.BRANCH,
    Field.STOP,
    Field.IS,
    Field.HAS,
)


class RecordMatch(NamedTuple):
    """A record that matches; a lower score is a better match.

    `id` is the number it has in this index alone; whoever asked is told its place.
    """

    id: int
    file: int
    offset: int
    timestamp: str
    score: float

    @property
    def place(self) -> Place:
        """Give where the record stands."""
        return self.file, self.offset


class MatchQuery(Struct, frozen=True):
    """A question in the words of SQLite; without `match` every record is a candidate."""

    wanted: SearchRequest
    chosen: FileSelection
    match: str | None
    where: WhereClause

    @property
    def is_plain(self) -> bool:
        """Tell whether every match counts."""
        return self.chosen.everything and not self.where.clauses

    @property
    def has_prefix(self) -> bool:
        """Tell whether FTS5 has to join many words into one, anew for every statement."""
        return self.match is not None and '"*' in self.match


class Matcher:
    """Runs the statements on one connection."""

    def __init__(self, connection: sqlite3.Connection, places: IndexedFiles) -> None:
        self._connection = connection
        self._places = places
        connection.create_function("has_words", 2, _has_words, deterministic=True)

    def find_last_added(self, asked: MatchQuery, newest: int, limit: int) -> list[RecordMatch]:
        """Give the matches that were added last, with scores where they are to be ranked."""
        where = _require_chosen_files(asked)
        first, last = 1, newest
        lines = sum(place.lines for place in asked.chosen.places)
        if lines <= _FEW_LINES and not asked.chosen.everything:
            first, last = self._places.find_bounds(asked.chosen.places)
        bounds = {"first": first, "newest": min(last, newest), "limit": limit}
        score = _SCORE if asked.wanted.order == "relevance" else "0.0"
        statement = _LAST_ADDED.replace("{score}", score)
        return self._run_statement(statement, where, {"match": asked.match, **bounds})

    def rank(self, asked: MatchQuery, matches: Sequence[RecordMatch]) -> list[RecordMatch]:
        """Put above others what has the words as a phrase, then prose, then whole words.

        A score alone cannot: an output that has a word a hundred times outdoes every sentence.
        """
        if not matches or asked.match is None:
            return [*matches]
        ids = [match.id for match in matches]
        bounds = {"first": min(ids), "last": max(ids)}
        steps: dict[int, int] = {}
        left = set(ids)
        for number, match in enumerate(_list_steps(asked)):
            found = self._connection.execute(_IDS, {"match": match, **bounds})
            new = left.intersection(one for (one,) in found)
            steps.update(dict.fromkeys(new, number))
            left -= new
            # A common word that is asked for in prompts alone: every step reads all its places.
            if not left:
                break
        last = 1 + max(steps.values(), default=0)
        return [
            match._replace(score=match.score + _STEP * steps.get(match.id, last))
            for match in matches
        ]

    def newest(self, asked: MatchQuery, limit: int) -> list[RecordMatch]:
        """Give the newest matches behind the position that was asked for."""
        where = _require_older(asked, _require_chosen_files(asked))
        return self._run_statement(_NEWEST, where, {"match": asked.match, "limit": limit})

    def find_in_files(self, asked: MatchQuery, places: Sequence[IndexedFile]) -> list[RecordMatch]:
        """Give all matches in some files behind the position that was asked for."""
        where = _require_older(asked, asked.where.copy())
        if asked.match is None:
            files = _json_list(place.id for place in places)
            return self._run_statement(_RECORDS_IN_FILES, where, {"files": files})
        ranges = msgspec.json.encode(self._places.ranges(places)).decode()
        return self._run_statement(
            _MATCHES_IN_FILES, where, {"match": asked.match, "ranges": ranges}
        )

    def has_more(self, asked: MatchQuery, number: int) -> bool:
        """Tell whether there are more matches than so many."""
        values = {"match": asked.match, "limit": number + 1}
        count: int = self._connection.execute(_COUNT_UP_TO, values).fetchone()[0]
        return count > number

    def count(self, asked: MatchQuery) -> int:
        """Count the matches, those in records that are gone among them."""
        count: int = self._connection.execute(_COUNT, {"match": asked.match}).fetchone()[0]
        return count

    def rows(self, matches: Sequence[RecordMatch]) -> list[HitRow]:
        """Look up what is known of the records that match, in the same order."""
        ids = _json_list(match.id for match in matches)
        columns = len(HitRow.__struct_fields__)
        return [
            HitRow(*row) for row in fetch_all_packed(self._connection, _ROWS, columns, {"ids": ids})
        ]

    def count_facets(self, asked: MatchQuery, matches: Sequence[RecordMatch]) -> SearchFacets:
        """Count how matches are spread."""
        ids = _json_list(match.id for match in matches)
        projects: Counter[str] = Counter()
        branches: Counter[bool] = Counter()
        sessions: Counter[str] = Counter()
        rows = fetch_all_packed(self._connection, _SPREAD, 6, {"ids": ids})
        for name, worktree_of, placed, active, session, number in rows:
            sessions[session] += number
            for project in {name, base_name_of(worktree_of)} if worktree_of else {name}:
                projects[project] += number
            if placed:
                branches[bool(active)] += number
        kinds = {
            kind: self._count_kind(asked, kind, ids) for kind in choose_kinds(asked.wanted.query)
        }
        return SearchFacets(projects, kinds, branches[True], branches[False], sessions)

    def _count_kind(self, asked: MatchQuery, kind: str, ids: str) -> int:
        statement = _RECORDS_OF_KIND
        values: dict[str, object] = {"ids": ids, "kind": 1 << KINDS.index(kind)}
        if asked.match is not None:
            where = _require_chosen_files(asked)
            statement = _MATCHES_OF_KIND.replace("{where}", where.sql())
            match = to_fts(asked.wanted.query.text, (kind,)).match
            values = {**where.values, "match": match}
        count: int = self._connection.execute(statement, values).fetchone()[0]
        return count

    def _run_statement(
        self, statement: str, where: WhereClause, values: Mapping[str, object]
    ) -> list[RecordMatch]:
        asked = statement.replace("{where}", where.sql())
        values = {**where.values, **values}
        rows = fetch_all_packed(self._connection, asked, len(RecordMatch._fields), values)
        return [RecordMatch(*row) for row in rows]


def translate_request(wanted: SearchRequest, chosen: FileSelection) -> MatchQuery | None:
    """Translate a question; None where nothing can answer it."""
    query = wanted.query
    kinds = choose_kinds(query)
    if not kinds or not chosen.places:
        return None
    fts = to_fts(query.text, _narrow_kinds(kinds))
    where = WhereClause()
    add_times(where, query)
    add_filters(where, query, _RECORD_FIELDS)
    if fts.match is None:
        _add_presence(where, fts, kinds)
    return MatchQuery(wanted, chosen, fts.match, where)


def _list_steps(asked: MatchQuery) -> Iterator[str]:
    """List what is worth most first, as expressions; what matches none of them comes last."""
    match, query = asked.match or "", asked.wanted.query
    phrase, near = join_words(query.text), join_near(query.text)
    # What else a query asks for holds for all matches already.
    kinds = _narrow_kinds(choose_kinds(query))
    exact = to_fts(phrase, kinds).match if phrase is not None else None
    if exact is not None:
        yield _restrict_to_columns(exact, _PROSE)
        yield _restrict_to_columns(exact, _THOUGHTS)
        if near is not None:
            yield _restrict_to_columns(near, _PROSE)
        yield exact
    yield _restrict_to_columns(match, _PROSE)
    # Beginnings of words are joined anew for every statement, which takes long.
    if not asked.has_prefix:
        yield _restrict_to_columns(match, _THOUGHTS)
        yield _restrict_to_columns(match, WHOLE_WORDS)


def _require_chosen_files(asked: MatchQuery) -> WhereClause:
    """Add to the conditions that a record is in one of the chosen files."""
    where = asked.where.copy()
    if not asked.chosen.everything:
        files = _json_list(place.id for place in asked.chosen.places)
        where.add("record.file_id in (select value from json_each(:files))", files=files)
    return where


def _require_older(asked: MatchQuery, where: WhereClause) -> WhereClause:
    """Add to the conditions that a record is older than the last one shown."""
    after = asked.wanted.after
    if isinstance(after, DatedPosition):
        values = (after.timestamp, *after.id)
        moment = ", ".join(where.bind(value) for value in values)
        own = "coalesce(record.timestamp, ''), record.file_id, record.offset"
        where.add(f"({own}) < ({moment})")
    return where


def _narrow_kinds(kinds: Sequence[str]) -> Sequence[str] | None:
    """Give the kinds that a search is narrowed to; None where it is not."""
    return None if len(kinds) == len(KINDS) else kinds


def _restrict_to_columns(match: str, columns: Sequence[str]) -> str:
    return f"{{{' '.join(columns)}}} : ({match})"


def _add_presence(where: WhereClause, fts: FtsQuery, kinds: Sequence[str]) -> None:
    """Ask for something to show, where there are no words to find."""
    sizes = "select 1 from words_docsize as size where size.id = record.id"
    if len(kinds) == len(KINDS):
        where.add(f"(record.image = 1 or exists ({sizes}))")
    else:
        wanted = sum(1 << KINDS.index(kind) for kind in kinds)
        where.add(f"exists ({sizes} and has_words(size.sz, {wanted}))")
    if fts.exclude is not None:
        against = where.bind(fts.exclude)
        having = f"select rowid from words where words match {against}"
        where.add(f"record.id not in ({having})")


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


def _json_list(numbers: Iterable[int]) -> str:
    return msgspec.json.encode(list(numbers)).decode()
