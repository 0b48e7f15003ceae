"""Answers that are kept until a file changes.

Some answers take everything into account and are asked all day long: what each session cost.
Such an answer is kept with the state of the files it was made from, and is worth nothing by
itself; who cannot write it just answers anew.
"""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b

from bough.store.sqlite.connection import transaction

_TABLE = """
    create table if not exists answer (
        question blob primary key,
        state blob not null,
        answer blob not null
    ) strict
"""
_HAS_TABLE = "select 1 from sqlite_master where name = 'answer' and type = 'table'"
_STATE = """
    select group_concat(
        id || ' ' || project_id || ' ' || session || ' ' || size || ' ' || mtime_ns || ' '
        || read_to || ' ' || hex(head) || ' ' || coalesce(deleted_at, '')
    )
    from (select * from file order by id)
"""
_RECALL = "select answer from answer where question = ? and state = ?"
_KEEP = "insert or replace into answer values (?, ?, ?)"
_MOST = 64
"""So many answers are kept; whoever asks more questions than that does not ask them again."""


def state_of(connection: sqlite3.Connection) -> bytes:
    """Name the state of all files, as the index knows them."""
    text = connection.execute(_STATE).fetchone()[0] or ""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def recall(connection: sqlite3.Connection, question: bytes, state: bytes) -> bytes | None:
    """Give the answer that was kept, if it was made from this state."""
    if connection.execute(_HAS_TABLE).fetchone() is None:
        return None
    row = connection.execute(_RECALL, (question, state)).fetchone()
    return None if row is None else bytes(row[0])


def remember(connection: sqlite3.Connection, question: bytes, state: bytes, answer: bytes) -> None:
    """Keep an answer, if the index can be written at once."""

    def keep() -> None:
        connection.execute(_TABLE)
        if connection.execute("select count(*) from answer").fetchone()[0] >= _MOST:
            connection.execute("delete from answer")
        connection.execute(_KEEP, (question, state, answer))

    write_at_once(connection, keep)


def write_at_once(connection: sqlite3.Connection, write: Callable[[], None]) -> None:
    """Write what is only kept for speed: without waiting for anybody, and not at any price."""
    if connection.in_transaction:
        return
    waits = connection.execute("pragma busy_timeout").fetchone()[0]
    connection.execute("pragma busy_timeout = 0")
    try:
        # Read-only, busy or full: the answers are right all the same.
        with suppress(sqlite3.OperationalError), transaction(connection):
            write()
    finally:
        connection.execute(f"pragma busy_timeout = {waits}")
