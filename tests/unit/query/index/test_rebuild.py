"""An index that is made anew says what it said before, also of what the client deleted."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bough import library
from bough.archive.intake.take_in import take_in
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path
from bough.errors import IndexTrouble
from bough.query.index.handle import list_unkept_sessions, open_index, rebuild_index
from bough.sample import session
from bough.sample.demo import write_demo
from tests.file_size import limited_file_size
from tests.searched import NOW

Row = tuple[object, ...]
_ASIDE = {"writing", "id", "file_id", "project_id", "device", "inode"}
_OF_SQLITE = ("sqlite_", "words_", "answer")
_SMALL = 200_000


def dump(index: Path) -> dict[str, list[Row]]:
    """Write down every table, with paths in the place of numbers, and every word."""
    with closing(sqlite3.connect(index)) as connection:
        names = [name for (name,) in connection.execute(_TABLES)]
        found = {
            name: _read_rows(connection, name) for name in names if not name.startswith(_OF_SQLITE)
        }
        connection.execute("create virtual table temp.seen using fts5vocab(main, words, instance)")
        found["words"] = connection.execute(_WORDS).fetchall()
    return found


_TABLES = "select name from sqlite_master where type = 'table' and name != 'words' order by name"
_WORDS = """
    select f.path, r.offset, s.col, s.term, s.offset from temp.seen s
    join record r on r.id = s.doc join file f on f.id = r.file_id
    order by 1, 2, 3, 4, 5
"""


def _read_rows(connection: sqlite3.Connection, table: str) -> list[Row]:
    columns = [row[1] for row in connection.execute(f"pragma table_info({table})")]
    kept = [f"t.{name}" for name in columns if name not in _ASIDE or table == "session"]
    kept = [name for name in kept if name != "t.file_id"]
    join = ""
    if "file_id" in columns:
        kept, join = ["f.path", *kept], "join file f on f.id = t.file_id"
    elif "project_id" in columns:
        kept, join = ["p.folder", *kept], "join project p on p.id = t.project_id"
    rows = connection.execute(f"select {', '.join(kept)} from {table} t {join}")
    # The name of a state is made anew with each one, and writings are counted from the first.
    return sorted((row for row in rows if row[0] not in ("state", "writing")), key=repr)


def compare(before: dict[str, list[Row]], after: dict[str, list[Row]]) -> None:
    assert before.keys() == after.keys()
    for table, rows in before.items():
        assert after[table] == rows, table


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path.resolve()


@pytest.fixture
def claude(data: Path) -> Path:
    return write_demo(data / "demo", NOW)


def refresh(claude: Path, index: Path) -> None:
    open_index([claude], index).close()


def delete_sessions(claude: Path, *, every: int = 1) -> list[str]:
    """Delete every nth session with what belongs to it."""
    files = [
        file for file in sorted(claude.glob("projects/*/*.jsonl")) if "agent-" not in file.name
    ]
    for file in files[::every]:
        file.unlink()
        shutil.rmtree(file.with_suffix(""), ignore_errors=True)
    return [file.stem for file in files[::every]]


@pytest.mark.parametrize("every", [1, 3])
def test_from_disk_and_archive_every_row_is_as_before(claude: Path, data: Path, every: int) -> None:
    index = data / "index.sqlite"
    take_in(ArchiveFolder(archive_path()), [claude])
    refresh(claude, index)
    before = dump(index)

    assert delete_sessions(claude, every=every)
    refresh(claude, index)
    compare(before, dump(index))
    rebuild_index([claude], index).close()

    compare(before, dump(index))
    assert before["words"]
    assert before["usage_sum"]
    assert list_unkept_sessions([claude], index) == []


@pytest.mark.slow
def test_from_disk_and_archive_every_row_of_real_files_is_as_before(
    shared: Path, data: Path
) -> None:
    claude, index = data / "claude", data / "index.sqlite"
    for file in sorted((shared / "corpus" / "projects").rglob("*")):
        if file.is_file() and file.stat().st_size < _SMALL:
            copy = claude / "projects" / file.relative_to(shared / "corpus" / "projects")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            os.utime(copy, (1_700_000_000, 1_700_000_000))
    take_in(ArchiveFolder(archive_path()), [claude])
    refresh(claude, index)
    before = dump(index)

    assert len(delete_sessions(claude, every=2)) > 20
    rebuild_index([claude], index).close()

    compare(before, dump(index))


def test_without_an_archive_the_rows_of_deleted_sessions_stay(claude: Path, data: Path) -> None:
    index = data / "index.sqlite"
    refresh(claude, index)
    deleted = delete_sessions(claude, every=2)
    refresh(claude, index)
    before, usage = dump(index), library.usage(claude_dir=claude, index=index)

    unkept = list_unkept_sessions([claude], index)
    rebuild_index([claude], index).close()

    assert {one.id for one in unkept} >= set(deleted)
    assert all(one.deleted_at for one in unkept)
    compare(before, dump(index))
    assert library.usage(claude_dir=claude, index=index) == usage
    rebuild_index([claude], index).close()
    compare(before, dump(index))


def test_sessions_that_were_deleted_since_the_index_last_looked_stay_too(
    claude: Path, data: Path
) -> None:
    index = data / "index.sqlite"
    refresh(claude, index)
    deleted = delete_sessions(claude)

    rebuild_index([claude], index).close()

    rows = library.sessions(claude_dir=claude, index=index, everything=True)
    assert {row.id for row in rows if row.deleted_at} >= set(deleted)


def test_deleted_sessions_are_forgotten_where_that_is_wanted(claude: Path, data: Path) -> None:
    index = data / "index.sqlite"
    refresh(claude, index)
    deleted = delete_sessions(claude)
    assert {row[1] for row in dump(index)["session"]} >= set(deleted)

    rebuild_index([claude], index, forget_deleted=True).close()

    assert {row[1] for row in dump(index)["session"]}.isdisjoint(deleted)
    assert list_unkept_sessions([claude], index) == []


def test_a_session_that_was_moved_by_hand_is_not_kept_at_its_old_place(data: Path) -> None:
    claude, index = data / "claude", data / "index.sqlite"
    file = session(cwd="/home/dev/shop").user("a").assistant("b").write(claude)
    refresh(claude, index)
    (claude / "projects" / "-elsewhere").mkdir()
    moved = file.rename(claude / "projects" / "-elsewhere" / file.name)

    rebuild_index([claude], index).close()

    assert [row[1] for row in dump(index)["file"]] == [str(moved)]


def test_what_bough_itself_removed_is_not_kept(data: Path) -> None:
    claude, index = data / "claude", data / "index.sqlite"
    file = session(cwd="/home/dev/shop").user("a").assistant("b").write(claude)
    os.utime(file, (1_700_000_000, 1_700_000_000))
    library.apply(library.fork(file, "-0"))
    refresh(claude, index)
    library.apply(library.undo(claude_dir=claude))

    rebuild_index([claude], index).close()

    assert [row[1] for row in dump(index)["file"]] == [str(file)]


@pytest.mark.skipif(os.name != "posix", reason="sizes of files are limited on POSIX")
def test_a_rebuild_that_finds_no_room_for_the_rows_leaves_the_old_index(
    claude: Path, data: Path
) -> None:
    index = data / "index.sqlite"
    refresh(claude, index)
    delete_sessions(claude)
    refresh(claude, index)
    before = dump(index)

    with limited_file_size(100_000), pytest.raises(IndexTrouble):
        rebuild_index([claude], index)

    compare(before, dump(index))
    rebuild_index([claude], index).close()
    compare(before, dump(index))
    assert [file.name for file in data.glob("index.sqlite-new*")] == []
