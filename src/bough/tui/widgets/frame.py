"""The frame of every screen: where one is, what is going on, which keys there are.

What stands in it can be clicked: a key does what it says, a screen's name leads there.
"""

from collections.abc import Mapping, Sequence

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from bough.backports import override
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import fit, one_line, width
from bough.tui.keymap import Keymap, format_press
from bough.tui.style.style import ThemeStyles, cut_line, styles_of_theme
from bough.tui.widgets.draw_lines import DrawOptions, draw_strip

_PAIR = 2
"""A key and its word."""
_INSIDE = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


class Clicked(Message):
    """Something in the frame was clicked: the name of what is to be done."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class OneLine(Widget):
    """A line that is written anew whenever something changes."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's word
        super().__init__(id=id)
        self.theme_styles: ThemeStyles = styles_of_theme("dark")
        self._left: StyledLine = ()
        self._right: StyledLine = ()
        self.click_actions: dict[int, str] = {}
        """What a click on a piece does, by its number; those at the right count from -1 down."""

    def write(self, left: Sequence[Span], right: Sequence[Span] = ()) -> None:
        """Set words at the left and at the right."""
        before = self._left, self._right
        self._left, self._right = _strip_end(left), tuple(right)
        # While sessions grow the same is said many times a second, and each drawing keeps the
        # words of the session waiting for the next picture.
        if before != (self._left, self._right):
            self.refresh()

    @property
    def words(self) -> str:
        """Give the words at the left."""
        return "".join(text for _, text in self._left)

    @override
    def render_line(self, y: int) -> Strip:
        """Draw the line; the left gives way where there is no room for both."""
        columns = self.size.width
        looks = DrawOptions(self.theme_styles, self.rich_style)
        if y:
            return Strip.blank(columns, self.rich_style)
        left, gap = self._layout_parts()
        return draw_strip((*left, (Role.META, " " * gap), *self._right), columns, looks)

    def _fit_left(self, columns: int) -> StyledLine:
        """Cut the words at the left to the room there is."""
        return cut_line(self._left, columns)

    def _layout_parts(self) -> tuple[StyledLine, int]:
        columns = self.size.width
        tail = sum(width(text) for _, text in self._right)
        left = self._fit_left(max(0, columns - 2 - (tail + 2 if tail else 0)))
        used = sum(width(text) for _, text in left)
        return left, max(1, columns - 2 - used - tail)

    def on_click(self, event: events.Click) -> None:
        """Do what the piece under the pointer stands for."""
        left, gap = self._layout_parts()
        at = 1
        numbered = [*enumerate(left), (None, (Role.META, " " * gap))]
        numbered += [(at - len(self._right), span) for at, span in enumerate(self._right)]
        for number, (_, text) in numbered:
            at += width(text)
            if event.x < at:
                name = self._find_click_action(number, len(left)) if number is not None else None
                if name is not None:
                    self.post_message(Clicked(name))
                return

    def _find_click_action(self, number: int, shown: int) -> str | None:
        """Name what a click does on a piece; `shown` are those at the left."""
        return self.click_actions.get(number) if number < shown else None


def _measure_words(spans: StyledLine) -> int:
    return width("".join(text for _, text in spans).rstrip())


def _strip_end(spans: Sequence[Span]) -> StyledLine:
    """Take blanks from the end: where there is no room, cutting them looks like cutting words."""
    *before, (role, text) = spans or [(Role.META, "")]
    return (*before, (role, text.rstrip()))


class TooSmallNotice(OneLine):
    """What is shown where there is no room for anything."""

    DEFAULT_CSS = (
        "TooSmallNotice { layer: above; width: 100%; height: 100%; background: $surface; }"
    )


class ColumnHeader(OneLine):
    """The names of columns, above a list."""

    DEFAULT_CSS = "ColumnHeader { height: 1; }"


class TopBar(OneLine):
    """The top line: the screen at the left, who waits and works at the right."""

    DEFAULT_CSS = "TopBar { height: 1; dock: top; background: $panel; }"

    def write_parts(self, where: Sequence[str], going_on: Sequence[Span]) -> None:
        """Name the screen."""
        *outer, last = [one_line(name) for name in where] or [""]
        spans: list[Span] = [(Role.ACTIVE, "bough  ")]
        spans += [(Role.META, f"{fit(name, 28)} {_INSIDE} ") for name in outer]
        self.click_actions = {0: "home"} | dict.fromkeys(range(1, len(outer) + 1), "back")
        self.click_actions |= dict.fromkeys(range(-len(going_on), 0), "live")
        self.write([*spans, (Role.CLAUDE, last)], going_on)


class KeyBar(OneLine):
    """The bottom line: keys at the left, where the view is at the right."""

    DEFAULT_CSS = "KeyBar { height: 1; dock: bottom; background: $panel; }"

    @override
    def _fit_left(self, columns: int) -> StyledLine:
        """Leave out whole keys where there is no room, the one that tells the others last."""
        kept, last = self._left[:-_PAIR], self._left[-_PAIR:]
        while kept and _measure_words((*kept, *last)) > columns:
            kept = kept[:-_PAIR]
        return cut_line((*kept, *last), columns)

    @override
    def _find_click_action(self, number: int, shown: int) -> str | None:
        left_out = len(self._left) - shown if shown - _PAIR <= number < shown else 0
        return super()._find_click_action(number + left_out, shown + left_out)

    def write_parts(
        self,
        keymap: Keymap,
        names: Sequence[str],
        state: Sequence[Span],
        *,
        words: Mapping[str, str] | None = None,
        typing: bool = False,
    ) -> None:
        """Name some keys, in `words` of the screen's own where it has some.

        While somebody is typing letters are dead, so keys without one are named.
        """
        spans: list[Span] = []
        self.click_actions = {}
        for name in names:
            pair = ("down", "up") if name == "down" else (name,)
            presses = [
                format_press(press) for one in pair if (press := _choose_press(keymap, one, typing))
            ]
            if presses:
                key = keymap.key(name)
                self.click_actions |= {len(spans): name, len(spans) + 1: name}
                short = (words or {}).get(name) or key.short or key.does
                pressed = presses[0].split(" ")[0] if name.startswith("copy") else " ".join(presses)
                spans += [(Role.PROMPT, pressed), (Role.META, f" {short}  ")]
        self.write(spans, state)


def _choose_press(keymap: Keymap, name: str, typing: bool) -> str:
    """Choose the key that is named."""
    presses = [press for press in keymap.key(name).keys if not typing or len(press) > 1]
    return next(iter(presses), "")


class Chips(Widget):
    """A choice of one among several, in as many lines as they need; a click chooses."""

    DEFAULT_CSS = "Chips { height: auto; max-height: 4; }"

    def __init__(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(id=name)
        self.theme_styles: ThemeStyles = styles_of_theme("dark")
        self.choices = tuple(choices)
        self.chosen = ""

    def choose(self, chosen: str) -> None:
        """Set one off from the others."""
        self.chosen = chosen
        self.refresh()

    @override
    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        """Tell how many lines the choices take."""
        return len(self._wrap_choices(width))

    @override
    def render_line(self, y: int) -> Strip:
        """Draw one line of choices."""
        columns = self.size.width
        lines = self._wrap_choices(columns)
        if y >= len(lines):
            return Strip.blank(columns, self.rich_style)
        # The brackets tell what is chosen also where there is no colour.
        spans = [
            (Role.ACTIVE, f"[{word}] ") if name == self.chosen else (Role.META, f" {word}  ")
            for name, word in lines[y]
        ]
        return draw_strip(tuple(spans), columns, DrawOptions(self.theme_styles, self.rich_style))

    def on_click(self, event: events.Click) -> None:
        """Choose what is under the pointer."""
        lines = self._wrap_choices(self.size.width)
        at = 1
        for name, word in lines[event.y] if event.y < len(lines) else ():
            at += width(word) + 3
            if event.x < at:
                self.post_message(Clicked(f"{self.id}:{name}"))
                return

    def _wrap_choices(self, columns: int) -> list[list[tuple[str, str]]]:
        lines: list[list[tuple[str, str]]] = [[]]
        used = 1
        for name, word in self.choices:
            taken = width(word) + 3
            if used + taken > columns and lines[-1]:
                lines.append([])
                used = 1
            lines[-1].append((name, word))
            used += taken
        return lines
