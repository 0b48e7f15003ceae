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
from bough.query.sessions.resume_command import find_resume_folder
from bough.timetravel.errors import FileChanged, InsideAgent, OutsideClaude

if TYPE_CHECKING:
    from bough.records.record import BadLine, Record

_TRIES = 5


class FileSnapshot(Struct, frozen=True):
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
    def stat_key(self) -> tuple[int, int, int, int]:
        """Give what a look at the folder tells, without reading."""
        return self.size, self.mtime_ns, self.inode, self.device


class SessionFile(Struct, frozen=True):
    """A session and the state of the file it was read from.

    `projects` is the Claude folder's `projects`, all links resolved.
    """

    session: Session
    state: FileSnapshot
    projects: str
    ends_with_newline: bool

    @property
    def claude_dir(self) -> Path:
        """Give the Claude folder."""
        return Path(self.projects).parent

    @property
    def folder(self) -> Path:
        """Give the project's folder."""
        return Path(self.state.path).parent

    @property
    def resume_folder(self) -> str | None:
        """Name the folder in which a client finds the session."""
        return find_resume_folder(Path(self.state.path)) or self.session.cwd


def open_session(path: str | PathLike[str]) -> SessionFile:
    """Read a session of a Claude folder together with the state of its file.

    Raises:
        Unreadable: The file is missing or not ours to read.
        OutsideClaude: It lies elsewhere, or a link leads out of the Claude folder.
        Changed: It is written to faster than it can be read.
    """
    file, projects = resolve_in_projects(Path(path))
    if file.name.startswith("agent-") or file.parent.parent != projects:
        raise InsideAgent(file.stem.removeprefix("agent-"))
    for _ in range(_TRIES):
        before = _stat_file(file)
        session = read_session(file)
        lines = list_lines(session)
        digest = hashlib.sha256()
        for line in lines:
            digest.update(line.raw)
        after = _stat_file(file)
        size = sum(len(line.raw) for line in lines)
        if before.st_size == size and _is_same_file(before, after):
            count = lines[-1].number if lines else 0
            state = _make_snapshot(str(file), after, digest.hexdigest(), count)
            ended = not lines or lines[-1].raw.endswith(b"\n")
            return SessionFile(session, state, str(projects), ended)
    raise FileChanged(str(file), "it is being written to")


def list_lines(session: Session) -> "list[Record | BadLine]":
    """List everything a file holds, in file order."""
    lines: list[Record | BadLine] = [*session.records, *session.bad_lines]
    return sorted(lines, key=lambda line: line.offset)


def join_raw_lines(session: Session) -> bytes:
    """Give the bytes of the file a session was read from."""
    return b"".join(line.raw for line in list_lines(session))


def resolve_in_projects(path: Path) -> tuple[Path, Path]:
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


def take_snapshot(path: str | PathLike[str]) -> FileSnapshot:
    """Read a file for its state alone."""
    file = Path(path)
    try:
        status = file.lstat()
        data = file.read_bytes()
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    return _make_snapshot(str(file), status, hashlib.sha256(data).hexdigest(), count_lines(data))


def count_lines(data: bytes) -> int:
    """Count the lines of some bytes, a last one without newline too."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def begins_with(data: bytes, size: int, digest: str) -> bool:
    """Tell whether a file begins with some content that is known by its size and digest."""
    return len(data) >= size and hashlib.sha256(data[:size]).hexdigest() == digest


def _stat_file(file: Path) -> os.stat_result:
    try:
        return file.stat()
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error


def _is_same_file(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_size, one.st_mtime_ns, one.st_ino) == (
        other.st_size,
        other.st_mtime_ns,
        other.st_ino,
    )


def _make_snapshot(path: str, status: os.stat_result, digest: str, lines: int) -> FileSnapshot:
    return FileSnapshot(
        path,
        status.st_size,
        status.st_mtime_ns,
        status.st_ino,
        status.st_dev,
        status.st_mode & 0o7777,
        digest,
        lines,
    )
