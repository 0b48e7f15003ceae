"""A stretch of a session: what a person looks at first, there at once however large the file.

Only lines of the stretch are read; what stands before and after it, and in other files, is
not known to it.
"""

import mmap
from pathlib import Path
from typing import Final

from bough.errors import Unreadable, reason_of
from bough.files.lines import read_lines
from bough.model.session import Session
from bough.records.decode import records
from bough.records.record import BadLine, Record

_AT_ONCE: Final = 1_000_000
"""A file of so many bytes is read whole before anything is shown."""
_PART: Final = 400_000
"""So much of a larger one is read first."""
_LEAST: Final = 50


def is_small(path: str | Path) -> bool:
    """Tell whether a session can be read whole at once."""
    try:
        return Path(path).stat().st_size <= _AT_ONCE
    except OSError:
        return True  # whoever reads it says what is wrong


def open_part(path: str | Path, offset: int | None = None) -> Session:
    """Read a stretch of a session: from an offset on, else its end."""
    file = Path(path)
    size = file.stat().st_size
    start = max(0, size - _PART) if offset is None else min(offset, max(0, size - _PART))
    found: list[Record] = []
    bad: list[BadLine] = []
    exact = offset is not None and start == offset
    for number, item in enumerate(records(read_lines(file, start))):
        if number == 0 and start and not exact:
            continue  # it began before
        if item.offset - start > _PART * 2 and len(found) > _LEAST:
            break
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return Session(file.stem, found, bad, path=str(file))


def place_before(path: str | Path, uuid: str, room: int = _PART // 2) -> int | None:
    """Find where to begin reading so that a record is in the stretch; None if it is nowhere."""
    sought = b'"uuid":"%b"' % uuid.encode("utf-8", "replace")
    try:
        with Path(path).open("rb") as file:
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
