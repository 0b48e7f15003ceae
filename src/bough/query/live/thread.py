"""A thread that follows the live sessions for a face, and hands over what happens.

What happened is handed over at once. What each session is doing costs more to say, so it is
said a moment later, and without events once a second: then only the clock can change it. A
Claude folder that comes later, as each task of Cowork brings one, is followed from then on.
Whoever is called is called in this thread.
"""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.errors import BoughError, ClaudeFolderNotFound
from bough.files.discover import main_file_of
from bough.query.lists.list_rows import Dirs
from bough.query.live.events import StreamEvent
from bough.query.live.running_sessions import RECENT, LiveSession
from bough.query.live.stream import Stream, find_stream_folders, open_stream
from bough.store.protocol import Store

FILE_KINDS: Final = ("started", "renamed", "vanished")
"""Events after which there may be other sessions than before."""
_TICK: Final = 1.0
_SOON: Final = 0.25
_FOLDERS_EVERY: Final = 3.0
_FOLDERS_REST: Final = 50.0
"""So many times longer than a look for new folders takes, none is looked for."""

OnUpdate = Callable[[Sequence[LiveSession] | None, Sequence[StreamEvent]], None]


class LiveListener(Struct, frozen=True):
    """Who is called.

    `on_update` gets the sessions, None where they were not looked at, and what happened; first
    the recent past, then something about once a second at least. `on_problem` gets a sentence
    that says what cannot be followed or kept. `on_open` is called each time following begins.
    """

    on_update: OnUpdate
    on_problem: Callable[[str], None]
    on_open: Callable[[], None] = lambda: None


class LiveThread:
    """Follows until it is stopped."""

    def __init__(
        self,
        dirs: Dirs,
        listener: LiveListener,
        *,
        open_store: Callable[[], Store],
        index_done: threading.Event,
        retry_after: float | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Prepare to follow.

        Args:
            dirs: Claude folders; none means the usual places.
            listener: Who is called.
            open_store: Opens the index, which is kept current.
            index_done: Set when the index may be written: it has one writer at a time.
            retry_after: Begin again so many seconds after it was not possible, for a folder
                may be made later; by default that is a problem, and the end.
            now: Reads the clock.
        """
        self._dirs = dirs
        self._open_index = open_store
        self._index_done = index_done
        self._listener = listener
        self._retry_after = retry_after
        self._now = now
        self._known: set[str] = set()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.caught_up = threading.Event()
        """Set once the past was handed over, or cannot be."""

    def start(self) -> None:
        """Begin to follow, unless it has begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="bough-live", daemon=True)
            self._thread.start()

    def stop(self, *, wait: float = 0.0) -> None:
        """Stop following, and wait so long for the end of what is being read."""
        self._stop.set()
        if self._thread is not None and wait:
            self._thread.join(timeout=wait)

    def _run(self) -> None:
        known: set[Path] = set()
        while not self._stop.is_set():
            try:
                folders = set(find_stream_folders(self._dirs))
                with self._open_stream() as stream:
                    self._listener.on_open()
                    if known:
                        stream.add_to_index(folders - known)
                    known = folders
                    self._follow(stream, folders)
                    continue  # there is another folder, or nobody follows any longer
            except (BoughError, OSError) as error:
                if self._retry_after is None or not isinstance(error, ClaudeFolderNotFound):
                    self._listener.on_problem(f"Live sessions cannot be followed: {error}")
            self.caught_up.set()
            if self._retry_after is None:
                return
            self._stop.wait(self._retry_after)

    def _open_stream(self) -> Stream:
        return open_stream(
            self._dirs,
            since=self._now() - RECENT,
            stop=self._stop,
            store=self._open_store,
            complain=self._listener.on_problem,
            archive_begin=self._index_done,
        )

    def _open_store(self) -> Store:
        """Open the index, but only once it is whole: it has one writer at a time."""
        while not self._index_done.wait(_TICK) and not self._stop.is_set():
            pass
        return self._open_index()

    def _follow(self, stream: Stream, folders: set[Path]) -> None:
        """Hand over what happens, until it is stopped or there is another folder."""
        past = stream.past()
        self._hand_over(stream.sessions(), past)
        self.caught_up.set()
        looked_at = time.monotonic()
        folders_due = looked_at + _FOLDERS_EVERY
        due = False
        while not self._stop.is_set():
            if (started := time.monotonic()) >= folders_due:
                if not folders.issuperset(find_stream_folders(self._dirs)):
                    return
                took = time.monotonic() - started
                folders_due = started + max(_FOLDERS_EVERY, took * _FOLDERS_REST)
            events = stream.next(_SOON if due else _TICK)
            if self._stop.is_set():
                return
            now = time.monotonic()
            due = due or bool(events)
            rows = None
            if self._has_news(events) or now - looked_at >= (_SOON if due else _TICK):
                looked_at, due = now, False
                rows = stream.sessions()
            self._hand_over(rows, events)

    def _hand_over(self, rows: Sequence[LiveSession] | None, events: Sequence[StreamEvent]) -> None:
        if rows is not None:
            self._known = {row.path for row in rows}
        self._listener.on_update(rows, events)

    def _has_news(self, events: Sequence[StreamEvent]) -> bool:
        """Tell whether sessions come or go: nobody may be gone who was never there."""
        return any(e.kind in FILE_KINDS or main_path_of(e) not in self._known for e in events)


def main_path_of(event: StreamEvent) -> str:
    """Name the session's own file, also for what one of its agents did."""
    path = event.path or ""
    return path if event.agent is None else main_file_of(path, event.project, event.session)
