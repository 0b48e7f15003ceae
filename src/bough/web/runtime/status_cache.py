"""Where sessions stand that nobody follows: told from the ends of their files, and kept.

Those that are going on are known to the live updates; here are the others, which only change
when their file does.
"""

import threading
import time
from collections.abc import Iterable
from typing import Final

from bough.library import SessionRow, read_session_status
from bough.model.live.status import SessionStatus

_MOST: Final = 20_000
_REST: Final = 2


class StatusCache:
    """What was found out so far, by file and size."""

    def __init__(self) -> None:
        # Fast path: a list of 129 sessions, 49 ms each time it is asked for again.
        self._known: dict[tuple[str, int], SessionStatus] = {}
        self._lock = threading.Lock()

    def status_of(self, row: SessionRow) -> SessionStatus:
        """Tell where a session stands."""
        key = (row.path, row.bytes)
        found = self._known.get(key)
        if found is None:
            found = read_session_status(row)
            with self._lock:
                if len(self._known) >= _MOST:
                    self._known.clear()
                self._known[key] = found
        return found

    def load_ahead(self, rows: Iterable[SessionRow]) -> None:
        """Find out about sessions ahead of being asked, without taking anybody's turn."""
        for row in rows:
            if row.deleted_at is None and (row.path, row.bytes) not in self._known:
                begun = time.monotonic()
                self.status_of(row)
                time.sleep(_REST * (time.monotonic() - begun))
