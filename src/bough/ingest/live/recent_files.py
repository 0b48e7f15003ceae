"""Whether anything happened lately in a session: its records say so, not the times of files.

A backup that was restored, and a history that was copied, have new files with old records. No
record is newer than its file, so an old file needs no look; the end of any other is asked for
the times it names. Every list of what is going on decides by this.
"""

import re
from datetime import datetime
from functools import lru_cache
from typing import Final

from bough.files.regular_file import read_regular
from bough.ingest.read_records import HEAD
from bough.model.text.times import format_timestamp

_END: Final = 4096
_TIME: Final = re.compile(rb'"timestamp":\s?"([^"\\]*)"')
_USUAL: Final = len("2026-01-05T09:00:00.000Z")


def is_recent_file(path: str, size: int, mtime_ns: int, since: datetime) -> bool:
    """Tell whether the end of a file names a time since then; where it names none, it may be."""
    oldest_ns, oldest = _write_time(since)
    if mtime_ns < oldest_ns:
        return False
    for length in (_END, HEAD):
        try:
            times: list[bytes] = _TIME.findall(read_regular(path, max(0, size - length), length))
        except (OSError, ValueError):
            return False
        if times:
            return any(time >= oldest or len(time) != _USUAL for time in times)
        if length >= size:
            break
    return True


@lru_cache(maxsize=1)
def _write_time(moment: datetime) -> tuple[int, bytes]:
    """Write a moment as file systems and as records do."""
    return int(moment.timestamp() * 1e9), format_timestamp(moment).encode()
