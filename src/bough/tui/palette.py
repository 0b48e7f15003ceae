"""The palette: every key of the screen by its words, sessions, and a search last.

Titles come from transcripts, so nothing here passes through markup.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from bough.tui.keys import shown
from bough.tui.looks import fit, one_line
from bough.tui.overriding import override
from bough.tui.place import Place

if TYPE_CHECKING:
    from bough.tui.app import Bough


class Commands(Provider):
    """What can be done here, and where one can go."""

    @property
    def _place(self) -> Place | None:
        return self.screen if isinstance(self.screen, Place) else None

    @override
    async def discover(self) -> Hits:
        """List what can be done before anything is typed."""
        for words, act in self._actions():
            yield DiscoveryHit(Content(words), act, text=words)

    @override
    async def search(self, query: str) -> Hits:
        """Find actions, then sessions; a search of everything is the last."""
        matcher = self.matcher(query)
        for words, act in [*self._actions(), *self._sessions()]:
            score = matcher.match(words)
            if score > 0:
                yield Hit(score, Content(words), act, text=words)
        place = self._place
        if place is not None:
            words = f"Search for {one_line(query)}"
            yield Hit(0.001, Content(words), partial(_search, place.bough, query), text=words)

    def _actions(self) -> list[tuple[str, Callable[[], object]]]:
        place = self._place
        if place is None:
            return []
        found: list[tuple[str, Callable[[], object]]] = []
        for key in place.bough.keymap.keys:
            if key.keys and place.can(key.name) and key.name not in ("down", "up", "palette"):
                words = f"{key.does[:1].upper()}{key.does[1:]}   {shown(key.keys[0])}"
                found.append((words, partial(place.do, key.name)))
        return found

    def _sessions(self) -> list[tuple[str, Callable[[], object]]]:
        place = self._place
        if place is None:
            return []
        from bough.tui.screens.home import Home  # noqa: PLC0415 - it imports the palette's parts

        home = next((s for s in place.bough.screen_stack if isinstance(s, Home)), None)
        rows = home.recent if home is not None else ()
        return [
            (
                f"{fit(one_line(row.title), 60)}   {row.id[:8]}",
                partial(_read, place.bough, row.path),
            )
            for row in rows
        ]


def _read(app: "Bough", path: str) -> None:
    from bough.tui.screens.conversation import Conversation  # noqa: PLC0415

    app.open(Conversation(path))


def _search(app: "Bough", words: str) -> None:
    from bough.tui.screens.search import Search  # noqa: PLC0415

    app.open(Search(words))
