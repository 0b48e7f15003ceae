"""An engine that can do less: with what is done instead, the same is found."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from bough.errors import IndexTrouble
from bough.query.search.search import search
from bough.sample import session
from bough.sample.demo import write_demo
from bough.store.postgres.frame_bytes import FrameFinder
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.word_rows import LONGEST_PART, OVERLAP
from tests.queries import QueryMaker
from tests.searched import asked
from tests.team_server import LAPTOP, TeamServer
from tests.unit.store.contract.conftest import StorePair

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
QUERIES = 25


@pytest.fixture(scope="module")
def demo(team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StorePair]:
    place = tmp_path_factory.mktemp("dialects")
    with team_server.database() as url:
        found = StorePair(write_demo(place / "demo", NOW), place / "index.sqlite", url)
        # With bytes, as texts are read.
        found.refresh()
        yield found
        found.close()


def _lack(url: str, *names: str) -> None:
    """Say of the engine that it cannot do some things."""
    with psycopg.connect(url) as connection:
        connection.execute("update bough.dialect set works = not name = any(%s)", [list(names)])


def _find_all(store: PostgresStore, text: str, url: str) -> list[tuple[str, int | None, str]]:
    """Give all hits of a query, newest first."""
    found, cursor = [], None
    for _ in range(60):
        page = search(
            store,
            asked(text),
            order="newest",
            limit=100,
            cursor=cursor,
            sources=FrameFinder(url),
        )
        found += [(hit.path, hit.line, hit.kind) for hit in page.hits]
        cursor = page.next
        if cursor is None:
            break
    return sorted(found, key=repr)


@pytest.mark.parametrize("missing", [("phrase",), ("gin_or", "gin_and", "phrase")], ids=" ".join)
def test_made_up_queries_find_the_same(demo: StorePair, missing: tuple[str, ...]) -> None:
    queries = [
        *('"disk full"', '-"disk full" kind:prompt', "日本語", "importJob OR resume", '"read me"*'),
        *QueryMaker(demo.local.path, 7).make(QUERIES),
    ]
    _lack(demo.url)
    with closing(PostgresStore(demo.url)) as store:
        expected = [_find_all(store, text, demo.url) for text in queries]
    _lack(demo.url, *missing)
    try:
        with closing(PostgresStore(demo.url)) as store:
            for text, wanted in zip(queries, expected, strict=True):
                assert _find_all(store, text, demo.url) == wanted, text
    finally:
        _lack(demo.url)
    assert any(expected)


def test_locks_are_rows_where_there_are_no_others(team_server: TeamServer) -> None:
    with team_server.database() as url:
        _lack(url, "advisory_lock")
        first, second = ServerConnection(url), ServerConnection(url)
        try:
            assert first.try_lock("machine 1")
            assert not second.try_lock("machine 1")
            assert second.try_lock("machine 2")
            first.release_lock("machine 1")
            assert second.try_lock("machine 1")
            second.close()
            first.wait_for_lock("machine 1")
            with psycopg.connect(url) as connection:
                row = connection.execute(
                    "select count(*) from pg_locks where locktype = 'advisory'"
                ).fetchone()
            assert row == (0,)
        finally:
            first.close()
            second.close()
        one = PostgresStore(url, machine=LAPTOP)
        other = PostgresStore(url, machine=LAPTOP)
        with (
            closing(one),
            closing(other),
            one.writing(),
            pytest.raises(IndexTrouble, match="Another bough"),
            other.writing(),
        ):
            pass


def test_a_phrase_that_is_whole_in_no_part_of_a_long_text_is_found(
    team_server: TeamServer, tmp_path: Path
) -> None:
    words = [f"w{number}" for number in range(3 * LONGEST_PART)]
    across = " ".join(words[LONGEST_PART - 2 * OVERLAP : LONGEST_PART + 2 * OVERLAP])
    swapped = " ".join(reversed(across.split(" ")))
    with team_server.database() as url:
        folder = tmp_path / "claude"
        told = session("long", cwd="/home/dev/orchard").user(" ".join(words)).assistant(swapped)
        told.write(folder)
        pair = StorePair(folder, tmp_path / "index.sqlite", url)
        try:
            pair.refresh()
            for text, number in (
                (f'"{across}"', 1),
                (f'"{swapped}"', 1),
                (f'w{LONGEST_PART} -"{across}"', 1),
                (f'"{across} {across}"', 0),
            ):
                here = search(pair.local, asked(text), order="newest")
                there = search(pair.reader, asked(text), order="newest", sources=FrameFinder(url))
                assert [hit.line for hit in there.hits] == [hit.line for hit in here.hits]
                assert there.total == here.total == number
        finally:
            pair.close()
