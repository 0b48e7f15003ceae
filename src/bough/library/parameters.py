"""What every call of the library takes: Claude folders, an index, a session, a time.

Each may be given in several forms; here they become one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Union

from bough.errors import Misuse

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from bough.model.session import Session
    from bough.query.index.handle import IndexHandle

# Every call takes some of these, and most calls need little of what is behind the others:
# so nothing of the stages below is loaded before it is used.
Folder = str | PathLike[str]
ClaudeDir = Folder | Sequence[Folder] | None
"""A Claude folder or several; None means the usual places."""

IndexLike = Union[Folder, "IndexHandle", None]
"""Where the index is, or an open one; None means the usual place."""

SessionLike = Union["Session", Folder]
"""A session, its file, the beginning of its id, or `latest`."""

Progress = Callable[[int, int], None]
"""Is told how many bytes of how many were read."""


def as_dirs(claude_dir: ClaudeDir) -> Sequence[Folder]:
    """Give the Claude folders as a list; an empty one means the usual places."""
    if claude_dir is None:
        return ()
    return [claude_dir] if isinstance(claude_dir, str | PathLike) else claude_dir


def as_path(session: SessionLike, claude_dir: ClaudeDir) -> Path:
    """Find the file of the session that is meant.

    Raises:
        SessionNotFound: No session begins so.
        AmbiguousSession: Several do.
        Misuse: The session was not read from a file.
    """
    if is_session(session):
        if session.path is None:
            raise Misuse(f"Session {session.id[:8]} has no file of its own.")
        return Path(session.path)
    if not isinstance(session, str):
        return Path(session)
    from bough.query.lists.session_lookup import find_session  # noqa: PLC0415 - see above

    return find_session(session, as_dirs(claude_dir))


def as_session(session: SessionLike, claude_dir: ClaudeDir) -> "Session":
    """Give the session that is meant; one that was read already is not read again."""
    if is_session(session):
        return session
    from bough.query.sessions.load_session import read_session  # noqa: PLC0415 - see above

    return read_session(as_path(session, claude_dir))


def as_moment(since: str | datetime, now: datetime | None, examples: str) -> datetime:
    """Read how far back something goes.

    Args:
        since: A moment, or words for one: 10m, 2h, today, 14:30.
        now: The moment it is asked; by default the clock's.
        examples: What to name where the words are none.
    """
    if isinstance(since, datetime):
        return since
    from bough.query.usage.time_settings import load_zone  # noqa: PLC0415 - see above
    from bough.store.query_language.dates import parse_moment  # noqa: PLC0415 - see above

    now = now or datetime.now(UTC)
    found = parse_moment(since, now, load_zone())
    if found is None:
        raise Misuse(f"--since takes a time, such as {examples}, not {since}.")
    return found


@contextmanager
def borrow_index(
    claude_dir: ClaudeDir, index: IndexLike, progress: Progress | None = None
) -> "Iterator[IndexHandle]":
    """Use the index that was given open, or open one for the length of a question."""
    if is_open_index(index):
        yield index
        return
    from bough.query.index.handle import open_index  # noqa: PLC0415 - see above

    with open_index(as_dirs(claude_dir), index, progress=progress) as handle:
        yield handle


def as_index_path(index: IndexLike) -> Folder | None:
    """Give where the index is; None means the usual place."""
    return index.path if is_open_index(index) else index


def is_open_index(index: IndexLike) -> "TypeIs[IndexHandle]":
    """Tell an open index from the place of one."""
    return index is not None and not isinstance(index, str | PathLike)


def is_session(session: SessionLike) -> "TypeIs[Session]":
    """Tell a session that was read from the name of one."""
    return not isinstance(session, str | PathLike)
