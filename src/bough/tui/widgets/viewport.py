"""A window over pieces of unknown height: which lines are seen, and how it moves.

Its place is an anchor, the piece on top and the line of it, so that only the pieces in view
have to be measured. Nothing here knows of a screen.
"""

from collections.abc import Callable


class Window:
    """Some lines of a list; `rows` tells how many lines a piece takes."""

    def __init__(self, rows: Callable[[int], int]) -> None:
        self._rows = rows
        self.count = 0
        self.height = 0
        self.top = 0
        self.line = 0
        self.seen: list[tuple[int, int]] = []
        """What is in view: the number of a piece and the line of it, from the top."""

    def look(self) -> None:
        """Find out which lines are to be seen."""
        seen: list[tuple[int, int]] = []
        number, line = self.top, self.line
        while len(seen) < self.height and number < self.count:
            rows = self._rows(number)
            while line < rows and len(seen) < self.height:
                seen.append((number, line))
                line += 1
            number, line = number + 1, 0
        self.seen = seen

    def put(self, number: int, line: int = 0) -> None:
        """Put a line of a piece on top."""
        self.top, self.line = number, line

    def shift(self, by: int) -> None:
        """Move by some lines, as far as there are any."""
        while by > 0 and self.count:
            left = self._rows(self.top) - 1 - self.line
            if by <= left or self.top + 1 >= self.count:
                self.line += min(by, left)
                return
            by -= left + 1
            self.put(self.top + 1)
        while by < 0 and self.count:
            if -by <= self.line or self.top == 0:
                self.line = max(0, self.line + by)
                return
            by += self.line + 1
            self.put(self.top - 1)
            self.line = self._rows(self.top) - 1

    def settle(self) -> None:
        """Leave no emptiness below the end, and nothing beyond a piece's own lines."""
        self.top = max(0, min(self.top, self.count - 1))
        if not self.height:
            return
        self.line = max(0, min(self.line, self._rows(self.top) - 1))
        self.look()
        missing = self.height - len(self.seen)
        if missing > 0 and (self.top or self.line):
            self.shift(-missing)
            self.look()

    def reveal(self, number: int, *, from_above: bool) -> None:
        """Bring a piece into view with as little movement as possible."""
        rows, height = self._rows(number), max(1, self.height)
        if number < self.top or (number == self.top and self.line > 0):
            self.put(number, 0 if from_above or rows <= height else rows - height)
            return
        self.look()
        last = (number, min(rows, height) - 1)
        while last not in self.seen and self.seen and self.seen[-1] < last:
            self.shift(1)
            self.look()

    def hides(self, number: int, by: int) -> bool:
        """Tell whether a piece in view goes on outside of it, below or above."""
        if not self.seen or self.height < 2:
            return False
        if by > 0:
            last, line = self.seen[-1]
            return last == number and line < self._rows(last) - 1
        return self.seen[0][0] == number and self.seen[0][1] > 0

    @property
    def at_end(self) -> bool:
        """Tell whether the last line is in view."""
        if not self.count or not self.seen:
            return True
        last = self.count - 1
        return self.seen[-1] == (last, self._rows(last) - 1)
