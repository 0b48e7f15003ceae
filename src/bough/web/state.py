"""What the web app holds while it runs: the folders, the index, who listens, what is open."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from bough.query.usage.time_zones import Local
from bough.web.open_sessions.cache import Rooms
from bough.web.runtime import consent as kept
from bough.web.runtime.broadcaster import Hub, Told
from bough.web.runtime.index_access import Source
from bough.web.runtime.index_updates import Indexing
from bough.web.runtime.list_cache import Gathered, Shelves
from bough.web.runtime.live_updates import Ear
from bough.web.runtime.session_ids import Catalogue
from bough.web.runtime.status_cache import Standings
from bough.web.runtime.thread_pool import Workers
from bough.web.wire.about import IndexStatus
from bough.web.wire.live_events import IndexEvent

_ASKING = 6
_SEARCHING = 2
_BEHIND = 2


class House:
    """One start of the app; `open` it in the server's loop and `close` it there."""

    def __init__(
        self, dirs: Sequence[str] = (), index: str | None = None, *, token_needed: bool = False
    ) -> None:
        self.token_needed = token_needed
        self.source = Source(dirs, index)
        self.catalogue = Catalogue(dirs)
        self.workers = Workers(_ASKING, "bough-ask")
        self.searchers = Workers(_SEARCHING, "bough-search")
        self.behind = Workers(_BEHIND, "bough-behind")
        self.hub = Hub()
        self.indexing = Indexing(
            self.source,
            lambda: len(self.catalogue.entries()),
            self._index_moved,
            self._everything_read,
        )
        self.standings = Standings()
        self.shelves = Shelves(self.source, lambda: self.indexing.usable, self._lists_changed)
        self.ear = Ear(self.source, self.catalogue, self.indexing, self.tell, self._settled)
        self.rooms = Rooms(self.behind)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.ready = kept.is_ready(self.source.index_path)

    def open(self) -> None:
        """Begin to serve; what may be read is read."""
        self._loop = asyncio.get_running_loop()
        if self.ready:
            self._read()

    def close(self) -> None:
        """Stop: who listens is sent away, and nothing is followed any longer."""
        self.hub.close()
        self.ear.stop()
        self._loop = None

    def make_ready(self) -> None:
        """Take a person's word that their transcripts may be read."""
        kept.make_ready(self.source.index_path)
        if not self.ready:
            self.ready = True
            self._read()

    def lists(self) -> Gathered:
        """Give what lists show; nothing before a person agreed to it being read."""
        return self.shelves.now() if self.ready else Gathered()

    def tell(self, events: Sequence[Told]) -> None:
        """Tell the pages something, from any thread."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        loop.call_soon_threadsafe(self.hub.tell, events)

    def _read(self) -> None:
        self.indexing.start()
        self.ear.start()

    def _index_moved(self, status: IndexStatus) -> None:
        self.tell([Told("index", IndexEvent(status))])

    def _everything_read(self) -> None:
        """Let lists be complete before anybody is told so; the rest is learnt behind."""
        self.shelves.renew()
        rows = self.shelves.now().rows
        self.behind.send(lambda: self.standings.learn(rows))

    def _settled(self) -> None:
        """Bring lists up to date a while after something happened: the index needs a moment."""
        self.behind.send(self.shelves.settle)

    def _lists_changed(self) -> None:
        """Let pages ask for lists again."""
        self.indexing.recover()
        self.tell([Told("index", IndexEvent(self.indexing.status))])


def now() -> datetime:
    """Read the clock, in the machine's own zone."""
    return datetime.now(Local())
