"""The one way in: whatever changed on disk goes into the index.

Listing tells which files changed; only their new bytes are read. Where nothing changed,
which is nearly always, nothing but the listing is loaded and done.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.files.directory import Problem
from bough.files.discover import discover_projects
from bough.ingest.index.work_plan import is_unchanged, plan_projects, plan_work

if TYPE_CHECKING:
    from bough.store.protocol import Store

Progress = Callable[[int, int], None]


class RefreshReport(Struct):
    """What a refresh did."""

    files: int = 0
    bytes: int = 0
    deleted: int = 0
    problems: list[Problem] = []


def refresh_index(
    store: "Store",
    folders: Sequence[Path],
    *,
    progress: Progress | None = None,
    workers: int | None = None,
) -> RefreshReport:
    """Bring the index up to date with the files below these Claude folders."""
    projects = [project for folder in folders for project in discover_projects(folder)]
    report = RefreshReport(problems=[p for project in projects for p in project.problems])
    if is_unchanged(projects, store.stamps()) and store.is_complete():
        return report
    below = [folder / "projects" for folder in folders]
    if plan_projects(projects, below, store.states()).is_empty and store.is_complete():
        return report
    # Reading takes most of the package; a question to an index that is current needs none.
    from bough.ingest.index.refresh_run import RefreshRun  # noqa: PLC0415

    with store.writing() as writer:
        # Another process may have been at work since we looked.
        work = plan_work(folders, store.states())
        RefreshRun(store, writer, work, report, progress).run_tasks(workers)
    return report
