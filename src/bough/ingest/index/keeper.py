"""Keeping the index current while something is watched.

What was noticed is collected and brought in now and then, through the same run as every
refresh, for the projects that changed only. It happens in a thread of its own, and rests
ten times as long as it works: whoever watches must not wait for the index. Where another
bough writes, or the disk is full, it is tried again later; the watch goes on.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.errors import BoughError
from bough.files.discover import list_project_files
from bough.ingest.index.refresh import RefreshReport
from bough.ingest.index.work_plan import WorkPlan, plan_projects
from bough.store.protocol import Store
from bough.store.sqlite.index_lock import IndexBusy

_REST = 10.0
_SOONEST = 2.0
_LATER = 10.0
_PATIENCE = 5.0


def refresh_files(store: Store, claude_dirs: Sequence[Path], paths: Iterable[str]) -> RefreshReport:
    """Bring the index up to date with the projects that some files lie in."""
    folders = sorted({folder for path in paths for folder in _find_projects(claude_dirs, path)})
    report = RefreshReport()
    if not folders or _plan_refresh(store, folders).is_empty:
        return report
    from bough.ingest.index.refresh_run import RefreshRun  # noqa: PLC0415 - it takes most of the package

    with store.writing() as writer:
        RefreshRun(store, writer, _plan_refresh(store, folders), report, None).run_tasks()
    return report


class IndexKeeper:
    """Brings noticed files into an index, in a thread of its own; close it when done.

    `complain` is told once when the index cannot be kept, and why.
    """

    def __init__(
        self,
        open_store: Callable[[], Store],
        claude_dirs: Sequence[Path],
        complain: Callable[[str], None],
    ) -> None:
        self._open_store = open_store
        self._claude_dirs = tuple(claude_dirs)
        self._complain = complain
        self._complained = False
        self._noticed: set[str] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bough-index", daemon=True)
        self._thread.start()

    def note_changed(self, paths: Iterable[str]) -> None:
        """Remember files that changed."""
        with self._lock:
            self._noticed.update(paths)

    def close(self) -> None:
        """Stop; what was noticed last is left to the next refresh."""
        self._stop.set()
        # A long write may be under way; it is rolled back if the process ends before it.
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        store: Store | None = None
        pause = _SOONEST
        try:
            while not self._stop.wait(pause):
                with self._lock:
                    noticed, self._noticed = self._noticed, set()
                if not noticed:
                    pause = _SOONEST
                    continue
                started = time.monotonic()
                try:
                    if store is not None and not store.is_current():
                        store.close()
                        store = None
                    store = store or self._open_store()
                    refresh_files(store, self._claude_dirs, noticed)
                    pause = max(_SOONEST, _REST * (time.monotonic() - started))
                except IndexBusy:  # another bough keeps the same index; that is no trouble
                    self.note_changed(noticed)
                    pause = _LATER
                except BoughError as error:
                    self.note_changed(noticed)
                    self._report_problem(error.message)
                    pause = _LATER
        finally:
            if store is not None:
                store.close()

    def _report_problem(self, message: str) -> None:
        if not self._complained:
            self._complained = True
            self._complain(message)


def _find_projects(claude_dirs: Sequence[Path], path: str) -> list[Path]:
    found = []
    for folder in claude_dirs:
        projects = folder / "projects"
        if Path(path).is_relative_to(projects) and Path(path) != projects:
            found.append(projects / Path(path).relative_to(projects).parts[0])
    return found


def _plan_refresh(store: Store, folders: Sequence[Path]) -> WorkPlan:
    """Compare some projects with what the index knows of them."""
    projects = [list_project_files(str(folder), DISK_THEN_ARCHIVE) for folder in folders]
    return plan_projects(projects, folders, store.states())
