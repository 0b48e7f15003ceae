"""A run that is killed, at any moment, is continued by the next."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.ingest.index.refresh import refresh_index
from bough.ingest.index.work_plan import plan_work
from bough.sample.demo import write_demo
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home
from tests.index_rows import rows_of

pytestmark = [pytest.mark.writes_home, pytest.mark.slow]

_RUN = """
import sys
from pathlib import Path
from bough.ingest.index import refresh as pipeline
from bough.ingest.index import refresh_run as run
from bough.store.sqlite.store import SqliteStore
run._FIRST_STEP = run._STEP = 20_000
run._WORTH_WORKERS = int(sys.argv[3])
print("go", flush=True)
pipeline.refresh(SqliteStore(Path(sys.argv[2])), [Path(sys.argv[1])])
"""


@pytest.mark.parametrize("kills", [6, pytest.param(25, marks=pytest.mark.whole)])
@pytest.mark.parametrize("workers_from", [1, 10**12], ids=["with workers", "alone"])
def test_killed_at_random_moments_it_ends_like_a_fresh_index(
    home: Home, tmp_path: Path, workers_from: int, kills: int
) -> None:
    claude = write_demo(tmp_path / "demo", datetime(2026, 11, 15, 15, 30, tzinfo=UTC))
    for number in range(3):
        folder = claude / "projects" / "-home-dev-code-orchard-shop"
        shutil.copytree(folder, folder.with_name(f"-copy-{number}"), dirs_exist_ok=True)
    index = tmp_path / "index.sqlite"
    whole = _seconds(claude, tmp_path / "once.sqlite", workers_from)
    chance = random.Random(workers_from)
    killed = 0
    for _ in range(200):
        if _killed_after(claude, index, workers_from, chance.uniform(0, whole)):
            killed += 1
        if killed == kills:
            break
        if not _unfinished(claude, index):
            for left in tmp_path.glob("index.sqlite*"):
                left.unlink()

    store = SqliteStore(index)
    refresh_index(store, [claude])
    store.close()
    fresh = SqliteStore(tmp_path / "fresh.sqlite")
    refresh_index(fresh, [claude])
    fresh.close()
    assert killed == kills
    assert rows_of(index) == rows_of(tmp_path / "fresh.sqlite")


def _unfinished(claude: Path, index: Path) -> bool:
    store = SqliteStore(index)
    work = plan_work([claude], store.states())
    store.close()
    return bool(work.tasks)


def _start(claude: Path, index: Path, workers_from: int) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-c", _RUN, str(claude), str(index), str(workers_from)]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def _seconds(claude: Path, index: Path, workers_from: int) -> float:
    with _start(claude, index, workers_from) as process:
        begun = time.monotonic()
        process.wait()
        return time.monotonic() - begun


def _killed_after(claude: Path, index: Path, workers_from: int, seconds: float) -> bool:
    with _start(claude, index, workers_from) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            _gone(process.pid)
            return True
        return False


def _gone(group: int) -> None:
    """Wait until nobody of a killed run is left; workers must not outlive it."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers outlived the run that was killed")
