"""Lines of a session file, by offset.

A line is bytes and a place; decoding is someone else's job. Every byte belongs to exactly
one line, so joined lines are the file. The last line may lack its newline because the
client is still writing it: it is reported as not `ended`, and a live reader waits for more.
Only a newline ends a line: a carriage return, a NUL or a byte order mark is content.
"""

import errno
from collections.abc import Iterable, Iterator
from io import BytesIO, FileIO
from os import PathLike
from pathlib import Path

from bough.errors import Unreadable, reason_of
from bough.files.regular_file import open_regular
from bough.line import Line

CHUNK = 1 << 20

_GONE = {errno.ENOENT, errno.ESTALE}


def split_lines(chunks: Iterable[bytes], offset: int = 0, number: int = 1) -> Iterator[Line]:
    """Cut chunks into lines; the first byte is at `offset`, in line `number`."""
    # A long line arrives in many chunks. A BytesIO gathers them in one place and gives its
    # bytes away without a copy, so a line of 100 MB takes 100 MB, in linear time.
    pending: BytesIO | None = None
    for chunk in chunks:
        start = 0
        while end := chunk.find(b"\n", start) + 1:
            raw = chunk[start:end]
            if pending is not None:
                pending.write(raw)
                raw = pending.getvalue()
                pending = None
            yield Line(offset, number, raw)
            offset += len(raw)
            number += 1
            start = end
        if start < len(chunk):
            pending = BytesIO() if pending is None else pending
            pending.write(chunk[start:])
    if pending is not None:
        yield Line(offset, number, pending.getvalue())


def read_lines(path: str | PathLike[str], offset: int = 0, number: int = 1) -> Iterator[Line]:
    """Read the lines of a file from `offset` on, where line `number` starts.

    The file is opened when the first line is asked for; that is when Unreadable is raised.
    A file that shrinks or vanishes meanwhile just ends.
    """
    with _open_file(path) as file:
        if offset:
            file.seek(offset)
        yield from split_lines(_read_chunks(path, file), offset, number)


def read_at(path: str | PathLike[str], offset: int, length: int) -> bytes:
    """Read `length` bytes at `offset`; fewer where the file ends before."""
    with _open_file(path) as file:
        file.seek(offset)
        return b"".join(_read_chunks(path, file, length))


def _open_file(path: str | PathLike[str]) -> FileIO:
    try:
        return open_regular(path)
    except OSError as error:
        # Windows denies permission where other systems say that it is a folder.
        folder = Path(path).is_dir()
        raise Unreadable(path, "it is a folder" if folder else reason_of(error)) from error
    except ValueError as error:
        raise Unreadable(path, "no file can have this name") from error


def _read_chunks(
    path: str | PathLike[str], file: FileIO, length: int | None = None
) -> Iterator[bytes]:
    """Read up to `length` bytes, or to the end."""
    while length is None or length > 0:
        try:
            chunk = file.read(CHUNK if length is None else min(CHUNK, length))
        except OSError as error:
            if error.errno in _GONE:
                return
            raise Unreadable(path, reason_of(error)) from error
        if not chunk:
            return
        yield chunk
        if length is not None:
            length -= len(chunk)
