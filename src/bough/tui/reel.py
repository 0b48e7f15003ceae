"""The reel: a list of pieces of which only the visible ones are laid out.

A session may hold a hundred thousand lines, and nobody knows how high a piece is before it
is wrapped. So the place is not a number of lines but an anchor: the piece on top and the
line of it. What comes before or after never moves it, whatever is folded, found or appended.
"""

from collections.abc import Sequence
from typing import Final

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from bough.tui.drawing import Drawn, strip_of
from bough.tui.looks import Ink, Line, broken, cut, ink_for
from bough.tui.overriding import override
from bough.tui.pieces import Piece
from bough.tui.window import Window

_WHEEL: Final = 3
_KEPT: Final = 4_000
"""So many laid-out pieces are kept."""


class Reel(Widget, can_focus=True):
    """A virtual list with a cursor."""

    DEFAULT_CSS = """
    Reel { width: 1fr; height: 1fr; }
    """

    class Moved(Message):
        """The cursor stands on another piece, or the view on another line."""

        def __init__(self, reel: "Reel") -> None:
            super().__init__()
            self.reel = reel

    class Opened(Message):
        """A piece was opened by the mouse."""

        def __init__(self, reel: "Reel", piece: Piece) -> None:
            super().__init__()
            self.reel = reel
            self.piece = piece

    def __init__(self, *, id: str | None = None, rail: bool = True) -> None:  # noqa: A002
        super().__init__(id=id)
        self.pieces: Sequence[Piece] = ()
        self.cursor = 0
        self.needle = ""
        self.wrapped = False
        self.follow = False
        self.ink: Ink = ink_for("dark")
        self._places: dict[str, int] = {}
        self._window = Window(lambda number: len(self._lines(number)))
        self._drawn: dict[tuple[str, int], Sequence[Line]] = {}
        self._rail = rail

    # -- what is shown ------------------------------------------------------------------------

    def show(self, pieces: Sequence[Piece], *, fresh: bool = True) -> None:
        """Show other pieces; the top line and the cursor stay where they are, by key.

        Args:
            pieces: What is to be shown.
            fresh: Whether a key may mean something else than before.
        """
        top = self.pieces[self._window.top].key if self._window.top < len(self.pieces) else None
        here = self.picked.key if self.picked is not None else None
        old, old_top, old_cursor = self._places, self._window.top, self.cursor
        self.pieces = pieces
        self._places = {piece.key: number for number, piece in enumerate(pieces)}
        if fresh:
            self._drawn.clear()
        self._window.top = self._nearest(top, old, old_top)
        self.cursor = self._pickable(self._nearest(here, old, old_cursor))
        if self.follow:
            self.to_end()
        self._settle()

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Wrap long lines, or cut them."""
        self.wrapped = wrapped
        self._drawn.clear()
        self._settle()

    @property
    def picked(self) -> Piece | None:
        """Give the piece under the cursor."""
        if 0 <= self.cursor < len(self.pieces) and self.pieces[self.cursor].picked:
            return self.pieces[self.cursor]
        return None

    @property
    def top(self) -> Piece | None:
        """Give the piece on top of the view."""
        return self.pieces[self._window.top] if self._window.top < len(self.pieces) else None

    @property
    def part(self) -> float:
        """Tell how far down the view is, from 0 to 1."""
        if self.at_end or len(self.pieces) < 2:
            return 1.0
        return self._window.top / (len(self.pieces) - 1)

    @property
    def is_painted(self) -> bool:
        """Tell whether anything was drawn yet."""
        return bool(self._window.seen)

    @property
    def at_end(self) -> bool:
        """Tell whether the last line is to be seen."""
        view = self._view
        view.look()
        return view.at_end

    def number_of(self, key: str) -> int | None:
        """Find a piece by its key."""
        return self._places.get(key)

    def lines_at(self, number: int) -> Sequence[Line]:
        """Give the lines of a piece as they are shown."""
        return self._lines(number)

    @property
    def _view(self) -> Window:
        """Give the window, as large as the reel is now."""
        self._window.count, self._window.height = len(self.pieces), self.size.height
        return self._window

    # -- moving -------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Go to the next or the previous piece; a long one is scrolled through first."""
        if not self.pieces:
            return
        self.follow = self.follow and by > 0
        self._view.look()
        if self._view.hides(self.cursor, by):
            self.scroll(by)
            return
        at = self.cursor + by
        while 0 <= at < len(self.pieces) and not self.pieces[at].picked:
            at += by
        if 0 <= at < len(self.pieces):
            self.cursor = at
            self._view.reveal(at, from_above=by > 0)
        else:
            self.scroll(by)
        self._changed()

    def jump(self, kinds: Sequence[str], by: int) -> bool:
        """Go to the next or the previous piece of some kinds, and put it on top."""
        at = self.cursor + by
        while 0 <= at < len(self.pieces):
            if self.pieces[at].kind in kinds:
                self.to(at)
                return True
            at += by
        return False

    def to(self, number: int, *, top: bool = True) -> None:
        """Put the cursor on a piece, and the piece on top of the view."""
        if not self.pieces:
            return
        number = max(0, min(number, len(self.pieces) - 1))
        self.cursor = self._pickable(number)
        if top:
            self._view.put(number)
            self.follow = False
            self._settle()
        else:
            self._view.reveal(number, from_above=True)
            self._changed()

    def to_key(self, key: str, *, top: bool = True) -> bool:
        """Put the cursor on a piece by its key; tell whether it is there."""
        number = self._places.get(key)
        if number is None:
            return False
        self.to(number, top=top)
        return True

    def to_start(self) -> None:
        """Go to the first piece."""
        self.follow = False
        self._view.put(0)
        self.cursor = self._pickable(0)
        self._changed()

    def to_end(self) -> None:
        """Go to the last piece, its last line at the bottom."""
        last = len(self.pieces) - 1
        if last < 0:
            return
        self._view.put(last, max(0, len(self._lines(last)) - 1))
        self.cursor = self._pickable(last)
        self._settle()

    def scroll(self, by: int) -> None:
        """Move the view by some lines; the cursor comes along."""
        if by < 0:
            self.follow = False
        self._view.shift(by)
        self._settle()
        self._keep_cursor_in_view()
        self._changed()

    def page(self, part: float) -> None:
        """Move the view by a part of its height."""
        lines = max(1, int(abs(part) * self.size.height))
        self.scroll(lines if part > 0 else -lines)

    # -- drawing ------------------------------------------------------------------------------

    @override
    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        if y == 0 or not self._window.seen:
            self._view.look()
        columns, base = self.size.width, self.rich_style
        if y >= len(self._window.seen):
            return Strip.blank(columns, base)
        number, at = self._window.seen[y]
        piece = self.pieces[number]
        lines = self._lines(number)
        here = number == self.cursor and piece.picked
        line = lines[at] if at < len(lines) else ()
        looks = Drawn(self.ink, base, here=here, focused=self.has_focus, needle=self.needle)
        strip = strip_of(line, columns - self._rail, looks)
        return Strip([*strip, self._rail_at(y)], columns) if self._rail else strip

    def _rail_at(self, y: int) -> Segment:
        height = max(1, self.size.height)
        first = min(height - 1, int(self.part * (height - 1) + 0.5))
        whole = len(self._window.seen) < height or len(self.pieces) == 0
        text = " " if whole else "█" if y == first else "│"
        return Segment(text, self.rich_style + (self.ink.thumb if y == first else self.ink.rail))

    def on_resize(self, _: events.Resize) -> None:
        """Keep the first visible line."""
        self._drawn.clear()
        if self.follow:
            self.to_end()
        self._settle()

    # -- the mouse ----------------------------------------------------------------------------

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self.scroll(_WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self.scroll(-_WHEEL)

    def on_click(self, event: events.Click) -> None:
        """Pick a piece; a click on the picked one opens it. On the rail, go there."""
        self._view.look()
        y = int(event.y)
        if self._rail and event.x >= self.size.width - 1 and self.pieces:
            self.to(int(y / max(1, self.size.height - 1) * (len(self.pieces) - 1)))
            return
        if y >= len(self._window.seen):
            return
        number = self._window.seen[y][0]
        piece = self.pieces[number]
        if not piece.picked:
            return
        if number == self.cursor:
            self.post_message(self.Opened(self, piece))
        else:
            self.cursor = number
            self._changed()

    # -- inside -------------------------------------------------------------------------------

    def _lines(self, number: int) -> Sequence[Line]:
        piece = self.pieces[number]
        columns = max(1, self.size.width - 1 - self._rail)
        key = (piece.key, columns)
        found = self._drawn.get(key)
        if found is None:
            if len(self._drawn) > _KEPT:
                self._drawn.clear()
            found = [part for line in piece.draw(columns) for part in self._set(line, columns)]
            found = found or [()]
            self._drawn[key] = found
        return found

    def _set(self, line: Line, columns: int) -> Sequence[Line]:
        """Wrap a line that is too long, or cut it."""
        return broken(line, columns) if self.wrapped else [cut(line, columns)]

    def _settle(self) -> None:
        view = self._view
        if self.pieces:
            view.settle()
        else:
            view.put(0)
            self.cursor = 0
            view.look()
        self._changed()

    def _keep_cursor_in_view(self) -> None:
        self._view.look()
        seen = [number for number, _ in self._window.seen if self.pieces[number].picked]
        if seen and not seen[0] <= self.cursor <= seen[-1]:
            self.cursor = seen[0] if self.cursor < seen[0] else seen[-1]

    def _pickable(self, number: int) -> int:
        """Find the nearest piece that can be picked, downwards first."""
        if not self.pieces:
            return 0
        number = max(0, min(number, len(self.pieces) - 1))
        for at in range(number, len(self.pieces)):
            if self.pieces[at].picked:
                return at
        return next((at for at in range(number, -1, -1) if self.pieces[at].picked), number)

    def _nearest(self, key: str | None, old: dict[str, int], number: int) -> int:
        """Find where a piece stands now; where it is gone, the nearest before it that stayed."""
        if key is None:
            return 0
        if key in self._places:
            return self._places[key]
        before = [(at, name) for name, at in old.items() if at < number and name in self._places]
        return self._places[max(before)[1]] if before else 0

    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Moved(self))
