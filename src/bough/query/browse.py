"""Lists: projects, sessions and conversations, newest first, straight from the files."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path

import msgspec
from msgspec import Struct

from bough.config import claude_dirs
from bough.errors import BoughError
from bough.files.discover import (
    ProjectFiles,
    SessionFiles,
    claude_folders,
    discover,
    encode_cwd,
)
from bough.files.listing import Problem
from bough.files.worktrees import repository_of
from bough.model.paths import name_of
from bough.model.plans import PlanFacts, plan_kinds
from bough.model.prompts import STARTS_A_LINE, said
from bough.model.session import Session
from bough.model.times import first_and_last, utc
from bough.model.turns import Setting, count
from bough.query.folder import Folder
from bough.query.opening import ending, opening
from bough.query.reading import read_in
from bough.records.record import Record
from bough.records.types import Assistant, User


class Project(Struct, frozen=True):
    """One folder below `projects`, under the path its records name.

    `id` is the folder's name, `folder` where it lies. `path` is None where no record names
    one. `sessions` counts those with a conversation. `worktree_of` is the path of the
    repository whose worktree this is.
    """

    id: str
    path: str | None
    name: str
    sessions: int
    last_active: str | None
    worktree_of: str | None
    folder: str
    problems: tuple[Problem, ...] = ()


class SessionRow(Struct, frozen=True):
    """One session in a list; see docs/library.md for the fields."""

    id: str
    project: str
    path: str
    title: str
    title_source: str | None
    started_at: str | None
    ended_at: str | None
    records: int
    bad_lines: int
    unknown_records: int
    turns: int
    branch_points: int
    tips: int
    agents: int
    models: list[str]
    git_branch: str | None
    version: str | None
    kind: str
    bytes: int


class ConversationRow(Struct, frozen=True):
    """One conversation in a list."""

    session: str
    tip: str | None
    active: bool
    title: str
    turns: int
    started_at: str | None
    ended_at: str | None
    branch_point: str | None


class SessionList(Struct, frozen=True):
    """Sessions, and what could not be read among them."""

    rows: list[SessionRow]
    problems: list[Problem]


class ConversationList(Struct, frozen=True):
    """Conversations of several sessions, and what could not be read among them."""

    rows: list[ConversationRow]
    problems: list[Problem]


Dirs = Sequence[str | PathLike[str]]


def project_listings(dirs: Dirs = ()) -> list[ProjectFiles]:
    """List the files of all projects in all Claude folders."""
    folders = claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    return [project for folder in folders for project in discover(folder)]


def projects(dirs: Dirs = ()) -> list[Project]:
    """List the projects, the most recently active first."""
    found = [describe_project(listing) for listing in project_listings(dirs)]
    found.sort(key=lambda project: project.id)
    return sorted(found, key=lambda project: project.last_active or "", reverse=True)


def describe_project(listing: ProjectFiles) -> Project:
    """Tell what a project is called and how much is in it."""
    talking = [files for files in listing.sessions if has_talk(files)]
    path = path_of(listing)
    return Project(
        id=listing.dir,
        path=path,
        name=name_of(path) if path else listing.dir,
        sessions=len(talking),
        last_active=last_active(talking or listing.sessions),
        worktree_of=repository_of(path) if path else None,
        folder=str(listing.path),
        problems=listing.problems,
    )


def path_of(listing: ProjectFiles) -> str | None:
    """Find the folder a project was worked on in, as its records say.

    The client names the project's folder for it, so a path that fits the name is surest;
    a session may have been moved here from elsewhere. Else the newest session's counts.
    """
    wanted = listing.dir.casefold()
    newest = ""
    files = sorted(listing.sessions, key=lambda session: session.mtime_ns, reverse=True)
    agents = [agent.path for session in files for agent in session.agents]
    for file in (*(s.path for s in files if s.path), *(a.path for a in listing.loose_agents), *agents):
        for cwd in _cwds(file):
            if encode_cwd(cwd).casefold() == wanted:
                return cwd
            newest = newest or cwd
    return newest or None


def list_sessions(
    dirs: Dirs = (), project: str | None = None, *, everything: bool = False
) -> SessionList:
    """List sessions, newest first; those without a conversation only with `everything`."""
    rows: list[SessionRow] = []
    problems: list[Problem] = []
    for listing in _chosen(dirs, project):
        problems.extend(listing.problems)
        rows.extend(_rows_of(listing, problems, everything=everything))
    rows.sort(key=lambda row: row.id)
    rows.sort(key=lambda row: row.ended_at or "", reverse=True)
    return SessionList(rows, problems)


def read_sessions(
    listing: ProjectFiles, problems: list[Problem]
) -> Iterator[tuple[SessionFiles, Session]]:
    """Read the sessions of a project one by one; what cannot be read becomes a problem."""
    folder = Folder(listing.path)
    for files in listing.sessions:
        if files.path is None:
            continue
        try:
            yield files, read_in(folder, files.path)
        except BoughError as error:
            problems.append(Problem(files.path, error.message))


def list_conversations(session: Session) -> list[ConversationRow]:
    """List a session's conversations, newest first."""
    single = len(session.conversations) == 1
    setting = Setting(session.tree)
    rows = [
        ConversationRow(
            session=session.id,
            tip=conversation.tip,
            active=conversation.active,
            title=session.title if single else conversation.title or session.title,
            turns=count(conversation.items, setting),
            started_at=utc(conversation.started_at),
            ended_at=utc(conversation.ended_at),
            branch_point=conversation.branch_point.uuid if conversation.branch_point else None,
        )
        for conversation in session.conversations
    ]
    return sorted(rows, key=lambda row: row.ended_at or "", reverse=True)


def list_all_conversations(dirs: Dirs = (), project: str | None = None) -> ConversationList:
    """List the conversations of all sessions, or of one project's, newest first."""
    rows: list[ConversationRow] = []
    problems: list[Problem] = []
    for listing in _chosen(dirs, project):
        problems.extend(listing.problems)
        for _, session in read_sessions(listing, problems):
            rows.extend(list_conversations(session))
    rows.sort(key=lambda row: row.ended_at or "", reverse=True)
    return ConversationList(rows, problems)


def session_kind(session: Session) -> str:
    """Tell a session a person led from one a program did."""
    return "sdk" if (session.entrypoint or "").startswith("sdk") else "main"


def describe_session(
    session: Session, files: SessionFiles, project: str, agents: int, kind: str
) -> SessionRow:
    """Put a session's facts into a row."""
    title = session.title_and_source
    return SessionRow(
        id=session.id,
        project=project,
        path=str(files.path),
        title=session.title,
        title_source=title.source if title else None,
        started_at=session.started_at,
        ended_at=session.ended_at,
        records=len(session.records),
        bad_lines=len(session.bad_lines),
        unknown_records=len(session.unknown_records),
        turns=count(session.conversation().items, Setting(session.tree)),
        branch_points=len(session.branch_points),
        tips=len(session.tips),
        agents=agents,
        models=session.models,
        git_branch=session.git_branch,
        version=session.version,
        kind=kind,
        bytes=files.size,
    )


def has_talk(files: SessionFiles) -> bool:
    """Tell whether a session has a conversation, from its start if that is enough."""
    if files.path is None:
        return False
    seen = 0
    for record in opening(files.path):
        if _is_talk(record):
            return True
        seen += len(record.raw)
    if seen >= files.size:
        return False
    try:
        return bool(read_in(Folder(files.path.parent), files.path).tips)
    except BoughError:
        return False


def last_active(sessions: Iterable[SessionFiles]) -> str | None:
    """Find when something was last said in any of some sessions.

    A file's own time bounds that of its records, so mostly only one file is looked into;
    but it may have been copied or touched since, so the time in it is what counts.
    """
    newest: str | None = None
    for files in sorted(sessions, key=lambda session: session.mtime_ns, reverse=True):
        written = _iso(files.mtime_ns)
        if newest is not None and written <= newest:
            break
        newest = max(newest or "", said_at(files) or written)
    return newest


def said_at(files: SessionFiles) -> str | None:
    """Find the newest time in the last stretch of a session's file."""
    return first_and_last(ending(files.path, files.size))[1] if files.path else None


def _chosen(dirs: Dirs, project: str | None) -> list[ProjectFiles]:
    from bough.query.finding import find_project

    listings = project_listings(dirs)
    return listings if project is None else [find_project(project, listings)]
