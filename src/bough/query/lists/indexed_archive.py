"""How the archive stands, told from the index and the catalog: no folder is listed for it.

Both are as new as the last refresh; a walk over the disk would say the same and take longer.
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bough.archive.intake.take_in import format_moment
from bough.archive.reports.forecast import DeletionForecast, ExpiringSession, sum_expiring
from bough.archive.reports.retention import Retention, find_shortest
from bough.archive.reports.status import ArchiveStatus, end_of_soon, read_rules, read_status
from bough.archive.storage.archive_finder import find_kept_entry
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import named_archive_path
from bough.files.discover import SessionFiles

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.store.rows import SessionFileRow


def forecast_deletions(
    handle: "IndexHandle", now: Callable[[], int] = time.time_ns
) -> DeletionForecast:
    """Count what the client may delete within a week, and what of it is not kept."""
    return sum_expiring(list_expiring(handle, now))


def list_expiring(
    handle: "IndexHandle", now: Callable[[], int] = time.time_ns
) -> Sequence[ExpiringSession]:
    """List the sessions that the client may delete within a week, the next one first."""
    projects = _list_project_paths(handle)
    rules = [
        (f"{folder}{os.sep}", find_shortest(read_rules(folder, projects[folder])))
        for folder in handle.folders
    ]
    soon = end_of_soon(now())
    # No copy of these is wanted, so none is missing.
    forgotten = ArchiveFolder(named_archive_path()).list_forgotten()
    oldest = max((soon - rule.deletes_at(0) for _, rule in rules), default=0)
    found = [
        _describe_expiring(row, rule)
        for row in handle.store.session_files(oldest)
        for rule in _find_rules(row.path, rules)
        if rule.deletes_at(row.mtime_ns) < soon and row.session not in forgotten
    ]
    return sorted(found, key=lambda one: (one.deleted_from, one.session))


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
    known = [(one.folder, Path(one.path)) for one in handle.store.projects() if one.path]
    return {
        folder: [path for place, path in known if place.startswith(f"{folder}{os.sep}")]
        for folder in handle.folders
    }


def _find_rules(path: str, rules: Iterable[tuple[str, Retention]]) -> Sequence[Retention]:
    """Find the rule of the folder that a file lies in; none where it lies in no folder of ours."""
    return [rule for below, rule in rules if path.startswith(below)][:1]


def _describe_expiring(row: "SessionFileRow", rule: Retention) -> ExpiringSession:
    entry = find_kept_entry(row.path)
    return ExpiringSession(
        session=row.session,
        path=row.path,
        deleted_from=format_moment(rule.deletes_at(row.mtime_ns)),
        kept=entry is not None and (entry.size, entry.mtime_ns) == (row.size, row.mtime_ns),
    )
