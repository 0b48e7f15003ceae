"""Changes for several listeners: one thread follows the files, each listener takes its own.

A listener's queue is bounded. One that does not keep up loses what it has not taken, and is
told so with a `FellBehind` first: it then asks the files or the index for what it missed.
Nobody else waits for it.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType

from bough.ingest.live.changes import Appended, Change, FellBehind
from bough.ingest.live.follower import Live

MOST_RECORDS = 5_000
MOST_BYTES = 64 * 1024 * 1024
_STEP = 1.0


class Subscription:
    """One listener's queue."""

    def __init__(self, most_records: int = MOST_RECORDS, most_bytes: int = MOST_BYTES) -> None:
        self._limits = (most_records, most_bytes)
        self._queue: deque[Change] = deque()
        self._held = (0, 0)
        self._dropped = 0
        self._closed = False
        self._news = threading.Condition()

    def take(self, timeout: float | None = None) -> list[Change]:
        """Give all that happened; wait for something where nothing did."""
        with self._news:
            if not self._queue and not self._dropped and not self._closed:
                self._news.wait(timeout)
            found: list[Change] = [FellBehind(self._dropped)] if self._dropped else []
            found += self._queue
            self._queue.clear()
            self._held, self._dropped = (0, 0), 0
            return found

    @property
    def closed(self) -> bool:
        """Tell whether nothing will come any more."""
        return self._closed

    def put(self, changes: Iterable[Change]) -> None:
        """Hand changes over; what is too much takes all that waits with it."""
        with self._news:
            for change in changes:
                records, size = _weight(change)
                held = (self._held[0] + records, self._held[1] + size)
                if self._queue and (held[0] > self._limits[0] or held[1] > self._limits[1]):
                    self._dropped += len(self._queue)
                    self._queue.clear()
                    held = (records, size)
                self._queue.append(change)
                self._held = held
            self._news.notify_all()

    def close(self) -> None:
        """End it; whoever waits is woken."""
        with self._news:
            self._closed = True
            self._news.notify_all()


class Feed:
    """Follows files in a thread for as long as it is open."""

    def __init__(self, open_live: Callable[[threading.Event], Live]) -> None:
        self._stop = threading.Event()
        self._live = open_live(self._stop)
        self._lock = threading.Lock()
        self._subscriptions: list[Subscription] = []
        self._thread = threading.Thread(target=self._run, name="bough-feed", daemon=True)

    @property
    def live(self) -> Live:
        """Give what follows the files; only its board may be looked at from outside."""
        return self._live

    def __enter__(self) -> "Feed":
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def open(self) -> list[Change]:
        """Read the recent past, give it, and begin to follow."""
        past = self._live.start()
        self._thread.start()
        return past

    def close(self) -> None:
        """Stop, and end all subscriptions."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._live.close()
        with self._lock:
            for one in self._subscriptions:
                one.close()

    def subscribe(self) -> Subscription:
        """Begin to listen."""
        one = Subscription()
        with self._lock:
            self._subscriptions.append(one)
        return one

    def unsubscribe(self, one: Subscription) -> None:
        """Stop listening."""
        with self._lock:
            if one in self._subscriptions:
                self._subscriptions.remove(one)
        one.close()

    def listen(self, timeout: float = _STEP) -> Iterator[list[Change]]:
        """Give batches until the feed is closed; an empty one when nothing happened for long."""
        one = self.subscribe()
        try:
            while not one.closed:
                yield one.take(timeout)
        finally:
            self.unsubscribe(one)

    def _run(self) -> None:
        while not self._stop.is_set():
            changes = self._live.step(_STEP)
            if changes:
                with self._lock:
                    listeners = tuple(self._subscriptions)
                for one in listeners:
                    one.put(changes)


def _weight(change: Change) -> tuple[int, int]:
    if not isinstance(change, Appended):
        return 1, 0
    return len(change.items) or 1, sum(len(item.raw) for item in change.items)
