"""Reading everything into the index, in a thread, and saying how far that is.

When all of it is read, the sums that reports need are made behind, by another process.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from bough.errors import BoughError, ClaudeFolderNotFound
from bough.library import BackgroundSums, IndexAccess
from bough.web.wire.about import IndexState, IndexStatus

_OFTEN: Final = 0.25
_AGAIN: Final = 3.0
_SURE: Final = 1.0
"""After so many seconds, the time that is left can be guessed."""

OnStatus = Callable[[IndexStatus], None]


class IndexUpdater:
    """Brings the index up to date once; `done` is set when it is, or cannot be.

    `heard` is told how far it is; `read` is called when everything is in, before that is said.
    """

    def __init__(
        self,
        source: IndexAccess,
        files: Callable[[], int],
        heard: OnStatus,
        read: Callable[[], None],
    ) -> None:
        self._source = source
        self._files = files
        self._on_read = read
        self._number = 0
        self._found_nothing = False
        self._complained = False
        self._on_status = heard
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._sums = BackgroundSums(source.index_path)
        self._started = 0.0
        self._published_at = 0.0
        self.done = threading.Event()
        self.usable = False
        """Whether lists may ask the index, be it whole or not."""
        self.status = IndexStatus("none", 0, 0, None, None)

    def start(self) -> None:
        """Begin, unless it has begun."""
        with self._lock:
            if self._thread is None:
                self._started = time.monotonic()
                self.usable = True
                self._number = self._files()
                self._thread = threading.Thread(target=self._run, name="bough-read", daemon=True)
                self._publish(IndexStatus("building", 0, 0, None, None))
                self._thread.start()

    def retry(self) -> None:
        """Begin again, where there was nothing to read when it began."""
        if self._found_nothing and self.done.is_set():
            self._found_nothing = False
            self.done.clear()
            self._thread = None
            self.start()

    def stop(self) -> None:
        """Make no sums any longer; what is being read ends with the process."""
        self._sums.stop()

    def complain(self, sentence: str) -> None:
        """Note why the index lacks something."""
        self._complained = True
        self._publish(replace(self.status, state="partial", sentence=sentence))

    def recover(self) -> None:
        """Note that the index has something new: what was complained of is over."""
        if self._complained:
            self._complained = False
            self._publish(replace(self.status, state="ready", sentence=None))

    def _run(self) -> None:
        try:
            lacking = self._refresh()
            self.done.set()
            while lacking:  # another bough writes it; when that is done, so are we
                time.sleep(_AGAIN)
                lacking = self._refresh()
            if not self._source.is_team:
                self._sums.run()
        except ClaudeFolderNotFound:
            self.usable = False
            self._found_nothing = True
            self._publish(IndexStatus("none", 0, 0, None, None))
        except BoughError as error:
            self.usable = False
            self._publish(IndexStatus("none", 0, 0, None, error.message))
        finally:
            self.done.set()

    def _refresh(self) -> str | None:
        """Read what is new; give what is lacking, in a sentence."""
        with self._source.open_handle(fresh=True, progress=self._note_progress) as handle:
            lacking = handle.partial
        self._on_read()
        state: IndexState = "partial" if lacking else "ready"
        self._publish(IndexStatus(state, self._number, self._number, None, lacking))
        return lacking

    def _note_progress(self, done: int, total: int) -> None:
        """Take in how many bytes were read; people count sessions."""
        now = time.monotonic()
        share = done / total if total else 1.0
        passed = now - self._started
        left = round(passed / share * (1 - share), 1) if share and passed > _SURE else None
        status = IndexStatus("building", int(self._number * share), self._number, left, None)
        if now - self._published_at >= _OFTEN:
            self._publish(status)
        else:
            self.status = status

    def _publish(self, status: IndexStatus) -> None:
        self.status = status
        self._published_at = time.monotonic()
        self._on_status(status)
