"""Transcripts that are no files: the same bytes at the same offsets, packed in frames.

Frames are cut at line ends and packed one by one, as anything would that keeps transcripts for
long and must not unpack all of one to read a record.
"""

import zlib
from bisect import bisect_right
from collections.abc import Iterator
from io import RawIOBase
from pathlib import Path

from msgspec import Struct
from typing_extensions import override

from bough.files.byte_source import SourceState
from bough.files.directory import NOTHING_KEPT, KeptFolders
from bough.files.lines import split_lines
from bough.line import Line

FRAME = 4096


class Frame(Struct, frozen=True):
    """Some whole lines: where they begin, how many bytes they are, and these bytes packed."""

    offset: int
    length: int
    packed: bytes


class FramedSource(Struct, frozen=True):
    """Packed bytes with the path they were written to."""

    path: str
    mtime_ns: int
    frames: tuple[Frame, ...]

    def state(self) -> SourceState:
        """Tell how many bytes there are; no file has them."""
        end = self.frames[-1].offset + self.frames[-1].length if self.frames else 0
        return SourceState(end, self.mtime_ns)

    def open(self) -> RawIOBase:
        """Open the bytes as if they were a file."""
        return _FrameReader(self)

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read lines from frame to frame."""
        return split_lines(self.unpack_from(offset), offset, number)

    def at(self, offset: int, length: int) -> bytes:
        """Unpack only the frames that are needed."""
        found = b""
        for chunk in self.unpack_from(offset):
            found += chunk
            if len(found) >= length:
                break
        return found[:length]

    def unpack_from(self, offset: int) -> Iterator[bytes]:
        """Unpack frame after frame."""
        first = max(0, bisect_right(self.frames, offset, key=lambda frame: frame.offset) - 1)
        for frame in self.frames[first:]:
            data = zlib.decompress(frame.packed)[max(0, offset - frame.offset) :]
            if data:
                yield data


class FramedFinder:
    """Finds packed transcripts, and never looks at the disk."""

    def __init__(self, found: dict[str, FramedSource]) -> None:
        self.found = found

    def find(self, path: str) -> FramedSource | None:
        """Find what was packed from a path."""
        return self.found.get(path)

    def list_kept(self, folder: str) -> KeptFolders:
        """List nothing: the folders of what was packed are still there."""
        return NOTHING_KEPT


class _FrameReader(RawIOBase):
    def __init__(self, source: FramedSource) -> None:
        self._source = source
        self._at = 0

    @override
    def readable(self) -> bool:
        return True

    @override
    def seekable(self) -> bool:
        return True

    @override
    def seek(self, offset: int, whence: int = 0, /) -> int:
        base = {0: 0, 1: self._at, 2: self._source.state().size}[whence]
        self._at = base + offset
        return self._at

    @override
    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override] # all we are given
        # At most the rest of one frame: who reads from a pipe or a device knows no better.
        data = next(self._source.unpack_from(self._at), b"")[: len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def pack(data: bytes, size: int = FRAME) -> tuple[Frame, ...]:
    """Pack bytes in frames of whole lines, each as large as it has to be to have `size` bytes."""
    frames: list[Frame] = []
    start = end = 0
    for line in split_lines((data,)):
        end = line.offset + len(line.raw)
        if end - start >= size:
            frames.append(_make_frame(start, data[start:end]))
            start = end
    return (*frames, _make_frame(start, data[start:])) if start < end else tuple(frames)


def _make_frame(offset: int, data: bytes) -> Frame:
    return Frame(offset, len(data), zlib.compress(data))


def pack_folder(folder: Path, size: int = FRAME) -> FramedFinder:
    """Pack every file below a folder, each under its own path."""
    return FramedFinder(
        {
            str(path): FramedSource(str(path), path.stat().st_mtime_ns, pack(data, size))
            for path in sorted(folder.rglob("*"))
            if path.is_file()
            for data in (path.read_bytes(),)
        }
    )
