"""The ledger's books from the files themselves, without an index.

Where the ledger's books come from: the index, or the files (`ledger_files`).

Both give the same answers about files that are there. Only the index still knows what was
spent in files that the client has deleted since.

Who started whom among a session's files, as their own lines tell it.

What the index keeps in its tables, found in the files: calls, and what ties agents to them.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from bough.config import claude_dirs
from bough.errors import Unreadable
from bough.files.discover import ProjectFiles, claude_folders, discover
from bough.files.lines import read_at
from bough.ingest.read_records import HEAD, read_records
from bough.model.agents.links import AgentMeta, ties_of
from bough.model.usage.across_files import Book, Entry
from bough.query.usage.branch_shares import Started
from bough.query.usage.file_scanner import read_books, transcripts_of
from bough.records.blocks import ServerToolUse, ToolUse
from bough.records.decode import message_of, part
from bough.records.record import Record
from bough.records.types import Assistant

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.query.usage.branch_shares import Shape


class FileSource:
    """Reads the files."""

    def __init__(self, dirs: Sequence[str | os.PathLike[str]] = ()) -> None:
        folders = claude_folders(claude_dirs([Path(folder) for folder in dirs]))
        self._listings = [project for folder in folders for project in discover(folder)]
        self._transcripts = transcripts_of(self._listings)
        self.notes: Sequence[str] = [
            problem.reason for listing in self._listings for problem in listing.problems
        ]

    def books(self, *, named: bool = False) -> list[Book]:
        """Read every file."""
        books, problems = read_books(self._transcripts)
        self.notes = [*self.notes, *problems]
        return list(_named(books, self._listings, self._metas())) if named else books

    def every_line(self, books: Sequence[Book], wanted: Sequence[Book]) -> list[Entry]:
        """Give all lines of the calls that some of the books report."""
        by_path = {book.path: book for book in books}
        messages = {line.message_id for book in wanted for line in book.lines}
        paths = {book.path for book in wanted}
        full, _ = read_books(self._transcripts, every_line=True)
        return [
            (by_path[book.path], line)
            for book in full
            for line in book.lines
            if book.path in paths or (line.message_id and line.message_id in messages)
        ]

    def shapes(self, books: Sequence[Book]) -> "dict[str, Shape]":
        """Give the ways of sessions, by the path of their own files."""
        from bough.ingest.read_records import read_records  # noqa: PLC0415
        from bough.query.usage.branch_shares import shape_of  # noqa: PLC0415 - few reports need it

        return {b.path: shape_of(b.session, *read_records(Path(b.path))) for b in books}

    def started(self, books: Sequence[Book]) -> "list[Started]":
        """Give the calls that are said to have started agents."""
        from bough.query.usage.sources import started_in  # noqa: PLC0415 - few reports need it

        families: dict[tuple[str, str], list[Book]] = {}
        for book in books:
            families.setdefault((book.project, book.session), []).append(book)
        metas = self._metas()
        grown = [family for family in families.values() if len(family) > 1]
        return [one for family in grown for one in started_in(family, metas)]

    def _metas(self) -> dict[str, str]:
        """List the files that tell about agents, by the path of the agent's own."""
        return {
            str(agent.path): str(agent.meta)
            for listing in self._listings
            for agents in (*(s.agents for s in listing.sessions), listing.loose_agents)
            for agent in agents
            if agent.meta is not None
        }


def _named(
    books: Sequence[Book], listings: Sequence[ProjectFiles], metas: Mapping[str, str]
) -> Iterator[Book]:
    """Name projects as their records do, and agents as the files beside them do."""
    from bough.ingest.project_names import path_of  # noqa: PLC0415
    from bough.model.text.formats import name_of  # noqa: PLC0415 - few reports need it
    from bough.query.usage.sources import meta_of  # noqa: PLC0415

    paths = {listing.dir: path_of(listing) for listing in listings}
    for book in books:
        path = paths.get(book.project)
        name = name_of(path) if path else book.project
        meta = meta_of(metas.get(book.path))
        yield replace(
            book,
            project_path=path,
            project_name=name,
            agent_type=meta.agent_type,
            agent_description=meta.description,
        )


class Source(Protocol):
    """Books and what else a report may ask; `notes` are sentences for the person."""

    notes: Sequence[str]

    def books(self, *, named: bool = False) -> list[Book]:
        """Give every file with its lines; `named` asks what projects and agents are called."""

    def every_line(self, books: Sequence[Book], wanted: Sequence[Book]) -> list[Entry]:
        """Give all lines of the calls that some of the books report."""

    def shapes(self, books: Sequence[Book]) -> "dict[str, Shape]":
        """Give the ways of sessions, by the path of their own files."""

    def started(self, books: Sequence[Book]) -> "list[Started]":
        """Give the calls that are said to have started agents."""


class IndexSource:
    """Asks an index that is up to date."""

    def __init__(self, handle: "IndexHandle") -> None:
        self._store = handle.store
        self._roots = tuple(str(folder / "projects") + os.sep for folder in handle.folders)
        self.notes: Sequence[str] = [
            *([handle.partial] if handle.partial else []),
            *(problem.reason for problem in handle.report.problems),
        ]

    def books(self, *, named: bool = False) -> list[Book]:  # noqa: ARG002 - they have names
        """Give every file of the Claude folders that were asked about."""
        return [book for book in self._store.books() if book.path.startswith(self._roots)]

    def every_line(self, books: Sequence[Book], wanted: Sequence[Book]) -> list[Entry]:
        """Give all lines of the calls that some of the books report."""
        by_number = {book.number: book for book in books}
        lines = self._store.lines_of_calls([book.number for book in wanted])
        return [(by_number[file], line) for file, line in lines if file in by_number]

    def shapes(self, books: Sequence[Book]) -> "dict[str, Shape]":
        """Give the ways of sessions; outlines are looked into only where there are several."""
        from bough.ingest.index.outlines import unpack  # noqa: PLC0415
        from bough.ingest.read_records import read_records  # noqa: PLC0415 - few reports need it
        from bough.query.usage.branch_shares import Shape, Way, shape_of  # noqa: PLC0415

        ways: dict[int, list[Way]] = {}
        for row in self._store.conversations():
            ways.setdefault(row.file, []).append(Way(row.tip, bool(row.active)))
        found: dict[str, Shape] = {}
        for book in books:
            known = ways.get(book.number, [])
            if len(known) < 2:
                found[book.path] = Shape(known)
            elif not book.deleted:
                kept = self._store.outlines(book.number)
                with suppress(Unreadable):  # it went away since the index looked
                    shape = unpack(kept) if kept else read_records(Path(book.path))
                    found[book.path] = shape_of(book.session, *shape)
        return found

    def started(self, books: Sequence[Book]) -> "list[Started]":
        """Give the calls that are said to have started agents."""
        from bough.query.usage.branch_shares import Started  # noqa: PLC0415 - few reports need it

        paths = {book.number: book.path for book in books}
        return [
            Started(paths[agent], paths[file], offset, tool, known_by)
            for agent, file, offset, tool, known_by in self._store.calls_of_agents()
            if agent in paths and file in paths
        ]


def started_in(family: Sequence[Book], metas: Mapping[str, str]) -> Iterator[Started]:
    """Find the calls that are said to have started agents; `metas` are files by agent's file."""
    paths = {book.agent: book.path for book in family if book.agent is not None}
    calls: dict[str, list[tuple[str, int, str]]] = {}
    ties: list[tuple[str, str, str]] = []
    for book in family:
        for record in _records(book.path):
            ties += ties_of(record)
            for call, tool in _calls_in(record):
                calls.setdefault(call, []).append((book.path, record.offset, tool))
    for agent, path in paths.items():
        if path in metas:
            ties.append((agent, meta_of(metas[path]).tool_use_id or "", "meta"))
    for agent, call, known_by in ties:
        if agent in paths:
            for file, offset, tool in calls.get(call, ()):
                yield Started(paths[agent], file, offset, tool, known_by)


def meta_of(path: str | None) -> AgentMeta:
    """Read what the file beside an agent's tells; nothing where there is none."""
    try:
        return part(msgspec.Raw(read_at(path, 0, HEAD)), AgentMeta) if path else AgentMeta()
    except Unreadable:
        return AgentMeta()


def _records(path: str) -> Sequence[Record]:
    try:
        return read_records(Path(path))[0]
    except Unreadable:
        return ()


def _calls_in(record: Record) -> Iterator[tuple[str, str]]:
    if isinstance(record, Assistant):
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse | ServerToolUse):
                yield block.id, block.name
