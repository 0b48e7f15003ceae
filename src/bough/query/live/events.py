"""Events: what the stream of live sessions shows, one by one.

Changes of files become events here: each record makes one or several, an agent announces
itself before its first word, a session's state and title come when they change. The
fields are a contract: `bough watch --json` prints them (docs/live.md).
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bough.ingest.live.changes import (
    Change,
    RecordsAppended,
    SidecarChanged,
    StateChanged,
    TranscriptRenamed,
    TranscriptReplaced,
    TranscriptStarted,
    TranscriptVanished,
    WatchProblem,
)
from bough.ingest.live.watched_sessions import WatchedSessions
from bough.ingest.transcript_paths import TranscriptPath
from bough.model.live.record_events import RecordEvent, RecordEventKind, RecordNarrator
from bough.model.live.status import SessionState, SessionStatus, is_guess
from bough.model.text.formats import base_name_of
from bough.model.text.times import to_utc
from bough.model.tools.calls import AGENT_TOOLS
from bough.query.live.branch_follower import BranchFollower
from bough.records.record import BadLine

_MOST_CALLS = 2_000
_DEEPEST = 6
_STATES = {
    SessionState.WAITING: "waits for you",
    SessionState.FAILED: "failed",
    SessionState.COMPACTING: "compacts",
    SessionState.WORKING: "works",
    SessionState.BACKGROUND: "works in the background",
    SessionState.INTERRUPTED: "interrupted",
    SessionState.FINISHED: "finished",
}


class SessionEventKind(StrEnum):
    """What happened to a session, beside what its records say."""

    STARTED = "started"
    RENAMED = "renamed"
    REPLACED = "replaced"
    VANISHED = "vanished"
    AGENT = "agent"
    TITLE = "title"
    STATE = "state"
    BUDGET = "budget"
    TROUBLE = "trouble"


StreamEventKind = RecordEventKind | SessionEventKind

_OF_FILES = {
    TranscriptStarted: (SessionEventKind.STARTED, "Session began."),
    TranscriptRenamed: (SessionEventKind.RENAMED, ""),
    TranscriptReplaced: (SessionEventKind.REPLACED, "The file was rewritten."),
    TranscriptVanished: (SessionEventKind.VANISHED, "The file is gone."),
}


class StreamEvent(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One thing that happened; what has no value is left out of the JSON."""

    kind: StreamEventKind
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
    state: SessionState | None = None
    sure: bool = True
    path: str | None = None
    past: bool = False


class EventBuilder:
    """Turns changes into events."""

    def __init__(self, sessions: WatchedSessions, branch: BranchFollower | None = None) -> None:
        self._sessions = sessions
        self._branch = branch
        self._narrators: dict[str, RecordNarrator] = {}
        self._titles: dict[str, str] = {}
        self._announced: dict[str, int] = {}
        self._agent_calls: dict[str, int] = {}

    def build_events(self, changes: Iterable[Change]) -> list[StreamEvent]:
        """List the events of a batch of changes."""
        return [event for change in changes for event in self._events_of(change)]

    def _events_of(self, change: Change) -> Iterator[StreamEvent]:
        match change:
            case RecordsAppended():
                yield from self._events_of_records(change)
            case StateChanged():
                yield self._state_event(change)
            case SidecarChanged():
                yield from self._title_events(change.place)
            case WatchProblem():
                yield _bare_event(SessionEventKind.TROUBLE, change.message, change.path)
            case (
                TranscriptStarted()
                | TranscriptRenamed()
                | TranscriptReplaced()
                | TranscriptVanished()
            ):
                yield from self._events_of_file(change)

    def _events_of_file(
        self,
        change: TranscriptStarted | TranscriptRenamed | TranscriptReplaced | TranscriptVanished,
    ) -> Iterator[StreamEvent]:
        kind, text = _OF_FILES[type(change)]
        if isinstance(change, TranscriptRenamed):
            text = f"Session {change.before.session[:8]} goes by another name."
        if isinstance(change, TranscriptVanished):
            self._narrators.pop(change.place.path, None)
        if change.place.agent is None or not isinstance(
            change, TranscriptStarted | TranscriptRenamed
        ):
            yield self._session_event(change.place, kind, text)

    def _events_of_records(self, change: RecordsAppended) -> Iterator[StreamEvent]:
        place = change.place
        yield from self._title_events(place, past=change.past)
        narrator = self._narrators.setdefault(place.path, RecordNarrator())
        items = change.items
        if self._branch is not None and place.path == self._branch.path:
            items = tuple(item for item in items if self._branch.contains(item))
        events = narrator.narrate(items)
        if not events:
            return
        depth = self._announced.get(place.path, 0)
        if place.agent is not None and place.path not in self._announced:
            announcement = self._announce_agent(place, events[0], past=change.past)
            depth = self._announced[place.path] = announcement.depth
            yield announcement
        for one in events:
            inline = place.agent is None and _is_sidechain(one)
            yield self._event_of(place, one, 1 if inline else depth, past=change.past)

    def _event_of(
        self, place: TranscriptPath, event: RecordEvent, depth: int, *, past: bool
    ) -> StreamEvent:
        item, view = event.item, event.view
        if event.kind is RecordEventKind.TOOL and event.call and view and view.name in AGENT_TOOLS:
            if len(self._agent_calls) >= _MOST_CALLS:
                self._agent_calls.clear()
            self._agent_calls[event.call] = depth
        ended = event.kind is RecordEventKind.RESULT and view is not None
        return StreamEvent(
            kind=event.kind,
            session=place.session,
            project=place.project,
            uuid=None if isinstance(item, BadLine) else item.uuid,
            time=None if isinstance(item, BadLine) else to_utc(item.timestamp),
            text=event.text,
            name=self._project_name(place),
            agent=place.agent,
            depth=depth,
            offset=item.offset,
            kept=event.kept,
            call=event.call,
            tool=view.name if view else None,
            about=(view.summary or None) if view else None,
            outcome=view.outcome.state.value if ended and view else None,
            reason=(view.outcome.reason or None) if ended and view else None,
            seconds=view.seconds if ended and view else None,
            path=place.path,
            past=past,
        )

    def _announce_agent(
        self, place: TranscriptPath, first: RecordEvent, *, past: bool
    ) -> StreamEvent:
        watched = self._sessions.get(place)
        meta = watched.metas.get(place.agent or "") if watched else None
        words = ": ".join(p for p in (meta.agent_type, meta.description) if p) if meta else ""
        call = meta.tool_use_id if meta else None
        depth = 1 + self._agent_calls.get(call or "", 0)
        item = first.item
        return StreamEvent(
            kind=SessionEventKind.AGENT,
            session=place.session,
            project=place.project,
            uuid=None,
            time=None if isinstance(item, BadLine) else to_utc(item.timestamp),
            text=words or f"agent {place.agent}",
            name=self._project_name(place),
            agent=place.agent,
            depth=min(depth, _DEEPEST),
            call=call,
            path=place.path,
            past=past,
        )

    def _title_events(self, place: TranscriptPath, *, past: bool = False) -> Iterator[StreamEvent]:
        """Give a session's title when it is first known, and when it changes."""
        watched = self._sessions.get(place)
        title = watched.activity.titles.title if watched else None
        key = f"{place.folder}/{place.session}"
        if title is not None and self._titles.get(key) != title.text:
            self._titles[key] = title.text
            yield self._session_event(place, SessionEventKind.TITLE, title.text, past=past)

    def _state_event(self, change: StateChanged) -> StreamEvent:
        stands = change.status
        event = self._session_event(change.place, SessionEventKind.STATE, describe_state(stands))
        return replace(event, state=stands.state, sure=stands.sure, time=stands.since)

    def _session_event(
        self, place: TranscriptPath, kind: StreamEventKind, text: str, *, past: bool = False
    ) -> StreamEvent:
        return StreamEvent(
            kind=kind,
            session=place.session,
            project=place.project,
            uuid=None,
            time=None,
            text=text,
            name=self._project_name(place),
            agent=place.agent,
            path=place.path,
            past=past,
        )

    def _project_name(self, place: TranscriptPath) -> str:
        """Name a project as people do."""
        watched = self._sessions.get(place)
        cwd = watched.activity.cwd if watched else None
        return base_name_of(cwd) if cwd else place.project


def describe_state(stands: SessionStatus) -> str:
    """Word where a session stands."""
    words = _STATES[stands.state]
    if is_guess(stands.state, sure=stands.sure):
        words = f"probably {words}"
    return f"{words}: {stands.asks}" if stands.asks else words


def _bare_event(kind: StreamEventKind, text: str, path: str | None = None) -> StreamEvent:
    return StreamEvent(
        kind=kind, session="", project="", uuid=None, time=None, text=text, path=path
    )


def _is_sidechain(event: RecordEvent) -> bool:
    return not isinstance(event.item, BadLine) and event.item.is_sidechain
