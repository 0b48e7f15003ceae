"""One long piece of work on the archive at a time, in a thread of its own, for the two apps.

Taking in and verifying say how far they are, and can be stopped between two files: what was
written until then stays.
"""

import logging
import threading
from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from bough.archive.reports.sentences import describe_update, describe_verification
from bough.errors import BoughError
from bough.library.archive.archive_functions import archive_sessions, verify_archive
from bough.library.parameters import ClaudeDir

_log: Final = logging.getLogger(__name__)

ArchiveJobKind = Literal["", "keep", "verify"]
ArchiveJobState = Literal["none", "running", "done", "cancelled", "failed"]


class ArchiveProgress(Struct, frozen=True, kw_only=True):
    """How far a piece of work is; once it ended, `sentence` says what came of it."""

    kind: ArchiveJobKind = ""
    state: ArchiveJobState = "none"
    done: int = 0
    total: int = 0
    sentence: str = ""


class ArchiveJob:
    """Works on the archive of some Claude folders; `ended` is called in the thread of the work."""

    def __init__(self, claude_dir: ClaudeDir, ended: Callable[[], None] | None = None) -> None:
        self._dirs = claude_dir
        self._ended = ended
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._progress = ArchiveProgress()

    @property
    def progress(self) -> ArchiveProgress:
        """Tell how far it is."""
        return self._progress

    def start(self, kind: Literal["keep", "verify"]) -> bool:
        """Begin, unless something runs already; tell whether it began."""
        with self._lock:
            if self._progress.state == "running":
                return False
            self._stop.clear()
            self._progress = ArchiveProgress(kind=kind, state="running")
        threading.Thread(target=self._run, args=(kind,), name="bough-keep", daemon=True).start()
        return True

    def cancel(self) -> None:
        """Stop at the next file."""
        self._stop.set()

    def _run(self, kind: Literal["keep", "verify"]) -> None:
        state: ArchiveJobState = "done"
        try:
            sentence = self._keep() if kind == "keep" else self._verify()
        except _CancelledError:
            state, sentence = "cancelled", "Stopped. What was done until then stays."
        except BoughError as error:
            state, sentence = "failed", error.message
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("Work on the archive failed.")
            state, sentence = "failed", "That did not work; the log says why."
        self._progress = ArchiveProgress(
            kind=kind,
            state=state,
            done=self._progress.done,
            total=self._progress.total,
            sentence=sentence,
        )
        if self._ended is not None:
            self._ended()

    def _keep(self) -> str:
        return describe_update(archive_sessions(self._dirs, progress=self._note))

    def _verify(self) -> str:
        return describe_verification(verify_archive(progress=self._note))

    def _note(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise _CancelledError
        self._progress = ArchiveProgress(
            kind=self._progress.kind, state="running", done=done, total=total
        )


class _CancelledError(Exception):
    """Say that nobody wants the work any more."""
