"""What the archive holds, what the client deletes next, and which session somebody means."""

from pathlib import Path

from bough.archive.reports.forecast import DeletionForecast
from bough.archive.reports.status import ArchiveStatus, name_sessions, read_status
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path
from bough.files.discover import discover_projects
from bough.ingest.project_names import find_project_path
from bough.library.archive.archive_functions import list_folders
from bough.library.parameters import ClaudeDir, IndexLike, as_dirs
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.index.handle import IndexHandle, index_exists, open_index
from bough.query.lists.indexed_archive import forecast_deletions as forecast_indexed
from bough.query.lists.indexed_archive import read_indexed_status
from bough.query.lookup import choose_session, is_session_path


def archive_status(
    claude_dir: ClaudeDir = None, *, index: IndexHandle | None = None
) -> ArchiveStatus:
    """Tell what is kept, what the client deletes next, and what is not kept yet.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: An open index, as new as the answer shall be; else the folders are listed.
    """
    if index is not None:
        return read_indexed_status(index, ArchiveFolder(archive_path(index.folders)))
    folders = list_folders(claude_dir)
    projects = {folder: _list_project_paths(folder) for folder in folders}
    return read_status(ArchiveFolder(archive_path(folders)), folders, projects=projects)


def forecast_deletions(claude_dir: ClaudeDir = None, index: IndexLike = None) -> DeletionForecast:
    """Count what the client may delete within a week, and what of it the archive does not have.

    The index is asked where there is one, as it is; else the folders are listed.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: An index, open or by its path; by default that of these folders.
    """
    if isinstance(index, IndexHandle):
        return forecast_indexed(index)
    dirs = as_dirs(claude_dir)
    if not index_exists(dirs, index):
        return archive_status(claude_dir).forecast
    with open_index(dirs, index, fresh=False) as handle:
        return forecast_indexed(handle)


def find_archived_session(session: str) -> str:
    """Find a session of the archive by its id or the beginning of it.

    Raises:
        SessionNotFound: The archive has none that is called so.
        AmbiguousSession: Several ids begin so.
    """
    wanted = Path(session).stem if is_session_path(session) else session
    found = name_sessions(read_catalog(ArchiveFolder(archive_path())))
    return choose_session(wanted, [(name, name) for name in sorted(found) if name])


def _list_project_paths(claude_dir: Path) -> list[Path]:
    """List the folders that were worked in, as the sessions say."""
    listings = discover_projects(claude_dir, USUAL_SOURCES)
    paths = (find_project_path(listing, USUAL_SOURCES) for listing in listings)
    return [Path(path) for path in paths if path]
