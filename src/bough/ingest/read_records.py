"""Files as records: a whole one, or as much of its beginning as a question needs."""

from collections.abc import Callable, Iterator
from pathlib import Path

from bough.errors import Unreadable
from bough.files.lines import read_at, read_lines, split_lines
from bough.records.decode import decode, decode_lines
from bough.records.record import BadLine, Record

HEAD = 64 * 1024
"""How much of a file is looked at to learn whose it is."""


def read_records(path: Path) -> tuple[list[Record], list[BadLine]]:
    """Read a file into its records and the lines that are none, both in file order."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for item in decode_lines(read_lines(path)):
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return found, bad


def read_first_records(
    path: Path, wanted: Callable[[bytes], bool] | None = None
) -> Iterator[Record]:
    """Give the records at the start of a file one by one; the caller stops when it knows.

    `wanted` looks at a line's bytes and says whether it is worth decoding; by default all are.
    """
    try:
        data = read_at(path, 0, HEAD)
    except Unreadable:
        return
    yield from _decode_records(data, wanted, whole=len(data) < HEAD)


def read_last_records(path: Path, size: int) -> Iterator[Record]:
    """Give the records at the end of a file, the first of them perhaps cut and left out."""
    start = max(0, size - HEAD)
    try:
        data = read_at(path, start, HEAD)
    except Unreadable:
        return
    if start:
        data = data.partition(b"\n")[2]
    yield from _decode_records(data, whole=True)


def _decode_records(
    data: bytes, wanted: Callable[[bytes], bool] | None = None, *, whole: bool
) -> Iterator[Record]:
    for line in split_lines([data]):
        if not line.ended and not whole:
            return
        if wanted is not None and not wanted(line.raw):
            continue
        record = decode(line)
        if not isinstance(record, BadLine):
            yield record
