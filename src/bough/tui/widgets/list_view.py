"""A list on the screen, with a scroll bar beside it, the keys' cursor and the mouse.

What is in view and how it moves is the list model's business; here it is drawn. A drag takes words:
the screen is told when the button is let go, and copies them.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from bough.backports import override
from bough.terminal.style import StyledLine
from bough.tui.style.style import ThemeStyles, styles_of_theme
from bough.tui.widgets import selection as selecting
from bough.tui.widgets.draw_lines import DrawOptions, Mark, draw_strip, find_marks
from bough.tui.widgets.list_items import ListItem
from bough.tui.widgets.list_model import ListModel
from bough.tui.widgets.selection import ListPosition, Selection

_WHEEL: Final = 3


class _FoundMarks(Struct, frozen=True):
    """Where words stand in the lines of one item: a screen is drawn from item to item."""

    needle: str = ""
    number: int = -1
    lines: Sequence[StyledLine] = ()
    marks: Sequence[Sequence[Mark]] = ()


class ListView(ListModel, Widget, can_focus=True):
    """A virtual list with a cursor."""

    ALLOW_SELECT = False  # it knows its words better than the screen does
    DEFAULT_CSS = """
    ListView { width: 1fr; height: 1fr; }
    """

    class Moved(Message):
        """The cursor stands on another piece, or the view on another line."""

        def __init__(self, shown: "ListView") -> None:
            super().__init__()
            self.list_view = shown

    class Opened(Message):
        """A piece was opened by the mouse."""

        def __init__(self, shown: "ListView", piece: ListItem) -> None:
            super().__init__()
            self.list_view = shown
            self.piece = piece

    class Taken(Message):
        """Words were taken with the mouse."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None, rail: bool = True) -> None:  # noqa: A002
        Widget.__init__(self, id=id)
        ListModel.__init__(self, self)
        self.needle = ""
        self.theme_styles: ThemeStyles = styles_of_theme("dark")
        self._rail = rail
        self._known_size = Size(0, 0)
        self._base = Style()
        self._thumb = 0
        self._found = _FoundMarks()
        self._anchor: ListPosition | None = None
        self._selection: Selection | None = None

    @property
    def item_width(self) -> int:
        """Give the columns that an item may take: one is the cursor's, one the scroll bar's."""
        return max(1, self._extent.width - 1 - self._rail)

    @property
    def ellipsis(self) -> str:
        """Give what stands where a line is cut."""
        return self.theme_styles.glyphs.ellipsis

    @property
    def rows(self) -> int:
        """Give the number of lines that are seen."""
        return self._extent.height

    @property
    def _extent(self) -> Size:
        """Give the size; Textual works it out anew each time, and a line asks often."""
        return self._known_size or self.size

    def redraw(self) -> None:
        """Draw again, and tell the screen: something moved."""
        self.refresh()
        self.post_message(self.Moved(self))

    # -- drawing ------------------------------------------------------------------------------

    @override
    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw some lines; what is in view may be other than before."""
        self._prepare_drawing()
        return super().render_lines(crop)

    @override
    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        if y == 0 or not self._viewport.visible_lines:
            self._prepare_drawing()
        columns, base = self._extent.width, self._base
        if y >= len(self._viewport.visible_lines):
            return Strip.blank(columns, base)
        number, at = self._viewport.visible_lines[y]
        piece = self.pieces[number]
        lines = self._layout_item(number)
        here = number == self.cursor and piece.picked
        line = lines[at] if at < len(lines) else ()
        marks = self.marks_at(number)[at] if self.needle and at < len(lines) else ()
        looks = DrawOptions(
            self.theme_styles, base, is_current=here, focused=self.has_focus, marks=marks
        )
        strip = draw_strip(line, columns - self._rail, looks)
        taken = self._selection.columns(number, at) if self._selection is not None else None
        if taken is not None:
            strip = selecting.draw_selection(strip, taken, self.theme_styles.selected_text)
        return Strip([*strip, self._render_scrollbar(y)], columns) if self._rail else strip

    def marks_at(self, number: int) -> Sequence[Sequence[Mark]]:
        """Give where the words that are looked for stand in the lines of an item."""
        lines = self._layout_item(number)
        found = self._found
        if (found.needle, found.number) != (self.needle, number) or found.lines is not lines:
            marks = find_marks(lines, self.needle)
            self._found = found = _FoundMarks(self.needle, number, lines, marks)
        return found.marks

    def _prepare_drawing(self) -> None:
        """Find out once what is the same for all lines."""
        self._known_size = self.size
        self._base = self.rich_style
        height = max(1, self.rows)
        self._thumb = min(height - 1, int(self.scroll_fraction * (height - 1) + 0.5))
        self._sized_viewport.update_visible()

    def _render_scrollbar(self, y: int) -> Segment:
        glyphs, here = self.theme_styles.glyphs, y == self._thumb
        whole = len(self._viewport.visible_lines) < self.rows or len(self.pieces) == 0
        text = " " if whole else glyphs.thumb if here else glyphs.bar
        return Segment(
            text, self._base + (self.theme_styles.thumb if here else self.theme_styles.rail)
        )

    def on_resize(self, _: events.Resize) -> None:
        """Keep the first visible line."""
        self._known_size = self.size
        self._line_cache.clear()
        self._selection = None
        if self.follow:
            self.go_to_end()
        self._clamp_view()

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
        self._anchor = (
            self._find_position(event)
            if event.button == 1 and not self._is_on_scrollbar(event)
            else None
        )
        self.refresh()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Take the words between the grip and the pointer; beyond an edge the list scrolls."""
        if self._anchor is None or event.button != 1:
            return
        self.capture_mouse()
        if not 0 <= event.y < self.size.height:
            self.scroll(1 if event.y > 0 else -1)
        end = self._find_position(event)
        if end is not None and (end != self._anchor or self._selection is not None):
            self._selection = Selection(self._anchor, end)
            self.refresh()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Hand over the words that were taken."""
        self.release_mouse()
        self._anchor = None
        if self._selection is not None and (text := self.selected_text):
            event.stop()
            self.post_message(self.Taken(text))

    @property
    def selected_text(self) -> str:
        """Give the words that are taken."""
        chosen = self._selection
        if chosen is None:
            return ""
        found: list[str] = []
        first, last = min(chosen.anchor, chosen.end), max(chosen.anchor, chosen.end)
        for number in range(first.piece, min(last.piece, len(self.pieces) - 1) + 1):
            for at, line in enumerate(self._layout_item(number)):
                columns = chosen.columns(number, at)
                if columns is not None:
                    found.append(selecting.extract_selected_text(line, columns))
        return "\n".join(found).strip("\n")

    def on_click(self, event: events.Click) -> None:
        """Pick a piece; a click on the picked one opens it. On the rail, go there."""
        if self._selection is not None:
            return  # it was the end of a drag
        self._sized_viewport.update_visible()
        y = int(event.y)
        if self._is_on_scrollbar(event) and self.pieces:
            self.go_to(int(y / max(1, self.size.height - 1) * (len(self.pieces) - 1)))
            return
        if y >= len(self._viewport.visible_lines):
            return
        number = self._viewport.visible_lines[y][0]
        piece = self.pieces[number]
        if not piece.picked:
            return
        if number == self.cursor:
            self.post_message(self.Opened(self, piece))
        else:
            self.cursor = number
            self.redraw()

    def _is_on_scrollbar(self, event: events.MouseEvent) -> bool:
        return self._rail and event.x >= self.size.width - 1

    def _find_position(self, event: events.MouseEvent) -> ListPosition | None:
        """Find the place under the pointer, or the nearest to it."""
        seen = self._viewport.visible_lines
        if not seen:
            return None
        piece, line = seen[max(0, min(int(event.y), len(seen) - 1))]
        return ListPosition(piece, line, max(0, int(event.x) - 1))
