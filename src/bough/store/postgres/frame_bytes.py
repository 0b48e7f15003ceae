"""The bytes of transcripts in a team's database: zstd frames of whole lines, at their offsets.

Frames are the archive's: a zstd frame with a checksum that ends where a line does. A last line
without its end is a frame of its own, so that it can be replaced when it has grown.
"""

import os
import sys
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import RawIOBase
from time import monotonic
from typing import Final

from msgspec import Struct

from bough.errors import IndexTrouble, Unreadable
from bough.files.byte_source import SourceState
from bough.files.directory import KeptEntry, KeptFolders
from bough.files.lines import split_lines
from bough.files.piece_reader import open_bytes
from bough.line import Line
from bough.store.postgres.server_connection import ServerConnection

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_FRAME: Final = 512 * 1024
_LONGEST: Final = 4 << 20
_LEVEL: Final = 6
_AT_ONCE: Final = 16
"""So many frames come in one answer."""
_SECONDS_AT_HAND: Final = 60.0
"""For so long bytes stay at hand: what an auditor opens is kept once in that time."""
_FIND: Final = """
    select id, size, mtime_ns from file where path = %(path)s and deleted_at is null
    union all select id, size, mtime_ns from companion where path = %(path)s
"""
_PLACES: Final = 'select "offset", length from frame_places(%s)'
_DATA: Final = "select data from read_frames(%s, %s)"
_FRAME_AT: Final = """
    select r.offset, p.length, r.data
    from (
        select "offset", length from frame_places(%(file)s)
        where "offset" <= %(offset)s order by "offset" desc limit 1
    ) p, read_frames(%(file)s, array[p.offset]) r
"""
_FIND_ALL: Final = "select path, id, size, mtime_ns from files_at(%(paths)s)"
_FRAMES_AT: Final = """
    select file_id, "offset", length, data from read_frames_at(%s::bigint[], %s::bigint[])
"""
_BELOW: Final = """
    select path, size, mtime_ns from file
    where starts_with(path, %(below)s) and deleted_at is null
    union all select path, size, mtime_ns from companion where starts_with(path, %(below)s)
"""

FrameRow = tuple[int, int, bytes]
"""The offset of a frame, how many bytes it holds, and these, packed."""


def pack_frames(data: bytes, offset: int, ends: Sequence[int]) -> Iterator[FrameRow]:
    """Pack bytes that begin at an offset into frames; `ends` are the offsets where lines end."""
    start = 0
    for end in _choose_ends(data, [place - offset for place in ends]):
        for first in range(start, end, _LONGEST):
            part = data[first : min(first + _LONGEST, end)]
            yield offset + first, len(part), pack_bytes(part)
        start = end


def pack_bytes(data: bytes) -> bytes:
    """Pack bytes into one frame."""
    return zstd.compress(
        data,
        options={
            zstd.CompressionParameter.compression_level: _LEVEL,
            zstd.CompressionParameter.checksum_flag: 1,
        },
    )


def _choose_ends(data: bytes, ends: Sequence[int]) -> Iterator[int]:
    """Choose after which lines a frame ends; a last one without its end stands alone."""
    start = before = 0
    for end in ends:
        if end - start > _FRAME and before > start:
            yield before
            start = before
        before = end
    if not ends:
        return
    last = ends[-2] if len(ends) > 1 else 0
    if not data.endswith(b"\n") and last > start:
        yield last
    yield ends[-1]


class _RecentFrames:
    """The frames that were read last, of all files: hits of a search stand close together."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._frames: OrderedDict[tuple[FrameKey, int], tuple[bytes, float]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: "FrameKey", offset: int) -> tuple[int, bytes] | None:
        """Find the frame that has a byte; one that is too old is read again."""
        oldest = monotonic() - _SECONDS_AT_HAND
        with self._lock:
            for (of, start), (data, read_at) in reversed(self._frames.items()):
                if of == key and start <= offset < start + len(data) and read_at >= oldest:
                    return start, data
        return None

    def keep(self, key: "FrameKey", start: int, data: bytes) -> None:
        """Keep a frame, in the place of those that were kept longest."""
        with self._lock:
            self._size += len(data) - len(self._frames.pop((key, start), (b"", 0.0))[0])
            self._frames[key, start] = (data, monotonic())
            while self._size > self._most and len(self._frames) > 1:
                self._size -= len(self._frames.popitem(last=False)[1][0])


FrameKey = tuple[str, int, int, int]
"""Whose frames: the store, the number of the file, its size and its time."""
_RECENT: Final = _RecentFrames(16 << 20)


class FrameFinder(Struct, frozen=True):
    """Finds the bytes that a team's database keeps, by the paths that it gives."""

    url: str

    def find(self, path: str) -> "FrameSource | None":
        """Find the bytes of a path; None where the database has none."""
        found = open_shared(self.url).fetch_one(_FIND, {"path": path})
        return None if found is None else FrameSource(self.url, path, *found)

    def gather(self, places: Sequence[tuple[str, int]]) -> "FrameBatch":
        """Read the frames at some places of files in two questions, whatever their number."""
        try:
            connection = open_shared(self.url)
            rows = connection.fetch_all(_FIND_ALL, {"paths": [path for path, _ in places]})
            found = {row[0]: FrameSource(self.url, *row) for row in rows}
            missing = [
                (source, offset)
                for path, offset in places
                if (source := found.get(path)) is not None and not source.has_at_hand(offset)
            ]
            if missing:
                numbers = [source.number for source, _ in missing]
                by_number = {source.number: source for source, _ in missing}
                for number, *frame in connection.fetch_all(
                    _FRAMES_AT, [numbers, [offset for _, offset in missing]]
                ):
                    by_number[number].keep_frame(*frame)
        except IndexTrouble:
            # Each is asked for by itself then, which says of which it fails.
            found = {}
        return FrameBatch(self, found)

    def list_kept(self, folder: str) -> KeptFolders:
        """List all that the database has below a folder."""
        rows = open_shared(self.url).fetch_all(_BELOW, {"below": f"{folder}/"})
        folders: dict[str, dict[str, KeptEntry]] = {}
        for path, size, mtime_ns in rows:
            above, _, name = path.rpartition("/")
            folders.setdefault(above, {})[name] = KeptEntry(name, path, size, mtime_ns)
            while above != folder and above:
                place = above
                above, _, name = place.rpartition("/")
                names = folders.setdefault(above, {})
                if name in names:
                    break
                names[name] = KeptEntry(name, place, holds_files=True)
        return folders


class FrameBatch:
    """Finds what was gathered without asking, and all else as ever."""

    def __init__(self, finder: FrameFinder, found: "dict[str, FrameSource]") -> None:
        self._finder = finder
        self._found = found

    def find(self, path: str) -> "FrameSource | None":
        """Find the bytes of a path; None where the database has none."""
        return self._found.get(path) or self._finder.find(path)

    def list_kept(self, folder: str) -> KeptFolders:
        """List all that the database has below a folder."""
        return self._finder.list_kept(folder)


class FrameSource:
    """The bytes of one transcript in a team's database."""

    def __init__(self, url: str, path: str, number: int, size: int, mtime_ns: int) -> None:
        self._url = url
        self._path = path
        self.number = number
        self._size = size
        self._mtime_ns = mtime_ns
        self._key = (url, number, size, mtime_ns)

    @property
    def path(self) -> str:
        """Name where the client wrote the bytes, and on which machine."""
        return self._path

    def state(self) -> SourceState:
        """Give the state of the file when it was sent."""
        return SourceState(self._size, self._mtime_ns)

    def open(self) -> RawIOBase:
        """Open the bytes for reading."""
        return open_bytes(b"".join(self._read_chunks(0)))

    def lines(self, offset: int = 0, number: int = 1) -> Iterator[Line]:
        """Read the lines from `offset` on."""
        return split_lines(self._read_chunks(offset), offset, number)

    def at(self, offset: int, length: int) -> bytes:
        """Read `length` bytes at `offset`."""
        pieces: list[bytes] = []
        end = offset + length
        while offset < end:
            frame = self._find_frame(offset)
            if frame is None:
                break
            start, data = frame
            piece = data[offset - start : end - start]
            pieces.append(piece)
            offset += len(piece)
        return b"".join(pieces)

    def has_at_hand(self, offset: int) -> bool:
        """Tell whether the frame that has a byte was read lately."""
        return _RECENT.find(self._key, offset) is not None

    def keep_frame(self, start: int, length: int, packed: bytes) -> None:
        """Keep a frame that was read; a damaged one is left to whoever asks for it."""
        with suppress(Unreadable):
            _RECENT.keep(self._key, start, self._unpack(packed, length))

    def _find_frame(self, offset: int) -> tuple[int, bytes] | None:
        """Find the frame that has the byte at an offset; those that were read last are kept."""
        found = _RECENT.find(self._key, offset)
        if found is None:
            try:
                row = open_shared(self._url).fetch_one(
                    _FRAME_AT, {"file": self.number, "offset": offset}
                )
            except IndexTrouble as error:
                raise Unreadable(self._path, error.message.rstrip(".")) from error
            if row is None or row[0] + row[1] <= offset:
                return None
            found = (row[0], self._unpack(row[2], row[1]))
            _RECENT.keep(self._key, *found)
        return found

    def _read_chunks(self, offset: int) -> Iterator[bytes]:
        try:
            connection = open_shared(self._url)
            places = connection.fetch_all(_PLACES, [self.number])
            first = max(bisect_right(places, offset, key=lambda place: place[0]) - 1, 0)
            wanted = places[first:]
            for at in range(0, len(wanted), _AT_ONCE):
                part = wanted[at : at + _AT_ONCE]
                rows = connection.fetch_all(_DATA, [self.number, [place[0] for place in part]])
                for (start, length), (packed,) in zip(part, rows, strict=True):
                    yield self._unpack(packed, length)[max(offset - start, 0) :]
        except IndexTrouble as error:
            raise Unreadable(self._path, error.message.rstrip(".")) from error

    def _unpack(self, packed: bytes, length: int) -> bytes:
        try:
            data: bytes = zstd.decompress(packed)
        except zstd.ZstdError:
            data = b""
        if len(data) != length:
            raise Unreadable(self._path, "the database has damaged bytes of it")
        return data


_opening = threading.Lock()
_MOST_OPEN: Final = 32
_opened: OrderedDict[tuple[str, int], ServerConnection] = OrderedDict()


def open_shared(url: str) -> ServerConnection:
    """Give the connection of this process over which bytes are read; it stays open for a while."""
    key = (url, os.getpid())
    with _opening:
        connection = _opened.get(key)
        if connection is None or connection.raw.closed:
            connection = _opened[key] = ServerConnection(url)
        _opened.move_to_end(key)
        while len(_opened) > _MOST_OPEN:
            _opened.popitem(last=False)[1].close()
        return connection


def close_shared() -> None:
    """Close the connections over which bytes were read."""
    with _opening:
        for connection in _opened.values():
            connection.close()
        _opened.clear()
