"""The index brought up to date behind the app, and how far that is in words."""

from time import monotonic
from typing import TYPE_CHECKING, Final

from bough.errors import BoughError
from bough.query.index.background_refresh import Refreshing
from bough.tui.style.style import duration, share

if TYPE_CHECKING:
    from bough.tui.app.app import Bough

_BETWEEN: Final = 0.2
_ENOUGH: Final = 2.0
"""Before so many seconds nobody can say how long the rest takes."""


class Indexing:
    """One refresh of the index; `stop` ends it."""

    def __init__(self, app: "Bough") -> None:
        self._app = app
        self._work = Refreshing(app.source.dirs, app.source.index)
        self._started = 0.0
        self._said = 0.0

    def run(self) -> None:
        """Read what is new, in a worker; the app is told how far it is and how it ended."""
        app = self._app
        self._started = monotonic()
        try:
            lacking = self._work.run(self._progress)
        except BoughError as error:
            app.call_safely(app.tell, error.message, "error")
            app.call_safely(app.say_indexing, "")
            return
        app.index_done.set()
        app.call_safely(app.indexed, lacking)

    def stop(self) -> None:
        """Give up; the next run goes on where this one was."""
        self._work.stop()

    def _progress(self, done: int, total: int) -> None:
        now = monotonic()
        if now - self._said >= _BETWEEN:
            self._said = now
            words = how_far(done, total, now - self._started)
            self._app.call_safely(self._app.say_indexing, words)


def how_far(done: int, total: int, seconds: float) -> str:
    """Say how far the index is, and how long the rest takes where that can be said."""
    if done >= total:
        return ""
    words = f"Indexing {share(done / total)}"
    if seconds < _ENOUGH or not done:
        return words
    return f"{words}, {duration(max(1.0, round((total - done) / done * seconds)))} left"
