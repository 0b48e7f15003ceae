"""Both stores, filled from the same files."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bough.ingest.index.refresh import refresh_index
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.protocol import Store
from bough.store.sqlite.store import SqliteStore
from tests.store_answers import answers_of
from tests.team_server import LAPTOP, TeamServer

PREFIX = "//laptop"


class StorePair:
    """The local index and a team's store of the same Claude folder."""

    def __init__(self, folder: Path, index: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.local = SqliteStore(index)
        self.team = PostgresStore(url, machine=LAPTOP)
        self.reader = PostgresStore(url)

    @property
    def stores(self) -> tuple[Store, Store]:
        """Give both, the local index first."""
        return self.local, self.team

    def refresh(self) -> None:
        """Read what is new into both."""
        for store in self.stores:
            refresh_index(store, [self.folder], workers=1)

    def close(self) -> None:
        """Let go of both."""
        for store in (self.local, self.team, self.reader):
            store.close()

    def assert_same_answers(self) -> None:
        """Compare all that they answer, one question at a time."""
        expected, found = answers_of(self.local), answers_of(self.reader, PREFIX)
        for question, answer in expected.items():
            assert found[question] == answer, question
        assert self.team.stamps() == self.local.stamps()
        assert self.team.states().keys() == self.local.states().keys()


@pytest.fixture
def team_url(team_server: TeamServer) -> Iterator[str]:
    """Lend a database with the tables of bough's."""
    with team_server.database() as url:
        yield url


@pytest.fixture
def pair(team_url: str, tmp_path: Path) -> Iterator[StorePair]:
    """Lend both stores, empty, and the folder they are filled from."""
    folder = tmp_path / "claude"
    (folder / "projects").mkdir(parents=True)
    found = StorePair(folder, tmp_path / "index.sqlite", team_url)
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgres"])
def empty_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Lend each store, empty."""
    with ExitStack() as stack:
        store: SqliteStore | PostgresStore
        if request.param == "sqlite":
            store = SqliteStore(tmp_path / "index.sqlite")
        else:
            server: TeamServer = request.getfixturevalue("team_server")
            store = PostgresStore(stack.enter_context(server.database()), machine=LAPTOP)
        stack.callback(store.close)
        yield store
