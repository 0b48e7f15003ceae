"""People of a team on a real server, each with a machine and projects of their own."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from msgspec import Struct

from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_members import add_member, rotate_member
from bough.store.rows import MachineRow
from bough.store.team_rows import MemberRole
from tests.team_server import TeamServer

WEB = "bough_web"


class Sent(Struct, frozen=True):
    """A session that somebody sent, with a word that stands nowhere else."""

    owner: str
    project: str
    session: str
    word: str


class People:
    """A team's database, and who is in it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.tokens: dict[str, str] = {}
        with closing(ServerConnection(url)) as connection:
            self.tokens[WEB] = rotate_member(connection, WEB).token

    def add(self, name: str, role: MemberRole = "member") -> str:
        """Let somebody in; gives the URL that is theirs."""
        with closing(ServerConnection(self.url)) as connection:
            self.tokens[name] = add_member(connection, name, role).token
        return self.url_of(name)

    def url_of(self, name: str) -> str:
        """Name the database as somebody comes to it."""
        return self.url.replace("//postgres:", f"//{name}:")

    @contextmanager
    def sql(self, name: str | None = None) -> Iterator[psycopg.Connection]:
        """Be somebody with psql; without a name, who may do everything."""
        url = self.url if name is None else self.url_of(name)
        with closing(psycopg.connect(url, autocommit=True)) as connection:
            connection.execute("set search_path = bough")
            yield connection

    @contextmanager
    def store(self, name: str) -> Iterator[PostgresStore]:
        """Be somebody with bough."""
        with closing(PostgresStore(self.url_of(name))) as store:
            yield store

    @contextmanager
    def web_store(self, name: str) -> Iterator[PostgresStore]:
        """Be the web server that answers somebody."""
        with closing(PostgresStore(self.url_of(WEB))) as store:
            store.connection.run("select set_config('bough.member', %s, false)", [name])
            yield store

    def send(self, name: str, folder: Path, projects: Sequence[str]) -> list[Sent]:
        """Send one session of each project, as one who has a machine called after them."""
        sent = []
        for project in projects:
            word = f"kumquat{name}{project}".replace("-", "")
            told = session(f"{name}-{project}", cwd=f"/home/{name}/{project}")
            told.user(f"Look for {word} here").assistant(f"Found {word}.")
            told.tool("Bash", {"command": f"grep {word}"}, f"a line with {word}")
            told.user("More").assistant("That is all.")
            path = told.write(folder)
            sent.append(Sent(name, project, path.stem, word))
        machine = MachineRow(uuid.uuid5(uuid.NAMESPACE_DNS, name).hex, name, f"{name}s-laptop")
        with closing(PostgresStore(self.url_of(name), machine=machine)) as store:
            refresh_index(store, [folder], workers=1)
        # As if each project were one repository, whoever has it.
        with self.sql() as connection:
            for project in projects:
                connection.execute(
                    "update project set identity = number_of('identity', name), repository = name"
                    " where name = %s",
                    [project],
                )
        return sent


@contextmanager
def team_of(server: TeamServer) -> Iterator[People]:
    """Lend a team in a database of its own; its roles go with it."""
    with server.database() as url:
        people = People(url)
        try:
            yield people
        finally:
            with people.sql() as connection:
                for name in [*people.tokens]:
                    if name != WEB:
                        statement = f'drop role if exists "{name}"'
                        connection.execute(statement)
