"""Sums for statistics in a team's store: what each file adds to a report, made by whoever sends it.

The rule is the local index's: what only one file has is added up by file, what several have is
looked at singly. Here several means several of one project, all of which one may read or none, so
that a mark tells nobody of anything else. Projects that have something in common with others that
one sees too, and those with files whose sums are too old, are counted by their rows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from bough.store.postgres.server_connection import ServerConnection
from bough.store.stats_protocol import IdSpace, RowPart, StatsScope, SumBuilder, SumParts

if TYPE_CHECKING:
    from bough.store.stats_protocol import StatsSource

_FORM: Final = "2"
"""Raised when something is counted or packed differently: then all sums are made anew."""
_LOCK: Final = "statistics"
_AT_ONCE: Final = 500
"""The rows of so many files are held in memory at a time."""
_MOST_MISSING: Final = 1_000
"""Where the sums of more files are missing, all rows are looked at."""
_LAST: Final = "~"
"""Later than every moment."""
_KEYS: Final[dict[IdSpace, tuple[tuple[str, str], ...]]] = {
    "call": (("call", "call_id"), ("result", "call_id")),
    "message": (("usage", "message_id"),),
    "prompt": (("prompt", "uuid"),),
    "hook": (("hook", "coalesce({row}call_id, {row}timestamp, '')"),),
}
_OLD: Final = """
    select f.id from file f where f.project_id = any(array(select my_projects()))
    and not exists (select 1 from stats_sum s where s.file_id = f.id and s.kind = any(%(kinds)s)
        and s.pushed = f.pushed group by s.file_id having count(*) = %(number)s)
"""
_MARK: Final = """
    insert into stats_shared (project_id, space, id)
    select distinct t.project_id, '{space}', {own}
    from {table} t join {other} o on {key} = {own} and o.project_id = t.project_id
        and o.file_id <> t.file_id
    where t.file_id = any(%(files)s) and {own} is not null
    on conflict do nothing returning project_id, id
"""
_HOLDERS: Final = """
    select distinct o.file_id
    from unnest(%(projects)s::bigint[], %(ids)s::text[]) as m(project_id, id)
    join {other} o on o.project_id = m.project_id and {key} = m.id
"""
_FILES: Final = "select id, project_id, pushed from file where id = any(%s)"
_DROP: Final = """
    delete from stats_sum s where s.project_id = any(array(select my_projects()))
    and (s.file_id = any(%s) or not exists (select 1 from file f where f.id = s.file_id))
"""
_COLUMNS: Final = ("file_id", "project_id", "kind", "pushed", "first", "last", "value")
_SCOPED: Final = """
    select f.id, f.project_id, s.first, s.last, s.value is not null
    from file f left join stats_sum s on s.file_id = f.id and s.kind = %(kind)s
        and s.pushed = f.pushed
    where (%(projects)s::bigint[] is null or f.project_id = any(%(projects)s))
"""
_KIN: Final = "select project_id, other_id from stats_kin"
_NEW_KIN: Final = """
    select distinct t.project_id, o.project_id from {table} t join {other} o
        on {key} = {own} and o.project_id <> t.project_id
    where t.file_id = any(%(files)s)
"""
_VALUES: Final = "select value from stats_sum where kind = %s and file_id = any(%s)"


class _ScopedFile(NamedTuple):
    """A file in scope, and between which moments its sum lies, where it has one."""

    number: int
    project: int
    first: str | None
    last: str | None
    has_value: bool


def complete_stats(connection: ServerConnection, builders: Sequence[SumBuilder]) -> None:
    """Make the sums of one's own files that are missing or too old, and of what is akin to them."""
    kinds = [_name_kind(one) for one in builders]
    values = {"kinds": kinds, "number": len(kinds)}
    if not connection.fetch_all(_OLD, values):
        return
    connection.wait_for_lock(_LOCK)
    try:
        # Begun when the lock is there: sees all that the one before has made.
        with connection.transaction("repeatable read"):
            old = {row[0] for row in connection.fetch_all(_OLD, values)}
            connection.run("select note_stats_kin(%s)", [list(old)])
            for space in dict.fromkeys(one.space for one in builders):
                old |= _mark_shared(connection, space, list(old))
            connection.run(_DROP, [list(old)])
            files = sorted(old)
            for first in range(0, len(files), _AT_ONCE):
                _sum_files(connection, builders, files[first : first + _AT_ONCE])
    finally:
        connection.release_lock(_LOCK)


@contextmanager
def open_sums(
    connection: ServerConnection, builder: SumBuilder, scope: StatsScope
) -> Iterator[SumParts | None]:
    """Choose the sums that a scope needs, and the rows that have to be looked at.

    None where few rows are asked for, and where hardly any sums are there.
    """
    if scope.session is not None or connection.raw.info.transaction_status:
        yield None
        return
    with connection.transaction("repeatable read read only"):
        yield _choose_parts(connection, builder, scope)


def _choose_parts(
    connection: ServerConnection, builder: SumBuilder, scope: StatsScope
) -> SumParts | None:
    kind = _name_kind(builder)
    projects = None if scope.projects is None else list(scope.projects)
    rows = connection.fetch_all(_SCOPED, {"kind": kind, "projects": projects})
    files = [_ScopedFile(*row) for row in rows]
    missing = [one for one in files if one.first is None]
    if len(missing) > _MOST_MISSING or len(missing) == len(files):
        return None
    unsure = {one.project for one in missing}
    unsure |= _find_kin(connection, builder.space, missing, {one.project for one in files})
    inside, across = [], []
    for one in files:
        if one.has_value and one.project not in unsure:
            if _is_inside(one, scope):
                inside.append(one.number)
            elif _is_across(one, scope):
                across.append(one.number)
    values = [row[0] for row in connection.fetch_all(_VALUES, [kind, inside])]
    sure = tuple(one.number for one in files if one.project not in unsure)
    parts = [RowPart(files=sure, shared=True)] if sure else []
    if across:
        parts.append(RowPart(files=tuple(across), shared=False))
    if unsure:
        parts.append(RowPart(files=tuple(one.number for one in files if one.project in unsure)))
    return SumParts(values, parts)


def _find_kin(
    connection: ServerConnection,
    space: IdSpace,
    missing: Sequence[_ScopedFile],
    projects: set[int],
) -> set[int]:
    """Find the projects in scope that have something that others in scope have too."""
    pairs = connection.fetch_all(_KIN)
    if missing:
        files = [one.number for one in missing]
        for statement in _list_pairs(_NEW_KIN, space):
            pairs += connection.fetch_all(statement, {"files": files})
    return {one for pair in pairs if set(pair) <= projects for one in pair}


def _is_inside(one: _ScopedFile, scope: StatsScope) -> bool:
    """Tell whether all of a file lies in a stretch of time; what has no moment only in all time."""
    if scope.since is None and scope.until is None:
        return True
    until = _LAST if scope.until is None else min(scope.until, _LAST)
    return (scope.since or "") <= (one.first or "") and (one.last or "") < until


def _is_across(one: _ScopedFile, scope: StatsScope) -> bool:
    until = _LAST if scope.until is None else min(scope.until, _LAST)
    first = one.first or ""
    return (one.last or "") >= (scope.since or "") and (first < until or first >= _LAST)


def _mark_shared(connection: ServerConnection, space: IdSpace, files: Sequence[int]) -> set[int]:
    """Mark what several files of a project have; gives the files whose sums did not know that."""
    new: set[tuple[int, str]] = set()
    for statement in _list_pairs(_MARK, space):
        new.update((row[0], row[1]) for row in connection.fetch_all(statement, {"files": files}))
    values = {"projects": [one[0] for one in new], "ids": [one[1] for one in new]}
    holders: set[int] = set()
    for table, key in _KEYS[space] if new else ():
        statement = _HOLDERS.format(other=table, key=_write_key(key, "o"))
        holders.update(row[0] for row in connection.fetch_all(statement, values))
    return holders


def _list_pairs(pattern: str, space: IdSpace) -> Iterator[str]:
    """Write a statement for each two tables that have ids of one kind."""
    for table, own in _KEYS[space]:
        for other, key in _KEYS[space]:
            yield pattern.format(
                space=space,
                table=table,
                own=_write_key(own, "t"),
                other=other,
                key=_write_key(key, "o"),
            )


def _write_key(key: str, row: str) -> str:
    return key.format(row=f"{row}.") if "{row}" in key else f"{row}.{key}"


def _sum_files(
    connection: ServerConnection, builders: Sequence[SumBuilder], files: Sequence[int]
) -> None:
    from bough.store.postgres.statistics.behaviour_queries import PostgresStatsSource  # noqa: PLC0415 - it asks for sums

    source: StatsSource = PostgresStatsSource(connection)
    facts = connection.fetch_all(_FILES, [list(files)])
    numbers = [number for number, _, _ in facts]
    for builder in builders:
        kind = _name_kind(builder)
        sums = zip(facts, builder.sum_files(source, numbers), strict=True)
        rows = [(number, project, kind, pushed, *made) for (number, project, pushed), made in sums]
        connection.insert_rows("stats_sum", _COLUMNS, rows)


def _name_kind(builder: SumBuilder) -> str:
    return f"{builder.name} {_FORM}"
