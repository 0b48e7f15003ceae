"""When the index cannot be used: a clear sentence, nothing lost, and a way out."""

import sqlite3
import threading
from pathlib import Path

import pytest

from bough.errors import ExitCode, IndexTrouble
from bough.ingest.index.refresh import refresh_index
from bough.query.index.handle import rebuild_index
from bough.sample import session
from bough.store.sqlite.connection import schema_version
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home
from tests.index_rows import rows_of


@pytest.fixture
def history(home: Home) -> Path:
    with home.writing() as claude:
        for number in range(40):
            builder = session(f"s{number}", cwd="/home/dev/orchard")
            builder.user("Where is the cursor lost? " * 40).assistant(f"In retry {number}. " * 80)
            builder.write(claude)
    return home.path


def test_several_can_open_a_new_index_at_the_same_moment(tmp_path: Path) -> None:
    troubles: list[BaseException] = []
    for number in range(8):
        index = tmp_path / f"{number}.sqlite"
        together = threading.Barrier(4)

        def opened(index: Path = index, together: threading.Barrier = together) -> None:
            together.wait()
            try:
                SqliteStore(index).close()
            except IndexTrouble as trouble:
                troubles.append(trouble)

        threads = [threading.Thread(target=opened) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert troubles == []


def test_a_damaged_index_is_named_and_can_be_made_again(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    _fill(history, index)
    index.write_bytes(b"this was an index once" * 400)

    with pytest.raises(IndexTrouble, match=r"is damaged. Make it again: bough index --rebuild"):
        SqliteStore(index)
    with rebuild_index([history], index) as handle:
        assert len(handle.store.sessions()) == 40


def test_an_index_damaged_in_the_middle_is_named(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    _fill(history, index)
    data = bytearray(index.read_bytes())
    data[4096 : len(data) - 4096] = b"\xa5" * (len(data) - 8192)
    index.write_bytes(data)

    with pytest.raises(IndexTrouble, match="damaged"):
        SqliteStore(index).sessions()


def test_an_index_of_a_newer_bough_is_left_alone(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    _fill(history, index)
    with sqlite3.connect(index) as connection:
        connection.execute(f"pragma user_version = {schema_version() + 2}")
    connection.close()
    before = index.read_bytes()

    known = schema_version()
    newer = rf"made by a newer bough \(schema {known + 2}, this one reads {known}\)"
    with pytest.raises(IndexTrouble, match=newer):
        SqliteStore(index)
    assert index.read_bytes() == before


def test_a_place_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(IndexTrouble, match="Cannot open the index") as caught:
        SqliteStore(tmp_path / "file" / "index.sqlite")

    assert caught.value.exit_code == ExitCode.INDEX
    assert caught.value.message.endswith(" Name another place with --index or BOUGH_INDEX.")


def test_a_full_disk_keeps_what_was_whole_before(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    store = SqliteStore(index)
    pages = store.connection.execute("pragma page_count").fetchone()[0]
    store.connection.execute(f"pragma max_page_count = {pages + 5}")

    with pytest.raises(IndexTrouble, match="Disk full while writing the index"):
        refresh_index(store, [history])
    store.close()

    assert rows_of(index)["file"] == []
    _fill(history, index)
    assert len(rows_of(index)["session"]) == 40


def test_a_reader_sees_whole_files_only_while_another_writes(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    writer, reader = SqliteStore(index), SqliteStore(index, reading=True)
    with writer.writing() as writing:
        writing.step(0, 1)
        seen = reader.sessions()
    _fill(history, index)

    assert seen == []
    assert len(reader.sessions()) == 40
    writer.close()
    reader.close()


def test_the_index_is_for_its_owner_only(history: Path, tmp_path: Path) -> None:
    index = tmp_path / "deep" / "index.sqlite"
    _fill(history, index)

    assert {path.stat().st_mode & 0o777 for path in index.parent.iterdir()} == {0o600}


def _fill(history: Path, index: Path) -> None:
    store = SqliteStore(index)
    refresh_index(store, [history])
    store.close()
