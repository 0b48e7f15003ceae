from pathlib import Path

import msgspec
import pytest

from bough.query.sessions.load_session import read_session
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import (
    AlreadyThere,
    CannotUndo,
    FileChanged,
    NotAsPlanned,
    OperationNotFound,
)
from bough.timetravel.journal import OperationEnd
from bough.timetravel.plan import Append, Expectation
from tests.unit.timetravel.making import LONG_AGO, Shelf, long_talk


@pytest.fixture
def file(shelf: Shelf) -> Path:
    return shelf.put(long_talk(session()))


def states(environment: TravelEnvironment) -> list[tuple[int, str]]:
    return [(op.number, op.state) for op in reversed(travel.list_operations(environment))]


def test_a_fork_goes_without_a_trace(
    shelf: Shelf, environment: TravelEnvironment, file: Path
) -> None:
    before = shelf.look()
    travel.apply(travel.fork(file, "two", environment=environment), environment)

    travel.apply(travel.undo(environment=environment), environment)

    assert shelf.look() == before
    assert states(environment) == [(1, "undone"), (2, "done")]


def test_goto_leaves_the_same_bytes_mode_and_time(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    file.chmod(0o640)
    travel.apply(travel.goto(file, "two", environment=environment), environment)

    travel.apply(travel.undo(environment=environment), environment)

    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o7777 == 0o640
    assert file.stat().st_mtime == LONG_AGO


def test_an_earlier_operation_can_be_undone_while_a_later_one_stands(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.rename(file, "New", environment=environment), environment)

    travel.apply(travel.undo(1, environment=environment), environment)

    assert file.read_bytes().startswith(before + b'{"type":"custom-title"')
    assert read_session(file).title == "New"

    travel.apply(travel.undo(2, environment=environment), environment)
    assert file.read_bytes() == before
    assert file.stat().st_mtime == LONG_AGO


def test_undo_twice_takes_back_two_operations(environment: TravelEnvironment, file: Path) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.goto(file, "one", environment=environment), environment)

    for _ in range(2):
        travel.apply(travel.undo(environment=environment), environment)

    assert file.read_bytes() == before
    with pytest.raises(OperationNotFound, match="no operation to undo"):
        travel.undo(environment=environment)


def test_an_undo_can_be_undone(environment: TravelEnvironment, file: Path) -> None:
    plan = travel.fork(file, "two", environment=environment)
    travel.apply(plan, environment)
    written = Path(plan.path or "").read_bytes()
    travel.apply(travel.undo(environment=environment), environment)

    travel.apply(travel.undo(2, environment=environment), environment)

    assert Path(plan.path or "").read_bytes() == written
    assert states(environment) == [(1, "done"), (2, "undone"), (3, "done")]


def test_a_fork_that_went_on_stays(environment: TravelEnvironment, file: Path) -> None:
    plan = travel.fork(file, "two", environment=environment)
    travel.apply(plan, environment)
    with Path(plan.path or "").open("ab") as fork:
        fork.write(b'{"type":"mode"}\n')

    with pytest.raises(CannotUndo, match="was written to since, and that would be lost"):
        travel.undo(environment=environment)


def test_a_conversation_that_went_on_from_the_point_stays(
    environment: TravelEnvironment, file: Path
) -> None:
    plan = travel.goto(file, "two", environment=environment)
    travel.apply(plan, environment)
    [step] = plan.steps
    assert isinstance(step, Append)
    marker = msgspec.json.decode(step.data.splitlines()[0])["uuid"]
    with file.open("a") as end:
        end.write(f'{{"type":"user","uuid":"n","parentUuid":"{marker}"}}\n')

    with pytest.raises(CannotUndo, match="has gone on from there"):
        travel.undo(environment=environment)


def test_lines_of_others_that_need_nothing_of_ours_stay_where_they_are(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    with file.open("ab") as end:
        end.write(b'{"type":"mode"}\n')

    travel.apply(travel.undo(environment=environment), environment, force=True)

    assert file.read_bytes() == before + b'{"type":"mode"}\n'


def test_a_repair_is_undone_below_what_was_added_since(
    environment: TravelEnvironment, shelf: Shelf
) -> None:
    builder = long_talk(session()).amend("three", parentUuid="nowhere")
    file = shelf.put(builder)
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    with file.open("ab") as end:
        end.write(b'{"type":"mode"}\n')

    travel.apply(travel.undo(environment=environment), environment, force=True)

    assert file.read_bytes() == builder.bytes() + b'{"type":"mode"}\n'


def test_a_repaired_end_is_not_torn_again_under_new_lines(
    environment: TravelEnvironment, shelf: Shelf
) -> None:
    file = shelf.put(long_talk(session()).drop_newline())
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    with file.open("ab") as end:
        end.write(b'{"type":"mode"}\n')

    with pytest.raises(CannotUndo, match="added since, after one without a newline"):
        travel.undo(environment=environment)


def test_what_was_undone_is_not_undone_again(environment: TravelEnvironment, file: Path) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.undo(environment=environment), environment)

    with pytest.raises(CannotUndo, match="operation 2 did so already"):
        travel.undo(1, environment=environment)


def test_a_file_that_is_gone_cannot_be_put_right(
    environment: TravelEnvironment, file: Path
) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    file.unlink()

    with pytest.raises(CannotUndo, match="is gone"):
        travel.undo(environment=environment)


def test_a_number_that_never_was_is_not_found(environment: TravelEnvironment) -> None:
    with pytest.raises(OperationNotFound, match="There is no operation 7"):
        travel.undo(7, environment=environment)


def test_an_undo_is_refused_when_the_file_changed_after_the_preview(
    environment: TravelEnvironment, file: Path
) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    plan = travel.undo(environment=environment)
    with file.open("ab") as end:
        end.write(b'{"type":"mode"}\n')

    with pytest.raises(FileChanged, match=r"changed while you looked \(1 new line\)"):
        travel.apply(plan, environment, force=True)


def test_restore_takes_back_all_that_was_done_to_a_session(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.fork(file, "one", environment=environment), environment)
    travel.apply(travel.rename(file, "New", environment=environment), environment)

    plan = travel.restore(file, environment=environment)
    travel.apply(plan, environment)

    assert file.read_bytes() == before
    assert file.stat().st_mtime == LONG_AGO
    assert states(environment) == [(1, "undone"), (2, "done"), (3, "undone"), (4, "done")]


def test_restore_brings_back_a_session_that_is_gone(
    environment: TravelEnvironment, file: Path
) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.rename(file, "New", environment=environment), environment)
    last_seen = file.read_bytes()
    file.unlink()

    travel.apply(travel.restore(file, environment=environment), environment)

    assert file.read_bytes() == last_seen


def test_a_session_that_was_never_changed_has_nothing_to_restore(
    environment: TravelEnvironment, file: Path
) -> None:
    with pytest.raises(OperationNotFound, match="that changed session"):
        travel.restore(file, environment=environment)


def test_what_failed_cannot_be_undone(environment: TravelEnvironment, file: Path) -> None:
    plan = travel.goto(file, "two", environment=environment)
    wrong = msgspec.structs.replace(plan, expects=(Expectation(path=str(file), title="x"),))
    with pytest.raises(NotAsPlanned):
        travel.apply(wrong, environment)

    with pytest.raises(CannotUndo, match="it was taken back"):
        travel.undo(1, environment=environment)


def test_a_fork_that_came_back_by_other_means_is_not_written_over(
    environment: TravelEnvironment, file: Path
) -> None:
    plan = travel.fork(file, "two", environment=environment)
    travel.apply(plan, environment)
    travel.apply(travel.undo(environment=environment), environment)
    Path(plan.path or "").write_bytes(b"{}\n")

    with pytest.raises(CannotUndo, match="is there again"):
        travel.undo(2, environment=environment)


def test_what_was_added_and_is_gone_cannot_be_cut_out(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    file.write_bytes(before)

    with pytest.raises(CannotUndo, match="not there any more"):
        travel.undo(environment=environment)


def test_a_repair_below_other_changes_cannot_be_undone(
    environment: TravelEnvironment, shelf: Shelf
) -> None:
    file = shelf.put(long_talk(session()).amend("three", parentUuid="nowhere"))
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    file.write_bytes(file.read_bytes().replace(b"fourth", b"FOURTH"))

    with pytest.raises(CannotUndo, match="was changed since"):
        travel.undo(environment=environment)


def test_a_backup_that_is_gone_is_said_to_be(environment: TravelEnvironment, shelf: Shelf) -> None:
    file = shelf.put(long_talk(session()).amend("three", parentUuid="nowhere"))
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    [backup] = (environment.backups / "1").glob("*.jsonl")
    backup.unlink()

    with pytest.raises(CannotUndo, match="is gone"):
        travel.undo(environment=environment)


def test_a_damaged_backup_is_not_used(environment: TravelEnvironment, shelf: Shelf) -> None:
    file = shelf.put(long_talk(session()).drop_newline())
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    [backup] = (environment.backups / "1").glob("*.jsonl")
    backup.write_bytes(b"x")

    with pytest.raises(CannotUndo, match="is damaged"):
        travel.undo(environment=environment)


def test_what_was_undone_leaves_nothing_to_restore(
    environment: TravelEnvironment, file: Path
) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.undo(environment=environment), environment)

    with pytest.raises(AlreadyThere, match="holds what it held before operation 1"):
        travel.restore(file, environment=environment)


def test_restore_takes_out_what_an_undo_of_an_undo_brought_back(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.undo(environment=environment), environment)
    travel.apply(travel.undo(2, environment=environment), environment)

    travel.apply(travel.restore(file, environment=environment), environment)

    assert file.read_bytes() == before


def ended_otherwise(environment: TravelEnvironment, outcome: str) -> None:
    """Let the journal say something else of the first operation, as an earlier bough did."""
    environment.journal.write(OperationEnd(number=1, at="", outcome=outcome, reason="why"))


@pytest.mark.parametrize("outcome", ["taken back", "abandoned"])
def test_restore_takes_out_what_stands_of_an_operation_that_did_not_end_well(
    environment: TravelEnvironment, shelf: Shelf, outcome: str
) -> None:
    builder = long_talk(session()).amend("three", parentUuid="nowhere")
    file = shelf.put(builder)
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    ended_otherwise(environment, outcome)
    with file.open("ab") as end:
        end.write(b'{"type":"mode"}\n')

    travel.apply(travel.restore(file, environment=environment), environment, force=True)

    assert file.read_bytes() == builder.bytes() + b'{"type":"mode"}\n'


def test_restore_works_from_the_backup_of_what_was_abandoned(
    environment: TravelEnvironment, shelf: Shelf
) -> None:
    builder = long_talk(session()).amend("three", parentUuid="nowhere")
    file = shelf.put(builder)
    travel.apply(travel.repair(file, in_place=True, environment=environment), environment)
    ended_otherwise(environment, "abandoned")
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2:4] = [b'{"type":"other"}\n']
    changed = b"".join(lines) + b'{"type":"mode"}\n'
    file.write_bytes(changed)

    travel.apply(travel.restore(file, environment=environment), environment, force=True)

    assert file.read_bytes() == builder.bytes() + b'{"type":"mode"}\n'
    travel.apply(travel.undo(2, environment=environment), environment, force=True)
    assert file.read_bytes() == changed


def test_an_abandoned_operation_says_why_it_cannot_be_undone(
    environment: TravelEnvironment, file: Path
) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    ended_otherwise(environment, "abandoned")

    with pytest.raises(CannotUndo, match="it was abandoned: why"):
        travel.undo(1, environment=environment)


def test_restore_brings_back_what_is_gone_from_the_backup_of_what_was_taken_back(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    travel.apply(travel.goto(file, "two", environment=environment), environment)
    ended_otherwise(environment, "taken back")
    file.unlink()

    travel.apply(travel.restore(file, environment=environment), environment)

    assert file.read_bytes() == before


# -- a copy that another program left ------------------------------------------------------------


def test_a_copy_of_another_program_comes_back_with_what_was_written_since(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    before = session("copied").user("One").assistant("Yes").summary("As it was", leaf="kept")
    old = b"".join(before.lines())
    changed = old.replace(b"As it was", b"Elsewhere")
    since = b"".join(session("later").user("Two").lines())
    file = shelf.put_bytes(changed + since)
    file.with_name("s.jsonl.backup").write_bytes(old)

    plan = travel.restore(file, environment=environment)
    travel.apply(plan, environment)

    assert plan.headline == "Restore s from s.jsonl.backup, which another program left"
    assert file.read_bytes() == old + since


def test_a_restore_from_a_foreign_copy_can_be_undone(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    old = b"".join(session("copied").user("One").assistant("Yes").lines())
    file = shelf.put_bytes(old.replace(b"One", b"Two"))
    before = file.read_bytes()
    file.with_name("s.jsonl.backup").write_bytes(old)
    travel.apply(travel.restore(file, environment=environment), environment)
    restored = file.read_bytes()

    travel.apply(travel.undo(environment=environment), environment)

    assert restored == old
    assert file.read_bytes() == before


def test_a_foreign_copy_of_the_same_content_changes_nothing(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    file = shelf.put_bytes(b"".join(session("copied").user("One").lines()))
    file.with_name("s.jsonl.backup").write_bytes(file.read_bytes())

    with pytest.raises(AlreadyThere, match=r"holds what s\.jsonl\.backup holds"):
        travel.restore(file, environment=environment)


def test_what_bough_changed_itself_comes_back_from_its_own_backup(
    environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()
    file.with_name(f"{file.name}.backup").write_bytes(b"{}\n")
    travel.apply(travel.goto(file, "two", environment=environment), environment)

    travel.apply(travel.restore(file, environment=environment), environment)

    assert file.read_bytes() == before
