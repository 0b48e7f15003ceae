"""Sums for statistics: what each file adds to a report, made when a report is asked for.

The rule. A thing (a call, an answer, a prompt, a run of a hook) is known by an id, and is counted
once over all files in scope, at its earliest. Where only one file has the id, all that is known of
the thing stands in that file, whatever the scope: such things are added up by file. Where several
files have it, the thing is looked at singly, from its rows in scope. So a total is the sums of the
files and the count of what is shared, and nothing is in both: an id that was ever found in two
files stays among the shared ones, and the sums of all files that have it are made without it.

A file's sum is dropped by whoever writes the file, in the same transaction, and made here under
the lock of a writer, so no sum is older than its file. Of a stretch of time, files that lie wholly
inside are taken by their sum, those that lie across its ends by their rows. Files that end in the
same month are added up once more, up to 256 of them: a year is some dozens of sums then.
"""

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bough.store.sqlite.connection import transaction, translate_errors
from bough.store.sqlite.writer import drop_stats, list_missing_indexes
from bough.store.sqlite_faults import SqliteFault, find_fault
from bough.store.stats_protocol import IdSpace, RowPart, StatsScope, SumBuilder, SumParts

if TYPE_CHECKING:
    from bough.store.stats_protocol import StatsSource

STATS_FORM = "2"
"""Raised when something is counted or packed differently: then all sums are made anew."""
_AT_ONCE = 256
"""So many files are added up in one transaction; then others have their turn."""
_MANY = 200
"""Above so many files, ids are not looked up one by one: all that there are are looked through."""
_WAIT_MILLISECONDS = 2000
_TRIES = 3
"""Files may change while sums are made, but not for ever."""
_PER_BUCKET = 8
"""Files whose numbers differ only in so many bits may share a bucket."""
_MONTH = len("2026-11")
_LAST = "~"
"""Later than every moment."""

_making = threading.Lock()
_HINDRANCES = (SqliteFault.BUSY, SqliteFault.FULL, SqliteFault.READ_ONLY)

_ID_COLUMNS: dict[IdSpace, tuple[tuple[str, str], ...]] = {
    "call": (("call", "call_id"), ("result", "call_id")),
    "message": (("usage", "message_id"),),
    "prompt": (("prompt", "uuid"),),
    "hook": (("hook", "coalesce(call_id, timestamp, '')"),),
}
_SHARED = "select id from ({rows}) group by id having min(file_id) <> max(file_id)"
# Read in the order of an index, where there is one.
_ALL_IDS = "select {key} as id, file_id from {table} where {key} is not null"
_GIVEN_IDS = "select {key} as id, file_id from {table} where {key} in (select id from own)"
_OWN_IDS = """
    select {key} as id from json_each(:files) as part cross join {table} on file_id = part.value
"""
_HOLDERS = """
    select file_id from {table} where {key} in (select value from json_each(:ids))
"""
_KNOWN = """
    select id from stats_shared
    where space = :space and id in (select value from json_each(:ids))
"""
_ARE_ALL_MARKED = """
    select 1 from meta where key = 'stats_shared'
    and value = (select value from meta where key = 'state')
"""
_NOTE_ALL_MARKED = """
    insert or replace into meta select 'stats_shared', value from meta where key = 'state'
"""
_ANY_SUMS = "select exists (select 1 from stats_sum)"
_ANY_SHARED = "select exists (select 1 from stats_shared where space = ?)"
_IS_THIS_FORM = "select 1 from meta where key = 'stats' and value = ?"
_ARE_COMPLETE = """
    select (select count(*) from file) = (select count(*) from stats_sum where kind = ?)
"""
_COUNT_SUMS = """
    select count(*) from stats_sum where kind in (select value from json_each(:kinds))
"""
_MISSING = """
    select id from file
    where id > ? and not exists (select 1 from stats_sum where file_id = id and kind = ?)
    order by id limit ?
"""
_UNBUCKETED = """
    select bucket, first, last, value from stats_sum s
    where kind = :kind and value is not null
    and not exists (select 1 from stats_bucket b where b.kind = s.kind and b.bucket = s.bucket)
    order by bucket
"""
_SCOPED_SUMS = """
    select s.file_id, s.first, s.last from stats_sum s join file f on f.id = s.file_id
    where s.kind = :kind and s.value is not null
    and (:session is null or f.session = :session)
    and (:projects is null or f.project_id in (select value from json_each(:projects)))
"""
_BUCKETS = "select rowid, first, last, bucket from stats_bucket where kind = ?"
_OF_BUCKETS = """
    select file_id, first, last from stats_sum
    where kind = :kind and value is not null
    and bucket in (select value from json_each(:wanted))
"""
_FILE_VALUES = """
    select s.value from json_each(:wanted) as part
    cross join stats_sum s on s.file_id = part.value and s.kind = :kind
"""
_BUCKET_VALUES = """
    select b.value from json_each(:wanted) as part
    cross join stats_bucket b on b.rowid = part.value
"""


@contextmanager
def open_sums(
    connection: sqlite3.Connection,
    path: Path,
    builder: SumBuilder,
    scope: StatsScope,
    source: "StatsSource",
) -> Iterator[SumParts | None]:
    """Make the sums that are missing, and choose those that a scope needs.

    What is yielded holds while the context does. None where sums cannot be kept: another one
    writes for long, or nobody can.
    """
    with translate_errors(path):
        if not _begin_complete(connection, builder, source):
            yield None
            return
        try:
            yield _choose_parts(connection, builder, scope)
        finally:
            connection.execute("rollback")


def count_missing(connection: sqlite3.Connection, builders: Iterable[SumBuilder]) -> int:
    """Count the sums that are still to be made."""
    wanted = [builder.name for builder in builders]
    files: int = connection.execute("select count(*) from file").fetchone()[0]
    if connection.execute(_IS_THIS_FORM, (STATS_FORM,)).fetchone() is None:
        return files * len(wanted)
    made: int = connection.execute(_COUNT_SUMS, {"kinds": _list(wanted)}).fetchone()[0]
    return files * len(wanted) - made


def make_missing(
    connection: sqlite3.Connection, builder: SumBuilder, source: "StatsSource", *, rests: bool
) -> bool:
    """Make the sums that are missing; tell whether that was possible.

    Who `rests` after each few files lets others write in between who wait for that: they look
    whether they may now and then only.
    """
    # During a first reading nothing can be looked up by its id.
    if list_missing_indexes(connection):
        return False
    # Threads of one process take turns. Waiting for each other's transactions, some would give up.
    with _making:
        waits = connection.execute("pragma busy_timeout").fetchone()[0]
        connection.execute(f"pragma busy_timeout = {_WAIT_MILLISECONDS}")
        last: int | None = 0
        try:
            while last is not None:
                began = time.process_time()
                with transaction(connection):
                    last = _make_some(connection, builder, source, last)
                if rests:
                    time.sleep(time.process_time() - began)
        except OverflowError:  # a number that no client wrote
            return False
        except sqlite3.OperationalError as error:
            if find_fault(error) not in _HINDRANCES:
                raise
            return False
        finally:
            connection.execute(f"pragma busy_timeout = {waits}")
        return True


def _begin_complete(
    connection: sqlite3.Connection, builder: SumBuilder, source: "StatsSource"
) -> bool:
    """Begin a transaction in which the sums of all files are there."""
    if connection.in_transaction:
        return False
    for _ in range(_TRIES):
        connection.execute("begin")
        if _are_complete(connection, builder):
            return True
        connection.execute("rollback")
        if not make_missing(connection, builder, source, rests=False):
            return False
    return False


def _are_complete(connection: sqlite3.Connection, builder: SumBuilder) -> bool:
    if connection.execute(_IS_THIS_FORM, (STATS_FORM,)).fetchone() is None:
        return False
    complete: int = connection.execute(_ARE_COMPLETE, (builder.name,)).fetchone()[0]
    return bool(complete)


def _make_some(
    connection: sqlite3.Connection, builder: SumBuilder, source: "StatsSource", after: int
) -> int | None:
    """Make the sums of some files after one; give the last of them, None where all are there."""
    if connection.execute(_IS_THIS_FORM, (STATS_FORM,)).fetchone() is None:
        for table in ("stats_sum", "stats_bucket", "stats_shared"):
            connection.execute(f"delete from {table}")
        connection.execute("delete from meta where key = 'stats_shared'")
        connection.execute("insert or replace into meta values ('stats', ?)", (STATS_FORM,))
    found = connection.execute(_MISSING, (after, builder.name, _AT_ONCE))
    missing: list[int] = [row[0] for row in found]
    if missing:
        _mark_shared(connection, builder.space, missing)
        _sum_files(connection, builder, source, missing)
        return missing[-1]
    if not _are_complete(connection, builder):
        return 0  # somebody wrote a file that was passed
    _fill_buckets(connection, builder)
    return None


def _sum_files(
    connection: sqlite3.Connection,
    builder: SumBuilder,
    source: "StatsSource",
    files: Sequence[int],
) -> None:
    rows = [
        (builder.name, file, f"{last[:_MONTH]} {file >> _PER_BUCKET}", first, last, value)
        for file, (first, last, value) in zip(files, builder.sum_files(source, files), strict=True)
    ]
    connection.executemany("insert into stats_sum values (?, ?, ?, ?, ?, ?)", rows)
    buckets = {(row[0], row[2]) for row in rows}
    connection.executemany("delete from stats_bucket where kind = ? and bucket = ?", buckets)


def _mark_shared(connection: sqlite3.Connection, space: IdSpace, files: Sequence[int]) -> None:
    """Keep the ids of files that others have too, so that they are in no sum.

    Of many files those of all kinds are looked for at once, and not again until a file changes.
    """
    if connection.execute(_ARE_ALL_MARKED).fetchone():
        return
    if len(files) <= _MANY:
        own = f"with own as ({_unite(space, _OWN_IDS)})"
        statement = own + _SHARED.format(rows=_unite(space, _GIVEN_IDS))
        _keep_shared(connection, space, connection.execute(statement, {"files": _list(files)}))
        return
    for each in _ID_COLUMNS:
        statement = _SHARED.format(rows=_unite(each, _ALL_IDS))
        _keep_shared(connection, each, connection.execute(statement))
    connection.execute(_NOTE_ALL_MARKED)


def _keep_shared(
    connection: sqlite3.Connection, space: IdSpace, found: Iterable[tuple[str]]
) -> None:
    """Keep ids that several files have; drop the sums that were made without knowing."""
    shared = {row[0] for row in found}
    known = connection.execute(_KNOWN, {"space": space, "ids": _list(shared)})
    new = shared - {row[0] for row in known}
    connection.executemany("insert into stats_shared values (?, ?)", ((space, one) for one in new))
    if not new or not connection.execute(_ANY_SUMS).fetchone()[0]:
        return
    holders = connection.execute(_unite(space, _HOLDERS), {"ids": _list(new)})
    for file in {row[0] for row in holders}:
        drop_stats(connection, file)


def _unite(space: IdSpace, pattern: str) -> str:
    """Ask every table that has ids of a space."""
    parts = (pattern.format(table=table, key=key) for table, key in _ID_COLUMNS[space])
    return " union all ".join(parts)


def _fill_buckets(connection: sqlite3.Connection, builder: SumBuilder) -> None:
    rows = connection.execute(_UNBUCKETED, {"kind": builder.name}).fetchall()
    for bucket, group in groupby(rows, key=lambda row: row[0]):
        _, firsts, lasts, values = zip(*group, strict=True)
        value = builder.merge_packed(values)
        connection.execute(
            "insert into stats_bucket values (?, ?, ?, ?, ?)",
            (builder.name, bucket, min(firsts), max(lasts), value),
        )


def _choose_parts(
    connection: sqlite3.Connection, builder: SumBuilder, scope: StatsScope
) -> SumParts:
    """Take whole buckets where all files are asked about, and files where they do not fit."""
    kind = {"kind": builder.name}
    values: list[bytes] = []
    if scope.session is None and scope.projects is None:
        buckets = connection.execute(_BUCKETS, (builder.name,)).fetchall()
        inside, across = _sort_by_range(buckets, scope)
        wanted = {"wanted": _list(row[0] for row in inside)}
        values += (row[0] for row in connection.execute(_BUCKET_VALUES, wanted))
        wanted = {"wanted": _list(row[-1] for row in across)}
        files = connection.execute(_OF_BUCKETS, kind | wanted).fetchall()
    else:
        projects = None if scope.projects is None else _list(scope.projects)
        asked = {"session": scope.session, "projects": projects}
        files = connection.execute(_SCOPED_SUMS, kind | asked).fetchall()
    inside, across = _sort_by_range(files, scope)
    wanted = {"wanted": _list(row[0] for row in inside)}
    values += (row[0] for row in connection.execute(_FILE_VALUES, kind | wanted))
    rows = []
    if across:
        rows.append(RowPart(files=tuple(row[0] for row in across), shared=False))
    if connection.execute(_ANY_SHARED, (builder.space,)).fetchone()[0]:
        rows.append(RowPart(shared=True))
    return SumParts(values, rows)


def _sort_by_range(
    found: Iterable[tuple[Any, ...]], scope: StatsScope
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Tell what lies inside a stretch of time from what lies across its ends, by first and last.

    What has no moment is never inside a stretch that has an end or a beginning.
    """
    if scope.since is None and scope.until is None:
        return list(found), []
    since = scope.since or ""
    until = _LAST if scope.until is None else min(scope.until, _LAST)
    inside, across = [], []
    for row in found:
        first, last = row[1:3]
        if since <= first and last < until:
            inside.append(row)
        elif last >= since and (first < until or first >= _LAST):
            across.append(row)
    return inside, across


def _list(values: Iterable[object]) -> str:
    return msgspec.json.encode(list(values)).decode()
