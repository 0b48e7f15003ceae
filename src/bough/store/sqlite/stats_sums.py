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
from collections.abc import Iterable, Iterator
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

STATS_FORM = "1"
"""Raised when something is counted or packed differently: then all sums are made anew."""
_AT_ONCE = 500
"""So many files are added up in one transaction; then others have their turn."""
_WAIT_MILLISECONDS = 2000
_TRIES = 3
"""Files may change while sums are made, but not for ever."""
_PER_BUCKET = 8
"""Files whose numbers differ only in so many bits may share a bucket."""
_MONTH = len("2026-11")
_LAST = "~"
"""Later than every moment."""

_HINDRANCES = (SqliteFault.BUSY, SqliteFault.FULL, SqliteFault.READ_ONLY)

_ID_COLUMNS: dict[IdSpace, tuple[tuple[str, str], ...]] = {
    "call": (("call", "call_id"), ("result", "call_id")),
    "message": (("usage", "message_id"),),
    "prompt": (("prompt", "uuid"),),
    "hook": (("hook", "coalesce(call_id, timestamp, '')"),),
}
_OWN_IDS = """
    select {key} from json_each(:files) as part cross join {table} on file_id = part.value
    where {key} is not null
"""
_HOLDERS = """
    select {key}, file_id from {table} where {key} in (select value from json_each(:ids))
"""
_SHARED = """
    select id from stats_shared
    where space = :space and id in (select value from json_each(:ids))
"""
_ANY_SHARED = "select exists (select 1 from stats_shared where space = ?)"
_IS_THIS_FORM = "select 1 from meta where key = 'stats' and value = ?"
_ARE_COMPLETE = """
    select (select count(*) from file) = (select count(*) from stats_sum where kind = ?)
"""
_MISSING = """
    select id from file
    where not exists (select 1 from stats_sum where file_id = id and kind = ?)
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
        if not _make_missing(connection, builder, source):
            return False
    return False


def _make_missing(
    connection: sqlite3.Connection, builder: SumBuilder, source: "StatsSource"
) -> bool:
    """Make the sums that are missing; tell whether that was possible."""
    # During a first reading nothing can be looked up by its id.
    if list_missing_indexes(connection):
        return False
    waits = connection.execute("pragma busy_timeout").fetchone()[0]
    connection.execute(f"pragma busy_timeout = {_WAIT_MILLISECONDS}")
    complete = False
    try:
        while not complete:
            with transaction(connection):
                complete = _make_some(connection, builder, source)
    except OverflowError:  # a number that no client wrote
        return False
    except sqlite3.OperationalError as error:
        if find_fault(error) not in _HINDRANCES:
            raise
        return False
    finally:
        connection.execute(f"pragma busy_timeout = {waits}")
    return True


def _are_complete(connection: sqlite3.Connection, builder: SumBuilder) -> bool:
    if connection.execute(_IS_THIS_FORM, (STATS_FORM,)).fetchone() is None:
        return False
    complete: int = connection.execute(_ARE_COMPLETE, (builder.name,)).fetchone()[0]
    return bool(complete)


def _make_some(connection: sqlite3.Connection, builder: SumBuilder, source: "StatsSource") -> bool:
    """Make the sums of some files; tell whether those of all are there now."""
    if connection.execute(_IS_THIS_FORM, (STATS_FORM,)).fetchone() is None:
        for table in ("stats_sum", "stats_bucket", "stats_shared"):
            connection.execute(f"delete from {table}")
        connection.execute("insert or replace into meta values ('stats', ?)", (STATS_FORM,))
    missing = [row[0] for row in connection.execute(_MISSING, (builder.name, _AT_ONCE))]
    _mark_shared(connection, builder.space, missing)
    buckets = set()
    for file in missing:
        first, last, value = builder.sum_file(source, file)
        bucket = f"{last[:_MONTH]} {file >> _PER_BUCKET}"
        buckets.add((builder.name, bucket))
        connection.execute(
            "insert into stats_sum values (?, ?, ?, ?, ?, ?)",
            (builder.name, file, bucket, first, last, value),
        )
    connection.executemany("delete from stats_bucket where kind = ? and bucket = ?", buckets)
    if not _are_complete(connection, builder):
        return False
    _fill_buckets(connection, builder)
    return True


def _mark_shared(connection: sqlite3.Connection, space: IdSpace, files: Iterable[int]) -> None:
    """Find the ids of files that others have too; drop the sums that were made without knowing."""
    columns = _ID_COLUMNS[space]
    own: set[str] = set()
    for table, key in columns:
        statement = _OWN_IDS.format(table=table, key=key)
        own.update(row[0] for row in connection.execute(statement, {"files": _list(files)}))
    holders: dict[str, set[int]] = {}
    for table, key in columns:
        statement = _HOLDERS.format(table=table, key=key)
        for one, file in connection.execute(statement, {"ids": _list(own)}):
            holders.setdefault(one, set()).add(file)
    shared = [one for one, among in holders.items() if len(among) > 1]
    known = connection.execute(_SHARED, {"space": space, "ids": _list(shared)})
    new = set(shared) - {row[0] for row in known}
    connection.executemany("insert into stats_shared values (?, ?)", ((space, one) for one in new))
    for file in set().union(*(holders[one] for one in new)):
        drop_stats(connection, file)


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
