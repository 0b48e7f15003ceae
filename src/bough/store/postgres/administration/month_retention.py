"""Retention in a team's store: texts, words and bytes that were sent before a month are removed.

Lists, titles, sums and statistics stay. Where the largest tables are in parts, whole parts are
dropped; where they are not, rows of the files that were last sent before are deleted. Nothing is
sent again by it: how far files were read is still known.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Final

from psycopg import sql

from bough.errors import Misuse
from bough.store.postgres.administration.month_partitions import PARTED, has_partitions
from bough.store.postgres.server_connection import SCHEMA, ServerConnection
from bough.store.team_rows import TeamRetention

_LOCK: Final = "migrate"
_THIS_MONTH: Final = "select date_trunc('month', now() at time zone 'UTC')::date"
# The end of what a part holds, as the catalog writes it: FOR VALUES FROM (...) TO ('2026-06-01').
_OLD_PARTS: Final = r"""
    select c.relname::text, pg_total_relation_size(c.oid)
    from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = any(%(tables)s::regclass[])
    and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([-0-9]+)''\)')::date
        <= %(month)s::date
    order by 1
"""
_OLD_FILES: Final = """
    select f.id from file f where f.pushed < %(month)s::date and f.deleted_at is null
    union
    select c.id from companion c where not exists (
        select 1 from file f where f.machine_id = c.machine_id and f.session = c.session
        and f.pushed >= %(month)s::date)
"""
_COUNT: Final = """
    select count(distinct file_id) from {table} where file_id = any(%(files)s::bigint[])
"""
_DELETE: Final = "delete from {table} where file_id = any(%(files)s::bigint[])"
_PASSES_POLICIES: Final = """
    select rolsuper or rolbypassrls from pg_roles where rolname = current_user
"""
_NOTE: Final = "insert into audit (who, what, on_what) values (session_user, %s, %s)"


def prune_months(
    connection: ServerConnection, before: str, *, dry_run: bool = False
) -> TeamRetention:
    """Remove what was sent before a month, `2026-05`; with `dry_run`, tell what that would be.

    Raises:
        Misuse: That is no month, or one that is still to come.
        IndexTrouble: The database does not allow it: who made the tables may do so.
    """
    month = _read_month(connection, before)
    if not dry_run:
        connection.wait_for_lock(_LOCK)
    with connection.transaction():
        if has_partitions(connection):
            found = _drop_parts(connection, month, dry_run=dry_run)
        else:
            found = _delete_rows(connection, month, dry_run=dry_run)
        if not dry_run and (found.parts or found.files):
            connection.run(_NOTE, [f"removed what was sent before {month:%Y-%m}", "team"])
    return found


def _read_month(connection: ServerConnection, before: str) -> date:
    try:
        month = date.fromisoformat(f"{before}-01")
    except ValueError:
        raise Misuse(f"{before} is not a month. Write one as 2026-05.") from None
    row = connection.fetch_one(_THIS_MONTH)
    if row is not None and month > row[0]:
        raise Misuse(f"{before} is still to come. What was sent before {row[0]:%Y-%m} can go.")
    return month


def _drop_parts(connection: ServerConnection, month: date, *, dry_run: bool) -> TeamRetention:
    tables = [f"{SCHEMA}.{table}" for table in PARTED]
    rows = connection.fetch_all(_OLD_PARTS, {"tables": tables, "month": month})
    if not dry_run:
        for name, _ in rows:
            statement = sql.SQL("drop table {}").format(sql.Identifier(SCHEMA, name))
            connection.run(statement.as_string(connection.raw))
    size = sum(int(row[1]) for row in rows)
    return TeamRetention(f"{month:%Y-%m}", tuple(row[0] for row in rows), size)


def _delete_rows(connection: ServerConnection, month: date, *, dry_run: bool) -> TeamRetention:
    with _pass_policies(connection, (*PARTED, "file", "companion")):
        old = [row[0] for row in connection.fetch_all(_OLD_FILES, {"month": month})]
        row = connection.fetch_one(_COUNT.format(table="frame"), {"files": old})
        if not dry_run:
            for table in PARTED:
                connection.run(_DELETE.format(table=table), {"files": old})
    return TeamRetention(f"{month:%Y-%m}", files=int(row[0]) if row else 0)


@contextmanager
def _pass_policies(connection: ServerConnection, tables: tuple[str, ...]) -> Iterator[None]:
    """Let the owner of tables see all rows; in a transaction, as others must not see it so."""
    row = connection.fetch_one(_PASSES_POLICIES)
    # No policy guards the words: nobody but their owner has any right on them.
    guarded = [] if row is not None and row[0] else [one for one in tables if one != "word"]
    for table in guarded:
        connection.run(f"alter table {SCHEMA}.{table} no force row level security")
    yield
    for table in guarded:
        connection.run(f"alter table {SCHEMA}.{table} force row level security")
