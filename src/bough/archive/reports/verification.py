"""Verifying the archive: every byte is what was written, and where it is not, which ones.

Each frame has a checksum and the digest of its bytes, a file that was written as a whole that of
all of them. What is damaged can be repaired where the source still has the same bytes; a source
that has others, and the size and the time of before, is then taken in as a generation.
"""

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.intake.take_in import open_writer
from bough.archive.storage.archive_catalog import (
    CatalogEntry,
    describe_entry,
    file_of,
    is_catalog_sound,
    path_of,
    read_catalog,
)
from bough.archive.storage.archive_folder import ArchiveFolder, machine_id, read_file_name
from bough.archive.storage.archive_writer import ArchiveWriter
from bough.archive.storage.frames import (
    ArchiveFile,
    ArchiveFrame,
    OpenFile,
    UnknownArchiveFormat,
    is_whole_frame,
    read_frames,
    unpack_frame,
)
from bough.errors import Unreadable, reason_of
from bough.files.byte_source import DISK, ByteSource
from bough.files.regular_file import open_regular
from bough.model.text.times import format_timestamp_ns

_CHUNK: Final = 1 << 20


class ArchiveDamage(Struct, frozen=True, kw_only=True):
    """Bytes of a source that its copy does not give back; `file` is the copy."""

    file: str
    path: str
    session: str
    reason: str
    offset: int = 0
    length: int = 0
    is_repaired: bool = False


class EqualCopies(Struct, frozen=True, kw_only=True):
    """Files of a machine that the archive has under another one's name too, byte for byte.

    `machine` is not this one, where one of the two is.
    """

    machine: str
    other: str
    files: int


class VerifyReport(Struct, kw_only=True):
    """What was verified, what is damaged, and which copies are not what their sources are now.

    `equal` says what is kept twice, of two machines; that is no damage.
    """

    files: int = 0
    bytes: int = 0
    compared: int = 0
    damage: list[ArchiveDamage] = []
    differences: list[ArchiveDamage] = []
    equal: list[EqualCopies] = []

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing is damaged that was not repaired."""
        return all(one.is_repaired for one in (*self.damage, *self.differences))


def verify_archive(
    folder: ArchiveFolder,
    *,
    deep: bool = False,
    repair: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> VerifyReport:
    """Read every file of the archive; nothing is changed without `repair`.

    Args:
        folder: The archive.
        deep: Compare with the sources that are still there, byte for byte.
        repair: Write damaged copies anew from sources that have the same bytes, and take in
            sources that are others.
        progress: Called with how many files of how many are done.
    """
    was_sound = is_catalog_sound(folder)
    if repair and folder.exists():
        with open_writer(folder) as (writer, _):  # a damaged catalog is made again by that alone
            run = _Verification(folder, deep=deep, writer=writer)
            report = run.verify_all(progress)
    else:
        report = _Verification(folder, deep=deep).verify_all(progress)
    if not was_sound:
        report.damage.insert(0, _describe_catalog(folder, is_repaired=repair))
    return report


class _Verification:
    def __init__(
        self,
        folder: ArchiveFolder,
        *,
        deep: bool,
        writer: ArchiveWriter | None = None,
    ) -> None:
        self._folder = folder
        self._deep = deep
        self._writer = writer
        self._report = VerifyReport()
        self._machine = machine_id()
        self._machines: defaultdict[tuple[str, int, bytes], set[str]] = defaultdict(set)
        self._known = {file_of(folder, entry): entry for entry in read_catalog(folder)}

    def verify_all(self, progress: Callable[[int, int], None] | None) -> VerifyReport:
        files = sorted({*self._folder.list_files(), *self._known})
        for number, file in enumerate(files):
            if progress is not None:
                progress(number, len(files))
            self._verify_file(file)
        self._report.equal = self._count_equal()
        return self._report

    def _count_equal(self) -> list[EqualCopies]:
        """Count what is kept with the same bytes of several machines, by pairs of these."""
        pairs: Counter[tuple[str, str]] = Counter()
        for machines in self._machines.values():
            first, *others = sorted(machines, key=lambda one: (one != self._machine, one))
            pairs.update((other, first) for other in others)
        return [
            EqualCopies(machine=machine, other=other, files=files)
            for (machine, other), files in sorted(pairs.items())
        ]

    def _verify_file(self, file: Path) -> None:
        self._report.files += 1
        entry = self._known.get(file)
        try:
            with open_regular(file) as opened:
                archived = read_frames(opened, str(file), entry.header if entry else None)
                entry = entry or describe_entry((read_file_name(file) or ("", 0))[0], archived)
                found = list(self._verify_frames(file, entry, archived, opened))
        except UnknownArchiveFormat as error:
            self._report.damage.append(_describe(file, entry, error.reason))
            return  # nothing here knows what such a copy has to be
        except OSError as error:
            found = [_describe(file, entry, reason_of(error))]
        except Unreadable as error:
            found = [_describe(file, entry, error.reason)]
        if found and entry is not None and self._repair(entry):
            found = [_mark_repaired(one) for one in found]
        self._report.damage += found
        if self._deep and not found and entry is not None:
            self._compare(file, entry)

    def _verify_frames(
        self, file: Path, entry: CatalogEntry, archived: ArchiveFile, opened: OpenFile
    ) -> Iterator[ArchiveDamage]:
        if archived.damaged and archived.damaged[0][0] == 0:
            yield _describe(file, entry, "its header is damaged, and its bytes can be read")
        whole = hashlib.sha256()
        end = 0
        for frame in archived.frames:
            note = frame.note
            if note.offset > end:
                yield _describe(file, entry, _DAMAGED, end, note.offset - end)
            end = note.end
            try:
                data = unpack_frame(opened, frame, str(file))
            except Unreadable:
                data = b""
            is_whole = is_whole_frame(opened, frame)
            if not is_whole or hashlib.sha256(data).digest() != note.sha256:
                yield _describe(file, entry, _DAMAGED, note.offset, note.length)
            whole.update(data)
            self._report.bytes += len(data)
        if end < entry.size:
            yield _describe(file, entry, _DAMAGED, end, entry.size - end)
        elif entry.size == archived.size and entry.sha256 not in (None, whole.digest()):
            yield _describe(file, entry, "its bytes are not those that were taken in")
        header = entry.header
        self._machines[header.path, header.generation, whole.digest()].add(header.machine)

    def _repair(self, entry: CatalogEntry) -> bool:
        """Write a damaged copy anew, where its source has the bytes that can still be read."""
        source = self._find_source(entry)
        if self._writer is None or source is None:
            return False
        file = file_of(self._folder, entry)
        try:
            if source.state().size < entry.size or not self._has_same_bytes(file, entry, source):
                return False
            self._writer.rewrite(entry, source)
        except Unreadable:
            return False
        return True

    def _has_same_bytes(self, file: Path, entry: CatalogEntry, source: ByteSource) -> bool:
        """Tell whether a source has what a damaged copy had.

        Each note that holds has the digest of its bytes. Where notes are lost too, the digest of
        the whole decides, or that nobody has written to the source since.
        """
        if not _agrees(file, source):
            return False
        if entry.sha256 is not None:
            return _hash(source, entry.size) == entry.sha256
        state = source.state()
        is_as_it_was = (state.size, state.mtime_ns) == (entry.source_size, entry.source_mtime_ns)
        return is_as_it_was or _covers(file, entry.size)

    def _compare(self, file: Path, entry: CatalogEntry) -> None:
        """Compare a copy with its source, where that is as it was when it was taken in."""
        source = self._find_source(entry)
        if source is None:
            return
        try:
            state = source.state()
            if (state.size, state.mtime_ns) != (entry.source_size, entry.source_mtime_ns):
                return
            self._report.compared += 1
            if not _agrees(file, source):
                found = _describe(file, entry, "its source is another, with the same size and time")
                if self._writer is not None:
                    self._writer.begin_generation(
                        entry, source, format_timestamp_ns(time.time_ns())
                    )
                    found = _mark_repaired(found)
                self._report.differences.append(found)
        except Unreadable:
            return

    def _find_source(self, entry: CatalogEntry) -> ByteSource | None:
        """Find the source of an entry; older generations and prompts have none."""
        newer = self._folder.name_file(entry.id, entry.header.kind, entry.generation + 1)
        own = entry.header.machine == self._machine and entry.header.role != "prompts"
        return DISK.find(path_of(entry)) if own and not newer.exists() else None


_DAMAGED: Final = "these bytes are damaged"


def _describe_catalog(folder: ArchiveFolder, *, is_repaired: bool) -> ArchiveDamage:
    return ArchiveDamage(
        file=str(folder.catalog),
        path="",
        session="",
        reason="the catalog is damaged; the next bough archive makes it again from the files",
        is_repaired=is_repaired,
    )


def _describe(
    file: Path, entry: CatalogEntry | None, reason: str, offset: int = 0, length: int = 0
) -> ArchiveDamage:
    return ArchiveDamage(
        file=str(file),
        path=path_of(entry) if entry else "",
        session=entry.header.session if entry else "",
        reason=reason,
        offset=offset,
        length=length,
    )


def _mark_repaired(one: ArchiveDamage) -> ArchiveDamage:
    return msgspec.structs.replace(one, is_repaired=True)


def _agrees(file: Path, source: ByteSource) -> bool:
    """Tell whether a source has the bytes that the notes of a copy say, as far as these hold."""
    notes = [frame.note for frame in _read_notes(file)]
    return all(
        hashlib.sha256(source.at(note.offset, note.length)).digest() == note.sha256
        for note in notes
    )


def _covers(file: Path, size: int) -> bool:
    """Tell whether notes hold for all bytes of a copy."""
    end = 0
    for frame in _read_notes(file):
        if frame.note.offset != end:
            return False
        end = frame.note.end
    return end >= size


def _read_notes(file: Path) -> tuple[ArchiveFrame, ...]:
    try:
        with open_regular(file) as opened:
            return read_frames(opened, str(file)).frames
    except (OSError, Unreadable):
        return ()


def _hash(source: ByteSource, size: int) -> bytes:
    digest = hashlib.sha256()
    for offset in range(0, size, _CHUNK):
        digest.update(source.at(offset, min(_CHUNK, size - offset)))
    return digest.digest()
