"""A session's file by what a person calls it, looked for among the files."""

from collections.abc import Sequence
from pathlib import Path

from bough.errors import LATEST, BoughError, SessionNotFound
from bough.files.discover import SessionFiles
from bough.query.byte_sources import chosen_store
from bough.query.lists.list_rows import Dirs
from bough.query.lists.projects import (
    file_time,
    has_conversation,
    last_message_time,
    project_listings,
)
from bough.query.lookup import choose_session, is_session_path


def find_session(wanted: str, dirs: Dirs = ()) -> Path:
    """Find a session's file by its path, a prefix of its id, or `latest`."""
    if (url := chosen_store()) is not None:
        from bough.query.lists.team_lookup import find_team_session  # noqa: PLC0415 - few have a team

        return find_team_session(wanted, url)
    if is_session_path(wanted):
        return Path(wanted).expanduser()
    files = [s for p in project_listings(dirs) for s in p.sessions if s.path is not None]
    if wanted == LATEST:
        return _find_latest_file(files)
    return choose_session(wanted, [(s.id, s.path) for s in files if s.path], _read_title)


def _find_latest_file(files: Sequence[SessionFiles]) -> Path:
    """Find the session in which something was last said.

    No record is newer than its file, so the search ends where files get older than the
    best find.
    """
    best: tuple[str, Path] | None = None
    for session in sorted(files, key=lambda s: s.mtime_ns, reverse=True):
        written = file_time(session)
        if best is not None and written <= best[0]:
            break
        if session.path is not None and has_conversation(session):
            said = last_message_time(session) or written
            best = max(best or ("", session.path), (said, session.path))
    if best is None:
        raise SessionNotFound(LATEST)
    return best[1]


def _read_title(path: Path) -> str:
    from bough.query.sessions.load_session import read_session  # noqa: PLC0415

    try:
        return read_session(path).title
    except BoughError:
        return ""
