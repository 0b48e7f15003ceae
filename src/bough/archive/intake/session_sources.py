"""What the archive takes of a Claude folder: each session, and everything that belongs to it.

    projects/<project>/<session>.jsonl, <session>/**      the transcript, agents, tool results, ...
    projects/<project>/agent-<id>.jsonl (+ .meta.json)    agents in the layout of 2.0 clients
    file-history/<session>/*, tasks/<session>/*.json, todos/<session>-agent-*.json,
    image-cache/<session>/*                               by the session's id
    plans/<name>.md, paste-cache/<hash>.txt               by what its lines name
    history.jsonl                                         its lines of the typed prompts

Shell snapshots are never taken: they hold the person's environment.
"""

import os
import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.storage.frames import ArchiveHeader
from bough.errors import Unreadable, reason_of
from bough.files.byte_source import ByteSource, DiskSource, MemorySource
from bough.files.companions import AGENT, SUFFIX, is_agent_file
from bough.files.directory import Problem
from bough.files.discover import NOT_COMPANIONS, ProjectFiles, discover_projects
from bough.records.decode import find_session_id

HISTORY: Final = "history.jsonl"
NAMED_FOLDERS: Final = {"plans": "plan", "paste-cache": "paste"}
"""Folders whose files only lines say whose they are, and what these files are."""
_META: Final = ".meta.json"
_BY_SESSION: Final = {
    "file-history": "file history",
    "tasks": "task",
    "image-cache": "picture",
}
_ROLES_OF_FOLDERS: Final = {"tool-results": "tool result", "workflows": "workflow"}


class SourceFile(Struct, frozen=True):
    """Something to take in: what its header says, and where its bytes are."""

    header: ArchiveHeader
    source: ByteSource


class ListedSources(Struct, frozen=True):
    """What there is to take in a Claude folder; `problems` are what could not be listed."""

    files: list[SourceFile]
    problems: list[Problem]

    @property
    def sessions(self) -> frozenset[str]:
        """Name the sessions."""
        return frozenset(file.header.session for file in self.files if file.header.session)


class _Prompt(Struct, rename="camel"):
    session_id: str = ""


_decode_prompt = msgspec.json.Decoder(_Prompt).decode


def list_session_sources(claude_dir: Path) -> ListedSources:
    """List what there is to take in a Claude folder, without what other files name."""
    top = claude_dir.resolve()
    files: list[SourceFile] = []
    problems: list[Problem] = []
    for project in discover_projects(top):
        problems += project.problems
        files += _list_project(top, project, problems)
    sessions = {file.header.session for file in files}
    for folder, role in _BY_SESSION.items():
        for owner in _list_folders(top / folder, problems):
            if owner.name in sessions:
                files += (
                    _make_file(top, path, role, owner.name)
                    for path in _walk_files(owner, problems)
                    if not path.endswith(".lock")
                )
    files += _list_todos(top, sessions, problems)
    files += _list_prompts(top, sessions, problems)
    return ListedSources(files, problems)


def list_named_sources(claude_dir: Path, names: Iterable[tuple[str, str]]) -> Iterator[SourceFile]:
    """List the files that are there of those that sessions name: pairs of session and name."""
    top = claude_dir.resolve()
    for session, name in names:
        path = str(top / name)
        if _is_file(path):
            yield _make_file(top, path, NAMED_FOLDERS[name.partition("/")[0]], session)


def has_named_sources(claude_dir: Path) -> bool:
    """Tell whether there is any file that lines may name."""
    return any(_has_files(claude_dir / folder) for folder in NAMED_FOLDERS)


class ChangedSources(Struct, frozen=True):
    """What some changed files belong to: sessions with their projects, loose agents, names.

    `names` are files that sessions name, relative to the Claude folder.
    """

    sessions: dict[str, set[str]] = {}
    agents: set[str] = set()
    names: set[str] = set()


def group_changes(claude_dir: Path, paths: Iterable[str]) -> ChangedSources:
    """Tell by their paths what some files below a Claude folder belong to; others are left out."""
    top = claude_dir.resolve()
    found = ChangedSources()
    for path in paths:
        relative = _find_relative(path, claude_dir, top)
        match relative.split("/") if relative else []:
            case ["projects", project, name] if name.startswith(AGENT):
                if name.endswith((SUFFIX, _META)):
                    file = name.removesuffix(_META).removesuffix(SUFFIX) + SUFFIX
                    found.agents.add(str(top / "projects" / project / file))
            case ["projects", project, name] if name.endswith(SUFFIX) and not name.startswith("."):
                found.sessions.setdefault(name.removesuffix(SUFFIX), set()).add(project)
            case ["projects", project, session, *rest] if rest and session not in NOT_COMPANIONS:
                found.sessions.setdefault(session, set()).add(project)
            case [folder, session, *rest] if rest and folder in _BY_SESSION:
                found.sessions.setdefault(session, set())
            case ["todos", name]:
                found.sessions.setdefault(name.partition("-agent-")[0], set())
            case ["plans" | "paste-cache", _]:
                found.names.add(relative)
            case _:
                pass
    return found


def list_changed_sources(claude_dir: Path, changed: ChangedSources) -> ListedSources:
    """List what there is of some sessions, without what their lines name."""
    top = claude_dir.resolve()
    files: list[SourceFile] = []
    problems: list[Problem] = []
    for path in sorted(changed.agents):
        owner = _read_owner(path)
        named = (path, "agent"), (path.removesuffix(SUFFIX) + _META, "meta")
        files += (_make_file(top, one, role, owner) for one, role in named if _is_file(one))
    for session, projects in changed.sessions.items():
        for project in sorted(projects or _find_projects(top, session, problems)):
            path = str(top / "projects" / project / f"{session}{SUFFIX}")
            own = _walk_files(Path(path.removesuffix(SUFFIX)), problems)
            files += [_make_file(top, path, "session", session)] if _is_file(path) else []
            files += (_make_file(top, one, _role_of(one), session) for one in own)
    sessions = {file.header.session for file in files}
    for folder, role in _BY_SESSION.items():
        for session in sorted(sessions - {""}):
            files += (
                _make_file(top, path, role, session)
                for path in _walk_files(top / folder / session, problems)
                if not path.endswith(".lock")
            )
    files += _list_todos(top, sessions, problems)
    files += _list_prompts(top, sessions, problems)
    return ListedSources(files, problems)


def find_transcript_source(claude_dir: Path, path: str) -> SourceFile | None:
    """Find what a transcript below a Claude folder is by its path; None where it is none."""
    top = claude_dir.resolve()
    relative = _find_relative(path, claude_dir, top)
    match relative.split("/") if relative else []:
        case ["projects", _, name] if is_agent_file(name):
            return _make_file(top, str(top / relative), "agent", _read_owner(path))
        case ["projects", _, name] if name.endswith(SUFFIX):
            return _make_file(top, str(top / relative), "session", name.removesuffix(SUFFIX))
        case ["projects", _, session, *rest] if rest and rest[-1].endswith(SUFFIX):
            return _make_file(top, str(top / relative), _role_of(path), session)
        case _:
            return None


def _find_relative(path: str, claude_dir: Path, top: Path) -> str:
    """Name a file as headers do, from its Claude folder on; empty for one that lies elsewhere."""
    for folder in (str(top), str(claude_dir.absolute())):
        if path.startswith(f"{folder}{os.sep}"):
            return path[len(folder) + 1 :].replace(os.sep, "/")
    return ""


def _has_files(folder: Path) -> bool:
    try:
        with os.scandir(folder) as found:
            return any(found)
    except OSError:
        return False


def _find_projects(top: Path, session: str, problems: list[Problem]) -> list[str]:
    """Find the projects that have a session."""
    return [
        folder.name
        for folder in _list_folders(top / "projects", problems)
        if (folder / f"{session}{SUFFIX}").is_file() or (folder / session).is_dir()
    ]


def _is_file(path: str) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)  # noqa: PTH113, PTH114 - thousands


def _list_project(
    top: Path, project: ProjectFiles, problems: list[Problem]
) -> Iterator[SourceFile]:
    for session in project.sessions:
        if session.file is not None:
            yield _make_file(top, session.file, "session", session.id)
        for path in _walk_files(Path(project.folder, session.id), problems):
            yield _make_file(top, path, _role_of(path), session.id)
    for agent in project.loose_agents:
        owner = _read_owner(agent.file)
        yield _make_file(top, agent.file, "agent", owner)
        if agent.meta is not None:
            yield _make_file(top, str(agent.meta), "meta", owner)


def _make_file(top: Path, path: str, role: str, session: str) -> SourceFile:
    name = path.rpartition(os.sep)[2]
    folder = str(top)
    is_below = path.startswith(f"{folder}{os.sep}")
    relative = path[len(folder) + 1 :] if is_below else os.path.relpath(path, folder)
    header = ArchiveHeader(
        relative.replace(os.sep, "/"),
        kind="jsonl" if name.endswith(SUFFIX) else "file",
        role=role,
        session=session,
        agent=name.removeprefix(AGENT).removesuffix(SUFFIX) if role == "agent" else None,
        folder=folder,
    )
    return SourceFile(header, DiskSource(path))


def _role_of(path: str) -> str:
    """Name what a file in a session's own folder is."""
    folder, _, name = path.rpartition(os.sep)
    if is_agent_file(name):
        return "agent"
    if name.endswith(_META):
        return "meta"
    if name == "custom-title.json":
        return "title"
    if name == "journal.jsonl":
        return "workflow"
    return _ROLES_OF_FOLDERS.get(folder.rpartition(os.sep)[2], "companion")


def _list_todos(top: Path, sessions: set[str], problems: list[Problem]) -> Iterator[SourceFile]:
    for path in _walk_files(top / "todos", problems):
        session = path.rpartition(os.sep)[2].partition("-agent-")[0]
        if session in sessions:
            yield _make_file(top, path, "todo", session)


def _list_prompts(top: Path, sessions: set[str], problems: list[Problem]) -> Iterator[SourceFile]:
    """Cut `history.jsonl` into the lines of each session; half a line waits for its other half."""
    source = DiskSource(str(top / HISTORY))
    lines: defaultdict[str, list[bytes]] = defaultdict(list)
    try:
        for line in source.lines():
            if line.ended and (owner := _owner_of_prompt(line.raw)) in sessions:
                lines[owner].append(line.raw)
    except Unreadable as error:
        if not error.is_gone:
            problems.append(Problem(Path(source.path), error.message))
        return
    for session, found in lines.items():
        header = ArchiveHeader(
            f"{HISTORY}#{session}", role="prompts", session=session, folder=str(top)
        )
        # The file's own time changes with every prompt of any session, and would say nothing.
        yield SourceFile(header, MemorySource(source.path, b"".join(found)))


def _owner_of_prompt(raw: bytes) -> str:
    try:
        return _decode_prompt(raw).session_id
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""


def _read_owner(path: str) -> str:
    try:
        return find_session_id(DiskSource(path).lines()) or ""
    except Unreadable:
        return ""


def _walk_files(folder: Path, problems: list[Problem]) -> Iterator[str]:
    """List the regular files below a folder; links are not followed."""

    def note(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            problems.append(_describe_problem(error.filename or folder, error))

    for place, folders, names in os.walk(folder, onerror=note):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)  # noqa: PTH118 - thousands
            try:
                if stat.S_ISREG(os.lstat(path).st_mode):
                    yield path
            except OSError as error:
                note(error)


def _list_folders(folder: Path, problems: list[Problem]) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if one.is_dir() and not one.is_symlink())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        problems.append(_describe_problem(folder, error))
        return []


def _describe_problem(path: str | Path, error: OSError) -> Problem:
    return Problem(Path(path), Unreadable(path, reason_of(error)).message)
