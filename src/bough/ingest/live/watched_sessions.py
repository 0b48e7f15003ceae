"""The sessions that are being watched, and where each of them stands.

A standing is announced once it has held for a moment: clients note that they are idle
before they write their last words, and nobody should read "finished" above them. Sessions
that have been at rest for long are let go; they come back when something happens.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bough.files.byte_source import DISK
from bough.ingest.hook_event_files import HookEventCache
from bough.ingest.live.changes import StateChanged
from bough.ingest.running_clients import has_registry, list_running_clients
from bough.ingest.sidecars import read_title, title_path_of
from bough.ingest.transcript_paths import TranscriptPath
from bough.model.live.session_activity import Activity
from bough.model.live.status import (
    RunningClient,
    SessionState,
    SessionStatus,
    session_status,
)
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.running_total import REMEMBERED
from bough.records.record import Record

if TYPE_CHECKING:
    from bough.model.agents.links import AgentMeta
    from bough.model.live.hook_events import HookEvent

SETTLE_TIME = timedelta(seconds=0.4)
_FORGET_AFTER = timedelta(days=2)


class WatchedSession:
    """One watched session; `partial` where its beginning was too long to be read."""

    def __init__(
        self, place: TranscriptPath, prices: PriceList = PRICES, remembered: int = REMEMBERED
    ) -> None:
        self.place = place
        self.activity = Activity(prices, remembered)
        self.metas: dict[str, AgentMeta] = {}
        self.status: SessionStatus | None = None
        self.client: RunningClient | None = None
        self.hook: HookEvent | None = None
        self.partial = False
        self.touched = current_time()
        self._candidate: SessionStatus | None = None
        self._candidate_since: datetime | None = None

    @property
    def is_unsettled(self) -> bool:
        """Tell whether the standing is about to change."""
        return self._candidate is not None

    @property
    def is_waiting(self) -> bool:
        """Tell whether it waits for a person."""
        return self.status is not None and self.status.state is SessionState.WAITING

    def update_status(
        self, client: RunningClient | None, now: datetime, *, registry: bool
    ) -> StateChanged | None:
        """Tell whether the session stands otherwise than before, and has for a moment."""
        was_open, self.client = self.client is not None, client
        found = session_status(self.activity, client, now, registry=registry, hook=self.hook)
        if self.status is not None and _is_same_status(found, self.status):
            self._candidate = None
            return None
        has_gone = was_open and client is None and self.is_waiting
        if found.by_hook or has_gone:
            # Nobody writes last words after a question, or when it is gone: announced at once.
            before, self.status, self._candidate = self.status, found, None
            return StateChanged(self.place, found, before)
        if self._candidate is None or not _is_same_status(found, self._candidate):
            self._candidate, self._candidate_since = found, now
        elif self._candidate_since and now - self._candidate_since >= SETTLE_TIME:
            before, self.status, self._candidate = self.status, found, None
            return StateChanged(self.place, found, before)
        return None

    def settle(
        self, client: RunningClient | None, now: datetime, *, registry: bool
    ) -> SessionStatus:
        """Take the standing as it is now, without an announcement."""
        self.client = client
        self.status = session_status(self.activity, client, now, registry=registry, hook=self.hook)
        return self.status


class WatchedSessions:
    """All sessions that are being watched.

    `remembered` is how many calls each keeps in mind to count them once.
    """

    def __init__(
        self,
        claude_dirs: Sequence[Path],
        prices: PriceList = PRICES,
        remembered: int = REMEMBERED,
    ) -> None:
        self._claude_dirs = tuple(claude_dirs)
        self._prices = prices
        self._remembered = remembered
        self._sessions: dict[tuple[str, str], WatchedSession] = {}
        self._clients: dict[str, RunningClient] = {}
        self._registry = False
        self._hook_reader = HookEventCache()
        self._hooks: dict[str, HookEvent] = {}
        self.ask_clients()

    def __iter__(self) -> Iterator[WatchedSession]:
        """Go through the sessions."""
        return iter(self._sessions.values())

    def get(self, place: TranscriptPath) -> WatchedSession | None:
        """Find the session that a transcript belongs to."""
        return self._sessions.get((place.folder, place.session))

    def watched(self, place: TranscriptPath) -> WatchedSession:
        """Find the session that a transcript belongs to, or take it up."""
        key = (place.folder, place.session)
        found = self._sessions.get(key)
        if found is None:
            main = Path(place.folder, f"{place.session}.jsonl")
            own = TranscriptPath(place.folder, place.session, str(main))
            found = WatchedSession(own, self._prices, self._remembered)
            found.activity.titles.sidecar = read_title(title_path_of(main), DISK)
            self._sessions[key] = found
        return found

    def add(self, place: TranscriptPath, items: Iterable[object]) -> None:
        """Take records of a transcript into account."""
        watched = self.watched(place)
        watched.touched = current_time()
        for item in items:
            if isinstance(item, Record):
                watched.activity.add(item, place.agent)

    def drop(self, place: TranscriptPath) -> None:
        """Forget a session whose file is gone."""
        self._sessions.pop((place.folder, place.session), None)

    def move(self, before: TranscriptPath, place: TranscriptPath) -> None:
        """Go on with a session under another name."""
        one = self._sessions.pop((before.folder, before.session), None)
        if one is not None and place.agent is None:
            one.place = place
            self._sessions[(place.folder, place.session)] = one

    def ask_clients(self) -> None:
        """Learn which clients run, and what they do."""
        self._clients = {
            client.session: client
            for folder in self._claude_dirs
            for client in list_running_clients(folder)
        }
        self._registry = any(has_registry(folder) for folder in self._claude_dirs)
        self._hooks = self._hook_reader.read_newest()

    def has_client(self, session: str) -> bool:
        """Tell whether a client that runs has a session open."""
        return session in self._clients

    def update_status(self, now: datetime) -> list[StateChanged]:
        """Give the sessions that stand otherwise than before."""
        found = []
        for one in self._sessions.values():
            client = self._clients.get(one.place.session)
            one.hook = self._hooks.get(one.place.session)
            change = one.update_status(client, now, registry=self._registry)
            if change is not None:
                found.append(change)
        return found

    def let_old_go(self, now: datetime) -> list[TranscriptPath]:
        """Let go of the sessions that have been at rest for long, and say which these are."""
        old = {
            key: one
            for key, one in self._sessions.items()
            if not self.has_client(key[1]) and not one.is_unsettled and _is_old(one, now)
        }
        for key in old:
            del self._sessions[key]
        return [one.place for one in old.values()]

    def settle(self, now: datetime) -> None:
        """Take all standings as they are now."""
        for one in self._sessions.values():
            one.hook = self._hooks.get(one.place.session)
            one.settle(self._clients.get(one.place.session), now, registry=self._registry)

    @property
    def has_waiting(self) -> bool:
        """Tell whether any session waits for a person: its end is to be seen at once."""
        return any(one.is_waiting for one in self._sessions.values())

    @property
    def is_unsettled(self) -> bool:
        """Tell whether a standing is about to change."""
        return any(one.is_unsettled for one in self._sessions.values())


def current_time() -> datetime:
    """Read the clock."""
    return datetime.now(UTC)


def _is_same_status(one: SessionStatus, other: SessionStatus) -> bool:
    return (one.state, one.asks) == (other.state, other.asks)


def _is_old(one: WatchedSession, now: datetime) -> bool:
    return now - one.touched > _FORGET_AFTER and one.status is not None
