"""The reel: a list on the screen, with a rail beside it, the keys' cursor and the mouse.

What is in view and how it moves is `roll`'s business; here it is drawn. A drag takes words:
the screen is told when the button is let go, and copies them.
"""

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from bough.tui.override import override
from bough.tui.style.style import Ink, ink_for
from bough.tui.widgets import selection as selecting
from bough.tui.widgets.draw_lines import Drawn, strip_of
from bough.tui.widgets.list_items import Piece
from bough.tui.widgets.list_model import Roll
from bough.tui.widgets.selection import Selection, Spot

_WHEEL: Final = 3


class Reel(Roll, Widget, can_focus=True):
    """A virtual list with a cursor."""

    ALLOW_SELECT = False  # it knows its words better than the screen does
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

    class Taken(Message):
        """Words were taken with the mouse."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None, rail: bool = True) -> None:  # noqa: A002
        Widget.__init__(self, id=id)
        Roll.__init__(self)
        self.needle = ""
        self.ink: Ink = ink_for("dark")
        self._rail = rail
        self._known_size = Size(0, 0)
        self._base = Style()
        self._thumb = 0
        self._grip: Spot | None = None
        self._selection: Selection | None = None

    @property
    @override
    def room(self) -> int:
        """Give the columns that a piece may take: one is the cursor's, one the rail's."""
        return max(1, self._extent.width - 1 - self._rail)

    @property
    @override
    def ellipsis(self) -> str:
        """Give what stands where a line is cut."""
        return self.ink.glyphs.ellipsis

    @property
    @override
    def rows(self) -> int:
        """Give the number of lines that are seen."""
        return self._extent.height

    @property
    def _extent(self) -> Size:
        """Give the size; Textual works it out anew each time, and a line asks often."""
        return self._known_size or self.size

    @override
    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Moved(self))

    # -- drawing ------------------------------------------------------------------------------

    @override
    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw some lines; what is in view may be other than before."""
        self._begin_to_draw()
        return super().render_lines(crop)

    @override
    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        if y == 0 or not self._window.seen:
            self._begin_to_draw()
        columns, base = self._extent.width, self._base
        if y >= len(self._window.seen):
            return Strip.blank(columns, base)
        number, at = self._window.seen[y]
        piece = self.pieces[number]
        lines = self._lines(number)
        here = number == self.cursor and piece.picked
        line = lines[at] if at < len(lines) else ()
        looks = Drawn(self.ink, base, here=here, focused=self.has_focus, needle=self.needle)
        strip = strip_of(line, columns - self._rail, looks)
        taken = self._selection.columns(number, at) if self._selection is not None else None
        if taken is not None:
            strip = selecting.drawn(strip, taken, self.ink.taken)
        return Strip([*strip, self._rail_at(y)], columns) if self._rail else strip

    def _begin_to_draw(self) -> None:
        """Find out once what is the same for all lines."""
        self._known_size = self.size
        self._base = self.rich_style
        height = max(1, self.rows)
        self._thumb = min(height - 1, int(self.part * (height - 1) + 0.5))
        self._view.look()

    def _rail_at(self, y: int) -> Segment:
        glyphs, here = self.ink.glyphs, y == self._thumb
        whole = len(self._window.seen) < self.rows or len(self.pieces) == 0
        text = " " if whole else glyphs.thumb if here else glyphs.bar
        return Segment(text, self._base + (self.ink.thumb if here else self.ink.rail))

    def on_resize(self, _: events.Resize) -> None:
        """Keep the first visible line."""
        self._known_size = self.size
        self._drawn.clear()
        self._selection = None
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

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to take words, should the pointer move."""
        self._selection = None
        self._grip = self._spot(event) if event.button == 1 and not self._on_rail(event) else None
        self.refresh()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Take the words between the grip and the pointer; beyond an edge the list scrolls."""
        if self._grip is None or event.button != 1:
            return
        self.capture_mouse()
        if not 0 <= event.y < self.size.height:
            self.scroll(1 if event.y > 0 else -1)
        end = self._spot(event)
        if end is not None and (end != self._grip or self._selection is not None):
            self._selection = Selection(self._grip, end)
            self.refresh()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Hand over the words that were taken."""
        self.release_mouse()
        self._grip = None
        if self._selection is not None and (text := self.taken):
            event.stop()
            self.post_message(self.Taken(text))

    @property
    def taken(self) -> str:
        """Give the words that are taken."""
        chosen = self._selection
        if chosen is None:
            return ""
        found: list[str] = []
        first, last = min(chosen.grip, chosen.end), max(chosen.grip, chosen.end)
        for number in range(first.piece, min(last.piece, len(self.pieces) - 1) + 1):
            for at, line in enumerate(self._lines(number)):
                columns = chosen.columns(number, at)
                if columns is not None:
                    found.append(selecting.words(line, columns))
        return "\n".join(found).strip("\n")

    def on_click(self, event: events.Click) -> None:
        """Pick a piece; a click on the picked one opens it. On the rail, go there."""
        if self._selection is not None:
            return  # it was the end of a drag
        self._view.look()
        y = int(event.y)
        if self._on_rail(event) and self.pieces:
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

    def _on_rail(self, event: events.MouseEvent) -> bool:
        return self._rail and event.x >= self.size.width - 1

    def _spot(self, event: events.MouseEvent) -> Spot | None:
        """Find the place under the pointer, or the nearest to it."""
        seen = self._window.seen
        if not seen:
            return None
        piece, line = seen[max(0, min(int(event.y), len(seen) - 1))]
        return Spot(piece, line, max(0, int(event.x) - 1))
