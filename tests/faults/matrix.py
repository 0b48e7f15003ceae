"""All faults at all calls of all operations, with and without a client that writes meanwhile.

Each trial forks a child from this warm process, arms the library there and carries out one
operation; then the next bough recovers, and what is on the disk is judged.
"""

import argparse
import errno
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, TextIO, TypeVar

from msgspec import structs

from bough.errors import BoughError
from bough.timetravel.apply import carry_over_late, recover_stopped
from bough.timetravel.execution.lock import hold_lock
from bough.timetravel.plan import Append, Create, Move, Plan, Remove, Replace
from tests.faults.archive_cases import ARCHIVE_CASES, ArchiveCase
from tests.faults.archive_matrix import ArchiveRunner, list_archive_trials
from tests.faults.cases import CASES, Case, World
from tests.faults.judge import Judgement
from tests.faults.library import Fault, FaultLibrary, FaultPlan
from tests.faults.trials import PATIENCE, READS, TAKES_SPACE, WRITES, Trial

SHOWN = 20


NUMBER = b"@@@"
"""Where the library puts the number of a client's line."""

NOTE = b'{"type":"mode","mode":"%s"}\n'
PROMPT = (
    b'{"type":"user","uuid":"c%s","parentUuid":"%s","timestamp":"2026-06-02T12:00:00.000Z",'
    b'"sessionId":"s","message":{"role":"user","content":"meanwhile"}}\n'
)


def list_trials(case: str, calls: list[str]) -> Iterator[Trial]:
    """List every disturbance of an operation that makes some calls."""
    for at, call in enumerate(calls, 1):
        reads = call in READS
        for how in ("note", "prompt", "fd", "new", *(() if reads else ("busy", "busy fd"))):
            yield Trial(case, client_at=at, client=how)
        for client in ("", "note") if reads else ("", "note", "prompt", "fd"):
            trial = Trial(case, at, client_at=at if client else 0, client=client)
            yield structs.replace(trial, fault=Fault.FAIL, error=errno.EIO)
            if not reads:
                yield structs.replace(trial, fault=Fault.KILL)
                yield from _list_write_faults(trial, call)
        if not reads:
            yield from _list_late_trials(Trial(case, at))
    yield from (Trial(case, late=how) for how in ("note", "fd"))


def _list_write_faults(trial: Trial, call: str) -> Iterator[Trial]:
    """List what can happen to a call that writes only."""
    if call in TAKES_SPACE and trial.client in ("", "fd"):
        yield structs.replace(trial, fault=Fault.FAIL, error=errno.ENOSPC)
    if call == "link":
        yield structs.replace(trial, fault=Fault.FAIL, error=errno.EXDEV)
    if call in WRITES:
        for fault in (Fault.SHORT, Fault.SHORT_FULL, Fault.SHORT_KILL):
            yield structs.replace(trial, fault=fault)
    if trial.client in ("", "note"):
        yield structs.replace(trial, fault=Fault.FAIL_ALWAYS, error=errno.EIO)


def _list_late_trials(trial: Trial) -> Iterator[Trial]:
    """List faults after which a client writes before the next bough comes."""
    for how in ("note", "fd"):
        yield structs.replace(trial, fault=Fault.KILL, late=how)
    yield structs.replace(trial, fault=Fault.FAIL_ALWAYS, error=errno.EIO, late="fd")


CaseT = TypeVar("CaseT", Case, ArchiveCase)
CaseT_contra = TypeVar("CaseT_contra", contravariant=True)


class CaseRunner(Protocol[CaseT_contra]):
    """Runs trials of cases of one sort; `calls` are those of the last one."""

    calls: list[str]

    def count_calls(self, case: CaseT_contra) -> list[str]:
        """Carry a case out undisturbed and list its calls."""

    def run(self, case: CaseT_contra, trial: Trial) -> list[str]:
        """Run one trial; list what is wrong afterwards."""


class Runner:
    """A folder in memory, the library, and the trials run with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = FaultLibrary()
        self.calls: list[str] = []

    def count_calls(self, case: Case) -> list[str]:
        """Carry an operation out undisturbed and list its calls."""
        problems = self.run(case, Trial(case.name))
        if problems:
            raise AssertionError(f"{case.name} fails undisturbed: {problems}")
        return self.calls

    def run(self, case: Case, trial: Trial) -> list[str]:
        """Run one trial; list what is wrong afterwards."""
        world = World(self.folder / "world", case.data)
        plan = case.make_plan(world)
        before = world.read_sessions()
        judgement = Judgement(world, plan, before, max(world.list_states(), default=0) + 1)
        place, elsewhere = find_places(plan, world)
        through = os.open(place, os.O_WRONLY | os.O_APPEND) if Path(place).exists() else -1
        if case.prepare is not None:
            case.prepare(world, plan)
        line = make_line(trial.client or "note", world.file, NUMBER)
        code, message = self._carry_out(
            case, world, plan, make_fault(trial, world, place, elsewhere, through, line)
        )
        judgement.lines += [
            line.replace(NUMBER, b"%d" % (count + 1))
            for count in range(self.library.report.appended)
        ]
        problems = judgement.judge_end(code, message) if case.prepare is None else []
        problems += ["crash: it never ended"] if code == -signal.SIGALRM else []
        if trial.late:
            judgement.lines += append_late(trial.late, place, elsewhere, through)
        if through >= 0:
            os.close(through)
        problems += self._recover(world)
        problems += judgement.judge_journal() + judgement.judge_bytes()
        return problems or judgement.judge_way_back(case.data)

    def _carry_out(self, case: Case, world: World, plan: Plan, fault: FaultPlan) -> tuple[int, str]:
        self.library.reset()
        said = self.folder / "said"
        said.write_text("")
        child = os.fork()
        if child == 0:
            self._be_child(case, world, plan, fault, said)
        _, status = os.waitpid(child, 0)
        self.calls = self.library.report.list_names()
        return os.waitstatus_to_exitcode(status), said.read_text()

    def _be_child(self, case: Case, world: World, plan: Plan, fault: FaultPlan, said: Path) -> None:
        code, message = 0, ""
        signal.alarm(PATIENCE)
        try:
            self.library.arm(fault)
            case.carry_out(world, plan)
        except BoughError as error:
            code, message = 1, error.message
        except OSError as error:
            code, message = 2 if case.prepare is not None else 3, str(error)
        except BaseException:  # noqa: BLE001 - a child must not go on as its parent
            code, message = 3, traceback.format_exc()
        self.library.disarm()
        said.write_text(message)
        os._exit(code)

    def _recover(self, world: World) -> list[str]:
        environment = world.open()
        try:
            environment.make_folders()
            with hold_lock(environment.folder, environment.disk):
                recover_stopped(environment)
                carry_over_late(environment)
        except (BoughError, OSError) as error:
            return [f"no recovery: {error!r}"]
        return []


def find_places(plan: Plan, world: World) -> tuple[str, str]:
    """Find the file a client writes to, and where it will be."""
    for step in plan.steps:
        if isinstance(step, Create | Append | Replace | Remove):
            return step.path, ""
        if isinstance(step, Move):
            here = next(path for path in world.read_sessions() if path.startswith(step.path))
            return here, str(Path(step.target, Path(here).relative_to(step.path)))
    raise AssertionError("a plan without files")


def make_line(kind: str, file: Path, number: bytes) -> bytes:
    """Make a line that no session has."""
    if kind != "prompt":
        return NOTE % number
    data = file.read_bytes().splitlines() if file.exists() else []
    last = next((json.loads(one) for one in reversed(data) if b'"uuid"' in one), {"uuid": "x"})
    return PROMPT % (number, last["uuid"].encode())


def make_fault(
    trial: Trial, world: World, place: str, elsewhere: str, through: int, line: bytes
) -> FaultPlan:
    """Tell the library what to do."""
    open_already = trial.client.endswith("fd")
    without_file = open_already and through < 0
    return FaultPlan(
        below=str(world.folder).encode(),
        at=trial.at,
        fault=trial.fault,
        error=trial.error,
        client_at=0 if without_file else trial.client_at,
        client_path=place.encode(),
        client_other=elsewhere.encode(),
        client_every=trial.client.startswith("busy"),
        client_fd=through if open_already else -1,
        client_creates=trial.client == "new",
        line=line,
    )


def append_late(how: str, place: str, elsewhere: str, through: int) -> list[bytes]:
    """Append a line after the operation has ended or died."""
    line = NOTE % b"late"
    if how == "fd":
        return [line] if through >= 0 and os.write(through, line) else []
    path = next((path for path in (place, elsewhere) if path and Path(path).exists()), None)
    if path is None:
        return []
    with Path(path).open("ab") as end:
        end.write(line)
    return [line]


def work(folder: Path, share: int, of: int, names: list[str], out: Path) -> None:
    """Run this worker's share of all trials."""
    # What belongs to the person who runs this is not touched.
    os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = str(folder)
    runner = Runner(folder)
    archive_runner = ArchiveRunner(folder, runner.library)
    with out.open("w") as file:
        for case in CASES:
            if not names or case.name in names:
                run_case(file, runner, case, list_trials, slice(share, None, of))
        for archived in ARCHIVE_CASES:
            if not names or archived.name in names:
                run_case(
                    file, archive_runner, archived, list_archive_trials, slice(share, None, of)
                )


def run_case(
    file: TextIO,
    runner: CaseRunner[CaseT],
    case: CaseT,
    list_all: Callable[[str, list[str]], Iterator[Trial]],
    share: slice,
) -> None:
    """Run a share of the trials of one case, and write down what is wrong."""
    calls = runner.count_calls(case)
    trials = list(dict.fromkeys(list_all(case.name, calls)))[share]
    for trial in trials:
        for problem in runner.run(case, trial):
            row = {"trial": trial.describe(), "problem": problem, "calls": runner.calls}
            file.write(json.dumps(row) + "\n")
    file.write(json.dumps({"case": case.name, "calls": len(calls)}) + "\n")
    file.write(json.dumps({"done": case.name, "trials": len(trials)}) + "\n")
    file.flush()


def main() -> int:
    """Run everything, print the figures, fail where one is not 0."""
    parser = argparse.ArgumentParser(prog="make test-faults", description=__doc__)
    parser.add_argument("cases", nargs="*", help="only these operations")
    parser.add_argument("--workers", type=int, default=min(4, os.cpu_count() or 1))
    given = parser.parse_args()
    started = time.monotonic()
    memory = Path("/dev/shm")
    base = Path(tempfile.mkdtemp(prefix="bough-faults-", dir=memory if memory.is_dir() else None))
    try:
        children = []
        for share in range(given.workers):
            child = os.fork()
            if child == 0:
                folder = base / str(share)
                folder.mkdir()
                try:
                    work(folder, share, given.workers, given.cases, base / f"{share}.out")
                except BaseException:  # noqa: BLE001 - a child must not go on as its parent
                    traceback.print_exc()
                    os._exit(1)
                os._exit(0)
            children.append(child)
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        rows = [json.loads(line) for out in base.glob("*.out") for line in out.open()]
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return report(rows, time.monotonic() - started) or max(codes)


def report(rows: list[dict[str, object]], seconds: float) -> int:
    """Print a line for each operation, and what is wrong."""
    calls = {str(row["case"]): row["calls"] for row in rows if "case" in row}
    trials: Counter[str] = Counter()
    for row in rows:
        if "done" in row:
            trials[str(row["done"])] += int(str(row["trials"]))
    bad = [row for row in rows if "problem" in row]
    kinds = Counter(str(row["problem"]).split(":")[0] for row in bad)
    wrong = Counter(str(row["trial"]).split(":")[0] for row in bad)
    write = sys.stdout.write
    write(f"{'operation':<30}{'calls':>6}{'trials':>8}{'wrong':>7}\n")
    for name, count in trials.items():
        write(f"{name:<30}{calls[name]:>6}{count:>8}{wrong[name]:>7}\n")
    write(f"{'all':<30}{'':>6}{trials.total():>8}{len(bad):>7}   in {seconds:.0f} s\n")
    write(
        f"bytes lost: {kinds.pop('lost', 0)}, false states: {kinds.pop('lie', 0)}, "
        f"no way back: {kinds.pop('no way back', 0)}, other: {kinds.total()}\n"
    )
    for row in bad[:SHOWN]:
        write(f"  {row['trial']}: {row['problem']}\n")
    return 1 if bad or not trials else 0


if __name__ == "__main__":
    sys.exit(main())
