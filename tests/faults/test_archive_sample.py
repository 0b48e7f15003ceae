"""A sample of the archive's matrix without gcc: a writer ends at a line, or its disk is full.

The writer is a process of its own. It is stopped before a line of the archive's code, as a kill
does; or no file may become longer than so many bytes, and a write then takes less, or fails.
`make test-faults` does this below Python, at every system call.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import bough.archive
from bough.errors import BoughError
from tests.faults.archive_cases import ARCHIVE_CASES, ArchiveCase, ArchiveJudgement, ArchiveWorld

if os.name != "posix":
    pytest.skip("processes are forked as POSIX does", allow_module_level=True)

import resource

CODE = str(Path(bough.archive.__file__ or "").parent)
STOPPED, FAILED, CRASHED, WITH_PROBLEMS = 9, 1, 3, 4


def run_apart(work: Callable[[], list[str]]) -> int:
    """Do something in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            code = WITH_PROBLEMS if work() else 0
        except BoughError:
            code = FAILED
        except BaseException:  # noqa: BLE001 - a child must not go on as its parent
            code = CRASHED
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def count_lines(case: ArchiveCase, world: ArchiveWorld) -> int:
    """Count the lines of the archive's code that a writer goes through."""
    met = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal met
        if not frame.f_code.co_filename.startswith(CODE):
            return None
        met += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type] # it may give None
    try:
        case.carry_out(world)
    finally:
        sys.settrace(before)
    return met


def stop_at(case: ArchiveCase, world: ArchiveWorld, line: int) -> list[str]:
    """Go on to a line, and no further."""
    met = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal met
        if not frame.f_code.co_filename.startswith(CODE):
            return None
        met += event == "line"
        if met >= line:
            os._exit(STOPPED)
        return trace

    sys.settrace(trace)  # type: ignore[arg-type] # it may give None
    return case.carry_out(world)


def write_below(case: ArchiveCase, world: ArchiveWorld, size: int) -> list[str]:
    """Go on where no file may become longer than so many bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return case.carry_out(world)


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let every world name its data folder, and none keep it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize("stops", [8, pytest.param(40, marks=pytest.mark.whole)])
@pytest.mark.parametrize("case", ARCHIVE_CASES, ids=lambda case: case.name)
def test_a_writer_that_is_stopped_anywhere_leaves_no_less_than_before(
    tmp_path: Path, case: ArchiveCase, stops: int
) -> None:
    lines = count_lines(case, case.prepare(tmp_path / "world"))
    for line in range(1, lines + 1, max(1, lines // stops)):
        world = case.prepare(tmp_path / "world")
        judgement = ArchiveJudgement(world)

        code = run_apart(lambda: stop_at(case, world, line))  # noqa: B023 - done before the next

        assert code == STOPPED, line
        assert judgement.judge_end(None) + judgement.judge_next_run() == [], line


@pytest.mark.parametrize("step", [317, pytest.param(61, marks=pytest.mark.whole)])
@pytest.mark.parametrize("case", ARCHIVE_CASES, ids=lambda case: case.name)
def test_a_disk_that_is_full_at_any_byte_leaves_no_less_than_before(
    tmp_path: Path, case: ArchiveCase, step: int
) -> None:
    case.carry_out(world := case.prepare(tmp_path / "world"))
    longest = max(path.stat().st_size for path in world.archive.path.rglob("*.zst"))
    for size in (*range(0, longest + 100, step), 5_000, 10_000):
        world = case.prepare(tmp_path / "world")
        judgement = ArchiveJudgement(world)

        code = run_apart(lambda: write_below(case, world, size))  # noqa: B023 - as above

        assert code in (0, FAILED, WITH_PROBLEMS), size
        problems: list[str] | None = [] if code == 0 else None
        assert judgement.judge_end(problems) + judgement.judge_next_run() == [], size
