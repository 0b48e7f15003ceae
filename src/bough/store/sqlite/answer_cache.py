"""Answers that are kept until a file changes.

Some answers take everything into account and are asked all day long: what each session cost.
Such an answer is kept with the state of the files it was made from, and is worth nothing by
itself; who cannot write it just answers anew.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress

from bough.store.sqlite.connection import transaction

_TABLE = """
    create table if not exists answer (
        question blob primary key,
        state blob not null,
        answer blob not null
    ) strict
"""
_HAS_TABLE = "select 1 from sqlite_master where name = 'answer' and type = 'table'"
_STATE = "select value from meta where key = 'state'"
_NEW_STATE = "insert or replace into meta values ('state', ?)"
_RECALL = "select answer from answer where question = ? and state = ?"
_KEEP = "insert or replace into answer values (?, ?, ?)"
_MOST = 64
"""So many answers are kept; whoever asks more questions than that does not ask them again."""


def state_of(connection: sqlite3.Connection) -> bytes:
    """Name the state of all files, as the index knows them."""
    row = connection.execute(_STATE).fetchone()
    # Nobody has named it: then it is like no other, and nothing that was kept holds.
    return bytes.fromhex(row[0]) if row else _make_state()


def change_state(connection: sqlite3.Connection) -> None:
    """Give the state another name, because something about a file was written."""
    connection.execute(_NEW_STATE, (_make_state().hex(),))


def _make_state() -> bytes:
    return os.urandom(16)


def load_answer(connection: sqlite3.Connection, question: bytes, state: bytes) -> bytes | None:
    """Give the answer that was kept, if it was made from this state."""
    if connection.execute(_HAS_TABLE).fetchone() is None:
        return None
    row = connection.execute(_RECALL, (question, state)).fetchone()
    return None if row is None else bytes(row[0])


def save_answer(
    connection: sqlite3.Connection, question: bytes, state: bytes, answer: bytes
) -> None:
    """Keep an answer, if the index can be written at once."""

    def keep() -> None:
        connection.execute(_TABLE)
        if connection.execute("select count(*) from answer").fetchone()[0] >= _MOST:
            connection.execute("delete from answer")
        connection.execute(_KEEP, (question, state, answer))

    write_without_waiting(connection, keep)


def write_without_waiting(connection: sqlite3.Connection, write: Callable[[], None]) -> None:
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
