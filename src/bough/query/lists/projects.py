"""Projects: which there are, what they are called, when they were last worked on.

Answered from listings and the ends of files, so that thousands of sessions stay cheap. They
stand in the order people look for them: newest first, worktrees below their repository.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bough.config import claude_dirs
from bough.errors import BoughError
from bough.files.discover import (
    ProjectFiles,
    SessionFiles,
    discover_projects,
    find_claude_folders,
)
from bough.files.worktrees import repository_of
from bough.ingest.project_names import find_project_path
from bough.ingest.read_records import read_first_records, read_last_records
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.interpret.user_records import classify_user_record
from bough.model.text.formats import base_name_of
from bough.model.text.times import find_time_range, format_timestamp_ns
from bough.query.byte_sources import USUAL_SOURCES, chosen_store
from bough.query.lists.list_rows import Dirs, Project
from bough.query.sessions.load_session import read_session
from bough.records.record import Record
from bough.records.types import Assistant, User


def project_listings(dirs: Dirs = ()) -> list[ProjectFiles]:
    """List the files of all projects in all Claude folders."""
    if (url := chosen_store()) is not None:
        from bough.query.lists.team_lookup import list_team_listings  # noqa: PLC0415 - few have a team

        return list_team_listings(url)
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    return [project for folder in folders for project in discover_projects(folder, USUAL_SOURCES)]


def list_projects(dirs: Dirs = ()) -> list[Project]:
    """List the projects, the most recently active first."""
    found = [describe_project(listing) for listing in project_listings(dirs)]
    found.sort(key=lambda project: project.id)
    return sorted(found, key=lambda project: project.last_active or "", reverse=True)


def describe_project(listing: ProjectFiles) -> Project:
    """Tell what a project is called and how much is in it."""
    talking = [files for files in listing.sessions if has_conversation(files)]
    path = find_project_path(listing, USUAL_SOURCES)
    return Project(
        id=listing.dir,
        path=path,
        name=base_name_of(path) if path else listing.dir,
        sessions=len(talking),
        last_active=last_active(talking or listing.sessions),
        worktree_of=repository_of(path) if path else None,
        folder=listing.folder,
        problems=listing.problems,
    )


def has_conversation(files: SessionFiles) -> bool:
    """Tell whether a session has a conversation, from its start if that is enough."""
    if files.path is None:
        return False
    seen = 0
    for record in read_first_records(USUAL_SOURCES.find(str(files.path))):
        if _is_message(record):
            return True
        seen += len(record.raw)
    if seen >= files.size:
        return False
    try:
        return bool(read_session(files.path).tips)
    except BoughError:
        return False


def last_active(sessions: Iterable[SessionFiles]) -> str | None:
    """Find when something was last said in any of some sessions.

    A file's own time bounds that of its records, so mostly only one file is looked into;
    but it may have been copied or touched since, so the time in it is what counts.
    """
    newest: str | None = None
    for files in sorted(sessions, key=lambda session: session.mtime_ns, reverse=True):
        written = file_time(files)
        if newest is not None and written <= newest:
            break
        newest = max(newest or "", last_message_time(files) or written)
    return newest


def last_message_time(files: SessionFiles) -> str | None:
    """Find the newest time in the last stretch of a session's file."""
    if files.path is None:
        return None
    source = USUAL_SOURCES.find(str(files.path))
    nodes = (record for record in read_last_records(source, files.size) if record.in_tree)
    return find_time_range(nodes)[1]


def file_time(files: SessionFiles) -> str:
    """Give the time of a session's file itself."""
    return format_timestamp_ns(files.mtime_ns)


def _is_message(record: Record) -> bool:
    if record.is_sidechain:
        return False
    if isinstance(record, User):
        return classify_user_record(record) in PERSON_KINDS
    return isinstance(record, Assistant)


def order_projects(projects: Sequence[Project]) -> Iterator[tuple[Project, bool]]:
    """Give projects newest first, each followed by its worktrees, which say so.

    A repository counts as active when one of its worktrees is.
    """
    by_path = {project.path: project for project in projects if project.path}
    below: dict[str, list[Project]] = {}
    for project in projects:
        parent = by_path.get(project.worktree_of or "")
        if parent is not None and parent is not project:
            below.setdefault(project.worktree_of or "", []).append(project)
    nested = {id(project) for found in below.values() for project in found}

    def active(project: Project) -> str:
        family = (project, *below.get(project.path or "", ()))
        return max(one.last_active or "" for one in family)

    top = [project for project in projects if id(project) not in nested]
    for project in sorted(top, key=active, reverse=True):
        yield project, False
        for worktree in below.get(project.path or "", ()):
            yield worktree, True
