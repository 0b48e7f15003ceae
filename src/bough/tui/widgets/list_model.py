"""A list of items with a cursor, of which only some lines are seen.

A session may hold a hundred thousand lines, and nobody knows how high an item is before it
is wrapped. So the position is not a number of lines but an anchor: the item on top and the
line of it. What comes before or after never moves it, whatever is folded, found or appended.
Nothing here draws; whoever does tells how much room there is and is told of every move.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from bough.terminal.style import StyledLine
from bough.tui.style.style import break_line, cut_line
from bough.tui.widgets.list_items import ListItem
from bough.tui.widgets.viewport import Viewport

_MAX_LAYOUTS: Final = 4_000
"""So many laid-out items are kept."""


class ListSurface(Protocol):
    """What a list is drawn on."""

    @property
    def item_width(self) -> int:
        """Give the columns that an item may take."""

    @property
    def ellipsis(self) -> str:
        """Give what stands where a line is cut."""

    @property
    def rows(self) -> int:
        """Give the number of lines that are seen."""

    def redraw(self) -> None:
        """Draw again: something moved."""


class ListModel:
    """Items, the cursor, and the window over them."""

    def __init__(self, surface: ListSurface) -> None:
        self._surface = surface
        self.pieces: Sequence[ListItem] = ()
        self.cursor = 0
        self.wrapped = False
        self.follow = False
        self._numbers_by_key: dict[str, int] = {}
        self._viewport = Viewport(lambda number: len(self._layout_item(number)))
        self._line_cache: dict[tuple[str, int], Sequence[StyledLine]] = {}

    # -- what is shown ------------------------------------------------------------------------

    def show(self, pieces: Sequence[ListItem], *, fresh: bool = True) -> None:
        """Show other items; the top line and the cursor stay where they are, by key.

        Args:
            pieces: What is to be shown.
            fresh: Whether a key may mean something else than before.
        """
        top = self.pieces[self._viewport.top].key if self._viewport.top < len(self.pieces) else None
        here = self.picked.key if self.picked is not None else None
        old, old_top, old_cursor = self._numbers_by_key, self._viewport.top, self.cursor
        self.pieces = pieces
        self._numbers_by_key = {piece.key: number for number, piece in enumerate(pieces)}
        if fresh:
            self._line_cache.clear()
        self._viewport.top = self._find_nearest(top, old, old_top)
        self.cursor = self._find_pickable(self._find_nearest(here, old, old_cursor))
        if self.follow:
            self.go_to_end()
        self._clamp_view()

    def set_wrapped(self, *, wrapped: bool) -> None:
        """Wrap long lines, or cut them."""
        self.wrapped = wrapped
        self._line_cache.clear()
        self._clamp_view()

    @property
    def picked(self) -> ListItem | None:
        """Give the item under the cursor."""
        if 0 <= self.cursor < len(self.pieces) and self.pieces[self.cursor].picked:
            return self.pieces[self.cursor]
        return None

    @property
    def top(self) -> ListItem | None:
        """Give the item on top of the view."""
        return self.pieces[self._viewport.top] if self._viewport.top < len(self.pieces) else None

    @property
    def scroll_fraction(self) -> float:
        """Tell how far down the view is, from 0 to 1."""
        if self.is_at_end or len(self.pieces) < 2:
            return 1.0
        return self._viewport.top / (len(self.pieces) - 1)

    @property
    def is_at_end(self) -> bool:
        """Tell whether the last line is to be seen."""
        view = self._sized_viewport
        view.update_visible()
        return view.is_at_end

    def number_of(self, key: str) -> int | None:
        """Find an item by its key."""
        return self._numbers_by_key.get(key)

    def lines_at(self, number: int) -> Sequence[StyledLine]:
        """Give the lines of an item as they are shown."""
        return self._layout_item(number)

    @property
    def _sized_viewport(self) -> Viewport:
        """Give the window, as large as the list is now."""
        self._viewport.count, self._viewport.height = len(self.pieces), self._surface.rows
        return self._viewport

    # -- moving -------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Go to the next or the previous item; a long one is scrolled through first."""
        if not self.pieces:
            return
        self.follow = self.follow and by > 0
        self._sized_viewport.update_visible()
        if self._sized_viewport.has_hidden_lines(self.cursor, by):
            self.scroll(by)
            return
        at = self.cursor + by
        while 0 <= at < len(self.pieces) and not self.pieces[at].picked:
            at += by
        if 0 <= at < len(self.pieces):
            self.cursor = at
            self._sized_viewport.reveal(at, from_above=by > 0)
        else:
            self.scroll(by)
        self._surface.redraw()

    def jump(self, kinds: Sequence[str], by: int) -> bool:
        """Go to the next or the previous item of some kinds, and put it on top."""
        at = self.cursor + by
        while 0 <= at < len(self.pieces):
            if self.pieces[at].kind in kinds:
                self.go_to(at)
                return True
            at += by
        return False

    def go_to(self, number: int, *, top: bool = True) -> None:
        """Put the cursor on an item, and the item on top of the view."""
        if not self.pieces:
            return
        number = max(0, min(number, len(self.pieces) - 1))
        self.cursor = self._find_pickable(number)
        if top:
            self._sized_viewport.move_to(number)
            self.follow = False
            self._clamp_view()
        else:
            self._sized_viewport.reveal(number, from_above=True)
            self._surface.redraw()

    def go_to_key(self, key: str, *, top: bool = True) -> bool:
        """Put the cursor on an item by its key; tell whether it is there."""
        number = self._numbers_by_key.get(key)
        if number is None:
            return False
        self.go_to(number, top=top)
        return True

    def go_to_start(self) -> None:
        """Go to the first item."""
        self.follow = False
        self._sized_viewport.move_to(0)
        self.cursor = self._find_pickable(0)
        self._surface.redraw()

    def go_to_end(self) -> None:
        """Go to the last item, its last line at the bottom."""
        last = len(self.pieces) - 1
        if last < 0:
            return
        self._sized_viewport.move_to(last, max(0, len(self._layout_item(last)) - 1))
        self.cursor = self._find_pickable(last)
        self._clamp_view()

    def scroll(self, by: int) -> None:
        """Move the view by some lines; the cursor comes along."""
        if by < 0:
            self.follow = False
        self._sized_viewport.shift(by)
        self._clamp_view()
        self._keep_cursor_in_view()
        self._surface.redraw()

    def page(self, part: float) -> None:
        """Move the view by a part of its height."""
        lines = max(1, int(abs(part) * self._surface.rows))
        self.scroll(lines if part > 0 else -lines)

    # -- inside -------------------------------------------------------------------------------

    def _layout_item(self, number: int) -> Sequence[StyledLine]:
        piece = self.pieces[number]
        columns = self._surface.item_width
        key = (piece.key, columns)
        found = self._line_cache.get(key)
        if found is None:
            if len(self._line_cache) > _MAX_LAYOUTS:
                self._line_cache.clear()
            found = [part for line in piece.draw(columns) for part in self._fit_line(line, columns)]
            found = found or [()]
            self._line_cache[key] = found
        return found

    def _fit_line(self, line: StyledLine, columns: int) -> Sequence[StyledLine]:
        """Wrap a line that is too long, or cut it."""
        return (
            break_line(line, columns, self._surface.ellipsis)
            if self.wrapped
            else [cut_line(line, columns, self._surface.ellipsis)]
        )

    def _clamp_view(self) -> None:
        view = self._sized_viewport
        if self.pieces:
            view.clamp()
        else:
            view.move_to(0)
            self.cursor = 0
            view.update_visible()
        self._surface.redraw()

    def _keep_cursor_in_view(self) -> None:
        self._sized_viewport.update_visible()
        seen = [number for number, _ in self._viewport.visible_lines if self.pieces[number].picked]
        if seen and not seen[0] <= self.cursor <= seen[-1]:
            self.cursor = seen[0] if self.cursor < seen[0] else seen[-1]

    def _find_pickable(self, number: int) -> int:
        """Find the nearest item that can be picked, downwards first."""
        if not self.pieces:
            return 0
        number = max(0, min(number, len(self.pieces) - 1))
        for at in range(number, len(self.pieces)):
            if self.pieces[at].picked:
                return at
        return next((at for at in range(number, -1, -1) if self.pieces[at].picked), number)

    def _find_nearest(self, key: str | None, old: dict[str, int], number: int) -> int:
        """Find where an item stands now; where it is gone, the nearest before it that stayed."""
        if key is None:
            return 0
        if key in self._numbers_by_key:
            return self._numbers_by_key[key]
        before = [
            (at, name) for name, at in old.items() if at < number and name in self._numbers_by_key
        ]
        return self._numbers_by_key[max(before)[1]] if before else 0
