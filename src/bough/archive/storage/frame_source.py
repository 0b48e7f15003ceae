"""A transcript out of the archive: the bytes that its file had, at the same offsets.

Only the frames that are needed are unpacked. A file that is sealed while it is read is another
file: whoever has it open goes on with the old one, so each reading holds one descriptor from
the walk over the frames to its last byte.
"""

import os
from collections.abc import Iterator
from io import RawIOBase

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
from bough.files.piece_reader import PieceReader
from bough.files.regular_file import open_regular
from bough.line import Line


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
            archived = self._read_frames(file)
        except BaseException:
            file.close()
            raise

        def unpack(offset: int) -> tuple[int, bytes]:
            frame = archived.frames[find_frame(archived, offset, self._path)]
            return frame.note.offset, unpack_frame(file, frame, self._path)

        return PieceReader(unpack, archived.size, file.close)

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
