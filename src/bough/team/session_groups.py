"""What could leave: sessions with everything that belongs to them, project by project.

Of a session its transcript, those of its agents, and what lies in its own folder: long outputs,
what describes its agents and workflows, its title. Nothing else of a Claude folder ever leaves:
no settings, no typed prompts (`history.jsonl`), no earlier versions of files, no snapshots of the
shell, no memory.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path
from bough.errors import Unreadable
from bough.files.directory import KeptFolders, Problem, is_folder, list_entries
from bough.files.discover import (
    ProjectFiles,
    SessionFiles,
    discover_projects,
    list_project_files,
)
from bough.ingest.index.work_plan import ListedFile, list_files
from bough.ingest.project_names import find_project_path
from bough.ingest.read_records import read_owner
from bough.model.text.formats import base_name_of
from bough.team.ignore_file import IgnoreRules, read_ignore_rules
from bough.team.repository_name import find_repository

LONGEST_COMPANION: Final = 32 << 20
"""Larger ones stay here: they are masked in memory, as one text."""


class CompanionFile(Struct, frozen=True):
    """Something that lies beside a transcript."""

    path: str
    size: int
    mtime_ns: int


class SessionGroup(Struct, frozen=True):
    """A session with all its files; `id` is empty for agents whose session nothing tells."""

    id: str
    project: ProjectFiles
    files: tuple[ListedFile, ...]
    companions: tuple[CompanionFile, ...] = ()

    @property
    def is_session(self) -> bool:
        """Tell whether a session's own transcript is among its files."""
        return any(file.role == "session" for file in self.files)

    @property
    def newest(self) -> int:
        """Give when a transcript of it was last written, in nanoseconds."""
        return max((file.mtime_ns for file in self.files), default=0)


class PushableProject(Struct, frozen=True):
    """A project that could be sent: what it is called here, and everywhere.

    `repository` is the address that it has on every machine; None where it has none, and then it
    is known by this machine and its path.
    """

    folder: str
    name: str
    path: str | None
    repository: str | None
    sessions: int
    bytes: int
    is_kept: bool = False


class ChosenSessions(Struct, frozen=True):
    """What was chosen: groups of files, and how many sessions stay here and why.

    `sessions` are those that were looked at; None where all were.
    """

    groups: tuple[SessionGroup, ...]
    ignored: int = 0
    older: int = 0
    forgotten: int = 0
    problems: tuple[Problem, ...] = ()
    sessions: tuple[str, ...] | None = None


def list_pushable(folders: Sequence[Path]) -> list[PushableProject]:
    """List the projects that could be sent."""
    return [
        _describe_project(project)
        for folder in folders
        for project in discover_projects(folder, DISK_THEN_ARCHIVE)
        if project.sessions or project.loose_agents
    ]


def choose_sessions(
    folders: Sequence[Path],
    projects: Sequence[str],
    since: datetime | None = None,
    changed: Collection[str] | None = None,
) -> ChosenSessions:
    """List the sessions of some projects, without what their ignore files keep.

    What a person wants no copy of (`bough archive forget`) is not sent either.

    Args:
        folders: Claude folders.
        projects: The folders of the projects in them.
        since: Sessions that were last written before are left out.
        changed: Files; only the sessions that these belong to are looked at.
    """
    groups: list[SessionGroup] = []
    problems: list[Problem] = []
    ignored = older = forgotten = 0
    unwanted = ArchiveFolder(archive_path(folders)).list_forgotten()
    for project, kept in _list_projects(folders, projects, changed):
        problems += project.problems
        rules = read_ignore_rules(find_project_path(project, DISK_THEN_ARCHIVE))
        for group in _group_files(project, kept, problems):
            if changed is not None and not _is_changed(group, changed):
                continue
            if group.id in unwanted:
                forgotten += 1
            elif rules.keeps_session(group.id):
                ignored += 1
            elif since is not None and group.newest < since.timestamp() * 1e9:
                older += 1
            else:
                groups.append(_leave_out(group, rules))
    sessions = None
    if changed is not None:
        inside = [
            path for path in changed if path.startswith(tuple(f"{one}{os.sep}" for one in projects))
        ]
        found = {*(group.id for group in groups), *map(_name_session, inside)}
        sessions = tuple(sorted(found))
    return ChosenSessions(tuple(groups), ignored, older, forgotten, tuple(problems), sessions)


def _list_projects(
    folders: Sequence[Path], projects: Sequence[str], changed: Collection[str] | None
) -> Iterator[tuple[ProjectFiles, KeptFolders]]:
    """List the projects that are wanted, with what is kept of what is gone from them."""
    if changed is not None:
        for folder in projects:
            if any(path.startswith(folder + os.sep) for path in changed):
                kept = DISK_THEN_ARCHIVE.list_kept(folder)
                yield list_project_files(folder, DISK_THEN_ARCHIVE), kept
        return
    wanted = frozenset(projects)
    for place in folders:
        kept = DISK_THEN_ARCHIVE.list_kept(str(place))
        for project in discover_projects(place, DISK_THEN_ARCHIVE):
            if project.folder in wanted:
                yield project, kept


def _is_changed(group: SessionGroup, changed: Collection[str]) -> bool:
    """Tell whether a file belongs to a session: by its path, or because it lies in its folder."""
    own = os.path.join(group.project.folder, group.id) if group.id else ""  # noqa: PTH118 - as they come
    return any(file.path in changed for file in group.files) or (
        bool(own) and any(path.startswith((f"{own}.", own + os.sep)) for path in changed)
    )


def _name_session(path: str) -> str:
    """Name the session that a file was of, which may be gone: its own, or one in its folder."""
    parts = Path(path.rpartition(f"{os.sep}projects{os.sep}")[2]).parts
    return parts[1].removesuffix(".jsonl") if len(parts) > 1 else ""


def _describe_project(project: ProjectFiles) -> PushableProject:
    path = find_project_path(project, DISK_THEN_ARCHIVE)
    files = list(list_files(project))
    return PushableProject(
        project.folder,
        base_name_of(path) if path else project.dir,
        path,
        find_repository(path),
        sum(session.file is not None for session in project.sessions),
        sum(file.size for file in files),
        read_ignore_rules(path).keeps_all,
    )


def _group_files(
    project: ProjectFiles, kept: KeptFolders, problems: list[Problem]
) -> Iterator[SessionGroup]:
    files: dict[str, list[ListedFile]] = {}
    for file in list_files(project):
        owner = file.session or read_owner(file.path, DISK_THEN_ARCHIVE) or ""
        files.setdefault(owner, []).append(file)
    known = {session.id: session for session in project.sessions}
    for owner, own in files.items():
        session = known.get(owner)
        paths = [] if session is None else _list_companions(session, kept, problems)
        paths += [file.meta for file in own if file.meta is not None]
        companions = [one for path in dict.fromkeys(paths) if (one := _describe(path, problems))]
        yield SessionGroup(owner, project, tuple(own), tuple(companions))


def _list_companions(
    session: SessionFiles, kept: KeptFolders, problems: list[Problem]
) -> list[str]:
    paths = [str(session.custom_title)] if session.custom_title else []
    for run in session.workflows:
        paths += [str(place) for place in (run.journal, run.report) if place is not None]
    waiting = [str(session.tool_results)] if session.tool_results else []
    while waiting:
        for entry in list_entries(waiting.pop(), problems, kept).values():
            if entry.is_symlink():
                continue  # may lead anywhere on this machine
            if is_folder(entry):
                waiting.append(entry.path)
            else:
                paths.append(entry.path)
    return paths


def _describe(path: str, problems: list[Problem]) -> CompanionFile | None:
    source = DISK_THEN_ARCHIVE.find(path)
    try:
        state = None if source is None else source.state()
    except Unreadable:
        return None
    if state is None:
        return None
    if state.size > LONGEST_COMPANION:
        problems.append(Problem(Path(path), "It is too long to be sent; it stays here."))
        return None
    return CompanionFile(path, state.size, state.mtime_ns)


def _leave_out(group: SessionGroup, rules: IgnoreRules) -> SessionGroup:
    """Leave out the files of a session that are kept."""
    if not rules.patterns:
        return group

    def leaves(path: str) -> bool:
        name = path.removeprefix(group.project.folder).replace("\\", "/").lstrip("/")
        return not rules.keeps_file(group.id, name)

    return SessionGroup(
        group.id,
        group.project,
        tuple(file for file in group.files if leaves(file.path)),
        tuple(one for one in group.companions if leaves(one.path)),
    )
