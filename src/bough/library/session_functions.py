"""One session: reading it, looking for words in it, saying what is wrong with it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bough.archive.storage.archive_finder import find_kept_place
from bough.errors import Misuse
from bough.library.parameters import ClaudeDir, SessionLike, as_dirs, as_path, as_session
from bough.model.health import Health
from bough.model.interpret.kept_places import KeptPlace
from bough.model.outline.session_outline import SessionOutline
from bough.model.session import Session
from bough.query.priced_outline import outline_with_prices
from bough.query.sessions.resume_command import ResumeCommand, make_command_for_file
from bough.query.sessions.session_parts import check_version

if TYPE_CHECKING:
    from bough.timetravel.plans.find import SessionMatches


def read_session(
    session: SessionLike, claude_dir: ClaudeDir = None, *, client: str | None = None
) -> Session:
    """Read a session, or an agent's own file.

    Args:
        session: The `.jsonl` file, the beginning of a session's id, or `latest`.
        claude_dir: Where ids are looked for; by default the usual places.
        client: A client's version, to see the tip that it would resume; by default the
            newest that wrote into the file.

    Raises:
        Unreadable: The file is missing, a folder, or not ours to read.
        SessionNotFound: No session begins so.
        AmbiguousSession: Several do.
    """
    seen_by = check_version(client) if client is not None else None
    read = as_session(session, claude_dir)
    return read if seen_by is None else read.with_client(seen_by)


def outline(session: SessionLike, claude_dir: ClaudeDir = None) -> SessionOutline:
    """Give a session as a graph: its turns, on branches that part where a person went back.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        claude_dir: Where ids are looked for; by default the usual places.
    """
    return outline_with_prices(as_session(session, claude_dir))


def resume_command(
    session: SessionLike,
    claude_dir: ClaudeDir = None,
    *,
    known_folder: str | None = None,
    kept_in: KeptPlace | None = None,
) -> ResumeCommand:
    """Give the command that goes on with a session, with the folder in which a client finds it.

    Its `text` is for a shell; `note` says so where that folder is gone. Where the file of the
    session is gone, it is the command that restores it, as its `kind` says.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        claude_dir: Where ids are looked for; by default the usual places.
        known_folder: The path of its project, where that is known; nothing is read then.
        kept_in: What there is of it, where that is known; else it is looked for.
    """
    path = as_path(session, claude_dir)
    return make_command_for_file(path, known_folder, kept_in or find_kept_place(path))


def doctor(session: SessionLike, claude_dir: ClaudeDir = None) -> Health:
    """Say what is wrong with a session, if anything; nothing is changed.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        claude_dir: Where ids are looked for; by default the usual places.
    """
    return as_session(session, claude_dir).health


def find(
    text: str,
    session: SessionLike | None = None,
    claude_dir: ClaudeDir = None,
    *,
    complain: Callable[[str], None] = lambda _: None,
    most: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> "Iterator[SessionMatches]":
    """Find words in one session or in all of them, the newest first; no index is needed.

    Sessions are read one after the other, as far as the iterator is followed.

    Args:
        text: The words as they are, in any case.
        session: A session, its file, the beginning of its id, or `latest`; by default all.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        complain: Is told why a file could not be read, where all are looked through.
        most: How many matches are wanted; `left_out` counts the others. By default all.
        progress: Is told how many sessions of how many were looked through.

    Raises:
        Misuse: There are no words.
    """
    if not text.strip():
        raise Misuse("Nothing to find. Name some words, as in bough find checkpoint.")
    from bough.timetravel.plans.find import find_in_sessions, find_text  # noqa: PLC0415 - only here

    if session is None:
        paths = _tell_progress(_list_newest_first(claude_dir), progress)
        return find_in_sessions(text, paths, complain, most)
    found = find_text(as_session(session, claude_dir), text, most)
    return iter([found] if found.matches else [])


def _tell_progress(paths: Sequence[Path], progress: Callable[[int, int], None]) -> Iterator[Path]:
    for number, path in enumerate(paths):
        progress(number, len(paths))
        yield path


def _list_newest_first(claude_dir: ClaudeDir) -> list[Path]:
    from bough.query.lists.projects import project_listings  # noqa: PLC0415 - only here

    files = [s for p in project_listings(as_dirs(claude_dir)) for s in p.sessions]
    files.sort(key=lambda session: session.mtime_ns, reverse=True)
    return [session.path for session in files if session.path is not None]
