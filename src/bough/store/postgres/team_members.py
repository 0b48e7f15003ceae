"""The members of a team: who they are, what they log in with, and what is shared with them.

A member is a role of the database; an auditor is none, and reads through the web server alone. One
token is the role's password and what the web server asks for. It is shown once: the database keeps
its hash, and of the password what PostgreSQL needs to check it, which is made here.
"""

import hashlib
import re
import secrets
from typing import Final, Literal

from psycopg import sql

from bough.errors import Misuse
from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import MemberRole, NewToken, ProjectShare, ShareLevel, TeamMember

WEB_ROLE: Final = "bough_web"
_GROUP: Final = "bough_member"
_TOKEN_BYTES: Final = 32
_NAME: Final = re.compile(r"(?!pg_|bough_)[a-z_][a-z0-9_.-]{0,62}")
_NOT_NAMES: Final = frozenset({"public", "none", "current_user", "session_user", "current_role"})
_KNOWN: Final = "select role, revoked_at, has_login from member where name = %s"
_ROLE: Final = "select rolsuper or rolbypassrls or rolcreaterole from pg_roles where rolname = %s"
_PUT: Final = """
    insert into member (name, role, token_sha256, has_login)
    values (%(name)s, %(role)s, %(hash)s, %(login)s)
    on conflict (md5(name)) do update set role = excluded.role,
        token_sha256 = excluded.token_sha256, has_login = excluded.has_login, revoked_at = null
"""
_SET_HASH: Final = "update member set token_sha256 = %s where name = %s"
_REVOKE: Final = "update member set token_sha256 = null, revoked_at = now() where name = %s"
_AUDIT: Final = """
    insert into audit (who, what, on_what) values (session_user::text, %s, %s)
"""
_MEMBERS: Final = """
    select m.name, m.role, m.added, m.revoked_at is not null,
        (select count(*) from machine a where a.owner = m.name)
    from member m order by m.revoked_at is not null, m.name
"""
_SHARES: Final = """
    select s.member, s.owner, s.level, s.added_by,
        coalesce((select min(p.name) from project p where p.identity = s.identity), '')
    from share s order by s.member, 5, s.owner
"""
_PROJECTS: Final = """
    select p.identity, min(p.name), min(coalesce(p.repository, p.path, p.folder))
    from project p join machine m on m.id = p.machine_id
    where (m.owner = me() or is_superuser() or my_role() = 'admin')
    and %(named)s in (p.name, p.path, p.dir, p.folder, p.repository, p.identity::text)
    group by p.identity order by 3
"""


def add_member(
    connection: ServerConnection, name: str, role: MemberRole, *, existing: bool = False
) -> NewToken:
    """Let somebody in; gives their token, which is kept nowhere.

    With `existing`, a role that the server has already is theirs, with the password it has.

    Raises:
        Misuse: The name cannot be one, or is taken.
    """
    _check_name(name)
    known = connection.fetch_one(_KNOWN, [name])
    if known and known[1] is None:
        raise Misuse(f"{name} is a member already. bough team member rotate gives a new token.")
    there = connection.fetch_one(_ROLE, [name])
    if role == "auditor" and (there or existing):
        raise Misuse(
            f"The server has a role {name}, and auditors have none: they read through the web "
            "server, where it is kept what they open. Choose another name."
        )
    if existing:
        _check_existing(name, there)
    elif there and not (known and known[2]):
        raise Misuse(
            f"The server has a role {name} already, which bough did not make. Choose another "
            "name, or give --existing to make it a member."
        )
    made = _make_token(name, role)
    makes_login = role != "auditor" and not existing
    with connection.transaction():
        if makes_login:
            _set_login(connection, made, "alter" if there else "create")
        if role != "auditor":
            connection.run(_compose(connection, "grant {group} to {name}", name))
        values = {"name": name, "role": role, "hash": _hash_token(made.token), "login": makes_login}
        connection.run(_PUT, values)
        connection.run(_AUDIT, [f"added a member ({role})", name])
    return made


def rotate_member(connection: ServerConnection, name: str) -> NewToken:
    """Give a member, or the web server's role, a new token; the one before no longer counts.

    Raises:
        Misuse: There is no such member.
    """
    if name == WEB_ROLE:
        made = _make_token(name, "web server")
        with connection.transaction():
            _set_login(connection, made, "alter")
            connection.run(_AUDIT, ["gave a new token", name])
        return made
    role, has_login = _require_member(connection, name)
    made = _make_token(name, role)
    with connection.transaction():
        if has_login:
            _set_login(connection, made, "alter")
        connection.run(_SET_HASH, [_hash_token(made.token), name])
        connection.run(_AUDIT, ["gave a new token", name])
    return made


def revoke_member(connection: ServerConnection, name: str) -> None:
    """Let somebody in no longer, from this moment on; what they sent stays.

    Raises:
        Misuse: There is no such member.
    """
    role, has_login = _require_member(connection, name)
    with connection.transaction():
        if role != "auditor":
            connection.run(_compose(connection, "revoke {group} from {name}", name))
        if has_login:
            connection.run(_compose(connection, "alter role {name} nologin password null", name))
        connection.run(_REVOKE, [name])
        connection.run(_AUDIT, ["revoked a member", name])


def list_members(connection: ServerConnection) -> list[TeamMember]:
    """List the members that one may see: oneself, or all."""
    return [TeamMember(*row) for row in connection.fetch_all(_MEMBERS)]


def list_shares(connection: ServerConnection) -> list[ProjectShare]:
    """List what is shared, as far as one may know."""
    return [ProjectShare(*row) for row in connection.fetch_all(_SHARES)]


def share_project(
    connection: ServerConnection, project: str, member: str, level: ShareLevel
) -> str:
    """Let a member read a project of one's own, or, as an admin, of anybody; gives its name.

    Raises:
        Misuse: There is no such project, or several.
        IndexTrouble: There is no such member.
    """
    identity, name = _find_project(connection, project)
    connection.run("select share_project(%s, %s, %s)", [identity, member, level])
    return name


def unshare_project(connection: ServerConnection, project: str, member: str) -> str:
    """Share a project no longer; gives its name.

    Raises:
        Misuse: There is no such project, or several, or it is not shared with that member.
    """
    identity, name = _find_project(connection, project)
    row = connection.fetch_one("select unshare_project(%s, %s)", [identity, member])
    if not row or not row[0]:
        raise Misuse(f"{name} is not shared with {member}.")
    return name


def _find_project(connection: ServerConnection, named: str) -> tuple[int, str]:
    found = connection.fetch_all(_PROJECTS, {"named": named})
    if not found:
        raise Misuse(f"You have no project {named} to share in {connection.place}.")
    if len(found) > 1:
        places = ", ".join(row[2] for row in found)
        raise Misuse(f"Several projects are called {named}. Name one of these: {places}.")
    return found[0][0], found[0][1]


def _require_member(connection: ServerConnection, name: str) -> tuple[str, bool]:
    known = connection.fetch_one(_KNOWN, [name])
    if known is None or known[1] is not None:
        raise Misuse(f"There is no member {name}. bough team member list names them.")
    return known[0], known[2]


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or name in _NOT_NAMES:
        raise Misuse(
            f"{name!r} cannot be a member's name: small letters, digits, '_', '.' and '-', at most "
            "63 of them, beginning with a letter, not with pg_ or bough_."
        )


def _check_existing(name: str, there: tuple[bool, ...] | None) -> None:
    if there is None:
        raise Misuse(f"The server has no role {name}. Leave --existing out, and it is made.")
    if there[0]:
        raise Misuse(
            f"The role {name} may do more than policies allow (superuser, BYPASSRLS or "
            "CREATEROLE): it would see everything. Choose another."
        )


def _make_token(name: str, role: str) -> NewToken:
    return NewToken(name, role, secrets.token_urlsafe(_TOKEN_BYTES))


def _hash_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _set_login(
    connection: ServerConnection, made: NewToken, how: Literal["create", "alter"]
) -> None:
    """Let a role log in; the server, and its log, get to see no password."""
    kept = connection.raw.pgconn.encrypt_password(
        made.token.encode(), made.name.encode(), b"scram-sha-256"
    )
    statement = f"{how} role {{name}} login password {{kept}}"
    connection.run(_compose(connection, statement, made.name, kept.decode()))


def _compose(connection: ServerConnection, statement: str, name: str, kept: str = "") -> str:
    composed = sql.SQL(statement).format(
        group=sql.Identifier(_GROUP), name=sql.Identifier(name), kept=sql.Literal(kept)
    )
    return composed.as_string(connection.raw)
