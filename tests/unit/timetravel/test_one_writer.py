"""Only `apply` writes to the user's files; everything else may be tried without fear."""

import os
from pathlib import Path

import pytest

from bough.ingest.running_clients import list_running_clients
from bough.query.sessions.load_session import read_session
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.compare.compare_branches import compare_branches
from bough.timetravel.plans.find import find_neighbourhood, find_text
from bough.timetravel.plans.repair import list_remedies
from bough.timetravel.preview import build_preview, render_diff
from tests.architecture.test_one_writer import writing_calls
from tests.conftest import Home
from tests.unit.timetravel.making import LONG_AGO, long_talk


@pytest.fixture
def file(home: Home) -> Path:
    builder = long_talk(session()).amend("three", parentUuid="nowhere")
    with home.writing():
        path = builder.write(home.path)
        os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def test_planning_and_looking_leave_no_trace(home: Home, file: Path, tmp_path: Path) -> None:
    plans = [
        travel.fork(file, "two"),
        travel.branch(file, "three"),
        travel.goto(file, "two"),
        travel.rename(file, "New"),
        travel.repair(file),
        travel.repair(file, in_place=True),
        travel.move(file.parent, tmp_path),
    ]
    for plan in plans:
        assert build_preview(plan)
        assert render_diff(plan)
    read = read_session(file)
    tip = travel.list_points(read)[-1].uuid

    assert find_text(read, "second").matches
    assert find_neighbourhood(read, tip).above
    assert compare_branches(read, tip, tip).session == read.id
    assert list_remedies(read)
    assert list_running_clients(home.path, careful=True) == []
    assert travel.list_operations() == []


def test_apply_is_what_the_guard_would_stop(home: Home, file: Path) -> None:
    plan = travel.goto(file, "two")

    with home.writing():
        travel.apply(plan)

    assert [operation.state for operation in travel.list_operations()] == ["done"]


def test_only_the_disk_makes_calls_that_write(root: Path) -> None:
    folder = root / "src" / "bough" / "timetravel"

    writers = {
        path.name
        for path in folder.glob("*.py")
        if list(writing_calls(path.read_text(encoding="utf-8")))
    }

    assert writers == {"disk.py"}
