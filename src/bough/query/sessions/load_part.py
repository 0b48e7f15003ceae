"""A stretch of a session: what a person looks at first, there at once however large the file.

Only lines of the stretch are read; what stands before and after it, and in other files, is
not known to it.
"""

import mmap
import sys
from pathlib import Path
from typing import Final

from bough.errors import Unreadable, reason_of
from bough.files.lines import read_lines
from bough.files.regular_file import open_regular
from bough.model.session import Session
from bough.query.sessions.load_session import read_session
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record

_SMALL_BYTES: Final = 1_000_000
"""A file of so many bytes is read whole before anything is shown."""
_PART_BYTES: Final = 400_000
"""So much of a larger one is read first."""
_LEAST_RECORDS: Final = 50
"""So many records are read at least: some are as large as a file."""


def is_small(path: str | Path) -> bool:
    """Tell whether a session can be read whole at once."""
    try:
        return Path(path).stat().st_size <= _SMALL_BYTES
    except OSError:
        return True  # whoever reads it says what is wrong


def open_first(path: str | Path, offset: int | None = None) -> tuple[Session, bool]:
    """Read a session whole where that is quick, else a part; tell which it was."""
    return (read_session(path), True) if is_small(path) else (open_part(path, offset), False)


def open_part(path: str | Path, offset: int | None = None) -> Session:
    """Read a stretch of a session: from an offset on, else its end."""
    size = Path(path).stat().st_size
    start = (
        max(0, size - _PART_BYTES) if offset is None else min(offset, max(0, size - _PART_BYTES))
    )
    return _read_part(path, start, start + _PART_BYTES * 2, torn=start > 0 and start != offset)


def open_range(path: str | Path, start: int, end: int) -> Session:
    """Read the records that begin in a stretch of a session."""
    return _read_part(path, start, end, torn=start > 0)


def open_from(path: str | Path, offset: int) -> Session:
    """Read a session from where a record begins to its end."""
    return _read_part(path, offset, sys.maxsize, torn=False)


def _read_part(path: str | Path, start: int, end: int, *, torn: bool) -> Session:
    """Read records from an offset on; a `torn` first one began before it."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for number, item in enumerate(decode_lines(read_lines(path, start))):
        if number == 0 and torn:
            continue
        if item.offset > end and len(found) > _LEAST_RECORDS:
            break
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return Session(Path(path).stem, found, bad, path=str(path))


def find_start_before(path: str | Path, uuid: str, room: int = _PART_BYTES // 2) -> int | None:
    """Find where to begin reading so that a record is in the stretch; None if it is nowhere."""
    sought = b'"uuid":"%b"' % uuid.encode("utf-8", "replace")
    try:
        with open_regular(path) as file:
            if not file.seek(0, 2):
                return None
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                at = data.find(sought)
                if at < 0:
                    return None
                return max(0, data.rfind(b"\n", 0, max(0, at - room)) + 1)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "it is not a plain file"
        raise Unreadable(path, reason) from error
