"""Reading one session from where its bytes are, with everything that lies beside it.

The transcript itself is read at once. Companions (agents, kept outputs, summaries in other
files) are read when a view first needs them, and never fail the session: what cannot be
read is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, require_source
from bough.files.companions import AGENT, is_agent_file, list_companions
from bough.ingest.read_records import read_owner, read_records
from bough.ingest.running_clients import list_running_clients
from bough.ingest.session_notes import claude_dir_of, read_plan_files, read_todo_lists
from bough.ingest.sidecars import read_agent_meta, read_title, title_path_of
from bough.memory import count_opened, count_renewed
from bough.model.session import AgentSource, Session, SessionCompanions
from bough.model.tree.lineage import Origin
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.sessions.project_folder import AgentFileRef, ProjectFolder
from bough.records.record import BadLine, Record

__all__ = [
    "assemble_session",
    "project_folder_of",
    "read_records",
    "read_session",
    "read_session_in",
]


def read_session(
    path: str | PathLike[str],
    *,
    client: str | None = None,
    sources: SourceFinder = USUAL_SOURCES,
) -> Session:
    """Read a session, or an agent's own file.

    Args:
        path: The `.jsonl` file.
        client: A client's version, to see the tip that it would resume; by default the
            newest that wrote into the file.
        sources: Where its bytes are found.

    Raises:
        Unreadable: The file is missing, a folder, or not ours to read.
    """
    file = Path(path)
    session = read_session_in(project_folder_of(file, sources), file)
    return session if client is None else session.with_client(client)


def read_session_in(folder: ProjectFolder, file: Path) -> Session:
    """Read a session of a project whose folder is shared with its other sessions."""
    return assemble_session(folder, file, *read_records(require_source(folder.sources, file)))


def assemble_session(
    folder: ProjectFolder,
    file: Path,
    found: Sequence[Record],
    bad: Sequence[BadLine],
    *,
    grew: bool = False,
) -> Session:
    """Make a session of what was read of its file, with everything that lies beside it.

    It is one that `grew` where it takes the place of one that was made before.
    """
    count = count_renewed if grew else count_opened
    count(count_record_bytes(found))
    companions = _load_companions(folder, file, count)
    return Session(file.stem, found, bad, path=str(file), companions=companions)


def count_record_bytes(records: Sequence[Record]) -> int:
    """Tell how far some records of a file reach, without going through all of them."""
    return records[-1].offset + len(records[-1].raw) - records[0].offset if records else 0


def _load_companions(
    folder: ProjectFolder, file: Path, count: Callable[[int], None]
) -> SessionCompanions:
    """Say how to load what lies beside a file; `count` counts the bytes of its agents."""
    return SessionCompanions(
        sidecar_title=read_title(title_path_of(file), folder.sources),
        summaries=lambda: folder.summaries,
        stored_outputs=cache(lambda: _list_stored_outputs(folder, file)),
        agents=cache(lambda: _load_agents(folder, file, count)),
        origin=lambda: _find_origin(folder, file),
        todo_lists=lambda: read_todo_lists(file, folder.sources),
        plan_files=lambda names: read_plan_files(file, names, folder.sources),
        is_open=lambda: _is_open(file),
    )


def _is_open(file: Path) -> bool:
    """Tell whether a client that keeps a note has a session open: `projects/<project>/<file>`."""
    clients = list_running_clients(claude_dir_of(file))
    return any(client.session == file.stem for client in clients)


def project_folder_of(file: Path, sources: SourceFinder = USUAL_SOURCES) -> ProjectFolder:
    """Name the project's folder, also for a file somewhere below a session's companions."""
    own = _session_folder(file)
    return ProjectFolder(file.parent if own is None else own.parent, sources)


def _session_folder(file: Path) -> Path | None:
    """Name the folder of the session that an agent's file lies in; None for other files."""
    return next((p.parent for p in file.parents if p.name == "subagents"), None)


def _list_stored_outputs(folder: ProjectFolder, file: Path) -> Mapping[str, str]:
    """List the outputs kept in files: of the whole project, and by name those of the own."""
    own = _session_folder(file)
    name = own.name if own is not None else file.stem
    if own is None and is_agent_file(file.name):
        name = read_owner(file, folder.sources) or name
    start = f"{name}/tool-results/"
    by_name = {
        p.removeprefix(start): at for p, at in folder.stored_outputs.items() if p.startswith(start)
    }
    return folder.stored_outputs | by_name


def _load_agents(
    folder: ProjectFolder, file: Path, count: Callable[[int], None]
) -> Sequence[AgentSource]:
    if not is_agent_file(file.name):
        places: Sequence[AgentFileRef] = folder.agents_of(file.stem)
    elif (own := _session_folder(file)) is not None:
        found = list_companions(own, [], folder.sources.list_kept(str(own))).agents
        places = [AgentFileRef(agent.path, agent.meta, str(agent.layout)) for agent in found]
    else:
        places = folder.loose_agents.get(read_owner(file, folder.sources) or "", [])
    read = [_load_agent(place, folder.sources) for place in places if place.path != file]
    agents = [agent for agent in read if agent is not None]
    for agent in agents:
        count(count_record_bytes(agent.records))
    return agents


def _find_origin(folder: ProjectFolder, file: Path) -> Origin | None:
    return None if is_agent_file(file.name) else folder.origins.get(file.stem)


def _load_agent(place: AgentFileRef, sources: SourceFinder) -> AgentSource | None:
    try:
        found, bad = read_records(require_source(sources, place.path))
    except Unreadable:
        return None
    agent = place.path.stem.removeprefix(AGENT)
    meta = read_agent_meta(place.meta, sources)
    return AgentSource(agent, str(place.path), found, bad, meta, place.layout)
