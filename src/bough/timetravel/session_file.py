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
from bough.files.byte_source import DISK, SourceFinder, SourceState, describe_status, require_source
from bough.model.session import Session
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.sessions.load_session import read_session
from bough.query.sessions.resume_command import find_resume_folder
from bough.timetravel.errors import FileChanged, InsideAgent, OutsideClaude, SessionDeleted

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

    `projects` is the Claude folder's `projects`, all links resolved; `sources` is where the
    session was found.
    """

    session: Session
    state: FileSnapshot
    projects: str
    ends_with_newline: bool
    sources: SourceFinder = DISK

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
        return find_resume_folder(Path(self.state.path), self.sources) or self.session.cwd


def open_session(path: str | PathLike[str], sources: SourceFinder = DISK) -> SessionFile:
    """Read a session of a Claude folder together with the state of its file.

    Where the file is gone and something else has its bytes, it can be copied and not changed.

    Raises:
        Unreadable: The file is missing or not ours to read.
        SessionDeleted: The file is missing, and only the archive has its bytes.
        OutsideClaude: It lies elsewhere, or a link leads out of the Claude folder.
        Changed: It is written to faster than it can be read.
    """
    if sources.find(os.fspath(path)) is None and USUAL_SOURCES.find(os.fspath(path)) is not None:
        raise SessionDeleted(Path(path).stem)
    file, projects = resolve_in_projects(Path(path), sources)
    if file.name.startswith("agent-") or file.parent.parent != projects:
        raise InsideAgent(file.stem.removeprefix("agent-"))
    for _ in range(_TRIES):
        before = require_source(sources, file).state()
        session = read_session(file, sources=sources)
        lines = list_lines(session)
        digest = hashlib.sha256()
        for line in lines:
            digest.update(line.raw)
        after = require_source(sources, file).state()
        size = sum(len(line.raw) for line in lines)
        if before.size == size and before.key == after.key:
            count = lines[-1].number if lines else 0
            state = _make_snapshot(str(file), after, digest.hexdigest(), count)
            ended = not lines or lines[-1].raw.endswith(b"\n")
            return SessionFile(session, state, str(projects), ended, sources)
    raise FileChanged(str(file), "it is being written to")


def list_lines(session: Session) -> "list[Record | BadLine]":
    """List everything a file holds, in file order."""
    lines: list[Record | BadLine] = [*session.records, *session.bad_lines]
    return sorted(lines, key=lambda line: line.offset)


def join_raw_lines(session: Session) -> bytes:
    """Give the bytes of the file a session was read from."""
    return b"".join(line.raw for line in list_lines(session))


def resolve_in_projects(path: Path, sources: SourceFinder = DISK) -> tuple[Path, Path]:
    """Resolve a session's path and its `projects`, or raise OutsideClaude."""
    try:
        file = path.expanduser().absolute()
        real = file.resolve(strict=os.path.lexists(file) or sources.find(str(file)) is None)
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


def take_snapshot(path: str | PathLike[str], sources: SourceFinder = DISK) -> FileSnapshot:
    """Read a file for its state alone; where there is none, what else has its bytes."""
    file = Path(path)
    try:
        state = describe_status(file.lstat())
        data = file.read_bytes()
    except FileNotFoundError:
        source = require_source(sources, file)
        state = source.state()
        data = source.at(0, state.size)
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    return _make_snapshot(str(file), state, hashlib.sha256(data).hexdigest(), count_lines(data))


def count_lines(data: bytes) -> int:
    """Count the lines of some bytes, a last one without newline too."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def begins_with(data: bytes, size: int, digest: str) -> bool:
    """Tell whether a file begins with some content that is known by its size and digest."""
    return len(data) >= size and hashlib.sha256(data[:size]).hexdigest() == digest


def _make_snapshot(path: str, state: SourceState, digest: str, lines: int) -> FileSnapshot:
    return FileSnapshot(
        path,
        state.size,
        state.mtime_ns,
        state.inode,
        state.device,
        state.mode,
        digest,
        lines,
    )
