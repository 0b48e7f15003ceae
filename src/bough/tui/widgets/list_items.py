"""Pieces: what a screen's list is made of, drawn only when they are seen."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import clean, wrap

Draw = Callable[[int], Sequence[StyledLine]]
"""Gives the lines of a piece in so many columns."""


class ListItem(Struct, frozen=True, gc=False):
    """One thing in a list: a block of a conversation, a row of a table.

    `key` names it for as long as the list lives. Only what can be `picked` takes the cursor.
    `about` is what the piece stands for; the screen that made it knows its type.
    """

    key: str
    draw: Draw
    kind: str = ""
    about: object = None
    picked: bool = True


def draw_fixed(lines: Iterable[StyledLine]) -> Draw:
    """Draw lines that are the same at every width."""
    kept = tuple(lines)
    return lambda _: kept


def draw_text(text: str, role: Role, columns: int) -> list[StyledLine]:
    """Draw words over as many lines as they need."""
    return [((role, line),) for line in wrap(clean(text), columns)]


def make_text_item(key: str, *spans: Span, kind: str = "talk") -> ListItem:
    """Make a line that is only read."""
    return ListItem(key, draw_fixed([tuple(spans)]), kind, picked=False)


def make_blank_item(key: str) -> ListItem:
    """Make an empty line."""
    return ListItem(key, draw_fixed([()]), "blank", picked=False)


def make_line_item(key: str, text: str, role: Role = Role.META) -> ListItem:
    """Make a line that says something."""
    return make_text_item(key, (role, text))
