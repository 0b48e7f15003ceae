"""Sums of usage: made when a writing ends, for the files that changed and those akin to them.

A call is counted once over all files, so what a file's sums hold depends on the files that have
some of its messages too. Most files share none. For those the sums of whoever read the file are
right; the others are added up here, from the lines of every file that reports the message.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from bough.model.outline.step_lists import read_branch_steps
from bough.model.usage.across_files import (
    FileUsage,
    ReportedUsage,
    UsageEntry,
    keep_best_lines,
)
from bough.model.usage.sums import SumRow, sum_alone, sum_lines
from bough.store.counted_lines import count_shared_lines, list_entries_by_message
from bough.store.sqlite.usage import LINES_OF_MESSAGES
from bough.store.sqlite.writer import put_sums
from bough.store.usage_protocol import SUMS_FORM

_MANY = 200
"""Above so many files, all messages are looked through at once."""
_CHUNK = 10_000
"""So many shared messages are held in memory at a time."""

_FORGET_SHARED = "delete from usage_shared"
_KEEP_SHARED = "insert or replace into usage_shared values (?, ?)"
_UNFINISHED = "select id, summed from file where summed < 2"
_IS_THIS_FORM = "select 1 from meta where key = 'sums' and value = ?"
_SET_FORM = "insert or replace into meta values ('sums', ?)"
# What was read just now was added up by this bough.
_MAKE_ALL = "update file set summed = 0 where summed = 2"
_FINISHED = "update file set summed = 2 where summed < 2"
_DROP = "delete from usage_sum where file_id = ?"
_STEPS = "select steps from session where file_id = ?"
_LINES = """
    select offset, message_id, request_id, model, timestamp, input_tokens, output_tokens,
        cache_creation_tokens, cache_read_tokens, cache_creation_1h_tokens, web_searches,
        speed, rank, origin
    from usage
"""
_OF_FILE = f"{_LINES} where file_id = ? order by offset"
_FACTS = """
    select f.id, f.path, s.forked_from is not null, f.deleted_at is not null
    from json_each(:files) as part
    cross join file f on f.id = part.value
    left join session s on s.file_id = f.id
"""
_ALL_SHARED = """
    select distinct message_id, file_id from usage
    where message_id in (
        select message_id from usage where message_id is not null
        group by message_id having min(file_id) <> max(file_id)
    )
"""
_SHARED_WITH = """
    select distinct o.message_id, o.file_id
    from json_each(:files) as part
    cross join usage u on u.file_id = part.value
    cross join usage o on o.message_id = u.message_id and o.file_id <> u.file_id
"""


def complete_sums(connection: sqlite3.Connection, note_changed: Callable[..., None]) -> None:
    """Make the sums that are missing, and those that changed because of other files.

    `note_changed` takes the numbers of the files whose sums are about to be made anew.
    """
    if connection.execute(_IS_THIS_FORM, (SUMS_FORM,)).fetchone() is None:
        connection.execute(_MAKE_ALL)
        connection.execute(_SET_FORM, (SUMS_FORM,))
    unfinished: dict[int, int] = dict(connection.execute(_UNFINISHED).fetchall())
    missing = {file for file, summed in unfinished.items() if not summed}
    if len(unfinished) > _MANY:
        shared = _list_files_by_message(connection.execute(_ALL_SHARED))
        affected = missing.union(*shared.values())
        connection.execute(_FORGET_SHARED)
    else:
        kin = {file for _, file in _query(connection, _SHARED_WITH, "files", unfinished)}
        affected = missing | kin
        if kin:
            affected |= unfinished.keys()
        found = _query(connection, _SHARED_WITH, "files", affected)
        shared = _list_files_by_message(found)
    note_changed(*affected)
    for file in affected:
        connection.execute(_DROP, (file,))
        put_sums(connection, file, _sum_unshared(connection, file, shared))
    for first in range(0, len(shared), _CHUNK):
        messages = list(shared)[first : first + _CHUNK]
        entries = _load_entries(connection, messages)
        for file, lines in count_shared_lines(entries.values()).items():
            if file in affected:
                put_sums(connection, file, sum_lines(lines, _load_steps(connection, file)))
        connection.executemany(
            _KEEP_SHARED,
            ((message, _differs_without_deleted(entries[message])) for message in entries),
        )
    connection.execute(_FINISHED)


def _list_files_by_message(rows: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for message, file in rows:
        found.setdefault(message, set()).add(file)
    return found


def _sum_unshared(
    connection: sqlite3.Connection, file: int, shared: dict[str, set[int]]
) -> list[SumRow]:
    rows = connection.execute(_OF_FILE, (file,))
    own = [ReportedUsage(*row) for row in rows if row[1] not in shared]
    # Whose they are matters only among several files.
    alone = FileUsage("", "", "", keep_best_lines(own))
    return sum_alone(alone, _load_steps(connection, file))


def _load_entries(
    connection: sqlite3.Connection, messages: Sequence[str]
) -> dict[str, list[UsageEntry]]:
    """Give the lines that may count of each message, with their files."""
    rows = _query(connection, LINES_OF_MESSAGES, "messages", messages)
    files = {row[0] for row in rows}
    return list_entries_by_message(rows, _query(connection, _FACTS, "files", files))


def _differs_without_deleted(entries: Sequence[UsageEntry]) -> bool:
    """Tell whether other lines of a message would count in the files that are still there.

    Lines of such files count before those of deleted ones, so that is hardly ever so.
    """
    existing = [entry for entry in entries if not entry[0].deleted]
    if not existing or len(existing) == len(entries):
        return False
    deleted = {entry[0].number for entry in entries if entry[0].deleted}
    counted = {f: lines for f, lines in count_shared_lines([entries]).items() if f not in deleted}
    return counted != count_shared_lines([existing])


def _load_steps(connection: sqlite3.Connection, file: int) -> Callable[[int], int]:
    row = connection.execute(_STEPS, (file,)).fetchone()
    return read_branch_steps(row[0] if row else None).step_at


def _query(
    connection: sqlite3.Connection, statement: str, name: str, values: Iterable[object]
) -> list[tuple[Any, ...]]:
    wanted = msgspec.json.encode(list(values)).decode()
    return connection.execute(statement, {name: wanted}).fetchall()
