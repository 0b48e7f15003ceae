"""Where bytes come from: a file on disk, or whatever else keeps the same bytes.

    SourceFinder.find(path) ─► ByteSource: state · open · lines · at

The client deletes old transcripts, so a transcript is asked for by its path, from a finder, and
what is found may be no file. It is the same bytes at the same offsets: places in the index,
links and cursors hold wherever the bytes come from. What lies beside a transcript is found the
same way.

A finder goes to other processes with the question that it serves, and answers are kept by it: so
it is made of plain values, and can be a key.
"""

import os
from collections.abc import Hashable, Iterator, Sequence
from io import RawIOBase
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from bough.errors import Unreadable, reason_of
from bough.files.directory import NOTHING_KEPT, KeptFolders
from bough.files.lines import CHUNK, read_at, read_lines, split_lines
from bough.files.piece_reader import open_bytes
from bough.files.regular_file import open_regular
from bough.line import Line

_STRETCH: Final = 256 * 1024


class SourceState(Struct, frozen=True):
    """Bytes as they are now: how many, when they were last written, and which file has them.

    Where no file has them, `inode` and `device` are 0, and `mode` is what a file would have.
    """

    size: int
    mtime_ns: int
    inode: int = 0
    device: int = 0
    mode: int = 0o600

    @property
    def key(self) -> tuple[int, int, int]:
        """Give what is another when the bytes are."""
        return self.size, self.mtime_ns, self.inode


def describe_status(status: os.stat_result) -> SourceState:
    """Take the state of a file from what the system said of it."""
    return SourceState(
        status.st_size,
        status.st_mtime_ns,
        status.st_ino,
        status.st_dev,
        status.st_mode & 0o7777,
    )


class FileStretch(Struct, frozen=True):
    """Whole lines that were read from the end of a file, for whoever needs the same bytes.

    They stand at `offset`, behind the bytes `before`. `state` is the file's when it had been read
    to its end; None where it may have gone on.
    """

    path: str
    offset: int
    before: bytes
    data: bytes
    state: SourceState | None = None

    @property
    def end(self) -> int:
        """Give the offset behind the last byte."""
        return self.offset + len(self.data)


class ByteSource(Protocol):
    """The bytes of one transcript, or of something that lies beside one."""

    @property
    def path(self) -> str:
        """Name it, for people and errors: where the client wrote it."""

    def state(self) -> SourceState:
        """Give the state that the bytes are in.

        Raises:
            Unreadable: They are gone, or not ours to read.
        """

    def open(self) -> RawIOBase:
        """Open the bytes for reading, without a buffer.

        Raises:
            OSError: They cannot be read.
        """

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the lines from `offset` on, where line `number` starts.

        Raises:
            Unreadable: They cannot be read; said when the first line is asked for.
        """

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` bytes at `offset`; fewer where the source ends before.

        Raises:
            Unreadable: They cannot be read.
        """


class SourceFinder(Hashable, Protocol):
    """Knows where bytes are; the one way to those of a transcript."""

    def find(self, path: str) -> ByteSource | None:
        """Find the bytes that the client wrote to a path; None where nothing has them any more."""

    def list_kept(self, folder: str) -> KeptFolders:
        """List what is kept of a folder and those below it beyond what the disk has.

        Other folders may be listed too; names that the disk has count as they are there.
        """


@runtime_checkable
class BatchFinder(Protocol):
    """A finder for which many places at once are less work than each by itself."""

    def gather(self, places: Sequence[tuple[str, int]]) -> SourceFinder:
        """Give a finder that has the bytes at some places of files, by path and offset, at hand."""


def gather_sources(sources: SourceFinder, places: Sequence[tuple[str, int]]) -> SourceFinder:
    """Let a finder have the bytes at some places at hand, where that is worth it."""
    return sources.gather(places) if isinstance(sources, BatchFinder) else sources


class DiskSource(Struct, frozen=True):
    """A file on disk."""

    path: str

    def state(self) -> SourceState:
        """Give the state that the file is in."""
        try:
            status = os.stat(self.path)  # noqa: PTH116 - asked for very often
        except OSError as error:
            raise Unreadable(self.path, reason_of(error)) from error
        return describe_status(status)

    def open(self) -> RawIOBase:
        """Open the file, if it is a regular one."""
        return open_regular(self.path)

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the lines of the file from `offset` on."""
        return read_lines(self.path, offset, number)

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` bytes of the file at `offset`."""
        return read_at(self.path, offset, length)


class MemorySource(Struct, frozen=True):
    """Bytes that are in no file of their own."""

    path: str
    data: bytes

    def state(self) -> SourceState:
        """Give how many bytes there are."""
        return SourceState(len(self.data), 0)

    def open(self) -> RawIOBase:
        """Open the bytes."""
        return open_bytes(self.data)

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the lines from `offset` on."""
        return split_lines((self.data[offset:],), offset, number)

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` bytes at `offset`."""
        return self.data[offset : offset + length]


class DiskFinder(Struct, frozen=True):
    """Finds files on disk."""

    def find(self, path: str) -> DiskSource | None:
        """Find a file; None where there is none. Whoever reads it is told what else is wrong."""
        try:
            os.stat(path)  # noqa: PTH116 - asked for very often
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            pass
        return DiskSource(path)

    def list_kept(self, folder: str) -> KeptFolders:  # noqa: ARG002 - whatever it is
        """List nothing: the disk has what it has."""
        return NOTHING_KEPT


class FinderChain(Struct, frozen=True):
    """Asks several finders, one after the other: the first that finds something is believed."""

    finders: tuple[SourceFinder, ...]

    def find(self, path: str) -> ByteSource | None:
        """Find bytes where the first of the finders has them."""
        for finder in self.finders:
            if (found := finder.find(path)) is not None:
                return found
        return None

    def list_kept(self, folder: str) -> KeptFolders:
        """List what the first of the finders keeps that keeps anything."""
        lists = (finder.list_kept(folder) for finder in self.finders)
        return next(filter(None, lists), NOTHING_KEPT)


DISK: Final = DiskFinder()


def require_source(sources: SourceFinder, path: str | os.PathLike[str]) -> ByteSource:
    """Find the bytes of a path.

    Raises:
        Unreadable: Nothing has them any more.
    """
    found = sources.find(os.fspath(path))
    if found is None:
        raise Unreadable(path, "no such file")
    return found


def find_bytes(source: ByteSource, words: bytes) -> int:
    """Find where some bytes first stand, faster than lines could be cut; -1 where nowhere.

    Raises:
        Unreadable: The source cannot be read.
    """
    try:
        with source.open() as file:
            return _find_in_file(file, words)
    except OSError as error:
        raise Unreadable(source.path, reason_of(error)) from error
    except ValueError as error:
        raise Unreadable(source.path, "no file can have this name") from error


def _find_in_file(file: RawIOBase, words: bytes) -> int:
    # One buffer is filled again and again: new memory for every stretch costs more than reading.
    # Its first bytes are the last of the stretch before, in which words may have begun.
    kept = len(words) - 1
    buffer = bytearray(_STRETCH + kept)
    base = filled = 0
    while True:
        with memoryview(buffer) as view:
            got = file.readinto(view[filled:])
        if not got:
            return -1
        end = filled + got
        place = buffer.find(words, 0, end)
        if place >= 0:
            return base + place
        filled = min(kept, end)
        buffer[:filled] = buffer[end - filled : end]
        base += end - filled


def find_line_start(source: ByteSource, offset: int) -> int:
    """Find where the line begins that has the byte before `offset`; nothing behind is read.

    Raises:
        Unreadable: The source cannot be read.
    """
    end = offset
    while end > 0:
        start = max(0, end - CHUNK)
        place = source.at(start, end - start).rfind(b"\n")
        if place >= 0:
            return start + place + 1
        end = start
    return 0
