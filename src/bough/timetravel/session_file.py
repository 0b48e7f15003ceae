"""What a plan is made from: a session as it was read, and the state its file was in.

The state is taken from the very bytes that were read, so a plan can be held against the
file again before anything is written. A file that changes while it is read is read again.
"""

import hashlib
import os
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.errors import Unreadable, reason_of
from bough.model.session import Session
from bough.query.sessions.load_session import read_session
from bough.timetravel.errors import Changed, InsideAgent, OutsideClaude

if TYPE_CHECKING:
    from bough.records.record import BadLine, Record

_TRIES = 5


class FileState(Struct, frozen=True):
    """A file at one moment: where, how large, when changed, which one, and what is in it."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    device: int
    mode: int
    sha256: str
    lines: int = 0

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Give what a look at the folder tells, without reading."""
        return self.size, self.mtime_ns, self.inode, self.device


class Source(Struct, frozen=True):
    """A session and the state of the file it was read from.

    `projects` is the Claude folder's `projects`, all links resolved; `ended` tells whether
    the file ends with a newline.
    """

    session: Session
    state: FileState
    projects: str
    ended: bool

    @property
    def claude_dir(self) -> Path:
        """Give the Claude folder."""
        return Path(self.projects).parent

    @property
    def folder(self) -> Path:
        """Give the project's folder."""
        return Path(self.state.path).parent


def open_session(path: str | PathLike[str]) -> Source:
    """Read a session of a Claude folder together with the state of its file.

    Raises:
        Unreadable: The file is missing or not ours to read.
        OutsideClaude: It lies elsewhere, or a link leads out of the Claude folder.
        Changed: It is written to faster than it can be read.
    """
    file, projects = located(Path(path))
    if file.name.startswith("agent-") or file.parent.parent != projects:
        raise InsideAgent(file.stem.removeprefix("agent-"))
    for _ in range(_TRIES):
        before = _place(file)
        session = read_session(file)
        lines = lines_of(session)
        digest = hashlib.sha256()
        for line in lines:
            digest.update(line.raw)
        after = _place(file)
        size = sum(len(line.raw) for line in lines)
        if before.st_size == size and _same(before, after):
            count = lines[-1].number if lines else 0
            state = _state(str(file), after, digest.hexdigest(), count)
            ended = not lines or lines[-1].raw.endswith(b"\n")
            return Source(session, state, str(projects), ended)
    raise Changed(str(file), "it is being written to")


def lines_of(session: Session) -> "list[Record | BadLine]":
    """List everything a file holds, in file order."""
    lines: list[Record | BadLine] = [*session.records, *session.bad_lines]
    return sorted(lines, key=lambda line: line.offset)


def whole(session: Session) -> bytes:
    """Give the bytes of the file a session was read from."""
    return b"".join(line.raw for line in lines_of(session))


def located(path: Path) -> tuple[Path, Path]:
    """Resolve a session's path and its `projects`, or raise OutsideClaude."""
    try:
        file = path.expanduser().absolute()
        real = file.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "its link leads nowhere"
        raise Unreadable(path, reason) from error
    projects = next((folder for folder in file.parents if folder.name == "projects"), None)
    if projects is None:
        raise OutsideClaude(str(file))
    inside = projects.resolve()
    if not real.is_relative_to(inside):
        raise OutsideClaude(str(file), "leads out of the Claude folder through a link")
    return real, inside


def observe(path: str | PathLike[str]) -> FileState:
    """Read a file for its state alone."""
    file = Path(path)
    try:
        status = file.lstat()
        data = file.read_bytes()
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    return _state(str(file), status, hashlib.sha256(data).hexdigest(), lines_in(data))


def lines_in(data: bytes) -> int:
    """Count the lines of some bytes, a last one without newline too."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def _place(file: Path) -> os.stat_result:
    try:
        return file.stat()
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_size, one.st_mtime_ns, one.st_ino) == (
        other.st_size,
        other.st_mtime_ns,
        other.st_ino,
    )


def _state(path: str, status: os.stat_result, digest: str, lines: int) -> FileState:
    return FileState(
        path,
        status.st_size,
        status.st_mtime_ns,
        status.st_ino,
        status.st_dev,
        status.st_mode & 0o7777,
        digest,
        lines,
    )
