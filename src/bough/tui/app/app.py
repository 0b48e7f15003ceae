"""The terminal app itself: one theme, one key map, one thread for what happens on disk.

Screens ask and show; the app holds what all of them need. A thread follows the live
sessions, another process brings the index up to date. Leaving gives the terminal back as
it was.
"""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal

from textual.binding import Binding, BindingsMap

from bough.backports import override
from bough.errors import BoughError
from bough.library import (
    Annotations,
    change_setting,
)
from bough.memory import collect_rarely
from bough.model.live.status import SessionState
from bough.terminal import clock
from bough.terminal.style import Glyphs, Role, Span, choose_glyphs
from bough.terminal.text import one_line
from bough.tui.app.index_updates import IndexUpdateTask
from bough.tui.app.navigation import Navigation
from bough.tui.app.palette import PaletteCommands
from bough.tui.app.terminal_output import outlive_terminal
from bough.tui.data import LibraryQueries
from bough.tui.keymap import load_keymap
from bough.tui.saved_state import SavedState, find_saved_theme, load_app_state, save_app_state
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.style.ascii import AsciiFilter
from bough.tui.style.style import Mode, ThemeStyles, styles_of_theme
from bough.tui.style.themes import CSS, THEMES

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.filter import LineFilter
    from textual.screen import Screen
    from textual.timer import Timer

    from bough.library import (
        LiveSession,
        LiveThread,
        Project,
        SearchPage,
        SessionRow,
        StreamEvent,
    )
    from bough.model.text.formats import TimeFormat

_NEW_OBJECTS: Final = 10_000
_SETTLE_SECONDS: Final = 3.0
_START_SECONDS: Final = 1.0
_STOP_SECONDS: Final = 2.0
_MAX_EVENTS: Final = 500
_SHORT_NOTICE: Final = 2.5


class Bough(Navigation):
    """The terminal app."""

    TITLE = "bough"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS = {PaletteCommands}  # noqa: RUF012 - Textual's own form
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
        self.source = LibraryQueries(dirs, index)
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
        self.saved_state: SavedState = load_app_state()
        self.annotations = Annotations()
        """Stars and notes, as they were when something was last read."""
        self.glyphs: Glyphs = choose_glyphs(unicode=unicode, colors=not plain)
        self.projects: Sequence[Project] = ()
        self.sessions: Sequence[SessionRow] = ()
        self.stream: list[StreamEvent] = []
        self.indexing = ""
        self.hits: Sequence[object] = ()
        self.hit = -1
        self.hit_page: SearchPage | None = None
        self.hit_words = ""
        self.hit_position = ""
        """Which hit is read, of how many."""
        self.index_done = threading.Event()
        self.end_signal = 0
        self._trouble_shown_until: dict[str, float] = {}
        self._plain = plain
        self._ascii_filters = () if unicode else (AsciiFilter(),)
        self._reload_timer: Timer | None = None
        self._live = live
        self._live_thread: LiveThread | None = None
        self._has_begun = False
        self._index_update = IndexUpdateTask(self)
        for one in THEMES:
            self.register_theme(one)
        self.system_mode: Mode = "light" if light else "dark"
        wanted = theme or find_saved_theme(self.saved_state) or self.system_mode
        self.mode: Mode = "plain" if plain else "light" if wanted == "light" else "dark"
        # Read here and after a change: the thread that draws does not wait for the disk.
        self.time_words: TimeFormat = clock.read_time_words()
        self.theme = f"bough-{self.mode}"

    @property
    def theme_styles(self) -> ThemeStyles:
        """Give the looks of the theme."""
        return styles_of_theme(self.mode, self.glyphs)

    @override
    def get_line_filters(self) -> "Sequence[LineFilter]":
        """Draw without Unicode where the terminal has none."""
        return [*super().get_line_filters(), *self._ascii_filters]

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
        # Few at a time: looking through many new objects at once stops the screen too.
        collect_rarely(_NEW_OBJECTS, stays=True)
        from bough.tui.screens.home import HomeScreen  # noqa: PLC0415 - screens import the app's parts

        self._install_signal_handlers()
        self.open(HomeScreen())
        if self._key_trouble:
            self.show_notice(self._key_trouble, severity="warning")
        # Home says when its lists are there; where that takes long, nobody waits for it.
        self.set_timer(_START_SECONDS, self.start_background_work)

    def start_background_work(self) -> None:
        """Bring the index up to date and follow what goes on, once the first lists are seen."""
        # Fast path: benchmarks/tui.py --start, what this loads came before the first screen.
        if self._has_begun:
            return
        self._has_begun = True
        self.run_worker(self._index_update.run, thread=True, group="index", exit_on_error=True)
        if self._live:
            self.run_worker(self._follow, thread=True, group="follow", exit_on_error=True)

    def _follow(self) -> None:
        """Begin to follow, in a worker: what follows is much code, and is loaded here."""
        from bough.library import LiveListener, LiveThread  # noqa: PLC0415

        following = LiveThread(
            self.source.dirs,
            LiveListener(
                partial(self.call_safely, self.update_live),
                lambda words: self.call_safely(self.show_notice, words, "warning"),
                partial(self.call_safely, self.forget_stream),
            ),
            open_store=lambda: self.source.open_handle().store,
            index_done=self.index_done,
            now=lambda: clock.now(),  # noqa: PLW0108 - looked up when asked: tests set the clock
        )
        self._live_thread = following
        if not self._exit:  # else nobody would end it
            following.start()

    def _install_signal_handlers(self) -> None:
        """Leave as by a key when the system asks for it or the terminal is closed."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # Elsewhere than on Unix, and in another thread than the first, there is no way.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                if number is not None:
                    loop.add_signal_handler(number, self._end_by_signal, int(number))

    @override
    def get_driver_class(self) -> "type[Driver]":
        """Choose what writes to the terminal, which may be closed at any time."""
        return outlive_terminal(super().get_driver_class())

    def _end_by_signal(self, number: int) -> None:
        self.end_signal = number
        self.do_quit()

    def on_unmount(self) -> None:
        """Stop listening and keep what is to be kept."""
        self._index_update.stop()
        if self._live_thread is not None:
            self._live_thread.stop(wait=_STOP_SECONDS)
        save_app_state(self.saved_state)

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

    def show_notice(
        self, message: str, severity: Literal["information", "warning", "error"] = "information"
    ) -> None:
        """Say something in the corner: trouble once, and what is none is gone soon."""
        words, now = one_line(message), monotonic()
        if severity == "information":
            self.notify(words, markup=False, timeout=_SHORT_NOTICE)
        elif now >= self._trouble_shown_until.get(words, now):
            self._trouble_shown_until[words] = now + self.NOTIFICATION_TIMEOUT
            self.notify(words, severity=severity, markup=False)

    def copy(self, text: str, what: str) -> None:
        """Copy a text, and say what was copied."""
        self.copy_to_clipboard(text)
        self.show_notice(
            f"Copied {what}: {text if len(text) < 100 else f'{len(text):,} characters'}"
        )

    def copy_resume_command(self, path: str) -> None:
        """Copy the command that resumes the session in a file, or restores it; say what is gone."""
        from bough.library import resume_command  # noqa: PLC0415 - as above

        command = resume_command(Path(path))
        if command.text:
            self.copy(command.text, f"the {command.kind.label}")
        if command.note:
            self.show_notice(command.note, "warning")

    def count_live_spans(self) -> list[Span]:
        """Say how many sessions work and wait."""
        states = [row.state for row in self.live_rows]
        working = states.count(SessionState.WORKING) + states.count(SessionState.BACKGROUND)
        waiting = states.count(SessionState.WAITING)
        spans: list[Span] = [(Role.META, f"{self.indexing}  ")] if self.indexing else []
        if working:
            spans.append((Role.ACTIVE, f"{self.glyphs.node} {working} working"))
        if waiting:
            words = "waits" if waiting == 1 else "wait"
            spans += [(Role.META, "  "), (Role.WAITING, f"{self.glyphs.waiting} {waiting} {words}")]
        return spans

    def find_live_row(self, session: str) -> "LiveSession | None":
        """Give what is known of a session that is going on."""
        return next((row for row in self.live_rows if row.id == session), None)

    # -- what happens in live sessions --------------------------------------------------------

    def update_live(
        self, rows: "Sequence[LiveSession] | None", events: "Sequence[StreamEvent]"
    ) -> None:
        """Take in what happened, and let the screens know; `rows` is None where they stay."""
        if not events and (rows is None or rows == self.live_rows):
            return
        if rows is not None:
            self.live_rows = rows
        self.stream = [*self.stream, *events][-_MAX_EVENTS:]
        if any(event.past for event in events):
            # What was before comes session by session; people read it by the clock.
            self.stream.sort(key=lambda event: event.time or "")
        self._mark_others_stale()
        if (screen := self._find_mounted_screen()) is not None:
            screen.receive_events(events)
            screen.show_breadcrumbs()
        if self._reload_timer is None and any(not event.past for event in events):
            # What happened is in the index a moment later; lists are asked again then.
            self._reload_timer = self.set_timer(_SETTLE_SECONDS, self._reload_lists)

    def forget_stream(self) -> None:
        """Forget what happened: following begins anew, and the recent past comes again."""
        self.stream = []

    def _list_mounted_screens(self) -> "list[Screen[Any]]":
        """List the screens that are there; one that was just asked for has nothing on it yet."""
        return [screen for screen in self.screen_stack if screen.is_mounted]

    def _reload_lists(self) -> None:
        self._reload_timer = None
        self._mark_others_stale()
        if (screen := self._find_mounted_screen()) is not None:
            screen.reload_from_index()

    def _find_mounted_screen(self) -> BaseScreen | None:
        """Give the screen that is seen; one that was just asked for has nothing on it yet."""
        return (
            self.current_screen
            if self.current_screen is not None and self.current_screen.is_mounted
            else None
        )

    def _mark_others_stale(self) -> None:
        """Tell screens that nobody looks at to look again once somebody does.

        Drawn behind another they would have all of that one drawn again.
        """
        for screen in self._list_mounted_screens():
            if isinstance(screen, BaseScreen) and screen is not self.current_screen:
                screen.has_missed_events = True

    def show_indexing(self, words: str) -> None:
        """Say in the bar how far the index is."""
        self.indexing = words
        if self.current_screen is not None:
            self.current_screen.show_breadcrumbs()

    def reload_from_index(self, lacking: str) -> None:
        """Let lists show what the index has now; `lacking` says what it has not."""
        self.show_indexing("")
        if lacking:
            self.show_notice(lacking, severity="warning")
        self._reload_lists()

    # -- keys ---------------------------------------------------------------------------------

    def do_theme(self) -> None:
        """Change between dark and light."""
        if self._plain:
            return
        self.show_theme("light" if self.mode == "dark" else "dark")
        self.saved_state.theme = self.mode
        self.keep_theme()

    def keep_theme(self) -> None:
        """Keep the theme for the next start of both apps, unless `config.toml` sets it."""
        mode = self.mode

        def keep() -> None:
            with contextlib.suppress(BoughError):
                change_setting("theme", mode)

        self.run_worker(keep, thread=True, group="theme", exit_on_error=False)

    def show_theme(self, mode: Mode) -> None:
        """Paint everything in a theme."""
        self.mode = mode
        self.theme = f"bough-{self.mode}"
        for screen in self._list_mounted_screens():
            if isinstance(screen, BaseScreen):
                screen.repaint()

    def do_quit(self) -> None:
        """Leave, and keep where reading stopped."""
        for screen in self._list_mounted_screens():
            remember = getattr(screen, "remember", None)
            if remember is not None:
                remember()
        self.exit()

    @override
    async def action_quit(self) -> None:
        """Leave by Ctrl C."""
        self.do_quit()
