"""The one way in: whatever changed on disk goes into the index.

Listing tells which files changed; only their new bytes are read. Where nothing changed,
which is nearly always, nothing but the listing is loaded and done.
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.files.directory import Problem
from bough.files.discover import ProjectFiles, discover_projects
from bough.ingest.index.history_snapshot import is_snapshot_current, take_snapshot
from bough.ingest.index.work_plan import WorkPlan, is_unchanged, plan_projects, plan_work

if TYPE_CHECKING:
    from bough.store.protocol import Store

Progress = Callable[[int, int], None]
_FEW = 20
"""So many files are read without workers."""
_MANY = 500
"""Fewer files are listed about as quickly as they are looked at."""
_QUESTION = b"listing"
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
    looked = _look_for_work(store, folders, report, state)
    if looked is not None and looked.is_empty:
        return report
    # Reading takes most of the package; a question to an index that is current needs none.
    from bough.ingest.index.refresh_run import RefreshRun, start_workers  # noqa: PLC0415

    with store.writing() as writer, start_workers(workers if looked is None else 1) as readers:
        # Another process may have been at work since we looked.
        if looked is None or store.state() != state:
            looked = plan_work(folders, store.states())
            report.problems = _list_problems(looked.projects)
        work = looked
        report.changed = [
            *(task.found.path for task in work.tasks),
            *(state.path for state in work.gone),
        ]
        RefreshRun(store, writer, work, report, progress).run_tasks(readers)
    return report


def _look_for_work(
    store: "Store", folders: Sequence[Path], report: RefreshReport, state: bytes
) -> WorkPlan | None:
    """Tell what there is to do, and note what could not be listed; None where it is much.

    A listing is let go again then, and for a first index none is made: workers would begin with
    a copy of it.
    """
    if not store.is_complete():
        return None
    question = b"\0".join((_QUESTION, *map(os.fsencode, folders)))
    kept = store.load_answer(question, state)
    if kept is not None and is_snapshot_current(kept):
        return _NOTHING
    listed_at = time.time_ns()
    projects = [
        project for folder in folders for project in discover_projects(folder, DISK_THEN_ARCHIVE)
    ]
    report.problems = _list_problems(projects)
    stamps = store.stamps()
    if is_unchanged(projects, stamps):
        if len(stamps) >= _MANY and not report.problems:
            snapshot = take_snapshot(folders, projects, stamps, listed_at)
            if snapshot is not None:
                store.save_answer(question, state, snapshot)
        return _NOTHING
    below = [folder / "projects" for folder in folders]
    work = plan_projects(projects, below, store.states())
    return work if len(work.tasks) <= _FEW else None


def _list_problems(projects: Iterable[ProjectFiles]) -> list[Problem]:
    """List what could not be listed of some projects."""
    return [problem for project in projects for problem in project.problems]
