"""Taking in: everything that is new in some Claude folders goes into the archive, now."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.archive_catalog import (
    ArchiveCatalog,
    CatalogEntry,
    file_of,
    hold_lock,
    keep_newest,
    path_of,
)
from bough.archive.archive_folder import ArchiveFolder, ForgottenSession, machine_id
from bough.archive.archive_writer import SEAL_REST, ArchiveWriter, TakenKind
from bough.archive.session_sources import (
    HISTORY,
    SourceFile,
    list_named_sources,
    list_session_sources,
)
from bough.errors import Unreadable
from bough.files.byte_source import DISK, ByteSource
from bough.files.directory import Problem

Progress = Callable[[int, int], None]
_COMMIT_FILES: Final = 64
"""So many files are taken in between two times that others see them."""


class ArchiveUpdate(Struct, kw_only=True):
    """What taking in did: files and bytes that were new, and what could not be read."""

    files: int = 0
    bytes: int = 0
    generations: int = 0
    sealed: int = 0
    sessions: set[str] = set()
    problems: list[Problem] = []


class ForgottenReport(Struct, frozen=True, kw_only=True):
    """What was removed of a session: files of the archive, and how many bytes they had."""

    session: str
    files: int
    bytes: int


@contextmanager
def open_writer(
    folder: ArchiveFolder, now: Callable[[], int] = time.time_ns
) -> Iterator[tuple[ArchiveWriter, ArchiveCatalog]]:
    """Be the one writer of an archive, which is made where there is none.

    Raises:
        ArchiveBusy: Another bough writes it.
        ArchiveTrouble: It cannot be written.
    """
    folder.prepare()
    # Whatever else the system says on the way is about the archive: sources word it themselves.
    with hold_lock(folder), folder.writing():
        folder.remove_unfinished()
        catalog = ArchiveCatalog(folder)
        try:
            yield ArchiveWriter(folder, catalog, now), catalog
        finally:
            catalog.close()


def take_in(
    folder: ArchiveFolder,
    claude_dirs: Sequence[Path],
    *,
    now: Callable[[], int] = time.time_ns,
    progress: Progress | None = None,
) -> ArchiveUpdate:
    """Take in what is new below some Claude folders, and seal what rests."""
    with open_writer(folder, now) as (writer, catalog):
        run = _TakeInRun(folder, writer, catalog, now)
        for claude_dir in claude_dirs:
            run.take_folder(claude_dir, progress)
        run.seal_rested()
        return run.report


def forget(
    folder: ArchiveFolder, session: str, now: Callable[[], int] = time.time_ns
) -> ForgottenReport:
    """Remove every generation of a session and of what belongs to it, and take none in again."""
    with open_writer(folder, now) as (_, catalog):
        # First: whoever is stopped on the way has forgotten too much rather than too little.
        folder.forget(ForgottenSession(session, format_moment(now())))
        entries = [entry for entry in catalog.entries() if entry.header.session == session]
        for entry in entries:
            folder.remove_file(file_of(folder, entry))
            catalog.remove(entry.id)
        return ForgottenReport(
            session=session, files=len(entries), bytes=sum(entry.size for entry in entries)
        )


def format_moment(moment_ns: int) -> str:
    """Write a moment as the clients do."""
    moment = datetime.fromtimestamp(moment_ns / 1e9, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _TakeInRun:
    """One run while it lasts."""

    def __init__(
        self,
        folder: ArchiveFolder,
        writer: ArchiveWriter,
        catalog: ArchiveCatalog,
        now: Callable[[], int],
    ) -> None:
        self.report = ArchiveUpdate()
        self._writer = writer
        self._catalog = catalog
        self._now = now
        self._at = format_moment(now())
        self._machine = machine_id(make=True)
        self._forgotten = folder.list_forgotten()
        self._folder = folder
        self._pending = 0

    def take_folder(self, claude_dir: Path, progress: Progress | None) -> None:
        """Take in what is new in one Claude folder."""
        listing = list_session_sources(claude_dir)
        self.report.problems += listing.problems
        for number, file in enumerate(listing.files):
            if progress is not None:
                progress(number, len(listing.files))
            self._take(file)
        root = str(claude_dir.resolve())
        named = [
            (entry.header.session, name) for entry in self._list_own(root) for name in entry.names
        ]
        for file in list_named_sources(claude_dir, dict.fromkeys(named)):
            self._take(file)
        self._note_gone(root)
        self._catalog.commit()

    def seal_rested(self) -> None:
        """Seal what has not changed for a day."""
        newest = {(entry.id, entry.generation) for entry in keep_newest(self._catalog.entries())}
        for entry in self._catalog.entries():
            if entry.sealed_at is None and self._now() - entry.source_mtime_ns >= SEAL_REST:
                is_newest = (entry.id, entry.generation) in newest
                try:
                    source = self._find_source(entry) if is_newest else None
                    self.report.sealed += self._writer.seal(entry, source, self._at)
                except Unreadable as error:
                    self._note_problem(path_of(entry), error)

    def _take(self, file: SourceFile) -> None:
        if file.header.session in self._forgotten:
            return
        header = msgspec.structs.replace(file.header, machine=self._machine)
        try:
            taken = self._writer.take(header, file.source, self._at)
        except Unreadable as error:
            self._note_problem(file.source.path, error)
            return
        if taken.kind is TakenKind.NOTHING:
            return
        self.report.files += 1
        self.report.bytes += taken.bytes
        self.report.generations += taken.kind is TakenKind.GENERATION
        if header.session:
            self.report.sessions.add(header.session)
        self._pending += 1
        if self._pending >= _COMMIT_FILES:
            self._catalog.commit()
            self._pending = 0

    def _list_own(self, root: str) -> list[CatalogEntry]:
        return [
            entry
            for entry in keep_newest(self._catalog.entries())
            if (entry.header.machine, entry.header.folder) == (self._machine, root)
        ]

    def _note_gone(self, root: str) -> None:
        """Note since when sources are gone."""
        for entry in self._list_own(root):
            if entry.gone_at is None and not entry.header.path.startswith(HISTORY):
                try:
                    os.stat(path_of(entry))  # noqa: PTH116 - thousands
                except (FileNotFoundError, NotADirectoryError):
                    self._catalog.put(msgspec.structs.replace(entry, gone_at=self._at))
                except OSError:
                    continue  # nobody can tell

    def _find_source(self, entry: CatalogEntry) -> ByteSource | None:
        """Find the source of an entry on disk; prompts have none of their own."""
        own = entry.header.machine == self._machine and entry.header.role != "prompts"
        return DISK.find(path_of(entry)) if own else None

    def _note_problem(self, path: str, error: Unreadable) -> None:
        self.report.problems.append(Problem(Path(path), error.message))
