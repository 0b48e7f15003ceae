"""What every screen of the app has: a bar on top, what is shown, a line of keys below.

A screen is made of parts, each with its own state and its own keys: a filter, a preview, what
can be done with a session. Keys are looked up in the one key map and become calls of
`do_<name>`: of the screen, else of the first of its parts that has it, else of the app. After a
prefix (`g`, `y`) what may follow is listed.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import sleep
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from bough.backports import override
from bough.errors import BoughError, IndexTrouble
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.style import Role, Span
from bough.terminal.text import one_line
from bough.tui.keymap import find_action, format_press, name_press
from bough.tui.screens.list_keys import ListKeys
from bough.tui.widgets.frame import Chips, Clicked, KeyBar, OneLine, TooSmallNotice, TopBar
from bough.tui.widgets.list_items import ListItem, draw_text, make_line_item
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from textual.timer import Timer

    from bough.library import StreamEvent
    from bough.tui.app.app import Bough

_PATIENCE: Final = 0.4
_PAUSES: Final = (0.1, 0.3, 1.0)
_COLUMNS, _ROWS = 60, 16
_LEAST_COLUMNS, _LEAST_ROWS = 40, 10
_WHILE_TYPING: Final = frozenset({"escape", "down", "up", "pagedown", "pageup", "tab"})
_MAX_FOOTER_KEYS: Final = 6
_EVERYWHERE: Final = ("search", "live", "sessions", "home", "palette", "theme", "back", "quit")
"""What the footer names where a screen has fewer than six keys of its own."""
_TYPING: Final = ("open", "back", "down", "pane", "page-down", "palette")


class BaseScreen(Screen[object]):
    """A screen with the frame that all have."""

    KEYS: ClassVar[tuple[str, ...]] = ("down", "open", "search", "help")
    """The keys named in the footer, those that matter most first."""
    WORDS: ClassVar[Mapping[str, str]] = {}
    """What keys do here, where that differs from what they do elsewhere."""
    TITLE = "bough"

    def __init__(self) -> None:
        super().__init__()
        self.parts: Sequence[object] = ()
        """What answers to keys besides the screen itself, the first that can before the others."""
        self.footer_keys: Sequence[str] = self.KEYS
        self.list_keys = ListKeys(lambda: self.list_view)
        self.bar = TopBar()
        self.footer = KeyBar()
        self.too_small = TooSmallNotice()
        self._prefix = ""
        self._prefix_timer: Timer | None = None
        self._request_numbers: dict[str, int] = {}
        self._answered_numbers: dict[str, int] = {}
        self.has_missed_events = False
        """Something happened while another screen was looked at."""

    @property
    def bough(self) -> "Bough":
        """Give the app, as what it is."""
        return cast("Bough", self.app)  # nobody else shows these screens

    @property
    def list_view(self) -> ListView | None:
        """Give the list that keys move in; the focused one where there are several."""
        if isinstance(self.focused, ListView):
            return self.focused
        return next(iter(self.query("#list").results(ListView)), None)

    @property
    def is_there(self) -> bool:
        """Tell whether it can be drawn on: what stands on a screen goes once it is left."""
        return self.is_attached and self in self.app.screen_stack

    def draw_after_layout(self, draw: Callable[[], None]) -> None:
        """Draw once sizes are known, unless the screen was left by then."""
        self.call_after_refresh(lambda: draw() if self.is_there else None)

    @override
    def compose(self) -> ComposeResult:
        """Set the frame around the body."""
        yield self.bar
        yield from self.body()
        yield self.footer
        yield self.too_small

    def body(self) -> ComposeResult:
        """Give what stands between the bars."""
        yield ListView(id="list")

    def on_mount(self) -> None:
        """Paint in the theme, and begin; a screen may be left before it is there."""
        if self.is_there:
            self.repaint()
            self.show_breadcrumbs()
            self.begin()

    def begin(self) -> None:
        """Ask for what is to be shown; each screen has its own question."""

    def receive_events(self, heard: "Sequence[StreamEvent]") -> None:
        """Show what happened just now; only the screen that is looked at is told."""

    def reload_from_index(self) -> None:
        """Ask again, because the index knows more than before."""

    def catch_up(self) -> None:
        """Show what happened while another screen was looked at."""
        self.reload_from_index()

    def on_screen_resume(self) -> None:
        """Catch up with what was missed."""
        if self.has_missed_events:
            self.has_missed_events = False
            self.catch_up()

    def repaint(self) -> None:
        """Take on the theme of the app."""
        for widget in (*self.query(ListView), *self.query(OneLine), *self.query(Chips)):
            widget.theme_styles = self.bough.theme_styles
            widget.refresh()
        self.show_breadcrumbs()
        self.show_footer_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Give up the footer where rows are dear; without any room, say so."""
        columns, rows = event.size
        self.footer.display = columns > _COLUMNS and rows > _ROWS
        self.too_small.display = columns < _LEAST_COLUMNS or rows < _LEAST_ROWS
        words = f"bough needs {_LEAST_COLUMNS}x{_LEAST_ROWS}, this is {columns}x{rows}."
        self.too_small.write([(Role.META, words if columns > len(words) else "More room.")])

    def list_breadcrumbs(self) -> list[str]:
        """Name what is shown, from the outside in."""
        return [self.TITLE]

    def show_breadcrumbs(self) -> None:
        """Write the bar."""
        self.bar.write_parts(self.list_breadcrumbs(), self.bough.count_live_spans())

    def make_canvas(self, columns: int = 80) -> Canvas:
        """Give what times are written with."""
        return Canvas(clock.now(), self.bough.glyphs, columns, self.bough.time_words)

    def build_status_spans(self) -> list[Span]:
        """Say something about what is shown at the right end of the footer."""
        return []

    def list_footer_keys(self) -> Sequence[str]:
        """Name the keys of what has focus, those that matter most first."""
        return _TYPING if isinstance(self.focused, Input) else (*self.footer_keys, *_EVERYWHERE)

    def describe_keys(self) -> Mapping[str, str]:
        """Say in other words what some keys do here."""
        return self.WORDS

    def show_footer_keys(self) -> None:
        """Write the footer: six keys of what has focus, and the one that tells the others.

        While a key waits for the next one, what may follow stays there.
        """
        if self._prefix:
            return
        offered = dict.fromkeys(name for name in self.list_footer_keys() if name != "help")
        names = [name for name in offered if self.can_do(name)][:_MAX_FOOTER_KEYS]
        typing = isinstance(self.focused, Input)
        if not typing:
            names.append("help")
        self.footer.write_parts(
            self.bough.keymap,
            names,
            self.build_status_spans(),
            words=self.describe_keys(),
            typing=typing,
        )

    def on_descendant_focus(self) -> None:
        """Name the keys of what has focus now."""
        self.show_footer_keys()

    def on_clicked(self, event: Clicked) -> None:
        """Do what was clicked in the frame."""
        event.stop()
        self.do(event.name)

    # -- keys ---------------------------------------------------------------------------------

    def can_do(self, name: str) -> bool:
        """Tell whether a key does something here."""
        return self.find_action(name) is not None

    def find_action(self, name: str) -> Callable[[], object] | None:
        """Find what a key does here; None where it does nothing."""
        return find_action(name, (self, *self.parts, self.list_keys, self.bough))

    def on_key(self, event: events.Key) -> None:
        """Look a key up and do what it says."""
        if isinstance(self.focused, Input) and event.key not in _WHILE_TYPING:
            return
        press = name_press(event.key, event.character)
        keymap = self.bough.keymap
        sequence = f"{self._prefix} {press}".strip()
        had_prefix, self._prefix = self._prefix, ""
        self._stop_waiting()
        if not had_prefix and press in keymap.prefixes:
            self._prefix = press
            self._prefix_timer = self.set_timer(_PATIENCE, self._list_followers)
            event.stop()
            return
        self.show_footer_keys()
        name = keymap.name(sequence)
        if name is not None and self.do(name):
            event.stop()
            event.prevent_default()

    def do(self, name: str) -> bool:
        """Do what a key stands for; tell whether it does anything here."""
        action = self.find_action(name)
        if action is None:
            return False
        action()
        return True

    def _list_followers(self) -> None:
        followers = [
            (press, key)
            for press, key in self.bough.keymap.list_continuations(self._prefix)
            if self.can_do(key.name)
        ]
        # All keys after y copy: said once, it leaves room for what.
        shared = {key.short for _, key in followers}
        verb = f" {shared.pop()}" if len(shared) == 1 else ""
        spans: list[Span] = [(Role.PROMPT, self._prefix), (Role.META, f"{verb}  ")]
        for press, key in followers:
            word = key.follows or key.does
            spans += [(Role.PROMPT, f" {format_press(press)} "), (Role.META, f"{word}  ")]
        self.footer.write(spans)

    def _stop_waiting(self) -> None:
        if self._prefix_timer is not None:
            self._prefix_timer.stop()
            self._prefix_timer = None

    def on_list_view_opened(self, event: ListView.Opened) -> None:
        """Open what was clicked twice."""
        event.stop()
        self.do("open")

    def on_list_view_taken(self, event: ListView.Taken) -> None:
        """Copy the words that were taken with the mouse."""
        event.stop()
        self.bough.copy(event.text, "the words")

    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Say where the view is now."""
        event.stop()
        self.show_footer_keys()

    # -- asking -------------------------------------------------------------------------------

    def run_in_thread(
        self, question: Callable[[], object], answer: Callable[[object], None], group: str = "ask"
    ) -> None:
        """Ask something in a thread; the answer comes back here, a failure as a sentence.

        Once the answer to a later question of the same group is there, an earlier one is void.
        """

        def run() -> None:
            try:
                found = _retry_on_index_trouble(question)
            except BoughError as error:
                self.bough.call_safely(self.show_failure, error.message)
                return
            except OSError as error:
                self.bough.call_safely(self.show_failure, f"{error.strerror}: {error.filename}.")
                return
            self.bough.call_safely(self._deliver_answer, group, number, found, answer)

        number = self._request_numbers.get(group, 0) + 1
        self._request_numbers[group] = number
        self.run_worker(run, thread=True, group=group, exit_on_error=True)

    def _deliver_answer(
        self, group: str, number: int, found: object, answer: Callable[[object], None]
    ) -> None:
        if number > self._answered_numbers.get(group, 0) and self.is_there:
            self._answered_numbers[group] = number
            answer(found)

    def show_failure(self, message: str) -> None:
        """Say what went wrong, in the list too where it has nothing else."""
        self.bough.show_notice(one_line(message), severity="error")
        shown = self.list_view
        if shown is not None and not any(item.picked for item in shown.pieces):
            shown.show(
                [
                    ListItem(
                        "failed",
                        partial(draw_text, one_line(message), Role.ERROR),
                        "talk",
                        picked=False,
                    ),
                    make_line_item("back", "Esc goes back."),
                ]
            )


def _retry_on_index_trouble(question: Callable[[], object]) -> object:
    """Ask again where the index was in trouble: another thread may be writing it just now."""
    for pause in _PAUSES:
        try:
            return question()
        except IndexTrouble:
            sleep(pause)
    return question()
