"""`bough team`, and reading commands with --store, as people run them."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bough.ingest.index.refresh import refresh_index
from bough.store.postgres.postgres_store import PostgresStore
from tests.cli.test_frame import BOUGH, ran
from tests.team_server import LAPTOP, TeamServer


@pytest.fixture(scope="module")
def team_url(team_server: TeamServer, demo: Path) -> Iterator[str]:
    """Lend a team's store with the demo in it."""
    with team_server.database() as url:
        store = PostgresStore(url, machine=LAPTOP)
        refresh_index(store, [demo], workers=1)
        store.close()
        yield url


def test_tables_are_made_and_brought_up_to_date(team_server: TeamServer) -> None:
    with team_server.database(empty=True) as url:
        before = ran(BOUGH, "sessions", "--store", url)
        made = ran(BOUGH, "team", "init", "--store", url)
        twice = ran(BOUGH, "team", "init", "--store", url)
        again = ran(BOUGH, "team", "migrate", "--store", url)
        after = ran(BOUGH, "sessions", "--store", url)

    assert before.returncode == 3
    assert "An admin makes them: bough team init" in before.stderr
    assert made.returncode == 0
    assert made.stderr.startswith("Made the tables in ")
    assert twice.returncode == 2
    assert "bough team migrate" in twice.stderr
    assert "are up to date" in again.stderr
    assert after.returncode == 0


@pytest.fixture(scope="module")
def local_index(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the index of the demo on this machine."""
    place = str(tmp_path_factory.mktemp("local") / "index.sqlite")
    ran(BOUGH, "index", "--claude-dir", str(demo), "--index", place)
    return place


@pytest.mark.parametrize(
    "words",
    [
        ("projects", "--json"),
        ("sessions", "--json"),
        ("conversations", "--json"),
        ("usage", "--json"),
        ("stats", "hooks", "--json"),
        ("show", "latest", "--json"),
        ("tree", "latest", "--json"),
        ("export", "latest", "-o", "-"),
    ],
    ids=" ".join,
)
def test_both_stores_say_the_same(
    team_url: str, demo: Path, local_index: str, words: tuple[str, ...]
) -> None:
    here = ran(BOUGH, *words, "--claude-dir", str(demo), "--index", local_index)
    there = ran(BOUGH, *words, "--store", team_url)

    assert here.returncode == there.returncode == 0, there.stderr
    assert there.stdout.replace(f"//laptop{demo}", str(demo)) == here.stdout


def test_both_stores_have_the_same_hits_for_a_pattern(
    team_url: str, demo: Path, local_index: str
) -> None:
    words = ("search", "checkpoint /c[a-z]+t/", "--newest", "--limit", "1000", "--json")
    here = ran(BOUGH, *words, "--claude-dir", str(demo), "--index", local_index)
    there = ran(BOUGH, *words, "--store", team_url)

    found = msgspec.json.decode(there.stdout.replace(f"//laptop{demo}", str(demo)))
    expected = msgspec.json.decode(here.stdout)
    assert found["total"] == expected["total"] > 10
    # What was said at the same moment stands in the order of the store's own numbers.
    assert sorted(found["hits"], key=repr) == sorted(expected["hits"], key=repr)


@pytest.mark.parametrize(
    "words",
    [
        ("fork", "latest", "--at", "x"),
        ("index",),
        ("watch",),
        ("archive",),
        ("archive", "status"),
        ("rename", "latest", "x"),
        ("backup", "x"),
    ],
    ids=" ".join,
)
def test_what_is_about_this_machine_takes_no_store(words: tuple[str, ...]) -> None:
    done = ran(BOUGH, *words, "--store", "postgresql://nobody@127.0.0.1:1/x")

    assert done.returncode == 2
    assert f"bough {words[0]} is about this machine alone: it takes no --store" in done.stderr


def test_a_store_is_named_by_a_url() -> None:
    done = ran(BOUGH, "sessions", "--store", "index.sqlite")

    assert done.returncode == 2
    assert done.stderr.startswith("--store wants a URL such as postgresql://")


def test_a_database_that_cannot_be_reached_is_one_sentence() -> None:
    done = ran(BOUGH, "sessions", "--store", "postgresql://ann:secret@127.0.0.1:1/team")

    assert done.returncode == 3
    assert done.stderr.startswith("Cannot reach the database team on 127.0.0.1: ")
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr
