"""A stretch of a session: what a person looks at first, there at once however large the file.

Only lines of the stretch are read; what stands before and after it, and in other files, is
not known to it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bough.errors import Unreadable
from bough.files.byte_source import (
    ByteSource,
    SourceFinder,
    find_bytes,
    find_line_start,
    require_source,
)
from bough.ingest.read_records import read_first_records
from bough.memory import count_renewed
from bough.model.session import Session
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.sessions.load_session import count_record_bytes, read_session
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record

_SMALL_BYTES: Final = 1_000_000
"""A file of so many bytes is read whole before anything is shown."""
_PART_BYTES: Final = 400_000
"""So much of a larger one is read first."""
_LEAST_RECORDS: Final = 50
"""So many records are read at least: some are as large as a file."""
_MOST_ENDS: Final = 50_000
"""No session of a person has so many records that nothing follows: a file made to be a burden."""
_SHORT: Final = 8
_MOST_DRAWN: Final = 40_000
"""So many records of such a file are drawn at once, in seconds."""


def keep_drawable(session: Session) -> Session:
    """Give as much of a session as is drawn at once: all, unless it has too many branches."""
    if _count_ends(session.records) <= _MOST_ENDS:
        return session
    return session.keep_newest(_MOST_DRAWN)


def describe_left_out(session: Session, remedy: str = "show {} --whole shows all") -> str:
    """Say that a session was too long to be drawn whole; nothing of one that is there whole.

    The `remedy` is the command that reads all of it, with a place for the session's id.
    """
    if not session.records_left_out:
        return ""
    shown = len(session.records)
    return (
        f"This session has {session.records_left_out + shown:,} records. You are reading the "
        f"newest {shown:,}. bough {remedy.format(session.id[:_SHORT])}."
    )


def _count_ends(records: Sequence[Record]) -> int:
    """Count the records that nothing follows; where there are few records, those."""
    if len(records) <= _MOST_ENDS:
        return 0
    return len({one.uuid for one in records} - {one.parent_uuid for one in records})


def is_small(path: str | Path, sources: SourceFinder = USUAL_SOURCES) -> bool:
    """Tell whether a session can be read whole at once."""
    try:
        return require_source(sources, path).state().size <= _SMALL_BYTES
    except Unreadable:
        return True  # whoever reads it says what is wrong


def open_first(
    path: str | Path, offset: int | None = None, sources: SourceFinder = USUAL_SOURCES
) -> tuple[Session, bool]:
    """Read a session whole where that is quick, else a part; tell which it was."""
    if is_small(path, sources):
        return read_session(path, sources=sources), True
    return open_part(path, offset, sources), False


def open_part(
    path: str | Path, offset: int | None = None, sources: SourceFinder = USUAL_SOURCES
) -> Session:
    """Read a stretch of a session: from an offset on, else its end."""
    source = require_source(sources, path)
    last = max(0, source.state().size - _PART_BYTES)
    start = last if offset is None else min(offset, last)
    return _read_part(source, start, start + _PART_BYTES * 2, torn=start > 0 and start != offset)


def open_range(
    path: str | Path, start: int, end: int, sources: SourceFinder = USUAL_SOURCES
) -> Session:
    """Read the records that begin in a stretch of a session."""
    return _read_part(require_source(sources, path), start, end, torn=start > 0)


def open_from(path: str | Path, offset: int, sources: SourceFinder = USUAL_SOURCES) -> Session:
    """Read a session from where a record begins to its end, as is done anew while it grows."""
    session = _read_part(require_source(sources, path), offset, sys.maxsize, torn=False)
    count_renewed(count_record_bytes(session.records))
    return session


def _read_part(source: ByteSource, start: int, end: int, *, torn: bool) -> Session:
    """Read records from an offset on; a `torn` first one began before it."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for number, item in enumerate(decode_lines(source.lines(start))):
        if number == 0 and torn:
            continue
        if item.offset > end and len(found) > _LEAST_RECORDS:
            break
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    part = Session(Path(source.path).stem, found, bad, path=source.path)
    if start > 0:
        # Paths are told from where the session was started, in a part as in the whole.
        part.started_in = next(
            (r.cwd for r in read_first_records(source, _names_folder) if r.cwd), None
        )
    return part


def _names_folder(raw: bytes) -> bool:
    return b'"cwd"' in raw


def find_start_before(
    path: str | Path,
    uuid: str,
    room: int = _PART_BYTES // 2,
    sources: SourceFinder = USUAL_SOURCES,
) -> int | None:
    """Find where to begin reading so that a record is in the stretch; None if it is nowhere."""
    source = require_source(sources, path)
    at = find_bytes(source, b'"uuid":"%b"' % uuid.encode("utf-8", "replace"))
    return None if at < 0 else find_line_start(source, max(0, at - room))
