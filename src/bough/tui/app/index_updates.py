"""The index brought up to date behind the app, and how far that is in words.

Then the sums that reports need are made, so that nobody waits for them.
"""

from time import monotonic
from typing import TYPE_CHECKING, Final

from bough.errors import BoughError
from bough.library import BackgroundRefresh, BackgroundSums
from bough.model.text.formats import format_duration, format_percent

if TYPE_CHECKING:
    from bough.tui.app.app import Bough

_BETWEEN: Final = 0.2
_ENOUGH: Final = 2.0
"""Before so many seconds nobody can say how long the rest takes."""


class IndexUpdateTask:
    """One refresh of the index; `stop` ends it."""

    def __init__(self, app: "Bough") -> None:
        self._app = app
        self._refresh_task = BackgroundRefresh(app.source.dirs, app.source.index)
        self._sums = BackgroundSums(app.source.index_path)
        self._started_at = 0.0
        self._reported_at = 0.0

    def run(self) -> None:
        """Read what is new, in a worker; the app is told how far it is and how it ended."""
        app = self._app
        self._started_at = monotonic()
        try:
            lacking = self._refresh_task.run(self._report_progress)
        except BoughError as error:
            app.call_safely(app.show_notice, error.message, "error")
            app.call_safely(app.show_indexing, "")
            return
        app.index_done.set()
        app.call_safely(app.reload_from_index, lacking)
        if not app.source.is_team:
            self._sums.run()

    def stop(self) -> None:
        """Give up; the next run goes on where this one was."""
        self._refresh_task.stop()
        self._sums.stop()

    def _report_progress(self, done: int, total: int) -> None:
        now = monotonic()
        if now - self._reported_at >= _BETWEEN:
            self._reported_at = now
            words = describe_progress(done, total, now - self._started_at)
            self._app.call_safely(self._app.show_indexing, words)


def describe_progress(done: int, total: int, seconds: float) -> str:
    """Say how far the index is, and how long the rest takes where that can be said."""
    if done >= total:
        return ""
    words = f"Indexing {format_percent(done / total)}"
    if seconds < _ENOUGH or not done:
        return words
    return f"{words}, {format_duration(max(1.0, round((total - done) / done * seconds)))} left"
