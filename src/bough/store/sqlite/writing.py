"""Writing the index: one file's rows at a time."""

import sqlite3
from collections.abc import Iterable, Sequence

from bough.store.rows import AgentInfo, Batch, FileState, ProjectRow, SessionFacts

_PROJECT = """
    insert into project (folder, dir, path, name, worktree_of)
    values (:folder, :dir, :path, :name, :worktree_of)
    on conflict (folder) do update set
        path = coalesce(excluded.path, path), name = excluded.name,
        worktree_of = excluded.worktree_of
    returning id
"""
_FILE = """
    insert into file (path, project_id, session, role, agent, device, inode, size, mtime_ns,
        head_length, head, tail, meta_mtime_ns, title_mtime_ns, read_to, lines)
    values (:path, :project, :session, :role, :agent, :device, :inode, :size, :mtime_ns,
        :head_length, :head, :tail, :meta_mtime_ns, :title_mtime_ns, :read_to, :lines)
    on conflict (path) do update set
        project_id = excluded.project_id, session = excluded.session, role = excluded.role,
        agent = excluded.agent, device = excluded.device, inode = excluded.inode,
        size = excluded.size, mtime_ns = excluded.mtime_ns,
        head_length = excluded.head_length, head = excluded.head, tail = excluded.tail,
        meta_mtime_ns = excluded.meta_mtime_ns, title_mtime_ns = excluded.title_mtime_ns,
        read_to = excluded.read_to, lines = excluded.lines, deleted_at = null
    returning id
"""
_RECORD = """
    insert into record (id, file_id, offset, length, line, kind, uuid, parent_uuid, timestamp,
        model, tool, message_id, failed, image)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_WORDS = """
    insert into words (rowid, prompt, text, thinking, tool_input, tool_result, note)
    values (?, ?, ?, ?, ?, ?, ?)
"""
_ROWS = {
    "summaries": "insert into summary values (?, ?, ?, ?)",
    "usage": "insert into usage values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "calls": "insert or ignore into call values (?, ?, ?, ?, ?)",
    "results": "insert or ignore into result values (?, ?, ?, ?, ?, ?, ?, ?)",
    "touches": "insert or ignore into touch values (?, ?, ?, ?)",
    "hooks": "insert or ignore into hook values (?, ?, ?, ?, ?, ?, ?, ?)",
    "troubles": "insert or ignore into trouble values (?, ?, ?, ?, ?)",
    "compactions": "insert or ignore into compaction values (?, ?, ?, ?, ?, ?)",
    "ties": "insert or ignore into tie values (?, ?, ?, ?, ?)",
}
_BY_OFFSET = (
    "record",
    "outline",
    "summary",
    "usage",
    "call",
    "result",
    "touch",
    "hook",
    "trouble",
    "compaction",
    "tie",
)
_TABLES = (*_BY_OFFSET, "conversation", "session")
_NOT_KEPT_OF_DELETED = ("record", "outline", "summary", "touch")
_SESSION_COLUMNS = tuple(
    name for name in SessionFacts.__struct_fields__ if name not in ("conversations", "branches")
)


def put_project(connection: sqlite3.Connection, row: ProjectRow) -> int:
    """Keep what a project is called; give its number."""
    values = {name: getattr(row, name) for name in row.__struct_fields__}
    number: int = connection.execute(_PROJECT, values).fetchone()[0]
    return number


def put_file(connection: sqlite3.Connection, project: int, state: FileState) -> int:
    """Keep the state of a file; give its number."""
    values = {name: getattr(state, name) for name in state.__struct_fields__}
    number: int = connection.execute(_FILE, values | {"project": project}).fetchone()[0]
    return number


def put_agent(connection: sqlite3.Connection, file: int, info: AgentInfo) -> None:
    """Keep what is known of an agent."""
    connection.execute(
        "update file set agent_type = ?, agent_description = ?, agent_call = ? where id = ?",
        (info.type, info.description, info.call, file),
    )


def put_title(connection: sqlite3.Connection, file: int, title: str | None) -> None:
    """Keep the title from a session's sidecar."""
    connection.execute("update file set custom_title = ? where id = ?", (title, file))


def put_batch(connection: sqlite3.Connection, file: int, batch: Batch) -> None:
    """Add the rows of a stretch of a file."""
    first = _next_id(connection)
    connection.executemany(
        _RECORD,
        ((first + at, file, *row) for at, row in enumerate(batch.records)),
    )
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


def drop_from(connection: sqlite3.Connection, file: int, offset: int) -> None:
    """Forget what was read of a line that had no end yet."""
    for table in _BY_OFFSET:
        connection.execute(
            f"delete from {table} where file_id = ? and offset >= ?",  # noqa: S608
            (file, offset),
        )


def put_facts(connection: sqlite3.Connection, file: int, facts: SessionFacts) -> None:
    """Keep a session's facts, its conversations, and which record is on which branch."""
    columns = ", ".join(_SESSION_COLUMNS)
    marks = ", ".join(f":{name}" for name in _SESSION_COLUMNS)
    values = {name: getattr(facts, name) for name in _SESSION_COLUMNS}
    connection.execute(
        f"insert or replace into session (file_id, {columns}) values (:file, {marks})",  # noqa: S608
        values | {"file": file},
    )
    connection.execute("delete from conversation where file_id = ?", (file,))
    connection.executemany(
        "insert into conversation values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (file, *(getattr(c, name) for name in c.__struct_fields__))
            for c in facts.conversations
        ),
    )
    put_branches(connection, file, facts.branches)


def put_branches(
    connection: sqlite3.Connection, file: int, runs: Sequence[tuple[int, int, int]]
) -> None:
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
    for table in tables:
        connection.execute(f"delete from {table} where file_id = ?", (file,))  # noqa: S608


def mark_deleted(connection: sqlite3.Connection, file: int, moment: str) -> None:
    """Note that a file is gone; its session stays listed, with its numbers."""
    clear_file(connection, file, _NOT_KEPT_OF_DELETED)
    connection.execute(
        "update file set deleted_at = coalesce(deleted_at, ?) where id = ?", (moment, file)
    )


def _next_id(connection: sqlite3.Connection) -> int:
    """Give the first record id that was never used."""
    row = connection.execute("select seq from sqlite_sequence where name = 'record'").fetchone()
    return (row[0] if row else 0) + 1
