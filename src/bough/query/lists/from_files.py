"""Lists: sessions and conversations, newest first, straight from the files.

One session is in memory at a time: a project may hold gigabytes.
"""

from collections.abc import Iterator

import msgspec

from bough.errors import BoughError
from bough.files.directory import Problem
from bough.files.discover import ProjectFiles, SessionFiles
from bough.memory import pause_collector
from bough.model.agents.links import group_sidechains
from bough.model.conversation.plans import PlanFacts, classify_plans
from bough.model.conversation.titles import find_excerpts
from bough.model.interpret.kept_places import KeptPlace
from bough.model.outline.branch_names import name_branches
from bough.model.outline.branch_path import PathCosts
from bough.model.session import Session
from bough.model.text.formats import choose_excerpt
from bough.model.text.times import to_utc
from bough.query.lists.costs import add_conversation_costs
from bough.query.lists.list_rows import (
    ConversationList,
    ConversationRow,
    Dirs,
    SessionList,
    SessionRow,
)
from bough.query.lists.projects import project_listings
from bough.query.lookup import find_project
from bough.query.priced_outline import outline_with_prices
from bough.query.sessions.load_session import read_session_in
from bough.query.sessions.project_folder import ProjectFolder
from bough.query.usage.branch_shares import branch_key


def list_sessions(
    dirs: Dirs = (), project: str | None = None, *, everything: bool = False
) -> SessionList:
    """List sessions, newest first; those without a conversation only with `everything`."""
    rows: list[SessionRow] = []
    problems: list[Problem] = []
    for listing in _choose_projects(dirs, project):
        problems.extend(listing.problems)
        rows.extend(_read_rows(listing, problems, everything=everything))
    rows.sort(key=lambda row: row.id)
    rows.sort(key=lambda row: row.ended_at or "", reverse=True)
    return SessionList(rows, problems)


def read_sessions(
    listing: ProjectFiles, problems: list[Problem]
) -> Iterator[tuple[SessionFiles, Session]]:
    """Read the sessions of a project one by one; what cannot be read becomes a problem."""
    folder = ProjectFolder(listing.path)
    for files in listing.sessions:
        if files.path is None:
            continue
        try:
            yield files, read_session_in(folder, files.path)
        except BoughError as error:
            problems.append(Problem(files.path, error.message))


def list_conversations(
    session: Session, *, costs: bool = True, kept_in: KeptPlace = KeptPlace.FILE
) -> list[ConversationRow]:
    """List a session's conversations, newest first; with `costs`, what each of them cost.

    `kept_in` is what there is of the session.
    """
    outline = outline_with_prices(session) if costs else None
    rows = [
        ConversationRow(
            session=session.id,
            tip=conversation.tip,
            active=conversation.active,
            title=name,
            turns=conversation.turn_count,
            messages=conversation.message_count,
            started_at=to_utc(conversation.started_at),
            ended_at=to_utc(conversation.ended_at),
            branch_point=conversation.branch_point.uuid if conversation.branch_point else None,
            kept_in=msgspec.UNSET if kept_in is KeptPlace.FILE else kept_in,
        )
        for conversation, name in zip(session.conversations, name_branches(session), strict=True)
    ]
    if outline is not None:
        paths = PathCosts(outline)
        used = {branch_key(session.id, row.tip): paths.sum_to_tip(row.tip) for row in rows}
        rows = add_conversation_costs(rows, used)
    return sorted(rows, key=lambda row: row.ended_at or "", reverse=True)


def list_all_conversations(
    dirs: Dirs = (),
    project: str | None = None,
    *,
    client: str | None = None,
    costs: bool = False,
) -> ConversationList:
    """List the conversations of all sessions, or of one project's, newest first.

    `client` is a version of the client: the tips are those that it would choose. With `costs`,
    each says what it cost in its session.
    """
    rows: list[ConversationRow] = []
    problems: list[Problem] = []
    for listing in _choose_projects(dirs, project):
        problems.extend(listing.problems)
        for files, session in read_sessions(listing, problems):
            seen = session if client is None else session.with_client(client)
            place = KeptPlace.ARCHIVE if files.is_archived else KeptPlace.FILE
            rows.extend(list_conversations(seen, costs=costs, kept_in=place))
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
        turns=session.conversation().turn_count,
        messages=session.conversation().message_count,
        branch_points=len(session.branch_points),
        tips=len(session.tips),
        agents=agents,
        models=session.models,
        git_branch=session.git_branch,
        version=session.version,
        kind=kind,
        run=session.run,
        bytes=files.size,
        cost_usd=None,
        copied_cost_usd=None,
        unpriced_models=[],
        excerpt=choose_excerpt(session.title, *find_excerpts(session.tree.nodes)),
        pull_requests=session.pull_requests,
        kept_in=KeptPlace.ARCHIVE if files.is_archived else KeptPlace.FILE,
    )


def _read_rows(
    listing: ProjectFiles, problems: list[Problem], *, everything: bool
) -> list[SessionRow]:
    loose = ProjectFolder(listing.path).loose_agents if listing.loose_agents else {}
    rows: list[SessionRow] = []
    plans: dict[str, PlanFacts] = {}
    for files, session in read_sessions(listing, problems):
        with pause_collector():
            if everything or session.tips:
                agents = (
                    len(files.agents) + len(loose.get(files.id, ())) + _count_inline_agents(session)
                )
                kind = session_kind(session)
                rows.append(describe_session(session, files, listing.dir, agents, kind))
                plans[files.id] = session.plan
    kinds = classify_plans(plans)
    return [msgspec.structs.replace(row, kind=kinds.get(row.id, row.kind)) for row in rows]


def _count_inline_agents(session: Session) -> int:
    return 0 if session.sidechain else len(group_sidechains(session.tree))


def _choose_projects(dirs: Dirs, project: str | None) -> list[ProjectFiles]:
    listings = project_listings(dirs)
    return listings if project is None else [find_project(project, listings)]
