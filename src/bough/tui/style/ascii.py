"""The last look at a line where the terminal has no Unicode: signs become plain characters.

What we draw asks for the right glyphs itself. This catches the rest: the frames and scroll
bars of Textual, and signs inside sentences. One column stays one column.
"""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from bough.backports import override
from bough.terminal.style import PLAIN_SIGNS

_LENS = "\N{RIGHT-POINTING MAGNIFYING GLASS}"
"""Textual sets it before the palette's line; it takes two columns."""


class AsciiFilter(LineFilter):
    """Draws without Unicode."""

    @override
    def apply(
        self,
        segments: list[Segment],
        background: Color,  # noqa: ARG002 - Textual's own form
    ) -> list[Segment]:
        """Write the signs of a line in plain characters."""
        return [
            segment
            if segment.text.isascii()
            else Segment(
                segment.text.translate(PLAIN_SIGNS).replace(_LENS, "? "),
                segment.style,
                segment.control,
            )
            for segment in segments
        ]
