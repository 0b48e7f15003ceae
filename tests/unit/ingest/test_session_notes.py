"""What the client keeps of a session beside `projects/`: things to do, and plans."""

from pathlib import Path

import pytest

from bough.files.byte_source import DISK
from bough.ingest.session_notes import read_plan_files, read_todo_lists
from bough.model.conversation.todo_lists import TodoItem, TodoProgress, count_todos
from tests.conftest import ROOT

REAL = ROOT.parent / "shared" / "client-files"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return tmp_path / "projects" / "-p" / "s1.jsonl"


def write(session: Path, name: str, text: str) -> None:
    path = session.parent.parent.parent / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_tasks_are_read_in_the_order_of_their_numbers(session: Path) -> None:
    for number in (10, 9, 1):
        write(session, f"tasks/s1/{number}.json", f'{{"subject": "{number}"}}')
    write(session, "tasks/s1/.lock", "")

    (found,) = read_todo_lists(session, DISK)

    assert [item.text for item in found.items] == ["1", "9", "10"]


def test_a_task_says_what_it_waits_for_and_a_todo_its_priority(session: Path) -> None:
    write(session, "tasks/s1/1.json", '{"id": "1", "subject": "b", "blockedBy": ["2"]}')
    other = session.with_name("s2.jsonl")
    write(other, "todos/s2-agent-s2.json", '[{"content": "a", "priority": "high", "id": 3}]')

    assert read_todo_lists(session, DISK)[0].items == (
        TodoItem("b", "pending", id="1", blocked_by=("2",)),
    )
    assert read_todo_lists(other, DISK)[0].items == (
        TodoItem("a", "pending", priority="high", id="3"),
    )


def test_the_lists_of_agents_come_behind_that_of_the_session(session: Path) -> None:
    doing = '[{"content": "x", "status": "in_progress", "activeForm": "doing x"}]'
    write(session, "todos/s1-agent-a7.json", '[{"content": "look", "status": "completed"}]')
    write(session, "todos/s1-agent-s1.json", doing)
    write(session, "todos/s10-agent-s10.json", '[{"content": "of another"}]')

    found = read_todo_lists(session, DISK)

    assert [one.agent for one in found] == [None, "a7"]
    assert count_todos(found) == TodoProgress(0, 1, "doing x")
    assert TodoProgress(0, 1, "doing x").words == "0 of 1 todos done, now: doing x"


@pytest.mark.parametrize("text", ["", "[", "[]", "{}", '["a", 3, {"status": "x"}]', "null"])
def test_what_is_no_list_says_nothing(session: Path, text: str) -> None:
    write(session, "todos/s1-agent-s1.json", text)

    assert read_todo_lists(session, DISK) == []
    assert count_todos(read_todo_lists(session, DISK)) is None


def test_a_plan_is_read_by_its_name_and_by_nothing_that_leads_elsewhere(session: Path) -> None:
    write(session, "plans/calm-blue-boat.md", "# Plan\n")
    write(session, "secret.md", "no")

    found = read_plan_files(session, ["calm-blue-boat", "../secret", "missing", ""], DISK)

    assert [(one.name, one.text) for one in found] == [("calm-blue-boat", "# Plan\n")]


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the real files of ../shared")
def test_lists_of_real_clients_are_read() -> None:
    files = [
        path
        for version in ("2.0.76", "2.1.150")
        for path in (REAL / version / "variety" / "projects").glob("*/*.jsonl")
    ]
    texts = {
        item.text for path in files for one in read_todo_lists(path, DISK) for item in one.items
    }

    assert {"do x", "do y"} <= texts
