"""Every transcript, followed at once: what happens to the files becomes changes.

`start` gives the recent past, `step` what came since; nothing is reported twice and nothing
is left out, whatever happens to the files meanwhile. A step takes all that was noticed
together, so a burst is one batch. Nothing runs in the background: as long as nobody asks,
the files keep what they have, and it is read later. `bough.ingest.feed` does it in a thread.

In a file that is new, or that starts over, records older than `since` are its past: a fork
begins with copies of a conversation that may be weeks old. A record that was reported from
one file is not reported again from another.
"""

import os
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from bough.files.byte_source import DISK, FileStretch
from bough.files.poller import FileStamp
from bough.files.watcher import Watcher
from bough.ingest.hook_event_files import find_events_folder
from bough.ingest.live.changes import (
    Change,
    RecordsAppended,
    SidecarChanged,
    TranscriptRenamed,
    TranscriptReplaced,
    TranscriptStarted,
    TranscriptVanished,
    WatchProblem,
)
from bough.ingest.live.recent_files import is_recent_file
from bough.ingest.live.seen_records import SeenRecords
from bough.ingest.live.tail import MOST_BYTES_AT_ONCE, FileTail, TailRead
from bough.ingest.live.watched_sessions import (
    WatchedSessions,
    current_time,
)
from bough.ingest.read_records import read_owner
from bough.ingest.sidecars import meta_path_of, read_agent_meta, read_title, title_path_of
from bough.ingest.transcript_paths import FileRole, TranscriptPath, classify_path
from bough.model.text.times import to_utc
from bough.model.usage.price_list import PRICES, PriceList
from bough.records.record import BadLine, Record

TranscriptFilter = Callable[[TranscriptPath], bool]

LONGEST_PAST = 64 * 1024 * 1024
"""Of a longer file only so much of its end is read to learn where its session stands."""
_TICK = 1.0
_SOON = 0.2
_MOST_ORPHANS = 64
_LONGEST_ANSWER = timedelta(hours=12)


class LiveFollower:
    """Follows the transcripts of some Claude folders; close it when done."""

    def __init__(  # noqa: PLR0913 - one for each thing that can be asked for
        self,
        claude_dirs: Sequence[Path],
        *,
        since: datetime | None = None,
        wanted: TranscriptFilter | None = None,
        polling: bool | None = None,
        stop: threading.Event | None = None,
        prices: PriceList = PRICES,
        on_stretch: Callable[[FileStretch], None] | None = None,
        on_others: Callable[[Iterable[str]], None] | None = None,
    ) -> None:
        """Prepare to follow; `on_stretch` is given the bytes of what comes, in this thread.

        `on_others` is given the paths of files that changed and are no transcripts.
        """
        self._on_stretch = on_stretch
        self._claude_dirs = tuple(folder.absolute() for folder in claude_dirs)
        roots = [d / name for d in self._claude_dirs for name in ("projects", "sessions")]
        self._hook_folder = find_events_folder()
        roots.append(self._hook_folder)
        self._watch = Watcher(roots, polling=polling, stop=stop, on_others=on_others)
        self._since = since
        self._since_text = to_utc(since.isoformat()) if since else None
        self._wanted = wanted or (lambda _: True)
        self._first = dict(self._watch.files)
        self._first_agents: dict[tuple[str, str], list[TranscriptPath]] | None = None
        self._tails: dict[str, FileTail] = {}
        self._places: dict[str, TranscriptPath] = {}
        self._unfinished: set[str] = set()
        self._copied: set[str] = set()
        self._troubled: set[str] = set()
        self._orphans: dict[int, FileTail] = {}
        self._shown = SeenRecords()
        self._asked = current_time()
        self.sessions = WatchedSessions(self._claude_dirs, prices)

    @property
    def polling(self) -> bool:
        """Tell whether changes are found by looking alone."""
        return self._watch.polling

    def close(self) -> None:
        """Stop following."""
        self._watch.close()

    def list_files(self, claude_dir: Path) -> list[str]:
        """List the files that are there below one of the folders."""
        below = f"{claude_dir.absolute()}{os.sep}"
        return [path for path in self._watch.files if path.startswith(below)]

    def start(self, whole: TranscriptFilter | None = None) -> list[Change]:
        """Read what is recent; give its records from `since` on, file by file.

        Transcripts for which `whole` holds are given from their beginning, recent or not.
        """
        changes: list[Change] = []
        found = [
            (place, seen)
            for path, seen in self._first.items()
            if (place := self._wanted_transcript(path)) is not None and self._wanted(place)
        ]
        # An agent brings its session along, which would then have been told: sessions come first.
        found.sort(key=lambda one: (one[0].agent is not None, one[1].mtime_ns))
        for place, seen in found:
            named = whole is not None and whole(place)
            if (
                named
                or self.sessions.has_client(place.session)
                or self._is_recent(place.path, seen)
            ):
                changes += self._load(place, whole=named)
        for watched in list(self.sessions):
            changes += self._load_agents(watched.place)
        self.sessions.settle(current_time())
        return changes

    def _is_recent(self, path: str, seen: FileStamp) -> bool:
        since = self._since
        return since is None or is_recent_file(path, seen.size, seen.mtime_ns, since)

    def _is_copy(self, place: TranscriptPath) -> bool:
        """Tell whether a file that nobody follows has only old records: one that was copied here.

        What clients write now has a time of now, or of the beginning of a long answer. A file
        that lay here and has grown is being written, whatever its records say.
        """
        seen, before = self._watch.files[place.path], self._first.get(place.path)
        if before is not None and before.size != seen.size and place.path not in self._copied:
            return False
        if self._since is None or seen.inode in self._orphans or self._has_moved(seen.inode):
            return False
        oldest = min(self._since, current_time() - _LONGEST_ANSWER)
        return not self.sessions.has_client(place.session) and not is_recent_file(
            place.path, seen.size, seen.mtime_ns, oldest
        )

    def _has_moved(self, inode: int) -> bool:
        """Tell whether a file that is followed has lost its name, and may be this one."""
        return any(
            tail.identity[1] == inode and path not in self._watch.files
            for path, tail in self._tails.items()
        )

    def step(self, timeout: float) -> list[Change]:
        """Wait for something to happen, at most so many seconds; give all that did."""
        pause = 0.0 if self._unfinished else min(timeout, self._choose_pause())
        paths = self._watch.wait(pause) | self._unfinished
        self._unfinished = set()
        changes: list[Change] = []
        # Gone ones last: a file that was renamed is found under its new name first.
        for path in sorted(paths, key=lambda path: (path not in self._watch.files, path)):
            changes += self._handle_path(path)
        changes += self._update_statuses(soon=bool(paths))
        if self._watch.trouble:
            changes.append(WatchProblem(self._watch.trouble))
            self._watch.trouble = None
        return changes

    def _update_statuses(self, *, soon: bool) -> Sequence[Change]:
        now = current_time()
        is_due = abs((now - self._asked).total_seconds()) >= self._choose_pause()
        if not soon and not is_due:
            return ()
        if is_due or not soon:
            # Also where others write all the time: who was killed says nothing.
            self._asked = now
            self.sessions.ask_clients()
        if old := self.sessions.let_old_go(now):
            self._let_go({(place.folder, place.session) for place in old})
        return self.sessions.update_status(now)

    def _let_go(self, sessions: Collection[tuple[str, str]]) -> None:
        """Follow the files of some sessions no longer; when one grows, all are read anew."""
        for path, one in list(self._places.items()):
            if (one.folder, one.session) not in sessions:
                continue
            del self._places[path]
            tail, seen = self._tails.pop(path, None), self._watch.files.get(path)
            if tail is not None and seen is not None:
                self._first[path] = replace(seen, size=tail.read_to)
        self._first_agents = None

    def _choose_pause(self) -> float:
        """Choose how long to wait: a client that is killed while it waits says nothing."""
        return _SOON if self.sessions.is_unsettled or self.sessions.has_waiting else _TICK

    def _wanted_transcript(self, path: str) -> TranscriptPath | None:
        if path in self._places:
            return self._places[path]
        for folder in self._claude_dirs:
            found = classify_path(folder, path)
            if found is not None and found.role is FileRole.TRANSCRIPT:
                return found.place
        return None

    def _handle_path(self, path: str) -> list[Change]:
        """Tell what became of one file."""
        if path.startswith(f"{self._hook_folder}{os.sep}"):
            self.sessions.ask_clients()
            return []
        for folder in self._claude_dirs:
            found = classify_path(folder, path)
            if found is None:
                continue
            if found.role is FileRole.CLIENT:
                self.sessions.ask_clients()
                return []
            place = self._places.get(found.place.path, found.place) if found.place else None
            if place is None or not self._wanted(place):
                return []
            if found.role is FileRole.TRANSCRIPT:
                return self._read_growth(place)
            return self._handle_sidecar(place, found.role)
        return []

    def _handle_sidecar(self, place: TranscriptPath, role: FileRole) -> list[Change]:
        watched = self.sessions.get(place)
        if watched is None:
            return []
        if role is FileRole.TITLE:
            title = read_title(title_path_of(Path(place.folder, f"{place.session}.jsonl")), DISK)
            watched.activity.titles.sidecar = title
            return [SidecarChanged(place, title=title)]
        meta = read_agent_meta(meta_path_of(place.path), DISK)
        if meta is None or place.agent is None or watched.metas.get(place.agent) == meta:
            return []
        watched.metas[place.agent] = meta
        return [SidecarChanged(place, meta=meta)]

    def _read_growth(self, place: TranscriptPath) -> list[Change]:
        changes: list[Change] = []
        tail = self._tails.get(place.path)
        if tail is None:
            if place.path not in self._watch.files:
                known = self._first.pop(place.path, None)
                return [TranscriptVanished(place)] if known else []
            if self._is_copy(place):
                new = place.path not in self._first
                if new:
                    self._copied.add(place.path)
                    self._first_agents = None
                self._first[place.path] = self._watch.files[place.path]
                return [TranscriptStarted(place) if new else RecordsAppended(place, ())]
            place, tail, changes = self._start_following(place)
        grown = tail.read(with_bytes=self._on_stretch is not None)
        if grown.gone:
            return [*changes, *self._report_gone(place, tail)]
        if grown.problem:
            return [*changes, *self._report_problem(place.path, grown.problem.message)]
        self._troubled.discard(place.path)
        if grown.stretch is not None and self._on_stretch is not None:
            self._on_stretch(grown.stretch)
        if grown.more:
            self._unfinished.add(place.path)
        new = any(isinstance(change, TranscriptStarted) for change in changes)
        return [*changes, *self._report_records(place, grown, fresh=new or grown.over)]

    def _report_records(
        self, place: TranscriptPath, grown: TailRead, *, fresh: bool
    ) -> list[Change]:
        changes: list[Change] = []
        if grown.over:
            changes.append(TranscriptReplaced(place))
        if not grown.items:
            return changes
        place, described = self._find_owner(place, grown.items)
        if place.agent is not None:
            self._load_agents(place)  # it may have brought its session along only now
        self.sessions.add(place, grown.items)
        items = (i for i in grown.items if not (fresh and self._is_past(i)))
        return [*changes, *described, RecordsAppended(place, self._shown.fresh(items))]

    def _start_following(
        self, place: TranscriptPath
    ) -> tuple[TranscriptPath, FileTail, list[Change]]:
        """Begin to follow a file: one that lay here, was renamed, or is new."""
        if place.path in self._first:
            self._load(place)
            self._load_agents(self._places[place.path])
            return self._places[place.path], self._tails[place.path], []
        tail = self._orphans.pop(self._watch.files[place.path].inode, None)
        if tail is None:
            tail, change = self._find_renamed(place)
        else:
            change = TranscriptStarted(place)
        tail.move_to(place.path)
        self._add_tail(place, tail)
        return place, tail, [change]

    def _find_renamed(self, place: TranscriptPath) -> tuple[FileTail, Change]:
        """Find the file that now goes by this name; else it is a new one."""
        inode = self._watch.files[place.path].inode
        for path, tail in self._tails.items():
            if tail.identity[1] == inode and path not in self._watch.files:
                before = self._places.pop(path)
                self._first.pop(path, None)
                self.sessions.move(before, place)
                return self._tails.pop(path), TranscriptRenamed(place, before)
        return FileTail(place.path), TranscriptStarted(place)

    def _load(self, place: TranscriptPath, *, whole: bool = False) -> list[Change]:
        """Read what a file held before the watch began; only what is recent is reported."""
        size = self._first[place.path].size
        tail = FileTail(place.path)
        self._add_tail(place, tail)
        partial = size > LONGEST_PAST
        if partial:
            tail.skip_to(size - LONGEST_PAST)
        recent: list[Record | BadLine] = []
        changes: list[Change] = []
        while tail.read_to < size:
            read_to = tail.read_to
            grown = tail.read(min(MOST_BYTES_AT_ONCE, size - read_to))
            if grown.problem:
                changes += self._report_problem(place.path, grown.problem.message)
            if grown.problem or grown.gone or tail.read_to == read_to:
                break
            place, described = self._find_owner(place, grown.items)
            changes += described
            self.sessions.add(place, grown.items)
            recent += (item for item in grown.items if whole or not self._is_past(item))
        if tail.read_to:
            watched = self.sessions.watched(place)
            watched.partial = watched.partial or partial
        items = self._shown.fresh(recent)
        return [*changes, RecordsAppended(place, items, past=True)] if items else changes

    def _find_owner(
        self, place: TranscriptPath, items: Sequence[Record | BadLine]
    ) -> tuple[TranscriptPath, list[Change]]:
        """Find out whose an agent's file is, and what it is for, once it speaks."""
        if place.agent is None:
            return place, []
        if not place.session:
            named = (item.session_id for item in items if isinstance(item, Record))
            place = replace(place, session=next((name for name in named if name), ""))
            self._places[place.path] = place
        if self.sessions.get(place) is None:
            self._load_main(place)
        if place.agent in self.sessions.watched(place).metas:
            return place, []
        return place, self._handle_sidecar(place, FileRole.META)

    def _load_main(self, place: TranscriptPath) -> None:
        """Learn about the session of an agent that wakes up before it."""
        main = str(Path(place.folder, f"{place.session}.jsonl"))
        if main in self._first and main not in self._tails:
            self._load(TranscriptPath(place.folder, place.session, main))

    def _load_agents(self, place: TranscriptPath) -> list[Change]:
        """Read what a session's agents wrote, however long ago: it has cost them too."""
        return [
            change
            for agent in self._list_first_agents(place)
            if agent.path in self._first and agent.path not in self._tails
            for change in self._load(agent)
        ]

    def _list_first_agents(self, place: TranscriptPath) -> Sequence[TranscriptPath]:
        """List the files of a session's agents that lay here when the watch began."""
        if self._first_agents is None:
            self._first_agents = defaultdict(list)
            for path in self._first:
                found = self._wanted_transcript(path)
                if found is not None and found.agent is not None:
                    self._first_agents[found.folder, found.session].append(found)
        # Whose those are that lie beside the sessions their records say; nobody's stay nobody's.
        for loose in self._first_agents.pop((place.folder, ""), ()):
            if owner := read_owner(loose.path, DISK):
                self._first_agents[place.folder, owner].append(replace(loose, session=owner))
        return self._first_agents.get((place.folder, place.session), ())

    def _add_tail(self, place: TranscriptPath, tail: FileTail) -> None:
        self._tails[place.path] = tail
        self._places[place.path] = place

    def _report_gone(self, place: TranscriptPath, tail: FileTail) -> list[Change]:
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
            self.sessions.drop(place)
        return [TranscriptVanished(place)]

    def _report_problem(self, path: str, message: str) -> list[Change]:
        """Tell once that a file cannot be read; the next change tries again."""
        if path in self._troubled:
            return []
        self._troubled.add(path)
        return [WatchProblem(message, path)]

    def _is_past(self, item: Record | BadLine) -> bool:
        if self._since_text is None or isinstance(item, BadLine):
            return False
        at = to_utc(item.timestamp)
        return at is not None and at < self._since_text
