"""Transcripts as records: a whole one, or as much of its beginning as a question needs."""

import os
from collections.abc import Callable, Iterator

from bough.errors import Unreadable
from bough.files.byte_source import ByteSource, SourceFinder
from bough.files.lines import split_lines
from bough.records.decode import decode, decode_lines, find_session_id
from bough.records.record import BadLine, Record

HEAD = 64 * 1024
"""How much of a file is looked at to learn whose it is."""


def read_records(source: ByteSource) -> tuple[list[Record], list[BadLine]]:
    """Read a transcript into its records and the lines that are none, both in file order."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for item in decode_lines(source.lines()):
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return found, bad


def read_first_records(
    source: ByteSource | None, wanted: Callable[[bytes], bool] | None = None
) -> Iterator[Record]:
    """Give the records at the start of a transcript one by one; the caller stops when it knows.

    `wanted` looks at a line's bytes and says whether it is worth decoding; by default all are.
    """
    if source is None:
        return
    try:
        data = source.at(0, HEAD)
    except Unreadable:
        return
    yield from _decode_records(data, wanted, whole=len(data) < HEAD)


def read_last_records(source: ByteSource | None, size: int) -> Iterator[Record]:
    """Give the records at the end of a transcript, the first perhaps cut and left out."""
    if source is None:
        return
    start = max(0, size - HEAD)
    try:
        data = source.at(start, HEAD)
    except Unreadable:
        return
    if start:
        data = data.partition(b"\n")[2]
    yield from _decode_records(data, whole=True)


def read_owner(path: str | os.PathLike[str], sources: SourceFinder) -> str | None:
    """Name the session that an agent's file belongs to, as its records say."""
    source = sources.find(os.fspath(path))
    try:
        return find_session_id(source.lines()) if source is not None else None
    except Unreadable:
        return None


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
