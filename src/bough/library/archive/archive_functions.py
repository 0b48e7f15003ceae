"""The archive: copies of sessions that stay when the client deletes its files.

    library.archive_sessions()           # take in what is new
    library.archive_status().expiring    # what the client deletes next
    library.verify_archive(deep=True)

Everything that reads sessions finds what was deleted here by itself.
"""

from pathlib import Path

from bough.archive.intake.automatic_folder import check_archive, remember_archive
from bough.archive.intake.take_in import ArchiveUpdate, take_in
from bough.archive.reports.forecast import DeletionForecast
from bough.archive.reports.last_verification import save_verification
from bough.archive.reports.sentences import NO_ARCHIVE
from bough.archive.reports.status import ArchiveStatus, name_sessions, read_status
from bough.archive.reports.verification import VerifyReport
from bough.archive.reports.verification import verify_archive as verify_files
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path, claude_dirs
from bough.errors import Misuse
from bough.files.discover import discover_projects, find_claude_folders
from bough.ingest.project_names import find_project_path
from bough.library.parameters import ClaudeDir, IndexLike, Progress, as_dirs
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.index.handle import IndexHandle, index_exists, open_index
from bough.query.lists.indexed_archive import forecast_deletions as forecast_indexed
from bough.query.lists.indexed_archive import read_indexed_status
from bough.query.lookup import choose_session, is_session_path


def archive_sessions(
    claude_dir: ClaudeDir = None, *, progress: Progress | None = None, is_asked: bool = True
) -> ArchiveUpdate:
    """Take in what is new of all sessions and of what belongs to them.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        progress: Is told how many files of how many were looked at.
        is_asked: Whether a person asks for it: then one that is not there any more is begun anew.

    Raises:
        ArchiveTrouble: It cannot be written, is not there any more, or another bough is at it.
    """
    folders = _list_folders(claude_dir)
    folder = ArchiveFolder(archive_path(folders))
    if not is_asked:
        check_archive(folder)
    done = take_in(folder, folders, progress=progress)
    remember_archive(folder)
    return done


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
    folders = _list_folders(claude_dir)
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


def verify_archive(
    *, deep: bool = False, repair: bool = False, progress: Progress | None = None
) -> VerifyReport:
    """Read every byte of the archive, and tell what is damaged.

    Args:
        deep: Compare with the files that are still there.
        repair: Write damaged copies anew from files that have the same bytes.
        progress: Is told how many files of how many were read.

    Raises:
        ArchiveTrouble: It is not there any more.
        Misuse: Nothing is archived yet.
    """
    folder = ArchiveFolder(archive_path())
    check_archive(folder)
    if not folder.exists():
        raise Misuse(f"{NO_ARCHIVE} bough archive takes in what there is.")
    report = verify_files(folder, deep=deep, repair=repair, progress=progress)
    save_verification(folder, report, deep=deep)
    return report


def find_archived_session(session: str) -> str:
    """Find a session of the archive by its id or the beginning of it.

    Raises:
        SessionNotFound: The archive has none that is called so.
        AmbiguousSession: Several ids begin so.
    """
    wanted = Path(session).stem if is_session_path(session) else session
    found = name_sessions(read_catalog(ArchiveFolder(archive_path())))
    return choose_session(wanted, [(name, name) for name in sorted(found) if name])


def _list_folders(claude_dir: ClaudeDir) -> tuple[Path, ...]:
    return find_claude_folders(claude_dirs([Path(folder) for folder in as_dirs(claude_dir)]))


def _list_project_paths(claude_dir: Path) -> list[Path]:
    """List the folders that were worked in, as the sessions say."""
    listings = discover_projects(claude_dir, USUAL_SOURCES)
    paths = (find_project_path(listing, USUAL_SOURCES) for listing in listings)
    return [Path(path) for path in paths if path]
