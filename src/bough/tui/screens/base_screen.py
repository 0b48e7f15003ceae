"""A place of the app: a bar on top, what is shown, a line of keys below.

Keys are looked up in the one key map and become calls of `do_<name>`; a screen answers to
those it has. After a prefix (`g`, `y`) what may follow is listed.
"""

from collections.abc import Callable, Mapping, Sequence
from time import sleep
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Input

from bough.errors import BoughError, IndexTrouble
from bough.tui.keymap import pressed, shown
from bough.tui.override import override
from bough.tui.screens.list_keys import Moving
from bough.tui.style.style import Role, Span, one_line
from bough.tui.widgets.frame import Bar, Chips, Clicked, Foot, OneLine, Room
from bough.tui.widgets.list_items import say
from bough.tui.widgets.list_view import Reel

if TYPE_CHECKING:
    from textual.timer import Timer

    from bough.query.live.events import Event
    from bough.tui.app.app import Bough

_PATIENCE: Final = 0.4
_PAUSES: Final = (0.1, 0.3, 1.0)
_COLUMNS, _ROWS = 60, 16
_LEAST_COLUMNS, _LEAST_ROWS = 40, 10
_WHILE_TYPING: Final = frozenset({"escape", "down", "up", "pagedown", "pageup", "tab"})
_NAMED: Final = 6
_EVERYWHERE: Final = ("search", "live", "sessions", "home", "palette", "theme", "back", "quit")
"""What the footer names where a screen has fewer than six keys of its own."""
_TYPING: Final = ("open", "back", "down", "pane", "page-down", "palette")


class Place(Moving, Screen[object]):
    """A screen with the frame that all have."""

    KEYS: ClassVar[tuple[str, ...]] = ("down", "open", "search", "help")
    """The keys named in the footer, those that matter most first."""
    TITLE = "bough"

    def __init__(self) -> None:
        super().__init__()
        self.bar = Bar()
        self.foot = Foot()
        self.room = Room()
        self._prefix = ""
        self._waiting: Timer | None = None
        self._numbers: dict[str, int] = {}
        self._arrived: dict[str, int] = {}
        self.missed = False
        """Something happened while another screen was looked at."""

    @property
    def bough(self) -> "Bough":
        """Give the app, as what it is."""
        from bough.tui.app.app import Bough  # noqa: PLC0415 - the app imports its screens

        assert isinstance(self.app, Bough)  # noqa: S101 - nobody else shows these screens
        return self.app

    @property
    @override
    def reel(self) -> Reel | None:
        """Give the list that keys move in; the focused one where there are several."""
        if isinstance(self.focused, Reel):
            return self.focused
        return next(iter(self.query("#list").results(Reel)), None)

    @override
    def compose(self) -> ComposeResult:
        """Set the frame around the body."""
        yield self.bar
        yield from self.body()
        yield self.foot
        yield self.room

    def body(self) -> ComposeResult:
        """Give what stands between the bars."""
        yield Reel(id="list")

    def on_mount(self) -> None:
        """Paint in the theme, and begin."""
        self.repaint()
        self.say_where()
        self.begin()

    def begin(self) -> None:
        """Ask for what is to be shown; each screen has its own question."""

    def hear(self, heard: "Sequence[Event]") -> None:
        """Show what happened just now; only the screen that is looked at is told."""

    def indexed(self) -> None:
        """Ask again, because the index knows more than before."""

    def look_again(self) -> None:
        """Show what happened while another screen was looked at."""
        self.indexed()

    def on_screen_resume(self) -> None:
        """Catch up with what was missed."""
        if self.missed:
            self.missed = False
            self.look_again()

    def repaint(self) -> None:
        """Take on the theme of the app."""
        for part in (*self.query(Reel), *self.query(OneLine), *self.query(Chips)):
            part.ink = self.bough.ink
            part.refresh()
        self.say_where()
        self.say_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Give up the footer where rows are dear; without any room, say so."""
        columns, rows = event.size
        self.foot.display = columns > _COLUMNS and rows > _ROWS
        self.room.display = columns < _LEAST_COLUMNS or rows < _LEAST_ROWS
        words = f"bough needs {_LEAST_COLUMNS}x{_LEAST_ROWS}, this is {columns}x{rows}."
        self.room.write([(Role.META, words if columns > len(words) else "More room.")])

    def where(self) -> list[str]:
        """Name the place, from the outside in."""
        return [self.TITLE]

    def say_where(self) -> None:
        """Write the bar."""
        self.bar.say(self.where(), self.bough.board_words())

    def state_words(self) -> list[Span]:
        """Say something about the place at the right end of the footer."""
        return []

    def keys_now(self) -> Sequence[str]:
        """Name the keys of what has focus, those that matter most first."""
        return _TYPING if isinstance(self.focused, Input) else (*self.KEYS, *_EVERYWHERE)

    def words_now(self) -> Mapping[str, str]:
        """Say in other words what some keys do here."""
        return {}

    def say_keys(self) -> None:
        """Write the footer: six keys of what has focus, and the one that tells the others."""
        offered = dict.fromkeys(name for name in self.keys_now() if name != "help")
        names = [name for name in offered if self.can(name)][:_NAMED]
        typing = isinstance(self.focused, Input)
        if not typing:
            names.append("help")
        self.foot.say(
            self.bough.keymap, names, self.state_words(), words=self.words_now(), typing=typing
        )

    def on_descendant_focus(self) -> None:
        """Name the keys of what has focus now."""
        self.say_keys()

    def on_clicked(self, event: Clicked) -> None:
        """Do what was clicked in the frame."""
        event.stop()
        self.do(event.name)

    # -- keys ---------------------------------------------------------------------------------

    def can(self, name: str) -> bool:
        """Tell whether a key does something here."""
        return hasattr(self, _method(name)) or hasattr(self.bough, _method(name))

    def on_key(self, event: events.Key) -> None:
        """Look a key up and do what it says."""
        if isinstance(self.focused, Input) and event.key not in _WHILE_TYPING:
            return
        press = pressed(event.key, event.character)
        keymap = self.bough.keymap
        sequence = f"{self._prefix} {press}".strip()
        had_prefix, self._prefix = self._prefix, ""
        self._stop_waiting()
        if not had_prefix and press in keymap.prefixes:
            self._prefix = press
            self._waiting = self.set_timer(_PATIENCE, self._list_followers)
            event.stop()
            return
        self.say_keys()
        name = keymap.name(sequence)
        if name is not None and self.do(name):
            event.stop()
            event.prevent_default()

    def do(self, name: str) -> bool:
        """Do what a key stands for; tell whether it does anything here."""
        for answerer in (self, self.bough):
            act: Callable[[], object] | None = getattr(answerer, _method(name), None)
            if act is not None:
                act()
                return True
        return False

    def _list_followers(self) -> None:
        followers = [
            (press, key)
            for press, key in self.bough.keymap.after(self._prefix)
            if self.can(key.name)
        ]
        spans: list[Span] = [(Role.PROMPT, f"{self._prefix} ")]
        for press, key in followers:
            spans += [(Role.PROMPT, f" {shown(press)} "), (Role.META, f"{key.does}  ")]
        self.foot.write(spans)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    def do_back(self) -> None:
        """Go back one step."""
        self.bough.back()

    def on_reel_opened(self, event: Reel.Opened) -> None:
        """Open what was clicked twice."""
        event.stop()
        self.do("open")

    def on_reel_taken(self, event: Reel.Taken) -> None:
        """Copy the words that were taken with the mouse."""
        event.stop()
        self.bough.copy(event.text, "the words")

    def on_reel_moved(self, event: Reel.Moved) -> None:
        """Say where the view is now."""
        event.stop()
        self.say_keys()

    # -- asking -------------------------------------------------------------------------------

    def ask(
        self, question: Callable[[], object], answer: Callable[[object], None], group: str = "ask"
    ) -> None:
        """Ask something in a thread; the answer comes back here, a failure as a sentence.

        Once the answer to a later question of the same group is there, an earlier one is void.
        """

        def run() -> None:
            try:
                found = _patiently(question)
            except BoughError as error:
                self.bough.call_safely(self.fail, error.message)
                return
            except OSError as error:
                self.bough.call_safely(self.fail, f"{error.strerror}: {error.filename}.")
                return
            self.bough.call_safely(self._answered, group, number, found, answer)

        number = self._numbers.get(group, 0) + 1
        self._numbers[group] = number
        self.run_worker(run, thread=True, group=group, exit_on_error=True)

    def _answered(
        self, group: str, number: int, found: object, answer: Callable[[object], None]
    ) -> None:
        if number > self._arrived.get(group, 0) and self.is_attached:
            self._arrived[group] = number
            answer(found)

    def fail(self, message: str) -> None:
        """Say what went wrong, in the list too where it has nothing else."""
        self.bough.tell(one_line(message), severity="error")
        reel = self.reel
        if reel is not None and not any(piece.picked for piece in reel.pieces):
            reel.show([say("failed", one_line(message), Role.ERROR), say("back", "Esc goes back.")])


def _patiently(question: Callable[[], object]) -> object:
    """Ask again where the index was in trouble: another thread may be writing it just now."""
    for pause in _PAUSES:
        try:
            return question()
        except IndexTrouble:
            sleep(pause)
    return question()


def _method(name: str) -> str:
    return f"do_{name.replace('-', '_')}"
