"""A line: bytes and a place.

The bytes include the newline that ends the line, so that joined lines are the file.
"""

from msgspec import Struct


class Line(Struct, frozen=True, gc=False):
    """The bytes of one line, where it starts and which one it is, counted from 1."""

    offset: int
    number: int
    raw: bytes

    @property
    def ended(self) -> bool:
        """Tell whether the newline is there; a line without may still grow."""
        return self.raw.endswith(b"\n")
