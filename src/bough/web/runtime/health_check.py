"""Looking through all sessions for what is wrong with them, once a person asks for it.

It takes as long as reading every file, so it runs in the background and what is found is given
out meanwhile. A file that did not change since is not read again.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from bough.library import HealthReport, report_health_of_files

_log: Final = logging.getLogger(__name__)

CheckState = Literal["none", "running", "ready"]
Stamp = tuple[int, int]


class HealthSnapshot(Struct, frozen=True):
    """How far the check is, and what was found in each file so far."""

    state: CheckState
    checked: int
    total: int
    found: Sequence[HealthReport]


class HealthCheck:
    """One check at a time; `files` lists the sessions, the newest first."""

    def __init__(self, files: Callable[[], Sequence[Path]]) -> None:
        self._files = files
        self._lock = threading.Lock()
        self._known: dict[str, tuple[Stamp, HealthReport]] = {}
        self._state: CheckState = "none"
        self._order: Sequence[Path] = ()
        self._closed = False

    def start(self) -> None:
        """Begin, unless it runs."""
        with self._lock:
            if self._state == "running":
                return
            self._state = "running"
            self._order = ()
        threading.Thread(target=self._run, name="bough-health", daemon=True).start()

    def close(self) -> None:
        """Stop looking."""
        self._closed = True

    def snapshot(self) -> HealthSnapshot:
        """Give what is known now."""
        with self._lock:
            known = [self._known.get(str(file)) for file in self._order]
            found = [one[1] for one in known if one is not None]
            return HealthSnapshot(self._state, len(found), len(self._order), found)

    def _run(self) -> None:
        try:
            self._look_through(self._files())
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("The check of all sessions failed.")
        with self._lock:
            self._state = "ready"

    def _look_through(self, files: Sequence[Path]) -> None:
        stamps = {str(file): _stamp(file) for file in files}
        with self._lock:
            kept = {path: one for path, one in self._known.items() if stamps.get(path) == one[0]}
            self._known = kept
            self._order = files
            fresh = [file for file in files if str(file) not in kept]
        if not fresh:
            return
        for file, report in zip(fresh, report_health_of_files(fresh), strict=True):
            with self._lock:
                self._known[str(file)] = (stamps[str(file)], report)
            if self._closed:
                return


def _stamp(file: Path) -> Stamp:
    try:
        stat = file.stat()
    except OSError:
        return (-1, -1)
    return (stat.st_size, stat.st_mtime_ns)
