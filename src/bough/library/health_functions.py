"""What `doctor` finds in sessions, each finding with what `repair` does about it.

Of one session that was read, and of any number of files: those are read one after the other by
a process of its own, so that a face that shows them meanwhile is not held up.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from bough.errors import BoughError
from bough.ingest.index.worker_pool import WorkerPool
from bough.model.session import Session
from bough.query.sessions.load_session import read_session
from bough.timetravel.plans.repair import list_remedies

_NICENESS = 5
"""Whoever reads a page comes first."""


class ReportedFinding(Struct, frozen=True):
    """A finding of `doctor`, and how `repair` mends it, or why it does not."""

    kind: str
    severity: str
    where: str
    message: str
    repair: str | None
    why_not: str | None


class HealthReport(Struct, frozen=True):
    """What is wrong with a session; `trouble` says why its file could not be read.

    `reachability` is the share of the conversation that a resume would see.
    """

    path: str
    session: str
    title: str
    reachability: float
    findings: tuple[ReportedFinding, ...] = ()
    trouble: str = ""


def report_health(session: Session) -> HealthReport:
    """Say what is wrong with a session that was read, and what can be done about it."""
    found = tuple(
        ReportedFinding(
            finding.kind,
            finding.severity,
            finding.where,
            finding.message,
            remedy.repair,
            remedy.why_not,
        )
        for finding, remedy in zip(session.health.findings, list_remedies(session), strict=True)
    )
    path, share = session.path or "", session.health.reachability
    return HealthReport(str(path), session.id, session.title, share, found)


def report_health_of_files(files: Iterable[Path]) -> Iterator[HealthReport]:
    """Say what is wrong with the sessions in some files, one after the other.

    Args:
        files: Their `.jsonl` files; what comes of each is given in their order.
    """
    with WorkerPool(1, _report_file, niceness=_NICENESS) as pool:
        yield from pool.map(files)


def _report_file(file: Path) -> HealthReport:
    try:
        return report_health(read_session(file))
    except BoughError as error:
        return HealthReport(str(file), file.stem, file.stem, 0.0, trouble=error.message)
