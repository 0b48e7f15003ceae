"""Taking in: a session comes with everything that belongs to it, and with nothing else."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bough.archive.intake.take_in import forget, take_in, take_in_changes
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_catalog import (
    CatalogEntry,
    file_of,
    keep_newest,
    path_of,
    read_catalog,
)
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.sample import session

ROLES = {
    "projects/-p/s1.jsonl": "session",
    "projects/-p/agent-loose.jsonl": "agent",
    "projects/-p/agent-loose.meta.json": "meta",
    "projects/-p/s1/subagents/agent-a1.jsonl": "agent",
    "projects/-p/s1/subagents/agent-a1.meta.json": "meta",
    "projects/-p/s1/subagents/workflows/wf_1/agent-a2.jsonl": "agent",
    "projects/-p/s1/subagents/workflows/wf_1/journal.jsonl": "workflow",
    "projects/-p/s1/tool-results/out.txt": "tool result",
    "projects/-p/s1/custom-title.json": "title",
    "projects/-p/s2/tool-results/left.txt": "tool result",
    "file-history/s1/0123456789abcdef@v1": "file history",
    "tasks/s1/1.json": "task",
    "todos/s1-agent-s1.json": "todo",
    "image-cache/s1/1.png": "picture",
    "plans/calm-owl.md": "plan",
    "paste-cache/00112233aabbccdd.txt": "paste",
    "history.jsonl#s1": "prompts",
}
NEVER = (
    "shell-snapshots/snapshot-bash-1-a.sh",
    "tasks/s1/1.lock",
    "plans/of-nobody.md",
    "paste-cache/ffffffffffffffff.txt",
    "projects/-p/memory/notes.md",
    "settings.json",
    "file-history/unknown/0123456789abcdef@v1",
)
HISTORY = (
    b'{"display":"first","sessionId":"s1","pastedContents":{"1":{"contentHash":"00112233aabbccdd"}}}\n'
    b'{"display":"of another","sessionId":"elsewhere"}\n'
    b'{"display":"second","sessionId":"s1"}\n'
    b'{"display":"half a li'
)


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """A Claude folder with one file of every sort."""
    top = tmp_path / "claude"
    for name in (*ROLES, *NEVER):
        if "#" not in name:
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            (top / name).write_bytes(f"content of {name}".encode())
    (top / "projects/-p/s1.jsonl").write_bytes(b'{"type":"user","slug":"calm-owl"}\n')
    (top / "projects/-p/agent-loose.jsonl").write_bytes(b'{"sessionId":"s1"}\n')
    (top / "history.jsonl").write_bytes(HISTORY)
    old = time.time() - 3600
    for path in top.rglob("*"):
        os.utime(path, (old, old))
    return top


@pytest.fixture
def archive(tmp_path: Path) -> ArchiveFolder:
    return ArchiveFolder(tmp_path / "archive")


def read(archive: ArchiveFolder, entry: CatalogEntry) -> bytes:
    return ArchiveSource(path_of(entry), str(file_of(archive, entry))).at(0, 1 << 30)


def contents(archive: ArchiveFolder) -> dict[str, bytes]:
    return {entry.header.path: read(archive, entry) for entry in keep_newest(read_catalog(archive))}


def test_a_session_is_taken_in_with_everything_that_belongs_to_it(
    claude: Path, archive: ArchiveFolder
) -> None:
    report = take_in(archive, [claude])

    found = {entry.header.path: entry.header for entry in read_catalog(archive)}
    assert {path: header.role for path, header in found.items()} == ROLES
    assert {header.session for header in found.values()} == {"s1", "s2"}
    assert found["projects/-p/s1/subagents/agent-a1.jsonl"].agent == "a1"
    assert report.files == len(ROLES)
    assert report.problems == []
    for path, data in contents(archive).items():
        if "#" not in path:
            assert data == (claude / path).read_bytes()


def test_of_the_typed_prompts_a_session_has_its_own_lines(
    claude: Path, archive: ArchiveFolder
) -> None:
    take_in(archive, [claude])
    lines = HISTORY.splitlines(keepends=True)
    assert contents(archive)["history.jsonl#s1"] == lines[0] + lines[2]

    more = b'{"display":"third","sessionId":"s1"}\n'
    (claude / "history.jsonl").write_bytes(b"".join(lines[:3]) + more)
    take_in(archive, [claude])

    assert contents(archive)["history.jsonl#s1"] == lines[0] + lines[2] + more


def test_a_second_run_takes_nothing_and_changes_nothing(
    claude: Path, archive: ArchiveFolder
) -> None:
    take_in(archive, [claude])
    before = {path: path.stat().st_mtime_ns for path in (archive.path / "v1").rglob("*")}

    report = take_in(archive, [claude])

    assert (report.files, report.bytes) == (0, 0)
    assert {path: path.stat().st_mtime_ns for path in (archive.path / "v1").rglob("*")} == before


def test_what_the_client_deleted_stays_and_is_noted_as_gone(
    claude: Path, archive: ArchiveFolder
) -> None:
    take_in(archive, [claude])
    kept = contents(archive)
    gone = claude / "projects/-p/s1/tool-results/out.txt"
    gone.unlink()

    take_in(archive, [claude])

    assert contents(archive) == kept
    noted = {entry.header.path for entry in read_catalog(archive) if entry.gone_at}
    assert noted == {"projects/-p/s1/tool-results/out.txt"}
    gone.write_bytes(kept["projects/-p/s1/tool-results/out.txt"])
    take_in(archive, [claude])
    assert not any(entry.gone_at for entry in read_catalog(archive))


def test_a_companion_that_appears_later_is_taken_by_the_next_run(
    claude: Path, archive: ArchiveFolder
) -> None:
    take_in(archive, [claude])
    (claude / "projects/-p/s1/tool-results/new.txt").write_bytes(b"new")

    assert take_in(archive, [claude]).sessions == {"s1"}
    assert contents(archive)["projects/-p/s1/tool-results/new.txt"] == b"new"


@pytest.mark.parametrize("is_live", [False, True])
def test_a_first_plan_is_taken_though_nobody_looked_for_its_name_before(
    tmp_path: Path, archive: ArchiveFolder, *, is_live: bool
) -> None:
    folder, name = tmp_path / "claude", "plans/calm-owl.md"
    for session_id, first in (("s1", b'{"slug":"calm-owl"}\n'), ("s2", b'{"slug":"shy-elk"}\n')):
        (folder / "projects/-p").mkdir(parents=True, exist_ok=True)
        (folder / f"projects/-p/{session_id}.jsonl").write_bytes(first)
    take_in(archive, [folder])
    assert {entry.names for entry in read_catalog(archive)} == {None}
    (folder / "plans").mkdir()
    (folder / name).write_bytes(b"# A plan\n")

    if is_live:
        take_in_changes(archive, [folder], [str(folder / name)])
    else:
        take_in(archive, [folder])

    assert contents(archive)[name] == b"# A plan\n"
    assert {(one.header.session, one.names) for one in read_catalog(archive)} == {
        ("s1", (name,)),
        ("s2", ("plans/shy-elk.md",)),
        ("s1", ()),
    }


def test_a_session_that_is_forgotten_is_not_taken_in_again(
    claude: Path, archive: ArchiveFolder
) -> None:
    take_in(archive, [claude])

    done = forget(archive, "s1")

    assert done.files == len(ROLES) - 1
    assert list(contents(archive)) == ["projects/-p/s2/tool-results/left.txt"]
    assert len(list(archive.list_files())) == 1
    archive.catalog.unlink()
    assert take_in(archive, [claude]).files == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_what_cannot_be_read_is_a_problem_and_stops_nobody(
    claude: Path, archive: ArchiveFolder
) -> None:
    (claude / "projects/-p/s1/custom-title.json").chmod(0)

    report = take_in(archive, [claude])

    assert report.files == len(ROLES) - 1
    assert len(report.problems) == 1


def test_a_project_that_is_no_folder_of_ours_is_a_problem_and_stops_nobody(
    claude: Path, archive: ArchiveFolder
) -> None:
    (claude / "projects/-q").mkdir()
    (claude / "projects/-q/broken.jsonl").symlink_to("nowhere")

    report = take_in(archive, [claude])

    assert report.files == len(ROLES)
    assert ["broken.jsonl" in problem.reason for problem in report.problems] == [True]


def test_bytes_whose_row_was_lost_are_read_for_it(tmp_path: Path, archive: ArchiveFolder) -> None:
    """A writer may end between its bytes and their row: that row then tells of fewer bytes."""
    claude = tmp_path / "claude"
    file = session("s1").user("The first").assistant("An answer").write(claude)
    take_in(archive, [claude])
    row = archive.catalog.read_bytes()
    with file.open("ab") as opened:
        opened.write(session("s2").user("More").bytes())
    take_in(archive, [claude])
    archive.catalog.write_bytes(row)

    take_in(archive, [claude])

    assert list(contents(archive).values()) == [file.read_bytes()]
    assert verify_archive(archive, deep=True).is_sound


PROGRAM = """
import sys
from pathlib import Path
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.archive_catalog import ArchiveBusy
from bough.archive.intake.take_in import take_in
import time
day = [0]
print("ready", flush=True)
while True:
    try:
        archive, claude = map(Path, sys.argv[1:])
        take_in(ArchiveFolder(archive), [claude], now=lambda: time.time_ns() + day[0])
    except ArchiveBusy:
        pass
    day[0] = 0 if day[0] else 25 * 3600 * 10**9
"""


def test_eight_writers_at_once_leave_what_one_leaves(
    tmp_path: Path, archive: ArchiveFolder
) -> None:
    claude = tmp_path / "claude"
    builder = session("s1")
    file = builder.user("The first").assistant("An answer").write(claude)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, archive.path, claude], stdout=subprocess.PIPE
        )
        for _ in range(8)
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
        for _ in range(20):
            builder.user("More words " * 50).assistant("More answers " * 50)
            with file.open("ab") as opened:
                opened.write(builder.bytes()[file.stat().st_size :])
            time.sleep(0.02)  # so that several of them find something new
        assert [writer.poll() for writer in writers] == [None] * 8
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    take_in(archive, [claude])

    assert list(contents(archive).values()) == [file.read_bytes()]
    assert len(list(archive.list_files())) == 1
    assert verify_archive(archive, deep=True).is_sound


@pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX does")
def test_a_writer_that_is_killed_at_any_moment_leaves_a_prefix_of_the_source_and_never_less(
    tmp_path: Path, archive: ArchiveFolder
) -> None:
    chance = random.Random(17)
    claude = tmp_path / "claude"
    builder = session("s1")
    file = builder.user("The first").assistant("An answer").write(claude)
    safe: dict[str, bytes] = {}
    for _ in range(6):
        program = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, archive.path, claude], stdout=subprocess.PIPE
        )
        assert program.stdout is not None
        program.stdout.readline()
        until = time.monotonic() + chance.random() / 3
        while time.monotonic() < until:
            builder.user("More words " * 50).assistant("More answers " * 50)
            with file.open("ab") as opened:
                opened.write(builder.bytes()[file.stat().st_size :])
            time.sleep(0.005)  # a client that writes on, beside the writer
        program.send_signal(signal.SIGKILL)
        program.wait()
        program.stdout.close()
        for kept in archive.list_files():
            data = ArchiveSource("s1", str(kept)).at(0, 1 << 30)
            assert file.read_bytes().startswith(data)
            assert data.startswith(safe.get(kept.name, b""))
            safe[kept.name] = data
    take_in(archive, [claude])

    assert len(safe) == 1
    assert list(contents(archive).values()) == [file.read_bytes()]
