"""The files of the index as a search sees them: which count, and which are newest.

Kept in memory until somebody writes, because every search asks for them.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from msgspec import Struct

from bough.store.hits import Wanted
from bough.store.searchql import Field
from bough.store.sqlite.narrowing import FILE_FIELDS, Where, add_filters, like

_FILES = """
    select f.id, f.session, f.path, f.lines, coalesce(s.ended_at, '')
    from file f left join session s on s.file_id = f.id
    where f.deleted_at is null
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
    from file f where f.deleted_at is null
"""
# A number is given to each record that ever was; those missing now have left words behind.
_GONE = """
    select coalesce((select seq from sqlite_sequence where name = 'record'), 0),
        (select count(*) from record)
"""


class Place(Struct, frozen=True):
    """A file: whose it is, how long, and when its session ended."""

    id: int
    session: str
    path: str
    lines: int
    ended_at: str


class Chosen(Struct, frozen=True):
    """The files that a search is about; `everything` where that is all of them."""

    places: Sequence[Place]
    everything: bool


class Places:
    """The files of an index, read again when it has changed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._version: tuple[int, int] | None = None
        self._files: dict[int, Place] = {}
        self._last: dict[int, str] = {}
        self._newest: list[tuple[str, Place]] = []
        self._ids = (0, 0)

    def chosen(self, wanted: Wanted) -> Chosen:
        """Choose the files that a search may find something in."""
        self._refresh()
        where = Where()
        add_filters(where, wanted.query, FILE_FIELDS)
        _add_touching(where, wanted)
        if not where.clauses:
            kept = [place for place in self._files.values() if _is_below(place, wanted.roots)]
            return Chosen(kept, len(kept) == len(self._files))
        statement = _CHOSEN.replace("{where}", where.sql())
        rows = self._connection.execute(statement, where.values)
        places = (self._files[row[0]] for row in rows)
        return Chosen([place for place in places if _is_below(place, wanted.roots)], False)

    def newest_first(self, chosen: Chosen) -> Sequence[tuple[str, Place]]:
        """Order files by the newest of their records, each with its time."""
        if not chosen.everything:
            return self._timed(chosen.places)
        if not self._newest:
            self._newest = self._timed(chosen.places)
        return self._newest

    def sessions(self, files: Iterable[int]) -> int:
        """Count the sessions that these files belong to."""
        return len({self._files[file].session for file in set(files)})

    def newest_id(self) -> int:
        """Give the number of the record that was added last."""
        self._refresh()
        return self._ids[0]

    def gone_records(self) -> int:
        """Count the records that are no more; the full-text index may still match them."""
        return self._ids[0] - self._ids[1]

    def _timed(self, places: Iterable[Place]) -> list[tuple[str, Place]]:
        if not self._last:
            self._last = {file: last or "" for file, last in self._connection.execute(_LAST)}
        last = self._last
        timed = [(max(place.ended_at, last.get(place.id, "")), place) for place in places]
        return sorted(timed, key=lambda pair: (pair[0], pair[1].id), reverse=True)

    def _refresh(self) -> None:
        seen: int = self._connection.execute("pragma data_version").fetchone()[0]
        version = (seen, self._connection.total_changes)
        if version == self._version:
            return
        rows = self._connection.execute(_FILES)
        self._files = {row[0]: Place(*row) for row in rows}
        self._ids = self._connection.execute(_GONE).fetchone()
        self._last = {}
        self._newest = []
        self._version = version


def _add_touching(where: Where, wanted: Wanted) -> None:
    """Leave out files in which nothing touched what `file:` asks for."""
    files = [one for one in wanted.query.filters if one.field is Field.FILE and not one.negated]
    if files:
        paths = " or ".join(like(where, "path", one) for one in files)
        touching = f"select file_id from touch where {paths}"
        where.add(f"f.id in ({touching})")


def _is_below(place: Place, roots: tuple[str, ...]) -> bool:
    return not roots or place.path.startswith(roots)
