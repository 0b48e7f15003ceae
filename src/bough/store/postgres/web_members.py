"""What the web server asks of a team's database for itself: whose a token is, what one may see.

It comes as the role bough_web. Every connection is for one member from its first moment to its
last: who that is stands among the options it is opened with, so no statement can forget to say it,
and a connection never answers two people.
"""

import hashlib
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from bough.errors import Misuse
from bough.store.postgres.frame_bytes import open_shared
from bough.store.postgres.schema_scripts import require_schema
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_members import WEB_ROLE

_SECONDS: Final = 5
"""A question of a page that takes longer is ended."""
_OF_TOKEN: Final = "select name from member_of_token(%s)"  # noqa: S105 - a function's name
# Asked for no bytes, it keeps that an auditor opened the file, once in a minute.
_OPEN: Final = "select read_frames(f.id, '{}'::bigint[]) from file f where f.path = %s"
_ACCESS: Final = """
    select me(), my_role(), array(select readable() order by 1),
        array(select countable() order by 1)
"""


def require_web_role(url: str) -> str:
    """Refuse a URL that is not the web server's; names the database.

    Raises:
        Misuse: It is somebody else's.
        IndexTrouble: The database cannot be reached, or is that of another bough.
    """
    connection = ServerConnection(url)
    try:
        require_schema(connection)
        row = connection.fetch_one("select session_user::text")
        if not row or row[0] != WEB_ROLE:
            raise Misuse(
                f"bough web comes to a team's database as {WEB_ROLE}, and shows each what is "
                f"theirs: --store postgresql://{WEB_ROLE}@HOST/DATABASE. The owner of the database "
                f"gives it a password: bough team member rotate {WEB_ROLE}."
            )
        return connection.place
    finally:
        connection.close()


def find_token_member(url: str, hashed: bytes) -> str | None:
    """Tell whose token has a hash; None where it is nobody's."""
    connection = ServerConnection(url)
    try:
        row = connection.fetch_one(_OF_TOKEN, [hashed])
        return None if row is None else str(row[0])
    finally:
        connection.close()


def read_access(url: str) -> tuple[str | None, str | None, bytes]:
    """Read who a member's URL is of and what they are, and a mark of what they may see.

    Who is no member any more is nobody.
    """
    connection = ServerConnection(url)
    try:
        row = connection.fetch_one(_ACCESS)
        mark = hashlib.sha256(repr(row).encode()).digest()
        name, role = row[:2] if row else (None, None)
        return name, role, mark
    finally:
        connection.close()


def note_opening(url: str, path: str) -> None:
    """Keep that an auditor opens a session whose bytes are at hand."""
    open_shared(url).fetch_all(_OPEN, [path])


def make_member_url(url: str, member: str) -> str:
    """Make the URL by which the web server asks for one member."""
    parts = urlsplit(url)
    given = parse_qsl(parts.query, keep_blank_values=True)
    options = [value for name, value in given if name == "options"]
    options += [f"-c bough.member={member}", f"-c statement_timeout={_SECONDS}s"]
    rest = [pair for pair in given if pair[0] != "options"]
    query = urlencode([*rest, ("options", " ".join(options))], quote_via=quote)
    return urlunsplit(parts._replace(query=query))
