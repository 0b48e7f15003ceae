"""What the planner knows of columns: of guarded tables nothing but how many files rows are of.

Its estimates are shown to everybody who asks for a plan, whosever the rows are: the commonest
values, and how the others are spread. Of words it has to know them: plans of the functions that
look for them tell no more than what these read (docs/team.md). Done by each `team migrate`, as
parts of tables have columns of their own.
"""

from typing import Final

from bough.store.postgres.server_connection import ServerConnection

TOLD_COLUMNS: Final = """
    select c.oid, c.relname::text, c.relkind::text, a.attnum, a.attname::text
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_index x on x.indexrelid = c.oid
    left join pg_class t on t.oid = coalesce(x.indrelid, c.oid)
    where c.relnamespace = 'bough'::regnamespace and a.attnum > 0 and not a.attisdropped
    and coalesce(a.attstattarget, -1) <> 0
    and t.relname !~ '^(word|meta|dialect|lock_row)(_\\d{4}_\\d\\d|_before|_rest)?$'
    and case when c.relkind in ('r', 'p') then a.attname not in ('file_id', 'offset')
        else c.relkind in ('i', 'I') and x.indkey[a.attnum - 1] = 0 end
    order by 2, 4
"""
_CLEAR: Final = """
    delete from pg_statistic
    where (starelid, staattnum) in (select * from unnest(%s::oid[], %s::int[]))
"""
_IS_SUPERUSER: Final = "select rolsuper from pg_roles where rolname = current_user"


def hide_columns(connection: ServerConnection) -> None:
    """Let the planner know nothing of columns from now on, and forget what it knows."""
    found = connection.fetch_all(TOLD_COLUMNS)
    for _, relation, kind, number, column in found:
        if kind in ("r", "p"):
            named = f'table bough."{relation}" alter column "{column}"'
        else:
            named = f'index bough."{relation}" alter column {number}'
        connection.run(f"alter {named} set statistics 0")
    row = connection.fetch_one(_IS_SUPERUSER)
    if found and row and row[0]:
        connection.run(_CLEAR, [[one[0] for one in found], [one[3] for one in found]])
