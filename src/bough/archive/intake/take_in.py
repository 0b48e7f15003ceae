"""Taking in: everything that is new in some Claude folders goes into the archive, now."""

import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.intake.session_sources import (
    HISTORY,
    NAMED_FOLDERS,
    SourceFile,
    find_transcript_source,
    group_changes,
    has_named_sources,
    list_changed_sources,
    list_named_sources,
    list_session_sources,
)
from bough.archive.storage.archive_catalog import (
    ArchiveCatalog,
    CatalogEntry,
    file_of,
    hold_lock,
    keep_newest,
    path_of,
)
from bough.archive.storage.archive_folder import ArchiveFolder, ForgottenSession, machine_id
from bough.archive.storage.archive_writer import SEAL_REST, ArchiveWriter, Taken, TakenKind
from bough.archive.storage.contents import ArchiveContents, count_contents
from bough.archive.storage.frame_source import ArchiveSource
from bough.archive.storage.frames import LONGEST_FRAME, ArchiveHeader
from bough.errors import Unreadable
from bough.files.byte_source import DISK, ByteSource, FileStretch
from bough.files.directory import Problem
from bough.memory import keep_freed_blocks
from bough.model.text.times import format_timestamp_ns

Progress = Callable[[int, int], None]
_COMMIT_FILES: Final = 1024
"""So many files are taken in between two times that others see them."""


class ArchiveUpdate(Struct, kw_only=True):
    """What taking in did: files and bytes that were new, and what could not be read.

    `archive` is where they are, `contents` all that is kept now. `behind` are files that have a
    last line without its end, which is not taken yet.
    """

    archive: str = ""
    contents: ArchiveContents = ArchiveContents()
    files: int = 0
    bytes: int = 0
    generations: int = 0
    sealed: int = 0
    sessions: set[str] = set()
    behind: set[str] = set()
    problems: list[Problem] = []


class ForgottenReport(Struct, frozen=True, kw_only=True):
    """What was removed of a session: files of the archive, and how many bytes they had."""

    session: str
    files: int
    bytes: int


@contextmanager
def open_writer(
    folder: ArchiveFolder, now: Callable[[], int] = time.time_ns, *, seals: bool = True
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
            yield ArchiveWriter(folder, catalog, now, seals=seals), catalog
        finally:
            catalog.close()


def take_in(
    folder: ArchiveFolder,
    claude_dirs: Sequence[Path],
    *,
    now: Callable[[], int] = time.time_ns,
    progress: Progress | None = None,
    seals: bool = True,
) -> ArchiveUpdate:
    """Take in what is new below some Claude folders, and seal what rests unless that can wait."""
    keep_freed_blocks(LONGEST_FRAME)
    with open_writer(folder, now, seals=seals) as (writer, catalog):
        run = _TakeInRun(folder, writer, catalog, now)
        for claude_dir in claude_dirs:
            run.take_folder(claude_dir, progress)
        if seals:
            run.seal_rested()
        run.report.contents = count_contents(catalog.entries())
        return run.report


def take_in_changes(
    folder: ArchiveFolder,
    claude_dirs: Sequence[Path],
    paths: Collection[str],
    stretches: Sequence[FileStretch] = (),
    now: Callable[[], int] = time.time_ns,
) -> ArchiveUpdate:
    """Take in what is new of the sessions that some changed files belong to.

    `stretches` are bytes that somebody has read already: they are not read again.
    """
    with open_writer(folder, now, seals=False) as (writer, catalog):
        run = _TakeInRun(folder, writer, catalog, now)
        for claude_dir in claude_dirs:
            run.take_stretches(claude_dir, stretches)
            run.take_changed(claude_dir, paths)
        return run.report


def forget(
    folder: ArchiveFolder, session: str, now: Callable[[], int] = time.time_ns
) -> ForgottenReport:
    """Remove every generation of a session and of what belongs to it, and take none in again.

    A plan or a pasted text that another session names too stays, and is that one's from now on.
    """
    with open_writer(folder, now) as (writer, catalog):
        # First: whoever is stopped on the way has forgotten too much rather than too little.
        folder.forget(ForgottenSession(session, format_timestamp_ns(now())))
        everything = catalog.entries()
        users = {
            (entry.header.machine, entry.header.folder, name): entry.header.session
            for entry in everything
            if entry.header.session != session
            for name in entry.names or ()
        }
        removed: list[CatalogEntry] = []
        shared: list[tuple[CatalogEntry, str]] = []
        for entry in everything:
            header = entry.header
            user = users.get((header.machine, header.folder, header.path))
            if header.session == session and user is not None:
                shared.append((entry, user))
            elif header.session == session:
                removed.append(entry)
        folder.remove_entries(entry.id for entry in removed)
        for entry in removed:
            catalog.remove(entry.id)
        for entry, user in shared:
            kept = msgspec.structs.replace(entry.header, session=user)
            source = ArchiveSource(kept.path, str(file_of(folder, entry)))
            writer.rewrite(msgspec.structs.replace(entry, header=kept), source)
        return ForgottenReport(
            session=session, files=len(removed), bytes=sum(entry.size for entry in removed)
        )


class _TakeInRun:
    """One run while it lasts."""

    def __init__(
        self,
        folder: ArchiveFolder,
        writer: ArchiveWriter,
        catalog: ArchiveCatalog,
        now: Callable[[], int],
    ) -> None:
        self.report = ArchiveUpdate(archive=str(folder.path))
        self._writer = writer
        self._catalog = catalog
        self._now = now
        self._at = format_timestamp_ns(now())
        self._machine = machine_id(make=True)
        self._forgotten = folder.list_forgotten()
        self._folder = folder
        self._pending = 0

    def take_folder(self, claude_dir: Path, progress: Progress | None) -> None:
        """Take in what is new in one Claude folder."""
        root = str(claude_dir.resolve())
        listing = list_session_sources(claude_dir)
        self.report.problems += listing.problems
        self._choose_names(claude_dir, root)
        for number, file in enumerate(listing.files):
            if progress is not None:
                progress(number, len(listing.files))
            self._take(file)
        self._find_names(root)
        named = [
            (entry.header.session, name)
            for entry in self._list_own(root)
            for name in entry.names or ()
        ]
        for file in list_named_sources(claude_dir, dict.fromkeys(named)):
            self._take(file)
        self._note_gone(root)
        self._catalog.commit()

    def take_stretches(self, claude_dir: Path, stretches: Sequence[FileStretch]) -> None:
        """Take in bytes that are at hand; what does not follow what is kept is read later."""
        for stretch in stretches:
            file = find_transcript_source(claude_dir, stretch.path)
            if file is None or file.header.session in self._forgotten:
                continue
            header = msgspec.structs.replace(file.header, machine=self._machine)
            try:
                taken = self._writer.take_stretch(header, stretch, self._at)
            except Unreadable as error:
                self._note_problem(stretch.path, error)
                continue
            if taken is not None:
                self._note_taken(header, taken)

    def take_changed(self, claude_dir: Path, paths: Collection[str]) -> None:
        """Take in what is new of the sessions that some files belong to."""
        changed = group_changes(claude_dir, paths)
        listing = list_changed_sources(claude_dir, changed)
        self.report.problems += listing.problems
        root = str(claude_dir.resolve())
        self._choose_names(claude_dir, root)
        for file in listing.files:
            self._take(file)
        self._find_names(root)
        named: dict[tuple[str, str], None] = {}
        for file in listing.files:
            known = self._catalog.newest(self._name_entry(file.header))
            if known is not None:
                named |= dict.fromkeys((known.header.session, name) for name in known.names or ())
        if changed.names:
            own = self._list_own(root)
            named |= dict.fromkeys(
                (one.header.session, name)
                for one in own
                for name in changed.names.intersection(one.names or ())
            )
        for file in list_named_sources(claude_dir, named):
            self._take(file)
        for path in paths:
            self._note_gone_path(claude_dir, path)
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

    def _choose_names(self, claude_dir: Path, root: str) -> None:
        """Look for names only where a file is there that may have one, or was and is kept."""
        self._writer.looks_for_names = has_named_sources(claude_dir) or any(
            entry.header.role in NAMED_FOLDERS.values() for entry in self._list_own(root)
        )

    def _find_names(self, root: str) -> None:
        """Look through what was taken in while nothing had a name."""
        if self._writer.looks_for_names:
            for entry in self._list_own(root):
                if entry.names is None:
                    self._writer.find_names(entry)

    def _take(self, file: SourceFile) -> None:
        if file.header.session in self._forgotten:
            return
        header = msgspec.structs.replace(file.header, machine=self._machine)
        try:
            taken = self._writer.take(header, file.source, self._at)
        except Unreadable as error:
            self._note_problem(file.source.path, error)
            return
        known = self._catalog.newest(self._folder.name_entry(header))
        if known is not None and known.is_behind:
            self.report.behind.add(file.source.path)
        self._note_taken(header, taken)

    def _note_taken(self, header: ArchiveHeader, taken: Taken) -> None:
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

    def _note_gone_path(self, claude_dir: Path, path: str) -> None:
        """Note that the source of a transcript is gone, where it is."""
        file = None if os.path.lexists(path) else find_transcript_source(claude_dir, path)
        known = self._catalog.newest(self._name_entry(file.header)) if file is not None else None
        if known is not None and known.gone_at is None:
            self._catalog.put(msgspec.structs.replace(known, gone_at=self._at))

    def _name_entry(self, header: ArchiveHeader) -> str:
        return self._folder.name_entry(msgspec.structs.replace(header, machine=self._machine))

    def _find_source(self, entry: CatalogEntry) -> ByteSource | None:
        """Find the source of an entry on disk; prompts have none of their own."""
        own = entry.header.machine == self._machine and entry.header.role != "prompts"
        return DISK.find(path_of(entry)) if own else None

    def _note_problem(self, path: str, error: Unreadable) -> None:
        self.report.problems.append(Problem(Path(path), error.message))
