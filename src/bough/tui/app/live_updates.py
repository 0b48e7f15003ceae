"""The ear: a thread that follows the live sessions and tells the app what happens."""

import threading
from typing import TYPE_CHECKING, Final

from bough.errors import BoughError
from bough.query.live.running_sessions import RECENT
from bough.query.live.stream import open_stream
from bough.store.protocol import Store
from bough.tui.style.style import now

if TYPE_CHECKING:
    from bough.tui.app.app import Bough

_TICK: Final = 1.0


class LiveUpdatesThread:
    """Listens until it is stopped."""

    def __init__(self, app: "Bough") -> None:
        self._app = app
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to listen."""
        self._thread = threading.Thread(target=self._follow_live, name="bough-ear", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening, and wait for the end of what is being read."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2 * _TICK)

    def _open_store(self) -> Store:
        """Open the index, but only once it is whole: it has one writer at a time."""
        while not self._app.index_done.wait(_TICK) and not self._stop.is_set():
            pass
        return self._app.source.open_handle().store

    def _follow_live(self) -> None:
        app = self._app
        try:
            since = now() - RECENT
            with open_stream(
                app.source.dirs,
                since=since,
                stop=self._stop,
                store=self._open_store,
                complain=lambda words: app.call_safely(app.show_notice, words, "warning"),
            ) as stream:
                past = stream.past()
                app.call_safely(app.update_live, stream.sessions(), past)
                while not self._stop.is_set():
                    events = stream.next(_TICK)
                    if self._stop.is_set():
                        return
                    app.call_safely(app.update_live, stream.sessions(), events)
        except (BoughError, OSError) as error:
            app.call_safely(
                app.show_notice, f"Live sessions cannot be followed: {error}", "warning"
            )
