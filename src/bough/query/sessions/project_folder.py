"""A project's folder, as far as reading one session needs the others.

Titles of a session may stand in other files, its agents may lie loose beside it, a fork
names its origin's outputs. Each of these is asked for by few sessions and would be costly
to ask for again and again, so it is read once for a folder, when first needed. What
cannot be read is left out.
"""

from collections import defaultdict
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, find_bytes, require_source
from bough.files.companions import is_agent_file, list_companions
from bough.files.directory import KeptFolders
from bough.ingest.read_records import read_owner, read_records
from bough.ingest.sidecars import meta_path_of
from bough.model.tree.lineage import LineageFacts, Origin, find_origins, read_lineage_facts
from bough.query.byte_sources import USUAL_SOURCES
from bough.records.decode import decode
from bough.records.types import Summary

_SUMMARY = b'"type":"summary"'
_TOOL_RESULTS = "tool-results"


class AgentFileRef(Struct, frozen=True):
    """Where an agent's file lies, what describes it, and in which layout."""

    path: Path
    meta: Path | None
    layout: str


class ProjectFolder:
    """One project's folder, and where the bytes of its transcripts are found."""

    def __init__(self, path: Path, sources: SourceFinder = USUAL_SOURCES) -> None:
        self.path = path
        self.sources = sources

    def reopen(self) -> "ProjectFolder":
        """Give the folder as it is now; what only other sessions' old files tell is kept."""
        fresh = ProjectFolder(self.path, self.sources)
        for name in ("summaries", "loose_agents", "origins"):
            if name in self.__dict__:
                fresh.__dict__[name] = self.__dict__[name]
        return fresh

    @cached_property
    def sessions(self) -> list[Path]:
        """List the files of sessions."""
        return [path for path in self._files if not is_agent_file(path.name)]

    @cached_property
    def summaries(self) -> dict[str, str]:
        """Collect the summaries in all files, by the leaf they name."""
        found: dict[str, str] = {}
        for path in self.sessions:
            try:
                found.update(_read_summaries(path, self.sources))
            except Unreadable:
                continue
        return found

    @cached_property
    def stored_outputs(self) -> dict[str, str]:
        """List the outputs kept in files, as `<session>/tool-results/<name>`."""
        return {
            f"{folder.name}/{_TOOL_RESULTS}/{kept.name}": str(kept)
            for folder in self._list_files(self.path)
            for kept in self._list_files(folder / _TOOL_RESULTS)
        }

    @cached_property
    def loose_agents(self) -> dict[str, list[AgentFileRef]]:
        """List the agents' files that lie beside the sessions, by the session they name."""
        found: defaultdict[str, list[AgentFileRef]] = defaultdict(list)
        for path in self._files:
            if is_agent_file(path.name) and (owner := read_owner(path, self.sources)):
                meta = meta_path_of(path)
                found[owner].append(
                    AgentFileRef(path, meta if self._is_file(meta) else None, "flat")
                )
        return found

    @cached_property
    def origins(self) -> dict[str, Origin]:
        """Find for each session the one it was forked or copied from."""
        facts: list[LineageFacts] = []
        for path in self.sessions:
            try:
                records, _ = read_records(require_source(self.sources, path))
                facts.append(read_lineage_facts(path.stem, records))
            except Unreadable:
                continue
        return find_origins(facts)

    def agents_of(self, session: str) -> list[AgentFileRef]:
        """List the files of a session's agents, in all layouts."""
        own = list_companions(self.path / session, [], self._kept).agents
        places = [AgentFileRef(agent.path, agent.meta, str(agent.layout)) for agent in own]
        return [*places, *self.loose_agents.get(session, ())]

    @cached_property
    def _files(self) -> list[Path]:
        found = (path for path in self._list_files(self.path) if path.suffix == ".jsonl")
        return [path for path in found if not path.name.startswith(".") and self._is_file(path)]

    @cached_property
    def _kept(self) -> KeptFolders:
        return self.sources.list_kept(str(self.path))

    def _list_files(self, folder: Path) -> list[Path]:
        gone = self._kept.get(str(folder), {}) if self._kept else {}
        return sorted({*_list_disk(folder), *(folder / name for name in gone)})

    def _is_file(self, path: Path) -> bool:
        return path.is_file() or path.name in self._kept.get(str(path.parent), {})


def _read_summaries(path: Path, sources: SourceFinder) -> dict[str, str]:
    found: dict[str, str] = {}
    source = require_source(sources, path)
    for line in source.lines() if find_bytes(source, _SUMMARY) >= 0 else ():
        if _SUMMARY not in line.raw:
            continue
        record = decode(line)
        if isinstance(record, Summary) and record.leaf_uuid and record.summary:
            found[record.leaf_uuid] = record.summary
    return found


def _list_disk(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
