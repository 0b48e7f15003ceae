"""Pieces: what a screen's list is made of, drawn only when they are seen."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from bough.tui.style.style import Line, Role, Span

Draw = Callable[[int], Sequence[Line]]
"""Gives the lines of a piece in so many columns."""


class Piece(Struct, frozen=True, gc=False):
    """One thing in a list: a block of a conversation, a row of a table.

    `key` names it for as long as the list lives. Only what can be `picked` takes the cursor.
    `about` is what the piece stands for; the screen that made it knows its type.
    """

    key: str
    draw: Draw
    kind: str = ""
    about: object = None
    picked: bool = True


def still(lines: Iterable[Line]) -> Draw:
    """Draw lines that are the same at every width."""
    kept = tuple(lines)
    return lambda _: kept


def words(key: str, *spans: Span, kind: str = "talk") -> Piece:
    """Make a line that is only read."""
    return Piece(key, still([tuple(spans)]), kind, picked=False)


def blank(key: str) -> Piece:
    """Make an empty line."""
    return Piece(key, still([()]), "blank", picked=False)


def say(key: str, text: str, role: Role = Role.META) -> Piece:
    """Make a line that says something."""
    return words(key, (role, text))
