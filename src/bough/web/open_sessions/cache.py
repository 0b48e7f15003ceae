"""The sessions that are open: as many as memory allows, those used last.

A large session that nobody has opened yet is opened behind the scenes, while the page
already shows a stretch of it.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from bough.library import apply_time_settings
from bough.web.open_sessions.open_session import ConversationRef, OpenSession
from bough.web.runtime.session_ids import SessionEntry
from bough.web.runtime.thread_pool import WorkerThreads

MOST_BYTES: Final = 250_000_000
"""Of memory; docs/web.md says so."""
_MOST: Final = 200


class OpenSessionCache:
    """Open sessions, by their files."""

    def __init__(self, behind: WorkerThreads, most: int = MOST_BYTES) -> None:
        self._background = behind
        self._most = most
        self._sessions: OrderedDict[str, OpenSession] = OrderedDict()
        self._opening: set[str] = set()
        self._rechecks: set[str] = set()
        self._words = apply_time_settings()
        self._lock = threading.Lock()

    def get_session(self, entry: SessionEntry) -> OpenSession:
        """Give a session, opened or not; all are read anew once times are written otherwise."""
        words = apply_time_settings()
        with self._lock:
            if words != self._words:
                self._words = words
                self._sessions.clear()
            open_session = self._sessions.get(entry.path)
            if open_session is None:
                open_session = self._sessions[entry.path] = OpenSession(entry.id, entry.path)
            self._sessions.move_to_end(entry.path)
            self._evict_oldest()
            return open_session

    def open_in_background(self, open_session: OpenSession) -> None:
        """Open a session in the background, once."""
        with self._lock:
            if open_session.is_open or open_session.path in self._opening:
                return
            self._opening.add(open_session.path)
        self._background.run_later(lambda: self._open(open_session))

    def schedule_recheck(self, open_session: OpenSession, publish: Callable[[], None]) -> None:
        """Look again at a session that is late, once it has rested; then publish that."""
        with self._lock:
            if open_session.path in self._rechecks:
                return
            self._rechecks.add(open_session.path)

        def look() -> None:
            with self._lock:
                self._rechecks.discard(open_session.path)
            publish()

        timer = threading.Timer(open_session.retry_delay(), look)
        timer.daemon = True
        timer.start()

    def _open(self, open_session: OpenSession) -> None:
        try:
            open_session.view(ConversationRef())
        finally:
            with self._lock:
                self._opening.discard(open_session.path)

    def _evict_oldest(self) -> None:
        """Close the sessions that were not used for longest; the last one stays."""
        total = sum(one.memory for one in self._sessions.values())
        while len(self._sessions) > 1 and (total > self._most or len(self._sessions) > _MOST):
            _, oldest = self._sessions.popitem(last=False)
            total -= oldest.memory
