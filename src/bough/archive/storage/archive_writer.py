"""The writer of the archive: takes in what is new of a source, and seals what rests.

A source that only grew is appended to: no byte is read or written twice. One that was written
anew, or became shorter, begins a generation, and the bytes before stay. What was taken in never
becomes less, whatever happens to the source, or to the writer on the way.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from io import RawIOBase
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.storage.archive_catalog import ArchiveCatalog, CatalogEntry, describe_entry
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.archive.storage.frames import (
    LIVE_LEVEL,
    LONGEST_FRAME,
    SEALED_LENGTH,
    SEALED_LEVEL,
    ArchiveFile,
    ArchiveFrame,
    ArchiveHeader,
    FramePacker,
    PackedFrame,
    UnknownArchiveFormat,
    cut_at_lines,
    pack_header,
    read_frames,
    seal_frames,
)
from bough.archive.storage.named_files import NameFinder
from bough.errors import Unreadable, reason_of
from bough.files.byte_source import ByteSource, FileStretch, SourceState
from bough.files.lines import split_lines
from bough.files.piece_reader import open_bytes
from bough.files.regular_file import open_regular
from bough.line import Line

TAIL_REST: Final = 60 * 10**9
"""So long a line without newline waits, in nanoseconds: the client may be writing it."""
SEAL_REST: Final = 24 * 3600 * 10**9
"""So long a source must not have changed before its copy is sealed."""
_HEAD: Final = 4096
_TAIL: Final = 256


class TakenKind(StrEnum):
    """What taking in a source did."""

    NOTHING = "nothing"
    NEW = "new"
    GROWN = "grown"
    GENERATION = "generation"


class Taken(Struct, frozen=True):
    """What taking in a source did, and how many bytes of it were new."""

    kind: TakenKind
    bytes: int = 0


_NOTHING: Final = Taken(TakenKind.NOTHING)


class _Hasher:
    """Reads along while bytes go by: their digest, and the files they name."""

    def __init__(
        self,
        header: ArchiveHeader,
        known: tuple[str, ...] | None = (),
        *,
        with_digest: bool = True,
    ) -> None:
        """Take whose bytes they are, and which names those before have; None looks for none."""
        self._digest = hashlib.sha256() if with_digest else None
        # Only lines name files.
        self._has_lines = header.kind == "jsonl"
        looks = self._has_lines and known is not None
        self._names = NameFinder(header.role, known or ()) if looks else None
        self.length = 0

    def read(self, data: bytes) -> None:
        self.length += len(data)
        if self._digest is not None:
            self._digest.update(data)
        if self._names is not None:
            self._names.read(data)

    @property
    def sha256(self) -> bytes | None:
        return self._digest.digest() if self._digest is not None else None

    @property
    def names(self) -> tuple[str, ...] | None:
        if self._names is not None:
            return self._names.names
        return None if self._has_lines else ()


class _FrameLog:
    """Notes the frames of a new file while they are written: nothing has to be read for that."""

    def __init__(self, header: ArchiveHeader, first: bytes) -> None:
        self._header = header
        self._frames: list[ArchiveFrame] = []
        self._end = len(first)

    def add(self, frame: PackedFrame) -> None:
        start, self._end = self._end, self._end + len(frame.data)
        self._frames.append(ArchiveFrame(frame.note, start, self._end))

    @property
    def file(self) -> ArchiveFile:
        return ArchiveFile(self._header, tuple(self._frames), self._end)


class ArchiveWriter:
    """Writes an archive; whoever makes one holds its lock.

    Where it does not look for names, new entries say so: there is nothing yet that has one.
    """

    def __init__(
        self,
        folder: ArchiveFolder,
        catalog: ArchiveCatalog,
        now: Callable[[], int],
        *,
        seals: bool = True,
    ) -> None:
        """Take the archive, its catalog, and the clock: nanoseconds, as files have them.

        Without `seals` what rests is written quickly, and sealed by a later run.
        """
        self.looks_for_names = True
        self._seals = seals
        self._folder = folder
        self._catalog = catalog
        self._now = now
        self._packers: dict[int, FramePacker] = {}

    def take(self, header: ArchiveHeader, source: ByteSource, at: str) -> Taken:
        """Take in what is new of a source; `at` is when, as the clients write times.

        Raises:
            Unreadable: The source cannot be read, or what is kept of it is damaged or newer.
            ArchiveTrouble: The archive cannot be written.
        """
        entry = self._folder.name_entry(header)
        known = self._catalog.newest(entry)
        state = source.state()
        if known is not None and not self._is_due(known, state):
            self._note_return(known)
            return _NOTHING
        generation = self._find_generation(entry, header.kind, known)
        if generation == 0:
            return self._begin(entry, _fill_header(header, 1, state, at), source, state)
        self._catalog.finish_files()
        file = self._folder.name_file(entry, header.kind, generation)
        is_known = known is not None and known.generation == generation
        kept_size = known.size if known is not None and is_known else 0
        try:
            archived = self._read_synced(file, kept_size)
        except UnknownArchiveFormat:
            raise
        except Unreadable:
            archived = None  # what is kept is damaged: it stays, and the source is taken in anew
        if (
            archived is not None
            and archived.size >= kept_size
            and self._has_only_grown(file, archived, source, state)
        ):
            return self._append(entry, file, archived, source, state)
        if archived is not None and not is_known:
            self._catalog.put(describe_entry(entry, archived))
        taken = self._begin(entry, _fill_header(header, generation + 1, state, at), source, state)
        return Taken(TakenKind.GENERATION, taken.bytes)

    def take_stretch(self, header: ArchiveHeader, stretch: FileStretch, at: str) -> Taken | None:
        """Take in bytes that somebody read already; nothing is read from their file.

        None where they do not follow directly what is kept: then `take` has to look at the file.
        """
        self._catalog.finish_files()
        entry = self._folder.name_entry(header)
        known = self._catalog.newest(entry)
        generation = self._find_generation(entry, header.kind, known)
        state = stretch.state or SourceState(stretch.end, 0)
        source = _StretchSource(stretch)
        if generation == 0:
            if stretch.offset:
                return None
            return self._begin(entry, _fill_header(header, 1, state, at), source, state)
        file = self._folder.name_file(entry, header.kind, generation)
        is_known = known is not None and known.generation == generation
        archived = self._read_synced(file, known.size if known is not None and is_known else 0)
        last = archived.frames[-1].note if archived.frames else None
        if archived.damaged or (last is not None and last.is_open):
            return None
        before = len(stretch.before)
        kept = ArchiveSource(stretch.path, str(file))
        if (
            stretch.offset != archived.size
            or _read_kept(kept, stretch.offset - before, before) != stretch.before
        ):
            return None
        return self._append(entry, file, archived, source, state)

    def seal(self, entry: CatalogEntry, source: ByteSource | None, at: str) -> bool:
        """Write an entry anew in large frames; tell whether that was done.

        What was written is read back before it counts. Where the source is still there and is
        another, its bytes are taken in first, as a generation of their own.
        """
        self._catalog.finish_files()
        newest = self._find_generation(entry.id, entry.header.kind, entry)
        if newest == entry.generation and source is not None and not self._is_same(entry, source):
            self.begin_generation(entry, source, at)
        file = self._folder.name_file(entry.id, entry.header.kind, entry.generation)
        archived = self._read_synced(file, entry.size)
        if archived.damaged or archived.size < entry.size:
            return False  # what cannot be read now may be repaired one day
        before = _hash_source(ArchiveSource(entry.header.path, str(file)), entry.header)
        if archived.size > _HEAD or not self._is_tight(file, archived):
            left = self._folder.write_file(file, self._seal_frames(file, archived))
            written = ArchiveSource(entry.header.path, str(left))
            if _hash_source(written, entry.header, None).sha256 != before.sha256:
                self._folder.discard_file(left)
                return False
            self._catalog.finish_file(left)
            archived = self._read_file(file)
        sealed = self._describe(entry.id, archived, entry)
        self._catalog.put(
            msgspec.structs.replace(sealed, sealed_at=at, sha256=before.sha256, names=before.names)
        )
        return True

    def begin_generation(self, entry: CatalogEntry, source: ByteSource, at: str) -> None:
        """Take in a source anew that has other bytes than the entry keeps; these stay."""
        state = source.state()
        header = _fill_header(entry.header, entry.generation + 1, state, at)
        self._begin(entry.id, header, source, state)

    def rewrite(self, entry: CatalogEntry, source: ByteSource) -> None:
        """Write an entry anew from a source that has the bytes it had: its file is damaged."""
        state = SourceState(entry.size, entry.source_mtime_ns, mode=entry.header.mode)
        self._begin(entry.id, entry.header, source, state, is_whole=True)
        self._catalog.finish_files()
        if entry.source_size != entry.size and (made := self._catalog.newest(entry.id)):
            self._catalog.put(msgspec.structs.replace(made, source_size=entry.source_size))

    def find_names(self, entry: CatalogEntry) -> None:
        """Look through what is kept for the files that it names, as far as it can be read."""
        self._catalog.finish_files()
        file = self._folder.name_file(entry.id, entry.header.kind, entry.generation)
        hasher = _Hasher(entry.header, with_digest=False)
        with suppress(Unreadable):
            _read_along(ArchiveSource(entry.header.path, str(file)), hasher)
        self._catalog.put(msgspec.structs.replace(entry, names=hasher.names))

    def _is_tight(self, file: Path, archived: ArchiveFile) -> bool:
        """Tell whether a file has one frame and nothing beside it, so that sealing gains nothing.

        A line that got its end, and what a writer left unfinished, `zstd -d` would read too.
        """
        frames = sum(frame.end - frame.at for frame in archived.frames)
        with self._folder.writing():
            size = file.stat().st_size
        return len(archived.frames) <= 1 and size == len(pack_header(archived.header)) + frames

    # -- what a source needs ----------------------------------------------------------------

    def _is_due(self, known: CatalogEntry, state: SourceState) -> bool:
        if (known.source_size, known.source_mtime_ns) != (state.size, state.mtime_ns):
            return True
        return known.is_behind and self._takes_tail(known.header, state)

    def _takes_tail(self, header: ArchiveHeader, state: SourceState) -> bool:
        """Tell whether a last line without newline is taken: only transcripts are written so."""
        return header.kind != "jsonl" or self._now() - state.mtime_ns >= TAIL_REST

    def _note_return(self, known: CatalogEntry) -> None:
        if known.gone_at is not None:
            self._catalog.put(msgspec.structs.replace(known, gone_at=None))

    def _find_generation(self, entry: str, kind: str, known: CatalogEntry | None) -> int:
        """Find the newest generation that has a file: a writer may have ended before its row."""
        number = known.generation if known is not None else 0
        while os.path.exists(self._folder.name_file(entry, kind, number + 1)):  # noqa: PTH110 - thousands
            number += 1
        return number

    def _has_only_grown(
        self, file: Path, archived: ArchiveFile, source: ByteSource, state: SourceState
    ) -> bool:
        """Tell whether a source begins with what is kept of it.

        Where that is damaged, nobody can tell: then the source is taken in as a whole.
        """
        size = archived.size
        if state.size < size:
            return False
        kept = ArchiveSource(source.path, str(file))
        if state.size == size:
            return _is_equal(kept, source, size)
        tail = max(0, size - _TAIL)
        return all(
            _read_kept(kept, start, length) == source.at(start, length)
            for start, length in ((0, min(_HEAD, size)), (tail, size - tail))
        )

    def _is_same(self, entry: CatalogEntry, source: ByteSource) -> bool:
        file = self._folder.name_file(entry.id, entry.header.kind, entry.generation)
        kept = ArchiveSource(entry.header.path, str(file))
        return source.state().size >= entry.size and _is_equal(kept, source, entry.size)

    # -- writing ----------------------------------------------------------------------------

    def _begin(
        self,
        entry: str,
        header: ArchiveHeader,
        source: ByteSource,
        state: SourceState,
        *,
        is_whole: bool = False,
    ) -> Taken:
        """Write the first file of a generation."""
        rests = self._seals and self._now() - state.mtime_ns >= SEAL_REST
        file = self._folder.name_file(entry, header.kind, header.generation)
        # Each stretch has a digest of its own; that of the whole is made when it is sealed.
        looks = self.looks_for_names or header.role == "prompts"
        hasher = _Hasher(header, () if looks else None, with_digest=rests or is_whole)
        pieces = self._pack_new(
            _NewBytes(source, state, 0, is_whole or self._takes_tail(header, state)),
            hasher,
            SEALED_LEVEL if rests else LIVE_LEVEL,
        )
        first = pack_header(header)
        log = _FrameLog(header, first)
        left = self._folder.write_unsynced(file, _put_before(first, _write_down(pieces, log)))
        if is_whole and hasher.length != state.size:
            self._folder.discard_unsynced(left)
            raise Unreadable(source.path, "it became shorter meanwhile")
        written = ArchiveSource(source.path, str(left.path))
        if rests and _hash_source(written, header, None).sha256 != hasher.sha256:
            self._folder.discard_unsynced(left)
            raise Unreadable(source.path, "its copy in the archive was not what it is")
        made = describe_entry(entry, log.file)
        self._catalog.put_unsynced(
            left,
            msgspec.structs.replace(
                made,
                source_size=state.size,
                source_mtime_ns=state.mtime_ns,
                names=hasher.names,
                sha256=hasher.sha256,
                sealed_at=header.first_seen if rests else None,
            ),
        )
        return Taken(TakenKind.NEW, made.size)

    def _append(
        self,
        entry: str,
        file: Path,
        archived: ArchiveFile,
        source: ByteSource,
        state: SourceState,
    ) -> Taken:
        """Write what is new of a source that only grew behind what is kept of it."""
        known = self._catalog.newest(entry)
        if known is None or known.size != archived.size:
            # A writer ended between its bytes and their row: what the row says is of fewer bytes.
            read = _hash_source(ArchiveSource(source.path, str(file)), archived.header)
            known = msgspec.structs.replace(
                describe_entry(entry, archived), names=read.names, sha256=read.sha256
            )
        last = archived.frames[-1].note if archived.frames else None
        whole = last.offset if last is not None and last.is_open else archived.size
        hasher = _Hasher(known.header, known.names, with_digest=False)
        if state.size > archived.size:
            takes_tail = self._takes_tail(archived.header, state)
            new = _NewBytes(source, state, whole, takes_tail)
            pieces = self._pack_new(new, hasher, LIVE_LEVEL)
            self._folder.append(file, archived.end, (piece.data for piece in pieces))
        after = self._read_file(file)
        described = describe_entry(entry, after)
        is_same = after.size == archived.size
        self._catalog.put(
            msgspec.structs.replace(
                described,
                source_size=state.size,
                source_mtime_ns=state.mtime_ns,
                names=hasher.names,
                sha256=known.sha256 if is_same else None,
                sealed_at=known.sealed_at if is_same else None,
            )
        )
        return _NOTHING if is_same else Taken(TakenKind.GROWN, after.size - archived.size)

    def _pack_new(self, new: "_NewBytes", hasher: _Hasher, level: int) -> Iterator[PackedFrame]:
        packer = self._packers.get(level)
        if packer is None:
            packer = self._packers[level] = FramePacker(level)
        offset = new.offset
        for stretch in cut_at_lines(new.read(), SEALED_LENGTH):
            is_tail = not stretch.endswith(b"\n") and len(stretch) < LONGEST_FRAME
            if is_tail and not new.takes_tail:
                return
            hasher.read(stretch)
            yield packer.pack(stretch, offset, new.state)
            offset += len(stretch)

    def _seal_frames(self, file: Path, archived: ArchiveFile) -> Iterator[bytes]:
        with open_regular(file) as opened:
            yield from seal_frames(opened, archived)

    def _read_synced(self, file: Path, known: int) -> ArchiveFile:
        """Read a file of which a row knows so many bytes; if it has others, they are on the disk.

        A writer that was killed after it wrote them may not have waited for that, and the row
        that is written next counts them.
        """
        archived = self._read_file(file)
        if archived.size != known:
            self._folder.sync_bytes(file)
        return archived

    def _read_file(self, file: Path) -> ArchiveFile:
        try:
            with open_regular(file) as opened:
                return read_frames(opened, str(file))
        except OSError as error:
            raise Unreadable(file, reason_of(error)) from error

    def _describe(
        self, entry: str, archived: ArchiveFile, known: CatalogEntry | None
    ) -> CatalogEntry:
        made = describe_entry(entry, archived)
        if known is None or known.generation != made.generation:
            return made
        return msgspec.structs.replace(
            made,
            source_size=known.source_size,
            source_mtime_ns=known.source_mtime_ns,
            names=known.names,
            sha256=known.sha256,
            sealed_at=known.sealed_at,
            gone_at=known.gone_at,
        )


class _NewBytes(Struct, frozen=True):
    """The bytes of a source from an offset to where it ended when it was looked at."""

    source: ByteSource
    state: SourceState
    offset: int
    takes_tail: bool

    def read(self) -> Iterator[bytes]:
        return _read_chunks(self.source, self.offset, self.state.size)


class _StretchSource(Struct, frozen=True):
    """Bytes that were read already, as a source that begins at their offset."""

    stretch: FileStretch

    @property
    def path(self) -> str:
        return self.stretch.path

    def state(self) -> SourceState:
        return self.stretch.state or SourceState(self.stretch.end, 0)

    def open(self) -> RawIOBase:
        return open_bytes(self.stretch.data, self.stretch.offset)

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        return split_lines((self.at(offset, len(self.stretch.data)),), offset, number)

    def at(self, offset: int, length: int) -> bytes:
        start = max(0, offset - self.stretch.offset)
        return self.stretch.data[start : start + length]


def _fill_header(
    header: ArchiveHeader, generation: int, state: SourceState, at: str
) -> ArchiveHeader:
    return msgspec.structs.replace(
        header, generation=generation, first_seen=at, mtime_ns=state.mtime_ns, mode=state.mode
    )


def _put_before(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _write_down(frames: Iterator[PackedFrame], log: _FrameLog) -> Iterator[bytes]:
    for frame in frames:
        log.add(frame)
        yield frame.data


def _read_chunks(source: ByteSource, offset: int, end: int) -> Iterator[bytes]:
    try:
        with source.open() as file:
            file.seek(offset)
            while offset < end and (data := file.read(min(SEALED_LENGTH, end - offset))):
                yield data
                offset += len(data)
    except OSError as error:
        raise Unreadable(source.path, reason_of(error)) from error
    except ValueError as error:
        raise Unreadable(source.path, "no file can have this name") from error


def _hash_source(
    source: ByteSource, header: ArchiveHeader, known: tuple[str, ...] | None = ()
) -> _Hasher:
    hasher = _Hasher(header, known)
    _read_along(source, hasher)
    return hasher


def _read_along(source: ByteSource, hasher: _Hasher) -> None:
    for chunk in _read_chunks(source, 0, source.state().size):
        hasher.read(chunk)


def _is_equal(kept: ArchiveSource, source: ByteSource, size: int) -> bool:
    """Tell whether a source begins with the bytes that are kept of it."""
    return all(
        _read_kept(kept, start, min(SEALED_LENGTH, size - start))
        == source.at(start, min(SEALED_LENGTH, size - start))
        for start in range(0, size, SEALED_LENGTH)
    )


def _read_kept(kept: ArchiveSource, offset: int, length: int) -> bytes | None:
    """Read what is kept; None where it is damaged."""
    try:
        return kept.at(offset, length)
    except Unreadable:
        return None
