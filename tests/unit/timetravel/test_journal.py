from pathlib import Path

import pytest

from bough.errors import Unreadable
from bough.timetravel.disk import Disk
from bough.timetravel.journal import Journal, JournalStep, OperationBegin, OperationEnd


def begun(number: int, *undoes: int) -> OperationBegin:
    deed = JournalStep(do="append", path="/f", data=b"\xff\n")
    return OperationBegin(
        number=number,
        at="2026-01-01T00:00:00.000Z",
        operation="goto",
        session="s",
        headline="h",
        projects="/p",
        steps=(deed,),
        undoes=undoes,
    )


def ended(number: int, outcome: str = "done") -> OperationEnd:
    return OperationEnd(
        number=number, at="2026-01-01T00:00:01.000Z", outcome=outcome, times={"/f": 7}
    )


def journal(tmp_path: Path, *events: OperationBegin | OperationEnd) -> Journal:
    made = Journal(tmp_path, Disk())
    for event in events:
        made.write(event)
    return made


def states(made: Journal) -> list[str]:
    return [operation.state for operation in made.list_operations()]


def test_an_empty_journal_has_no_operations(tmp_path: Path) -> None:
    made = journal(tmp_path)

    assert (made.list_operations(), made.next_number(), made.last_own_write_ns("/f")) == ([], 1, 0)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    made = journal(tmp_path, begun(1), ended(1))

    [operation] = made.list_operations()
    assert (operation.number, operation.state, operation.steps) == (1, "done", begun(1).steps)
    assert made.next_number() == 2
    assert made.last_own_write_ns("/f") == 7


def test_a_journal_of_an_earlier_bough_calls_its_steps_deeds(tmp_path: Path) -> None:
    made = journal(tmp_path)
    made.path.write_text(
        '{"type":"begin","number":1,"at":"2026-01-01T00:00:00.000Z","operation":"goto",'
        '"session":"s","headline":"h","projects":"/p","deeds":[{"do":"append","path":"/f"}]}\n'
    )

    [operation] = made.list_operations()
    assert [step.path for step in operation.steps] == ["/f"]


def test_an_entry_without_its_folder_tells_it_by_its_files(tmp_path: Path) -> None:
    made = journal(tmp_path)
    file = "/home/dev/.claude/projects/-home-dev-x/s/subagents/agent-a.jsonl"
    made.path.write_text(
        '{"type":"begin","number":1,"at":"2026-01-01T00:00:00.000Z","operation":"goto",'
        f'"session":"s","headline":"h","deeds":[{{"do":"append","path":"{file}"}}]}}\n'
    )

    [operation] = made.list_operations()
    assert (operation.projects, operation.claude_dir) == (
        "/home/dev/.claude/projects",
        "/home/dev/.claude",
    )


def test_what_never_ended_is_unfinished(tmp_path: Path) -> None:
    assert states(journal(tmp_path, begun(1), ended(1), begun(2))) == ["done", "unfinished"]


def test_what_was_undone_says_by_which(tmp_path: Path) -> None:
    made = journal(tmp_path, begun(1), ended(1), begun(2, 1), ended(2))

    assert states(made) == ["undone", "done"]
    assert made.list_operations()[0].undone_by == 2


def test_an_undo_that_failed_undid_nothing(tmp_path: Path) -> None:
    made = journal(tmp_path, begun(1), ended(1), begun(2, 1), ended(2, "taken back"))

    assert states(made) == ["done", "taken back"]


def test_an_undo_of_an_undo_of_an_undo(tmp_path: Path) -> None:
    made = journal(tmp_path, begun(1), ended(1))
    for number in (2, 3, 4):
        made.write(begun(number, number - 1))
        made.write(ended(number))

    assert states(made) == ["undone", "done", "undone", "done"]


def test_a_torn_line_is_skipped_and_the_next_stands_on_its_own(tmp_path: Path) -> None:
    made = journal(tmp_path, begun(1), ended(1))
    with made.path.open("ab") as file:
        file.write(b'{"type":"begin","number":2')

    made.write(begun(3))

    assert [operation.number for operation in made.list_operations()] == [1, 3]


def test_an_end_without_its_beginning_does_not_end_the_next_with_its_number(
    tmp_path: Path,
) -> None:
    made = journal(tmp_path, ended(1, "taken back"), begun(1))

    assert states(made) == ["unfinished"]
    assert not made.has_end(1)


def test_the_last_end_of_an_operation_counts(tmp_path: Path) -> None:
    made = journal(tmp_path, begun(1), ended(1), ended(1, "unfinished"), begun(2), ended(2))

    assert states(made) == ["unfinished", "done"]
    assert (made.has_end(1), made.has_end(2)) == (False, True)


def test_the_journal_is_private(tmp_path: Path) -> None:
    assert journal(tmp_path, begun(1)).path.stat().st_mode & 0o7777 == 0o600


def test_a_journal_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").mkdir()

    with pytest.raises(Unreadable):
        Journal(tmp_path, Disk()).list_operations()
