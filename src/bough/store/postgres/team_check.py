"""Whether a team's database still guards what it should: looked up in its own catalog.

Everything here is made by `team init`; somebody with rights on the database can undo it by hand.
"""

from typing import Final

from bough.store.postgres.administration.column_statistics import TOLD_COLUMNS
from bough.store.postgres.server_connection import ServerConnection

_UNGUARDED: Final = """
    select format('The table %s is not guarded by policies.', relname)
    from pg_class where relnamespace = 'bough'::regnamespace and relkind in ('r', 'p')
    and relname <> 'word' and not (relrowsecurity and relforcerowsecurity)
    order by 1
"""
_ON_WORDS: Final = """
    select distinct format('%s may use the table of words.',
        case given.grantee when 0 then 'Everybody' else given.grantee::regrole::text end)
    from pg_class c, aclexplode(c.relacl) given
    where c.oid = 'bough.word'::regclass and given.grantee not in (c.relowner,
        'bough_guard'::regrole)
    union
    select distinct format('%s may use a column of the table of words.',
        case given.grantee when 0 then 'Everybody' else given.grantee::regrole::text end)
    from pg_attribute a, aclexplode(a.attacl) given where a.attrelid = 'bough.word'::regclass
"""
_TABLES_FOR_ALL: Final = """
    select distinct format('Everybody may use the table %s.', c.relname)
    from pg_class c, aclexplode(c.relacl) given
    where c.relnamespace = 'bough'::regnamespace and given.grantee = 0
"""
_FUNCTIONS: Final = """
    select format('The function %s can be called by everybody.', p.proname)
    from pg_proc p where p.pronamespace = 'bough'::regnamespace
    and (p.proacl is null
        or exists (select 1 from aclexplode(p.proacl) given where given.grantee = 0))
    union
    select format('The function %s does not belong to bough_guard.', p.proname)
    from pg_proc p where p.pronamespace = 'bough'::regnamespace
    and p.proowner <> 'bough_guard'::regrole
    union
    select format('The function %s can be given other tables than its own.', p.proname)
    from pg_proc p where p.pronamespace = 'bough'::regnamespace and not coalesce(
        'search_path=pg_catalog, bough, pg_temp' = any (p.proconfig), false)
    -- These look at no table, and at every row: a setting would make them take ten times as long.
    and (p.prosecdef or p.proname not in ('is_among', 'is_seen'))
"""
_VIEWS: Final = """
    select format('The view %s shows what its owner sees.', relname)
    from pg_class where relnamespace = 'bough'::regnamespace and relkind = 'v'
    and not coalesce('security_invoker=true' = any (reloptions), false)
    union
    select format('%s keeps what its owner saw.', relname)
    from pg_class where relnamespace = 'bough'::regnamespace and relkind = 'm'
"""
_GUARD: Final = """
    select 'The role bough_guard can log in.' from pg_roles
    where rolname = 'bough_guard' and (rolcanlogin or rolsuper or rolbypassrls)
    union
    select format('The role %s can act as bough_guard.', m.member::regrole)
    from pg_auth_members m join pg_roles r on r.oid = m.member
    where m.roleid = 'bough_guard'::regrole and not r.rolsuper
    and (r.rolcanlogin and r.rolname <> (
        select nspowner::regrole::text from pg_namespace where nspname = 'bough'))
    union
    select format('The role bough_guard owns %s.', relname) from pg_class
    where relowner = 'bough_guard'::regrole
"""
_ROLES: Final = """
    select format('The role %s passes all policies.', rolname) from pg_roles
    where (rolsuper or rolbypassrls) and (rolname = 'bough_web' or rolname = 'bough_member'
        or rolname in (select name from bough.member where revoked_at is null and has_login))
    union
    select format('The auditor %s has a role of the database.', name) from bough.member
    where role = 'auditor' and name in (select rolname::text from pg_roles)
    union
    select 'Everybody may make things in the schema bough.'
    where has_schema_privilege('bough_member', 'bough', 'create')
"""
_PLANS: Final = f"""
    select distinct format('Plans tell what is in the columns of %s.', told.relname)
    from ({TOLD_COLUMNS}) as told(relation, relname, kind, number, column_name) order by 1
"""
_CHECKS: Final = (
    *(_UNGUARDED, _ON_WORDS, _TABLES_FOR_ALL, _FUNCTIONS, _VIEWS, _GUARD, _ROLES),
    _PLANS,
)


def find_gaps(connection: ServerConnection) -> list[str]:
    """Say, in sentences, where the rules of who sees what are not held; empty where they are."""
    return [row[0] for statement in _CHECKS for row in connection.fetch_all(statement)]
