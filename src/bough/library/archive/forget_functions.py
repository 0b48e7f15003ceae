"""Forgetting a session: no copy of it stays in what is bough's own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from bough.archive.intake.session_sources import HISTORY
from bough.archive.intake.take_in import forget
from bough.archive.reports.status import name_sessions
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path, claude_dirs
from bough.errors import BoughError, SessionNotFound
from bough.files.byte_source import find_bytes
from bough.files.discover import discover_projects, find_claude_folders
from bough.library.annotation_functions import remove_session_annotations
from bough.library.archive.status_functions import find_archived_session
from bough.library.parameters import ClaudeDir, IndexLike, as_dirs, as_index_path, as_path
from bough.library.team.push_functions import has_team_store, remove_pushed_session
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.index.handle import forget_session, list_unkept_sessions
from bough.query.lookup import choose_session
from bough.timetravel.backups import remove_session_backups
from bough.timetravel.operations import list_operations


class ForgottenParts(Struct, frozen=True, kw_only=True):
    """What was removed of a session, and in `remaining` sentences on what was not.

    `files` of the archive had `bytes` bytes; `indexed` files were known to the index, and `pushed`
    ones to the team's database that is set.
    """

    session: str
    files: int
    bytes: int
    indexed: int
    backups: int
    annotations: int
    pushed: int = 0
    remaining: tuple[str, ...] = ()


def find_forgettable_session(
    session: str, claude_dir: ClaudeDir = None, index: IndexLike = None
) -> str:
    """Find a session that can be forgotten: of the archive, on disk, or known to the index alone.

    Raises:
        SessionNotFound: None is called so.
        AmbiguousSession: Several ids begin so.
    """
    try:
        return find_archived_session(session)
    except SessionNotFound:
        unkept = list_unkept_sessions(as_dirs(claude_dir), as_index_path(index))
        try:
            return choose_session(session, [(one.id, one.id) for one in unkept])
        except SessionNotFound:
            return as_path(session, claude_dir).stem


def forget_archived_session(
    session: str, claude_dir: ClaudeDir = None, index: IndexLike = None
) -> ForgottenParts:
    """Remove all copies of a session, and take none in again. The client's own files stay.

    Gone are its files in the archive with every generation, its rows in the index, its backups of
    time travel, and the stars and notes on it and on its messages. Where a team's database is set
    (`$BOUGH_STORE`, or the setting `team_store`), what this machine sent of it is gone there too.

    Args:
        session: Its whole id, as `find_forgettable_session` gives it.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is; by default `$BOUGH_INDEX`, else your data folder.

    Raises:
        SessionNotFound: There is none that is called so.
        ArchiveTrouble: The archive cannot be written.
    """
    dirs = as_dirs(claude_dir)
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    archive = ArchiveFolder(archive_path(folders))
    if session not in name_sessions(read_catalog(archive)):
        find_forgettable_session(session, claude_dir, index)  # raises where there is none
    done = forget(archive, session)
    remaining: list[str] = []
    place = as_index_path(index)
    indexed = _remove(lambda: forget_session(session, dirs, place), remaining)
    backups = _remove(lambda: remove_session_backups(session), remaining)
    annotations = _remove(lambda: remove_session_annotations(session), remaining)
    pushed = _remove(lambda: _take_back(session), remaining)
    remaining += _list_own_files(session, folders)
    if indexed:
        remaining.append("Single words of it stay inside the index until bough index --rebuild.")
    if any(one.session == session for one in list_operations()):
        remaining.append("The journal of time travel still says what bough did to it.")
    if annotations:
        remaining.append("Earlier copies of your notes (annotations-backups) still have them.")
    remaining.append("Exports and forks of it, and what was carried elsewhere, are as they were.")
    return ForgottenParts(
        session=session,
        files=done.files,
        bytes=done.bytes,
        indexed=indexed,
        backups=backups,
        annotations=annotations,
        pushed=pushed,
        remaining=tuple(remaining),
    )


def _remove(action: Callable[[], int], remaining: list[str]) -> int:
    """Do one part: that it does not work must not keep the others."""
    try:
        return action()
    except BoughError as error:
        remaining.append(error.message)
        return 0


def _take_back(session: str) -> int:
    """Take back what was sent to a team's database, where one is set."""
    if not has_team_store():
        return 0
    try:
        _, files = remove_pushed_session(session)
    except SessionNotFound:
        return 0
    return files


def _list_own_files(session: str, folders: Sequence[Path]) -> Iterator[str]:
    """Say which of the client's own files have something of a session."""
    for folder in folders:
        for project in discover_projects(folder):
            for one in project.sessions:
                if one.id == session and one.file is not None:
                    yield f"The client's own file {one.file} is as it was."
        history = USUAL_SOURCES.find(str(folder / HISTORY))
        with suppress(BoughError):
            if history is not None and find_bytes(history, f'"{session}"'.encode()) >= 0:
                yield f"What you typed in it stands in {history.path}."
