"""What the pages are told of live sessions: what changed, what each is doing, what was said."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from bough.library import (
    FILE_KINDS,
    IndexAccess,
    LiveListener,
    LiveSession,
    LiveThread,
    Notifier,
    StreamEvent,
    main_path_of,
)
from bough.model.text.snippet_noise import find_noise
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.runtime.index_updates import IndexUpdater
from bough.web.runtime.session_ids import SessionIds
from bough.web.wire.live_events import ChangeEvent, GoneEvent, LiveEvent, LiveMessage

_RETRY_AFTER: Final = 3.0
_MESSAGES_KEPT: Final = 200
_REFRESH_EVERY: Final = 3.0
_REFRESH_FOR: Final = 30.0
_LONGEST_TEXT: Final = 400
_PROSE_KINDS: Final = ("text", "thinking")
_HIDDEN_KINDS: Final = ("title", "renamed", "replaced", "vanished", "progress")
_NO_CHANGES: Final = ("state", "progress", "budget")
"""Events after which a conversation reads as before; a row of Live has what they say."""

Publish = Callable[[Sequence[ServerEvent]], None]


class LiveUpdates:
    """Follows until it is stopped; `rows` are the sessions that are going on."""

    def __init__(
        self,
        source: IndexAccess,
        session_ids: SessionIds,
        indexing: IndexUpdater,
        publish: Publish,
        refresh_lists: Callable[[], None],
    ) -> None:
        self._session_ids = session_ids
        self._indexing = indexing
        self._publish = publish
        self._refresh_lists = refresh_lists
        self.on_tick: Callable[[], None] = lambda: None
        """Called whenever something happened, and about once a second where nothing does."""
        self.notifier: Notifier | None = None
        """Tells the desktop, where a person wants that."""
        self._is_past = True
        self._refresh_until = 0.0
        self._refreshed_at = 0.0
        self._thread = LiveThread(
            source.dirs,
            LiveListener(self._update, indexing.complain, self._note_open),
            open_store=lambda: source.open_handle().store,
            index_done=indexing.done,
            retry_after=_RETRY_AFTER,
        )
        self.start = self._thread.start
        self.stop = self._thread.stop
        self.rows: dict[str, LiveSession] = {}
        self.messages: list[LiveMessage] = []
        self.caught_up = self._thread.caught_up
        """Set once the past is known."""

    def count_states(self) -> tuple[int, int]:
        """Count who waits and who works."""
        states = [row.state.value for row in self.rows.values()]
        working = sum(states.count(one) for one in ("working", "background", "compacting"))
        return states.count("waiting"), working

    def list_sessions(self) -> list[LiveSession]:
        """List the sessions that are going on, the most urgent first."""
        return list(self.rows.values())

    def _note_open(self) -> None:
        """Look again for what was not there: a folder may have been made meanwhile."""
        self._is_past = True
        self.messages = []  # they come again, as the recent past
        self._refresh_until = time.monotonic() + _REFRESH_FOR
        self._indexing.retry()
        self._session_ids.invalidate(surely=True)

    def _update(self, rows: Sequence[LiveSession] | None, events: Sequence[StreamEvent]) -> None:
        self._handle_events(rows, events)
        self._notify(events)
        self._refresh_lists_if_due(time.monotonic(), busy=any(not e.past for e in events))
        self.on_tick()

    def _notify(self, events: Sequence[StreamEvent]) -> None:
        """Tell the desktop what happens; what comes first after following begins is the past."""
        if self.notifier is not None:
            (self.notifier.note_past if self._is_past else self.notifier.handle_events)(events)
        self._is_past = False

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
        if any(event.kind in FILE_KINDS for event in events):
            self._session_ids.invalidate(surely=True)
        published = [
            *self._make_change_events(events),
            *self._make_live_events(rows),
            *self._make_message_events(events),
        ]
        if published:
            self._publish(published)

    def _make_change_events(self, events: Sequence[StreamEvent]) -> Iterator[ServerEvent]:
        """Tell once for each file that it is other than it was; only what is new counts."""
        seen: dict[tuple[str, str | None], StreamEvent] = {}
        for event in events:
            if event.path and event.session and not event.past and event.kind not in _NO_CHANGES:
                seen.setdefault((event.path, event.agent), event)
        for event in seen.values():
            main = main_path_of(event)
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
        main = main_path_of(event) if event.path else ""
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
            words=(event.about or _clean_words(event))[:_LONGEST_TEXT],
            tool=event.tool,
            failed=failed,
        )


def _clean_words(event: StreamEvent) -> str:
    """Take the marks of Markdown out of what Claude says; what a person typed stays as it is."""
    if event.kind not in _PROSE_KINDS:
        return event.text
    return find_noise("text").sub("", event.text)


def revision_of(path: str) -> str:
    """Name the state of a file, as far as one look at it tells."""
    try:
        status = Path(path).stat()
    except OSError:
        return "gone"
    return f"{status.st_size}-{status.st_mtime_ns}"
