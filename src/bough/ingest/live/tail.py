"""Following one transcript: each line once, when its newline is there.

The place is kept at the last byte that was read, with the bytes just before it. Before
anything is read these are compared with the file: where they are still there the file has
only grown, whatever its inode (an editor, a sync or a restore replaces files); where they
are not, it was cut or rewritten and is read from the start again. Records that were given
out before are then recognised by their uuid, those without one by their bytes, and are not
given out again. A torn line waits; its bytes are kept, so that a line of 100 MB that comes
in a thousand pieces is read once and not a thousand times.

This is the one reader of files that grow while a program runs; `FileTail.torn_line` is for
who shows a last line although it has no end. (The index compares with what it read days ago,
see `ingest.index.work_plan`.)
"""

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import RawIOBase, UnsupportedOperation

from msgspec import Struct

from bough.errors import Unreadable, reason_of
from bough.files.byte_source import (
    DISK,
    FileStretch,
    SourceFinder,
    SourceState,
    describe_status,
)
from bough.files.lines import CHUNK, split_lines
from bough.line import Line
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record

MOST_BYTES_AT_ONCE = 8 * CHUNK
"""How much is read at a time, so that memory stays bounded whatever was appended."""

Reader = Callable[[int], bytes | None]
Seek = Callable[[int], int]

_CHECKED = 64
_REMEMBERED = 1 << 14


class TailRead(Struct, frozen=True):
    """What a look at a file gave; `more` says that there is more to read at once.

    `stretch` are the bytes of the lines where they were asked for; `items` may leave some out.
    """

    items: tuple[Record | BadLine, ...] = ()
    over: bool = False
    gone: bool = False
    more: bool = False
    problem: Unreadable | None = None
    stretch: FileStretch | None = None


class FileTail:
    """The end of one transcript, as far as it was read.

    With `repeats`, a file that starts over is given out again in full: for whoever keeps the
    records, and throws them away then.
    """

    def __init__(self, path: str, *, repeats: bool = False, sources: SourceFinder = DISK) -> None:
        self.path = path
        self._sources = sources
        self._repeats = repeats
        self.identity = (0, 0)
        self._offset = 0
        self._number = 1
        self._torn: list[bytes] = []
        self._read_to = 0
        self._before = b""
        self._before_line = b""
        self._given = array("q")
        self._known: frozenset[int] = frozenset()

    @property
    def offset(self) -> int:
        """Give where the first line begins that was not given out."""
        return self._offset

    @property
    def read_to(self) -> int:
        """Give how far the file was read, a torn line included."""
        return self._read_to

    @property
    def torn_line(self) -> Line | None:
        """Give what there is of a last line that has no end yet."""
        raw = b"".join(self._torn)
        return Line(self._offset, self._number, raw) if raw else None

    def skip_to(self, offset: int) -> None:
        """Leave out the lines before an offset; only their number is counted."""
        try:
            with self._open_source() as file:
                while self._read_to < offset:
                    data = file.read(min(CHUNK, offset - self._read_to))
                    if not data:
                        break
                    self._split_lines(data)
        except OSError:
            return

    def read(self, most: int = MOST_BYTES_AT_ONCE, *, with_bytes: bool = False) -> TailRead:
        """Read what is new; only lines with their end are given out, on request as bytes too."""
        try:
            with self._open_source() as file:
                state = _state_of(file)
                over = not self._has_only_grown(file.seek, file.read)
                if over:
                    self._start_over()
                    file.seek(0)
                data = _read_fully(file.read, most)
        except (FileNotFoundError, NotADirectoryError):
            return TailRead(gone=True)
        except OSError as error:
            return TailRead(problem=Unreadable(self.path, reason_of(error)))
        self.identity = (state.device, state.inode)
        offset, before = self._offset, self._before_line
        lines = self._split_lines(data) if data else ()
        found = decode_lines(lines)
        items = tuple(found if self._repeats else self._drop_repeats(found))
        stretch = None
        if lines and with_bytes:
            raw = b"".join([line.raw for line in lines])
            is_whole = state.size == self._read_to
            stretch = FileStretch(self.path, offset, before, raw, state if is_whole else None)
        return TailRead(items, over, more=len(data) >= most, stretch=stretch)

    def move_to(self, path: str) -> None:
        """Go on under another name."""
        self.path = path

    def _open_source(self) -> RawIOBase:
        source = self._sources.find(self.path)
        if source is None:
            raise FileNotFoundError
        return source.open()

    def _has_only_grown(self, seek: Seek, read: Reader) -> bool:
        """Tell whether the file still holds the bytes before our place, and stand there."""
        seek(self._read_to - len(self._before))
        return _read_fully(read, len(self._before)) == self._before

    def _start_over(self) -> None:
        self._known = self._known | frozenset(self._given)
        self._offset, self._number, self._read_to = 0, 1, 0
        self._torn, self._before, self._before_line = [], b"", b""

    def _split_lines(self, data: bytes) -> Sequence[Line]:
        """Cut the lines that are ended out of new bytes, and keep the rest for later."""
        self._read_to += len(data)
        self._before = (self._before + data[-_CHECKED:])[-_CHECKED:]
        end = data.rfind(b"\n") + 1
        if not end:
            self._torn.append(data)
            return ()
        whole = b"".join((*self._torn, data[:end]))
        self._torn = [data[end:]] if end < len(data) else []
        lines = list(split_lines((whole,), self._offset, self._number))
        self._offset += len(whole)
        self._before_line = (self._before_line + whole[-_CHECKED:])[-_CHECKED:]
        self._number += len(lines)
        return lines

    def _drop_repeats(self, items: Iterable[Record | BadLine]) -> Iterator[Record | BadLine]:
        """Leave out what was given out before the file started over."""
        for item in items:
            uuid = item.uuid if isinstance(item, Record) else None
            key = hash(uuid or item.raw)
            if key in self._known:
                continue
            if len(self._given) >= _REMEMBERED:
                del self._given[: _REMEMBERED // 2]
            self._given.append(key)
            yield item


def _state_of(file: RawIOBase) -> SourceState:
    """Tell which file was opened, and its state; bytes that are in no file have neither."""
    try:
        return describe_status(os.fstat(file.fileno()))
    except UnsupportedOperation:
        return SourceState(-1, 0)


def _read_fully(read: Reader, size: int) -> bytes:
    """Read so many bytes, or to the end: one call may give fewer."""
    pieces: list[bytes] = []
    while size > 0 and (data := read(min(size, CHUNK))):
        pieces.append(data)
        size -= len(data)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
