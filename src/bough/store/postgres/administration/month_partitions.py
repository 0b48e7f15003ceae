"""The largest tables of a team's store in parts, one for each month in which rows were sent.

Off by default. A table that is there becomes the part of all months before this one, without being
copied; rows go to their part by the moment at which they are sent, so writers need to know nothing.
Parts can be reached through their table alone: nobody has any right on them, and no policy lets
anybody in.
"""

from datetime import date
from itertools import pairwise
from typing import Final

from psycopg import sql

from bough.store.postgres.administration.column_statistics import hide_columns
from bough.store.postgres.server_connection import SCHEMA, ServerConnection

PARTED: Final = ("record", "word", "frame", "body")
_AHEAD: Final = 12
_THIS_MONTH: Final = "(date_trunc('month', now() at time zone 'UTC'))::date"
_KIND: Final = "select relkind::text from pg_class where oid = %s::regclass"
_NOW: Final = f"select {_THIS_MONTH}"
_KEY: Final = """
    select c.conname, array(select a.attname::text from unnest(c.conkey) with ordinality as k(n, o)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.o)
    from pg_constraint c where c.conrelid = %s::regclass and c.contype = 'p'
"""
_INDEXES: Final = """
    select i.relname::text, pg_get_indexdef(i.oid) from pg_index x join pg_class i
        on i.oid = x.indexrelid where x.indrelid = %s::regclass and not x.indisprimary
"""
_POLICIES: Final = """
    select policyname::text, permissive, array(select quote_ident(r::text) from unnest(roles) r),
        cmd, qual, with_check
    from pg_policies where schemaname = %s and tablename = %s
"""
_GRANTS: Final = """
    select given.grantee::regrole::text, given.privilege_type
    from pg_class c, aclexplode(c.relacl) given
    where c.oid = %s::regclass and given.grantee not in (c.relowner, 0)
"""
_SECURITY: Final = """
    select relrowsecurity, relforcerowsecurity from pg_class where oid = %s::regclass
"""
_VIEWS: Final = """
    select distinct v.relname::text, pg_get_viewdef(v.oid)
    from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
    where d.refobjid = %s::regclass and v.relkind = 'v'
"""
_PARTS: Final = """
    select c.relname::text from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = %s::regclass order by 1
"""


def has_partitions(connection: ServerConnection) -> bool:
    """Tell whether the largest tables are in parts."""
    return _is_parted(connection, PARTED[0])


def part_tables(connection: ServerConnection) -> None:
    """Bring the largest tables into parts, where they are not; each in one transaction."""
    for table in PARTED:
        if not _is_parted(connection, table):
            with connection.transaction():
                _part_table(connection, table)
    add_months(connection)
    with connection.transaction():
        hide_columns(connection)


def add_months(connection: ServerConnection) -> None:
    """Make the parts of this month and of a year to come, where they are missing."""
    row = connection.fetch_one(_NOW)
    month: date = row[0] if row else date.today().replace(day=1)  # noqa: DTZ011 - never used
    months = [_add_to(month, number) for number in range(_AHEAD + 2)]
    for table in PARTED:
        there = {one[0] for one in connection.fetch_all(_PARTS, [f"{SCHEMA}.{table}"])}
        for begin, end in pairwise(months):
            name = f"{table}_{begin:%Y_%m}"
            if name not in there:
                with connection.transaction():
                    _add_month(connection, table, name, (begin, end))
        if f"{table}_rest" not in there:
            with connection.transaction():
                _run(
                    connection, "create table {0} partition of {1} default", f"{table}_rest", table
                )
                _close_part(connection, f"{table}_rest")


def _part_table(connection: ServerConnection, table: str) -> None:
    place = f"{SCHEMA}.{table}"
    before = f"{table}_before"
    _run(connection, "lock table {0} in access exclusive mode", table)
    # Read before the table has another name, which would stand in them.
    policies = connection.fetch_all(_POLICIES, [SCHEMA, table])
    grants = connection.fetch_all(_GRANTS, [place])
    indexes = connection.fetch_all(_INDEXES, [place])
    views = connection.fetch_all(_VIEWS, [place])
    (guarded, forced) = connection.fetch_all(_SECURITY, [place])[0]
    (constraint, key) = connection.fetch_all(_KEY, [place])[0]
    (month,) = connection.fetch_all(_NOW)[0]
    _run(connection, "alter table {0} rename to {1}", table, before)
    for name, _ in indexes:
        _run(connection, "alter index {0} rename to {1}", name, f"{name}_before")
    _run(
        connection,
        f"alter table {{0}} add column sent_month date not null default '{_add_to(month, -1)}'",
        before,
    )
    columns = ", ".join(f'"{name}"' for name in (*key, "sent_month"))
    connection.run(f'alter table {SCHEMA}.{before} drop constraint "{constraint}"')
    connection.run(f"alter table {SCHEMA}.{before} add primary key ({columns})")
    _run(
        connection,
        "create table {0} (like {1} including defaults including storage including compression)"
        " partition by range (sent_month)",
        table,
        before,
    )
    _run(connection, f"alter table {{0}} alter column sent_month set default {_THIS_MONTH}", table)
    connection.run(f"alter table {SCHEMA}.{table} add primary key ({columns})")
    for _, definition in indexes:
        connection.run(definition)
    _run(
        connection,
        f"alter table {{0}} attach partition {{1}} for values from (minvalue) to ('{month}')",
        table,
        before,
    )
    for name, definition in views:
        view = f'create or replace view {SCHEMA}."{name}" with (security_invoker = true)'
        connection.run(f"{view} as {definition}")
    for name, permissive, roles, command, using, check in policies:
        connection.run(
            f'create policy "{name}" on {SCHEMA}.{table} as {permissive} for {command} '
            f"to {', '.join(roles)}"
            + (f" using ({using})" if using else "")
            + (f" with check ({check})" if check else "")
        )
    if guarded:
        _run(connection, "alter table {0} enable row level security", table)
    if forced:
        _run(connection, "alter table {0} force row level security", table)
    connection.run(f"revoke all on {SCHEMA}.{table} from public")
    for role, right in grants:
        connection.run(f"grant {right} on {SCHEMA}.{table} to {role}")
        connection.run(f"revoke all on {SCHEMA}.{before} from {role}")
    for name, *_ in policies:
        connection.run(f'drop policy "{name}" on {SCHEMA}.{before}')
    _close_part(connection, before)


def _add_month(
    connection: ServerConnection, table: str, name: str, months: tuple[date, date]
) -> None:
    """Make the part of a month; what of it is in the rest, because nobody made it, goes there."""
    begin, end = months
    rest = f"{table}_rest"
    there = {one[0] for one in connection.fetch_all(_PARTS, [f"{SCHEMA}.{table}"])}
    if rest in there:
        _run(connection, "alter table {0} detach partition {1}", table, rest)
        # Its owner passes a policy that is not forced.
        _run(connection, "alter table {0} no force row level security", rest)
    _run(
        connection,
        f"create table {{0}} partition of {{1}} for values from ('{begin}') to ('{end}')",
        name,
        table,
    )
    if rest in there:
        condition = f"sent_month >= '{begin}' and sent_month < '{end}'"
        _run(connection, f"insert into {{0}} select * from {{1}} where {condition}", name, rest)
        _run(connection, f"delete from {{0}} where {condition}", rest)
        _run(connection, "alter table {0} attach partition {1} default", table, rest)
        _run(connection, "alter table {0} force row level security", rest)
    _close_part(connection, name)


def _close_part(connection: ServerConnection, part: str) -> None:
    _run(connection, "alter table {0} enable row level security", part)
    _run(connection, "alter table {0} force row level security", part)
    _run(connection, "revoke all on {0} from public", part)


def _is_parted(connection: ServerConnection, table: str) -> bool:
    row = connection.fetch_one(_KIND, [f"{SCHEMA}.{table}"])
    return row is not None and row[0] == "p"


def _run(connection: ServerConnection, statement: str, *names: str) -> None:
    named = [sql.Identifier(name) for name in names]
    composed = sql.SQL(statement).format(*named)
    connection.run(composed.as_string(connection.raw))


def _add_to(month: date, number: int) -> date:
    months = month.year * 12 + month.month - 1 + number
    return date(months // 12, months % 12 + 1, 1)
