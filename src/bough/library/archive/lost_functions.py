"""Sessions of which only the prompts are left, because the client deleted them too early.

for one in library.lost_sessions():
    print(one.id, len(one.prompts))
"""

from pathlib import Path

from bough.archive.intake.automatic_folder import is_archive_missing
from bough.archive.reports.lost_sessions import (
    ANSWERS_DELETED,
    LostSession,
    find_lost_sessions,
)
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path, claude_dirs
from bough.files.discover import find_claude_folders
from bough.library.parameters import ClaudeDir, as_dirs
from bough.query.lookup import choose_session


def lost_sessions(claude_dir: ClaudeDir = None) -> list[LostSession]:
    """List the sessions that `history.jsonl` names and that have no transcript, newest first.

    Neither on disk nor in the archive. What their persons typed is in `prompts`.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
    """
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in as_dirs(claude_dir)]))
    return find_lost_sessions(ArchiveFolder(archive_path(folders)), folders)


def explain_lost() -> str:
    """Say why only prompts are left: the answers were deleted, or the archive is not there."""
    archive = ArchiveFolder(archive_path())
    if is_archive_missing(archive):
        return f"The archive {archive.path} is not there; without it only the prompts are left."
    return ANSWERS_DELETED


def lost_session(session: str, claude_dir: ClaudeDir = None) -> LostSession:
    """Give the prompts that are left of a session, by its id or the beginning of it.

    Raises:
        SessionNotFound: No lost session begins so.
        AmbiguousSession: Several do.
    """
    return choose_session(session, [(one.id, one) for one in lost_sessions(claude_dir)])
