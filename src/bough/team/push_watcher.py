"""What `push --watch` has to look at again: the files that changed, and now and then everything.

Between two looks at everything only the sessions of changed files are listed, compared and sent.
What nobody tells of (an ignore file, a long output that came late, another network) is found by
the next whole look.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Final

from bough.files.watcher import Watcher

_WHOLE_EVERY: Final = 600.0
"""Seconds between two looks at everything."""
_GATHERED: Final = 1.0
"""Seconds in which changes are gathered: a turn writes many lines."""


class PushWatcher:
    """Waits for something to send; close it when done."""

    def __init__(
        self, folders: Sequence[Path], stop: Event, *, whole_every: float = _WHOLE_EVERY
    ) -> None:
        """Watch the projects of Claude folders until `stop` is set."""
        self._stop = stop
        self._watcher = Watcher([folder / "projects" for folder in folders], stop=stop)
        self._whole_every = whole_every
        self._whole_at = 0.0
        self._changed: set[str] = set()

    def close(self) -> None:
        """Stop watching."""
        self._watcher.close()

    def take_changes(self) -> frozenset[str] | None:
        """Give the files that changed; None where all are to be looked at.

        They are given again until `finish` says that they were sent.
        """
        return None if time.monotonic() >= self._whole_at else frozenset(self._changed)

    def finish(self, sent: frozenset[str] | None) -> None:
        """Note that these changes were sent, or everything."""
        if sent is None:
            self._whole_at = time.monotonic() + self._whole_every
            self._changed.clear()
        else:
            self._changed -= sent

    def wait(self, timeout: float) -> bool:
        """Wait until there is something to look at, at most so long; tells whether there is."""
        left = max(self._whole_at - time.monotonic(), 0.0)
        found = self._watcher.wait(min(timeout, left))
        if found:
            self._changed |= found
            self._stop.wait(_GATHERED)
            self._changed |= self._watcher.wait(0.0)
        return bool(self._changed) or time.monotonic() >= self._whole_at
