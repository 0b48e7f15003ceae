"""Writing the index: one file's rows at a time."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from bough.store.rows import AgentInfo, FileState, ProjectRow, RowBatch, SessionFacts
from bough.store.usage_protocol import SUMS_FORM

# Fast path: a first index, in half the time with plain inserts and updates only. A statement
# that may have to be taken back in part (an upsert, a replace) makes SQLite set a savepoint,
# and FTS5 writes out all it has gathered at every savepoint.
_PROJECT_COLUMNS = ("folder", "dir", "path", "name", "worktree_of")
_FILE_COLUMNS = (
    "path",
    "project_id",
    "session",
    "role",
    "agent",
    "device",
    "inode",
    "size",
    "mtime_ns",
    "head_length",
    "head",
    "tail",
    "meta_mtime_ns",
    "title_mtime_ns",
    "read_to",
    "lines",
    "deleted_at",
    "summed",
)
_RECORD = """
    insert into record (id, file_id, offset, length, line, kind, uuid, parent_uuid, timestamp,
        model, tool, message_id, failed, image, branch, active)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_WORDS = """
    insert into words (rowid, prompt, text, thinking, tool_input, tool_result, note, parts)
    values (?, ?, ?, ?, ?, ?, ?, ?)
"""
_ROWS = {
    "summaries": "insert into summary values (?, ?, ?, ?)",
    "usage": "insert into usage values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "calls": "insert or ignore into call values (?, ?, ?, ?, ?)",
    "results": "insert or ignore into result values (?, ?, ?, ?, ?, ?, ?, ?)",
    "touches": "insert or ignore into touch values (?, ?, ?, ?, ?, ?)",
    "hooks": "insert or ignore into hook values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "agent_runs": "insert or ignore into agent_run values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "prompts": "insert or ignore into prompt values (?, ?, ?, ?)",
    "troubles": "insert or ignore into trouble values (?, ?, ?, ?, ?, ?, ?)",
    "compactions": "insert or ignore into compaction values (?, ?, ?, ?, ?, ?, ?)",
    "stops": "insert or ignore into stop values (?, ?, ?)",
    "ties": "insert or ignore into tie values (?, ?, ?, ?, ?)",
}
_LATE = {
    "record_uuid": "create index record_uuid on record (uuid) where uuid is not null",
    "call_id": "create index call_id on call (call_id)",
    "result_call": "create index result_call on result (call_id)",
    "usage_message": (
        "create index usage_message on usage (message_id) where message_id is not null"
    ),
}
"""Indexes on what comes in no order: made at once at the end of the first reading."""
_WHILE_SORTING = {"cache_size": -4_000, "threads": 2}
_CAN_LOOK_UP = "select 1 from sqlite_master where name = 'usage_message'"
_MARK_KIN = """
    update file set summed = 0 where id in (
        select o.file_id from usage u
        cross join usage o on o.message_id = u.message_id and o.file_id <> u.file_id
        where u.file_id = :file and u.offset >= :offset
    )
"""
_SUM = f"insert into usage_sum values (null, {', '.join('?' * 18)})"
_TO_BE_SUMMED = "select 1 from file where summed < 2 limit 1"
_FORM_OF_SUMS = "select value from meta where key = 'sums'"
_DROP_STATS = (
    """
    delete from stats_bucket where rowid in (
        select b.rowid from stats_sum s
        cross join stats_bucket b on b.kind = s.kind and b.bucket = s.bucket
        where s.file_id = ?
    )
    """,
    "delete from stats_sum where file_id = ?",
)
_BY_OFFSET = (
    "record",
    "outline",
    "summary",
    "usage",
    "call",
    "result",
    "touch",
    "hook",
    "agent_run",
    "prompt",
    "trouble",
    "compaction",
    "stop",
    "tie",
)
_TABLES = (*_BY_OFFSET, "usage_sum", "conversation", "session")
_NOT_KEPT_OF_DELETED = ("record", "outline", "summary", "touch", "stop")
KEPT_OF_DELETED = tuple(
    name for name in _TABLES if name not in (*_NOT_KEPT_OF_DELETED, "usage_sum")
)
"""The tables whose rows stay when a file is deleted; sums are made from them."""
Runs = Sequence[tuple[int, int, int]]
NO_BRANCHES: Runs = ()
_SESSION_COLUMNS = tuple(
    name for name in SessionFacts.__struct_fields__ if name not in ("conversations", "branches")
)
_CONVERSATION = f"insert into conversation values ({', '.join('?' * 12)})"


def put_project(connection: sqlite3.Connection, row: ProjectRow) -> int:
    """Keep what a project is called; give its number."""
    known = connection.execute(
        "select id, path from project where folder = ?", (row.folder,)
    ).fetchone()
    values = {name: getattr(row, name) for name in _PROJECT_COLUMNS}
    if known is None:
        return _insert(connection, "project", values)
    if row.path is not None or known[1] is None:
        _update(connection, "project", known[0], values)
    number: int = known[0]
    return number


def put_file(connection: sqlite3.Connection, project: int, state: FileState) -> int:
    """Keep the state of a file; give its number."""
    values = {name: getattr(state, name, project) for name in _FILE_COLUMNS} | {"summed": 0}
    known = connection.execute("select id from file where path = ?", (state.path,)).fetchone()
    if known is None:
        return _insert(connection, "file", values)
    _update(connection, "file", known[0], values)
    number: int = known[0]
    drop_stats(connection, number)
    return number


def _insert(connection: sqlite3.Connection, table: str, values: dict[str, object]) -> int:
    marks = ", ".join(f":{name}" for name in values)
    statement = f"insert into {table} ({', '.join(values)}) values ({marks})"
    return connection.execute(statement, values).lastrowid or 0


def _update(
    connection: sqlite3.Connection, table: str, number: int, values: dict[str, object]
) -> None:
    changes = ", ".join(f"{name} = :{name}" for name in values)
    statement = f"update {table} set {changes} where id = :number"
    connection.execute(statement, values | {"number": number})


def put_agent(connection: sqlite3.Connection, file: int, info: AgentInfo) -> None:
    """Keep what is known of an agent."""
    connection.execute(
        "update file set agent_type = ?, agent_description = ?, agent_call = ? where id = ?",
        (info.type, info.description, info.call, file),
    )


def put_title(connection: sqlite3.Connection, file: int, title: str | None) -> None:
    """Keep the title from a session's sidecar."""
    connection.execute("update file set custom_title = ? where id = ?", (title, file))


def put_batch(
    connection: sqlite3.Connection, file: int, batch: RowBatch, runs: Runs = NO_BRANCHES
) -> None:
    """Add the rows of a stretch of a file, on the branches known so far."""
    drop_stats(connection, file)
    first = _next_id(connection)
    connection.executemany(_RECORD, _complete_rows(first, file, batch, runs))
    connection.executemany(
        _WORDS,
        ((first + at, *words) for at, words in enumerate(batch.words) if words is not None),
    )
    for name, statement in _ROWS.items():
        rows: Sequence[tuple[object, ...]] = getattr(batch, name)
        if rows:
            connection.executemany(statement, ((file, *row) for row in rows))
    connection.executemany(
        "insert into outline values (?, ?, ?)", ((file, *part) for part in batch.outlines)
    )
    if batch.sums is not None:
        put_sums(connection, file, batch.sums)
        connection.execute("update file set summed = 1 where id = ?", (file,))


def _complete_rows(
    first: int, file: int, batch: RowBatch, runs: Runs
) -> Iterator[tuple[object, ...]]:
    """Complete the rows of records with their id, file and branch."""
    waiting = list(reversed(runs))
    branch: int | None = None
    active = 0
    for at, row in enumerate(batch.records):
        while waiting and waiting[-1][0] <= row[0]:  # type: ignore[operator] # an offset
            _, branch, active = waiting.pop()
        yield first + at, file, *row, branch, active


def drop_from(connection: sqlite3.Connection, file: int, offset: int) -> None:
    """Forget what was read of a line that had no end yet."""
    _mark_kin(connection, file, offset)
    drop_stats(connection, file)
    for table in _BY_OFFSET:
        connection.execute(
            f"delete from {table} where file_id = ? and offset >= ?",
            (file, offset),
        )


def put_facts(connection: sqlite3.Connection, file: int, facts: SessionFacts) -> None:
    """Keep a session's facts and its conversations."""
    values = {name: getattr(facts, name) for name in _SESSION_COLUMNS}
    connection.execute("delete from session where file_id = ?", (file,))
    _insert(connection, "session", {"file_id": file, **values})
    connection.execute("delete from conversation where file_id = ?", (file,))
    connection.executemany(
        _CONVERSATION,
        ((file, *(getattr(c, name) for name in c.__struct_fields__)) for c in facts.conversations),
    )


def put_branches(connection: sqlite3.Connection, file: int, runs: Runs) -> None:
    """Mark the records from each run's offset on; only what changed is written."""
    if not runs:
        return
    ends = [*(run[0] for run in runs[1:]), 1 << 62]
    connection.executemany(
        """
        update record set branch = :branch, active = :active
        where file_id = :file and offset >= :start and offset < :end
        and (branch is not :branch or active is not :active)
        """,
        (
            {"file": file, "start": start, "end": end, "branch": branch, "active": active}
            for (start, branch, active), end in zip(runs, ends, strict=True)
        ),
    )


def clear_file(connection: sqlite3.Connection, file: int, tables: Iterable[str] = _TABLES) -> None:
    """Forget the rows of a file that is read anew."""
    if "usage" in tables:
        _mark_kin(connection, file)
    drop_stats(connection, file)
    for table in tables:
        connection.execute(f"delete from {table} where file_id = ?", (file,))


def mark_deleted(connection: sqlite3.Connection, file: int, moment: str) -> None:
    """Note that a file is gone; its session stays listed, with its numbers."""
    clear_file(connection, file, _NOT_KEPT_OF_DELETED)
    connection.execute(
        "update file set deleted_at = coalesce(deleted_at, ?), summed = 0 where id = ?",
        (moment, file),
    )


def put_sums(connection: sqlite3.Connection, file: int, rows: Iterable[tuple[object, ...]]) -> None:
    """Keep sums of what a file's calls used."""
    connection.executemany(_SUM, ((file, *row) for row in rows))


def drop_stats(connection: sqlite3.Connection, file: int) -> None:
    """Forget what a file adds to statistics: it is made when it is next asked for."""
    for statement in _DROP_STATS:
        connection.execute(statement, (file,))


def are_sums_complete(connection: sqlite3.Connection) -> bool:
    """Tell whether the sums of all files are made, as they are made now."""
    form = connection.execute(_FORM_OF_SUMS).fetchone()
    return (
        form is not None
        and form[0] == SUMS_FORM
        and connection.execute(_TO_BE_SUMMED).fetchone() is None
    )


def _mark_kin(connection: sqlite3.Connection, file: int, offset: int = 0) -> None:
    """Note, before a file's lines are forgotten, who shares messages with it.

    They are to be added up anew. During a first reading messages cannot be looked up, and all
    files will be added up.
    """
    if connection.execute(_CAN_LOOK_UP).fetchone():
        connection.execute(_MARK_KIN, {"file": file, "offset": offset})


def list_missing_indexes(connection: sqlite3.Connection) -> list[str]:
    """List the statements that make the indexes still missing."""
    found = connection.execute("select name from sqlite_master where type = 'index'")
    there = {name for (name,) in found}
    return [statement for name, statement in _LATE.items() if name not in there]


def make_missing_indexes(connection: sqlite3.Connection) -> None:
    """Make the indexes that are still missing.

    Fast path: the indexes of a first index, in half the time. As much is sorted at once as the
    cache may hold, and a few megabytes are still in the processor's own cache; other threads
    sort them while rows are read.
    """
    statements = list_missing_indexes(connection)
    if not statements:
        return
    settings = {name: _load_setting(connection, name) for name in _WHILE_SORTING}
    try:
        for name, value in _WHILE_SORTING.items():
            connection.execute(f"pragma {name} = {value}")
        for statement in statements:
            connection.execute(statement)
    finally:
        for name, value in settings.items():
            connection.execute(f"pragma {name} = {value}")


def _load_setting(connection: sqlite3.Connection, name: str) -> int:
    row = connection.execute(f"pragma {name}").fetchone()
    return row[0] if row else 0


def _next_id(connection: sqlite3.Connection) -> int:
    """Give the first record id that was never used."""
    row = connection.execute("select seq from sqlite_sequence where name = 'record'").fetchone()
    return (row[0] if row else 0) + 1
