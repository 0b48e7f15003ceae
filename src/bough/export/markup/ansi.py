"""Colours of a terminal as classes; everything else a terminal would act upon is left out.

A colour is carried from line to line until it is reset, as a terminal does, but every line
closes what it opens.
"""

import re
from collections.abc import Sequence
from typing import Final

from bough.export.markup.escape import escape_html, escape_markup, has_odd_characters

_STRINGS: Final = (
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"
    r"[^\x07\x1b\x90\x98\x9c-\x9f\n]*+"
    r"(?:\x07|\x1b\\|\x9c)"
)
_SEQUENCE: Final = re.compile(
    rf"{_STRINGS}|(?:\x1b\[|\x9b)(?P<args>[0-?]*+)[ -/]*+(?P<end>[@-~])|\x1b[ -/]*+[0-~]"
)
_MAY_ACT: Final = re.compile("[\x1b\x90-\x9f]")
_COLOURS: Final = ("", "ar", "ag", "ay", "ab", "am", "ac", "")
"""Classes for the eight colours; black and white are the page's own text."""


def render_ansi(lines: Sequence[str]) -> list[str]:
    """Write lines of an output as HTML."""
    text = "\n".join(lines)
    if lines and not has_odd_characters(text):
        return escape_markup(text).split("\n")
    pen = _Pen()
    return [
        pen.write(line) if pen.is_active or _MAY_ACT.search(line) else escape_html(line)
        for line in lines
    ]


class _Pen:
    """The colour and weight that hold now."""

    def __init__(self) -> None:
        self.colour = ""
        self.bold = False
        self.dim = False

    @property
    def is_active(self) -> bool:
        return bool(self.colour or self.bold or self.dim)

    def write(self, line: str) -> str:
        out: list[str] = []
        at = 0
        for match in _SEQUENCE.finditer(line):
            out.append(self._wrap_text(line[at : match.start()]))
            at = match.end()
            if match["end"] == "m":
                self._apply_codes(match["args"])
        out.append(self._wrap_text(line[at:]))
        return "".join(out)

    def _wrap_text(self, text: str) -> str:
        if not text:
            return ""
        looks = " ".join(look for look in (self.colour, "bo" * self.bold, "di" * self.dim) if look)
        return f'<span class="{looks}">{escape_html(text)}</span>' if looks else escape_html(text)

    def _apply_codes(self, args: str) -> None:
        codes = [int(code) if code.isdigit() else 0 for code in re.split("[;:]", args)]
        while codes:
            code = codes.pop(0)
            if code in (38, 48):
                codes = _skip_extended(codes)
            elif code == 0:
                self.colour, self.bold, self.dim = "", False, False
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.dim = True
            elif code == 22:
                self.bold = self.dim = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.colour = _COLOURS[code % 10]
            elif code == 39:
                self.colour = ""


def _skip_extended(codes: list[int]) -> list[int]:
    """Skip the rest of a colour that is none of the eight: it stays the page's own."""
    if codes[:1] == [5]:
        return codes[2:]
    return codes[4:] if codes[:1] == [2] else codes
