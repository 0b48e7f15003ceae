"""The one way in: whatever changed on disk goes into the index.

Listing tells which files changed; only their new bytes are read. Where nothing changed,
which is nearly always, nothing but the listing is loaded and done.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.files.directory import Problem
from bough.files.discover import discover_projects
from bough.ingest.index.work_plan import WorkPlan, is_unchanged, plan_projects, plan_work

if TYPE_CHECKING:
    from bough.store.protocol import Store

Progress = Callable[[int, int], None]
_FEW = 20
"""So many files are read without workers."""
_NOTHING = WorkPlan((), (), (), ())


class RefreshReport(Struct):
    """What a refresh did; `changed` are the files that it read or found gone."""

    files: int = 0
    bytes: int = 0
    deleted: int = 0
    changed: list[str] = []
    problems: list[Problem] = []


def refresh_index(
    store: "Store",
    folders: Sequence[Path],
    *,
    progress: Progress | None = None,
    workers: int | None = None,
) -> RefreshReport:
    """Bring the index up to date with the files below these Claude folders."""
    report = RefreshReport()
    state = store.state()
    looked = _look_for_work(store, folders, report)
    if looked is not None and looked.is_empty:
        return report
    # Reading takes most of the package; a question to an index that is current needs none.
    from bough.ingest.index.refresh_run import RefreshRun  # noqa: PLC0415

    with store.writing() as writer:
        # Another process may have been at work since we looked.
        if looked is None or store.state() != state:
            looked = plan_work(folders, store.states())
        work = looked
        report.changed = [
            *(task.found.path for task in work.tasks),
            *(state.path for state in work.gone),
        ]
        RefreshRun(store, writer, work, report, progress).run_tasks(workers)
    return report


def _look_for_work(
    store: "Store", folders: Sequence[Path], report: RefreshReport
) -> WorkPlan | None:
    """Tell what there is to do, and note what could not be listed; None where it is much.

    The listing is let go again then: workers would begin with a copy of it.
    """
    projects = [
        project for folder in folders for project in discover_projects(folder, DISK_THEN_ARCHIVE)
    ]
    report.problems = [problem for project in projects for problem in project.problems]
    if not store.is_complete():
        return None
    if is_unchanged(projects, store.stamps()):
        return _NOTHING
    below = [folder / "projects" for folder in folders]
    work = plan_projects(projects, below, store.states())
    return work if len(work.tasks) <= _FEW else None
