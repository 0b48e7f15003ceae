"""What the web app holds while it runs: the folders, the index, who listens, what is open."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from bough.library import (
    Annotations,
    ArchiveJob,
    ArchiveQuestion,
    IndexAccess,
    LocalZone,
    end_pattern_processes,
    load_readable_annotations,
)
from bough.web.open_sessions.cache import OpenSessionCache
from bough.web.runtime import consent as kept
from bough.web.runtime.annotation_updates import AnnotationUpdates
from bough.web.runtime.broadcaster import EventBroadcaster, ServerEvent
from bough.web.runtime.health_check import HealthCheck
from bough.web.runtime.index_updates import IndexUpdater
from bough.web.runtime.list_cache import ListCache, ListSnapshot
from bough.web.runtime.live_updates import LiveUpdates
from bough.web.runtime.plan_cache import PlanCache
from bough.web.runtime.session_ids import SessionEntry, SessionIds
from bough.web.runtime.status_cache import StatusCache
from bough.web.runtime.thread_pool import WorkerThreads
from bough.web.wire.about import IndexStatus
from bough.web.wire.live_events import IndexEvent
from bough.web.wire.setting_rows import PageSettings

_REQUEST_THREADS = 6
_SEARCH_THREADS = 2
_PATTERN_THREADS = 2
_BACKGROUND_THREADS = 2
_STOP_SECONDS = 5.0


class AppState:
    """One start of the app; `open` it in the server's loop and `close` it there."""

    def __init__(
        self, dirs: Sequence[str] = (), index: str | None = None, *, token_needed: bool = False
    ) -> None:
        self.token_needed = token_needed
        self.member: str | None = None
        """Who reads a team's store; None where this is about one machine."""
        self.can_log_out = False
        self.source = IndexAccess(dirs, index)
        self.session_ids = SessionIds(dirs, self._find_listed_title)
        self.workers = WorkerThreads(_REQUEST_THREADS, "bough-ask")
        self.search_workers = WorkerThreads(_SEARCH_THREADS, "bough-search")
        self.pattern_workers = WorkerThreads(_PATTERN_THREADS, "bough-pattern")
        self.background_workers = WorkerThreads(_BACKGROUND_THREADS, "bough-behind")
        self.broadcaster = EventBroadcaster()
        self.indexing = IndexUpdater(
            self.source,
            lambda: len(self.session_ids.entries()),
            self._publish_index_status,
            self._refresh_lists,
        )
        self.statuses = StatusCache()
        self.archive_question = ArchiveQuestion(dirs)
        self.list_cache = ListCache(
            self.source, lambda: self.indexing.usable, self._publish_list_change
        )
        self.live = LiveUpdates(
            self.source, self.session_ids, self.indexing, self.publish, self._schedule_list_refresh
        )
        annotations = AnnotationUpdates(self.session_ids, self.lists, self.publish)
        self.live.on_tick = annotations.look
        self.open_sessions = OpenSessionCache(self.background_workers)
        self.plans = PlanCache()
        self.health = HealthCheck(self._list_files)
        self.archive_job = ArchiveJob(self.source.dirs, self._schedule_list_refresh)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.ready = kept.is_ready(self.source.index_path)

    def open(self) -> None:
        """Begin to serve; what may be read is read."""
        self._loop = asyncio.get_running_loop()
        if self.ready:
            self._start_reading()

    def close(self) -> None:
        """Stop: who listens is sent away, and nothing is followed any longer."""
        self.broadcaster.close()
        self.indexing.stop()
        # What was read last goes into the archive, where one is wanted.
        self.live.stop(wait=_STOP_SECONDS)
        self.health.close()
        self.archive_job.cancel()
        end_pattern_processes()
        self._loop = None

    def make_ready(self) -> None:
        """Take a person's word that their transcripts may be read."""
        kept.make_ready(self.source.index_path)
        if not self.ready:
            self.ready = True
            self._start_reading()

    def lists(self) -> ListSnapshot:
        """Give what lists show; nothing before a person agreed to it being read."""
        return self.list_cache.now() if self.ready else ListSnapshot()

    def choose_sources(self) -> None:
        """Let the question that is being answered be about what is shown here."""

    def choose_page_settings(self, found: PageSettings) -> PageSettings:
        """Choose which settings the page is drawn with: those that hold here."""
        return found

    def annotations(self) -> Annotations:
        """Give the notes and stars of who reads."""
        return load_readable_annotations()[0]

    def publish(self, events: Sequence[ServerEvent]) -> None:
        """Tell the pages something, from any thread."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        loop.call_soon_threadsafe(self.broadcaster.publish, events)

    def note_written(self) -> None:
        """Note that sessions were changed here: lists and addresses follow at once."""
        self.session_ids.invalidate(surely=True)
        self._schedule_list_refresh()

    def _find_listed_title(self, entry: SessionEntry) -> str:
        row = self.lists().row(entry.path)
        return row.title if row is not None else ""

    def _list_files(self) -> list[Path]:
        """List the files of all sessions, the newest first."""
        entries = self.session_ids.entries()
        return sorted((Path(one.path) for one in entries), key=_modified_at, reverse=True)

    def _start_reading(self) -> None:
        self.indexing.start()
        self.live.start()

    def _publish_index_status(self, status: IndexStatus) -> None:
        self.publish([ServerEvent("index", IndexEvent(status))])

    def _refresh_lists(self) -> None:
        """Let lists be complete before anybody is told so; the rest is learnt behind."""
        self.list_cache.refresh()
        rows = self.list_cache.now().rows
        self.background_workers.run_later(lambda: self.statuses.load_ahead(rows))

    def _schedule_list_refresh(self) -> None:
        """Bring lists up to date a while after something happened: the index needs a moment."""
        self.background_workers.run_later(self.list_cache.refresh_if_due)

    def _publish_list_change(self) -> None:
        """Let pages ask for lists again."""
        self.indexing.recover()
        self.publish([ServerEvent("index", IndexEvent(self.indexing.status))])


def _modified_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def now() -> datetime:
    """Read the clock, in the machine's own zone."""
    return datetime.now(LocalZone())
