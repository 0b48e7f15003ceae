"""Bytes that are no file of their own, read as a file without a buffer is."""

import os
from collections.abc import Callable
from io import RawIOBase

from bough.backports import override

FindPiece = Callable[[int], tuple[int, bytes]]
"""Gives the piece that has the byte at a place, and where that piece begins."""


class PieceReader(RawIOBase):
    """Reads from piece to piece; the one that was found last is kept."""

    def __init__(
        self, find_piece: FindPiece, end: int, close_source: Callable[[], None] | None = None
    ) -> None:
        """Take who finds the pieces, where the last one ends, and what is done at the close."""
        self._find_piece = find_piece
        self._end = end
        self._close_source = close_source
        self._at = self._start = 0
        self._data = b""

    @override
    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    @override
    def seekable(self) -> bool:
        """Tell that places can be gone to."""
        return True

    @override
    def close(self) -> None:
        """Let go of where the pieces come from."""
        if self._close_source is not None:
            self._close_source()
        super().close()

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place."""
        bases = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._end}
        self._at = bases[whence] + offset
        return self._at

    @override
    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override] # any buffer is one
        """Fill a buffer from one piece at most."""
        if self._at >= self._end:
            return 0
        if not self._start <= self._at < self._start + len(self._data):
            self._start, self._data = self._find_piece(self._at)
        if self._at < self._start:
            raise ValueError("nothing is held of the bytes before")
        place = self._at - self._start
        data = self._data[place : place + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def open_bytes(data: bytes, start: int = 0) -> PieceReader:
    """Open some bytes of a file; the first stands at `start`, and nothing before it can be read."""
    return PieceReader(lambda _: (start, data), start + len(data))
