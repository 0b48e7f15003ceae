"""How the sessions of a project hang together: forks and copies, plans and what they became.

A fork begins with a copy of what it was forked from, so the first lines of the other files
of a project tell which ones matter; only those are read whole.
"""

from pathlib import Path

from msgspec import Struct

from bough.errors import BoughError
from bough.files.discover import ProjectFiles
from bough.files.source import ByteSource, SourceFinder
from bough.ingest.read_records import read_first_records
from bough.model.conversation.plans import PlanLinks, link_plans
from bough.model.session import Session
from bough.model.tree.lineage import Origin, find_origins, read_lineage_facts
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.lists.from_files import read_sessions
from bough.query.lists.list_rows import Dirs
from bough.query.lists.projects import project_listings
from bough.query.lookup import find_project
from bough.query.sessions.load_session import read_session_in
from bough.query.sessions.project_folder import ProjectFolder

_MOST_RECORDS = 50
"""How many nodes at the start of a file are compared."""


class SessionFork(Struct, frozen=True):
    """A session that goes on from a node of another; `timestamp` is when it parted."""

    session: str
    title: str
    at: str
    timestamp: str | None


def list_forks(session: Session, sources: SourceFinder = USUAL_SOURCES) -> list[SessionFork]:
    """List the sessions of the same project that were forked or copied from this one."""
    if session.path is None or session.sidechain:
        return []
    own = Path(session.path)
    folder = ProjectFolder(own.parent, sources)
    others = (path for path in folder.sessions if path != own)
    near = [path for path in others if _begins_alike(sources.find(str(path)), session)]
    if not near:
        return []
    read: list[Session] = []
    for path in near:
        try:
            read.append(read_session_in(folder, path))
        except BoughError:
            continue
    facts = [read_lineage_facts(each.id, each.records) for each in (session, *read)]
    from_here = {s for s, origin in find_origins(facts).items() if origin.session == session.id}
    found = [_describe_fork(session, fork) for fork in read if fork.id in from_here]
    return [fork for fork in found if fork is not None]


def _begins_alike(source: ByteSource | None, session: Session) -> bool:
    """Tell whether a transcript begins with nodes of a session, or names it."""
    seen = 0
    for record in read_first_records(source):
        if record.uuid is None:
            continue
        named = session.id.encode() in bytes(record.forked_from_json)
        if named or record.uuid in session.tree.number:
            return True
        seen += 1
        if seen >= _MOST_RECORDS:
            break
    return False


def _describe_fork(session: Session, fork: Session) -> SessionFork | None:
    """Find the last node of a session that its fork has too."""
    shared = [session.tree.number[r.uuid] for r in fork.records if r.uuid in session.tree.number]
    if not shared:
        return None
    own = (r for r in fork.records if r.uuid is not None and r.uuid not in session.tree.number)
    parted = next((record.timestamp for record in own if record.timestamp), None)
    return SessionFork(fork.id, fork.title, session.tree.uuid(max(shared)), parted)


def lineage(project: str, dirs: Dirs = ()) -> dict[str, Origin]:
    """Find for each session of a project the one it was forked or copied from.

    Args:
        project: The project's path, name or folder name.
        dirs: Claude folders; by default the usual places.
    """
    return dict(ProjectFolder(_find_listing(project, dirs).path).origins)


def plans(project: str, dirs: Dirs = ()) -> dict[str, PlanLinks]:
    """Tie the plans of a project to the sessions that carried them out.

    Args:
        project: The project's path, name or folder name.
        dirs: Claude folders; by default the usual places.
    """
    read = read_sessions(_find_listing(project, dirs), [])
    return link_plans({session.id: session.plan for _, session in read})


def _find_listing(project: str, dirs: Dirs) -> ProjectFiles:
    return find_project(project, project_listings(dirs))
