"""The keys that work on every screen, and those that were typed before there was one."""

import re
import unicodedata
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events
from textual.app import App
from textual.command import CommandPalette
from textual.keys import KEY_NAME_REPLACEMENTS
from textual.screen import Screen
from textual.widget import Widget

from bough.backports import override
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.style.background import LateAnswer, TerminalBackground

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import LiveSession
    from bough.tui.data import LibraryQueries

_SEQUENCE: Final = re.compile("\x1b[\\[O][0-?]*[ -/]*[@-~]")
"""An arrow or the like: what it was meant for is gone before it could be seen."""
_NAMES: Final = {"\r": "enter", "\n": "enter", "\t": "tab", "\x1b": "escape", "\x7f": "backspace"}


def key_name(character: str) -> str:
    """Name a key as Textual does."""
    if character in _NAMES or character.isalnum():
        return _NAMES.get(character, character)
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


class EarlyKeys(App[None]):
    """Takes over from the shell without losing a key."""

    _ground = TerminalBackground()
    _late_answer: LateAnswer | None = None

    def receive_background(self, ground: TerminalBackground) -> None:
        """Keep what the terminal said, for when the app runs."""
        self._ground = ground
        # From now on, not from the first picture: a late answer may come before that.
        if ground.is_answer_pending:
            self._late_answer = LateAnswer(monotonic())

    def on_ready(self) -> None:
        """Take the keys that were typed before there was an app."""
        for character in _SEQUENCE.sub("", self._ground.typed):
            self.post_message(events.Key(key_name(character), character))

    @override
    async def on_event(self, event: events.Event) -> None:
        """Keep a late answer from the screens."""
        late = self._late_answer
        key = event.key if isinstance(event, events.Key) and not event.is_forwarded else ""
        if late is None or not key or not late.is_part_of_answer(key, monotonic()):
            await super().on_event(event)


class Navigation(EarlyKeys):
    """Goes from screen to screen; screens are loaded when they are first gone to."""

    source: "LibraryQueries"
    live_rows: "Sequence[LiveSession]" = ()

    @property
    def current_screen(self) -> BaseScreen | None:
        """Give the screen that is seen, where it is one of ours."""
        return self.screen if isinstance(self.screen, BaseScreen) else None

    def open(self, screen: Screen[object], *, instead: bool = False) -> None:
        """Show a screen, on top of the one that is seen or instead of it."""
        _ = self.switch_screen(screen) if instead else self.push_screen(screen)

    def back(self) -> None:
        """Leave the screen that is seen; Home stays."""
        if len(self.screen_stack) > 2:
            self._leave_screen()
            if self.current_screen is not None:
                self.current_screen.repaint()

    def _leave_screen(self) -> None:
        # Textual remembers the last thousand widgets, and each its drawn lines; a widget that is
        # to be drawn anew forgets them.
        for widget in self.screen.walk_children(Widget):
            widget.refresh()
        _ = self.pop_screen()

    def go(self, screen: BaseScreen) -> None:
        """Go to one of the five main screens: Home lies below it, and nothing else."""
        while len(self.screen_stack) > 2:
            self._leave_screen()
        self.open(screen)

    def do_back(self) -> None:
        """Go back one step."""
        self.back()

    def do_home(self) -> None:
        """Go Home."""
        while len(self.screen_stack) > 2:
            self._leave_screen()
        if self.current_screen is not None:
            self.current_screen.repaint()

    def do_sessions(self) -> None:
        """Go to all sessions."""
        from bough.tui.screens.sessions import SessionsScreen  # noqa: PLC0415

        self.go(SessionsScreen())

    def do_search(self) -> None:
        """Search everything."""
        from bough.tui.screens.search import SearchScreen  # noqa: PLC0415

        if not isinstance(self.screen, SearchScreen):
            self.open(SearchScreen())

    def do_live(self) -> None:
        """Go to Live."""
        from bough.tui.screens.live import LiveScreen  # noqa: PLC0415

        self.go(LiveScreen())

    def do_usage(self) -> None:
        """Go to tokens and money."""
        from bough.tui.screens.usage import UsageScreen  # noqa: PLC0415

        self.go(UsageScreen())

    def do_settings(self) -> None:
        """Go to the settings."""
        from bough.tui.screens.settings import SettingsScreen  # noqa: PLC0415

        self.go(SettingsScreen())

    def do_archive(self) -> None:
        """Go to the archive."""
        from bough.tui.screens.archive.archive_screen import ArchiveScreen  # noqa: PLC0415

        self.go(ArchiveScreen())

    def do_help(self) -> None:
        """Show the keys."""
        from bough.tui.screens.help import HelpScreen  # noqa: PLC0415

        if self.current_screen is not None and not isinstance(self.current_screen, HelpScreen):
            self.open(HelpScreen(self.current_screen))

    def do_undo(self) -> None:
        """Show how the last change would be taken back."""
        from bough.library import undo  # noqa: PLC0415 - the writer is far from reading
        from bough.tui.screens.plan_preview import PlanPreviewScreen  # noqa: PLC0415

        dirs = self.source.dirs
        self.open(PlanPreviewScreen("Undo the last change", lambda _: undo(claude_dir=dirs)))

    def do_palette(self) -> None:
        """Open the palette."""
        self.action_command_palette()

    @override
    def action_command_palette(self) -> None:
        """Open the palette, which says what can be typed into it."""
        if not CommandPalette.is_open(self):  # type: ignore[arg-type]
            words = "An action, a session, a project, or words to search for"
            palette = CommandPalette(placeholder=words, id="--command-palette")
            _ = self.push_screen(palette)
