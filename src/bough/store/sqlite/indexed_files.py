"""The files of the index as a search sees them: which count, and which are newest.

Kept in memory until somebody writes, because every search asks for them.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from bough.store.filter_conditions import FILE_FIELDS
from bough.store.query_language import Field
from bough.store.search_protocol import SearchRequest
from bough.store.sqlite.connection import fetch_all_packed, version_of
from bough.store.sqlite.filters import WhereClause, add_filters, like_condition

_FILES = """
    select f.id, f.session, f.path, f.lines, coalesce(s.ended_at, ''),
        f.inode || ' ' || f.size || ' ' || f.mtime_ns || ' ' || f.read_to
    from file f left join session s on s.file_id = f.id
    where f.deleted_at is null
"""
# Numbers that follow one another stay as far from their rank; it tells the ranges apart.
_RANGES = """
    select file_id, min(id), max(id)
    from (
        select record.file_id, record.id,
            record.id - row_number() over (partition by record.file_id order by record.id) as apart
        from json_each(:files) as part cross join record on record.file_id = part.value
    )
    group by file_id, apart
"""
_BOUNDS = """
    select coalesce(min(record.id), 1), coalesce(max(record.id), 0)
    from json_each(:files) as part cross join record on record.file_id = part.value
"""
_CHOSEN = """
    select f.id from file f join project p on p.id = f.project_id
    where f.deleted_at is null {where}
"""
# The newest record stands at the end of its file, or a few lines before.
_LAST = """
    select f.id, (
        select max(timestamp) from (
            select timestamp from record where file_id = f.id order by offset desc limit 4))
    from json_each(:files) as part cross join file f on f.id = part.value
"""
# A number is given to each record that ever was; those missing now have left words behind.
_GONE = """
    select coalesce((select seq from sqlite_sequence where name = 'record'), 0),
        (select count(*) from record)
"""


_NEVER = ("", None)
IdRange = tuple[int, int]
"""The numbers from the first to the last, both among them."""


class IndexedFile(Struct, frozen=True):
    """A file: whose it is, how long, when its session ended, and what tells it was read anew."""

    id: int
    session: str
    path: str
    lines: int
    ended_at: str
    stamp: str


class FileSelection(Struct, frozen=True):
    """The files that a search is about; `everything` where that is all of them."""

    places: Sequence[IndexedFile]
    everything: bool


class IndexedFiles:
    """The files of an index, read again when it has changed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version: tuple[int, int] | None = None
        self._files: dict[int, IndexedFile] = {}
        self._below: dict[tuple[str, ...], FileSelection] = {}
        self._ranges: dict[int, tuple[str, list[IdRange]]] = {}
        self._last: dict[int, tuple[str, str]] = {}
        self._newest: list[tuple[str, IndexedFile]] = []
        self._ids = (0, 0)
        self._bounded: tuple[Sequence[IndexedFile], IdRange] | None = None

    def chosen(self, wanted: SearchRequest) -> FileSelection:
        """Choose the files that a search may find something in."""
        self._refresh()
        where = WhereClause()
        add_filters(where, wanted.query, FILE_FIELDS)
        _add_file_filter(where, wanted)
        if not where.clauses:
            return self._select_below(wanted.roots)
        statement = _CHOSEN.replace("{where}", where.sql())
        rows = self._connection.execute(statement, where.values)
        places = (self._files[row[0]] for row in rows)
        return FileSelection([place for place in places if _is_below(place, wanted.roots)], False)

    def sort_newest_first(self, chosen: FileSelection) -> Sequence[tuple[str, IndexedFile]]:
        """Order files by the newest of their records, each with its time."""
        if not chosen.everything:
            return self._add_times(chosen.places)
        if not self._newest:
            self._newest = self._add_times(chosen.places)
        return self._newest

    def ranges(self, places: Sequence[IndexedFile]) -> list[IdRange]:
        """Give the numbers of the records in some files, as ranges without gaps."""
        known = self._ranges
        new = {one.id: one for one in places if known.get(one.id, _NEVER)[0] != one.stamp}
        for place in new.values():
            known[place.id] = (place.stamp, [])
        for file, first, last in self._query_files(new, _RANGES, 3):
            known[file][1].append((first, last))
        return _join_ranges(one for place in places for one in known[place.id][1])

    def find_bounds(self, places: Sequence[IndexedFile]) -> IdRange:
        """Find the first and the last number of the records in some files."""
        # A server of one project asks for the same ones, until something is written.
        if self._bounded is None or self._bounded[0] is not places:
            files = msgspec.json.encode([place.id for place in places]).decode()
            first, last = self._connection.execute(_BOUNDS, {"files": files}).fetchone()
            self._bounded = places, (first, last)
        return self._bounded[1]

    def sessions(self, files: Iterable[int]) -> int:
        """Count the sessions that these files belong to."""
        return len({self._files[file].session for file in set(files)})

    def newest_id(self) -> int:
        """Give the number of the record that was added last."""
        self._refresh()
        return self._ids[0]

    def count_gone_records(self) -> int:
        """Count the records that are no more; the full-text index may still match them."""
        return self._ids[0] - self._ids[1]

    def _select_below(self, roots: tuple[str, ...]) -> FileSelection:
        found = self._below.get(roots)
        if found is None:
            kept = [place for place in self._files.values() if _is_below(place, roots)]
            self._below[roots] = found = FileSelection(kept, len(kept) == len(self._files))
        return found

    def _add_times(self, places: Sequence[IndexedFile]) -> list[tuple[str, IndexedFile]]:
        known = self._last
        new = {one.id: one for one in places if known.get(one.id, _NEVER)[0] != one.stamp}
        for file, last in self._query_files(new, _LAST, 2):
            known[file] = (new[file].stamp, last or "")
        timed = [(max(place.ended_at, known[place.id][1]), place) for place in places]
        return sorted(timed, key=lambda pair: (pair[0], pair[1].id), reverse=True)

    def _query_files(self, files: Iterable[int], statement: str, columns: int) -> list[list[Any]]:
        wanted = msgspec.json.encode(list(files)).decode()
        if wanted == "[]":
            return []
        return fetch_all_packed(self._connection, statement, columns, {"files": wanted})

    def _refresh(self) -> None:
        version = version_of(self._connection)
        if version == self._version:
            return
        rows = fetch_all_packed(self._connection, _FILES, len(IndexedFile.__struct_fields__))
        self._files = {row[0]: IndexedFile(*row) for row in rows}
        self._ids = self._connection.execute(_GONE).fetchone()
        for kept in (self._ranges, self._last):
            for file in kept.keys() - self._files.keys():
                del kept[file]
        self._below = {}
        self._newest = []
        self._version = version


def _add_file_filter(where: WhereClause, wanted: SearchRequest) -> None:
    """Leave out files in which nothing touched what `file:` or stopped as `stop:` asks for."""
    for field, table, column in (
        (Field.FILE, "touch", "path"),
        (Field.STOP, "stop", "reason"),
    ):
        asked = [one for one in wanted.query.filters if one.field is field and not one.negated]
        if asked:
            values = " or ".join(like_condition(where, column, one) for one in asked)
            where.add(f"f.id in (select file_id from {table} where {values})")


def _join_ranges(ranges: Iterable[IdRange]) -> list[IdRange]:
    """Put ranges in order, and join those without a gap between them."""
    found: list[IdRange] = []
    for first, last in sorted(ranges):
        if found and found[-1][1] == first - 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def _is_below(place: IndexedFile, roots: tuple[str, ...]) -> bool:
    return not roots or place.path.startswith(roots)
