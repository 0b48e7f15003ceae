"""Lists: projects, sessions and conversations, newest first, straight from the files."""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path, PurePosixPath, PureWindowsPath

from msgspec import Struct

from bough.config import claude_dirs
from bough.errors import (
    AmbiguousProject,
    AmbiguousSession,
    BoughError,
    ProjectNotFound,
    SessionNotFound,
)
from bough.files.discover import ProjectFiles, SessionFiles, claude_folders, discover
from bough.files.listing import Problem
from bough.model.plans import plan_kinds
from bough.model.prompts import STARTS_A_LINE, said
from bough.model.session import Session
from bough.query.reading import head, owner_of, read_session
from bough.query.worktrees import repository_of
from bough.records.record import Record
from bough.records.types import Assistant, User

_LATEST = "latest"


class Project(Struct, frozen=True):
    """One folder below `projects`, under the path its records name.

    `sessions` counts those with a conversation. `worktree_of` is the path of the repository
    whose worktree this is. `folder` is where the files lie.
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


Dirs = Sequence[str | PathLike[str]]


def project_listings(dirs: Dirs = ()) -> list[ProjectFiles]:
    """List the files of all projects in all Claude folders."""
    folders = claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    return [project for folder in folders for project in discover(folder)]


def projects(dirs: Dirs = ()) -> list[Project]:
    """List the projects, the most recently active first."""
    found = [describe_project(listing) for listing in project_listings(dirs)]
    return sorted(found, key=lambda p: p.last_active or "", reverse=True)


def describe_project(listing: ProjectFiles) -> Project:
    """Tell what a project is called and how much is in it."""
    newest = sorted(listing.sessions, key=lambda s: s.mtime_ns, reverse=True)
    heads = {s.id: head(s.path) for s in newest if s.path is not None}
    path = next((cwd for s in newest if (cwd := _cwd(heads.get(s.id, [])))), None)
    talking = [s for s in newest if s.path and _has_talk(s, heads[s.id])]
    active = max((s.mtime_ns for s in talking or newest), default=None)
    return Project(
        id=listing.dir,
        path=path,
        name=name_of(path) if path else listing.dir,
        sessions=len(talking),
        last_active=_iso(active) if active else None,
        worktree_of=repository_of(path) if path else None,
        folder=str(listing.path),
        problems=listing.problems,
    )


def name_of(path: str) -> str:
    """Give the last part of a path of any system."""
    windows = "\\" in path and not path.startswith("/")
    pure = PureWindowsPath(path) if windows else PurePosixPath(path)
    return pure.name or path


def list_sessions(
    dirs: Dirs = (), project: str | None = None, *, everything: bool = False
) -> SessionList:
    """List sessions, newest first; those without a conversation only with `everything`."""
    listings = project_listings(dirs)
    if project is not None:
        listings = [find_project(project, listings)]
    rows: list[SessionRow] = []
    problems: list[Problem] = []
    for listing in listings:
        problems.extend(listing.problems)
        rows.extend(_rows_of(listing, problems, everything=everything))
    rows.sort(key=lambda row: row.ended_at or "", reverse=True)
    return SessionList(rows, problems)


def _rows_of(
    listing: ProjectFiles, problems: list[Problem], *, everything: bool
) -> Iterator[SessionRow]:
    loose = [owner_of(agent.path) for agent in listing.loose_agents]
    read: list[tuple[SessionFiles, Session]] = []
    for files in listing.sessions:
        if files.path is None:
            continue
        try:
            session = read_session(files.path)
        except BoughError as error:
            problems.append(Problem(files.path, error.message))
            continue
        if everything or session.tips:
            read.append((files, session))
    kinds = plan_kinds({files.id: session.plan for files, session in read})
    for files, session in read:
        inline = sum(agent.layout == "inline" for agent in _inline(session))
        agents = len(files.agents) + loose.count(files.id) + inline
        kind = kinds.get(files.id) or session_kind(session)
        yield describe_session(session, files, listing.dir, agents, kind)


def _inline(session: Session) -> Iterable[object]:
    return session.agents if any(r.is_sidechain for r in session.records) else ()


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
        turns=len(session.conversation().turns),
        branch_points=len(session.branch_points),
        tips=len(session.tips),
        agents=agents,
        models=session.models,
        git_branch=session.git_branch,
        version=session.version,
        kind=kind,
        bytes=files.size,
    )


def list_conversations(session: Session) -> list[ConversationRow]:
    """List a session's conversations, newest first."""
    single = len(session.conversations) == 1
    rows = [
        ConversationRow(
            session=session.id,
            tip=conversation.tip,
            active=conversation.active,
            title=session.title if single else conversation.title or session.title,
            turns=len(conversation.turns),
            started_at=conversation.started_at,
            ended_at=conversation.ended_at,
            branch_point=conversation.branch_point.uuid if conversation.branch_point else None,
        )
        for conversation in session.conversations
    ]
    return sorted(rows, key=lambda row: row.ended_at or "", reverse=True)


def find_project(wanted: str, listings: Sequence[ProjectFiles]) -> ProjectFiles:
    """Find a project by its folder's name, its path or its name."""
    by_dir = [p for p in listings if p.dir == wanted or str(p.path) == wanted]
    if len(by_dir) == 1:
        return by_dir[0]
    described = {p.path: describe_project(p) for p in listings}
    path = str(Path(wanted).expanduser().absolute())
    for matches in (
        [p for p in listings if described[p.path].path in (wanted, path)],
        [p for p in listings if described[p.path].name == wanted],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise AmbiguousProject(wanted, [p.dir for p in matches])
    names = [described[p.path].name for p in listings]
    raise ProjectNotFound(wanted, difflib.get_close_matches(wanted, names))


def find_session(wanted: str, dirs: Dirs = ()) -> Path:
    """Find a session's file by its path, a prefix of its id, or `latest`."""
    path = Path(wanted).expanduser()
    if wanted.endswith(".jsonl") or "/" in wanted or "\\" in wanted:
        return path
    files = [s for p in project_listings(dirs) for s in p.sessions if s.path is not None]
    if wanted == _LATEST:
        return _latest(files)
    found = [s for s in files if s.id == wanted] or [s for s in files if s.id.startswith(wanted)]
    if not found or not wanted:
        raise SessionNotFound(wanted, _nearest(wanted, files))
    if len(found) > 1:
        raise AmbiguousSession(wanted, [s.id for s in found])
    return found[0].path or path


def _latest(files: Sequence[SessionFiles]) -> Path:
    for files_of in sorted(files, key=lambda s: s.mtime_ns, reverse=True):
        if files_of.path is not None and _has_talk(files_of, head(files_of.path)):
            return files_of.path
    raise SessionNotFound(_LATEST)


def _nearest(wanted: str, files: Sequence[SessionFiles]) -> list[str]:
    """Name the sessions whose ids begin most like this one, with their titles."""
    by_short = {s.id[: max(len(wanted), 4)]: s for s in files}
    close = difflib.get_close_matches(wanted, list(by_short), n=1, cutoff=0.5)
    nearest = [by_short[short] for short in close]
    return [f"{s.id[:8]} {read_session(s.path).title}" for s in nearest if s.path is not None]


def _cwd(records: Iterable[Record]) -> str | None:
    return next((record.cwd for record in records if record.cwd), None)


def _has_talk(files: SessionFiles, start: Sequence[Record]) -> bool:
    """Tell whether a session has a conversation, from its start if that is enough."""
    if any(_is_talk(record) for record in start):
        return True
    if files.path is None or files.size <= sum(len(record.raw) for record in start):
        return False
    try:
        return bool(read_session(files.path).tips)
    except BoughError:
        return False


def _is_talk(record: Record) -> bool:
    if record.is_sidechain:
        return False
    if isinstance(record, User):
        return said(record) in STARTS_A_LINE
    return isinstance(record, Assistant)


def _iso(mtime_ns: int) -> str:
    moment = datetime.fromtimestamp(mtime_ns / 1e9, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
