"""Bytes without their secrets: sources like any other, over others.

Whatever is made from them, rows, words, titles, sums or frames, is made from masked bytes. The
lines of a transcript are masked one by one as they are read, so what is written meanwhile is
masked too. Its last line is left out while it is not finished: half a secret looks like none.
What lies beside a transcript is masked as one text: a key may have many lines there.
"""

import os
from collections.abc import Iterable, Iterator
from io import RawIOBase

from bough.backports import override
from bough.errors import Unreadable
from bough.files.byte_source import ByteSource, SourceFinder, SourceState, find_line_start
from bough.files.directory import KeptFolders
from bough.files.lines import split_lines
from bough.files.piece_reader import open_bytes
from bough.line import Line
from bough.records.decode import decode_plain
from bough.team.line_redactor import LineRedactor


class RedactedSource:
    """A transcript, masked line by line; bytes have the places that they had."""

    def __init__(self, source: ByteSource, redactor: LineRedactor) -> None:
        """Read from a source."""
        self._source = source
        self._redactor = redactor

    @property
    def path(self) -> str:
        """Name where the client wrote the bytes."""
        return self._source.path

    def state(self) -> SourceState:
        """Give the state of the source."""
        return self._source.state()

    def open(self) -> RawIOBase:
        """Open the masked bytes for reading."""
        self._source.open().close()
        return _LineReader(self)

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the masked lines from `offset` on."""
        for line in self._source.lines(offset, number):
            if is_sendable(line):
                yield Line(line.offset, line.number, self._redactor.mask(line.raw))

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` masked bytes at `offset`."""
        pieces: list[bytes] = []
        for piece in self.read_from(offset) if length > 0 else ():
            pieces.append(piece[:length])
            length -= len(piece)
            if length <= 0:
                break
        return b"".join(pieces)

    def read_from(self, offset: int) -> Iterator[bytes]:
        """Read the masked bytes from any place on, line by line."""
        for line in self.lines(find_line_start(self._source, offset)):
            yield line.raw[max(0, offset - line.offset) :]


class RedactedText:
    """What lies beside a transcript, masked as one text when it is first asked for."""

    def __init__(self, source: ByteSource, redactor: LineRedactor) -> None:
        """Read from a source."""
        self._source = source
        self._redactor = redactor
        self._masked: bytes | None = None

    @property
    def path(self) -> str:
        """Name where the client wrote the bytes."""
        return self._source.path

    def state(self) -> SourceState:
        """Give the state of the source."""
        return self._source.state()

    def open(self) -> RawIOBase:
        """Open the masked bytes for reading."""
        return open_bytes(self._read())

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the masked lines from `offset` on."""
        return split_lines((self._read()[offset:],), offset, number)

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` masked bytes at `offset`."""
        return self._read()[offset : offset + length]

    def _read(self) -> bytes:
        if self._masked is None:
            self._masked = self._redactor.mask(read_whole(self._source))
        return self._masked


class RedactedFinder:
    """Finds what another finder finds, masked by whom its session is known to.

    What belongs to no session that it was told of is masked by itself.
    """

    def __init__(self, sources: SourceFinder) -> None:
        """Ask a finder."""
        self._sources = sources
        self._redactors: dict[str, LineRedactor] = {}
        self._transcripts: set[str] = set()

    def assign(
        self, redactor: LineRedactor, transcripts: Iterable[str], beside: Iterable[str]
    ) -> None:
        """Let a redactor mask some files."""
        for path in transcripts:
            self._redactors[path] = redactor
            self._transcripts.add(path)
        for path in beside:
            self._redactors[path] = redactor

    def release(self) -> None:
        """Forget which files belong to whom."""
        self._redactors.clear()
        self._transcripts.clear()

    def find(self, path: str) -> ByteSource | None:
        """Find bytes."""
        found = self._sources.find(path)
        if found is None:
            return None
        redactor = self._redactors.get(path) or LineRedactor()
        is_transcript = path in self._transcripts or path.endswith(".jsonl")
        return (RedactedSource if is_transcript else RedactedText)(found, redactor)

    def list_kept(self, folder: str) -> KeptFolders:
        """List what the other finder keeps."""
        return self._sources.list_kept(folder)


def is_sendable(line: Line) -> bool:
    """Tell whether a line is finished: it has its end, or is whole JSON without it."""
    return line.ended or decode_plain(line.raw) is not None


def read_whole(source: ByteSource) -> bytes:
    """Read all bytes of a source."""
    return source.at(0, source.state().size)


class _LineReader(RawIOBase):
    """Reads masked lines as a file without a buffer is read."""

    def __init__(self, source: RedactedSource) -> None:
        self._source = source
        self._at = 0
        self._pieces: Iterator[bytes] | None = None
        self._data = b""

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        bases = {os.SEEK_SET: 0, os.SEEK_CUR: self._at}
        base = bases[whence] if whence in bases else self._source.state().size
        self._at, self._pieces, self._data = base + offset, None, b""
        return self._at

    @override
    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override] # any buffer is one
        """Fill a buffer from one line at most.

        Raises:
            OSError: The bytes cannot be read.
        """
        try:
            if self._pieces is None:
                self._pieces = self._source.read_from(self._at)
            if not self._data:
                self._data = next(self._pieces, b"")
        except Unreadable as error:
            raise OSError(error.message) from error
        data = self._data[: len(buffer)]
        buffer[: len(data)] = data
        self._data = self._data[len(data) :]
        self._at += len(data)
        return len(data)
