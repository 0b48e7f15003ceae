"""Events: what the stream of live sessions shows, one by one.

Changes of files become events here: each record tells one or several, an agent announces
itself before its first word, a session's state and title are told when they change. The
fields are a contract: `bough watch --json` prints them (docs/live.md).
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from bough.ingest.live.changes import (
    Appended,
    Change,
    Described,
    FellBehind,
    Renamed,
    Replaced,
    Started,
    StateChanged,
    Trouble,
    Vanished,
)
from bough.ingest.live.watched_sessions import Board
from bough.ingest.transcript_paths import Place
from bough.model.agents.links import AGENT_TOOLS
from bough.model.live.record_events import Kind, Teller, Told
from bough.model.live.status import Standing, State
from bough.model.text.formats import name_of
from bough.model.text.times import utc
from bough.records.record import BadLine

_MOST_CALLS = 2_000
_DEEPEST = 6
_STATES = {
    State.WAITING: "waits for you",
    State.FAILED: "failed",
    State.COMPACTING: "compacts",
    State.WORKING: "works",
    State.INTERRUPTED: "interrupted",
    State.FINISHED: "finished",
}


_OF_FILES = {
    Started: ("started", "Session began."),
    Renamed: ("renamed", ""),
    Replaced: ("replaced", "The file was rewritten."),
    Vanished: ("vanished", "The file is gone."),
}


class Event(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One thing that happened; what has no value is left out of the JSON."""

    kind: str
    session: str
    project: str
    uuid: str | None
    time: str | None
    text: str
    name: str = ""
    agent: str | None = None
    depth: int = 0
    offset: int | None = None
    kept: bool = True
    call: str | None = None
    tool: str | None = None
    about: str | None = None
    outcome: str | None = None
    reason: str | None = None
    seconds: float | None = None
    state: State | None = None
    sure: bool = True
    path: str | None = None
    past: bool = False


class Events:
    """Turns changes into events."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._tellers: dict[str, Teller] = {}
        self._titles: dict[str, str] = {}
        self._announced: dict[str, int] = {}
        self._agent_calls: dict[str, int] = {}

    def of(self, changes: Iterable[Change]) -> list[Event]:
        """Tell a batch of changes."""
        return [event for change in changes for event in self._of(change)]

    def _of(self, change: Change) -> Iterator[Event]:
        match change:
            case Appended():
                yield from self._appended(change)
            case StateChanged():
                yield self._state(change)
            case Described():
                yield from self._titled(change.place)
            case Trouble():
                yield _bare("trouble", change.message, change.path)
            case FellBehind():
                yield _bare("fell_behind", f"{change.dropped} changes were left out.")
            case Started() | Renamed() | Replaced() | Vanished():
                yield from self._of_file(change)

    def _of_file(self, change: Started | Renamed | Replaced | Vanished) -> Iterator[Event]:
        kind, text = _OF_FILES[type(change)]
        if isinstance(change, Renamed):
            text = f"Session {change.before.session[:8]} goes by another name."
        if isinstance(change, Vanished):
            self._tellers.pop(change.place.path, None)
        if change.place.agent is None or not isinstance(change, Started | Renamed):
            yield self._about(change.place, kind, text)

    def _appended(self, change: Appended) -> Iterator[Event]:
        place = change.place
        yield from self._titled(place, past=change.past)
        teller = self._tellers.setdefault(place.path, Teller())
        told = teller.tell(change.items)
        if not told:
            return
        depth = self._announced.get(place.path, 0)
        if place.agent is not None and place.path not in self._announced:
            announcement = self._announcement(place, told[0], past=change.past)
            depth = self._announced[place.path] = announcement.depth
            yield announcement
        for one in told:
            inline = place.agent is None and _is_sidechain(one)
            yield self._told(place, one, 1 if inline else depth, past=change.past)

    def _told(self, place: Place, told: Told, depth: int, *, past: bool) -> Event:
        item, view = told.item, told.view
        if told.kind is Kind.TOOL and told.call and view and view.name in AGENT_TOOLS:
            if len(self._agent_calls) >= _MOST_CALLS:
                self._agent_calls.clear()
            self._agent_calls[told.call] = depth
        ended = told.kind is Kind.RESULT and view is not None
        return Event(
            kind=told.kind.value,
            session=place.session,
            project=place.project,
            uuid=None if isinstance(item, BadLine) else item.uuid,
            time=None if isinstance(item, BadLine) else utc(item.timestamp),
            text=told.text,
            name=self._name(place),
            agent=place.agent,
            depth=depth,
            offset=item.offset,
            kept=told.kept,
            call=told.call,
            tool=view.name if view else None,
            about=(view.summary or None) if view else None,
            outcome=view.outcome.state.value if ended and view else None,
            reason=(view.outcome.reason or None) if ended and view else None,
            seconds=view.seconds if ended and view else None,
            path=place.path,
            past=past,
        )

    def _announcement(self, place: Place, first: Told, *, past: bool) -> Event:
        watched = self._board.get(place)
        meta = watched.metas.get(place.agent or "") if watched else None
        words = ": ".join(p for p in (meta.agent_type, meta.description) if p) if meta else ""
        call = meta.tool_use_id if meta else None
        depth = 1 + self._agent_calls.get(call or "", 0)
        item = first.item
        return Event(
            kind="agent",
            session=place.session,
            project=place.project,
            uuid=None,
            time=None if isinstance(item, BadLine) else utc(item.timestamp),
            text=words or f"agent {place.agent}",
            name=self._name(place),
            agent=place.agent,
            depth=min(depth, _DEEPEST),
            call=call,
            path=place.path,
            past=past,
        )

    def _titled(self, place: Place, *, past: bool = False) -> Iterator[Event]:
        """Tell a session's title when it is first known, and when it changes."""
        watched = self._board.get(place)
        title = watched.activity.titles.title if watched else None
        key = f"{place.folder}/{place.session}"
        if title is not None and self._titles.get(key) != title.text:
            self._titles[key] = title.text
            yield self._about(place, "title", title.text, past=past)

    def _state(self, change: StateChanged) -> Event:
        stands = change.standing
        event = self._about(change.place, "state", state_words(stands))
        return replace(event, state=stands.state, sure=stands.sure, time=stands.since)

    def _about(self, place: Place, kind: str, text: str, *, past: bool = False) -> Event:
        return Event(
            kind=kind,
            session=place.session,
            project=place.project,
            uuid=None,
            time=None,
            text=text,
            name=self._name(place),
            agent=place.agent,
            path=place.path,
            past=past,
        )

    def _name(self, place: Place) -> str:
        """Name a project as people do."""
        watched = self._board.get(place)
        cwd = watched.activity.cwd if watched else None
        return name_of(cwd) if cwd else place.project


def state_words(stands: Standing) -> str:
    """Word where a session stands."""
    words = _STATES[stands.state]
    if not stands.sure:
        words = f"probably {words}"
    return f"{words}: {stands.asks}" if stands.asks else words


def _bare(kind: str, text: str, path: str | None = None) -> Event:
    return Event(kind=kind, session="", project="", uuid=None, time=None, text=text, path=path)


def _is_sidechain(told: Told) -> bool:
    return not isinstance(told.item, BadLine) and told.item.is_sidechain
