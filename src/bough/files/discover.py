"""Everything a Claude folder holds, by listing alone: no file is opened here.

Sessions and their companions are recognised by where they lie and what they are called.
What cannot be listed becomes a `Problem` beside the rest, because one broken link must
not hide a thousand sessions. What the files say is asked later, and of one file at a time.
"""

import os
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR

from msgspec import Struct

from bough.config import APP_SESSIONS, has_app_sessions
from bough.errors import ClaudeFolderNotFound, Unreadable, reason_of
from bough.files.byte_source import DISK, SourceFinder
from bough.files.companions import (
    NO_COMPANIONS,
    SUFFIX,
    AgentFile,
    Companions,
    WorkflowFiles,
    describe_agent_file,
    is_agent_file,
    list_companions,
)
from bough.files.directory import (
    NO_DEVICE,
    FolderEntry,
    Identity,
    KeptFolders,
    Problem,
    file_status,
    identity_in,
    is_folder,
    is_of_machine,
    list_entries,
    status_of,
)

_LONGEST_NAME = 200
NOT_COMPANIONS = frozenset({"memory"})
"""Folders in a project that are no session's."""
_CLAUDE = ".claude"
_TASK = f"local_*/{_CLAUDE}"
"""The Claude folder of a task of Cowork, below an account and an organisation."""


class SessionFiles(Struct, frozen=True):
    """A session's file and its companions.

    A husk has no `file`: its companions outlived it. Its size is 0 and its time that of the
    companions' folder. Where it `is_archived`, the file is gone from disk and its bytes are kept.
    """

    id: str
    file: str | None
    size: int
    mtime_ns: int
    agents: tuple[AgentFile, ...] = ()
    tool_results: Path | None = None
    workflows: tuple[WorkflowFiles, ...] = ()
    custom_title: Path | None = None
    is_archived: bool = False

    @property
    def path(self) -> Path | None:
        """Give the file as a path; lists of ten thousand do without."""
        return None if self.file is None else Path(self.file)


class ProjectFiles(Struct, frozen=True):
    """One folder below `projects`; `loose_agents` lie beside the sessions, owner unknown."""

    dir: str
    folder: str
    sessions: tuple[SessionFiles, ...] = ()
    loose_agents: tuple[AgentFile, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def path(self) -> Path:
        """Give the folder as a path; lists of a thousand do without."""
        return Path(self.folder)


def find_claude_folders(places: Sequence[Path]) -> tuple[Path, ...]:
    """Keep the places that are folders; raise ClaudeFolderNotFound where none is.

    A folder of the desktop app stands for the Claude folders in it, one for each task of Cowork,
    and a home folder for the one in it.
    """
    folders = (_enter_home(place) for place in places if place.is_dir())
    found = tuple(dict.fromkeys(one for place in folders for one in _expand_app_folder(place)))
    if not found:
        raise ClaudeFolderNotFound(places)
    return found


def _enter_home(place: Path) -> Path:
    """Give the Claude folder in a home folder, which people name when they mean it."""
    inside = place / _CLAUDE
    is_home = not (place / "projects").is_dir() and (inside / "projects").is_dir()
    return inside if is_home else place


def _expand_app_folder(place: Path) -> list[Path]:
    """Give the Claude folders that a place stands for; mostly that is the place itself.

    The app's own folder, the one with its tasks, an account, an organisation or a single task
    may be named.
    """
    tasks: list[Path] = []
    if has_app_sessions(place):
        tasks = sorted(place.glob(f"{APP_SESSIONS}/*/*/{_TASK}"))
    elif APP_SESSIONS in place.parts and place.name != _CLAUDE:
        below = len(place.parts) - place.parts.index(APP_SESSIONS)
        tasks = sorted(place.glob("/".join(("*", "*", "local_*", _CLAUDE)[below - 1 :])))
    own = [place] if not tasks or (place / "projects").is_dir() else []
    return own + tasks


def discover_projects(claude_dir: Path, sources: SourceFinder = DISK) -> Iterator[ProjectFiles]:
    """List the projects of a Claude folder by name, each with all its files.

    Links to folders are followed. Several names of one folder are one project: the folder
    itself where it lies here, else the first link to it. What is gone from disk and has bytes
    in `sources` is listed as it was.
    """
    folder = claude_dir / "projects"
    kept = sources.list_kept(str(claude_dir))
    gone = dict(kept.get(str(folder), {})) if kept else {}
    entries: list[FolderEntry] = []
    seen: set[Identity] = set()
    try:
        if not is_of_machine(claude_dir):
            with os.scandir(folder) as listing:
                entries.extend(listing)
            seen = {identity_in(claude_dir.stat()), identity_in(folder.stat())}
    except OSError as error:
        if not claude_dir.is_dir():
            raise ClaudeFolderNotFound([claude_dir]) from error
        if not isinstance(error, FileNotFoundError) or folder.is_symlink():
            raise Unreadable(folder, reason_of(error)) from error
        # The client has not saved anything yet, or somebody has removed all of it.
    if gone:
        names = {entry.name for entry in entries}
        entries.extend(entry for name, entry in gone.items() if name not in names)
    entries.sort(key=lambda entry: (entry.is_symlink(), entry.name))
    found: list[tuple[str, str, tuple[Problem, ...]]] = []
    for entry in entries:
        problems: list[Problem] = []
        status = status_of(entry, problems)
        if status is not None:
            if not S_ISDIR(status.st_mode) or identity_in(status) in seen:
                continue
            seen.add(identity_in(status))
        found.append((entry.name, entry.path, tuple(problems)))
    return (
        ProjectFiles(name, path, problems=trouble) if trouble else _list_project(path, kept)
        for name, path, trouble in sorted(found)
    )


def list_project_files(folder: str, sources: SourceFinder = DISK) -> ProjectFiles:
    """List one project's folder, with what `sources` have of what is gone from it."""
    return _list_project(folder, sources.list_kept(folder))


def _list_project(folder: str, kept: KeptFolders) -> ProjectFiles:
    problems: list[Problem] = []
    entries = list_entries(folder, problems, kept)
    files: dict[str, tuple[str, os.stat_result]] = {}
    folders: dict[str, Companions] = {}
    agents: list[AgentFile] = []
    for name, entry in entries.items():
        if is_agent_file(name):
            if agent := describe_agent_file(entry, entries, problems, "flat"):
                agents.append(agent)
        elif name.endswith(SUFFIX):
            # macOS leaves `._x.jsonl` on foreign disks: its own notes, not a session.
            if not name.startswith(".") and (status := file_status(entry, problems)):
                files[name.removesuffix(SUFFIX)] = (entry.path, status)
        elif name not in NOT_COMPANIONS and is_folder(entry):
            companions = list_companions(entry.path, problems, kept)
            if companions != NO_COMPANIONS:
                folders[name] = companions
    sessions = (
        _build_session(folder, name, files.get(name), folders.get(name, NO_COMPANIONS))
        for name in sorted({*files, *folders})
    )
    name = folder.rpartition(os.sep)[2]
    return ProjectFiles(name, folder, tuple(sessions), tuple(agents), tuple(problems))


def encode_cwd(cwd: str) -> str:
    """Name the project folder the client uses for a working directory.

    `cwd` is the real path, links resolved. There is no way back: a project's path comes
    from its records. The client counts in UTF-16 units, so an emoji gives two dashes.
    """
    name = re.sub(r"[^A-Za-z0-9]", lambda odd: "-" if odd[0] <= "\uffff" else "--", cwd)
    if len(name) <= _LONGEST_NAME:
        return name
    code = 0
    for (unit,) in struct.iter_unpack("<H", cwd.encode("utf-16-le", "surrogatepass")):
        code = (code * 31 + unit) % 2**32
    # The client keeps the code as a signed 32-bit number and drops the sign.
    return f"{name[:_LONGEST_NAME]}-{_to_base36(min(code, 2**32 - code))}"


def main_file_of(path: str, project: str, session: str) -> str:
    """Name a session's own file, from any file of it below a project's folder."""
    before, found, _ = path.rpartition(f"{os.sep}{project}{os.sep}")
    folder = f"{before}{found}" if found else f"{path.rpartition(os.sep)[0]}{os.sep}"
    return f"{folder}{session}.jsonl"


def _build_session(
    folder: str, name: str, found: tuple[str, os.stat_result] | None, companions: Companions
) -> SessionFiles:
    file, status = found or (None, None)
    return SessionFiles(
        id=name,
        file=file,
        size=status.st_size if status else 0,
        mtime_ns=status.st_mtime_ns if status else _folder_mtime(Path(folder, name)),
        agents=companions.agents,
        tool_results=companions.tool_results,
        workflows=companions.workflows,
        custom_title=companions.custom_title,
        is_archived=status is not None and status.st_dev == NO_DEVICE,
    )


def _folder_mtime(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _to_base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
