"""The state of the app for each member: nothing that one is shown is kept where another is asked.

Lists and open sessions are kept in memory, so what somebody may see is looked at again every few
seconds; where that has changed, everything that was kept for them is let go.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from typing import Final

from bough import library
from bough.backports import override
from bough.library import Annotations, SessionRow
from bough.model.live.status import SessionState, SessionStatus
from bough.web.open_sessions.cache import OpenSessionCache
from bough.web.open_sessions.open_session import OpenSession
from bough.web.runtime.annotation_updates import AnnotationUpdates
from bough.web.runtime.session_ids import SessionEntry
from bough.web.runtime.status_cache import StatusCache
from bough.web.runtime.thread_pool import WorkerThreads
from bough.web.state import AppState
from bough.web.team.push_updates import PushWatch
from bough.web.wire.about import IndexStatus
from bough.web.wire.setting_rows import PageSettings

ACCESS_HOLDS: Final = 5.0
"""What somebody may see is looked at again after so many seconds."""
_MOST: Final = 40
_NOTED_ONCE_IN: Final = 60.0
"""Within so many seconds, who opens a session again has opened it once."""
_FINISHED: Final = SessionStatus(SessionState.FINISHED, sure=False)


class SentStatuses(StatusCache):
    """Where sessions stand that were sent: nobody knows whether they go on elsewhere."""

    @override
    def status_of(self, row: SessionRow) -> SessionStatus:  # noqa: ARG002 - of any
        """Say so; no bytes are read, so that a list opens no session."""
        return _FINISHED


class WatchedSessionCache(OpenSessionCache):
    """The open sessions of an auditor: that one is opened is kept, also where it is at hand."""

    def __init__(self, behind: WorkerThreads, url: str) -> None:
        super().__init__(behind)
        self._url = url
        self._noted: dict[str, float] = {}

    @override
    def get_session(self, entry: SessionEntry) -> OpenSession:
        """Give a session; nothing of it is shown where it cannot be kept that it was."""
        now = time.monotonic()
        if now - self._noted.get(entry.path, -_NOTED_ONCE_IN) >= _NOTED_ONCE_IN:
            library.note_opening(self._url, entry.path)
            self._noted[entry.path] = now
        return super().get_session(entry)


class MemberState(AppState):
    """The app as one member sees it: all of it from the team's store, nothing from this machine."""

    def __init__(self, url: str, member: str, role: str, *, can_log_out: bool = True) -> None:
        """Show what a member's URL shows."""
        super().__init__((), url, token_needed=True)
        if role == "auditor":
            self.open_sessions = WatchedSessionCache(self.background_workers, url)
        self.member = member
        self.can_log_out = can_log_out
        self.store_url = url
        self.statuses = SentStatuses()
        self.ready = True
        self.indexing.usable = True
        self.indexing.status = IndexStatus("ready", 0, 0, None, None)
        self.indexing.done.set()
        self.live.caught_up.set()
        self.notes = AnnotationUpdates(self.session_ids, self.lists, self.publish, self.annotations)

    def serve_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let pages hear of what is new in the loop that serves."""
        self._loop = loop

    @override
    def close(self) -> None:
        """Stop: who listens is sent away."""
        self.broadcaster.close()
        self._loop = None

    @override
    def choose_sources(self) -> None:
        """Let a question be about the team's store, and nothing else."""
        library.choose_store(self.store_url, alone=True)

    @override
    def choose_page_settings(self, found: PageSettings) -> PageSettings:
        """Leave how it looks to everybody's own browser; times are written as the server does."""
        return PageSettings(None, None, None, found.zone, found.clock, found.week_start, [])

    @override
    def annotations(self) -> Annotations:
        """Give their own notes and stars, with those of others that they may see."""
        return library.load_team_notes(self.store_url)


class _Entry:
    def __init__(self, state: MemberState, mark: bytes) -> None:
        self.state = state
        self.mark = mark
        self.checked_at = time.monotonic()


class MemberStates:
    """The states of those who were here lately."""

    def __init__(self, url: str, *, can_log_out: bool = True) -> None:
        self._url = url
        self._can_log_out = can_log_out
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pushes = PushWatch(self._list_heard)

    def serve_in(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Say in which loop pages listen; None when all are to be sent away."""
        self._loop = loop
        if loop is not None:
            self._pushes.start()
        else:
            self._pushes.stop()
            with self._lock:
                for entry in self._entries.values():
                    entry.state.close()
                self._entries.clear()

    def find(self, member: str) -> MemberState | None:
        """Give the state of a member; None where they are none any more."""
        with self._lock:
            entry = self._entries.get(member)
            if entry is not None and time.monotonic() - entry.checked_at < ACCESS_HOLDS:
                self._entries.move_to_end(member)
                return entry.state
        url = library.make_member_url(self._url, member)
        name, role, mark = library.read_member_access(url)
        with self._lock:
            entry = self._entries.get(member)
            if entry is not None and (name != member or entry.mark != mark):
                self._drop(member)
                entry = None
            if name != member:
                return None
            if entry is None:
                entry = self._entries[member] = _Entry(
                    self._make_state(url, member, role or ""), mark
                )
                if self._loop is not None:
                    entry.state.serve_in(self._loop)
            entry.checked_at = time.monotonic()
            self._entries.move_to_end(member)
            while len(self._entries) > _MOST:
                self._drop(next(iter(self._entries)))
            return entry.state

    def _list_heard(self) -> list[MemberState]:
        """List the states whose pages listen, of those who still may see them."""
        with self._lock:
            heard = [one for one, it in self._entries.items() if it.state.broadcaster.is_heard]
        return [state for one in heard if (state := self.find(one)) is not None]

    def _make_state(self, url: str, member: str, role: str) -> MemberState:
        return MemberState(url, member, role, can_log_out=self._can_log_out)

    def _drop(self, member: str) -> None:
        entry = self._entries.pop(member)
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(entry.state.close)
