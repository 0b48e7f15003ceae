"""Where usage reports get the lines of calls from: the index, or the files themselves.

Both give the same answers about files that are there. Only the index still knows what was
spent in files that the client has deleted since. Who started whom among a session's files is
found in the files as the index keeps it in its tables: calls, and what links agents to them.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from bough.config import claude_dirs
from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, require_source
from bough.files.discover import discover_projects, find_claude_folders
from bough.ingest.project_names import find_project_path
from bough.ingest.read_records import read_records
from bough.ingest.sidecars import read_agent_meta
from bough.memory import return_free_memory
from bough.model.agents.links import AgentMeta, find_links
from bough.model.interpret.kept_places import KeptPlace, place_of_gone
from bough.model.outline.step_lists import read_branch_steps
from bough.model.text.formats import base_name_of
from bough.model.usage.across_files import FileUsage, UsageEntry, count_once
from bough.model.usage.copied_calls import find_copied_calls
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.usage.branch_shares import AgentStart, BranchMap, BranchPath, map_branches
from bough.query.usage.file_scanner import list_transcripts, read_file_usage
from bough.records.blocks import ServerToolUse, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant
from bough.store.usage_protocol import SumRequest

if TYPE_CHECKING:
    from bough.model.usage.sums import UsageSum
    from bough.query.index.handle import IndexHandle
    from bough.store.protocol import Store
    from bough.store.rows import ConversationSteps


class FileUsageSource:
    """Reads the files."""

    is_team = False
    store = None
    roots: tuple[str, ...] = ()

    def __init__(
        self,
        dirs: Sequence[str | os.PathLike[str]] = (),
        sources: SourceFinder = USUAL_SOURCES,
        *,
        changed_since: float | None = None,
    ) -> None:
        """List the files; with `changed_since` only those that changed since that moment."""
        self.sources = sources
        folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
        self._listings = [
            project for folder in folders for project in discover_projects(folder, sources)
        ]
        self._transcripts = [
            one
            for one in list_transcripts(self._listings)
            if changed_since is None or _changed_at(one.path) >= changed_since
        ]
        self.notes: Sequence[str] = [
            problem.reason for listing in self._listings for problem in listing.problems
        ]

    def files(
        self,
        *,
        dated: bool = False,  # noqa: ARG002 - their lines tell
        sessions: Sequence[str] | None = None,  # noqa: ARG002 - asked only where there are sums
    ) -> list[FileUsage]:
        """Give every file; that is as dear as all their lines."""
        return self.usages()

    def sums(self, _: SumRequest) -> None:
        """Add nothing up: nobody has done so before."""
        return

    def kept_places(self) -> dict[str, KeptPlace]:
        """Tell what there is of sessions whose file is gone, by their ids."""
        listed = (session for listing in self._listings for session in listing.sessions)
        return {session.id: KeptPlace.ARCHIVE for session in listed if session.is_archived}

    def project_names(self) -> dict[str, str]:
        """Give what people call the projects, by folder."""
        return {
            folder: base_name_of(path) if path else folder
            for folder, path in self._project_paths.items()
        }

    @cached_property
    def _project_paths(self) -> dict[str, str | None]:
        return {listing.dir: find_project_path(listing, self.sources) for listing in self._listings}

    def usages(self, *, named: bool = False) -> list[FileUsage]:
        """Read every file."""
        usages = self._read_usages
        return list(_add_names(usages, self._project_paths, self._read_meta)) if named else usages

    @cached_property
    def _read_usages(self) -> list[FileUsage]:
        usages, problems = read_file_usage(self._transcripts, sources=self.sources)
        self.notes = [*self.notes, *problems]
        return usages

    def copied_calls(self) -> list[UsageEntry]:
        """Give the calls that sessions only have copies of."""
        usages = self._read_usages
        return find_copied_calls(usages, count_once(usages))

    def every_line(
        self, usages: Sequence[FileUsage], wanted: Sequence[FileUsage]
    ) -> list[UsageEntry]:
        """Give all lines of the calls that some of the files report."""
        by_path = {usage.path: usage for usage in usages}
        messages = {line.message_id for usage in wanted for line in usage.lines}
        paths = {usage.path for usage in wanted}
        full, _ = read_file_usage(self._transcripts, every_line=True, sources=self.sources)
        return [
            (by_path[usage.path], line)
            for usage in full
            for line in usage.lines
            if usage.path in paths or (line.message_id and line.message_id in messages)
        ]

    def load_branch_maps(self, usages: Sequence[FileUsage]) -> dict[str, BranchMap]:
        """Give the branches of sessions, by the path of their own files."""
        read = ((one, read_records(require_source(self.sources, one.path))) for one in usages)
        return {one.path: map_branches(one.session, *records) for one, records in read}

    def load_agent_starts(self, usages: Sequence[FileUsage]) -> list[AgentStart]:
        """Give the calls that are said to have started agents."""
        families: dict[tuple[str, str], list[FileUsage]] = {}
        for usage in usages:
            families.setdefault((usage.project, usage.session), []).append(usage)
        grown = [family for family in families.values() if len(family) > 1]
        return [one for family in grown for one in self._find_agent_starts(family)]

    def _find_agent_starts(self, family: Sequence[FileUsage]) -> Iterator[AgentStart]:
        """Find the calls of a session that are said to have started its agents."""
        paths = {usage.agent: usage.path for usage in family if usage.agent is not None}
        calls: dict[str, list[tuple[str, int, str]]] = {}
        ties: list[tuple[str, str, str]] = []
        for usage in family:
            for record in self._read_records(usage.path):
                ties += find_links(record)
                for call, tool in _list_calls(record):
                    calls.setdefault(call, []).append((usage.path, record.offset, tool))
        for agent, path in paths.items():
            if path in self._metas:
                ties.append((agent, self._read_meta(path).tool_use_id or "", "meta"))
        for agent, call, known_by in ties:
            if agent in paths:
                for file, offset, tool in calls.get(call, ()):
                    yield AgentStart(paths[agent], file, offset, tool, known_by)

    def _read_records(self, path: str) -> Sequence[Record]:
        try:
            return read_records(require_source(self.sources, path))[0]
        except Unreadable:
            return ()

    def _read_meta(self, path: str) -> AgentMeta:
        """Read what tells about an agent, by the path of its own file."""
        return read_agent_meta(self._metas.get(path), self.sources) or AgentMeta()

    @cached_property
    def _metas(self) -> dict[str, str]:
        """List the files that tell about agents, by the path of the agent's own."""
        return {
            str(agent.path): str(agent.meta)
            for listing in self._listings
            for agents in (*(s.agents for s in listing.sessions), listing.loose_agents)
            for agent in agents
            if agent.meta is not None
        }


def _changed_at(path: str) -> float:
    """Tell when a file changed; never where it is gone."""
    try:
        return Path(path).stat().st_mtime
    except OSError:
        return 0.0


def _add_names(
    usages: Sequence[FileUsage],
    paths: Mapping[str, str | None],
    read_meta: Callable[[str], AgentMeta],
) -> Iterator[FileUsage]:
    """Name projects as their records do, and agents as the files beside them do."""
    for usage in usages:
        path = paths.get(usage.project)
        name = base_name_of(path) if path else usage.project
        meta = read_meta(usage.path)
        yield replace(
            usage,
            project_path=path,
            project_name=name,
            agent_type=meta.agent_type,
            agent_description=meta.description,
        )


class UsageSource(Protocol):
    """Usage of files, and what else a report may ask; `notes` are sentences for the person.

    `sources` finds the bytes behind the lines, where somebody asks for those.
    """

    notes: Sequence[str]
    sources: SourceFinder

    @property
    def is_team(self) -> bool:
        """Tell whether files have machines and owners, as those in a team's store."""

    @property
    def store(self) -> "Store | None":
        """Name where calls were added up before: `sums` may be asked, and rows may be kept."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Give the beginnings of the paths that count, where others may be in the store too."""

    def files(
        self, *, dated: bool = False, sessions: Sequence[str] | None = None
    ) -> list[FileUsage]:
        """Give every file, or those of some sessions, where possible without lines.

        `dated` asks when the newest line was.
        """

    def kept_places(self) -> Mapping[str, KeptPlace]:
        """Tell what there is of sessions whose file is gone, by their ids."""

    def sums(self, asked: SumRequest) -> "Sequence[tuple[FileUsage, UsageSum]] | None":
        """Add up calls; None where the lines have to be read for that."""

    def project_names(self) -> Mapping[str, str]:
        """Give what people call the projects, by folder."""

    def copied_calls(self) -> list[UsageEntry]:
        """Give the calls that sessions only have copies of."""

    def usages(self, *, named: bool = False) -> list[FileUsage]:
        """Give every file with its lines; `named` asks what projects and agents are called."""

    def every_line(
        self, usages: Sequence[FileUsage], wanted: Sequence[FileUsage]
    ) -> list[UsageEntry]:
        """Give all lines of the calls that some of the files report."""

    def load_branch_maps(self, usages: Sequence[FileUsage]) -> dict[str, BranchMap]:
        """Give the branches of sessions, by the path of their own files."""

    def load_agent_starts(self, usages: Sequence[FileUsage]) -> list[AgentStart]:
        """Give the calls that are said to have started agents."""


_MANY = 1000
"""After a question about so many files, memory is given back."""
_BUSY = (
    "Another bough is writing the index. This was read from the files, so that what deleted "
    "sessions cost is not in it."
)


@contextmanager
def open_usage_source(
    dirs: Sequence[str | os.PathLike[str]] = (),
    index: str | os.PathLike[str] | None = None,
    *,
    no_index: bool = False,
) -> Iterator[UsageSource]:
    """Use the index where there is one, brought up to date; else read the files.

    An index that another bough is writing lacks something, and the files do not.
    """
    busy: str | None = None
    if not no_index:
        from bough.query.index.handle import index_exists, open_index  # noqa: PLC0415 - costs time

        if index_exists(dirs, index):
            with open_index(dirs, index) as handle:
                if handle.partial is None:
                    yield IndexUsageSource(handle)
                    return
            busy = _BUSY
    source = FileUsageSource(dirs)
    source.notes = [*([busy] if busy else []), *source.notes]
    yield source


class IndexUsageSource:
    """Asks an index that is up to date."""

    def __init__(self, handle: "IndexHandle") -> None:
        self.store: Store = handle.store
        self.is_team = handle.is_team
        self.sources = handle.sources
        self.roots = tuple(str(folder / "projects") + os.sep for folder in handle.folders)
        self.notes: Sequence[str] = [
            *([handle.partial] if handle.partial else []),
            *(problem.reason for problem in handle.report.problems),
        ]

    def files(
        self, *, dated: bool = False, sessions: Sequence[str] | None = None
    ) -> list[FileUsage]:
        """Give every file of the Claude folders that were asked about, without lines."""
        found = self.store.usage_files(dated=dated, sessions=sessions)
        return [usage for usage in found if usage.path.startswith(self.roots)]

    def kept_places(self) -> dict[str, KeptPlace]:
        """Tell what there is of sessions whose file is gone, by their ids."""
        gone = self.store.gone_sessions()
        return {row.session: place_of_gone(row.deleted_at) for row in gone}

    def sums(self, asked: SumRequest) -> "Sequence[tuple[FileUsage, UsageSum]] | None":
        """Add up calls; None where the lines have to be read for that."""
        return self.store.sum_usage(replace(asked, roots=self.roots))

    def project_names(self) -> dict[str, str]:
        """Give what people call the projects, by folder."""
        found = self.store.projects()
        return {one.dir: one.name for one in found if one.folder.startswith(self.roots)}

    def copied_calls(self) -> list[UsageEntry]:
        """Give the calls that sessions only have copies of."""
        found = self.store.shared_usages()
        usages = [usage for usage in found if usage.path.startswith(self.roots)]
        return find_copied_calls(usages, count_once(usages))

    def usages(self, *, named: bool = False) -> list[FileUsage]:  # noqa: ARG002 - they have names
        """Give every file of the Claude folders that were asked about."""
        return [usage for usage in self.store.usages() if usage.path.startswith(self.roots)]

    def every_line(
        self, usages: Sequence[FileUsage], wanted: Sequence[FileUsage]
    ) -> list[UsageEntry]:
        """Give all lines of the calls that some of the files report."""
        by_number = {usage.number: usage for usage in usages}
        lines = self.store.lines_of_calls([usage.number for usage in wanted])
        return [(by_number[file], line) for file, line in lines if file in by_number]

    def load_branch_maps(self, usages: Sequence[FileUsage]) -> dict[str, BranchMap]:
        """Give the branches of sessions; those of deleted ones cannot be told apart."""
        known: dict[int, list[ConversationSteps]] = {}
        for row in self.store.conversation_steps([usage.number for usage in usages]):
            known.setdefault(row.file, []).append(row)
        rows = ((usage, known.get(usage.number, [])) for usage in usages)
        return {
            usage.path: _build_branch_map(found)
            for usage, found in rows
            if len(found) < 2 or not usage.deleted
        }

    def load_agent_starts(self, usages: Sequence[FileUsage]) -> list[AgentStart]:
        """Give the calls that are said to have started agents."""
        paths = {usage.number: usage.path for usage in usages}
        agents = [usage.number for usage in usages if usage.agent is not None]
        found = [
            AgentStart(paths[agent], paths[file], offset, tool, known_by)
            for agent, file, offset, tool, known_by in self.store.calls_of_agents(agents)
            if agent in paths and file in paths
        ]
        if len(usages) > _MANY:
            # All is read now, and what is made of it takes as much again.
            self.store.release_pages()
            return_free_memory()
        return found


def _build_branch_map(rows: "Sequence[ConversationSteps]") -> BranchMap:
    """Put the branches of a session together, as the index keeps them."""
    paths = [BranchPath(row.tip, bool(row.active), row.step, row.title) for row in rows]
    return BranchMap(paths, read_branch_steps(rows[0].steps if rows else None))


def _list_calls(record: Record) -> Iterator[tuple[str, str]]:
    if isinstance(record, Assistant):
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse | ServerToolUse):
                yield block.id, block.name
