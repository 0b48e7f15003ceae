"""Every transcript, followed at once: what happens to the files becomes changes.

`start` gives the recent past, `step` what came since; nothing is reported twice and nothing
is left out, whatever happens to the files meanwhile. A step takes all that was noticed
together, so a burst is one batch. Nothing runs in the background: as long as nobody asks,
the files keep what they have, and it is read later. `bough.ingest.feed` does it in a thread.

In a file that is new, or that starts over, records older than `since` are its past: a fork
begins with copies of a conversation that may be weeks old. A record that was reported from
one file is not reported again from another.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from bough.files.watcher import Watch
from bough.ingest.live.changes import (
    Appended,
    Change,
    Described,
    Renamed,
    Replaced,
    Started,
    Trouble,
    Vanished,
)
from bough.ingest.live.seen_records import Shown
from bough.ingest.live.tail import MOST, Grown, Tail
from bough.ingest.live.watched_sessions import Board, agent_meta, moment_now, sidecar_title
from bough.ingest.transcript_paths import Place, Role, found_at
from bough.model.text.times import utc
from bough.model.usage.price_list import PRICES, PriceList
from bough.records.record import BadLine, Record

Wanted = Callable[[Place], bool]

LONGEST_PAST = 64 * 1024 * 1024
"""Of a longer file only so much of its end is read to learn where its session stands."""
_TICK = 1.0
_SOON = 0.2
_MOST_ORPHANS = 64


class Live:
    """Follows the transcripts of some Claude folders; close it when done."""

    def __init__(
        self,
        claude_dirs: Sequence[Path],
        *,
        since: datetime | None = None,
        wanted: Wanted | None = None,
        polling: bool | None = None,
        stop: threading.Event | None = None,
        prices: PriceList = PRICES,
    ) -> None:
        self._claude_dirs = tuple(folder.absolute() for folder in claude_dirs)
        roots = [d / name for d in self._claude_dirs for name in ("projects", "sessions")]
        self._watch = Watch(roots, polling=polling, stop=stop)
        self._since = since
        self._since_text = utc(since.isoformat()) if since else None
        self._wanted = wanted or (lambda _: True)
        self._first = dict(self._watch.files)
        self._tails: dict[str, Tail] = {}
        self._places: dict[str, Place] = {}
        self._unfinished: set[str] = set()
        self._troubled: set[str] = set()
        self._orphans: dict[int, Tail] = {}
        self._shown = Shown()
        self._judged = moment_now()
        self.board = Board(self._claude_dirs, prices)

    @property
    def polling(self) -> bool:
        """Tell whether changes are found by looking alone."""
        return self._watch.polling

    def close(self) -> None:
        """Stop following."""
        self._watch.close()

    def start(self, whole: Wanted | None = None) -> list[Change]:
        """Read what is recent; give its records from `since` on, file by file.

        Transcripts for which `whole` holds are given from their beginning, recent or not.
        """
        changes: list[Change] = []
        for path, seen in sorted(self._first.items(), key=lambda item: item[1].mtime_ns):
            place = self._transcript(path)
            if place is None or not self._wanted(place):
                continue
            named = whole is not None and whole(place)
            old = self._since is not None and seen.mtime_ns / 1e9 < self._since.timestamp()
            if named or not old or self.board.has_client(place.session):
                changes += self._load(place, whole=named)
        self.board.settle(moment_now())
        return changes

    def step(self, timeout: float) -> list[Change]:
        """Wait for something to happen, at most so many seconds; give all that did."""
        pause = 0.0 if self._unfinished else min(timeout, _SOON if self.board.unsettled else _TICK)
        paths = self._watch.wait(pause) | self._unfinished
        self._unfinished = set()
        changes: list[Change] = []
        # Gone ones last: a file that was renamed is found under its new name first.
        for path in sorted(paths, key=lambda path: (path not in self._watch.files, path)):
            changes += self._happened(path)
        changes += self._judge(soon=bool(paths))
        if self._watch.trouble:
            changes.append(Trouble(self._watch.trouble))
            self._watch.trouble = None
        return changes

    def _judge(self, *, soon: bool) -> Sequence[Change]:
        now = moment_now()
        if not soon and not self.board.unsettled and (now - self._judged).total_seconds() < _TICK:
            return ()
        self._judged = now
        if not soon:
            self.board.ask_clients()
        return self.board.judge(now)

    def _transcript(self, path: str) -> Place | None:
        if path in self._places:
            return self._places[path]
        for folder in self._claude_dirs:
            found = found_at(folder, path)
            if found is not None and found.role is Role.TRANSCRIPT:
                return found.place
        return None

    def _happened(self, path: str) -> list[Change]:
        """Tell what became of one file."""
        for folder in self._claude_dirs:
            found = found_at(folder, path)
            if found is None:
                continue
            if found.role is Role.CLIENT:
                self.board.ask_clients()
                return []
            place = self._places.get(found.place.path, found.place) if found.place else None
            if place is None or not self._wanted(place):
                return []
            if found.role is Role.TRANSCRIPT:
                return self._grew(place)
            return self._described(place, found.role)
        return []

    def _described(self, place: Place, role: Role) -> list[Change]:
        watched = self.board.get(place)
        if watched is None:
            return []
        if role is Role.TITLE:
            title = sidecar_title(place)
            watched.activity.titles.sidecar = title
            return [Described(place, title=title)]
        meta = agent_meta(place)
        if meta is None or place.agent is None or watched.metas.get(place.agent) == meta:
            return []
        watched.metas[place.agent] = meta
        return [Described(place, meta=meta)]

    def _grew(self, place: Place) -> list[Change]:
        changes: list[Change] = []
        tail = self._tails.get(place.path)
        if tail is None:
            if place.path not in self._watch.files:
                known = self._first.pop(place.path, None)
                return [Vanished(place)] if known else []
            place, tail, changes = self._take_up(place)
        grown = tail.read()
        if grown.gone:
            return [*changes, *self._gone(place, tail)]
        if grown.problem:
            return [*changes, *self._trouble(place.path, grown.problem)]
        self._troubled.discard(place.path)
        if grown.more:
            self._unfinished.add(place.path)
        new = any(isinstance(change, Started) for change in changes)
        return [*changes, *self._appended(place, grown, fresh=new or grown.over)]

    def _appended(self, place: Place, grown: Grown, *, fresh: bool) -> list[Change]:
        changes: list[Change] = []
        if grown.over:
            changes.append(Replaced(place))
        if not grown.items:
            return changes
        place, described = self._owned(place, grown.items)
        self.board.add(place, grown.items)
        items = (i for i in grown.items if not (fresh and self._is_past(i)))
        return [*changes, *described, Appended(place, self._shown.fresh(items))]

    def _take_up(self, place: Place) -> tuple[Place, Tail, list[Change]]:
        """Begin to follow a file: one that lay here, was renamed, or is new."""
        if place.path in self._first:
            self._load(place)
            return self._places[place.path], self._tails[place.path], []
        tail = self._orphans.pop(self._watch.files[place.path].inode, None)
        if tail is None:
            tail, change = self._renamed(place)
        else:
            change = Started(place)
        tail.moved_to(place.path)
        self._keep(place, tail)
        return place, tail, [change]

    def _renamed(self, place: Place) -> tuple[Tail, Change]:
        """Find the file that now goes by this name; else it is a new one."""
        inode = self._watch.files[place.path].inode
        for path, tail in self._tails.items():
            if tail.identity[1] == inode and path not in self._watch.files:
                before = self._places.pop(path)
                self._first.pop(path, None)
                self.board.move(before, place)
                return self._tails.pop(path), Renamed(place, before)
        return Tail(place.path), Started(place)

    def _load(self, place: Place, *, whole: bool = False) -> list[Change]:
        """Read what a file held before the watch began; only what is recent is reported."""
        size = self._first[place.path].size
        tail = Tail(place.path)
        self._keep(place, tail)
        partial = size > LONGEST_PAST
        if partial:
            tail.skip_to(size - LONGEST_PAST)
        recent: list[Record | BadLine] = []
        changes: list[Change] = []
        while tail.read_to < size:
            read_to = tail.read_to
            grown = tail.read(min(MOST, size - read_to))
            if grown.problem:
                changes += self._trouble(place.path, grown.problem)
            if grown.problem or grown.gone or tail.read_to == read_to:
                break
            place, described = self._owned(place, grown.items)
            changes += described
            self.board.add(place, grown.items)
            recent += (item for item in grown.items if whole or not self._is_past(item))
        if tail.read_to:
            watched = self.board.watched(place)
            watched.partial = watched.partial or partial
        items = self._shown.fresh(recent)
        return [*changes, Appended(place, items, past=True)] if items else changes

    def _owned(self, place: Place, items: Sequence[Record | BadLine]) -> tuple[Place, list[Change]]:
        """Find out whose an agent's file is, and what it is for, once it speaks."""
        if place.agent is None:
            return place, []
        if not place.session:
            named = (item.session_id for item in items if isinstance(item, Record))
            place = replace(place, session=next((name for name in named if name), ""))
            self._places[place.path] = place
        if self.board.get(place) is None:
            self._load_main(place)
        if place.agent in self.board.watched(place).metas:
            return place, []
        return place, self._described(place, Role.META)

    def _load_main(self, place: Place) -> None:
        """Learn about the session of an agent that wakes up before it."""
        main = str(Path(place.folder, f"{place.session}.jsonl"))
        if main in self._first and main not in self._tails:
            self._load(Place(place.folder, place.session, main))

    def _keep(self, place: Place, tail: Tail) -> None:
        self._tails[place.path] = tail
        self._places[place.path] = place

    def _gone(self, place: Place, tail: Tail) -> list[Change]:
        if self._tails.get(place.path) is not tail:
            return []
        del self._tails[place.path]
        # It may come back under another name in a moment, and go on where it was.
        self._orphans[tail.identity[1]] = tail
        if len(self._orphans) > _MOST_ORPHANS:
            del self._orphans[next(iter(self._orphans))]
        self._places.pop(place.path, None)
        self._first.pop(place.path, None)
        if place.agent is None:
            self.board.drop(place)
        return [Vanished(place)]

    def _trouble(self, path: str, message: str) -> list[Change]:
        """Tell once that a file cannot be read; the next change tries again."""
        if path in self._troubled:
            return []
        self._troubled.add(path)
        return [Trouble(message, path)]

    def _is_past(self, item: Record | BadLine) -> bool:
        if self._since_text is None or isinstance(item, BadLine):
            return False
        at = utc(item.timestamp)
        return at is not None and at < self._since_text
