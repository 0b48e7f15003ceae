"""Every operation that writes, on a small history, ready to be disturbed."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bough.archive.intake.take_in import take_in
from bough.archive.storage.archive_finder import ArchiveFinder
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.files.byte_source import DISK, FinderChain
from bough.files.discover import encode_cwd
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.apply import carry_over_late, recover_stopped
from bough.timetravel.disk import Disk, DiskObserver
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.execution.lock import hold_lock
from bough.timetravel.plan import Plan
from tests.unit.timetravel.making import Shelf, long_talk

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)

WHOLE = long_talk(session()).bytes()
DAMAGED = long_talk(session()).amend("three", parentUuid="nowhere").bytes()
OTHER = session("other").user("hello").assistant("hi").bytes()


class Stopped(BaseException):
    """Stand for the death of a process."""


class World:
    """A Claude folder with two sessions, a data folder, and a clock that goes on when told."""

    def __init__(self, folder: Path, data: bytes) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder
        self.shelf = Shelf(folder / ".claude")
        self.projects = self.shelf.folder / "projects"
        self.file = self.shelf.put_bytes(data)
        self.other = self.shelf.put_bytes(OTHER, "other")
        self.hours = 0
        self.archive = ArchiveFolder(folder / "archive")
        self.environment = self.open()

    def open(self, watch: DiskObserver | None = None) -> TravelEnvironment:
        """Make an environment as a new process has it, an hour later; nobody waits in it."""
        self.hours += 1
        now = NOON + timedelta(hours=self.hours)
        return TravelEnvironment(
            self.folder / "data",
            disk=Disk(watch),
            clock=lambda: now,
            sleep=lambda _: None,
            sources=FinderChain((DISK, ArchiveFinder(str(self.archive.path)))),
            archive=self.archive.path,
        )

    def apply(self, plan: Plan) -> Plan:
        """Carry out a plan undisturbed."""
        travel.apply(plan, self.open(), force=True)
        return plan

    def read_sessions(self) -> dict[str, bytes]:
        """Read every session there is."""
        return {str(path): path.read_bytes() for path in sorted(self.projects.rglob("*.jsonl"))}

    def list_states(self) -> dict[int, tuple[str, str]]:
        """Read the state and the reason of every operation from the journal's own lines."""
        states: dict[int, tuple[str, str]] = {}
        journal = self.folder / "data" / "journal.jsonl"
        lines = journal.read_bytes().split(b"\n") if journal.exists() else []
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event["type"] == "begin":
                states[event["number"]] = ("unfinished", "")
            elif event["number"] in states:
                states[event["number"]] = (event["outcome"], event.get("reason", ""))
        return states


class Case:
    """An operation: what leads to it, its plan, and how it is carried out."""

    def __init__(
        self,
        name: str,
        make_plan: Callable[[World], Plan],
        data: bytes = WHOLE,
        carry_out: Callable[[World, Plan], object] | None = None,
        prepare: Callable[[World, Plan], object] | None = None,
    ) -> None:
        self.name = name
        self.make_plan = make_plan
        self.data = data
        self.carry_out = carry_out or _apply_plan
        self.prepare = prepare


def _apply_plan(world: World, plan: Plan) -> None:
    travel.apply(plan, world.environment, force=True)


def _recover(world: World, _plan: Plan) -> None:
    environment = world.environment
    with hold_lock(environment.folder, environment.disk):
        recover_stopped(environment)
        carry_over_late(environment)


def _stop_behind(call: str, name: str) -> Callable[[World, Plan], None]:
    """Let an operation die right behind a call to a file."""

    def prepare(world: World, plan: Plan) -> None:
        met: list[str] = []

        def watch(what: str, path: str) -> None:
            if met:
                raise Stopped
            if what == call and Path(path).name.endswith(name):
                met.append(path)

        try:
            travel.apply(plan, world.open(watch), force=True)
        except Stopped:
            return
        raise AssertionError("it never came there")

    return prepare


def _stop_half_way(world: World, plan: Plan) -> None:
    """Let an append die half way."""
    met: list[str] = []

    def watch(call: str, path: str) -> None:
        if not met and call == "write" and path == str(world.file):
            data = getattr(plan.steps[0], "data", b"")
            with world.file.open("ab") as end:
                end.write(data[: len(data) // 2])
            met.append(path)
        if met:
            raise Stopped

    try:
        travel.apply(plan, world.open(watch), force=True)
    except Stopped:
        return
    raise AssertionError("it never came there")


def _fork(world: World) -> Plan:
    return travel.fork(world.file, "two", environment=world.environment)


def _fork_elsewhere(world: World) -> Plan:
    return travel.fork(world.file, "two", cwd=world.folder, environment=world.environment)


def _goto(world: World) -> Plan:
    return travel.goto(world.file, "two", force=True, environment=world.environment)


def _rename(world: World) -> Plan:
    return travel.rename(world.file, "New", force=True, environment=world.environment)


def _repair(world: World) -> Plan:
    return travel.repair(world.file, in_place=True, force=True, environment=world.environment)


def _repair_copy(world: World) -> Plan:
    return travel.repair(world.file, environment=world.environment)


def _move(world: World) -> Plan:
    (world.folder / "new").mkdir()
    return travel.move(world.file.parent, world.folder / "new")


def _move_among(world: World) -> Plan:
    (world.folder / "new").mkdir()
    there = world.projects / encode_cwd(str(world.folder / "new"))
    there.mkdir()
    (there / "third.jsonl").write_bytes(OTHER)
    return travel.move(world.file.parent, world.folder / "new")


def _undo(number: int | None = None, *before: Callable[[World], Plan]) -> Callable[[World], Plan]:
    """Undo an operation after others."""

    def make_plan(world: World) -> Plan:
        for made in before:
            world.apply(made(world))
        return travel.undo(number, environment=world.environment)

    return make_plan


def _restore(world: World) -> Plan:
    world.apply(_goto(world))
    world.apply(_rename(world))
    return travel.restore(world.file, environment=world.environment)


def _restore_gone(world: World) -> Plan:
    world.apply(_goto(world))
    world.file.unlink()
    return travel.restore(world.file, environment=world.environment)


def _restore_archived(world: World) -> Plan:
    agent = world.file.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(OTHER)
    take_in(world.archive, [world.shelf.folder])
    shutil.rmtree(agent.parents[1])
    world.file.unlink()
    return travel.restore(world.file, environment=world.environment)


CASES = (
    Case("fork", _fork),
    Case("fork elsewhere", _fork_elsewhere),
    Case("goto", _goto),
    Case("branch", lambda world: travel.branch(world.file, "two", environment=world.environment)),
    Case("rename", _rename),
    Case("move", _move),
    Case("move into a folder", _move_among),
    Case("repair copy", _repair_copy, DAMAGED),
    Case("repair in place", _repair, DAMAGED),
    Case("undo of fork", _undo(None, _fork)),
    Case("undo of fork elsewhere", _undo(None, _fork_elsewhere)),
    Case("undo of goto", _undo(None, _goto)),
    Case("undo of goto below rename", _undo(1, _goto, _rename)),
    Case("undo of repair", _undo(None, _repair), DAMAGED),
    Case("undo of move", _undo(None, _move)),
    Case("undo of move into a folder", _undo(None, _move_among)),
    Case("undo of undo of fork", _undo(2, _fork, _undo())),
    Case("undo of undo of goto", _undo(2, _goto, _undo())),
    Case("undo of undo of repair", _undo(2, _repair, _undo()), DAMAGED),
    Case("restore", _restore),
    Case("restore of what is gone", _restore_gone),
    Case("restore from the archive", _restore_archived),
    Case("undo of restore from the archive", _undo(None, _restore_archived)),
    Case("recovery behind a rename", _repair, DAMAGED, _recover, _stop_behind("replace", "jsonl")),
    Case("recovery before a rename", _repair, DAMAGED, _recover, _stop_behind("link", ".old")),
    Case("recovery of half an append", _goto, WHOLE, _recover, _stop_half_way),
)  # fmt: skip
