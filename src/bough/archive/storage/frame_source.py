"""A transcript out of the archive: the bytes that its file had, at the same offsets.

Only the frames that are needed are unpacked. A file that is sealed while it is read is another
file: who has it open goes on with the old one, so each reading holds one descriptor from the walk
over the frames to its last byte.
"""

import os
from collections.abc import Iterator
from io import RawIOBase
from typing import TYPE_CHECKING

from bough.archive.storage.frames import (
    ArchiveFile,
    ArchiveHeader,
    find_frame,
    read_frames,
    unpack_frame,
)
from bough.errors import Unreadable, reason_of
from bough.files.byte_source import SourceState
from bough.files.lines import split_lines
from bough.files.regular_file import open_regular
from bough.line import Line

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        """Stand for `typing.override`, which Python 3.11 does not have."""
        return method


class ArchiveSource:
    """The bytes of one transcript in a file of the archive."""

    def __init__(self, path: str, file: str) -> None:
        """Name where the client wrote them, and the file of the archive."""
        self._path = path
        self._file = file
        # Appending and sealing change one of these, and nothing else changes a file.
        self._known: tuple[tuple[int, int], ArchiveFile] | None = None

    @property
    def path(self) -> str:
        """Name where the client wrote the bytes."""
        return self._path

    def state(self) -> SourceState:
        """Give the state of the source when it was last archived."""
        try:
            with self._open_file() as file:
                archived = self._read_frames(file)
        except OSError as error:
            raise Unreadable(self._path, reason_of(error)) from error
        header = archived.header
        mtime_ns = archived.frames[-1].note.source_mtime_ns if archived.frames else header.mtime_ns
        return SourceState(archived.size, mtime_ns, mode=header.mode)

    def open(self) -> RawIOBase:
        """Open the bytes for reading."""
        file = self._open_file()
        try:
            return _FrameReader(self._path, file, self._read_frames(file))
        except BaseException:
            file.close()
            raise

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the lines from `offset` on."""
        return split_lines(self._read_chunks(offset), offset, number)

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` bytes at `offset`."""
        pieces: list[bytes] = []
        if length > 0:
            for chunk in self._read_chunks(offset):
                pieces.append(chunk[:length])
                length -= len(chunk)
                if length <= 0:
                    break
        return b"".join(pieces)

    def _read_chunks(self, offset: int) -> Iterator[bytes]:
        try:
            with self._open_file() as file:
                archived = self._read_frames(file)
                while offset < archived.size:
                    frame = archived.frames[find_frame(archived, offset, self._path)]
                    data = unpack_frame(file, frame, self._path)
                    yield data[offset - frame.note.offset :]
                    offset = frame.note.end
        except OSError as error:
            raise Unreadable(self._path, reason_of(error)) from error

    def _open_file(self) -> RawIOBase:
        return open_regular(self._file)

    def _read_frames(self, file: RawIOBase) -> ArchiveFile:
        status = os.fstat(file.fileno())
        key = status.st_ino, status.st_size
        if self._known is None or self._known[0] != key:
            # Who found the file by a path needs no header, which may be damaged.
            self._known = key, read_frames(file, self._path, ArchiveHeader(self._path))
        return self._known[1]


class _FrameReader(RawIOBase):
    """Reads from frame to frame; what was unpacked last is kept."""

    def __init__(self, path: str, file: RawIOBase, archived: ArchiveFile) -> None:
        self._path = path
        self._file = file
        self._archived = archived
        self._at = 0
        self._number = -1
        self._data = b""

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True

    @override
    def close(self) -> None:
        self._file.close()
        super().close()

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        bases = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._archived.size}
        self._at = bases[whence] + offset
        return self._at

    @override
    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override] # any buffer is one
        """Fill a buffer from one frame at most.

        Raises:
            Unreadable: The bytes that come next are damaged.
        """
        if self._at >= self._archived.size:
            return 0
        number = find_frame(self._archived, self._at, self._path)
        frame = self._archived.frames[number]
        if number != self._number:
            self._data = unpack_frame(self._file, frame, self._path)
            self._number = number
        start = self._at - frame.note.offset
        data = self._data[start : start + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
