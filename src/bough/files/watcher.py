"""Which transcripts changed: as soon as the system tells, and by looking where it does not.

watchfiles tells within milliseconds. It can lose something: the queue of the system flows
over, a folder is filled before it is watched, a network disk tells nothing at all. So a
`Poller` glances at everything now and then, and where notification does not work, or
BOUGH_POLL is set, it does the whole work. The root folders may come later, or be removed
and made again. Whoever waits gets paths of transcripts, or of other names that are wanted; of all
other files the system's word is passed on, and nobody looks at them.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.files.poller import TRANSCRIPT_NAMES, FileStamp, Poller

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

POLL_VARIABLE: Final = "BOUGH_POLL"

# watchfiles sleeps so many milliseconds between looks at its queue, and looks twice before it
# tells. One costs two per cent of a core, so it is kept for times when something happens.
_STEPS: Final = ((1.0, 1), (60.0, 10))
_STEP_IDLE: Final = 20
_DEBOUNCE: Final = 10
_DELETED: Final = 3
_DEAF: Final = 3
"""So many glances in a row that find what nobody told: the system does not notify here."""


class PollPace(Struct, frozen=True):
    """How often to look, in seconds; and how many times longer to rest than a look takes."""

    scan_likely: float
    scan_all: float
    rest: float = 50.0


NOTIFIED: Final = PollPace(scan_likely=5.0, scan_all=60.0)
POLLING: Final = PollPace(scan_likely=0.1, scan_all=10.0, rest=20.0)
_ROOTS_EVERY: Final = 1.0


class Watcher:
    """Waits for changes below some folders; close it when done."""

    def __init__(
        self,
        roots: Sequence[Path],
        *,
        polling: bool | None = None,
        stop: threading.Event | None = None,
        wanted: re.Pattern[str] = TRANSCRIPT_NAMES,
        on_others: Callable[[Iterable[str]], None] | None = None,
    ) -> None:
        """Begin to watch; `on_others` is given the paths of other files that changed, as told."""
        self._on_others = on_others
        self.trouble: str | None = None
        """Why notification does not work, in words for people; None while it does."""
        self._roots = tuple(roots)
        self._stop = stop or threading.Event()
        self._poller = Poller(roots, wanted=wanted)
        self._notifier: RustNotify | None = None
        self._polling = is_polling_requested() if polling is None else polling
        self._pace = POLLING if self._polling else NOTIFIED
        self._heard_at = time.monotonic()
        self._notified: set[str] = set()
        self._deaf = 0
        self._due = dict.fromkeys(("roots", "glance", "look"), 0.0)
        # First listen, then look: what happens in between is reported twice, and not lost.
        self._identities: tuple[tuple[int, int], ...] = self._poller.identities()
        self._run_notifier()
        self._scan_timed("look", self._poller.scan_all)
        self._scan_timed("glance", set)
        self._due["roots"] = time.monotonic() + _ROOTS_EVERY

    @property
    def files(self) -> dict[str, FileStamp]:
        """Give every transcript that is there, as it was last seen."""
        return self._poller.files

    @property
    def polling(self) -> bool:
        """Tell whether changes are found by looking alone."""
        return self._polling

    def wait(self, timeout: float) -> set[str]:
        """Wait until files change, at most so many seconds; give the paths, also of those gone."""
        end = time.monotonic() + timeout
        while not self._stop.is_set():
            found = self._scan_if_due()
            now = time.monotonic()
            if found or now >= end:
                return found
            pause = min(end, *self._due.values()) - now
            if pause > 0 and (found := self._wait_for_notification(pause)):
                return found
        return set()

    def close(self) -> None:
        """Stop watching."""
        if self._notifier is not None:
            self._notifier.close()
            self._notifier = None

    def _wait_for_notification(self, pause: float) -> set[str]:
        if self._notifier is None:
            self._stop.wait(pause)
            return set()
        step, limit = self._choose_step(pause)
        try:
            changes = self._notifier.watch(_DEBOUNCE, step, max(1, int(limit * 1000)), self._stop)
        except (OSError, RuntimeError) as error:
            self._give_up(error)
            return set()
        if not isinstance(changes, set):
            if changes == "signal":
                raise KeyboardInterrupt
            return set()
        self._heard_at = time.monotonic()
        if any(kind == _DELETED and Path(path) in self._roots for kind, path in changes):
            # Whatever takes its place, even under the same inode, has to be listened to anew.
            self._identities, self._due["roots"] = (), 0.0
        places = {path for _, path in changes}
        found = self._poller.scan_paths(places)
        self._notified |= found
        if self._on_others is not None and (others := places - found):
            self._on_others(others)
        return found

    def _choose_step(self, pause: float) -> tuple[int, float]:
        """Choose how often watchfiles looks, and for how long: often while much is going on."""
        quiet = time.monotonic() - self._heard_at
        for until, step in _STEPS:
            if quiet < until:
                return step, min(pause, until - quiet)
        return _STEP_IDLE, pause

    def _scan_if_due(self) -> set[str]:
        now = time.monotonic()
        found: set[str] = set()
        if now >= self._due["roots"]:
            self._due["roots"] = now + _ROOTS_EVERY
            identities = self._poller.identities()
            if identities != self._identities:
                self._identities = identities
                self._run_notifier()
                found |= self._scan_timed("look", self._poller.scan_all)
        if now >= self._due["look"]:
            found |= self._scan_timed("look", self._poller.scan_all)
        elif now >= self._due["glance"]:
            missed = self._scan_timed("glance", self._poller.scan_likely)
            self._count_missed(missed)
            found |= missed
        return found

    def _scan_timed(self, name: str, look: Callable[[], set[str]]) -> set[str]:
        """Look, and rest as long as the look was dear."""
        started = time.monotonic()
        found = look()
        ended = time.monotonic()
        every = self._pace.scan_all if name == "look" else self._pace.scan_likely
        self._due[name] = ended + max(every, (ended - started) * self._pace.rest)
        return found

    def _count_missed(self, missed: set[str]) -> None:
        """Count how often the system kept silent; where it always does, rely on looking."""
        silent = bool(missed) and not self._notified
        self._deaf = self._deaf + 1 if silent else 0 if self._notified else self._deaf
        self._notified = set()
        if self._deaf >= _DEAF and self._notifier is not None:
            self._give_up(None)

    def _run_notifier(self) -> None:
        self.close()
        roots = [str(root) for root in self._roots if root.is_dir()]
        if self._polling or not roots:
            return
        try:
            from watchfiles._rust_notify import RustNotify  # noqa: PLC0415 - 60 ms, only to watch

            self._notifier = RustNotify(roots, False, False, 0, True, True)
        except (ImportError, OSError, RuntimeError) as error:
            self._give_up(error)

    def _give_up(self, error: Exception | None) -> None:
        """Go over to looking, for good."""
        self.close()
        why = str(error).partition("\n")[0] if error else "changes come without notice"
        self.trouble = f"The system does not tell of changes ({why}); bough looks for them."
        self._polling = True
        self._pace = POLLING
        self._due.update(dict.fromkeys(("glance", "look"), time.monotonic()))


def is_polling_requested() -> bool:
    """Tell whether the environment asks for looking instead of notification."""
    return os.environ.get(POLL_VARIABLE, "").strip().lower() not in ("", "0", "no", "false")
