"""A sample of the matrix without gcc: at each call of the disk a client writes, and it fails.

`make test-faults` does this below Python, at every system call.
"""

import os
from pathlib import Path

import pytest

from bough.errors import BoughError
from bough.timetravel.apply import carry_over_late, recover_stopped
from bough.timetravel.execution.lock import hold_lock
from tests.faults.cases import CASES, Case, Stopped, World
from tests.faults.judge import Judgement
from tests.faults.matrix import NOTE, find_places

SAMPLE = (
    "fork", "goto", "rename", "move into a folder", "repair in place", "undo of fork",
    "undo of goto", "undo of undo of repair", "restore", "restore from the archive",
    "recovery behind a rename", "recovery of half an append",
)  # fmt: skip
CHOSEN = [case for case in CASES if case.name in SAMPLE]


class Disturbance:
    """Before one call a client writes a line; then the call fails, or the process dies there."""

    def __init__(self, at: int, fault: str, place: Path, descriptor: int | None) -> None:
        self.at = at
        self.fault = fault
        self.place = place
        self.descriptor = descriptor
        self.calls = 0
        self.lines: list[bytes] = []

    def __call__(self, call: str, path: str) -> None:
        self.calls += 1
        if self.calls == self.at:
            self._write(NOTE % b"1")
            if self.fault == "error":
                raise OSError(5, "Input/output error", path)
        if self.fault == "stop" and self.calls >= self.at:
            raise Stopped

    def _write(self, line: bytes) -> None:
        if self.descriptor is not None:
            os.write(self.descriptor, line)
        elif self.place.exists():
            with self.place.open("ab") as end:
                end.write(line)
        else:
            return
        self.lines.append(line)


def disturb(folder: Path, case: Case, at: int, fault: str, client: str) -> tuple[int, list[str]]:
    """Carry out an operation, disturbed at one call; count the calls and list what is wrong."""
    world = World(folder, case.data)
    plan = case.make_plan(world)
    before = world.read_sessions()
    judgement = Judgement(world, plan, before, max(world.list_states(), default=0) + 1)
    place = Path(find_places(plan, world)[0])
    through = os.open(place, os.O_WRONLY | os.O_APPEND) if place.exists() else None
    if case.prepare is not None:
        case.prepare(world, plan)
    disturbance = Disturbance(at, fault, place, through if client == "open" else None)
    world.environment = world.open(disturbance)
    problems: list[str] = []
    try:
        case.carry_out(world, plan)
    except (BoughError, OSError) as error:
        judgement.lines = disturbance.lines
        problems = judgement.judge_end(1, str(error)) if case.prepare is None else []
    except Stopped:
        pass
    if through is not None:
        os.close(through)
    judgement.lines = disturbance.lines
    fresh = world.open()
    fresh.make_folders()
    with hold_lock(fresh.folder, fresh.disk):
        recover_stopped(fresh)
        carry_over_late(fresh)
    problems += judgement.judge_journal() + judgement.judge_bytes()
    return disturbance.calls, problems or judgement.judge_way_back(case.data)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["none", "error", "stop"])
@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: case.name)
def test_no_line_is_lost_and_the_journal_is_true(tmp_path: Path, case: Case, fault: str) -> None:
    calls, problems = disturb(tmp_path / "world", case, 0, "none", "path")
    assert problems == []
    assert calls

    for at in range(1, calls + 1):
        client = "open" if fault == "none" or at % 2 else "path"
        _, problems = disturb(tmp_path / "world", case, at, fault, client)
        assert problems == [], (at, client)


@pytest.fixture
def judged(tmp_path: Path) -> Judgement:
    """Offer the judgement of a rename that was carried out."""
    case = next(case for case in CASES if case.name == "rename")
    world = World(tmp_path / "world", case.data)
    plan = case.make_plan(world)
    judgement = Judgement(world, plan, world.read_sessions(), 1)
    case.carry_out(world, plan)
    return judgement


def test_the_judge_has_nothing_against_what_is_right(judged: Judgement) -> None:
    assert judged.judge_end(0, "") + judged.judge_journal() + judged.judge_bytes() == []


def test_the_judge_misses_the_line_of_a_client(judged: Judgement) -> None:
    judged.lines = [NOTE % b"1"]

    assert judged.judge_bytes() == [f"lost: {NOTE % b'1'!r}"]


def test_the_judge_sees_a_state_that_is_not_true(judged: Judgement) -> None:
    [path] = [path for path in judged.before if path.endswith("s.jsonl")]
    Path(path).write_bytes(judged.before[path])

    assert judged.judge_journal() == ["lie: done ()"]


def test_the_judge_sees_an_error_that_is_not_true(judged: Judgement) -> None:
    assert judged.judge_end(1, "Nothing was changed.") == ["lie: said 'Nothing was changed.'"]
