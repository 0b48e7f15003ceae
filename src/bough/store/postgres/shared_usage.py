"""Sums of usage in a team's store: made after a writing, for what changed and what is akin to it.

The rule is the local index's: a call counts once over all files, here of all machines of one
person. What others have does not change what one is told to have used, and cannot be seen in it.
Sums are written by nobody but whoever holds the lock of sums, so writers of files never wait for
them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from bough.model.outline.step_lists import read_branch_steps
from bough.model.usage.across_files import FileUsage, ReportedUsage, keep_best_lines
from bough.model.usage.sums import SumRow, sum_alone, sum_lines
from bough.store.counted_lines import count_shared_lines, list_entries_by_message
from bough.store.postgres.postgres_writer import put_sums
from bough.store.postgres.server_connection import ServerConnection
from bough.store.usage_protocol import SUMS_FORM

_LOCK: Final = "sums"
_AT_ONCE: Final = 500
"""The lines of so many files are held in memory at a time."""
_IS_THIS_FORM: Final = "select 1 from meta where key = 'sums' and value = %s"
_SET_FORM: Final = """
    insert into meta values ('sums', %s) on conflict (key) do update set value = excluded.value
"""
_MAKE_ALL: Final = "select mark_all_unsummed()"
_ANY_LEFT: Final = "select 1 from unsummed limit 1"
_UNFINISHED: Final = """
    select file_id, written_by from unsummed
    where project_id = any(array(select my_projects()))
"""
_FINISHED: Final = """
    delete from unsummed where (file_id, written_by) in (
        select * from unnest(%s::bigint[], %s::uuid[]))
"""
_THERE: Final = "select id, project_id from file where id = any(%s)"
_STEPS: Final = "select file_id, steps from session where file_id = any(%s)"
_COLUMNS: Final = """
    u.file_id, u.offset, u.message_id, u.request_id, u.model, u.timestamp, u.input_tokens,
    u.output_tokens, u.cache_creation_tokens, u.cache_read_tokens, u.cache_creation_1h_tokens,
    u.web_searches, u.speed, u.rank, u.origin
"""
_OF_FILES: Final = f"""
    select {_COLUMNS} from usage u where u.file_id = any(%s) order by u.file_id, u.offset
"""
_OF_MESSAGES: Final = f"""
    select {_COLUMNS} from usage u where u.message_id = any(%s) order by u.file_id, u.offset
"""
_FACTS: Final = """
    select f.id, f.path, s.forked_from is not null, f.deleted_at is not null, m.owner
    from file f join machine m on m.id = f.machine_id
    left join session s on s.file_id = f.id where f.id = any(%s)
"""
_OWNERS: Final = "select p.id, m.owner from project p join machine m on m.id = p.machine_id"
# In steps: the server knows nothing of how ids are spread, so it would join everything with all
# projects before it looks who has a message too. Of an id that an index has, it can go one way.
_SHARED_WITH: Final = """
    with own as materialized (
        select distinct message_id, file_id, project_id from usage
        where file_id = any(%s) and message_id is not null
    )
    select distinct own.project_id, o.project_id, o.message_id, o.file_id
    from own cross join lateral (
        select message_id, file_id, project_id from usage
        where message_id = own.message_id and file_id <> own.file_id offset 0
    ) o
"""


def are_sums_complete(connection: ServerConnection) -> bool:
    """Tell whether the sums of all files are made, as they are made now."""
    return (
        connection.fetch_one(_IS_THIS_FORM, [SUMS_FORM]) is not None
        and connection.fetch_one(_ANY_LEFT) is None
    )


def set_sums_form(connection: ServerConnection) -> None:
    """Note how sums are made now; where that is new, all are made anew by whose they are."""
    if connection.fetch_one(_IS_THIS_FORM, [SUMS_FORM]) is None:
        connection.run(_SET_FORM, [SUMS_FORM])
        connection.run(_MAKE_ALL)


def complete_sums(connection: ServerConnection) -> None:
    """Make the sums that are missing, and those that changed because of other files."""
    if connection.fetch_one(_IS_THIS_FORM, [SUMS_FORM]) is None or not connection.fetch_all(
        _UNFINISHED
    ):
        return
    connection.wait_for_lock(_LOCK)
    try:
        # Begun when the lock is there: sees all that the one before has made.
        with connection.transaction("repeatable read"):
            _make_missing(connection)
    finally:
        connection.release_lock(_LOCK)


def _make_missing(connection: ServerConnection) -> None:
    marks = connection.fetch_all(_UNFINISHED)
    unfinished = {mark[0] for mark in marks}
    owners: dict[int, str] = dict(connection.fetch_all(_OWNERS))
    affected = unfinished | {file for _, file in _list_shared(connection, unfinished, owners)}
    shared: dict[str, set[int]] = {}
    for message, file in _list_shared(connection, affected, owners):
        shared.setdefault(message, set()).add(file)
    there: dict[int, int] = dict(connection.fetch_all(_THERE, [list(affected)]))
    connection.run("delete from usage_sum where file_id = any(%s)", [list(affected)])
    counted = _count_shared(connection, list(shared))
    files = list(there)
    for first in range(0, len(files), _AT_ONCE):
        part = files[first : first + _AT_ONCE]
        steps = _load_steps(connection, part)
        sums: dict[int, list[SumRow]] = _sum_unshared(connection, part, shared, steps)
        for file in part:
            if file in counted:
                sums.setdefault(file, []).extend(sum_lines(counted[file], steps(file)))
        put_sums(connection, ((file, there[file], found) for file, found in sums.items()))
    connection.run("select note_kin(%s)", [list(unfinished)])
    connection.run(_FINISHED, [[mark[0] for mark in marks], [mark[1] for mark in marks]])


def _list_shared(
    connection: ServerConnection, files: Iterable[int], owners: Mapping[int, str]
) -> Iterator[tuple[str, int]]:
    """List the messages of some files that other files of the same person have too, and those."""
    for own, other, message, file in connection.fetch_all(_SHARED_WITH, [list(files)]):
        if owners.get(own) == owners.get(other):
            yield message, file


def _count_shared(
    connection: ServerConnection, messages: Sequence[str]
) -> dict[int, list[ReportedUsage]]:
    """Choose the line of each call that counts for each person, and give them by file."""
    rows = connection.fetch_all(_OF_MESSAGES, [messages])
    facts = connection.fetch_all(_FACTS, [list({row[0] for row in rows})])
    counted: dict[int, list[ReportedUsage]] = {}
    for owner in {row[4] for row in facts}:
        own = [(row[0], row[1], row[2], row[3]) for row in facts if row[4] == owner]
        files = {row[0] for row in own}
        lines = (row for row in rows if row[0] in files)
        counted |= count_shared_lines(list_entries_by_message(lines, own).values())
    return counted


def _sum_unshared(
    connection: ServerConnection,
    files: Sequence[int],
    shared: Mapping[str, Iterable[int]],
    steps: Callable[[int], Callable[[int], int]],
) -> dict[int, list[SumRow]]:
    rows = connection.fetch_all(_OF_FILES, [files])
    found = {}
    for file, group in groupby(rows, key=lambda row: row[0]):
        own = [ReportedUsage(*row[1:]) for row in group if row[2] not in shared]
        # Whose they are matters only among several files.
        found[file] = sum_alone(FileUsage("", "", "", keep_best_lines(own)), steps(file))
    return found


def _load_steps(
    connection: ServerConnection, files: Sequence[int]
) -> Callable[[int], Callable[[int], int]]:
    known: dict[int, str | None] = dict(connection.fetch_all(_STEPS, [files]))
    return lambda file: read_branch_steps(known.get(file)).step_at
