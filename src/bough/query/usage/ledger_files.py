"""The ledger's books from the files themselves, without an index."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bough.config import claude_dirs
from bough.files.discover import ProjectFiles, claude_folders, discover
from bough.model.usage.across_files import Book, Entry
from bough.query.usage.file_scanner import read_books, transcripts_of

if TYPE_CHECKING:
    from bough.query.usage.branch_shares import Shape, Started


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
        from bough.query.usage.ledger_families import started_in  # noqa: PLC0415 - few reports need it

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
    from bough.model.text.paths import name_of  # noqa: PLC0415 - few reports need it
    from bough.query.usage.ledger_families import meta_of  # noqa: PLC0415

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
