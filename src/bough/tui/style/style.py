"""How the app shows lines: themes for roles, and lines cut or broken to some columns.

Lines come as spans, from the presentation that the command line has too; here each role gets
the colours of a theme.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal

from rich.color import Color
from rich.style import Style

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.style import UNICODE, Glyphs, Role, Span, StyledLine, styles_for
from bough.terminal.text import fit, width

Mode = Literal["dark", "light", "plain"]

_MOST_PARTS: Final = 1_000
_CURSOR: Final = {"dark": "#222A25", "light": "#E9EEE8"}
_RAIL: Final = {"dark": ("#29322C", "#758078"), "light": ("#DDE3DC", "#7C867E")}


def cut_line(line: Iterable[Span], columns: int, ellipsis: str = "…") -> StyledLine:
    """Keep of a line what fits into so many columns."""
    kept: list[Span] = []
    left = columns
    for role, text in line:
        # A column takes one character at least, so a huge text need not be measured whole.
        short = text if len(text) <= left else text[: left * 4]
        taken = width(short) if len(text) <= left else left + 1
        if taken <= left:
            kept.append((role, text))
            left -= taken
            continue
        kept.append((role, fit(text[: left * 4 + 8], left, ellipsis)))
        break
    return tuple(kept)


def break_line(line: StyledLine, columns: int, ellipsis: str = "…") -> Sequence[StyledLine]:
    """Break a line that is too long into several, each behind the lead of the first.

    What was wrapped before fits, so this is for code, which is not: it is broken anywhere.
    """
    if sum(len(text) for _, text in line) * 2 <= columns or _can_fit(line, columns):
        return [line]
    *head, (role, text) = line
    room = columns - sum(width(lead) for _, lead in head)
    if room < 8:
        return [cut_line(line, columns, ellipsis)]
    return [(*head, (role, part)) for part in _split_text(text, room)]


def _can_fit(line: StyledLine, columns: int) -> bool:
    whole = sum(len(text) for _, text in line)
    return whole <= columns * 4 and sum(width(text) for _, text in line) <= columns


def _split_text(text: str, room: int) -> list[str]:
    """Cut a text into pieces of so many columns, at most a thousand."""
    parts: list[str] = []
    while text and len(parts) < _MOST_PARTS:
        head = fit(text[: room * 4], room, "")
        parts.append(head or text[:1])
        text = text[len(parts[-1]) :]
    return parts


class ThemeStyles:
    """The looks of every role in one theme."""

    def __init__(self, mode: Mode, glyphs: Glyphs = UNICODE) -> None:
        self.mode: Mode = mode
        self.glyphs = glyphs
        depth = ColorDepth.ATTRIBUTES if mode == "plain" else ColorDepth.TRUE
        codes = styles_for(Terminal(depth=depth, light=mode == "light")).codes
        self.styles = {role: _parse_style(codes.get(role, "")) for role in Role}
        self.cursor = Style(bgcolor=_CURSOR[mode]) if mode != "plain" else Style(bold=True)
        self.selected_text = Style(reverse=True)
        self.match = self.styles[Role.MATCH]
        self.here = self.match + Style(bold=True, reverse=mode == "plain", underline=True)
        rail, thumb = _RAIL.get(mode, ("default", "default"))
        self.rail = Style(color=rail, dim=mode == "plain")
        self.thumb = Style(color=thumb)

    def style(self, role: Role) -> Style:
        """Give the look of a role."""
        return self.styles[role]


@cache
def styles_of_theme(mode: Mode, glyphs: Glyphs = UNICODE) -> ThemeStyles:
    """Give the looks of a theme, made once."""
    return ThemeStyles(mode, glyphs)


_ATTRIBUTES: Final = {
    "1": Style(bold=True),
    "2": Style(dim=True),
    "3": Style(italic=True),
    "4": Style(underline=True),
    "7": Style(reverse=True),
}


def _parse_style(code: str) -> Style:
    """Turn the numbers of an escape code into a look."""
    numbers = code.split(";") if code else []
    style = Style()
    at = 0
    while at < len(numbers):
        if numbers[at] in ("38", "48") and numbers[at + 1 : at + 2] == ["2"]:
            red, green, blue = (int(number) for number in numbers[at + 2 : at + 5])
            color = Color.from_rgb(red, green, blue)
            style += Style(color=color) if numbers[at] == "38" else Style(bgcolor=color)
            at += 5
        else:
            style += _ATTRIBUTES.get(numbers[at], Style())
            at += 1
    return style
