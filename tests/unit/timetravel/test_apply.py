import os
import stat
import time
from pathlib import Path

import msgspec
import pytest

from bough.errors import Misuse
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import (
    AlreadyThere,
    Busy,
    CannotWrite,
    FileChanged,
    NotAsPlanned,
    OutsideClaude,
    SessionMaybeOpen,
    SessionOpen,
)
from bough.timetravel.plan import Append, Create, Expectation, Plan
from bough.timetravel.session_file import take_snapshot
from tests.unit.timetravel.making import NOON, Shelf, desk_in, long_talk


@pytest.fixture
def file(shelf: Shelf) -> Path:
    return shelf.put(long_talk(session()))


def create(shelf: Shelf, path: Path, data: bytes = b"{}\n") -> Plan:
    return Plan(
        operation="fork",
        session="s",
        headline="h",
        projects=str(shelf.folder / "projects"),
        steps=(Create(str(path), data),),
    )


def test_a_file_that_grew_since_the_preview_is_left_alone(
    shelf: Shelf, environment: TravelEnvironment, file: Path
) -> None:
    for plan in (
        travel.fork(file, "two", environment=environment),
        travel.goto(file, "two", environment=environment),
    ):
        with file.open("ab") as end:
            end.write(b"{}\n{}\n")
        grown = file.read_bytes()

        with pytest.raises(
            FileChanged, match=r"The session changed while you looked \(2 new lines\)"
        ):
            travel.apply(plan, environment)

        assert file.read_bytes() == grown
        shelf.put(long_talk(session()))


def test_a_file_with_other_content_of_the_same_size_is_left_alone(
    environment: TravelEnvironment, file: Path
) -> None:
    plan = travel.goto(file, "two", environment=environment)
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b'"one"', b'"eno"'))
    os.utime(file, ns=(before.st_mtime_ns, before.st_mtime_ns))

    with pytest.raises(FileChanged):
        travel.apply(plan, environment)


def test_a_file_that_was_replaced_is_left_alone(environment: TravelEnvironment, file: Path) -> None:
    plan = travel.goto(file, "two", environment=environment)
    data, time = file.read_bytes(), file.stat().st_mtime_ns
    other = file.with_name("other")
    other.write_bytes(data)
    other.replace(file)
    os.utime(file, ns=(time, time))

    with pytest.raises(FileChanged, match="written again"):
        travel.apply(plan, environment)


def test_a_file_that_is_gone_is_said_to_be(environment: TravelEnvironment, file: Path) -> None:
    plan = travel.fork(file, "two", environment=environment)
    file.unlink()

    with pytest.raises(FileChanged, match="it is gone"):
        travel.apply(plan, environment)


def test_nothing_is_written_over(shelf: Shelf, environment: TravelEnvironment, file: Path) -> None:
    taken = file.with_name("taken.jsonl")
    taken.write_bytes(b"mine")

    with pytest.raises(AlreadyThere, match="nothing is written over"):
        travel.apply(create(shelf, taken), environment)

    assert taken.read_bytes() == b"mine"


@pytest.mark.parametrize("when", ["open", "backup"])
def test_a_file_that_changes_at_the_last_moment_is_left_alone(
    tmp_path: Path, file: Path, when: str
) -> None:
    environment = desk_in(tmp_path / "data")

    def meanwhile(call: str, path: str) -> None:
        opened = (call, path) == ("open", str(file))
        backed_up = call == "sync-folder" and "backups" in path
        if opened if when == "open" else backed_up:
            with file.open("ab") as end:
                end.write(b'{"type":"mode"}\n')

    before = file.read_bytes()
    with pytest.raises(FileChanged, match="just now"):
        travel.apply(
            travel.goto(file, "two", environment=environment),
            desk_in(environment.folder, meanwhile),
        )

    assert file.read_bytes() == before + b'{"type":"mode"}\n'


@pytest.mark.parametrize("damage", ["repair", "undo"])
def test_a_file_that_changes_before_it_is_replaced_is_left_alone(
    shelf: Shelf, tmp_path: Path, damage: str
) -> None:
    file = shelf.put(long_talk(session()).drop_newline())
    environment = desk_in(tmp_path / "data")
    plan = travel.repair(file, in_place=True, environment=environment)
    if damage == "undo":
        travel.apply(plan, environment)
        plan = travel.undo(environment=environment)

    def meanwhile(call: str, path: str) -> None:
        if call == "sync" and path.endswith(".tmp"):
            with file.open("ab") as end:
                end.write(b"\n{}\n")

    before = file.read_bytes()
    with pytest.raises(FileChanged, match="just now"):
        travel.apply(plan, desk_in(environment.folder, meanwhile))

    assert file.read_bytes() == before + b"\n{}\n"


def test_a_fork_that_goes_on_at_the_last_moment_is_not_removed(tmp_path: Path, file: Path) -> None:
    environment = desk_in(tmp_path / "data")
    fork = travel.fork(file, "two", environment=environment)
    travel.apply(fork, environment)

    def meanwhile(call: str, path: str) -> None:
        if call == "sync-folder" and "backups" in path:
            with Path(fork.path or "").open("ab") as end:
                end.write(b"{}\n")

    with pytest.raises(FileChanged):
        travel.apply(travel.undo(environment=environment), desk_in(environment.folder, meanwhile))

    assert Path(fork.path or "").read_bytes().endswith(b"{}\n")


def test_a_name_taken_at_the_last_moment_is_not_written_over(
    shelf: Shelf, tmp_path: Path, file: Path
) -> None:
    taken = file.with_name("taken.jsonl")

    def rival(call: str, path: str) -> None:
        if call == "link":
            taken.write_bytes(b"mine")

    with pytest.raises(AlreadyThere):
        travel.apply(create(shelf, taken), desk_in(tmp_path / "data", rival))

    assert taken.read_bytes() == b"mine"
    assert {path.name for path in file.parent.iterdir()} == {file.name, taken.name}


def test_a_file_system_without_links_is_served_by_a_rename(
    shelf: Shelf, tmp_path: Path, file: Path
) -> None:
    def no_links(call: str, path: str) -> None:
        if call == "link":
            raise PermissionError(1, "Operation not permitted")

    new = file.with_name("new.jsonl")

    travel.apply(create(shelf, new), desk_in(tmp_path / "data", no_links))

    assert new.read_bytes() == b"{}\n"
    assert {path.name for path in file.parent.iterdir()} == {file.name, new.name}


def test_a_client_that_opened_it_since_the_preview_is_respected(
    shelf: Shelf, environment: TravelEnvironment, file: Path
) -> None:
    plan = travel.goto(file, "two", environment=environment)
    (shelf.folder / "sessions").mkdir()
    entry = msgspec.json.encode({"pid": os.getpid(), "sessionId": file.stem})
    (shelf.folder / "sessions" / "1.json").write_bytes(entry)

    with pytest.raises(SessionOpen, match='exit would undo "make active"'):
        travel.apply(plan, environment, force=True)
    travel.apply(travel.fork(file, "two", environment=environment), environment)


def test_a_fresh_file_needs_force(environment: TravelEnvironment, file: Path) -> None:
    now = int(NOON.timestamp())
    os.utime(file, (now - 5, now - 5))

    with pytest.raises(SessionMaybeOpen, match="changed 5 s ago"):
        travel.goto(file, "two", environment=environment)
    plan = travel.goto(file, "two", force=True, environment=environment)
    with pytest.raises(SessionMaybeOpen):
        travel.apply(plan, environment)
    travel.apply(plan, environment, force=True)


def test_our_own_write_does_not_make_a_file_fresh(tmp_path: Path, shelf: Shelf) -> None:
    file = shelf.put(long_talk(session()))
    environment = TravelEnvironment(tmp_path / "data")

    travel.apply(travel.goto(file, "two", environment=environment), environment)
    travel.apply(travel.goto(file, "one", environment=environment), environment)

    assert [op.state for op in travel.list_operations(environment)] == ["done", "done"]


def test_the_time_of_day_is_the_real_one_by_default(tmp_path: Path) -> None:
    environment = TravelEnvironment(tmp_path)

    assert abs(environment.now_ns() - time.time_ns()) < 60 * 10**9
    assert environment.now().endswith("Z")
    assert environment.new_uuid() != environment.new_uuid()


def test_a_plan_for_elsewhere_is_refused(
    shelf: Shelf, environment: TravelEnvironment, tmp_path: Path
) -> None:
    with pytest.raises(OutsideClaude, match="not below the Claude folder"):
        travel.apply(create(shelf, tmp_path / "x.jsonl"), environment)


def test_a_link_in_the_way_is_refused(
    shelf: Shelf, environment: TravelEnvironment, file: Path, tmp_path: Path
) -> None:
    plan = travel.goto(file, "two", environment=environment)
    away = file.replace(tmp_path / "away.jsonl")
    before = away.read_bytes()
    file.symlink_to(away)

    with pytest.raises(OutsideClaude, match="is a link"):
        travel.apply(plan, environment)

    assert away.read_bytes() == before


def test_a_result_that_does_not_mean_what_was_planned_is_taken_back(
    shelf: Shelf, environment: TravelEnvironment, file: Path
) -> None:
    before = shelf.look()
    plan = travel.fork(file, "two", environment=environment)
    [expect] = plan.expects
    said = ("x" * 16, *(expect.message_digests or ())[1:])
    wrong = msgspec.structs.replace(
        plan, expects=(msgspec.structs.replace(expect, message_digests=said),)
    )

    with pytest.raises(NotAsPlanned) as refusal:
        travel.apply(wrong, environment)

    assert refusal.value.message == (
        "The fork was written but does not read back as planned (turn 1 differs), so it was "
        "removed. Report it, with what bough doctor says about the session."
    )
    assert shelf.look() == before
    assert [op.state for op in travel.list_operations(environment)] == ["taken back"]


def test_an_append_that_turns_out_wrong_is_taken_back(
    environment: TravelEnvironment, file: Path
) -> None:
    before, time = file.read_bytes(), file.stat().st_mtime_ns
    plan = Plan(
        operation="rename",
        session=file.stem,
        headline="h",
        projects=str(file.parent.parent),
        steps=(Append(str(file), b'{"type":"mode"}\n', take_snapshot(file)),),
        expects=(Expectation(path=str(file), title="Another"),),
    )

    with pytest.raises(NotAsPlanned, match="the title differs"):
        travel.apply(plan, environment)

    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, time)


def test_what_changes_is_kept_outside_the_claude_folder(
    shelf: Shelf, environment: TravelEnvironment, file: Path
) -> None:
    before = file.read_bytes()

    travel.apply(travel.goto(file, "two", environment=environment), environment)

    [backup] = (environment.backups / "1").iterdir()
    assert backup.read_bytes() == before
    assert backup.stat().st_mode & 0o7777 == 0o600
    assert not backup.is_relative_to(shelf.folder)


@pytest.mark.slow
def test_two_boughs_do_not_write_at_once(
    environment: TravelEnvironment, tmp_path: Path, file: Path
) -> None:
    environment.make_folders()
    other = desk_in(environment.folder)

    tried: list[str] = []

    def meanwhile(call: str, path: str) -> None:
        if call == "link":
            tried.append(call)
            with pytest.raises(Busy):
                travel.apply(travel.goto(file, "two", environment=other), other)

    travel.apply(
        travel.fork(file, "two", environment=environment), desk_in(environment.folder, meanwhile)
    )

    assert tried == ["link"]


def test_a_full_disk_is_said_in_plain_words(shelf: Shelf, tmp_path: Path, file: Path) -> None:
    def full(call: str, path: str) -> None:
        if call == "write" and path.endswith(".tmp"):
            raise OSError(28, "No space left on device", path)

    before = shelf.look()
    environment = desk_in(tmp_path / "data", full)

    with pytest.raises(CannotWrite) as refusal:
        travel.apply(travel.fork(file, "two", environment=environment), environment)

    assert refusal.value.message == (
        "Disk full while writing the fork. Nothing was changed; the unfinished file was removed."
    )
    assert shelf.look() == before


def test_a_folder_that_is_closed_to_us_is_named(shelf: Shelf, tmp_path: Path, file: Path) -> None:
    def closed(call: str, path: str) -> None:
        if call == "create":
            raise PermissionError(13, "Permission denied", path)

    environment = desk_in(tmp_path / "data", closed)

    with pytest.raises(CannotWrite, match=r"Cannot write .*: permission denied. Nothing was chang"):
        travel.apply(travel.fork(file, "two", environment=environment), environment)


def test_folders_of_our_own_are_made_and_private(tmp_path: Path, file: Path) -> None:
    environment = desk_in(tmp_path / "deep" / "data")

    travel.apply(travel.fork(file, "two", environment=environment), environment)

    assert stat.S_IMODE(environment.backups.stat().st_mode) == 0o700


def test_our_own_things_never_lie_in_the_claude_folder(shelf: Shelf, file: Path) -> None:
    environment = desk_in(shelf.folder / "bough")

    with pytest.raises(Misuse, match="inside the Claude folder"):
        travel.apply(travel.fork(file, "two", environment=environment), environment)

    assert not environment.folder.exists()


def test_the_usual_place_is_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")

    assert TravelEnvironment().folder == Path("/somewhere/bough")
