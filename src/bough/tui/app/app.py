"""The terminal app itself: one theme, one key map, one ear for what happens on disk.

Screens ask and show; the app holds what all of them need. A thread follows the live
sessions, another process brings the index up to date. Leaving gives the terminal back as
it was.
"""

import asyncio
import contextlib
import gc
import signal
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from textual.binding import Binding, BindingsMap

from bough.model.live.status import State
from bough.query.live.events import Event
from bough.query.live.running_sessions import LiveSession
from bough.tui.app.index_updates import Indexing
from bough.tui.app.live_updates import Ear
from bough.tui.app.navigation import Going
from bough.tui.app.palette import Commands
from bough.tui.data import Source
from bough.tui.keymap import load_keymap
from bough.tui.override import override
from bough.tui.saved_state import Kept, load, save
from bough.tui.screens.base_screen import Place
from bough.tui.style.ascii import PlainSigns
from bough.tui.style.style import (
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
from bough.tui.style.themes import CSS, THEMES

if TYPE_CHECKING:
    from textual.filter import LineFilter
    from textual.screen import Screen
    from textual.timer import Timer

    from bough.library import Project, SessionRow

_SEVERAL: Final = 10_000
_SETTLED: Final = 3.0
_REMEMBERED: Final = 500


class Bough(Going):
    """The terminal app."""

    TITLE = "bough"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS = {Commands}  # noqa: RUF012 - Textual's own form
    CSS = CSS

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
        # Our own map has all keys; Textual's are taken away, but for those that must also
        # work while somebody is typing.
        palette = [press for press in self.keymap.key("palette").keys if len(press) > 1]
        self._bindings = BindingsMap(
            [
                Binding("ctrl+c", "quit", show=False, priority=True),
                *(Binding(key, "command_palette", show=False, priority=True) for key in palette),
            ]
        )
        self.kept: Kept = load()
        self.glyphs: Glyphs = UNICODE if unicode else ASCII
        self.projects: Sequence[Project] = ()
        self.sessions: Sequence[SessionRow] = ()
        self.stream: list[Event] = []
        self.indexing = ""
        self.hits: Sequence[object] = ()
        self.hit = -1
        self.index_done = threading.Event()
        self.ended_by = 0
        self._plain = plain
        self._plain_signs = () if unicode else (PlainSigns(),)
        self._lists_age: Timer | None = None
        self._live = live
        self._ear = Ear(self)
        self._indexing = Indexing(self)
        for one in THEMES:
            self.register_theme(one)
        wanted = theme or self.kept.theme or ("light" if light else "dark")
        self.mode: Mode = "plain" if plain else "light" if wanted == "light" else "dark"
        self.theme = f"bough-{self.mode}"

    @property
    def ink(self) -> Ink:
        """Give the looks of the theme."""
        return ink_for(self.mode, self.glyphs)

    @override
    def get_line_filters(self) -> "Sequence[LineFilter]":
        """Draw without Unicode where the terminal has none."""
        return [*super().get_line_filters(), *self._plain_signs]

    @override
    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give our own variable a value in every theme, and two that Textual 8 lacks in ours."""
        return {
            "line": "#29322C",
            "ansi-background": "transparent",
            "ansi-foreground": "transparent",
        }

    def on_mount(self) -> None:
        """Show Home, then begin to listen."""
        # Large sessions are millions of objects; looking through all of them stops the screen,
        # and so does looking through many new ones at once.
        gc.set_threshold(_SEVERAL, 50, 100)
        from bough.tui.screens.home import Home  # noqa: PLC0415 - screens import the app's parts

        self._heed_signals()
        self.open(Home())
        if self._key_trouble:
            self.tell(self._key_trouble, severity="warning")
        self.run_worker(self._indexing.run, thread=True, group="index", exit_on_error=True)
        if self._live:
            self._ear.start()

    def _heed_signals(self) -> None:
        """Leave as by a key when the system asks for it or the terminal is closed."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # Elsewhere than on Unix, and in another thread than the first, there is no way.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                if number is not None:
                    loop.add_signal_handler(number, self._ended_by, int(number))

    def _ended_by(self, number: int) -> None:
        self.ended_by = number
        self.do_quit()

    def on_unmount(self) -> None:
        """Stop listening and keep what is to be kept."""
        self._indexing.stop()
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

    def board_words(self) -> list[Span]:
        """Say how many sessions work and wait."""
        states = [row.state for row in self.live_rows]
        working, waiting = states.count(State.WORKING), states.count(State.WAITING)
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
        self.stream = [*self.stream, *events][-_REMEMBERED:]
        if any(event.past for event in events):
            # What was before comes session by session; people read it by the clock.
            self.stream.sort(key=lambda event: event.time or "")
        self._let_others_know()
        if (place := self._ready_place()) is not None:
            place.hear(events)
            place.say_where()
        if self._lists_age is None and any(not event.past for event in events):
            # What happened is in the index a moment later; lists are asked again then.
            self._lists_age = self.set_timer(_SETTLED, self._lists_again)

    def _shown(self) -> "list[Screen[Any]]":
        """List the screens that are there; one that was just asked for has nothing on it yet."""
        return [screen for screen in self.screen_stack if screen.is_mounted]

    def _lists_again(self) -> None:
        self._lists_age = None
        self._let_others_know()
        if (place := self._ready_place()) is not None:
            place.indexed()

    def _ready_place(self) -> Place | None:
        """Give the screen that is seen; one that was just asked for has nothing on it yet."""
        return self.place if self.place is not None and self.place.is_mounted else None

    def _let_others_know(self) -> None:
        """Tell screens that nobody looks at to look again once somebody does.

        Drawn behind another they would have all of that one drawn again.
        """
        for screen in self._shown():
            if isinstance(screen, Place) and screen is not self.place:
                screen.missed = True

    def say_indexing(self, words: str) -> None:
        """Say in the bar how far the index is."""
        self.indexing = words
        if self.place is not None:
            self.place.say_where()

    def indexed(self, lacking: str) -> None:
        """Let lists show what the index has now; `lacking` says what it has not."""
        self.say_indexing("")
        if lacking:
            self.tell(lacking, severity="warning")
        self._lists_again()

    # -- keys ---------------------------------------------------------------------------------

    def do_theme(self) -> None:
        """Change between dark and light."""
        if self._plain:
            return
        self.mode = "light" if self.mode == "dark" else "dark"
        self.kept.theme = self.mode
        self.theme = f"bough-{self.mode}"
        for screen in self._shown():
            if isinstance(screen, Place):
                screen.repaint()

    def do_quit(self) -> None:
        """Leave, and keep where reading stopped."""
        for screen in self._shown():
            remember = getattr(screen, "remember", None)
            if remember is not None:
                remember()
        self.exit()

    @override
    async def action_quit(self) -> None:
        """Leave by Ctrl C."""
        self.do_quit()
