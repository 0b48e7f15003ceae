"""Finding a project or a session by what a person calls it."""

import difflib
from collections.abc import Sequence
from pathlib import Path

from bough.errors import (
    AmbiguousSession,
    BoughError,
    SessionNotFound,
)
from bough.files.discover import ProjectFiles, SessionFiles
from bough.ingest.project_names import find_project_path
from bough.model.text.formats import base_name_of
from bough.query.lists.list_rows import Dirs
from bough.query.lists.projects import (
    file_time,
    has_conversation,
    last_message_time,
    project_listings,
)
from bough.query.project_lookup import ProjectNames, find_by_name
from bough.query.sessions.load_session import read_session

LATEST = "latest"


def find_project(wanted: str, listings: Sequence[ProjectFiles]) -> ProjectFiles:
    """Find a project by its folder's name, its path or its name."""
    # Its path is in its files; where the folder says enough, none is opened.
    by_dir = [p for p in listings if wanted in (p.dir, p.folder)]
    if len(by_dir) == 1:
        return by_dir[0]
    return find_by_name(wanted, (_listing_names(listing) for listing in listings))


def _listing_names(listing: ProjectFiles) -> ProjectNames[ProjectFiles]:
    path = find_project_path(listing)
    return ProjectNames(
        listing.dir, listing.folder, path, base_name_of(path or listing.dir), listing
    )


def find_session(wanted: str, dirs: Dirs = ()) -> Path:
    """Find a session's file by its path, a prefix of its id, or `latest`."""
    path = Path(wanted).expanduser()
    if wanted.endswith(".jsonl") or "/" in wanted or "\\" in wanted:
        return path
    files = [s for p in project_listings(dirs) for s in p.sessions if s.path is not None]
    if wanted == LATEST:
        return _find_latest_file(files)
    prefix = wanted.casefold()
    found = [s for s in files if s.id == wanted]
    found = found or [s for s in files if prefix and s.id.casefold().startswith(prefix)]
    if not found:
        raise SessionNotFound(wanted, _find_nearest(wanted, files))
    if len(found) > 1:
        raise AmbiguousSession(wanted, [s.id for s in found])
    return found[0].path or path


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


def _find_nearest(wanted: str, files: Sequence[SessionFiles]) -> list[str]:
    """Name the session whose id begins most like this one, with its title."""
    by_short = {s.id[: max(len(wanted), 4)]: s for s in files}
    close = difflib.get_close_matches(wanted, list(by_short), n=1, cutoff=0.5)
    found = []
    for session in (by_short[short] for short in close):
        try:
            title = read_session(session.path or "").title
        except BoughError:
            title = ""
        found.append(f"{session.id[:8]} {title}".rstrip())
    return found
