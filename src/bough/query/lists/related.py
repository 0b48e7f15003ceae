"""How the sessions of a project hang together: forks and copies, plans and what they became.

A fork begins with a copy of what it was forked from, so the first lines of the other files
of a project tell which ones matter; only those are read whole.
"""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from bough.errors import BoughError, Unreadable
from bough.files.byte_source import ByteSource, SourceFinder, find_bytes, require_source
from bough.files.discover import ProjectFiles
from bough.ingest.read_records import read_first_records, read_records
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.plan_files import PlanFile, PlanLink, find_plan_turn
from bough.model.conversation.plans import PlanFacts, PlanLinks, link_plans
from bough.model.session import Session
from bough.model.tree.lineage import LineageFacts, Origin, find_origins, read_lineage_facts
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


def find_plan_marks(
    session: Session,
    conversation: Conversation | None = None,
    sources: SourceFinder = USUAL_SOURCES,
) -> dict[str, list[PlanLink | PlanFile]]:
    """Find what plans have to do with a conversation, by the turn that leads there.

    These are the sessions that planned what it builds or built what it planned, and the text of
    the plan where the client still keeps it.

    Args:
        session: The session.
        conversation: One of its conversations; by default the active one.
        sources: Where the bytes of other sessions are found.
    """
    facts = session.plan
    if session.path is None or session.sidechain or not (facts.slugs or session.plan_files):
        return {}
    read = conversation if conversation is not None else session.conversation()
    turn = find_plan_turn(read, implements=facts.implements)
    if turn is None:
        return {}
    folder = ProjectFolder(Path(session.path).parent, sources)
    links = _link_sessions(session, folder, turn) if facts.slugs else []
    found: list[PlanLink | PlanFile] = [*session.plan_files, *links]
    return {turn: found} if found else {}


def _link_sessions(session: Session, folder: ProjectFolder, turn: str) -> list[PlanLink]:
    """Find the sessions beside one that carry its slugs; only those are read whole."""
    slugs = tuple(sorted(session.plan.slugs))
    found: dict[str, tuple[Path, PlanFacts, str]] = {}
    for path in folder.sessions:
        if str(path) == session.path:
            continue  # it is read already, and may grow many times a second
        try:
            known = require_source(folder.sources, path).state()
            read = _read_plan_part(path, known.size, known.mtime_ns, slugs, folder.sources)
        except BoughError:
            continue
        if read is not None:
            found[path.stem] = (path, *read)
    facts = {session.id: session.plan} | {one: plan for one, (_, plan, _) in found.items()}
    tied = link_plans(facts).get(session.id, PlanLinks())
    role = "plan" if session.plan.implements else "implementation"
    return [
        PlanLink(turn, role, one, found[one][2], str(found[one][0]))
        for one in (*tied.plans, *tied.implementations)
    ]


# Fast path: a live session of a project of 200 MB, 0.1 s each time it grows.
@lru_cache(maxsize=4_096)
def _read_plan_part(
    path: Path, _size: int, _mtime_ns: int, slugs: tuple[str, ...], sources: SourceFinder
) -> tuple[PlanFacts, str] | None:
    """Read what a file, as it is now, says of plans, and its title; None without these slugs."""
    source = require_source(sources, path)
    if not any(find_bytes(source, slug.encode()) >= 0 for slug in slugs):
        return None
    read = read_session_in(ProjectFolder(path.parent, sources), path)
    return read.plan, read.title


def trace_lineage(path: Path, sources: SourceFinder = USUAL_SOURCES) -> dict[str, Origin]:
    """Find what a session comes from and what goes on from it, through all files of its folder.

    Only the first lines of the other files are read, and those that are tied to it whole.
    """
    folder = ProjectFolder(path.parent, sources)
    heads = {each: _read_head(each, sources) for each in folder.sessions}
    found, waiting = {path}, [path]
    while waiting:
        here = waiting.pop()
        new = {e for e in heads if e not in found and heads[e] & heads.get(here, frozenset())}
        found |= new
        waiting += new
    facts: list[LineageFacts] = []
    for each in sorted(found):
        with suppress(Unreadable):
            records, _ = read_records(require_source(sources, each))
            facts.append(read_lineage_facts(each.stem, records))
    return find_origins(facts)


def _read_head(path: Path, sources: SourceFinder) -> frozenset[str]:
    """Give what ties a file to others: its name, what it names, its first nodes and answers."""
    found = {path.stem}
    seen = 0
    with suppress(Unreadable):
        for record in read_first_records(sources.find(str(path))):
            if record.uuid is None:
                continue
            facts = read_lineage_facts(path.stem, [record])
            found |= {record.uuid, *facts.messages, *filter(None, [facts.forked_from])}
            seen += 1
            if seen >= _MOST_RECORDS:
                break
    return frozenset(found)


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
