"""Where the ledger's books come from: the index, or the files (`ledger_files`).

Both give the same answers about files that are there. Only the index still knows what was
spent in files that the client has deleted since.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bough.errors import Unreadable
from bough.model.usage.across_files import Book, Entry

if TYPE_CHECKING:
    from bough.query.index.index import IndexHandle
    from bough.query.usage.branch_shares import Shape, Started


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
