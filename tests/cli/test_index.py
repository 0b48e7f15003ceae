"""`bough index`: read what is new; say how the index is."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bough.cli.progress import format_progress
from bough.sample import session
from tests.cli.screens import PROGRAM, on_screen, one, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")


@pytest.fixture
def history(home: Home) -> Home:
    """Write two sessions."""
    with home.writing():
        session("one").user("first").assistant("a").write(home)
        session("two").user("second").assistant("b").write(home)
    return home


@pytest.mark.usefixtures("history")
def test_one_sentence_says_what_was_read(no_index: Path) -> None:
    done = piped("index")

    assert (done.returncode, done.stdout) == (0, "")
    assert re.fullmatch(
        rf"Read 2 files, \d\.\d kB, in .+ m?s\. The index is at {re.escape(str(no_index))}\.\n",
        done.stderr,
    )
    assert no_index.is_file()


@pytest.mark.usefixtures("history")
def test_a_second_run_has_nothing_to_read() -> None:
    piped("index")

    done = piped("index")

    assert done.returncode == 0
    assert done.stderr.startswith("The index is up to date")


@pytest.mark.usefixtures("history")
def test_json_tells_the_same(no_index: Path) -> None:
    report = one("index")

    assert list(report) == [
        *("index", "files", "bytes", "deleted", "seconds", "partial", "problems")
    ]
    assert (report["index"], report["files"], report["problems"]) == (str(no_index), 2, [])


@pytest.mark.usefixtures("history")
def test_a_check_changes_nothing(no_index: Path) -> None:
    done = piped("index", "--check")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "There is no index yet. bough index makes one.\n"
    assert not no_index.exists()


def test_a_check_tells_what_the_index_lacks(history: Home) -> None:
    piped("index")
    assert one("index", "--check")["current"] is True

    with history.writing():
        session("three").user("third").assistant("c").write(history)
        path = session("one").user("first").assistant("a").user("more").write(history)
    behind = piped("index", "--check")

    assert behind.returncode == 1
    assert re.match(r"The index is behind: of 2 files 1 new, 1 changed, ", behind.stderr)
    assert path.is_file()
    assert piped("index").returncode == 0
    assert piped("index", "--check").returncode == 0


@pytest.mark.usefixtures("history")
def test_a_rebuild_works_whatever_the_index_is(no_index: Path) -> None:
    piped("index")
    no_index.write_bytes(b"this is no database at all, however long it may be" * 100)

    broken = piped("index")
    rebuilt = piped("index", "--rebuild")

    assert (broken.returncode, broken.stdout) == (3, "")
    assert broken.stderr.count("\n") == 1
    assert (rebuilt.returncode, rebuilt.stderr.startswith("Read 2 files")) == (0, True)


@pytest.mark.usefixtures("history")
def test_a_file_that_is_no_index_is_left_alone_by_every_command(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("milk, bread")

    for words in (["index", "--rebuild"], ["index"], ["sessions"], ["search", "milk"], ["usage"]):
        done = piped(*words, "--index", str(notes))
        assert done.returncode == 3, words
        assert f"{notes} is not an index of bough, and is left as it is." in done.stderr

    assert notes.read_text() == "milk, bread"
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("notes")] == [
        "notes.txt"
    ]


def test_a_rebuild_names_what_is_nowhere_else_and_keeps_it_unless_it_shall_be_forgotten(
    history: Home,
) -> None:
    piped("index")
    gone = min(history.projects.glob("*/*.jsonl"))
    with history.writing():
        gone.unlink()

    kept = piped("index", "--rebuild")
    document = one("index", "--rebuild")
    forgotten = piped("index", "--rebuild", "--forget-deleted")
    again = piped("index", "--rebuild")

    words = "1 session exists nowhere but in the index. What it knows of it stays: "
    assert kept.stderr.startswith(f'{words}{gone.stem[:8]} "')
    assert document["only_in_index"] == [gone.stem]
    assert "It is forgotten now: " in forgotten.stderr
    assert again.stderr.startswith("Read 1 file")
    assert piped("index", "--forget-deleted").returncode == 2


def test_rebuild_and_check_exclude_each_other(history: Home) -> None:
    assert piped("index", "--rebuild", "--check").returncode == 2


@POSIX
@pytest.mark.usefixtures("history")
def test_what_is_quick_shows_no_bar() -> None:
    code, shown = on_screen("index")

    assert code == 0
    assert shown.startswith("Read 2 files")


def test_the_bar_says_share_rate_and_time_left() -> None:
    words = format_progress("Indexing", 250_000_000, 1_000_000_000, 5)

    assert words == "Indexing [#####...............] 25%, 250 MB of 1.0 GB, 50 MB/s, 15 s left"


def test_before_the_first_byte_the_bar_promises_nothing() -> None:
    assert format_progress("Indexing", 0, 0, 0) == "Indexing [....................] 0%, 0 B of 0 B"


READ_ONLY = """
mount -t tmpfs none "$1" && cp -a "$2/." "$1" && mount -o remount,ro "$1" && shift 2 && exec "$@"
"""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("unshare") is None,
    reason="only root can mount a read-only disk for a test",
)
def test_an_index_on_a_read_only_disk_is_read(
    history: Home, no_index: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    piped("index")
    with history.writing():
        session("three").user("third").assistant("c").write(history)

    def ask(*words: str) -> subprocess.CompletedProcess[str]:
        command = ["unshare", "-m", "sh", "-c", READ_ONLY, "sh", str(disk), str(no_index.parent)]
        place = ["--index", str(disk / no_index.name)]
        return subprocess.run(
            [*command, *PROGRAM, *words, *place], capture_output=True, text=True, check=False
        )

    listed, found, counted = ask("sessions"), ask("search", "first"), ask("sql", "select 1 as one")

    assert [done.returncode for done in (listed, found, counted)] == [0, 0, 0]
    assert "is read-only, so what is new since it was written is not in it." in listed.stderr
    assert "first" in found.stdout
    assert "third" not in listed.stdout
