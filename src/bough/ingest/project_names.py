"""What a project is called: the folder it was worked on in, as its records say."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec

from bough.files.byte_source import SourceFinder
from bough.files.discover import ProjectFiles, encode_cwd
from bough.ingest.read_records import read_first_records


def find_project_path(listing: ProjectFiles, sources: SourceFinder) -> str | None:
    """Find the folder a project was worked on in, as its records say.

    The client names the project's folder for it, so a path that fits the name is surest;
    a session may have been moved here from elsewhere. Else the newest session's counts.
    """
    wanted = listing.dir.casefold()
    newest = ""
    for file in _list_newest_first(listing):
        for cwd in read_cwds(file, sources):
            if encode_cwd(cwd).casefold() == wanted:
                return cwd
            newest = newest or cwd
    return newest or None


def _list_newest_first(listing: ProjectFiles) -> Iterator[Path]:
    """List the files that may name the project's path: sessions, then agents."""
    sessions = sorted(listing.sessions, key=lambda session: session.mtime_ns, reverse=True)
    agents = (agent for session in sessions for agent in session.agents)
    yield from (session.path for session in sessions if session.path is not None)
    yield from (agent.path for agent in chain(listing.loose_agents, agents))


def read_cwds(file: Path, sources: SourceFinder) -> Iterator[str]:
    """List the folders that the start of a file names, each once."""
    seen: dict[str, bytes] = {}

    def may_name_another(raw: bytes) -> bool:
        """Tell lines that name no folder, or only one that was seen, without decoding them."""
        named = raw.count(b'"cwd"')
        return named > 1 or (named == 1 and not any(one in raw for one in seen.values()))

    for record in read_first_records(sources.find(str(file)), may_name_another):
        if record.cwd and record.cwd not in seen:
            seen[record.cwd] = _encode_folder(record.cwd)
            yield record.cwd


def _encode_folder(cwd: str) -> bytes:
    """Write a folder as a client writes it; half a character is written by none."""
    try:
        return b'"cwd":' + msgspec.json.encode(cwd)
    except UnicodeEncodeError:
        return b"\0"
