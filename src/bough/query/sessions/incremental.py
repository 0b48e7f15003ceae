"""A session that is read on as its file grows: only new bytes are read, records are kept.

What is new is what `ingest.live.tail` reads; what it means is made anew each time, from the
same records. A file that was cut or rewritten is read from its start. A last line without its
end waits while somebody may still write it.
"""

import threading
import time
from bisect import bisect_left
from pathlib import Path
from typing import Final

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, SourceState, require_source
from bough.files.companions import list_companions
from bough.files.lines import CHUNK
from bough.ingest.live.tail import FileTail, TailRead
from bough.line import Line
from bough.model.session import Session
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.sessions.load_session import assemble_session, project_folder_of
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record

_AT_ONCE: Final = CHUNK
"""Read in pieces of this size, a whole session costs no more copies than its lines."""
_WRITING: Final = 10.0
"""A line without its end may still be written for so many seconds."""

_NEVER_READ: Final = SourceState(-1, 0)


class GrowingSession:
    """One session; `refresh` brings it up to date. `generation` counts how often it changed."""

    def __init__(self, path: str | Path, sources: SourceFinder = USUAL_SOURCES) -> None:
        self._file = Path(path)
        self._folder = project_folder_of(self._file, sources)
        self._lock = threading.RLock()
        self._found: list[Record] = []
        self._bad: list[BadLine] = []
        self._tail = FileTail(str(path), repeats=True, sources=sources)
        self._ended = (0, 0)
        self._seen = _NEVER_READ
        self._beside: list[tuple[str, int, int]] = []
        self._session: Session | None = None
        self.generation = 0
        self.over = 0
        """How often the file started over: what was known of it holds no longer."""

    @property
    def session(self) -> Session:
        """Give the session as it was when last looked at."""
        if self._session is None:
            self.refresh()
        assert self._session is not None  # noqa: S101 - looking makes it, or raises
        return self._session

    @property
    def revision(self) -> str:
        """Name the state of what was read."""
        return f"{self._seen.size}-{self._seen.mtime_ns}-{self.generation}"

    @property
    def size(self) -> int:
        """Give how many bytes the file had."""
        return max(0, self._seen.size)

    def refresh(self) -> bool:
        """Read what is new in the file and beside it; tell whether there was anything.

        Raises:
            Unreadable: The file is gone, or not ours to read.
        """
        with self._lock:
            seen = self._read_state()
            beside = self._companion_marks()
            if seen.key == self._seen.key and beside == self._beside and self._session is not None:
                return False
            if seen.key != self._seen.key:
                self._read_new_lines()
            self._seen, self._beside = seen, beside
            self._folder = self._folder.reopen()
            found, bad, grew = list(self._found), list(self._bad), self._session is not None
            self._session = assemble_session(self._folder, self._file, found, bad, grew=grew)
            self.generation += 1
            return True

    def slice_session(self, start: int, stop: int | None = None) -> Session:
        """Give what was read from one offset on, to another, as a session by itself."""
        with self._lock:
            found = self._found[bisect_left(self._found, start, key=lambda r: r.offset) :]
            bad = [line for line in self._bad if line.offset >= start]
            started_in = self._session.cwd if self._session is not None else None
        if stop is not None:
            found = [record for record in found if record.offset <= stop]
            bad = [line for line in bad if line.offset <= stop]
        part = assemble_session(self._folder, self._file, found, bad, grew=True)
        part.started_in = started_in
        return part

    @property
    def agent_bytes(self) -> int:
        """Give how many bytes lie in the files of agents beside it."""
        return sum(size for _, size, _ in self._beside)

    def _read_new_lines(self) -> None:
        # What was taken from a line without an end comes again, with its end.
        del self._found[self._ended[0] :]
        del self._bad[self._ended[1] :]
        more = True
        while more:
            more = self._add_read(self._tail.read(_AT_ONCE))
        torn = self._tail.torn_line
        if torn is not None:
            self._add_torn_line(torn)

    def _add_read(self, read: TailRead) -> bool:
        """Take in what was read; tell whether there is more."""
        if read.gone:
            raise Unreadable(self._file, "no such file")
        if read.problem is not None:
            raise read.problem
        if read.over:
            self._found, self._bad = [], []
            self.over += 1
        for item in read.items:
            if isinstance(item, BadLine):
                self._bad.append(item)
            else:
                self._found.append(item)
        self._ended = (len(self._found), len(self._bad))
        return read.more

    def _add_torn_line(self, line: Line) -> None:
        for item in decode_lines((line,)):
            if not isinstance(item, BadLine):
                self._found.append(item)
            elif not item.torn or not self._is_being_written():
                self._bad.append(item)

    def _companion_marks(self) -> list[tuple[str, int, int]]:
        """Name the state of what lies beside the file."""
        folder = self._file.with_suffix("")
        kept = self._folder.sources.list_kept(str(folder))
        return [
            (agent.file, agent.size, agent.mtime_ns)
            for agent in list_companions(folder, [], kept).agents
        ]

    def _read_state(self) -> SourceState:
        return require_source(self._folder.sources, self._file).state()

    def _is_being_written(self) -> bool:
        try:
            return time.time() - self._read_state().mtime_ns / 1e9 < _WRITING
        except Unreadable:
            return False
