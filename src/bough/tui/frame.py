"""The frame of every screen: where one is, what is going on, which keys there are."""

from collections.abc import Sequence

from textual.strip import Strip
from textual.widget import Widget

from bough.tui.drawing import Drawn, strip_of
from bough.tui.keys import Keymap, shown
from bough.tui.looks import Ink, Line, Role, Span, cut, fit, ink_for, one_line, width
from bough.tui.overriding import override

_INSIDE = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


class _OneLine(Widget):
    """A line that is written anew whenever something changes."""

    def __init__(self) -> None:
        super().__init__()
        self.ink: Ink = ink_for("dark")
        self._left: Line = ()
        self._right: Line = ()

    def write(self, left: Sequence[Span], right: Sequence[Span] = ()) -> None:
        """Set words at the left and at the right."""
        self._left, self._right = tuple(left), tuple(right)
        self.refresh()

    @override
    def render_line(self, y: int) -> Strip:
        """Draw the line; the left gives way where there is no room for both."""
        columns = self.size.width
        looks = Drawn(self.ink, self.rich_style)
        if y:
            return Strip.blank(columns, self.rich_style)
        tail = sum(width(text) for _, text in self._right)
        left = cut(self._left, max(0, columns - 2 - (tail + 2 if tail else 0)))
        used = sum(width(text) for _, text in left)
        gap = " " * max(1, columns - 2 - used - tail)
        return strip_of((*left, (Role.META, gap), *self._right), columns, looks)


class Room(_OneLine):
    """What is shown where there is no room for anything."""

    DEFAULT_CSS = "Room { layer: above; width: 100%; height: 100%; background: $surface; }"


class Bar(_OneLine):
    """The top line: the place at the left, who waits and works at the right."""

    DEFAULT_CSS = "Bar { height: 1; dock: top; background: $panel; }"

    def say(self, where: Sequence[str], going_on: Sequence[Span]) -> None:
        """Name the place."""
        *outer, last = [one_line(name) for name in where] or [""]
        spans: list[Span] = [(Role.ACTIVE, "bough  ")]
        spans += [(Role.META, f"{fit(name, 28)} {_INSIDE} ") for name in outer]
        self.write([*spans, (Role.CLAUDE, last)], going_on)


class Foot(_OneLine):
    """The bottom line: keys at the left, where the view is at the right."""

    DEFAULT_CSS = "Foot { height: 1; dock: bottom; background: $panel; }"

    def say(self, keymap: Keymap, names: Sequence[str], state: Sequence[Span]) -> None:
        """Name some keys."""
        spans: list[Span] = []
        for name in names[:6]:
            key = keymap.key(name)
            presses = " ".join(shown(press) for press in key.keys[:1])
            if name == "down":
                presses = f"{presses} {' '.join(shown(p) for p in keymap.key('up').keys[:1])}"
            if key.keys:
                word = key.short or key.does
                spans += [
                    (Role.PROMPT, presses.split(" ")[0] if name.startswith("copy") else presses),
                    (Role.META, f" {word}  "),
                ]
        self.write(spans, state)
