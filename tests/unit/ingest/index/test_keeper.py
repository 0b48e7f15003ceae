"""Keeping the index current: the changed projects only, and as if it were made anew."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bough.errors import IndexTrouble
from bough.ingest.index import keeper as keeping
from bough.ingest.index.keeper import IndexKeeper, refresh_files
from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.protocol import Store
from bough.store.sqlite.connection import remove_index
from bough.store.sqlite.index_lock import IndexBusy
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home
from tests.index_rows import rows_of

pytestmark = pytest.mark.writes_home


def write(home: Home, project: str, name: str, data: bytes) -> Path:
    path = home.projects / project / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def story(seed: str) -> bytes:
    builder = (
        session(seed, cwd=f"/home/dev/{seed}").user("Make it so").tool("Bash", {"command": "ls"})
    )
    return builder.assistant("Done.").bytes()


@pytest.fixture
def index(home: Home, tmp_path: Path) -> Path:
    write(home, "-a", "one", story("one"))
    write(home, "-b", "two", story("two"))
    path = tmp_path / "index.sqlite"
    store = SqliteStore(path)
    refresh_index(store, [home.path])
    store.close()
    return path


def refreshed(home: Home, index: Path, *paths: Path) -> int:
    store = SqliteStore(index)
    try:
        return refresh_files(store, [home.path], map(str, paths)).files
    finally:
        store.close()


def like_fresh(home: Home, index: Path, tmp_path: Path) -> bool:
    fresh = tmp_path / "fresh.sqlite"
    store = SqliteStore(fresh)
    refresh_index(store, [home.path])
    store.close()
    return rows_of(index) == rows_of(fresh)


def test_an_append_is_brought_in(home: Home, index: Path, tmp_path: Path) -> None:
    path = home.projects / "-a" / "one.jsonl"
    with path.open("ab") as file:
        file.write(session("more", cwd="/home/dev/one").user("And this").bytes())

    assert refreshed(home, index, path) == 1
    assert like_fresh(home, index, tmp_path)


def test_only_the_projects_named_are_looked_at(home: Home, index: Path) -> None:
    new = write(home, "-a", "new", story("new"))
    write(home, "-b", "other", story("other"))

    assert refreshed(home, index, new) == 1


def test_nothing_changed_costs_no_write(home: Home, index: Path) -> None:
    store, writer = SqliteStore(index), SqliteStore(index)

    with writer.writing():
        report = refresh_files(store, [home.path], [str(home.projects / "-a" / "one.jsonl")])

    assert report.files == 0
    store.close()
    writer.close()


def test_a_file_that_went_away_or_was_renamed(home: Home, index: Path, tmp_path: Path) -> None:
    path = home.projects / "-a" / "one.jsonl"
    path.rename(path.with_name("renamed.jsonl"))

    refreshed(home, index, path)

    assert like_fresh(home, index, tmp_path)


def test_a_project_that_went_away_stays_listed(home: Home, index: Path) -> None:
    shutil.rmtree(home.projects / "-a")

    refreshed(home, index, home.projects / "-a" / "one.jsonl")
    store = SqliteStore(index)
    deleted = {row.id: row.deleted_at is not None for row in store.sessions()}
    store.close()

    assert deleted == {"one": True, "two": False}


def test_files_elsewhere_are_nobodys_business(home: Home, index: Path, tmp_path: Path) -> None:
    assert refreshed(home, index, tmp_path / "x.jsonl", home.projects, home.path / "x") == 0


def test_a_keeper_brings_in_what_it_noticed(
    home: Home, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_SOONEST", 0.02)
    keeper = IndexKeeper(lambda: SqliteStore(index), [home.path], pytest.fail)
    new = write(home, "-c", "three", story("three"))

    keeper.note_changed([str(new)])
    _wait(lambda: "three" in _sessions(index))
    keeper.close()

    assert like_fresh(home, index, tmp_path)


def test_a_keeper_that_cannot_write_says_so_once_and_tries_again(
    home: Home, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_SOONEST", 0.02)
    monkeypatch.setattr(keeping, "_LATER", 0.02)
    said: list[str] = []
    tries: list[int] = []

    def opened() -> Store:
        tries.append(1)
        if len(tries) < 4:
            raise IndexTrouble("The disk is full.")
        return SqliteStore(index)

    keeper = IndexKeeper(opened, [home.path], said.append)
    keeper.note_changed([str(write(home, "-c", "three", story("three")))])
    _wait(lambda: "three" in _sessions(index))
    keeper.close()

    assert said == ["The disk is full."]
    assert "three" in _sessions(index)


def test_a_keeper_says_nothing_of_another_bough_that_writes(
    home: Home, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_SOONEST", 0.02)
    monkeypatch.setattr(keeping, "_LATER", 0.02)
    tries: list[int] = []

    def opened() -> Store:
        tries.append(1)
        if len(tries) < 4:
            raise IndexBusy("")
        return SqliteStore(index)

    keeper = IndexKeeper(opened, [home.path], pytest.fail)
    keeper.note_changed([str(write(home, "-c", "three", story("three")))])
    _wait(lambda: "three" in _sessions(index))
    keeper.close()

    assert len(tries) == 4


def test_a_keeper_goes_on_with_an_index_that_was_made_anew(
    home: Home, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "_SOONEST", 0.02)
    keeper = IndexKeeper(lambda: SqliteStore(index), [home.path], pytest.fail)
    keeper.note_changed([str(write(home, "-c", "three", story("three")))])
    _wait(lambda: "three" in _sessions(index))

    _wait(lambda: _try_to_remove(index))
    store = SqliteStore(index)
    refresh_index(store, [home.path])
    store.close()
    keeper.note_changed([str(write(home, "-c", "four", story("four")))])
    _wait(lambda: "four" in _sessions(index))
    keeper.close()

    assert {"three", "four"} <= _sessions(index)


def _try_to_remove(index: Path) -> bool:
    """Remove an index, if the keeper has let go of it: it does so after what it wrote is seen."""
    try:
        remove_index(index)
    except IndexBusy:
        return False
    return True


def _sessions(index: Path) -> set[str]:
    store = SqliteStore(index, reading=True)
    try:
        return {row.id for row in store.sessions()}
    finally:
        store.close()


def _wait(is_done: Callable[[], bool]) -> None:
    end = time.monotonic() + 8
    while not is_done():
        assert time.monotonic() < end
        time.sleep(0.02)
