"""Search in a team's store: orders, totals, pages.

The server chooses how to go: a common word is walked by time, a rare one is found by its index.
All hits are counted up to ten thousand, those of a phrase among so many rows that have its words;
of more there are "more than" so many. Of the best, only the newest few thousand are put in order,
as in the local index.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from msgspec import Struct

from bough.model.text.formats import base_name_of
from bough.store.postgres.administration.word_dialect import (
    WordDialect,
    load_dialect,
    loosen_phrases,
)
from bough.store.postgres.condition_sql import (
    ServerConditions,
    add_file_filters,
    add_record_filters,
)
from bough.store.postgres.record_bodies import clean_text
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.word_sql import (
    WordChoice,
    WordQuestion,
    plan_question,
    write_score_query,
    write_word_condition,
)
from bough.store.query_language import join_words
from bough.store.query_language.bounds import BoundTree, find_bounds
from bough.store.search_protocol import (
    KINDS,
    DatedPosition,
    HitRow,
    Place,
    Position,
    RankedPosition,
    SearchFacets,
    SearchRequest,
    SearchRows,
    choose_kinds,
)

RANKED: Final = 3_000
"""So many matches are put in order; of more, only the newest."""
COUNTED: Final = 10_000
"""So many matches are counted; beyond that there are more."""
_COUNTED_LINES: Final = 50_000
"""Without words, hits are spread out only where there are no more lines than this."""
_MOMENT: Final = "coalesce(r.timestamp, '')"
_FROM: Final = """
    from record r
    join file f on f.id = r.file_id and f.deleted_at is null
    join project p on p.id = f.project_id
    where true
"""
_NEWEST: Final = f"""
    select r.file_id, r.offset, {_MOMENT} {_FROM} {{where}}
    order by {_MOMENT} desc, r.file_id desc, r.offset desc limit %(limit)s
"""
_COUNT: Final = f"""
    select count(*), count(distinct session)
    from (select f.session {_FROM} {{where}} limit {COUNTED + 1}) found
"""
_PLACES: Final = """
    from unnest(%(files)s::bigint[], %(offsets)s::bigint[]) with ordinality
        as r(file_id, "offset", number)
"""
_STEPS: Final = f"""
    select r.file_id, r.offset, {{step}}, coalesce(s.score, 0) {_PLACES}
    left join word_scores({{query}}::tsquery, %(files)s::bigint[], %(offsets)s::bigint[]) s
        on s.file_id = r.file_id and s.offset = r.offset
"""
# Words alone are asked for without a look at any record.
_COUNT_WORDS: Final = "select records, sessions, is_all from {call}"
_PAGE: Final = "select * from {call}"
_FROM_START: Final = """, before_moment => %(moment)s::text, before_file => %(file)s,
    before_offset => %(offset)s"""
_LIMIT: Final = ", newest => %(limit)s"
_BEFORE: Final = f"{_LIMIT}{_FROM_START}"
_LAST: Final = (1 << 63) - 1
_ROWS: Final = "select * from hit_rows(%(files)s::bigint[], %(offsets)s::bigint[])"
_SPREAD: Final = f"""
    select p.name, p.worktree_of, x.branch is not null, x.active, f.session,
        substr(m.prefix, 3), m.owner, count(*)
    {_PLACES}
    join record x on x.file_id = r.file_id and x.offset = r.offset
    join file f on f.id = r.file_id
    join project p on p.id = f.project_id
    join machine m on m.id = f.machine_id
    group by 1, 2, 3, 4, 5, 6, 7
"""
_COUNT_KIND: Final = f"select count(*) {_FROM} {{where}}"
_LINES: Final = """
    select coalesce(sum(f.lines), 0)::bigint from file f join project p on p.id = f.project_id
    where f.deleted_at is null
"""
_PROJECTS_BELOW: Final = """
    select below.id from project below, unnest({roots}::text[]) root
    where starts_with(below.folder, root)
"""
_FILE_BELOW: Final = """
    exists (select 1 from unnest({roots}::text[]) root where starts_with(f.path, root))
"""
_PROSE: Final = ("prompt", "text")
_THOUGHTS: Final = ("thinking",)


class ServerMatch(NamedTuple):
    """A record that matches: where it stands, and when it was written."""

    file: int
    offset: int
    timestamp: str

    @property
    def place(self) -> Place:
        """Give where the record stands."""
        return self.file, self.offset


class _Question(Struct, frozen=True):
    """A question in the words of PostgreSQL; without `match` every record is a candidate."""

    wanted: SearchRequest
    match: BoundTree | None
    kinds: tuple[str, ...] | None
    where: ServerConditions
    dialect: WordDialect
    words: WordQuestion | None = None
    """Where nothing but words is asked for, and one call answers it."""


class RecordSearch:
    """Answers searches on one connection."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self.dialect = load_dialect(connection)

    def search(self, wanted: SearchRequest) -> SearchRows:
        """Find one page of rows."""
        asked = _translate(wanted, self.dialect)
        if asked is None:
            return SearchRows((), 0, 0, exact=True)
        if asked.words is not None and wanted.order == "newest":
            found = self._find_page(asked, asked.words)
            if found is not None:
                return found
        with self._read_snapshot():
            if wanted.order == "relevance" and asked.match is not None:
                return self._search_best(asked)
            page, more = self._find_newest_page(asked)
            rows = self._load_rows(page)
            # Where all are on this page, nothing is left to be counted.
            is_all = more is None and wanted.after is None
            total, sessions, exact = (
                (len(rows), len({row.session for row in rows}), True)
                if is_all
                else self._count(asked)
            )
            return SearchRows(
                rows=rows,
                total=max(total, len(page)),
                sessions=sessions if exact else None,
                exact=exact,
                next=more,
            )

    def count_facets(self, wanted: SearchRequest) -> SearchFacets | None:
        """Count how all hits are spread, where they are few enough to be counted."""
        asked = _translate(wanted, self.dialect)
        if asked is None:
            return SearchFacets({}, {}, 0, 0)
        with self._read_snapshot():
            if asked.match is None:
                if self._count_lines(wanted) > _COUNTED_LINES:
                    return None
                matches = self._find_newest(asked, _COUNTED_LINES)
            else:
                matches = self._find_newest(asked, RANKED + 1)
                if len(matches) > RANKED:
                    return None
            return self._spread(asked, matches)

    def _count_lines(self, wanted: SearchRequest) -> int:
        """Count the lines of the files that a question is about."""
        where = _choose_files(wanted)
        row = self._connection.fetch_one(_LINES + where.sql(), where.values)
        return int(row[0]) if row else 0

    def _count(self, asked: _Question) -> tuple[int, int | None, bool]:
        """Count records and sessions; tells too whether these are all."""
        if asked.words is not None:
            where = ServerConditions()
            call = asked.words.write_count(where, COUNTED)
            row = self._connection.fetch_one(_COUNT_WORDS.format(call=call), where.values)
            return (row[0], row[1], row[2]) if row else (0, 0, True)
        statement = _COUNT.format(where=asked.where.sql())
        row = self._connection.fetch_one(statement, asked.where.values)
        records, sessions = (row[0], row[1]) if row else (0, 0)
        return min(records, COUNTED), sessions, records <= COUNTED

    def _find_newest(
        self, asked: _Question, limit: int, before: tuple[str, int, int] | None = None
    ) -> list[ServerMatch]:
        """Find the newest matches, of those before a moment and a place."""
        values: dict[str, object] = {"limit": limit}
        if asked.words is not None:
            where = ServerConditions()
            if before is not None:
                values |= zip(("moment", "file", "offset"), before, strict=True)
            call = asked.words.write_call(where, _LIMIT if before is None else _BEFORE)
            statement = f'select file_id, "offset", moment from {call}'
        else:
            where = asked.where.copy()
            if before is not None:
                moment = ", ".join(where.bind(value) for value in before)
                where.add(f"({_MOMENT}, r.file_id, r.offset) < ({moment})")
            statement = _NEWEST.format(where=where.sql())
        rows = self._connection.fetch_all(statement, {**where.values, **values})
        return [ServerMatch(*row) for row in rows]

    def _find_page(self, asked: _Question, words: WordQuestion) -> SearchRows | None:
        """Find a page of the newest by one call; None for a later page that has nothing."""
        wanted, where = asked.wanted, ServerConditions()
        values: dict[str, object] = {"limit": wanted.limit + 1}
        before = _find_start(wanted)
        if before is not None:
            values |= zip(("moment", "file", "offset"), before, strict=True)
        call = words.write_page(where, COUNTED, "" if before is None else _FROM_START)
        found = self._connection.fetch_all(_PAGE.format(call=call), {**where.values, **values})
        if not found:
            return SearchRows((), 0, 0, exact=True) if before is None else None
        page = found[: wanted.limit]
        total, sessions, exact = found[0][3:6]
        rows = tuple(HitRow(*row[6:]) for row in page if row[6] is not None)
        file, offset, moment = page[-1][:3]
        is_last = len(page) == len(found)
        if is_last and before is None:
            total, sessions = len(rows), len({row.session for row in rows})
        return SearchRows(
            rows=rows,
            total=max(total, len(page)),
            sessions=sessions if exact else None,
            exact=exact,
            newest=b"",
            next=None if is_last else DatedPosition(moment, (file, offset)),
            ranked=None,
        )

    def _find_newest_page(self, asked: _Question) -> tuple[Sequence[ServerMatch], Position | None]:
        wanted = asked.wanted
        found = self._find_newest(asked, wanted.limit + 1, _find_start(wanted))
        page = found[: wanted.limit]
        if len(found) <= len(page):
            return page, None
        return page, DatedPosition(page[-1].timestamp, page[-1].place)

    def _search_best(self, asked: _Question) -> SearchRows:
        """Put the newest matches in order; later pages take no newer ones into account."""
        wanted, before = asked.wanted, None
        start, mark = 0, b""
        if isinstance(wanted.after, RankedPosition):
            start, mark = wanted.after.rank, wanted.after.newest
            before = (clean_text(mark.decode("utf-8", "replace")), _LAST, _LAST)
        total, sessions, exact = self._count(asked)
        found = self._find_newest(asked, RANKED + 1, before)
        has_more = len(found) > RANKED
        if not exact and not has_more:
            # Of a phrase that is counted only as far as was looked, all are here nevertheless.
            total, sessions, exact = len(found), None, True
        found = found[:RANKED]
        if not mark and found:
            mark = found[0].timestamp.encode()
        ordered = self._rank(asked, found)
        end = start + wanted.limit
        return SearchRows(
            rows=self._load_rows(ordered[start:end]),
            total=max(total, len(found)),
            sessions=sessions if exact else None,
            exact=exact,
            newest=mark,
            next=RankedPosition(mark, end) if len(ordered) > end else None,
            ranked=RANKED if has_more else None,
        )

    def _rank(self, asked: _Question, matches: Sequence[ServerMatch]) -> list[ServerMatch]:
        """Put above others what has the words as a phrase, then prose, then whole words."""
        if not matches or asked.match is None:
            return [*matches]
        where = ServerConditions()
        conditions = list(_list_steps(asked, where))
        cases = " ".join(f"when {one} then {step}" for step, one in enumerate(conditions))
        query = where.bind(write_score_query(asked.match, asked.dialect) or "")
        statement = _STEPS.format(step=f"case {cases} else {len(conditions)} end", query=query)
        rows = self._connection.fetch_all(statement, {**where.values, **_bind_places(matches)})
        worth = {(row[0], row[1]): (row[2], -float(row[3])) for row in rows}
        # They come newest first, and stay so among equals.
        return sorted(matches, key=lambda match: worth[match.place])

    def _load_rows(self, matches: Sequence[ServerMatch]) -> list[HitRow]:
        """Look up what is known of the records that match, in the same order."""
        if not matches:
            return []
        return [HitRow(*row) for row in self._connection.fetch_all(_ROWS, _bind_places(matches))]

    def _spread(self, asked: _Question, matches: Sequence[ServerMatch]) -> SearchFacets:
        projects: Counter[str] = Counter()
        branches: Counter[bool] = Counter()
        sessions: Counter[str] = Counter()
        machines: Counter[str] = Counter()
        members: Counter[str] = Counter()
        rows = self._connection.fetch_all(_SPREAD, _bind_places(matches))
        for name, worktree_of, placed, active, session, machine, owner, number in rows:
            sessions[session] += number
            machines[machine] += number
            members[owner] += number
            for project in {name, base_name_of(worktree_of)} if worktree_of else {name}:
                projects[project] += number
            if placed:
                branches[bool(active)] += number
        kinds = {kind: self._count_kind(asked, kind) for kind in choose_kinds(asked.wanted.query)}
        return SearchFacets(
            projects, kinds, branches[True], branches[False], sessions, machines, members
        )

    def _count_kind(self, asked: _Question, kind: str) -> int:
        if asked.match is None:
            where = asked.where.copy()
            where.add(f"coalesce(r.kinds, 0) & {1 << KINDS.index(kind)} <> 0")
        else:
            where = _write_conditions(asked.wanted, asked.match, (kind,), asked.dialect)
        row = self._connection.fetch_one(_COUNT_KIND.format(where=where.sql()), where.values)
        return int(row[0]) if row else 0

    @contextmanager
    def _read_snapshot(self) -> Iterator[None]:
        """Let several statements see the same state, whatever is written meanwhile."""
        if self._connection.raw.info.transaction_status:
            yield
            return
        with self._connection.transaction("repeatable read read only"):
            yield


def _translate(wanted: SearchRequest, dialect: WordDialect) -> _Question | None:
    """Translate a question; None where nothing can answer it."""
    query = wanted.query
    kinds = choose_kinds(query)
    if not kinds:
        return None
    bounds = find_bounds(loosen_phrases(query.text, dialect))
    narrowed = None if len(kinds) == len(KINDS) else kinds
    where = _write_conditions(wanted, bounds.match, narrowed, dialect)
    if bounds.match is None:
        _add_presence(where, kinds, bounds.exclude, dialect)
    words = None
    if bounds.match is not None and len(where.clauses) == 1:
        words = plan_question(bounds.match, WordChoice(narrowed, dialect=dialect))
        if words is not None and words.is_impossible:
            return None
    return _Question(wanted, bounds.match, narrowed, where, dialect, words)


def _write_conditions(
    wanted: SearchRequest,
    match: BoundTree | None,
    kinds: tuple[str, ...] | None,
    dialect: WordDialect,
) -> ServerConditions:
    where = _choose_files(wanted)
    if match is not None:
        where.add(write_word_condition(where, match, WordChoice(kinds, dialect=dialect)))
    add_record_filters(where, wanted.query)
    return where


def _choose_files(wanted: SearchRequest) -> ServerConditions:
    where = ServerConditions()
    add_file_filters(where, wanted.query)
    if wanted.roots:
        # Whole Claude folders are asked of projects, which are few, and only once.
        roots = where.bind(list(wanted.roots))
        if all(root.endswith("/projects/") for root in wanted.roots):
            where.add(f"p.id = any(array({_PROJECTS_BELOW.format(roots=roots)}))")
        else:
            where.add(_FILE_BELOW.format(roots=roots))
    return where


def _add_presence(
    where: ServerConditions,
    kinds: Sequence[str],
    exclude: BoundTree | None,
    dialect: WordDialect,
) -> None:
    """Ask for something to show, where there are no words to find."""
    if len(kinds) == len(KINDS):
        where.add("(r.image = 1 or r.kinds is not null)")
    else:
        wanted = sum(1 << KINDS.index(kind) for kind in kinds)
        where.add(f"coalesce(r.kinds, 0) & {wanted} <> 0")
    if exclude is not None:
        narrowed = None if len(kinds) == len(KINDS) else tuple(kinds)
        choice = WordChoice(narrowed, dialect=dialect)
        where.add(f"not {write_word_condition(where, exclude, choice)}")


def _list_steps(asked: _Question, where: ServerConditions) -> Iterator[str]:
    """List what is worth most first, as conditions; what meets none of them comes last."""
    if asked.match is None:
        return
    phrase = join_words(asked.wanted.query.text)
    exact = find_bounds(phrase).match if phrase is not None else None
    prose = WordChoice(_PROSE, names=False, dialect=asked.dialect)
    thoughts = WordChoice(_THOUGHTS, names=False, dialect=asked.dialect)
    chosen = WordChoice(asked.kinds, dialect=asked.dialect)
    whole = WordChoice(names=False, dialect=asked.dialect)
    steps = [(exact, prose), (exact, thoughts), (exact, chosen)] if exact else []
    steps += [(asked.match, prose), (asked.match, thoughts), (asked.match, whole)]
    written: list[tuple[BoundTree, tuple[str, ...] | None, bool]] = []
    for bound, choice in steps:
        step = (bound, choice.kinds, choice.names)
        # Of one word all this is asked twice; what was asked before is never met.
        if step not in written:
            written.append(step)
            yield write_word_condition(where, bound, choice, at_places=True)


def _find_start(wanted: SearchRequest) -> tuple[str, int, int] | None:
    """Give the moment and the place after which a page by time begins."""
    if isinstance(wanted.after, DatedPosition):
        return clean_text(wanted.after.timestamp), *wanted.after.id
    return None


def _bind_places(matches: Sequence[ServerMatch]) -> dict[str, object]:
    return {
        "files": [match.file for match in matches],
        "offsets": [match.offset for match in matches],
    }
