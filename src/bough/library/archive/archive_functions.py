"""The archive: copies of sessions that stay when the client deletes its files.

    library.archive_sessions()           # take in what is new
    library.archive_status().expiring    # what the client deletes next
    library.verify_archive(deep=True)

Everything that reads sessions finds what was deleted here by itself.
"""

from pathlib import Path

from bough.archive.intake.automatic_folder import check_archive, remember_archive
from bough.archive.intake.take_in import ArchiveUpdate, take_in
from bough.archive.reports.last_verification import save_verification
from bough.archive.reports.sentences import NO_ARCHIVE
from bough.archive.reports.verification import VerifyReport
from bough.archive.reports.verification import verify_archive as verify_files
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path, claude_dirs
from bough.errors import Misuse
from bough.files.discover import find_claude_folders
from bough.library.parameters import ClaudeDir, Progress, as_dirs


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
    folders = list_folders(claude_dir)
    folder = ArchiveFolder(archive_path(folders))
    if not is_asked:
        check_archive(folder)
    done = take_in(folder, folders, progress=progress)
    remember_archive(folder)
    return done


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
        raise Misuse(f"{NO_ARCHIVE} bough archive makes copies of all sessions.")
    report = verify_files(folder, deep=deep, repair=repair, progress=progress)
    save_verification(folder, report, deep=deep)
    return report


def list_folders(claude_dir: ClaudeDir) -> tuple[Path, ...]:
    """Find the Claude folders that were named, or the usual ones."""
    return find_claude_folders(claude_dirs([Path(folder) for folder in as_dirs(claude_dir)]))
