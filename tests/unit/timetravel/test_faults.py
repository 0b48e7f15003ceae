"""Whatever fails, and wherever the process dies: a file is as before or as planned."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bough.errors import BoughError
from bough.files.discover import encode_cwd
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.apply import recover_stopped
from bough.timetravel.disk import DiskObserver
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import CannotWrite
from bough.timetravel.plan import Append, MakeFolder, Plan
from tests.sampled import mark_rest_whole
from tests.unit.timetravel.making import Shelf, desk_in, long_talk

pytestmark = pytest.mark.slow

MOST = 200
"""More system calls than any operation makes."""

Wish = Callable[[Path, TravelEnvironment], Plan]


def _move(file: Path, environment: TravelEnvironment) -> Plan:
    project = file.parent.parent.parent.parent / "new place"
    project.mkdir(exist_ok=True)
    (file.parent.parent / "-taken").mkdir(exist_ok=True)
    return travel.move(file.parent, project)


def _undo_fork(file: Path, environment: TravelEnvironment) -> Plan:
    quiet = desk_in(environment.folder)
    travel.apply(travel.fork(file, "two", environment=quiet), quiet)
    return travel.undo(environment=environment)


def _undo_goto(file: Path, environment: TravelEnvironment) -> Plan:
    quiet = desk_in(environment.folder)
    travel.apply(travel.goto(file, "two", environment=quiet), quiet)
    return travel.undo(environment=environment)


WISHES: dict[str, Wish] = {
    "fork": lambda file, desk: travel.fork(file, "two", environment=desk),
    "fork elsewhere": lambda file, desk: travel.fork(
        file, "two", cwd=file.parent.parent.parent.parent, environment=desk
    ),
    "goto": lambda file, desk: travel.goto(file, "two", environment=desk),
    "rename": lambda file, desk: travel.rename(file, "New", environment=desk),
    "repair in place": lambda file, desk: travel.repair(file, in_place=True, environment=desk),
    "move": _move,
    "undo of a fork": _undo_fork,
    "undo of a goto": _undo_goto,
}


class Stopped(BaseException):
    """The process died: nothing it would do afterwards happens."""


class Failing:
    """Let one call fail, with an error or with the end of the process."""

    def __init__(self, at: int, how: str, again: bool = False) -> None:
        self.at = at
        self.how = how
        self.again = again
        self.calls: list[str] = []

    def __call__(self, call: str, path: str) -> None:
        self.calls.append(call)
        count = len(self.calls)
        hit = count == self.at or (self.again and count > self.at)
        if self.how == "stop" and count >= self.at:
            raise Stopped
        if hit and self.how == "full":
            raise OSError(28, "No space left on device", path)
        if hit and self.how == "error":
            raise OSError(5, "Input/output error", path)

    @property
    def was_reached(self) -> bool:
        return len(self.calls) >= self.at


def book_for(wish: str) -> bytes:
    builder = long_talk(session())
    if wish == "repair in place":
        builder = builder.amend("three", parentUuid="nowhere")
    return builder.bytes()


def everything(folder: Path) -> dict[str, bytes]:
    """Read every file there is and name every folder, wherever the whole lies."""
    here = str(folder.parent)
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder)).replace(encode_cwd(here), "HERE")
        data = b"" if path.is_dir() else path.read_bytes()
        found[name] = data.replace(here.encode(), b"HERE")
    return found


def as_a_client_sees(found: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out what no client looks at: our unfinished files."""
    return {name: data for name, data in found.items() if not name.endswith(".tmp")}


class World:
    """A Claude folder, and what it looks like before and after a wish."""

    def __init__(self, tmp_path: Path, wish: str) -> None:
        self.wish = wish
        self.shelf = Shelf(tmp_path / ".claude")
        self.data = tmp_path / "data"
        self.file = self.shelf.put_bytes(book_for(wish))

    def attempt(
        self, watch: DiskObserver | None = None
    ) -> tuple[dict[str, bytes], Plan, TravelEnvironment]:
        environment = desk_in(self.data, watch)
        quiet = desk_in(self.data)
        plan = WISHES[self.wish](self.file, quiet)
        return everything(self.shelf.folder), plan, environment


def planned(tmp_path: Path, wish: str) -> dict[str, bytes]:
    """Carry out a wish where nothing fails."""
    world = World(tmp_path, wish)
    _, plan, environment = world.attempt()
    travel.apply(plan, environment)
    return everything(world.shelf.folder)


def calls_of(tmp_path: Path, wish: str) -> int:
    world = World(tmp_path, wish)
    disk = Failing(MOST, "none")
    _, plan, environment = world.attempt(disk)
    travel.apply(plan, environment)
    return len(disk.calls)


@pytest.mark.parametrize("how", ["error", "full"])
@pytest.mark.parametrize("wish", WISHES)
def test_a_call_that_fails_leaves_everything_as_it_was(tmp_path: Path, wish: str, how: str) -> None:
    for at in range(1, calls_of(tmp_path / "count", wish) + 1):
        world = World(tmp_path / str(at), wish)
        disk = Failing(at, how)
        before, plan, environment = world.attempt(disk)

        with pytest.raises(BoughError) as refusal:
            travel.apply(plan, environment)

        assert everything(world.shelf.folder) == before, (at, disk.calls)
        assert "Nothing was changed" in refusal.value.message
        assert disk.was_reached


@pytest.mark.parametrize("wish", WISHES)
def test_a_stop_at_any_call_leaves_each_file_as_before_or_as_planned(
    tmp_path: Path, wish: str
) -> None:
    count = calls_of(tmp_path / "count", wish)
    after = planned(tmp_path / "planned", wish)
    for at in range(1, count + 1):
        world = World(tmp_path / str(at), wish)
        before, plan, environment = world.attempt(Failing(at, "stop"))

        with pytest.raises(Stopped):
            travel.apply(plan, environment)

        left = as_a_client_sees(everything(world.shelf.folder))
        for name, data in left.items():
            assert data in (before.get(name), after.get(name)), (at, name)
        fresh = desk_in(world.data)
        fresh.make_folders()
        recover_stopped(fresh)
        assert everything(world.shelf.folder) in (before, after), at
        assert "unfinished" not in [op.state for op in travel.list_operations(fresh)]


@pytest.mark.parametrize("wish", WISHES)
def test_after_a_stop_everything_can_be_undone(tmp_path: Path, wish: str) -> None:
    count = calls_of(tmp_path / "count", wish)
    for at in range(1, count + 1):
        world = World(tmp_path / str(at), wish)
        before, plan, environment = world.attempt(Failing(at, "stop"))
        with pytest.raises(Stopped):
            travel.apply(plan, environment)

        fresh = desk_in(world.data)
        fresh.make_folders()
        recover_stopped(fresh)
        last = travel.list_operations(fresh)[0] if travel.list_operations(fresh) else None
        if last is not None and last.state == "done" and everything(world.shelf.folder) != before:
            travel.apply(travel.undo(last.number, environment=fresh), fresh)

        assert everything(world.shelf.folder) == before, at


@pytest.mark.parametrize("wish", WISHES)
def test_a_disk_that_stays_broken_leaves_the_rest_to_the_next_bough(
    tmp_path: Path, wish: str
) -> None:
    count = calls_of(tmp_path / "count", wish)
    after = planned(tmp_path / "planned", wish)
    for at in range(1, count + 1):
        world = World(tmp_path / str(at), wish)
        before, plan, environment = world.attempt(Failing(at, "error", again=True))

        with pytest.raises(BoughError):
            travel.apply(plan, environment)

        fresh = desk_in(world.data)
        fresh.make_folders()
        recover_stopped(fresh)
        assert everything(world.shelf.folder) in (before, after), at


class Torn:
    """Let an append stop half way: some bytes get to the file, then something happens."""

    def __init__(self, file: Path, half: bytes, then: BaseException) -> None:
        self.file = file
        self.half = half
        self.then = then
        self.happened = False

    def __call__(self, call: str, path: str) -> None:
        if self.happened and isinstance(self.then, Stopped):
            raise Stopped
        if path == str(self.file) and call == "write" and not self.happened:
            with self.file.open("ab") as end:
                end.write(self.half)
            self.happened = True
            raise self.then


def first_half(plan: Plan) -> bytes:
    [step] = plan.steps
    assert isinstance(step, Append)
    return step.data[:40]


@pytest.mark.parametrize("loss", ["gone", "damaged"])
def test_a_stop_after_a_replace_without_its_backup_leaves_the_new_file(
    tmp_path: Path, loss: str
) -> None:
    world = World(tmp_path, "repair in place")
    replaced: list[str] = []

    def dies_after_the_replace(call: str, path: str) -> None:
        if replaced:
            raise Stopped
        if call == "replace":
            replaced.append(path)

    _, plan, environment = world.attempt(dies_after_the_replace)
    worse = msgspec.structs.replace(plan, steps=(*plan.steps, MakeFolder(str(world.file))))
    with pytest.raises(Stopped):
        travel.apply(worse, environment)
    for path in (environment.backups / "1").glob("*.old"):
        path.unlink()
    [backup] = (environment.backups / "1").iterdir()
    backup.unlink() if loss == "gone" else backup.write_bytes(b"x")
    left = world.file.read_bytes()

    recover_stopped(desk_in(world.data))

    assert world.file.read_bytes() == left
    assert travel.list_operations(environment)[0].state == "abandoned"


def test_a_fork_that_went_on_after_a_stop_counts_as_done(tmp_path: Path) -> None:
    def dies_at_the_end(call: str, path: str) -> None:
        if call == "remove":
            raise Stopped

    world = World(tmp_path, "fork")
    _, plan, environment = world.attempt(dies_at_the_end)
    with pytest.raises(Stopped):
        travel.apply(plan, environment)
    with Path(plan.path or "").open("ab") as end:
        end.write(b'{"type":"mode"}\n')

    recover_stopped(desk_in(world.data))

    assert travel.list_operations(environment)[0].state == "done"
    assert Path(plan.path or "").read_bytes().endswith(b'{"type":"mode"}\n')
    assert not any(path.suffix == ".tmp" for path in world.file.parent.iterdir())


@pytest.mark.parametrize("wish", ["repair in place", "undo of a goto"])
def test_what_went_on_after_a_stop_behind_the_rename_is_done_and_can_be_undone(
    tmp_path: Path, wish: str
) -> None:
    theirs = b'{"type":"mode"}\n'
    after = planned(tmp_path / "planned", wish)
    world = World(tmp_path, wish)
    before, plan, environment = world.attempt(_dies_behind("replace"))
    with pytest.raises(Stopped):
        travel.apply(plan, environment)
    with world.file.open("ab") as end:
        end.write(theirs)

    fresh = desk_in(world.data)
    recover_stopped(fresh)

    name = "projects/-p/s.jsonl"
    number = travel.list_operations(fresh)[0].number
    assert travel.list_operations(fresh)[0].state == "done"
    assert everything(world.shelf.folder)[name] == after[name] + theirs
    travel.apply(travel.undo(number, environment=fresh), fresh, force=True)
    assert everything(world.shelf.folder)[name] == before[name] + theirs


def test_a_file_that_is_neither_as_before_nor_as_planned_is_left_and_its_backup_named(
    tmp_path: Path,
) -> None:
    world = World(tmp_path, "repair in place")
    _, plan, environment = world.attempt(_dies_behind("replace"))
    with pytest.raises(Stopped):
        travel.apply(plan, environment)
    world.file.write_bytes(b"{}\n")

    fresh = desk_in(world.data)
    recover_stopped(fresh)

    [operation] = travel.list_operations(fresh)
    assert world.file.read_bytes() == b"{}\n"
    assert operation.state == "abandoned"
    assert str(fresh.backups / "1" / "0-s.jsonl") in operation.reason


def _dies_behind(what: str) -> DiskObserver:
    met: list[str] = []

    def watch(call: str, path: str) -> None:
        if met:
            raise Stopped
        if call == what:
            met.append(path)

    return watch


def test_half_an_append_is_cut_off_again(tmp_path: Path) -> None:
    world = World(tmp_path, "goto")
    before, plan, _ = world.attempt()
    time = world.file.stat().st_mtime_ns
    full = OSError(28, "No space left on device")

    with pytest.raises(CannotWrite) as refusal:
        travel.apply(plan, desk_in(world.data, Torn(world.file, first_half(plan), full)))

    assert refusal.value.message == "Disk full while writing the goto. Nothing was changed."
    assert everything(world.shelf.folder) == before
    assert world.file.stat().st_mtime_ns == time


def test_half_an_append_is_cut_off_after_a_stop(tmp_path: Path) -> None:
    world = World(tmp_path, "goto")
    before, plan, _ = world.attempt()
    with pytest.raises(Stopped):
        travel.apply(plan, desk_in(world.data, Torn(world.file, first_half(plan), Stopped())))
    assert everything(world.shelf.folder) != before

    recover_stopped(desk_in(world.data))

    assert everything(world.shelf.folder) == before


def test_what_another_wrote_after_half_an_append_is_never_cut_off(tmp_path: Path) -> None:
    world = World(tmp_path, "goto")
    before, plan, _ = world.attempt()
    theirs = b'\n{"type":"mode"}\n'
    broken = OSError(5, "Input/output error")
    environment = desk_in(world.data, Torn(world.file, first_half(plan) + theirs, broken))

    with pytest.raises(CannotWrite, match="could not be taken back"):
        travel.apply(plan, environment)
    recover_stopped(desk_in(world.data))

    now = world.file.read_bytes()
    assert now.startswith(before["projects/-p/s.jsonl"])
    assert now.endswith(theirs)
    assert travel.list_operations(environment)[0].state == "abandoned"


KILL = textwrap.dedent(
    """
    import os, signal, sys
    from pathlib import Path
    from bough.timetravel import operations as travel
    from tests.unit.timetravel.making import desk_in

    calls = []
    def deadly(call, path):
        calls.append(call)
        if len(calls) == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)

    desk = desk_in(Path(sys.argv[2]), deadly)
    travel.apply(travel.goto(sys.argv[1], "two", environment=desk_in(Path(sys.argv[2]))), desk)
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize(
    "at", mark_rest_whole([3, 6, 9, 12, 14, 15, 16, 17, 18], {3, 9, 14, 16, 18})
)
def test_a_process_that_is_killed_leaves_the_file_as_before_or_as_planned(
    tmp_path: Path, at: int, root: Path
) -> None:
    after = planned(tmp_path / "planned", "goto")
    world = World(tmp_path, "goto")
    before = everything(world.shelf.folder)

    done = subprocess.run(
        [sys.executable, "-c", KILL, str(world.file), str(world.data), str(at)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )

    assert done.returncode == -9
    fresh = desk_in(world.data)
    fresh.make_folders()
    recover_stopped(fresh)
    assert everything(world.shelf.folder) in (before, after)
