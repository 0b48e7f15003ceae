"""A window over items of unknown height: which lines are seen, and how it moves.

Its position is an anchor, the item on top and the line of it, so that only the items in view
have to be measured. Nothing here knows of a screen.
"""

from collections.abc import Callable


class Viewport:
    """Some lines of a list; `rows` tells how many lines an item takes."""

    def __init__(self, rows: Callable[[int], int]) -> None:
        self._count_rows = rows
        self.count = 0
        self.height = 0
        self.top = 0
        self.line = 0
        self.visible_lines: list[tuple[int, int]] = []
        """What is in view: the number of a piece and the line of it, from the top."""

    def update_visible(self) -> None:
        """Find out which lines are to be seen."""
        seen: list[tuple[int, int]] = []
        number, line = self.top, self.line
        while len(seen) < self.height and number < self.count:
            rows = self._count_rows(number)
            while line < rows and len(seen) < self.height:
                seen.append((number, line))
                line += 1
            number, line = number + 1, 0
        self.visible_lines = seen

    def move_to(self, number: int, line: int = 0) -> None:
        """Put a line of a piece on top."""
        self.top, self.line = number, line

    def shift(self, by: int) -> None:
        """Move by some lines, as far as there are any."""
        while by > 0 and self.count:
            left = self._count_rows(self.top) - 1 - self.line
            if by <= left or self.top + 1 >= self.count:
                self.line += min(by, left)
                return
            by -= left + 1
            self.move_to(self.top + 1)
        while by < 0 and self.count:
            if -by <= self.line or self.top == 0:
                self.line = max(0, self.line + by)
                return
            by += self.line + 1
            self.move_to(self.top - 1)
            self.line = self._count_rows(self.top) - 1

    def clamp(self) -> None:
        """Leave no emptiness below the end, and nothing beyond a piece's own lines."""
        self.top = max(0, min(self.top, self.count - 1))
        if not self.height:
            return
        self.line = max(0, min(self.line, self._count_rows(self.top) - 1))
        self.update_visible()
        missing = self.height - len(self.visible_lines)
        if missing > 0 and (self.top or self.line):
            self.shift(-missing)
            self.update_visible()

    def reveal(self, number: int, *, from_above: bool) -> None:
        """Bring a piece into view with as little movement as possible."""
        rows, height = self._count_rows(number), max(1, self.height)
        if number < self.top or (number == self.top and self.line > 0):
            self.move_to(number, 0 if from_above or rows <= height else rows - height)
            return
        self.update_visible()
        last = (number, min(rows, height) - 1)
        while (
            last not in self.visible_lines and self.visible_lines and self.visible_lines[-1] < last
        ):
            self.shift(1)
            self.update_visible()

    def has_hidden_lines(self, number: int, by: int) -> bool:
        """Tell whether a piece in view goes on outside of it, below or above."""
        if not self.visible_lines or self.height < 2:
            return False
        if by > 0:
            last, line = self.visible_lines[-1]
            return last == number and line < self._count_rows(last) - 1
        return self.visible_lines[0][0] == number and self.visible_lines[0][1] > 0

    @property
    def is_at_end(self) -> bool:
        """Tell whether the last line is in view."""
        if not self.count or not self.visible_lines:
            return True
        last = self.count - 1
        return self.visible_lines[-1] == (last, self._count_rows(last) - 1)
