"""The ear: a thread that follows the live sessions and tells the pages what happens."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bough.errors import BoughError, ClaudeFolderNotFound
from bough.files.discover import main_file_of
from bough.query.live.events import StreamEvent
from bough.query.live.running_sessions import RECENT, LiveSession
from bough.query.live.stream import Stream, open_stream
from bough.store.protocol import Store
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.runtime.index_access import IndexAccess
from bough.web.runtime.index_updates import IndexUpdater
from bough.web.runtime.session_ids import SessionIds
from bough.web.wire.live_events import ChangeEvent, GoneEvent, LiveEvent, LiveMessage

_TICK: Final = 1.0
_SOON: Final = 0.25
_RETRY_AFTER: Final = 3.0
_MESSAGES_KEPT: Final = 200
_REFRESH_EVERY: Final = 3.0
_REFRESH_FOR: Final = 30.0
_LONGEST_TEXT: Final = 400
_HIDDEN_KINDS: Final = ("title", "renamed", "replaced", "vanished")
_FILE_KINDS: Final = ("started", "renamed", "vanished")

Publish = Callable[[Sequence[ServerEvent]], None]


class LiveUpdates:
    """Follows until it is stopped; `rows` are the sessions that are going on."""

    def __init__(
        self,
        source: IndexAccess,
        catalogue: SessionIds,
        indexing: IndexUpdater,
        tell: Publish,
        settled: Callable[[], None],
    ) -> None:
        self._source = source
        self._session_ids = catalogue
        self._indexing = indexing
        self._publish = tell
        self._refresh_lists = settled
        self._refresh_until = 0.0
        self._refreshed_at = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.rows: dict[str, LiveSession] = {}
        self.messages: list[LiveMessage] = []
        self.caught_up = threading.Event()
        """Set once the past is known."""

    def start(self) -> None:
        """Begin to follow, unless it has begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="bough-ear", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop following."""
        self._stop.set()

    def count_states(self) -> tuple[int, int]:
        """Count who waits and who works."""
        states = [row.state.value for row in self.rows.values()]
        return states.count("waiting"), states.count("working") + states.count("compacting")

    def list_sessions(self) -> list[LiveSession]:
        """List the sessions that are going on, the most urgent first."""
        return list(self.rows.values())

    def _run(self) -> None:
        """Follow; where that is not possible yet, try again: a folder may be made later."""
        while not self._stop.is_set():
            try:
                with self._open_stream() as stream:
                    self._indexing.retry()
                    self._session_ids.invalidate(surely=True)
                    self._follow(stream)
            except ClaudeFolderNotFound:
                pass
            except (BoughError, OSError) as error:
                self._indexing.complain(f"Live sessions cannot be followed: {error}")
            self.caught_up.set()
            self._stop.wait(_RETRY_AFTER)

    def _open_stream(self) -> Stream:
        return open_stream(
            self._source.dirs,
            since=datetime.now(UTC) - RECENT,
            stop=self._stop,
            store=self._open_store,
            complain=self._indexing.complain,
        )

    def _open_store(self) -> Store:
        """Open the index, but only once it is whole: it has one writer at a time."""
        while not self._indexing.done.wait(_TICK) and not self._stop.is_set():
            pass
        return self._source.open_handle().store

    def _follow(self, stream: Stream) -> None:
        past = stream.past()
        self._handle_events(stream.sessions(), past)
        self.caught_up.set()
        looked = time.monotonic()
        due = False
        while not self._stop.is_set():
            events = stream.next(_SOON if due else _TICK)
            now = time.monotonic()
            # What happened is told at once. Rows cost more and are looked at now and then;
            # without events only the clock can change them.
            due = due or bool(events)
            rows = None
            if self._is_news(events) or now - looked >= (_SOON if due else _TICK):
                looked, due = now, False
                rows = stream.sessions()
            self._handle_events(rows, events)
            self._refresh_lists_if_due(now, busy=bool(events))

    def _is_news(self, events: Sequence[StreamEvent]) -> bool:
        """Tell whether sessions come or go: nobody may be gone who was never there."""
        return any(e.kind in _FILE_KINDS or self._main_path(e) not in self.rows for e in events)

    def _refresh_lists_if_due(self, now: float, *, busy: bool) -> None:
        """Let lists be looked at now and then, as long as the index may still learn of it."""
        if busy:
            self._refresh_until = now + _REFRESH_FOR
        if now < self._refresh_until and now - self._refreshed_at >= _REFRESH_EVERY:
            self._refreshed_at = now
            self._refresh_lists()

    def _handle_events(
        self, rows: Sequence[LiveSession] | None, events: Sequence[StreamEvent]
    ) -> None:
        if any(event.kind in _FILE_KINDS for event in events):
            self._session_ids.invalidate(surely=True)
        told = [
            *self._make_change_events(events),
            *self._make_live_events(rows),
            *self._make_message_events(events),
        ]
        if told:
            self._publish(told)

    def _make_change_events(self, events: Sequence[StreamEvent]) -> Iterator[ServerEvent]:
        """Tell once for each file that it is other than it was; only what is new counts."""
        seen: dict[tuple[str, str | None], StreamEvent] = {}
        for event in events:
            if event.path and event.session and not event.past and event.kind != "state":
                seen.setdefault((event.path, event.agent), event)
        for event in seen.values():
            main = self._main_path(event)
            found = ChangeEvent(
                self._session_ids.id_of(main), event.project, event.agent, revision_of(main)
            )
            yield ServerEvent("change", found)

    def _make_live_events(self, rows: Sequence[LiveSession] | None) -> Iterator[ServerEvent]:
        if rows is None:
            return
        now = {row.path: replace(row, id=self._session_ids.id_of(row.path)) for row in rows}
        before, self.rows = self.rows, now
        waits, working = self.count_states()
        for path, row in now.items():
            if before.get(path) != row:
                yield ServerEvent("live", LiveEvent(row, waits, working))
        for path, row in before.items():
            if path not in now:
                deleted = not Path(path).exists()
                yield ServerEvent("gone", GoneEvent(row.id, row.project, deleted, waits, working))

    def _make_message_events(self, events: Sequence[StreamEvent]) -> Iterator[ServerEvent]:
        found = [self._make_message(event) for event in events if event.kind not in _HIDDEN_KINDS]
        self.messages = [*self.messages, *found][-_MESSAGES_KEPT:]
        for one, event in zip(
            found, (event for event in events if event.kind not in _HIDDEN_KINDS), strict=True
        ):
            if not event.past:
                yield ServerEvent("said", one)

    def _make_message(self, event: StreamEvent) -> LiveMessage:
        main = self._main_path(event) if event.path else ""
        row = self.rows.get(main)
        failed = event.outcome in ("failed", "blocked") or event.kind in ("error", "bad_line")
        return LiveMessage(
            time=event.time,
            session=self._session_ids.id_of(main) if main else event.session,
            project=event.project,
            project_name=event.name or event.project,
            title=row.title if row is not None else f"Session {event.session[:8]}",
            agent=event.agent,
            uuid=event.uuid,
            kind=event.kind,
            words=(event.about or event.text)[:_LONGEST_TEXT],
            tool=event.tool,
            failed=failed,
        )

    def _main_path(self, event: StreamEvent) -> str:
        """Name the session's own file, also for what one of its agents did."""
        path = event.path or ""
        return path if event.agent is None else main_file_of(path, event.project, event.session)


def revision_of(path: str) -> str:
    """Name the state of a file, as far as one look at it tells."""
    try:
        status = Path(path).stat()
    except OSError:
        return "gone"
    return f"{status.st_size}-{status.st_mtime_ns}"
