"""A list of pieces with a cursor, of which only some lines are seen.

A session may hold a hundred thousand lines, and nobody knows how high a piece is before it
is wrapped. So the place is not a number of lines but an anchor: the piece on top and the
line of it. What comes before or after never moves it, whatever is folded, found or appended.
Nothing here draws; whoever does tells how much room there is and is told of every move.
"""

from collections.abc import Sequence
from typing import Final

from bough.tui.style.style import Line, broken, cut
from bough.tui.widgets.list_items import Piece
from bough.tui.widgets.viewport import Window

_KEPT: Final = 4_000
"""So many laid-out pieces are kept."""


class Roll:
    """Pieces, the cursor, and the window over them."""

    def __init__(self) -> None:
        self.pieces: Sequence[Piece] = ()
        self.cursor = 0
        self.wrapped = False
        self.follow = False
        self._places: dict[str, int] = {}
        self._window = Window(lambda number: len(self._lines(number)))
        self._drawn: dict[tuple[str, int], Sequence[Line]] = {}

    @property
    def room(self) -> int:
        """Give the columns that a piece may take."""
        raise NotImplementedError

    @property
    def ellipsis(self) -> str:
        """Give what stands where a line is cut."""
        raise NotImplementedError

    @property
    def rows(self) -> int:
        """Give the number of lines that are seen."""
        raise NotImplementedError

    def _changed(self) -> None:
        """Draw again: something moved."""
        raise NotImplementedError

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
        self._window.count, self._window.height = len(self.pieces), self.rows
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
        lines = max(1, int(abs(part) * self.rows))
        self.scroll(lines if part > 0 else -lines)

    # -- inside -------------------------------------------------------------------------------

    def _lines(self, number: int) -> Sequence[Line]:
        piece = self.pieces[number]
        columns = self.room
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
        return (
            broken(line, columns, self.ellipsis)
            if self.wrapped
            else [cut(line, columns, self.ellipsis)]
        )

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
