"""The terminal app itself: one theme, one key map, one ear for what happens on disk.

Screens ask and show; the app holds what all of them need. A thread follows the live
sessions, another brings the index up to date. Leaving gives the terminal back as it was.
"""

import contextlib
import gc
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from bough.errors import BoughError
from bough.query.events import Event
from bough.query.live import LiveSession
from bough.tui.ear import Ear
from bough.tui.keys import load_keymap
from bough.tui.looks import (
    ASCII,
    UNICODE,
    Glyphs,
    Ink,
    Mode,
    Role,
    Span,
    ink_for,
    one_line,
)
from bough.tui.overriding import override
from bough.tui.palette import Commands
from bough.tui.place import Place
from bough.tui.source import Source
from bough.tui.state import Kept, load, save
from bough.tui.themes import THEMES

if TYPE_CHECKING:
    from textual.timer import Timer

_LARGE: Final = 60_000
_SETTLED: Final = 3.0


class Bough(App[None]):
    """The terminal app."""

    TITLE = "bough"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS = {Commands}  # noqa: RUF012 - Textual's own form
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+k", "command_palette", show=False, priority=True),
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]
    CSS = """
    Screen { background: $surface; layers: base above; }
    Input { height: 1; border: none; padding: 0 1; background: $panel; }
    Input:focus { border: none; }
    .hidden { display: none; }
    #side { width: 34; border-right: solid $line; }
    #facts { width: 32; border-left: solid $line; }
    #detail { border-left: solid $line; width: 46; }
    #detail.below { border: none; border-top: solid $line; width: 1fr; height: 9; }
    #stream { height: 1fr; border-top: solid $line; }
    Reel:focus { background: $surface; }
    """

    def __init__(  # noqa: PLR0913 - one for each thing a terminal decides
        self,
        dirs: Sequence[str] = (),
        index: str | None = None,
        *,
        theme: str | None = None,
        light: bool = False,
        unicode: bool = True,
        live: bool = True,
        plain: bool = False,
    ) -> None:
        super().__init__(ansi_color=True if plain else None)
        self.source = Source(dirs, index)
        self.keymap, self._key_trouble = load_keymap()
        self.kept: Kept = load()
        self.glyphs: Glyphs = UNICODE if unicode else ASCII
        self.live_rows: Sequence[LiveSession] = ()
        self.stream: list[Event] = []
        self.indexing = ""
        self.hits: Sequence[object] = ()
        self.hit = -1
        self.index_done = threading.Event()
        self._plain = plain
        self._lists_age: Timer | None = None
        self._live = live
        self._ear = Ear(self)
        for one in THEMES:
            self.register_theme(one)
        wanted = theme or self.kept.theme or ("light" if light else "dark")
        self.mode: Mode = "plain" if plain else "light" if wanted == "light" else "dark"
        self.theme = f"bough-{self.mode}"

    @property
    def ink(self) -> Ink:
        """Give the looks of the theme."""
        return ink_for(self.mode)

    @property
    def place(self) -> Place | None:
        """Give the screen that is seen, where it is one of ours."""
        return self.screen if isinstance(self.screen, Place) else None

    @override
    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give our own variable a value in every theme."""
        return {"line": "#29322C"}

    def on_mount(self) -> None:
        """Show Home, then begin to listen."""
        # Large sessions are millions of objects; looking through all of them stops the screen.
        gc.set_threshold(_LARGE, 50, 100)
        from bough.tui.screens.home import Home  # noqa: PLC0415 - screens import the app's parts

        self.open(Home())
        if self._key_trouble:
            self.tell(self._key_trouble, severity="warning")
        self.run_worker(self._index, thread=True, group="index", exit_on_error=True)
        if self._live:
            self._ear.start()

    def on_unmount(self) -> None:
        """Stop listening and keep what is to be kept."""
        self._ear.stop()
        save(self.kept)

    @override
    def _handle_exception(self, error: Exception) -> None:
        """Leave the terminal first; `run` says what happened, in a sentence."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    @property
    def crash(self) -> Exception | None:
        """Give what ended the app, where something did."""
        return self._exception

    # -- what screens use ---------------------------------------------------------------------

    def call_safely(self, act: Callable[..., object], *given: object) -> None:
        """Call something in the app's own thread, from any; nothing where the app has ended."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody looks any more
            self.call_later(act, *given)

    def tell(
        self, message: str, severity: Literal["information", "warning", "error"] = "information"
    ) -> None:
        """Say something in the corner."""
        self.notify(one_line(message), severity=severity, markup=False)

    def copy(self, text: str, what: str) -> None:
        """Copy a text, and say what was copied."""
        self.copy_to_clipboard(text)
        self.tell(f"Copied {what}: {text if len(text) < 100 else f'{len(text):,} characters'}")

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

    def board_words(self) -> list[Span]:
        """Say how many sessions work and wait."""
        states = [row.state for row in self.live_rows]
        working, waiting = states.count("working"), states.count("waiting")  # type: ignore[arg-type]
        spans: list[Span] = [(Role.META, f"{self.indexing}  ")] if self.indexing else []
        if working:
            spans.append((Role.ACTIVE, f"{self.glyphs.knot} {working} working"))
        if waiting:
            spans += [(Role.META, "  "), (Role.WAITING, f"{self.glyphs.waiting} {waiting} waits")]
        return spans

    def live_row(self, session: str) -> LiveSession | None:
        """Give what is known of a session that is going on."""
        return next((row for row in self.live_rows if row.id == session), None)

    # -- what the ear hears -------------------------------------------------------------------

    def heard(self, rows: Sequence[LiveSession], events: Sequence[Event]) -> None:
        """Take in what happened, and let the screens know."""
        if not events and rows == self.live_rows:
            return
        self.live_rows = rows
        self.stream = [*self.stream, *events][-500:]
        for screen in self.screen_stack:
            hear = getattr(screen, "hear", None)
            if hear is not None:
                hear(events)
        if self.place is not None:
            self.place.say_where()
        if self._lists_age is None and any(not event.past for event in events):
            # What happened is in the index a moment later; lists are asked again then.
            self._lists_age = self.set_timer(_SETTLED, self._lists_again)

    def _lists_again(self) -> None:
        self._lists_age = None
        for screen in self.screen_stack:
            again = getattr(screen, "indexed", None)
            if again is not None:
                again()

    def _index(self) -> None:
        """Bring the index up to date, and let lists show what is new."""

        def progress(done: int, total: int) -> None:
            words = f"Indexing {done:,} of {total:,} files" if done < total else ""
            self.call_safely(self._say_indexing, words)

        try:
            lacking = self.source.refresh(progress)
        except BoughError as error:
            self.call_safely(self.tell, error.message, "error")
            return
        self.index_done.set()
        self.call_safely(self._indexed, lacking)

    def _say_indexing(self, words: str) -> None:
        self.indexing = words
        if self.place is not None:
            self.place.say_where()

    def _indexed(self, lacking: str) -> None:
        self._say_indexing("")
        if lacking:
            self.tell(lacking, severity="warning")
        self._lists_again()

    # -- keys that work everywhere ------------------------------------------------------------

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

        self.open(Search())

    def do_live(self) -> None:
        """Go to the cockpit."""
        from bough.tui.screens.cockpit import Cockpit  # noqa: PLC0415

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
        from bough.timetravel import travel  # noqa: PLC0415 - the writer is far from reading
        from bough.tui.screens.preview import Preview  # noqa: PLC0415

        self.open(Preview("Undo the last change", lambda _: travel.undo()))

    def do_palette(self) -> None:
        """Open the palette."""
        self.action_command_palette()

    def do_theme(self) -> None:
        """Change between dark and light."""
        if self._plain:
            return
        self.mode = "light" if self.mode == "dark" else "dark"
        self.kept.theme = self.mode
        self.theme = f"bough-{self.mode}"
        for screen in self.screen_stack:
            if isinstance(screen, Place):
                screen.repaint()

    def do_quit(self) -> None:
        """Leave, and keep where reading stopped."""
        for screen in self.screen_stack:
            remember = getattr(screen, "remember", None)
            if remember is not None:
                remember()
        self.exit()

    @override
    async def action_quit(self) -> None:
        """Leave by Ctrl C."""
        self.do_quit()
