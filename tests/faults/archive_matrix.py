"""All faults at all calls of all ways in which the archive is written, beside a client.

Each trial forks a child from this warm process, arms the library there and lets it write; then
what it left is judged, the next bough comes, and it is judged again.
"""

import errno
import json
import os
import signal
import traceback
from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from bough.errors import BoughError
from tests.faults.archive_cases import ArchiveCase, ArchiveJudgement, ArchiveWorld
from tests.faults.library import Fault, FaultLibrary, FaultPlan
from tests.faults.trials import PATIENCE, READS, TAKES_SPACE, WRITES, Trial

LINE = b'{"type":"user","text":"meanwhile @@@"}\n'


def list_archive_trials(case: str, calls: list[str]) -> Iterator[Trial]:
    """List every disturbance of a way to write that makes some calls."""
    for at, call in enumerate(calls, 1):
        yield Trial(case, client_at=at, client="note")
        for client in ("", "note"):
            trial = Trial(case, at, client_at=at if client else 0, client=client)
            yield structs.replace(trial, fault=Fault.FAIL, error=errno.EIO)
            if call in READS:
                continue
            yield structs.replace(trial, fault=Fault.KILL)
            yield structs.replace(trial, fault=Fault.FAIL_ALWAYS, error=errno.EIO)
            if call in TAKES_SPACE:
                yield structs.replace(trial, fault=Fault.FAIL, error=errno.ENOSPC)
            if call in WRITES:
                for fault in (Fault.SHORT, Fault.SHORT_FULL, Fault.SHORT_KILL):
                    yield structs.replace(trial, fault=fault)


class ArchiveRunner:
    """A folder in memory, the library, and the trials run with them."""

    def __init__(self, folder: Path, library: FaultLibrary) -> None:
        self.folder = folder
        self.library = library
        self.calls: list[str] = []

    def count_calls(self, case: ArchiveCase) -> list[str]:
        """Write undisturbed and list the calls."""
        problems = self.run(case, Trial(case.name))
        if problems:
            raise AssertionError(f"{case.name} fails undisturbed: {problems}")
        return self.calls

    def run(self, case: ArchiveCase, trial: Trial) -> list[str]:
        """Run one trial; list what is wrong afterwards."""
        world = case.prepare(self.folder / "world")
        judgement = ArchiveJudgement(world)
        fault = FaultPlan(
            below=str(world.folder).encode(),
            at=trial.at,
            fault=trial.fault,
            error=trial.error,
            client_at=trial.client_at,
            client_path=str(world.file).encode(),
            client_fd=-1,
            line=LINE,
        )
        code, said = self._carry_out(case, world, fault)
        found = [f"crash: {said}"] if code in (3, -signal.SIGALRM) else []
        # A line that came meanwhile may be taken by the next run alone.
        is_all_said = code == 0 and not trial.client
        found += judgement.judge_end(json.loads(said) if is_all_said else None)
        return found or judgement.judge_next_run()

    def _carry_out(
        self, case: ArchiveCase, world: ArchiveWorld, fault: FaultPlan
    ) -> tuple[int, str]:
        self.library.reset()
        said = self.folder / "said"
        said.write_text("")
        child = os.fork()
        if child == 0:
            self._be_child(case, world, fault, said)
        _, status = os.waitpid(child, 0)
        self.calls = self.library.report.list_names()
        return os.waitstatus_to_exitcode(status), said.read_text()

    def _be_child(
        self, case: ArchiveCase, world: ArchiveWorld, fault: FaultPlan, said: Path
    ) -> None:
        code, message = 0, ""
        signal.alarm(PATIENCE)
        try:
            self.library.arm(fault)
            message = json.dumps(case.carry_out(world))
        except BoughError as error:
            code, message = 1, error.message
        except BaseException:  # noqa: BLE001 - a child must not go on as its parent
            code, message = 3, traceback.format_exc(limit=-3)
        self.library.disarm()
        said.write_text(message)
        os._exit(code)
