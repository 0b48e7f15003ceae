"""What a client writes to a file that is being replaced or removed is never lost."""

import errno
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import FileChanged
from tests.unit.timetravel.making import NOON, Shelf, desk_in, long_talk

LINE = b'{"type":"mode"}\n'


@pytest.fixture
def file(shelf: Shelf) -> Path:
    return shelf.put(long_talk(session()))


class Client:
    """A client that has a file open, and appends through that."""

    def __init__(self, file: Path) -> None:
        self.descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)

    def write(self, data: bytes = LINE) -> None:
        os.write(self.descriptor, data)

    def close(self) -> None:
        os.close(self.descriptor)


@pytest.fixture
def client(file: Path) -> Iterator[Client]:
    made = Client(file)
    yield made
    made.close()


def later(environment: TravelEnvironment) -> TravelEnvironment:
    """Open a data folder more than a month later."""
    return TravelEnvironment(
        environment.folder, clock=lambda: NOON + timedelta(days=31), sleep=lambda _: None
    )


def at(call: str, act: Callable[[], object], environment: TravelEnvironment) -> TravelEnvironment:
    """Let something happen once, before a call."""
    done: list[str] = []

    def watch(what: str, path: str) -> None:
        if what == call and not done and not path.endswith("journal.jsonl"):
            done.append(path)
            act()

    return desk_in(environment.folder, watch)


def held(environment: TravelEnvironment) -> list[Path]:
    return list(environment.backups.rglob("*.old"))


def states(environment: TravelEnvironment) -> list[tuple[int, str]]:
    return [(op.number, op.state) for op in reversed(travel.list_operations(environment))]


def goto(environment: TravelEnvironment, file: Path) -> None:
    travel.apply(travel.goto(file, "two", environment=environment), environment)


def test_a_line_that_comes_just_before_the_rename_is_carried_over(
    environment: TravelEnvironment, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    goto(environment, file)
    busy = at("replace", client.write, environment)

    travel.apply(travel.undo(environment=environment), busy)

    assert file.read_bytes() == before + LINE
    assert states(environment) == [(1, "undone"), (2, "done")]


def test_a_line_that_comes_while_we_wait_is_carried_over(
    environment: TravelEnvironment, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    goto(environment, file)
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) < 4:
            client.write()

    slow = TravelEnvironment(environment.folder, clock=lambda: NOON, sleep=sleep)
    travel.apply(travel.undo(environment=environment), slow)

    assert file.read_bytes() == before + 3 * LINE
    assert sum(waits) == pytest.approx(2)


def test_where_nobody_writes_an_undo_waits_a_tenth_of_a_second(
    environment: TravelEnvironment, file: Path
) -> None:
    goto(environment, file)
    waits: list[float] = []
    slow = TravelEnvironment(environment.folder, clock=lambda: NOON, sleep=waits.append)

    travel.apply(travel.undo(environment=environment), slow)
    goto(slow, file)

    assert waits == [0.1]


def test_a_line_that_comes_later_is_carried_over_by_the_next_bough(
    environment: TravelEnvironment, shelf: Shelf, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    other = shelf.put_bytes(session("other").user("hello").assistant("hi").bytes(), "other")
    goto(environment, file)
    travel.apply(travel.undo(environment=environment), environment)
    client.write()
    assert file.read_bytes() == before

    for title in ("One", "Two"):
        travel.apply(travel.rename(other, title, environment=environment), later(environment))

    assert file.read_bytes() == before + LINE
    assert held(environment) == []


def test_a_file_that_was_replaced_is_kept_for_a_month(
    environment: TravelEnvironment, shelf: Shelf, file: Path
) -> None:
    other = shelf.put_bytes(session("other").user("hello").assistant("hi").bytes(), "other")
    goto(environment, file)
    travel.apply(travel.undo(environment=environment), environment)

    travel.apply(travel.rename(other, "One", environment=environment), environment)
    assert len(held(environment)) == 1
    travel.apply(travel.rename(other, "Two", environment=environment), later(environment))
    assert held(environment) == []


def test_lines_that_come_one_after_the_other_are_each_carried_over_once(
    environment: TravelEnvironment, shelf: Shelf, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    other = shelf.put_bytes(session("other").user("hello").assistant("hi").bytes(), "other")
    goto(environment, file)
    busy = at("replace", client.write, environment)
    travel.apply(travel.undo(environment=environment), busy)

    for title in ("One", "Two", "Three"):
        client.write(b'{"type":"mode"')
        travel.apply(travel.rename(other, title, environment=environment), environment)
        client.write(b"}\n")
        file.write_bytes(file.read_bytes().replace(LINE, b'{"type": "mode"}\n'))
        travel.apply(travel.rename(other, title, environment=environment), environment)

    assert file.read_bytes() == before + 3 * b'{"type": "mode"}\n' + LINE


def test_half_a_line_is_kept_and_said(
    environment: TravelEnvironment, shelf: Shelf, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    other = shelf.put_bytes(session("other").user("hello").assistant("hi").bytes(), "other")
    goto(environment, file)
    busy = at("replace", lambda: client.write(LINE + b'{"ty'), environment)

    done = travel.apply(travel.undo(environment=environment), busy)
    [old] = held(environment)
    after = travel.apply(travel.rename(other, "One", environment=environment), later(environment))
    [torn] = environment.backups.rglob("*.torn")

    sentence = "A client wrote half a line to a file that was replaced; it is kept in {}."
    assert file.read_bytes() == before + LINE
    assert (done.notes, after.notes) == ((sentence.format(old),), (sentence.format(torn),))
    assert torn.read_bytes().endswith(LINE + b'{"ty')


def test_a_fork_that_is_written_to_while_it_is_removed_stays(
    environment: TravelEnvironment, file: Path
) -> None:
    plan = travel.fork(file, "two", environment=environment)
    travel.apply(plan, environment)
    fork = Path(plan.path or "")
    written = fork.read_bytes()
    client = Client(fork)

    with pytest.raises(FileChanged, match="just now"):
        travel.apply(travel.undo(environment=environment), at("remove", client.write, environment))
    client.close()

    assert fork.read_bytes() == written + LINE
    assert states(environment) == [(1, "done"), (2, "taken back")]


def test_a_fork_that_is_written_to_after_it_was_removed_comes_back(
    environment: TravelEnvironment, file: Path, tmp_path: Path
) -> None:
    plan = travel.fork(file, "two", cwd=tmp_path, environment=environment)
    travel.apply(plan, environment)
    fork = Path(plan.path or "")
    written = fork.read_bytes()
    client = Client(fork)
    travel.apply(travel.undo(environment=environment), environment)
    assert not fork.parent.exists()
    client.write()
    client.close()

    travel.apply(travel.rename(file, "New", environment=environment), later(environment))

    assert fork.read_bytes() == written + LINE
    assert states(environment) == [(1, "done"), (2, "taken back"), (3, "done")]


def test_a_repair_that_is_taken_back_keeps_what_came_to_the_mended_file(
    environment: TravelEnvironment, shelf: Shelf
) -> None:
    builder = long_talk(session()).amend("three", parentUuid="nowhere")
    file = shelf.put(builder)
    plan = travel.repair(file, in_place=True, environment=environment)

    def fail(call: str, path: str) -> None:
        if call == "sync-folder" and path == str(file.parent) and not failed:
            failed.append(path)
            with file.open("ab") as end:
                end.write(LINE)
            raise OSError(errno.EIO, "Input/output error", path)

    failed: list[str] = []
    with pytest.raises(Exception, match="Nothing was changed"):
        travel.apply(plan, desk_in(environment.folder, fail))

    assert file.read_bytes() == builder.bytes() + LINE
    assert states(environment) == [(1, "taken back")]


@pytest.mark.parametrize("without", [errno.EXDEV, errno.EPERM])
def test_a_file_system_without_links_to_the_backups_is_served_too(
    environment: TravelEnvironment, shelf: Shelf, file: Path, client: Client, without: int
) -> None:
    before = file.read_bytes()
    other = shelf.put_bytes(session("other").user("hello").assistant("hi").bytes(), "other")
    goto(environment, file)

    def no_links(call: str, path: str) -> None:
        far = path.startswith(str(environment.folder)) or without == errno.EPERM
        if call == "link" and far:
            raise OSError(without, os.strerror(without), path)
        if call == "replace" and without == errno.EXDEV:
            client.write()

    travel.apply(travel.undo(environment=environment), desk_in(environment.folder, no_links))
    travel.apply(travel.rename(other, "One", environment=environment), later(environment))
    travel.apply(travel.rename(other, "Two", environment=environment), later(environment))

    assert file.read_bytes() == before + (LINE if without == errno.EXDEV else b"")
    assert not [path for path in file.parent.iterdir() if path.name.startswith(".")]


def test_a_line_between_our_look_and_our_write_stays_and_ours_is_found(
    environment: TravelEnvironment, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    plan = travel.goto(file, "two", environment=environment)

    def write(call: str, path: str) -> None:
        if (call, path) == ("write", str(file)):
            client.write()

    travel.apply(plan, desk_in(environment.folder, write))
    assert file.read_bytes().startswith(before + LINE + b"{")
    assert states(environment) == [(1, "done")]

    travel.apply(travel.undo(environment=environment), environment, force=True)
    assert file.read_bytes() == before + LINE


def test_a_goto_below_which_a_client_went_on_is_taken_out_where_nothing_needs_it(
    environment: TravelEnvironment, file: Path, client: Client
) -> None:
    before = file.read_bytes()
    prompt = b'{"type":"user","uuid":"n","parentUuid":null,"timestamp":"2027-01-01T00:00:00Z"}\n'

    def write(call: str, path: str) -> None:
        if (call, path) == ("sync", str(file)):
            client.write(prompt)

    with pytest.raises(Exception, match="does not read back as planned"):
        travel.apply(
            travel.goto(file, "two", environment=environment), desk_in(environment.folder, write)
        )

    assert file.read_bytes() == before + prompt
    assert states(environment) == [(1, "taken back")]


def test_a_disk_that_is_full_leaves_no_half_an_append(shelf: Shelf, tmp_path: Path) -> None:
    file = shelf.put(long_talk(session()))
    file.chmod(0o640)
    before = file.stat()
    data = file.read_bytes()

    def full_disk(call: str, path: str) -> None:
        if call == "write" and (met or path == str(file)) and "journal" not in path:
            if not met:
                with file.open("ab") as end:
                    end.write(b'{"parentU')
            met.append(path)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    met: list[str] = []
    full = desk_in(tmp_path / "data", full_disk)
    with pytest.raises(Exception, match=r"Disk full while writing the goto. Nothing was changed."):
        travel.apply(travel.goto(file, "two", environment=full), full)

    after = file.stat()
    assert file.read_bytes() == data
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert states(full) == [(1, "taken back")]


def test_a_removed_fork_whose_name_a_client_takes_anew_is_removed_all_the_same(
    environment: TravelEnvironment, file: Path
) -> None:
    plan = travel.fork(file, "two", environment=environment)
    travel.apply(plan, environment)
    fork = Path(plan.path or "")
    written = fork.read_bytes()
    seen: list[str] = []

    def write_anew(call: str, path: str) -> None:
        if call == "remove" and path == str(fork):
            seen.append(path)
        elif seen and not fork.exists():
            fork.write_bytes(LINE)

    travel.apply(travel.undo(environment=environment), desk_in(environment.folder, write_anew))
    assert fork.read_bytes() == LINE
    assert states(environment) == [(1, "undone"), (2, "done")]

    travel.apply(travel.restore(fork, environment=environment), environment, force=True)
    assert fork.read_bytes() == written + LINE
