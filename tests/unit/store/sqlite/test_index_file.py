"""Which file is an index: no other is ever written, brought up to date or removed."""

import hashlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bough.errors import IndexTrouble
from bough.store.sqlite.connection import (
    measure_index,
    open_index,
    open_read_only,
    remove_index,
)
from bough.store.sqlite.index_file import APPLICATION_ID, SCRIPTS, require_index_file
from bough.store.sqlite.store import SqliteStore


def fingerprint(folder: Path) -> dict[str, str]:
    """Give every file of a folder with what is in it."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def other_program(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in ("create table song (title text)", *statements):
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def text(path: Path) -> Path:
    path.write_text("milk\nbread\n")
    return path


def with_our_tables(path: Path) -> Path:
    """Be another program's database into which an earlier bough has put its tables."""
    other_program(path)
    connection = sqlite3.connect(path)
    for script in sorted(SCRIPTS.glob("*.sql")):
        connection.executescript(script.read_text())
    connection.execute("pragma user_version = 2")
    connection.close()
    return path


def damaged(path: Path) -> Path:
    other_program(path)
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)
    return path


FOREIGN = {
    "a text": text,
    "a database": other_program,
    "a database with a version": lambda p: other_program(p, "pragma user_version = 2"),
    "a database with an owner": lambda p: other_program(p, "pragma application_id = 7"),
    "a database in a log": lambda p: other_program(p, "pragma journal_mode = wal"),
    "a database with our tables": with_our_tables,
    "a damaged database": damaged,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_no_index_is_never_written_and_never_removed(tmp_path: Path, kind: str) -> None:
    path = FOREIGN[kind](tmp_path / "other.db")
    before = fingerprint(tmp_path)

    for touch in (open_index, open_read_only, remove_index, SqliteStore):
        with pytest.raises(IndexTrouble, match=r"is left as it is\. Name another place"):
            touch(path)

    assert fingerprint(tmp_path) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_no_index(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()

    for name in ("pipe", "folder"):
        with pytest.raises(IndexTrouble, match="is not a file, so it cannot be an index"):
            open_index(tmp_path / name)
        with pytest.raises(IndexTrouble, match="is not a file, so it cannot be an index"):
            remove_index(tmp_path / name)
    assert (tmp_path / "folder").is_dir()


def test_the_size_of_an_index_has_what_stands_in_its_log(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    assert measure_index(path) == 0
    connection = open_index(path)
    connection.execute("create table large as select randomblob(200000) as blob")

    measured = measure_index(path)
    on_its_own = path.stat().st_size
    connection.close()

    assert on_its_own < 200_000 < measured


def test_a_new_index_says_in_its_first_page_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    connection = open_index(path)

    written = path.read_bytes()[68:72]
    connection.close()

    assert int.from_bytes(written, "big") == APPLICATION_ID


def test_an_empty_file_becomes_an_index(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    path.touch()

    open_index(path).close()

    assert path.stat().st_size > 0


def test_an_index_of_an_earlier_bough_is_known_by_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("pragma journal_mode = wal")
    connection.executescript((SCRIPTS / "0001_start.sql").read_text())
    connection.execute("pragma user_version = 1")
    connection.close()

    opened = open_index(path)

    assert opened.execute("pragma application_id").fetchone()[0] == APPLICATION_ID
    opened.close()
    remove_index(path)
    assert not path.exists()


def test_an_index_that_is_still_in_its_log_alone_is_known(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("pragma journal_mode = wal")
    connection.executescript((SCRIPTS / "0001_start.sql").read_text())
    connection.execute("pragma user_version = 1")

    open_index(path).close()
    connection.close()


def test_an_index_whose_log_is_just_copied_into_it_is_known(tmp_path: Path) -> None:
    """For a moment its first page names more pages than there are yet."""
    path = tmp_path / "index.sqlite"
    open_index(path).close()
    whole = path.read_bytes()
    for pages in (1, 3, 20):
        path.write_bytes(whole[: pages * 16384])
        require_index_file(path)
        assert path.read_bytes() == whole[: pages * 16384]
    with pytest.raises(IndexTrouble, match="is damaged"):
        open_index(path)


def test_a_damaged_index_can_be_removed_where_bough_itself_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "bough" / "index.sqlite"
    path.parent.mkdir()
    path.write_text("nothing of a database")

    with pytest.raises(IndexTrouble, match=r"is damaged\. Make it again: bough index --rebuild"):
        open_index(path)
    remove_index(path)

    assert not path.exists()


def test_looking_at_an_open_index_leaves_the_locks_of_who_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    held = open_index(path)
    held.execute("insert into meta values ('one', '1')")
    open_index(path).close()
    other = (
        "import sqlite3, sys; one = sqlite3.connect(sys.argv[1]); "
        "one.execute(\"insert into meta values ('two', '2')\"); one.commit(); one.close()"
    )

    subprocess.run([sys.executable, "-c", other, str(path)], check=True)

    # Who closes an index last removes its log; the other program was not the last.
    assert (tmp_path / "index.sqlite-wal").exists()
    held.execute("insert into meta values ('three', '3')")
    found = {row[0] for row in held.execute("select key from meta")}
    held.close()
    assert {"one", "two", "three"} <= found
