import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bough.timetravel.disk import Disk
from bough.timetravel.errors import Busy
from bough.timetravel.execution.lock import hold_lock

HOLD = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from bough.timetravel.disk import Disk
    from bough.timetravel.execution.lock import hold_lock
    with hold_lock(Path(sys.argv[1]), Disk()):
        print("held", flush=True)
        sys.stdin.read()
    """
)


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", refuse)

    with pytest.raises(OSError, match="No space left") as caught, hold_lock(tmp_path, Disk()):
        pass

    assert Path(caught.value.filename).parent == tmp_path


def test_a_second_bough_has_to_wait(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        with (
            pytest.raises(Busy, match=rf"Another bough is changing sessions \(pid {first.pid}\)"),
            hold_lock(tmp_path, Disk(), patience=0.1),
        ):
            pass
        first.kill()


def test_the_lock_ends_with_the_process_that_held_it(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        first.kill()
        first.wait()

        with hold_lock(tmp_path, Disk(), patience=1):
            pass


def test_the_lock_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with hold_lock(tmp_path, Disk(), patience=0):
            pass
