"""The keys that work on every screen: the five places, help, undo, the palette."""

from typing import TYPE_CHECKING

from textual.screen import Screen

from bough.tui.app.arriving import Arriving
from bough.tui.screens.base import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.query.live.running_sessions import LiveSession


class Going(Arriving):
    """Goes from screen to screen; screens are loaded when they are first gone to."""

    live_rows: "Sequence[LiveSession]" = ()

    @property
    def place(self) -> Place | None:
        """Give the screen that is seen, where it is one of ours."""
        return self.screen if isinstance(self.screen, Place) else None

    def open(self, screen: Screen[object], *, instead: bool = False) -> None:
        """Show a screen, on top of the one that is seen or instead of it."""
        _ = self.switch_screen(screen) if instead else self.push_screen(screen)

    def back(self) -> None:
        """Leave the screen that is seen; Home stays."""
        if len(self.screen_stack) > 2:
            _ = self.pop_screen()
            if self.place is not None:
                self.place.repaint()

    def go(self, place: Place) -> None:
        """Go to one of the five places: Home lies below it, and nothing else."""
        while len(self.screen_stack) > 2:
            _ = self.pop_screen()
        self.open(place)

    def do_home(self) -> None:
        """Go Home."""
        while len(self.screen_stack) > 2:
            _ = self.pop_screen()
        if self.place is not None:
            self.place.repaint()

    def do_sessions(self) -> None:
        """Go to all sessions."""
        from bough.tui.screens.sessions import Sessions  # noqa: PLC0415

        self.go(Sessions())

    def do_search(self) -> None:
        """Search everything."""
        from bough.tui.screens.search import Search  # noqa: PLC0415

        if not isinstance(self.screen, Search):
            self.open(Search())

    def do_live(self) -> None:
        """Go to the cockpit."""
        from bough.tui.screens.live import Cockpit  # noqa: PLC0415

        self.go(Cockpit())

    def do_usage(self) -> None:
        """Go to tokens and money."""
        from bough.tui.screens.usage import Usage  # noqa: PLC0415

        self.go(Usage())

    def do_settings(self) -> None:
        """Go to the settings."""
        from bough.tui.screens.settings import Settings  # noqa: PLC0415

        self.go(Settings())

    def do_help(self) -> None:
        """Show the keys."""
        from bough.tui.screens.help import Help  # noqa: PLC0415

        if self.place is not None and not isinstance(self.place, Help):
            self.open(Help(self.place))

    def do_undo(self) -> None:
        """Show how the last change would be taken back."""
        from bough.timetravel import operations as travel  # noqa: PLC0415 - the writer is far from reading
        from bough.tui.screens.plan_preview import Preview  # noqa: PLC0415

        self.open(Preview("Undo the last change", lambda _: travel.undo()))

    def do_palette(self) -> None:
        """Open the palette."""
        self.action_command_palette()
