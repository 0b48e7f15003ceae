"""How the archive stands, told from the index and the catalog: no folder is listed for it.

Both are as new as the last refresh; a walk over the disk would say the same and take longer.
"""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bough.archive.reports.forecast import DeletionForecast
from bough.archive.reports.retention import find_shortest
from bough.archive.reports.status import ArchiveStatus, end_of_soon, read_rules, read_status
from bough.archive.storage.archive_finder import find_kept_entries
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import named_archive_path
from bough.files.discover import SessionFiles

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle


def forecast_deletions(
    handle: "IndexHandle", now: Callable[[], int] = time.time_ns
) -> DeletionForecast:
    """Count what the client may delete within a week, and what of it is not kept."""
    soon = end_of_soon(now())
    projects = _list_project_paths(handle)
    bounds = []
    for folder in handle.folders:
        rule = find_shortest(read_rules(folder, projects[folder]))
        bounds.append((f"{folder}{os.sep}", soon - rule.deletes_at(0)))
    # No copy of these is wanted, so none is missing.
    forgotten = ArchiveFolder(named_archive_path()).list_forgotten()
    due = [
        row
        for row in handle.store.session_files(max((end for _, end in bounds), default=0))
        if row.session not in forgotten
        and any(row.mtime_ns < end and row.path.startswith(below) for below, end in bounds)
    ]
    kept = find_kept_entries(row.path for row in due)
    missing = sum(
        (entry := kept.get(row.path)) is None
        or (entry.size, entry.mtime_ns) != (row.size, row.mtime_ns)
        for row in due
    )
    return DeletionForecast(sessions=len(due), not_kept=missing)


def read_indexed_status(
    handle: "IndexHandle", archive: ArchiveFolder, now: Callable[[], int] = time.time_ns
) -> ArchiveStatus:
    """Compare the archive with what the index knows to be on disk; paths are those of its lists."""
    places = [(str(folder), str(folder.resolve())) for folder in handle.folders]
    files: dict[str, list[SessionFiles]] = {place: [] for _, place in places}
    for row in handle.store.session_files():
        for folder, place in places:
            if row.path.startswith(f"{folder}{os.sep}"):
                path = place + row.path[len(folder) :]
                files[place].append(SessionFiles(row.session, path, row.size, row.mtime_ns))

    def list_sessions(place: Path) -> Iterable[SessionFiles]:
        return files.get(str(place), ())

    def name_as_listed(path: str) -> str:
        found = (f for f, place in places if f != place and path.startswith(f"{place}{os.sep}"))
        folder = next(found, None)
        return path if folder is None else folder + path[len(str(Path(folder).resolve())) :]

    projects = _list_project_paths(handle)
    status = read_status(archive, handle.folders, now, list_sessions, projects)
    return replace(
        status,
        expiring=[replace(one, path=name_as_listed(one.path)) for one in status.expiring],
        gone=[replace(one, path=name_as_listed(one.path)) for one in status.gone],
    )


def _list_project_paths(handle: "IndexHandle") -> dict[Path, list[Path]]:
    """List the folders that were worked in, by the Claude folder with their sessions."""
    known = [(one.folder, one.path) for one in handle.store.projects() if one.path]
    return {
        folder: [
            Path(path)
            for path in dict.fromkeys(
                path for place, path in known if place.startswith(f"{folder}{os.sep}")
            )
        ]
        for folder in handle.folders
    }
