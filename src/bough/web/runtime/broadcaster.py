"""The broadcaster: events go in at one end and to every page at the other, with numbers on them.

The last events are kept, so that a page whose connection broke gets what it missed. A page
that reads too slowly, or was away too long, is told to ask for everything again: nothing is
lost in silence, and no page can fill our memory. All of it happens in the server's loop.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Iterable
from typing import Final

from msgspec import Struct

from bough.web.responses import encode_json
from bough.web.wire.live_events import ResetEvent

HEARTBEAT: Final = 15.0
_EVENTS_KEPT: Final = 4_096
_MOST_WAITING: Final = 1_024
_RETRY: Final = b"retry: 1000\n\n"


class ServerEvent(Struct, frozen=True):
    """An event: its name and what it says."""

    name: str
    value: object


class EventBroadcaster:
    """Gives events to all who listen."""

    def __init__(self, kept: int = _EVENTS_KEPT, waiting: int = _MOST_WAITING) -> None:
        self._boot = secrets.token_hex(4)
        self._number = 0
        self._ring: deque[tuple[int, bytes]] = deque(maxlen=kept)
        self._waiting = waiting
        self._listeners: set[_Listener] = set()
        self.closed = False

    @property
    def last_id(self) -> str:
        """Name the newest event."""
        return f"{self._boot}-{self._number}"

    @property
    def is_heard(self) -> bool:
        """Tell whether anybody listens."""
        return bool(self._listeners)

    def publish(self, events: Iterable[ServerEvent]) -> None:
        """Give events to everybody; only in the server's own thread."""
        written = []
        for event in events:
            self._number += 1
            data = _encode_event(event.name, event.value, f"{self._boot}-{self._number}")
            self._ring.append((self._number, data))
            written.append(data)
        if written:
            for listener in self._listeners:
                listener.put(written)

    def close(self) -> None:
        """Send everybody away."""
        self.closed = True
        for listener in self._listeners:
            listener.wake.set()

    async def listen(self, last: str | None) -> AsyncIterator[bytes]:
        """Give what came after the last event that was heard, then what comes."""
        listener = _Listener(self._waiting)
        self._listeners.add(listener)
        try:
            yield _RETRY + self._replay_missed(last)
            while not self.closed:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await listener.wake.wait()
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                listener.wake.clear()
                if listener.behind:
                    listener.behind = False
                    yield self._encode_reset("This page could not keep up.")
                elif data := b"".join(listener.take_all()):
                    yield data
        finally:
            self._listeners.discard(listener)

    def _replay_missed(self, last: str | None) -> bytes:
        if not last:
            return b": welcome\n\n"
        boot, _, number = last.rpartition("-")
        oldest = self._ring[0][0] if self._ring else self._number + 1
        if boot != self._boot or not number.isdecimal() or len(number) > 18:
            return self._encode_reset("bough was started again.")
        if not oldest - 1 <= int(number) <= self._number:
            return self._encode_reset("More happened than is kept.")
        return b"".join(data for n, data in self._ring if n > int(number))

    def _encode_reset(self, reason: str) -> bytes:
        return _encode_event("reset", ResetEvent(reason), self.last_id)


class _Listener:
    """One page: what it has yet to be sent."""

    def __init__(self, most: int) -> None:
        self.wake = asyncio.Event()
        self.behind = False
        self._queue: deque[bytes] = deque()
        self._most = most

    def put(self, events: list[bytes]) -> None:
        """Add events; where there are too many, all are dropped and it is told so."""
        if len(self._queue) + len(events) > self._most:
            self._queue.clear()
            self.behind = True
        elif not self.behind:
            self._queue.extend(events)
        self.wake.set()

    def take_all(self) -> list[bytes]:
        """Take everything."""
        found = list(self._queue)
        self._queue.clear()
        return found


def _encode_event(name: str, value: object, number: str) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (number.encode(), name.encode(), encode_json(value))
