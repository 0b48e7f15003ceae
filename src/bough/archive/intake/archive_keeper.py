"""Keeping the archive current while something is watched.

The bytes that were read for the watch are queued and written by a thread of its own: when there
are 256 kB of them, after a minute, and at the end. Nobody waits for the disk. What cannot be held
is read from its file later, and so is what another bough that writes the archive left out. Files
that lie elsewhere below a Claude folder are taken when they appear: clients remove them early.
Every hour everything is looked at: for what the system did not tell of, and to seal what rests.
Where the archive cannot be written that is said once, and tried again every minute.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bough.archive.intake.automatic_folder import find_automatic_folder, remember_archive
from bough.config import is_archive_automatic
from bough.errors import BoughError
from bough.files.byte_source import FileStretch
from bough.files.watcher import Watcher

if TYPE_CHECKING:
    from bough.archive.intake.take_in import ArchiveUpdate

ENOUGH_BYTES: Final = 256 * 1024
LONGEST_WAIT: Final = 60.0
EVERYTHING_EVERY: Final = 3600.0
COMPANION_FOLDERS: Final = (
    "todos",
    "tasks",
    "file-history",
    "plans",
    "paste-cache",
    "image-cache",
)
_COMPANION_NAMES: Final = re.compile(r"(?!\.)[^.@]+[.@].+")
"""Files there have an ending or a version in their names, folders do not."""
_MOST_HELD: Final = 8 * 1024 * 1024
_TICK: Final = 1.0
_SOON: Final = 0.2
_PATIENCE: Final = 5.0
_KINDER: Final = 5


class _StoppedError(BoughError):
    """Say that the keeper was closed while it looked through everything."""


class ArchiveKeeper:
    """Brings what was noticed into the archive, in a thread of its own; close it when done.

    `complain` is told once when the archive cannot be kept, and why. Whether a person wants one is
    looked at every second: the answer counts at once.
    """

    def __init__(
        self,
        claude_dirs: Sequence[Path],
        complain: Callable[[str], None],
        *,
        begin: threading.Event | None = None,
        longest_wait: float = LONGEST_WAIT,
        everything_every: float = EVERYTHING_EVERY,
    ) -> None:
        """Begin, once `begin` is set: before that others need the processor more."""
        self._claude_dirs = tuple(claude_dirs)
        self._complain = complain
        self._complained = False
        self._begin = begin
        self._longest_wait = longest_wait
        self._everything_every = everything_every
        self._is_on = is_archive_automatic()
        self._lock = threading.Lock()
        self._noticed: set[str] = set()
        self._stretches: list[FileStretch] = []
        self._held = 0
        self._due: float | None = None
        self._everything_due = time.monotonic()
        self._has_seen_everything = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bough-archive", daemon=True)
        self._thread.start()

    def add_stretch(self, stretch: FileStretch) -> None:
        """Take over bytes that were read; they are written later."""
        if not self._is_on:
            return
        with self._lock:
            self._note([stretch.path])
            if self._held < _MOST_HELD:
                self._stretches.append(stretch)
                self._held += len(stretch.data)

    def note_changed(self, paths: Iterable[str]) -> None:
        """Remember files that changed."""
        if self._is_on:
            with self._lock:
                self._note(paths)

    @property
    def is_settled(self) -> bool:
        """Tell whether all that was there has been looked at, and nothing waits to be written."""
        with self._lock:
            return self._is_on and self._has_seen_everything and not self._noticed

    def close(self) -> None:
        """Write what is queued, and stop."""
        self._stop.set()
        # Whoever ends the process does not wait longer; what is not written yet is in the files.
        self._thread.join(_PATIENCE)

    def _note(self, paths: Iterable[str]) -> None:
        self._noticed.update(paths)
        if self._due is None and self._noticed:
            self._due = time.monotonic() + self._longest_wait

    def _run(self) -> None:
        _step_back()
        while self._begin is not None and not self._begin.is_set() and not self._stop.wait(_SOON):
            pass
        watcher: Watcher | None = None
        try:
            while not self._stop.is_set():
                self._is_on = is_archive_automatic()
                if self._is_on != (watcher is not None):
                    watcher = self._change_watcher(watcher)
                if watcher is None:
                    self._stop.wait(_TICK)
                    continue
                if time.monotonic() >= self._everything_due:
                    self._take_everything()
                self.note_changed(watcher.wait(_TICK))
                if self._is_due():
                    self._write_queue()
            if self._is_on:
                self._write_queue()
        finally:
            if watcher is not None:
                watcher.close()

    def _change_watcher(self, watcher: Watcher | None) -> Watcher | None:
        """Begin or end to look at what lies beside the projects."""
        if watcher is not None:
            watcher.close()
            self._take_queue()
            return None
        self._everything_due, self._has_seen_everything = time.monotonic(), False
        roots = [place / name for place in self._claude_dirs for name in COMPANION_FOLDERS]
        return Watcher(roots, stop=self._stop, wanted=_COMPANION_NAMES)

    def _is_due(self) -> bool:
        with self._lock:
            is_late = self._due is not None and time.monotonic() >= self._due
            return is_late or self._held >= ENOUGH_BYTES

    def _take_queue(self) -> tuple[set[str], list[FileStretch]]:
        with self._lock:
            found = self._noticed, self._stretches
            self._noticed, self._stretches, self._held, self._due = set(), [], 0, None
        return found

    def _take_everything(self) -> None:
        """Look through all there is: nobody watched until now, or not everything was told."""
        from bough.archive.intake.take_in import take_in  # noqa: PLC0415 - only whoever wants an archive

        def check_stop(_done: int, _all: int) -> None:
            if self._stop.is_set():
                raise _StoppedError("The archive was stopped.")

        def take() -> None:
            folder = find_automatic_folder(self._claude_dirs)
            self._note_behind(take_in(folder, self._claude_dirs, progress=check_stop))
            remember_archive(folder)

        done = self._try(take)
        self._has_seen_everything |= done
        pause = self._everything_every if done else self._longest_wait
        self._everything_due = time.monotonic() + pause

    def _write_queue(self) -> None:
        from bough.archive.intake.take_in import take_in_changes  # noqa: PLC0415 - as above

        noticed, stretches = self._take_queue()
        if not noticed:
            return

        def take() -> None:
            folder = find_automatic_folder(self._claude_dirs)
            done = take_in_changes(folder, self._claude_dirs, noticed, stretches)
            self._note_behind(done)

        if not self._try(take):
            with self._lock:
                self._note(noticed)

    def _note_behind(self, done: "ArchiveUpdate") -> None:
        """Look again later at files whose last line has no end yet."""
        with self._lock:
            self._note(done.behind)

    def _try(self, take: Callable[[], None]) -> bool:
        """Write; tell whether that was possible. Another bough at it is nothing to complain of."""
        from bough.archive.storage.archive_catalog import ArchiveBusy  # noqa: PLC0415 - as above

        try:
            take()
        except (ArchiveBusy, _StoppedError):
            return False
        except BoughError as error:
            if not self._complained:
                self._complained = True
                self._complain(error.message)
            return False
        return True


def _step_back() -> None:
    """Let others go first, where a system lets a single thread do so."""
    if hasattr(os, "setpriority") and os.name == "posix" and os.uname().sysname == "Linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _KINDER)
