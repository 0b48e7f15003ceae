"""Reading one session from disk, with everything that lies beside it.

The file itself is read at once. Companions (agents, kept outputs, summaries in other
files) are read when a view first needs them, and never fail the session: what cannot be
read is left out.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path

import msgspec

from bough.errors import Unreadable
from bough.files.companions import AGENT, companions_in, is_agent_file
from bough.files.lines import read_at
from bough.ingest.read_records import HEAD, read_records
from bough.model.agents.links import AgentMeta
from bough.model.session import AgentSource, Companions, Session
from bough.model.tree.lineage import Origin
from bough.query.sessions.project_folder import AgentPlace, Folder, owner_of
from bough.records.decode import part
from bough.records.record import BadLine, Record

__all__ = ["assemble", "folder_of", "read_in", "read_records", "read_session"]


class _Title(msgspec.Struct, rename="camel"):
    custom_title: str | None = None


def read_session(path: str | PathLike[str], *, client: str | None = None) -> Session:
    """Read a session, or an agent's own file.

    Args:
        path: The `.jsonl` file.
        client: A client's version, to see the tip that it would resume; by default the
            newest that wrote into the file.

    Raises:
        Unreadable: The file is missing, a folder, or not ours to read.
    """
    file = Path(path)
    session = read_in(folder_of(file), file)
    return session if client is None else session.seen_by(client)


def read_in(folder: Folder, file: Path) -> Session:
    """Read a session of a project whose folder is shared with its other sessions."""
    return assemble(folder, file, *read_records(file))


def assemble(
    folder: Folder, file: Path, found: Sequence[Record], bad: Sequence[BadLine]
) -> Session:
    """Make a session of what was read of its file, with everything that lies beside it."""
    return Session(file.stem, found, bad, path=str(file), companions=_companions(folder, file))


def _companions(folder: Folder, file: Path) -> Companions:
    return Companions(
        sidecar_title=_sidecar(file.with_suffix("") / "custom-title.json"),
        summaries=lambda: folder.summaries,
        shelf=cache(lambda: _shelf(folder, file)),
        agents=cache(lambda: _agents(folder, file)),
        origin=lambda: _origin(folder, file),
    )


def folder_of(file: Path) -> Folder:
    """Name the project's folder, also for a file somewhere below a session's companions."""
    own = _session_folder(file)
    return Folder(file.parent if own is None else own.parent)


def _session_folder(file: Path) -> Path | None:
    """Name the folder of the session that an agent's file lies in; None for other files."""
    return next((p.parent for p in file.parents if p.name == "subagents"), None)


def _sidecar(path: Path) -> str | None:
    data = _small(path)
    return part(msgspec.Raw(data), _Title).custom_title if data else None


def _shelf(folder: Folder, file: Path) -> Mapping[str, str]:
    """List the outputs kept in files: of the whole project, and by name those of the own."""
    own = _session_folder(file)
    name = own.name if own is not None else file.stem
    if own is None and is_agent_file(file.name):
        name = owner_of(file) or name
    start = f"{name}/tool-results/"
    by_name = {p.removeprefix(start): at for p, at in folder.kept.items() if p.startswith(start)}
    return folder.kept | by_name


def _agents(folder: Folder, file: Path) -> Sequence[AgentSource]:
    if not is_agent_file(file.name):
        places: Sequence[AgentPlace] = folder.agents_of(file.stem)
    elif (own := _session_folder(file)) is not None:
        found = companions_in(own, []).agents
        places = [AgentPlace(agent.path, agent.meta, str(agent.layout)) for agent in found]
    else:
        places = folder.loose_agents.get(owner_of(file) or "", [])
    sources = (_source(place) for place in places if place.path != file)
    return [source for source in sources if source is not None]


def _origin(folder: Folder, file: Path) -> Origin | None:
    return None if is_agent_file(file.name) else folder.origins.get(file.stem)


def _source(place: AgentPlace) -> AgentSource | None:
    try:
        found, bad = read_records(place.path)
    except Unreadable:
        return None
    agent = place.path.stem.removeprefix(AGENT)
    return AgentSource(agent, str(place.path), found, bad, _meta(place.meta), place.layout)


def _meta(path: Path | None) -> AgentMeta | None:
    data = _small(path) if path is not None else b""
    return part(msgspec.Raw(data), AgentMeta) if data else None


def _small(path: Path) -> bytes:
    try:
        return read_at(path, 0, HEAD)
    except Unreadable:
        return b""
