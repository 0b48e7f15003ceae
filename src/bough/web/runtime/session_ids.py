"""Which sessions there are, by the ids that addresses name them with.

An id from an address is looked up here and never becomes part of a path. Sessions that were
copied to another folder share their id; all but the first get a mark behind theirs, so that
each has an address of its own.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.errors import AmbiguousSession, ClaudeFolderNotFound
from bough.files.discover import ProjectFiles
from bough.library import Dirs, choose_session, project_listings

_FRESH: Final = 0.5
"""Folders are not listed again within so many seconds."""
_MARK: Final = "~"
_MOST_NEAR: Final = 8
"""So many of the sessions that an id fits are named with their titles."""
_LONGEST_ID: Final = 300
"""Longer than any file's name: what else an address holds is not repeated in an error."""


class SessionEntry(Struct, frozen=True):
    """A session that is there: the id in addresses, its own, and where it lies."""

    id: str
    session: str
    folder: str
    dir: str
    path: str
    size: int


class SessionIds:
    """The sessions of some Claude folders; listed again where somebody asks for a new one."""

    def __init__(self, dirs: Dirs, title_of: Callable[[SessionEntry], str] = lambda _: "") -> None:
        self._dirs = dirs
        self._title_of = title_of
        self._lock = threading.Lock()
        self._by_id: Mapping[str, SessionEntry] = {}
        self._by_path: Mapping[str, SessionEntry] = {}
        self._listed_at = -1_000.0
        self._stale = True
        self.projects = 0

    def find(self, wanted: str) -> SessionEntry:
        """Find a session by its id, or by the beginning of one that no other has."""
        known = self._load_entries()
        if wanted not in known:
            self.invalidate()
            known = self._load_entries()
        try:
            return choose_session(wanted[:_LONGEST_ID], list(known.items()), self._title_of)
        except AmbiguousSession as error:
            titles = [self._title_of(known[one]) for one in error.matches[:_MOST_NEAR]]
            raise AmbiguousSession(error.wanted, error.matches, titles) from None

    def id_of(self, path: str) -> str:
        """Give the id by which addresses name a session's file, also one that is gone."""
        found = self._by_path.get(path)
        if found is None:
            self._load_entries()
            found = self._by_path.get(path)
        return found.id if found is not None else Path(path).stem

    def entries(self) -> list[SessionEntry]:
        """List all sessions."""
        return list(self._load_entries().values())

    def invalidate(self, *, surely: bool = False) -> None:
        """Note that there may be sessions that are not known; `surely` there are."""
        self._stale = True
        if surely:
            self._listed_at = -1_000.0

    def _load_entries(self) -> Mapping[str, SessionEntry]:
        with self._lock:
            if self._stale and time.monotonic() - self._listed_at > _FRESH:
                self._list_sessions()
            return self._by_id

    def _list_sessions(self) -> None:
        try:
            listings = project_listings(self._dirs)
        except ClaudeFolderNotFound:
            listings = []
        entries = list(_list_entries(listings))
        self.projects = len(listings)
        self._by_id = {entry.id: entry for entry in entries}
        self._by_path = {entry.path: entry for entry in entries}
        self._stale = False
        self._listed_at = time.monotonic()


def make_unique(name: str, place: str, taken: Iterable[str]) -> str:
    """Give a name that nobody has: a second of the same name is marked by its place."""
    if name not in taken:
        return name
    return f"{name}{_MARK}{blake2b(place.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


def _list_entries(listings: Sequence[ProjectFiles]) -> Iterable[SessionEntry]:
    taken: set[str] = set()
    for listing in sorted(listings, key=lambda one: one.folder):
        for files in listing.sessions:
            if files.path is None:
                continue
            own = make_unique(files.id, str(files.path), taken)
            taken.add(own)
            yield SessionEntry(
                own, files.id, listing.folder, listing.dir, str(files.path), files.size
            )
