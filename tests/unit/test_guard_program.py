"""`bough-guard`: it stops what is over a budget that is known, and nothing else ever."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bough.guard_program import make_answer
from bough.status_line.number_cache import claim_refresh, find_cache_path, write_numbers

GUARD = [sys.executable, "-c", "from bough.guard_program import main; main()"]
NOW = 1_794_830_000.0
COUNTED: dict[str, object] = {"at": NOW - 5, "day": 41.2, "day_ends": NOW + 3_600}
DAY: dict[str, object] = {**COUNTED, "day_budget": 40.0}
SESSION: dict[str, object] = {**COUNTED, "session_budget": 5.0, "over": {"one": 5.12}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Name a Claude folder for which somebody else counts already."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "nowhere"))
    (tmp_path / "claude").mkdir()
    return str(tmp_path / "claude")


def ask(folder: str, session: str = "one", *, padding: int = 0, now: float = NOW) -> str:
    """Ask as a client does; no refresh is started meanwhile."""
    Path(find_cache_path(folder, ".lock") or "").parent.mkdir(parents=True, exist_ok=True)
    Path(find_cache_path(folder, ".lock") or "").touch()
    os.utime(find_cache_path(folder, ".lock") or "", (now, now))
    document = {
        "session_id": session,
        "transcript_path": f"{folder}/projects/-x/{session}.jsonl",
        "tool_name": "Bash",
        "tool_input": {"command": "x" * padding},
    }
    return make_answer(json.dumps(document).encode(), now)


def test_a_day_over_its_budget_stops_every_session_and_says_why(folder: str) -> None:
    write_numbers(folder, DAY, [])
    answer = json.loads(ask(folder, "any"))

    assert answer == {
        "continue": False,
        "stopReason": "Stopped by bough guard: today cost $41.20, and the budget of a day is "
        "$40.00. Raise it with bough guard set --day N, or take the guard out with bough guard "
        "uninstall.",
    }


def test_a_session_over_its_budget_is_stopped_and_no_other(folder: str) -> None:
    write_numbers(folder, SESSION, [])

    assert "this session cost $5.12" in ask(folder, "one")
    assert ask(folder, "two") == ""
    assert ask(folder, "") == ""


def test_a_long_document_is_answered_too(folder: str) -> None:
    write_numbers(folder, SESSION, [])

    assert "this session cost $5.12" in ask(folder, "one", padding=2_000_000)


@pytest.mark.parametrize(
    "numbers",
    [
        COUNTED,
        {**DAY, "at": NOW - 601},
        {**DAY, "at": NOW + 600},
        {**DAY, "day_ends": NOW - 1},
        {**DAY, "day": None},
        {**DAY, "day": "41"},
        {**DAY, "day": 39.99},
        {**DAY, "day_budget": 0},
        {**DAY, "day_budget": True},
        {**SESSION, "over": ["one"]},
        {**SESSION, "over": {"one": "5.12"}},
        {**SESSION, "session_budget": None},
    ],
)
def test_nothing_stops_without_a_budget_and_a_number_that_is_new(
    folder: str, numbers: dict[str, object]
) -> None:
    write_numbers(folder, numbers, [])

    assert ask(folder) == ""


def test_nothing_stops_where_the_numbers_are_not_there_or_not_to_be_read(folder: str) -> None:
    missing = ask(folder)
    write_numbers(folder, DAY, [])
    Path(find_cache_path(folder) or "").write_text("{")

    assert (missing, ask(folder)) == ("", "")


def test_numbers_of_another_claude_folder_stop_nothing(folder: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write_numbers(str(tmp_path / "other"), DAY, [])

    assert ask(folder) == ""


@pytest.mark.parametrize("given", [b"", b"garbage\xff", b"[1]", b"[" * 500_000, b"{}" * 9_000_000])
def test_whatever_is_given_it_ends_well_and_says_nothing(folder: str, given: bytes) -> None:
    claude = os.environ["CLAUDE_CONFIG_DIR"]
    assert claim_refresh(claude, time.time())
    done = subprocess.run(GUARD, input=given, capture_output=True, check=False, timeout=60)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_program_prints_one_answer(folder: str) -> None:
    now = time.time()
    write_numbers(folder, {**DAY, "at": now, "day_ends": now + 60}, [])
    document = {"session_id": "one", "transcript_path": f"{folder}/projects/-x/one.jsonl"}
    done = subprocess.run(
        GUARD, input=json.dumps(document).encode(), capture_output=True, check=False, timeout=60
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["continue"] is False
