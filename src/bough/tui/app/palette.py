"""The palette: every key of the screen by its words, sessions, projects, and a search last.

Titles come from transcripts, so nothing here passes through markup.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from bough.backports import override
from bough.terminal.text import fit, one_line
from bough.tui.keymap import format_press
from bough.tui.screens.base_screen import BaseScreen

if TYPE_CHECKING:
    from bough.library import Project, SessionRow
    from bough.tui.app.app import Bough

Choice = tuple[str, Callable[[], object]]
_ACTION, _SESSION, _PROJECT, _LAST = 1.0, 0.9, 0.9, 0.001
"""What stands higher among what fits equally well."""


class PaletteCommands(Provider):
    """What can be done here, and where one can go."""

    @property
    def _current_screen(self) -> BaseScreen | None:
        return self.screen if isinstance(self.screen, BaseScreen) else None

    @override
    async def discover(self) -> Hits:
        """List what can be done before anything is typed."""
        for words, act in self._list_actions():
            yield DiscoveryHit(Content(words), act, text=words)

    @override
    async def search(self, query: str) -> Hits:
        """Find actions, then sessions, then projects; a search of everything is the last."""
        matcher = self.matcher(query)
        offered = (
            (_ACTION, self._list_actions()),
            (_SESSION, self._list_sessions()),
            (_PROJECT, self._list_projects()),
        )
        for weight, choices in offered:
            for words, act in choices:
                score = matcher.match(words)
                if score > 0:
                    yield Hit(score * weight, Content(words), act, text=words)
        screen = self._current_screen
        if screen is not None:
            words = f"Search for {one_line(query)}"
            yield Hit(_LAST, Content(words), partial(_open_search, screen.bough, query), text=words)

    def _list_actions(self) -> list[Choice]:
        screen = self._current_screen
        if screen is None:
            return []
        found: list[Choice] = []
        words_here = screen.describe_keys()
        for key in screen.bough.keymap.keys:
            if key.keys and screen.can_do(key.name) and key.name not in ("down", "up", "palette"):
                does = words_here.get(key.name) or key.does
                words = f"{does[:1].upper()}{does[1:]}   {format_press(key.keys[0])}"
                found.append((words, partial(screen.do, key.name)))
        return found

    def _list_sessions(self) -> Iterator[Choice]:
        if self._current_screen is not None:
            app = self._current_screen.bough
            for row in app.sessions:
                words = f"{fit(one_line(row.title), 60)}   session {row.id[:8]}"
                yield words, partial(_open_session, app, row)

    def _list_projects(self) -> Iterator[Choice]:
        if self._current_screen is not None:
            app = self._current_screen.bough
            for project in app.projects:
                words = f"{fit(one_line(project.name), 60)}   project"
                yield words, partial(_open_project, app, project)


def _open_session(app: "Bough", row: "SessionRow") -> None:
    from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

    app.open(ConversationScreen(row.path, title=row.title))


def _open_project(app: "Bough", project: "Project") -> None:
    from bough.tui.screens.sessions import SessionsScreen  # noqa: PLC0415

    app.open(SessionsScreen(project))


def _open_search(app: "Bough", words: str) -> None:
    from bough.tui.screens.search import SearchScreen  # noqa: PLC0415

    app.open(SearchScreen(words))
