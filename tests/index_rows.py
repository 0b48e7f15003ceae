"""What an index says, without the numbers it uses inside: for comparing two of them."""

import sqlite3
from pathlib import Path

TABLES = (
    "session",
    "conversation",
    "record",
    "summary",
    "usage",
    "usage_sum",
    "call",
    "result",
    "touch",
    "hook",
    "agent_run",
    "prompt",
    "trouble",
    "compaction",
    "tie",
)
_INSIDE = {"id", "file_id", "project_id", "inode", "device"}
_FILE = {"session", "role", "agent", "agent_type", "agent_call", "size", "read_to", "lines", "head"}


def rows_of(index: Path) -> dict[str, list[tuple[object, ...]]]:
    """List all rows that belong to living files, by table."""
    with sqlite3.connect(index) as connection:
        found = {"file": _rows(connection, "file", sorted(_FILE))}
        for table in TABLES:
            names = [row[1] for row in connection.execute(f"pragma table_info({table})")]
            kept = [name for name in names if name not in _INSIDE or table == "session"]
            kept = [name for name in kept if name != "file_id"]
            found[table] = _rows(connection, table, kept)
        found["words"] = _words(connection)
    connection.close()
    return found


def _rows(connection: sqlite3.Connection, table: str, names: list[str]) -> list[tuple[object, ...]]:
    columns = ", ".join(f"t.{name}" for name in names)
    key = "t.id" if table == "file" else "t.file_id"
    rows = connection.execute(
        f"select f.path, {columns} from {table} t join file f on f.id = {key} "
        "where f.deleted_at is null"
    )
    return sorted(rows.fetchall(), key=repr)


def _words(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """List every token of every living record, by column: the index itself, not a query."""
    connection.execute(
        "create virtual table temp.seen using fts5vocab('main', 'words', 'instance')"
    )
    rows = connection.execute(
        "select f.path, r.offset, s.col, s.term, s.offset from temp.seen s "
        "join record r on r.id = s.doc join file f on f.id = r.file_id"
    )
    return sorted(rows.fetchall(), key=repr)
