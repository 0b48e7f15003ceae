"""Bytes without their secrets: a source like any other, over another one.

Whatever is made from it, rows, words, titles, sums or frames, is made from masked bytes. Lines are
masked one by one as they are read, so what is written meanwhile is masked too. A last line that is
not finished is left out: half a secret looks like none.
"""

import os
from collections.abc import Iterator
from io import RawIOBase
from typing import TYPE_CHECKING

from bough.errors import Unreadable
from bough.files.byte_source import ByteSource, SourceFinder, SourceState, find_line_start
from bough.files.directory import KeptFolders
from bough.line import Line
from bough.records.decode import decode_plain
from bough.team.line_redactor import LineRedactor

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        """Stand for `typing.override`, which Python 3.11 does not have."""
        return method


class RedactedSource:
    """The bytes of another source, masked; their places and their number are the same."""

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
            if line.ended or decode_plain(line.raw) is not None:
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
        start = find_line_start(self._source, offset)
        for line in self.lines(start):
            yield line.raw[max(0, offset - line.offset) :]


class RedactedFinder:
    """Finds what another finder finds, masked."""

    def __init__(self, sources: SourceFinder, redactor: LineRedactor) -> None:
        """Ask a finder."""
        self._sources = sources
        self._redactor = redactor

    def find(self, path: str) -> RedactedSource | None:
        """Find bytes."""
        found = self._sources.find(path)
        return None if found is None else RedactedSource(found, self._redactor)

    def list_kept(self, folder: str) -> KeptFolders:
        """List what the other finder keeps."""
        return self._sources.list_kept(folder)


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
