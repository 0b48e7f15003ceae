"""The stream of live sessions: the recent past, then everything as it happens.

    with open_stream(what=["orchard-shop"], since=moment) as stream:
        for event in stream.past(): ...
        while True:
            for event in stream.next(1.0): ...

Nothing runs in the background but what keeps the index, where there is one, and the archive, where
one is wanted, current.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType

from msgspec import Struct

from bough.archive.intake.archive_keeper import ArchiveKeeper
from bough.config import claude_dirs, load_settings
from bough.errors import Misuse, ProjectNotFound, SessionNotFound, Unreadable
from bough.files.companions import SUFFIX
from bough.files.discover import discover_projects, encode_cwd, find_claude_folders
from bough.ingest.index.keeper import IndexKeeper
from bough.ingest.live.changes import Change
from bough.ingest.live.follower import LiveFollower
from bough.ingest.transcript_paths import TranscriptPath
from bough.model.text.times import to_utc
from bough.model.usage.price_list import apply_overrides
from bough.query.lists.list_rows import Dirs
from bough.query.lists.session_lookup import find_session
from bough.query.live.branch_follower import BranchFollower
from bough.query.live.event_filter import EventFilter, choose_events
from bough.query.live.events import EventBuilder, SessionEventKind, StreamEvent
from bough.query.live.running_sessions import LiveSession, list_watched
from bough.query.live.status_numbers import StatusNumbersKeeper
from bough.query.lookup import explain_missing, find_project
from bough.store.protocol import Store

MOST_PAST = 200
"""So many events of the past are given, the newest."""
_MOST_PAST_OF_ONE = 20
"""So many of a session that was named, and has been quiet."""


_LONGEST_WAIT = 1.0
"""So many seconds an iteration waits before it looks whether the stream was closed."""


class WatchScope(Struct, frozen=True):
    """What is watched: projects' folders and sessions; everything where both are empty."""

    folders: frozenset[str] = frozenset()
    sessions: frozenset[tuple[str, str]] = frozenset()

    def contains(self, place: TranscriptPath) -> bool:
        """Tell whether a transcript is watched; an agent's owner may not be known yet."""
        if not self.folders and not self.sessions:
            return True
        if place.folder in self.folders or (place.folder, place.session) in self.sessions:
            return True
        return not place.session and any(folder == place.folder for folder, _ in self.sessions)


class Stream:
    """Follows sessions; close it when done.

    `past` and `next` give every event; whoever iterates gets those that `is_shown` lets through.
    """

    def __init__(
        self,
        live: LiveFollower,
        scope: WatchScope,
        since: str = "",
        keeper: IndexKeeper | None = None,
        branch: BranchFollower | None = None,
        archive: ArchiveKeeper | None = None,
    ) -> None:
        self._archive = archive
        self._live = live
        self._scope = scope
        self._keeper = keeper
        self.numbers: StatusNumbersKeeper | None = None
        """Renews what the status line shows, and holds what is spent against budgets."""
        self._events = EventBuilder(live.sessions, branch)
        self._since = since
        self._closed = False
        self.is_shown: EventFilter = choose_events()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[StreamEvent]:
        """Give the recent past, then what happens, until the stream is closed."""
        yield from filter(self.is_shown, self.past())
        while not self._closed:
            yield from filter(self.is_shown, self.next(_LONGEST_WAIT))

    @property
    def polling(self) -> bool:
        """Tell whether changes are found by looking alone."""
        return self._live.polling

    @property
    def is_single(self) -> bool:
        """Tell whether one session alone is followed."""
        return len(self._scope.sessions) == 1 and not self._scope.folders

    def past(self) -> list[StreamEvent]:
        """Give the recent past of all that is watched, oldest first."""
        changes = self._live.start(self._is_requested)
        if self._archive is not None:
            self._archive.note_changed(_list_paths(changes))
        found = self._events.build_events(changes)
        titles = [event for event in found if event.kind == "title"]
        rest = sorted((e for e in found if e.kind != "title"), key=lambda e: e.time or "")
        recent = [event for event in rest if (event.time or "") >= self._since]
        return [*titles, *(recent[-MOST_PAST:] or rest[-_MOST_PAST_OF_ONE:])]

    def next(self, timeout: float) -> list[StreamEvent]:
        """Give what happened; wait for something, at most so many seconds."""
        changes = self._live.step(timeout)
        self._note_changed(changes)
        events = self._events.build_events(changes)
        if self.numbers is not None:
            if any(event.kind is SessionEventKind.STATE for event in events):
                self.numbers.note_waiting(self.sessions())
            self.numbers.renew_if_due(self.sessions)
            events += self.numbers.take_crossings()
        return [event for event in events if self._is_ours(event)]

    def sessions(self) -> list[LiveSession]:
        """List the sessions that were heard of, the most urgent first."""
        return list_watched(self._live.sessions)

    def add_to_index(self, folders: Iterable[Path]) -> None:
        """Have everything in some of the folders read into the index: they came later."""
        if self._keeper is not None:
            for folder in folders:
                self._keeper.note_changed(self._live.list_files(folder))

    def close(self) -> None:
        """Stop following."""
        self._closed = True
        self._live.close()
        for keeper in (self.numbers, self._keeper, self._archive):
            if keeper is not None:
                keeper.close()

    def _is_requested(self, place: TranscriptPath) -> bool:
        """Tell whether a person asked for this very session: it is shown even if it was quiet."""
        return place.agent is None and (place.folder, place.session) in self._scope.sessions

    def _is_ours(self, event: StreamEvent) -> bool:
        if not self._scope.sessions or not event.path or not event.session:
            return True
        folder = next((str(p) for p in Path(event.path).parents if p.name == event.project), "")
        return self._scope.contains(TranscriptPath(folder, event.session, event.path, event.agent))

    def _note_changed(self, changes: Sequence[Change]) -> None:
        paths = _list_paths(changes)
        for keeper in (self._keeper, self._archive):
            if keeper is not None and paths:
                keeper.note_changed(paths)


def _list_paths(changes: Sequence[Change]) -> list[str]:
    places = (getattr(change, "place", None) for change in changes)
    return [place.path for place in places if isinstance(place, TranscriptPath)]


def open_stream(  # noqa: PLR0913 - one for each thing that can be asked for
    dirs: Dirs = (),
    what: Sequence[str] = (),
    *,
    since: datetime | None = None,
    tip: str | None = None,
    stop: threading.Event | None = None,
    store: Callable[[], Store] | None = None,
    complain: Callable[[str], None] = lambda _: None,
    archive_begin: threading.Event | None = None,
) -> Stream:
    """Begin to follow projects and sessions; everything where nothing is named.

    Args:
        dirs: Claude folders; by default the usual places.
        what: Projects and sessions, as people name them.
        since: How far back the past goes; by default all of it.
        tip: Only the branch through this message, of the one session that is named.
        stop: When it is set, nobody waits any longer.
        store: Opens the index that is to be kept current, if any is.
        complain: Is told why the index or the archive cannot be kept.
        archive_begin: When it is set, all there is goes into the archive, where one is wanted; by
            default at once.
    """
    folders = find_stream_folders(dirs)
    scope = find_watch_scope(folders, what)
    branch = _find_branch(scope, tip) if tip is not None else None
    prices = apply_overrides(load_settings().prices)
    archive = ArchiveKeeper(folders, complain, begin=archive_begin)
    live = LiveFollower(
        folders,
        since=since,
        wanted=scope.contains,
        stop=stop,
        prices=prices,
        on_stretch=archive.add_stretch,
        on_others=archive.note_changed,
    )
    keeper = IndexKeeper(store, folders, complain) if store is not None else None
    begin = (to_utc(since.isoformat()) if since else None) or ""
    # The status line counts all sessions, so only who follows all of them can tell.
    stream = Stream(live, scope, begin, keeper, branch, archive)
    stream.numbers = StatusNumbersKeeper(folders, store, keeps=not what)
    return stream


def find_stream_folders(dirs: Dirs = ()) -> tuple[Path, ...]:
    """Find the Claude folders that a stream follows; more may come later."""
    found = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    return tuple(folder.absolute() for folder in found)


def _find_branch(scope: WatchScope, tip: str) -> BranchFollower:
    """Find the branch that is meant; a tip alone names no session."""
    if len(scope.sessions) != 1 or scope.folders:
        raise Misuse("--tip is a message of one session. Name that session, and no other.")
    ((folder, session),) = scope.sessions
    return BranchFollower(Path(folder) / f"{session}{SUFFIX}", tip)


def find_watch_scope(folders: Sequence[Path], what: Sequence[str]) -> WatchScope:
    """Find what a person means: a project, else a session; a project may be yet to come."""
    projects: set[str] = set()
    sessions: set[tuple[str, str]] = set()
    listings = (
        [listing for folder in folders for listing in discover_projects(folder)] if what else []
    )
    for word in what:
        if word.endswith(".jsonl"):
            sessions.add(_find_session_key(word, folders))
            continue
        try:
            projects.add(find_project(word, listings).folder)
        except ProjectNotFound as missing:
            to_come = _expected_folders(word, folders)
            if to_come:
                projects |= to_come
            elif word.startswith("-"):
                raise
            else:
                sessions.add(_find_session_key(word, folders, missing))
    return WatchScope(frozenset(projects), frozenset(sessions))


def _expected_folders(word: str, folders: Sequence[Path]) -> set[str]:
    """Name the folders that the client will make for a folder nobody has worked in yet."""
    place = Path(word).expanduser()
    if ("/" not in word and "\\" not in word) or not place.is_dir():
        return set()
    name = encode_cwd(str(place.resolve()))
    return {str(folder / "projects" / name) for folder in folders}


def _find_session_key(
    word: str, folders: Sequence[Path], missing: ProjectNotFound | None = None
) -> tuple[str, str]:
    try:
        file = find_session(word, folders).expanduser().absolute()
    except SessionNotFound as error:
        raise explain_missing(word, error, missing) from error
    if not file.is_file():
        raise Unreadable(file, "no such file")
    return str(file.parent), file.stem
