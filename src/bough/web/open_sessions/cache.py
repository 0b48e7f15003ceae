"""The rooms that are open: as many as memory allows, those used last.

A large session that nobody has opened yet is opened behind the scenes, while the page
already shows a stretch of it.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from bough.web.open_sessions.open_session import Room, Which
from bough.web.runtime.session_ids import Entry
from bough.web.runtime.thread_pool import Workers

_MOST_BYTES: Final = 160_000_000
"""Of files; in memory they take three to four times as much."""
_MOST: Final = 200


class Rooms:
    """Open sessions, by their files."""

    def __init__(self, behind: Workers, most: int = _MOST_BYTES) -> None:
        self._behind = behind
        self._most = most
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._opening: set[str] = set()
        self._late: set[str] = set()
        self._lock = threading.Lock()

    def of(self, entry: Entry) -> Room:
        """Give the room of a session, opened or not."""
        with self._lock:
            room = self._rooms.get(entry.path)
            if room is None:
                room = self._rooms[entry.path] = Room(entry.id, entry.path)
            self._rooms.move_to_end(entry.path)
            self._make_space()
            return room

    def open_behind(self, room: Room) -> None:
        """Open a room in the background, once."""
        with self._lock:
            if room.is_open or room.path in self._opening:
                return
            self._opening.add(room.path)
        self._behind.send(lambda: self._open(room))

    def look_again(self, room: Room, told: Callable[[], None]) -> None:
        """Look again at a room that is late, once it has rested; then tell that there is more."""
        with self._lock:
            if room.path in self._late:
                return
            self._late.add(room.path)

        def look() -> None:
            with self._lock:
                self._late.discard(room.path)
            told()

        timer = threading.Timer(room.rest(), look)
        timer.daemon = True
        timer.start()

    def _open(self, room: Room) -> None:
        try:
            room.view(Which())
        finally:
            with self._lock:
                self._opening.discard(room.path)

    def _make_space(self) -> None:
        """Leave the rooms that were not used for longest; the last one stays."""
        total = sum(room.size for room in self._rooms.values())
        while len(self._rooms) > 1 and (total > self._most or len(self._rooms) > _MOST):
            _, room = self._rooms.popitem(last=False)
            total -= room.size
