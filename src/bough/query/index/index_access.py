"""The index, opened for one question at a time, or kept open by each thread that asks often.

An open index has its most used pages at hand: a search in one that was just opened takes
several times as long. A connection belongs to the thread that opened it.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from bough.config import claude_dirs, index_path
from bough.errors import ClaudeFolderNotFound, IndexTrouble
from bough.files.discover import find_claude_folders
from bough.query.index.handle import IndexHandle, Progress, open_index
from bough.store.open_store import is_store_url


class IndexAccess:
    """Some Claude folders and their index."""

    def __init__(self, dirs: Sequence[str] = (), index: str | None = None) -> None:
        self.dirs = list(dirs)
        self.index = index
        self._own = threading.local()

    @property
    def is_team(self) -> bool:
        """Tell whether it is a team's store, and not an index of folders here."""
        return is_store_url(self.index)

    @property
    def looked_in(self) -> list[Path]:
        """List where Claude folders are looked for."""
        if self.is_team:
            return []
        return list(claude_dirs([Path(folder) for folder in self.dirs]))

    @property
    def folders(self) -> list[Path]:
        """List the Claude folders that are there."""
        if self.is_team:
            return []
        try:
            return list(find_claude_folders(tuple(self.looked_in)))
        except ClaudeFolderNotFound:
            return []

    @cached_property
    def index_path(self) -> Path:
        """Name the index."""
        return index_path(Path(self.index) if self.index is not None else None, self.looked_in)

    def open_handle(self, *, fresh: bool = False, progress: Progress | None = None) -> IndexHandle:
        """Open the index for one question; close it in the same thread."""
        return open_index(self.dirs, self.index, fresh=fresh, progress=progress)

    @contextmanager
    def lend_handle(self) -> Iterator[IndexHandle]:
        """Lend the handle of this thread; it stays open for the next question.

        A team's store is opened for each: a connection that waits is one that others cannot have.
        """
        if self.is_team:
            with self.open_handle() as handle:
                yield handle
            return
        held: tuple[IndexHandle, list[Path]] | None = getattr(self._own, "held", None)
        folders = self.folders
        if held is not None and (held[1] != folders or not held[0].store.is_current()):
            self._close_held()
            held = None
        if held is None:
            self._own.held = held = (self.open_handle(), folders)
        try:
            yield held[0]
        except IndexTrouble:
            self._close_held()
            raise

    def _close_held(self) -> None:
        held: tuple[IndexHandle, list[Path]] | None = getattr(self._own, "held", None)
        self._own.held = None
        if held is not None:
            held[0].close()
