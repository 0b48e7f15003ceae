"""The sessions that are being watched, and where each of them stands.

A standing is announced once it has held for a moment: clients note that they are idle
before they write their last words, and nobody should read "finished" above them. Sessions
that have been at rest for long leave the board; they come back when something happens.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from bough.errors import Unreadable
from bough.files.lines import read_at
from bough.ingest.live.changes import StateChanged
from bough.ingest.running_clients import has_registry, running_clients
from bough.ingest.transcript_paths import Place
from bough.model.agents.links import AgentMeta
from bough.model.live.session_activity import Activity
from bough.model.live.status import Client, Standing, standing
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.running_total import REMEMBERED
from bough.records.decode import part
from bough.records.record import Record

SETTLES = timedelta(seconds=0.4)
_LEAVES = timedelta(days=2)
_SMALL = 64 * 1024


class _Title(msgspec.Struct, rename="camel"):
    custom_title: str | None = None


class Watched:
    """One session on the board; `partial` where its beginning was too long to be read."""

    def __init__(
        self, place: Place, prices: PriceList = PRICES, remembered: int = REMEMBERED
    ) -> None:
        self.place = place
        self.activity = Activity(prices, remembered)
        self.metas: dict[str, AgentMeta] = {}
        self.standing: Standing | None = None
        self.client: Client | None = None
        self.partial = False
        self.touched = moment_now()
        self._candidate: Standing | None = None
        self._candidate_since: datetime | None = None

    @property
    def unsettled(self) -> bool:
        """Tell whether the standing is about to change."""
        return self._candidate is not None

    def judge(self, client: Client | None, now: datetime, *, registry: bool) -> StateChanged | None:
        """Tell whether the session stands otherwise than before, and has for a moment."""
        self.client = client
        found = standing(self.activity, client, now, registry=registry)
        if self.standing is not None and _same(found, self.standing):
            self._candidate = None
            return None
        if self._candidate is None or not _same(found, self._candidate):
            self._candidate, self._candidate_since = found, now
        elif self._candidate_since and now - self._candidate_since >= SETTLES:
            before, self.standing, self._candidate = self.standing, found, None
            return StateChanged(self.place, found, before)
        return None

    def settle(self, client: Client | None, now: datetime, *, registry: bool) -> Standing:
        """Take the standing as it is now, without an announcement."""
        self.client = client
        self.standing = standing(self.activity, client, now, registry=registry)
        return self.standing


class Board:
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
        self._sessions: dict[tuple[str, str], Watched] = {}
        self._clients: dict[str, Client] = {}
        self._registry = False
        self.ask_clients()

    def __iter__(self) -> Iterator[Watched]:
        """Go through the sessions."""
        return iter(self._sessions.values())

    def get(self, place: Place) -> Watched | None:
        """Find the session that a transcript belongs to."""
        return self._sessions.get((place.folder, place.session))

    def watched(self, place: Place) -> Watched:
        """Find the session that a transcript belongs to, or take it up."""
        key = (place.folder, place.session)
        found = self._sessions.get(key)
        if found is None:
            main = Path(place.folder, f"{place.session}.jsonl")
            own = Place(place.folder, place.session, str(main))
            found = Watched(own, self._prices, self._remembered)
            found.activity.titles.sidecar = sidecar_title(found.place)
            self._sessions[key] = found
        return found

    def add(self, place: Place, items: Iterable[object]) -> None:
        """Take records of a transcript into account."""
        watched = self.watched(place)
        watched.touched = moment_now()
        for item in items:
            if isinstance(item, Record):
                watched.activity.add(item, place.agent)

    def drop(self, place: Place) -> None:
        """Forget a session whose file is gone."""
        self._sessions.pop((place.folder, place.session), None)

    def move(self, before: Place, place: Place) -> None:
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
            for client in running_clients(folder)
        }
        self._registry = any(has_registry(folder) for folder in self._claude_dirs)

    def has_client(self, session: str) -> bool:
        """Tell whether a client that runs has a session open."""
        return session in self._clients

    def judge(self, now: datetime) -> list[StateChanged]:
        """Give the sessions that stand otherwise than before."""
        found = []
        for key, one in list(self._sessions.items()):
            client = self._clients.get(one.place.session)
            change = one.judge(client, now, registry=self._registry)
            if change is not None:
                found.append(change)
            elif client is None and _is_old(one, now):
                del self._sessions[key]
        return found

    def settle(self, now: datetime) -> None:
        """Take all standings as they are now."""
        for one in self._sessions.values():
            one.settle(self._clients.get(one.place.session), now, registry=self._registry)

    @property
    def unsettled(self) -> bool:
        """Tell whether a standing is about to change."""
        return any(one.unsettled for one in self._sessions.values())


def sidecar_title(place: Place) -> str | None:
    """Read the title a person gave beside a session's file."""
    data = _small(Path(place.folder, place.session, "custom-title.json"))
    return part(msgspec.Raw(data), _Title).custom_title if data else None


def agent_meta(place: Place) -> AgentMeta | None:
    """Read what lies beside an agent's file."""
    data = _small(Path(place.path).with_suffix(".meta.json"))
    return part(msgspec.Raw(data), AgentMeta) if data else None


def moment_now() -> datetime:
    """Read the clock."""
    return datetime.now(UTC)


def _same(one: Standing, other: Standing) -> bool:
    return (one.state, one.asks) == (other.state, other.asks)


def _is_old(one: Watched, now: datetime) -> bool:
    return now - one.touched > _LEAVES and one.standing is not None


def _small(path: Path) -> bytes:
    try:
        return read_at(path, 0, _SMALL)
    except Unreadable:
        return b""
