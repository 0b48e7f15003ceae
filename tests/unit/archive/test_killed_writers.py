"""Real `bough archive` processes: killed at any moment, or eight at once, they lose nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_catalog import file_of, keep_newest, path_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.sample import session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes are killed as POSIX does"),
]

SESSIONS = 12
A_DAY_AGO = 25 * 3600
COMMAND = (sys.executable, "-m", "bough")
SEALING = """
import sys, time
from pathlib import Path
from bough.archive.storage.archive_catalog import ArchiveBusy
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.intake.take_in import take_in
archive, claude = map(Path, sys.argv[1:])
while True:
    try:
        take_in(ArchiveFolder(archive), [claude], now=lambda: time.time_ns() + 25 * 3600 * 10**9)
    except ArchiveBusy:
        pass
    time.sleep(0.2)  # so that others come to write
"""


class History:
    """Sessions that grow, and the archive beside them."""

    def __init__(self, folder: Path) -> None:
        self.claude = folder / "claude"
        self.archive = ArchiveFolder(folder / "data" / "bough" / "archive")
        self.environ = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
        self.chance = random.Random(17)
        self.files = [
            session(f"s{number}").user("The first").write(self.claude) for number in range(SESSIONS)
        ]
        self.safe: dict[str, bytes] = {}

    def grow(self, *, rests: bool = False) -> None:
        """Let every session grow; with `rests` by nothing, and look as if a day had gone by."""
        for number, file in enumerate(self.files):
            if rests:
                then = time.time() - A_DAY_AGO
                os.utime(file, (then, then))
                continue
            more = session(f"s{number}")
            words = self.chance.randbytes(60_000).hex()
            with file.open("ab") as opened:
                opened.write(more.user(words).assistant(words[::-1]).bytes())

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*COMMAND, "--claude-dir", str(self.claude), *words],
            env=self.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def check(self) -> int:
        """Hold every copy against its source and what it was; give how many are not whole."""
        now = {path: path.read_bytes() for path in self.files}
        behind = len(self.files)
        for file in self.archive.list_files():
            data = ArchiveSource("s", str(file)).at(0, 1 << 30)
            assert any(whole.startswith(data) for whole in now.values())
            assert data.startswith(self.safe.get(file.name, b""))
            self.safe[file.name] = data
            behind -= data in now.values()
        return behind

    def finish(self) -> None:
        """Let one more come that nobody kills: it makes everything good."""
        assert self.start("archive").wait(60) == 0
        kept = {
            path_of(one): ArchiveSource("s", str(file_of(self.archive, one))).at(0, 1 << 30)
            for one in keep_newest(read_catalog(self.archive))
        }
        assert kept == {str(path): path.read_bytes() for path in self.files}
        assert len(list(self.archive.list_files())) == len(self.files)
        assert not list(self.archive.path.rglob("*.part"))
        assert verify_archive(self.archive, deep=True).is_sound


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return History(tmp_path)


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.whole)])
@pytest.mark.parametrize("seals", [False, True], ids=["taking in", "sealing"])
def test_a_command_that_is_killed_at_any_moment_leaves_no_less_than_before(
    history: History, kills: int, seals: bool
) -> None:
    history.finish()
    history.grow()
    began = wait_for_lock(history)
    started_at = time.monotonic()
    began.wait()
    lasts = time.monotonic() - started_at
    history.grow()
    at_work = 0
    for number in range(kills):
        if number % 3 == 0:
            history.grow()
        if seals:
            assert history.start("archive").wait(60) == 0
            history.grow(rests=True)
        killed = wait_for_lock(history)
        time.sleep(history.chance.random() * lasts)  # somewhere in what it does
        killed.send_signal(signal.SIGKILL)
        at_work += killed.wait() == -signal.SIGKILL
        history.check()
    assert at_work >= kills // 3
    history.finish()


def wait_for_lock(history: History) -> "subprocess.Popen[bytes]":
    """Start the command, and wait until it has begun: its first file is about to be written."""
    lock = history.archive.lock
    started = history.start("archive")
    end = time.monotonic() + 30
    while started.poll() is None and time.monotonic() < end and not has_open(started.pid, lock):
        time.sleep(0.001)
    return started


def has_open(process: int, file: Path) -> bool:
    """Tell whether a process has a file open, where the system says so."""
    folder = Path(f"/proc/{process}/fd")
    try:
        return any(one.readlink() == file for one in folder.iterdir())
    except OSError:
        return not Path("/proc").is_dir()


@pytest.mark.whole
def test_eight_at_once_of_which_two_seal_leave_what_one_leaves(history: History) -> None:
    sealing = [
        subprocess.Popen(
            [sys.executable, "-c", SEALING, history.archive.path, history.claude],
            env=history.environ,
        )
        for _ in range(2)
    ]
    busy = 0
    try:
        for _ in range(10):
            history.grow()
            codes = [one.wait(60) for one in [history.start("archive") for _ in range(6)]]
            assert set(codes) <= {0, 3}  # 3: another one writes
            busy += codes.count(3)
            history.check()
        assert [one.poll() for one in sealing] == [None, None]
    finally:
        for one in sealing:
            one.kill()
            one.wait()
    assert 0 < busy < 60
    history.finish()
