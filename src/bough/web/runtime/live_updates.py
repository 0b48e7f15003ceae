"""The ear: a thread that follows the live sessions and tells the pages what happens."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bough.errors import BoughError, ClaudeFolderNotFound
from bough.files.discover import main_file
from bough.query.live.events import Event
from bough.query.live.running_sessions import RECENT, LiveSession
from bough.query.live.stream import Stream, open_stream
from bough.store.protocol import Store
from bough.web.runtime.broadcaster import Told
from bough.web.runtime.index_access import Source
from bough.web.runtime.index_updates import Indexing
from bough.web.runtime.session_ids import Catalogue
from bough.web.wire.live_events import ChangeEvent, GoneEvent, LiveEvent, Said

_TICK: Final = 1.0
_SOON: Final = 0.25
_AGAIN: Final = 3.0
_SAID: Final = 200
_SETTLES: Final = 3.0
_RESTLESS: Final = 30.0
_WORDS: Final = 400
_UNSAID: Final = ("title", "renamed", "replaced", "vanished", "fell_behind")
_OF_FILES: Final = ("started", "renamed", "vanished")

Tell = Callable[[Sequence[Told]], None]


class Ear:
    """Follows until it is stopped; `rows` are the sessions that are going on."""

    def __init__(
        self,
        source: Source,
        catalogue: Catalogue,
        indexing: Indexing,
        tell: Tell,
        settled: Callable[[], None],
    ) -> None:
        self._source = source
        self._catalogue = catalogue
        self._indexing = indexing
        self._tell = tell
        self._settled = settled
        self._restless_until = 0.0
        self._settled_at = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.rows: dict[str, LiveSession] = {}
        self.said: list[Said] = []
        self.heard = threading.Event()
        """Set once the past is known."""

    def start(self) -> None:
        """Begin to follow, unless it has begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="bough-ear", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop following."""
        self._stop.set()

    def counts(self) -> tuple[int, int]:
        """Count who waits and who works."""
        states = [row.state.value for row in self.rows.values()]
        return states.count("waiting"), states.count("working") + states.count("compacting")

    def in_order(self) -> list[LiveSession]:
        """List the sessions that are going on, the most urgent first."""
        return list(self.rows.values())

    def _run(self) -> None:
        """Follow; where that is not possible yet, try again: a folder may be made later."""
        while not self._stop.is_set():
            try:
                with self._opened() as stream:
                    self._indexing.retry()
                    self._catalogue.grow_stale(surely=True)
                    self._follow(stream)
            except ClaudeFolderNotFound:
                pass
            except (BoughError, OSError) as error:
                self._indexing.complain(f"Live sessions cannot be followed: {error}")
            self.heard.set()
            self._stop.wait(_AGAIN)

    def _opened(self) -> Stream:
        return open_stream(
            self._source.dirs,
            since=datetime.now(UTC) - RECENT,
            stop=self._stop,
            store=self._store,
            complain=self._indexing.complain,
        )

    def _store(self) -> Store:
        """Open the index, but only once it is whole: it has one writer at a time."""
        while not self._indexing.done.wait(_TICK) and not self._stop.is_set():
            pass
        return self._source.handle().store

    def _follow(self, stream: Stream) -> None:
        past = stream.past()
        self._take(stream.sessions(), past)
        self.heard.set()
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
            self._take(rows, events)
            self._rest(now, busy=bool(events))

    def _is_news(self, events: Sequence[Event]) -> bool:
        """Tell whether sessions come or go: nobody may be gone who was never there."""
        return any(e.kind in _OF_FILES or self._main(e) not in self.rows for e in events)

    def _rest(self, now: float, *, busy: bool) -> None:
        """Let lists be looked at now and then, as long as the index may still learn of it."""
        if busy:
            self._restless_until = now + _RESTLESS
        if now < self._restless_until and now - self._settled_at >= _SETTLES:
            self._settled_at = now
            self._settled()

    def _take(self, rows: Sequence[LiveSession] | None, events: Sequence[Event]) -> None:
        if any(event.kind in _OF_FILES for event in events):
            self._catalogue.grow_stale(surely=True)
        told = [*self._changes(events), *self._rows_told(rows), *self._sayings(events)]
        if told:
            self._tell(told)

    def _changes(self, events: Sequence[Event]) -> Iterator[Told]:
        """Tell once for each file that it is other than it was; only what is new counts."""
        seen: dict[tuple[str, str | None], Event] = {}
        for event in events:
            if event.path and event.session and not event.past and event.kind != "state":
                seen.setdefault((event.path, event.agent), event)
        for event in seen.values():
            main = self._main(event)
            found = ChangeEvent(
                self._catalogue.id_of(main), event.project, event.agent, revision_of(main)
            )
            yield Told("change", found)

    def _rows_told(self, rows: Sequence[LiveSession] | None) -> Iterator[Told]:
        if rows is None:
            return
        now = {row.path: replace(row, id=self._catalogue.id_of(row.path)) for row in rows}
        before, self.rows = self.rows, now
        waits, working = self.counts()
        for path, row in now.items():
            if before.get(path) != row:
                yield Told("live", LiveEvent(row, waits, working))
        for path, row in before.items():
            if path not in now:
                deleted = not Path(path).exists()
                yield Told("gone", GoneEvent(row.id, row.project, deleted, waits, working))

    def _sayings(self, events: Sequence[Event]) -> Iterator[Told]:
        found = [self._said(event) for event in events if event.kind not in _UNSAID]
        self.said = [*self.said, *found][-_SAID:]
        for one, event in zip(
            found, (event for event in events if event.kind not in _UNSAID), strict=True
        ):
            if not event.past:
                yield Told("said", one)

    def _said(self, event: Event) -> Said:
        main = self._main(event) if event.path else ""
        row = self.rows.get(main)
        failed = event.outcome in ("failed", "blocked") or event.kind in ("error", "bad_line")
        return Said(
            time=event.time,
            session=self._catalogue.id_of(main) if main else event.session,
            project=event.project,
            project_name=event.name or event.project,
            title=row.title if row is not None else f"Session {event.session[:8]}",
            agent=event.agent,
            uuid=event.uuid,
            kind=event.kind,
            words=(event.about or event.text)[:_WORDS],
            tool=event.tool,
            failed=failed,
        )

    def _main(self, event: Event) -> str:
        """Name the session's own file, also for what one of its agents did."""
        path = event.path or ""
        return path if event.agent is None else main_file(path, event.project, event.session)


def revision_of(path: str) -> str:
    """Name the state of a file, as far as one look at it tells."""
    try:
        status = Path(path).stat()
    except OSError:
        return "gone"
    return f"{status.st_size}-{status.st_mtime_ns}"
