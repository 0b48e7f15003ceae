"""What the pages of a team are told of pushes: which sessions are new, or went on.

The state of the store is asked for every few seconds, for those members whose pages listen; only
where it is another one are files looked through. So nothing of the database is needed that some
engines do not have, and everybody is told of what they may see, by their own connection.
"""

import contextvars
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bough.errors import BoughError
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.wire.live_events import ChangeEvent, ResetEvent

if TYPE_CHECKING:
    from bough.web.team.member_states import MemberState

LOOK_EVERY: Final = 3.0
"""So many seconds pass between two looks."""
_MOST_EVENTS: Final = 200
"""After more at once, as of a first push, pages ask for everything again."""
_log: Final = logging.getLogger(__name__)


class PushUpdates:
    """What one member was told of last."""

    def __init__(self, state: "MemberState") -> None:
        self._state = state
        self._mark = b""
        self._files: Mapping[str, tuple[int, int]] | None = None

    def look(self) -> None:
        """Tell the pages what was pushed since the last look; the first look only remembers."""
        state = self._state
        state.choose_sources()
        state.notes.look()
        with state.source.open_handle() as handle:
            mark = handle.store.state()
            if mark == self._mark:
                return
            rows = handle.store.session_files()
        before, self._files = self._files, {row.path: (row.size, row.mtime_ns) for row in rows}
        self._mark = mark
        state.session_ids.invalidate(surely=True)
        # Lists tell of themselves where they are others than they were.
        state.list_cache.refresh()
        if before is not None:
            state.publish(_limit_events(self._make_events(before, self._files)))

    def _make_events(
        self, before: Mapping[str, tuple[int, int]], now: Mapping[str, tuple[int, int]]
    ) -> Iterator[ServerEvent]:
        ids = self._state.session_ids
        for path, (size, mtime_ns) in now.items():
            if before.get(path) != (size, mtime_ns):
                revision = f"{size}-{mtime_ns}"
                found = ChangeEvent(ids.id_of(path), Path(path).parent.name, None, revision)
                yield ServerEvent("change", found)


class PushWatch:
    """Looks for all whose pages listen, until it is stopped."""

    def __init__(self, list_heard: Callable[[], "Iterable[MemberState]"]) -> None:
        self._list_heard = list_heard
        self._known: dict[MemberState, PushUpdates] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to look."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name="bough-pushes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.wait(LOOK_EVERY):
            try:
                heard = list(self._list_heard())
                self._known = {one: self._known.get(one) or PushUpdates(one) for one in heard}
                for updates in self._known.values():
                    contextvars.copy_context().run(updates.look)
            except BoughError as error:
                # The database is away for a while; pages that ask are told so.
                _log.info("%s", error)
            except Exception:  # noqa: BLE001 - it has to go on looking
                _log.exception("looking for pushes")


def _limit_events(events: Iterable[ServerEvent]) -> list[ServerEvent]:
    found = list(events)
    if len(found) > _MOST_EVENTS:
        return [ServerEvent("reset", ResetEvent("Much was pushed at once."))]
    return found
