"""Every transcript below some folders, and what became of it since the last look.

The twin of notification: it misses nothing, but only when asked. `scan_all` lists everything;
`scan_likely` looks at what is likely (projects, and sessions that changed lately) and finds
nearly all; `scan_paths` looks at the places somebody else noticed. All three keep `files` current.
Only names the client gives its transcripts count, and the small files that describe them, unless
others are wanted; keys, outputs and what else lies there is neither opened nor looked at.
"""

# Paths are texts here: they come as texts, thousands at a time.
# ruff: noqa: PTH114, PTH116, PTH118, PTH119, PTH120
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from msgspec import Struct

from bough.files.directory import identity_in, identity_of

HOT_SECONDS = 600.0
"""For so many seconds after a change a file is looked at often."""

TRANSCRIPT_NAMES = re.compile(
    r"(?!\.).+\.jsonl|agent-.+\.meta\.json|custom-title\.json|\d+\.json"
    r"|\d+-\d+-[0-9a-f]+\.json"
)
_SKIPPED_FOLDERS = frozenset({"tool-results", "memory"})
_DEEPEST = 8


class FileStamp(Struct, frozen=True, gc=False):
    """A file as it was at the last look."""

    inode: int
    size: int
    mtime_ns: int


class Poller:
    """Looks at the files below its roots; a root need not exist."""

    def __init__(
        self,
        roots: Sequence[Path],
        clock: Callable[[], float] = time.monotonic,
        wanted: re.Pattern[str] = TRANSCRIPT_NAMES,
    ) -> None:
        self.files: dict[str, FileStamp] = {}
        self._roots = tuple(map(str, roots))
        self._folders: dict[str, tuple[int, int]] = {}
        self._inside: dict[str, set[str]] = {}
        self._hot: dict[str, float] = {}
        self._clock = clock
        self._wanted = wanted

    def scan_all(self) -> set[str]:
        """List everything; give the files that are new, changed or gone."""
        before, self.files, self._folders, self._inside = self.files, {}, {}, {}
        for root in self._roots:
            for _ in self._walk(root):
                continue
        if not before:
            oldest = (time.time() - HOT_SECONDS) * 1e9
            self._note_changed(
                {path for path, seen in self.files.items() if seen.mtime_ns > oldest}
            )
            return set(self.files)
        both = before.keys() & self.files.keys()
        changed = {path for path in both if before[path] != self.files[path]}
        return self._note_changed(changed | (before.keys() ^ self.files.keys()))

    def scan_likely(self) -> set[str]:
        """Look at files that changed lately, and at the folders in which something may begin.

        These are the roots, the projects, and all below a session that changed lately.
        """
        now = self._clock()
        self._hot = {path: at for path, at in self._hot.items() if now - at < HOT_SECONDS}
        changed = {path for path in list(self._hot) if self._update_file(path)}
        for root in self._roots:
            if root not in self._folders:
                changed.update(self._walk(root))
        lively = {self._session_of(path) for path in self._hot}
        for folder, known in list(self._folders.items()):
            session = self._session_of(folder)
            if session and session not in lively:
                continue
            if folder in self._folders and _folder_mark(folder) != known:
                changed |= self._relist(folder)
        return self._note_changed(changed)

    def scan_paths(self, places: Iterable[str]) -> set[str]:
        """Look at some places; give the files there, whether they seem changed or not."""
        found: set[str] = set()
        for place in map(self._own_name, places):
            folder, name = os.path.split(place)
            if place in self._folders:
                found |= self._relist(place)
            elif folder not in self._folders:
                # Below something new: the listing of what is above finds it, if it belongs here.
                above = self._known_above(folder)
                found |= self._relist(above) if above else set()
            elif self._wanted.fullmatch(name):
                known = place in self.files
                self._update_file(place)
                if known or place in self.files:
                    found.add(place)
            elif name not in _SKIPPED_FOLDERS:
                found.update(self._walk_if_folder(place))
        return self._note_changed(found)

    def identities(self) -> tuple[tuple[int, int], ...]:
        """Tell the roots apart from others that take their place."""
        return tuple(identity_of(root) for root in self._roots)

    def _note_changed(self, changed: set[str]) -> set[str]:
        now = self._clock()
        self._hot.update(dict.fromkeys(changed & self.files.keys(), now))
        return changed

    def _update_file(self, path: str) -> bool:
        """Look at one file; tell whether it changed."""
        known = self.files.get(path)
        seen = _stamp_file(path)
        if seen is not None:
            self.files[path] = seen
            if known is None:
                self._inside.setdefault(_parent_of(path), set()).add(path)
        elif known is not None:
            del self.files[path]
            self._inside[_parent_of(path)].discard(path)
            self._hot.pop(path, None)
        return known != seen

    def _own_name(self, place: str) -> str:
        """Name a place as we do: the system may report it under its real path."""
        if _parent_of(place) in self._folders or place in self._folders:
            return place
        for root in self._roots:
            real = os.path.realpath(root)
            if real != root and place.startswith(real + os.sep):
                return root + place[len(real) :]
        folder = os.path.realpath(_parent_of(place))
        return os.path.join(folder, os.path.basename(place)) if folder in self._folders else place

    def _session_of(self, place: str) -> str:
        """Name what a session's file and its folder have in common; empty for what is above."""
        for root in self._roots:
            if place.startswith(root + os.sep):
                parts = place[len(root) + 1 :].split(os.sep, 2)
                return os.sep.join(parts[:2]).removesuffix(".jsonl") if len(parts) > 1 else ""
        return ""

    def _known_above(self, folder: str) -> str | None:
        while folder not in self._folders:
            above = _parent_of(folder)
            if above == folder or not folder.startswith(self._roots):
                return None
            folder = above
        return folder

    def _relist(self, folder: str) -> set[str]:
        """List one folder again; what is new in it is walked, what is gone is forgotten."""
        if _folder_mark(folder) is None:
            return self._forget(folder)
        missing = set(self._inside.get(folder, ()))
        subfolders = {known for known in self._folders if _parent_of(known) == folder}
        found: set[str] = set()
        for entry in self._list_folder(folder):
            if entry.path in subfolders:
                subfolders.discard(entry.path)
            elif self._wanted.fullmatch(entry.name):
                missing.discard(entry.path)
                if self._update_file(entry.path):
                    found.add(entry.path)
            elif entry.name not in _SKIPPED_FOLDERS:
                found.update(self._walk_if_folder(entry.path))
        found |= {path for path in missing if self._update_file(path)}
        for gone in subfolders:
            found |= self._relist(gone)
        return found

    def _forget(self, folder: str) -> set[str]:
        """Drop a folder that is gone, and what was in it."""
        inside = folder + os.sep
        gone: set[str] = set()
        for known in [f for f in self._folders if f == folder or f.startswith(inside)]:
            gone |= {path for path in set(self._inside.get(known, ())) if self._update_file(path)}
            del self._folders[known]
        return gone

    def _walk_if_folder(self, folder: str) -> Iterator[str]:
        """Walk a place that may be a folder we belong into."""
        if self._may_enter(folder):
            yield from self._walk(folder)

    def _may_enter(self, folder: str) -> bool:
        try:
            status = os.stat(folder)
            link = os.path.islink(folder)
        except (OSError, ValueError):
            return False
        if not S_ISDIR(status.st_mode):
            return False
        if not link:
            return True
        # A project's folder may be a link; it is not followed where it leads back here.
        above = _parent_of(folder)
        others = (
            known for known in self._folders if known in self._roots or _parent_of(known) == above
        )
        identity = identity_in(status)
        return above in self._roots and all(identity_of(known) != identity for known in others)

    def _walk(self, top: str) -> Iterator[str]:
        """List a folder and all below it; give the files that were not known like this."""
        waiting = [(top, 0)]
        while waiting:
            folder, depth = waiting.pop()
            if folder in self._folders or (depth and not self._may_enter(folder)):
                continue
            below: list[os.DirEntry[str]] = []
            for entry in self._list_folder(folder):
                if self._wanted.fullmatch(entry.name):
                    if self._update_file(entry.path):
                        yield entry.path
                elif entry.name not in _SKIPPED_FOLDERS and depth < _DEEPEST:
                    below.append(entry)
            # Real folders before links to them.
            below.sort(key=lambda entry: (entry.is_symlink(), entry.name), reverse=True)
            waiting += [(entry.path, depth + 1) for entry in below]

    def _list_folder(self, folder: str) -> list[os.DirEntry[str]]:
        """List a folder; its mark is taken first, so that no change in between is missed."""
        mark = _folder_mark(folder)
        if mark is None:
            return []
        self._folders[folder] = mark
        try:
            with os.scandir(folder) as listing:
                return list(listing)
        except OSError:
            return []


def _parent_of(path: str) -> str:
    return os.path.dirname(path)


def _stamp_file(path: str) -> FileStamp | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if not S_ISREG(status.st_mode):
        return None
    return FileStamp(status.st_ino, status.st_size, status.st_mtime_ns)


def _folder_mark(folder: str) -> tuple[int, int] | None:
    """Give what changes when a folder's listing does; None where there is no folder."""
    try:
        status = os.stat(folder)
    except (OSError, ValueError):
        return None
    return (status.st_ino, status.st_mtime_ns) if S_ISDIR(status.st_mode) else None
