"""A team's store: its tables, its members, and what is shared with them."""

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bough.store.rows import MigrationReport
from bough.store.team_rows import (
    JsonChoice,
    MemberRole,
    NewToken,
    ProjectShare,
    ShareLevel,
    TeamMember,
    TeamRetention,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bough.store.annotations.annotation import Annotation, Annotations
    from bough.store.annotations.annotation_store import AnnotationChange
    from bough.store.annotations.team_notes import MemberNote
    from bough.store.postgres.server_connection import ServerConnection


def init_team(url: str, *, json: JsonChoice | None = None) -> MigrationReport:
    """Make the tables of a team's store in a database that has none.

    Args:
        url: The database, `postgresql://NAME@HOST/DATABASE`, as somebody who may make tables.
        json: What of records is kept as JSON, for questions in SQL: `body`, which it is where
            nothing is said, `envelope` or `none`.

    Raises:
        Misuse: It has such tables already, or the URL cannot be read.
        IndexTrouble: The database cannot be reached, or does not allow it.
    """
    from bough.store.postgres.schema_scripts import create_tables  # noqa: PLC0415 - an extra

    return create_tables(url, json=json)


def migrate_team(
    url: str, *, partitions: bool = False, json: JsonChoice | None = None
) -> MigrationReport:
    """Bring the tables of a team's store up to date; nothing happens where they are.

    Args:
        url: The database, `postgresql://NAME@HOST/DATABASE`, as somebody who may change tables.
        partitions: Bring the largest tables into parts by month.
        json: Keep that much of records as JSON from now on, and remove what is more.

    Raises:
        Misuse: The URL cannot be read.
        IndexTrouble: The database has no such tables, or those of a newer bough, or does not
            allow it.
    """
    from bough.store.postgres.schema_scripts import migrate  # noqa: PLC0415 - an extra

    return migrate(url, partitions=partitions, json=json)


def prune_team(url: str, before: str, *, dry_run: bool = False) -> TeamRetention:
    """Remove texts, words and bytes that were sent to a team's store before a month.

    Lists, titles, sums and statistics stay, and nothing of it is sent again.

    Args:
        url: The database, as whoever made its tables.
        before: The first month that is kept, as `2026-05`.
        dry_run: Remove nothing; only tell what would go.

    Raises:
        Misuse: That is no month, or one that is still to come.
        IndexTrouble: The database does not allow it.
    """
    from bough.store.postgres.administration.month_retention import prune_months  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return prune_months(connection, before, dry_run=dry_run)


def add_member(url: str, name: str, role: MemberRole, *, existing: bool = False) -> NewToken:
    """Let somebody into a team's store; gives their token, which is kept nowhere.

    A member and an admin become a role of the database, with the token as its password; an
    auditor does not, and reads through the web app alone.

    Args:
        url: The database, as whoever keeps it: somebody who may make roles.
        name: What they are called: small letters, digits, `_`, `.` and `-`.
        role: `member`, `admin` or `auditor`.
        existing: Take the role that the server has by that name, with the password it has.

    Raises:
        Misuse: The name cannot be one, or is taken.
        IndexTrouble: The database cannot be reached, or does not allow it.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_members.add_member(connection, name, role, existing=existing)


def rotate_member(url: str, name: str) -> NewToken:
    """Give a member, or `bough_web`, a new token; the one before no longer counts.

    Raises:
        Misuse: There is no such member.
        IndexTrouble: The database cannot be reached, or does not allow it.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_members.rotate_member(connection, name)


def revoke_member(url: str, name: str) -> None:
    """Let somebody into a team's store no longer, at once; what they sent stays.

    Raises:
        Misuse: There is no such member.
        IndexTrouble: The database cannot be reached, or does not allow it.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        team_members.revoke_member(connection, name)


def list_members(url: str) -> list[TeamMember]:
    """List the members that one may see: oneself, or, as an admin, all.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_members.list_members(connection)


def list_shares(url: str) -> list[ProjectShare]:
    """List what is shared by and with oneself, or, as an admin, by and with all.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_members.list_shares(connection)


def share_project(url: str, project: str, member: str, level: ShareLevel = "read") -> str:
    """Let a member read a project of one's own, or know its numbers; gives its name.

    An admin shares what all have of a project.

    Raises:
        Misuse: There is no such project, or several.
        IndexTrouble: There is no such member, or the database cannot be reached.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_members.share_project(connection, project, member, level)


def unshare_project(url: str, project: str, member: str) -> str:
    """Share a project with a member no longer; gives its name.

    Raises:
        Misuse: There is no such project, or several, or it is not shared with them.
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres import team_members  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_members.unshare_project(connection, project, member)


def check_team(url: str) -> list[str]:
    """Say, in sentences, where a team's store does not guard what it should; empty where it does.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres.team_check import find_gaps  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return find_gaps(connection)


def hash_token(token: str) -> bytes:
    """Hash a token as a team's store keeps it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def require_web_role(url: str) -> str:
    """Refuse a URL that is not that of a team's web server; names the database.

    Raises:
        Misuse: It is somebody else's.
        IndexTrouble: The database cannot be reached, or is that of another bough.
    """
    from bough.store.postgres import web_members  # noqa: PLC0415 - an extra

    return web_members.require_web_role(url)


def find_token_member(url: str, hashed: bytes) -> str | None:
    """Tell, as the web server, which member has the token with a hash; None for nobody.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres import web_members  # noqa: PLC0415 - an extra

    return web_members.find_token_member(url, hashed)


def make_member_url(url: str, member: str) -> str:
    """Make the URL by which the web server asks for one member."""
    from bough.store.postgres import web_members  # noqa: PLC0415 - an extra

    return web_members.make_member_url(url, member)


def read_member_access(url: str) -> tuple[str | None, str | None, bytes]:
    """Read who a member's URL is of and what they are, and a mark of what they may see.

    Who is no member any more is nobody.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres import web_members  # noqa: PLC0415 - an extra

    return web_members.read_access(url)


def note_opening(url: str, path: str) -> None:
    """Keep that an auditor opens a session, though its bytes are at hand.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres import web_members  # noqa: PLC0415 - an extra

    web_members.note_opening(url, path)


def load_team_notes(url: str) -> "Annotations":
    """Give one's own stars and notes in a team's store, with those of others that one may see.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.annotations import team_notes  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_notes.load_notes(connection)


def change_team_note(url: str, path: str, uuid: str, change: "AnnotationChange") -> "Annotation":
    """Change what one says in a team's store of a session, or of a message of it.

    Args:
        url: The database, as oneself.
        path: The path of the session's file, as lists have it.
        uuid: The message; empty for the session.
        change: What becomes of it; a project cannot be hidden there.

    Raises:
        Misuse: It is too long, there is no such session, or one is an auditor.
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.annotations import team_notes  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_notes.change_note(connection, path, uuid, change)


def list_other_notes(annotation: "Annotation") -> "tuple[MemberNote, ...]":
    """List what others said of a session or a message; nothing where there is no team."""
    # Who has no psycopg has no team either.
    others: tuple[MemberNote, ...] = getattr(annotation, "others", ())
    return others


@contextmanager
def connect_team(url: str) -> "Iterator[ServerConnection]":
    """Connect to a team's database for a while.

    Raises:
        IndexTrouble: It cannot be reached, or is that of another bough.
    """
    from bough.store.postgres.schema_scripts import require_schema  # noqa: PLC0415 - an extra
    from bough.store.postgres.server_connection import ServerConnection  # noqa: PLC0415 - an extra

    connection = ServerConnection(url)
    try:
        require_schema(connection)
        yield connection
    finally:
        connection.close()
