"""The palette: every key of the screen by its words, sessions, projects, and a search last.

Titles come from transcripts, so nothing here passes through markup.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from bough.tui.keymap import shown
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import fit, one_line

if TYPE_CHECKING:
    from bough.library import Project, SessionRow
    from bough.tui.app.app import Bough

Choice = tuple[str, Callable[[], object]]
_ACTION, _SESSION, _PROJECT, _LAST = 1.0, 0.9, 0.9, 0.001
"""What stands higher among what fits equally well."""


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
        """Find actions, then sessions, then projects; a search of everything is the last."""
        matcher = self.matcher(query)
        offered = (
            (_ACTION, self._actions()),
            (_SESSION, self._sessions()),
            (_PROJECT, self._projects()),
        )
        for weight, choices in offered:
            for words, act in choices:
                score = matcher.match(words)
                if score > 0:
                    yield Hit(score * weight, Content(words), act, text=words)
        place = self._place
        if place is not None:
            words = f"Search for {one_line(query)}"
            yield Hit(_LAST, Content(words), partial(_search, place.bough, query), text=words)

    def _actions(self) -> list[Choice]:
        place = self._place
        if place is None:
            return []
        found: list[Choice] = []
        for key in place.bough.keymap.keys:
            if key.keys and place.can(key.name) and key.name not in ("down", "up", "palette"):
                words = f"{key.does[:1].upper()}{key.does[1:]}   {shown(key.keys[0])}"
                found.append((words, partial(place.do, key.name)))
        return found

    def _sessions(self) -> Iterator[Choice]:
        if self._place is not None:
            app = self._place.bough
            for row in app.sessions:
                words = f"{fit(one_line(row.title), 60)}   session {row.id[:8]}"
                yield words, partial(_read, app, row)

    def _projects(self) -> Iterator[Choice]:
        if self._place is not None:
            app = self._place.bough
            for project in app.projects:
                words = f"{fit(one_line(project.name), 60)}   project"
                yield words, partial(_browse, app, project)


def _read(app: "Bough", row: "SessionRow") -> None:
    from bough.tui.screens.conversation.screen import Conversation  # noqa: PLC0415

    app.open(Conversation(row.path, title=row.title))


def _browse(app: "Bough", project: "Project") -> None:
    from bough.tui.screens.sessions import Sessions  # noqa: PLC0415

    app.open(Sessions(project))


def _search(app: "Bough", words: str) -> None:
    from bough.tui.screens.search import Search  # noqa: PLC0415

    app.open(Search(words))
