"""Carrying an archive: its files go to a folder that can be taken along, and come in elsewhere.

The folder is laid out as an archive is, so `zstd -d` reads it back; encrypted files have `.age`
behind their names. Coming in, a file is known by its id and generation and by the digest of the
bytes in it: what is there already is not taken twice, and what is there is never made less.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.intake.take_in import open_writer
from bough.archive.reports.archived_sessions import list_belonging
from bough.archive.storage.archive_catalog import (
    ArchiveCatalog,
    CatalogEntry,
    describe_entry,
    file_of,
    read_catalog,
)
from bough.archive.storage.archive_folder import ArchiveFolder, read_file_name
from bough.archive.storage.frames import ArchiveFile, read_frames, unpack_frame
from bough.archive.storage.named_files import NameFinder
from bough.archive.transfer.encryption import ENCRYPTED, Cipher
from bough.errors import Misuse, Unreadable, reason_of
from bough.files.directory import Problem
from bough.files.regular_file import open_regular

Progress = Callable[[int, int], None]
_DAMAGED: Final = "it is damaged, and is left out"


class ArchiveExport(Struct, kw_only=True):
    """What was carried out: files, their bytes as they lie there, and how many were there."""

    folder: str
    files: int = 0
    bytes: int = 0
    same: int = 0
    sessions: int = 0
    problems: list[Problem] = []


class ArchiveImport(Struct, kw_only=True):
    """What came in: files that are new or grew, and those that were there already.

    `forgotten` are of sessions of which no copy is wanted, `different` hold other bytes than the
    archive has of the same source; neither came in.
    """

    files: int = 0
    grown: int = 0
    same: int = 0
    bytes: int = 0
    forgotten: int = 0
    sessions: set[str] = set()
    different: list[str] = []
    problems: list[Problem] = []


class CarriedFile(Struct, frozen=True):
    """A file that was read and found whole; `data` is as it lies there."""

    entry: CatalogEntry
    data: bytes
    archived: ArchiveFile

    def unpack(self) -> Iterator[bytes]:
        """Give the bytes that it keeps."""
        return _unpack(self.data, self.archived, self.entry.header.path)


def export_archive(
    archive: ArchiveFolder,
    target: ArchiveFolder,
    *,
    sessions: Collection[str] | None = None,
    encrypt: Cipher | None = None,
    progress: Progress | None = None,
) -> ArchiveExport:
    """Write the files of an archive to a folder: all, or those of some sessions.

    Raises:
        ArchiveTrouble: The folder cannot be written.
    """
    entries = _choose_entries(read_catalog(archive), sessions)
    report = ArchiveExport(folder=str(target.path))
    report.sessions = len({entry.header.session for entry in entries if entry.header.session})
    target.prepare()
    for number, entry in enumerate(entries):
        if progress is not None:
            progress(number, len(entries))
        try:
            data = _read_whole(file_of(archive, entry))
        except Unreadable as error:
            report.problems.append(Problem(file_of(archive, entry), error.message))
            continue
        place = file_of(target, entry)
        if encrypt is not None:
            data, place = encrypt(data), place.with_name(f"{place.name}{ENCRYPTED}")
        elif _has_bytes(place, data):
            report.same += 1
            continue
        target.finish_file(target.write_file(place, [data]))
        report.files += 1
        report.bytes += len(data)
    return report


def import_archive(
    archive: ArchiveFolder,
    folder: Path,
    *,
    decrypt: Cipher | None = None,
    progress: Progress | None = None,
) -> ArchiveImport:
    """Take in the files of a folder that `export_archive` wrote.

    Raises:
        Misuse: There is nothing of an archive, or it is encrypted and there is no key.
        ArchiveBusy: Another bough writes the archive.
        ArchiveTrouble: It cannot be written.
    """
    files = _list_carried(folder)
    if not files:
        raise Misuse(f"{folder} holds no files of an archive. bough archive export writes some.")
    if decrypt is None and any(file.suffix == ENCRYPTED for file in files):
        raise Misuse(f"{folder} is encrypted with age. Name the file with your key: --identity.")
    report = ArchiveImport()
    with open_writer(archive) as (_, catalog):
        run = ImportRun(archive, catalog, report)
        for number, file in enumerate(files):
            if progress is not None:
                progress(number, len(files))
            try:
                run.take_file(file, decrypt)
            except (Unreadable, Misuse) as error:
                report.problems.append(Problem(file, error.message))
    return report


class ImportRun:
    """One import while it lasts."""

    def __init__(
        self, archive: ArchiveFolder, catalog: ArchiveCatalog, report: ArchiveImport
    ) -> None:
        self._archive = archive
        self._catalog = catalog
        self._report = report
        self._forgotten = archive.list_forgotten()

    def take_file(self, file: Path, decrypt: Cipher | None) -> None:
        """Take in one file, or find out why not."""
        self.take(read_carried_file(self._archive, file, decrypt))

    def take(self, carried: CarriedFile) -> bool:
        """Take in a file that was read; tell whether the archive has all of its bytes now."""
        header, report = carried.entry.header, self._report
        if header.session in self._forgotten:
            report.forgotten += 1
            return False
        place = file_of(self._archive, carried.entry)
        if place.exists():
            own = read_carried_file(self._archive, place, None)
            if _begins_with(own, carried):
                report.same += 1
                return True
            if not _begins_with(carried, own):
                report.different.append(header.path)
                return False
            report.grown += 1
        else:
            report.files += 1
        self._archive.finish_file(self._archive.write_file(place, [carried.data]))
        self._catalog.put(carried.entry)
        report.bytes += len(carried.data)
        if header.session:
            report.sessions.add(header.session)
        return True


def _choose_entries(
    entries: list[CatalogEntry], sessions: Collection[str] | None
) -> list[CatalogEntry]:
    if sessions is None:
        return entries
    chosen = {
        (one.id, one.generation): one
        for session in sorted(sessions)
        for one in list_belonging(entries, session)
    }
    return list(chosen.values())


def _list_carried(folder: Path) -> list[Path]:
    try:
        found = (file for file in folder.glob("v1/*/*") if read_file_name(_plain_name(file)))
        return sorted(found)
    except OSError as error:
        raise Unreadable(folder, reason_of(error)) from error


def _plain_name(file: Path) -> Path:
    return file.with_suffix("") if file.suffix == ENCRYPTED else file


def _read_whole(file: Path) -> bytes:
    """Read a file of an archive up to its last complete note: somebody may be appending."""
    try:
        with open_regular(file) as opened:
            archived = read_frames(opened, str(file))
            opened.seek(0)
            data = opened.readall()[: archived.end]
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    for _ in _unpack(data, archived, str(file)):
        pass  # a damaged copy is not carried on
    return data


def read_carried_file(archive: ArchiveFolder, file: Path, decrypt: Cipher | None) -> CarriedFile:
    """Read a file and everything in it; only one that is what its name says is believed."""
    try:
        with open_regular(file) as opened:
            data = opened.readall()
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    if file.suffix == ENCRYPTED and decrypt is not None:
        data = decrypt(data)
    archived = read_frames(BytesIO(data), str(file))
    named = read_file_name(_plain_name(file))
    wanted = archive.name_entry(archived.header), archived.header.generation
    if named != wanted:
        raise Unreadable(file, "it is not what its name says")
    names, digest = NameFinder(archived.header.role), hashlib.sha256()
    for stretch in _unpack(data, archived, str(file)):
        digest.update(stretch)
        names.read(stretch)
    entry = msgspec.structs.replace(
        describe_entry(wanted[0], archived),
        sha256=digest.digest(),
        names=names.names if archived.header.kind == "jsonl" else (),
    )
    return CarriedFile(entry, data[: archived.end], archived)


def _unpack(data: bytes, archived: ArchiveFile, path: str) -> Iterator[bytes]:
    """Give all bytes that a file keeps.

    Raises:
        Unreadable: Some of them are damaged, or missing.
    """
    end = 0
    for frame in archived.frames:
        if frame.note.offset != end:
            break
        yield unpack_frame(BytesIO(data), frame, path)
        end = frame.note.end
    if archived.damaged or end != archived.size:
        raise Unreadable(path, _DAMAGED)


def _begins_with(longer: CarriedFile, shorter: CarriedFile) -> bool:
    """Tell whether one file keeps all that another keeps."""
    size = shorter.entry.size
    if longer.entry.size < size:
        return False
    digest = hashlib.sha256()
    for stretch in longer.unpack():
        digest.update(stretch[:size])
        size -= min(size, len(stretch))
    return digest.digest() == shorter.entry.sha256


def _has_bytes(file: Path, data: bytes) -> bool:
    try:
        with open_regular(file) as opened:
            return opened.readall() == data
    except OSError:
        return False
