"""How things look: what the app shares with the command line, and its colours.

All that is taken from the command line's presentation is imported here and nowhere else in
the app. Its functions give lines painted with escape codes; painted with `SPANS`, each code
is the number of a role, so a line can be taken apart again and shown in any theme.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Final, Literal

from rich.color import Color
from rich.style import Style

from bough.model.conversation.branch_path import seam_text
from bough.model.text.formats import (
    ago,
    changes,
    cost,
    count,
    duration,
    elapsed,
    plural,
    share,
    size,
    tokens,
)
from bough.terminal import clock
from bough.terminal.canvas import Sheet
from bough.terminal.capabilities import Depth, Terminal, is_terminal, terminal_of
from bough.terminal.charts import bar, sparkline
from bough.terminal.clock import time_words
from bough.terminal.conversation.tools import agent_rows, mark, unfolded
from bough.terminal.conversation.turn_context import foot, setting_for, turns_by_item
from bough.terminal.conversation.turns import Setting, turn_lines
from bough.terminal.header import counts, money, place_of, short_length, tip_sentence
from bough.terminal.reports.health import doctor_lines
from bough.terminal.reports.live_stream import joined
from bough.terminal.reports.search_hits import HIT_ROLES, by_session, elsewhere, hit_note, who
from bough.terminal.reports.stats_charts import show_activity, show_errors
from bough.terminal.reports.stats_tables import (
    Shown,
    show_agents,
    show_compactions,
    show_files,
    show_hooks,
    show_models,
    show_tools,
)
from bough.terminal.reports.usage_tables import Page, short_model, talk_of, usage_lines
from bough.terminal.style import ASCII, PLAIN_SIGNS, UNICODE, Glyphs, Role, Span, Styles, styles_for
from bough.terminal.text import clean, fit, lines_of, one_line, pad, width, wrap
from bough.terminal.tree.build_items import drawn_branches, is_working
from bough.terminal.tree.graph_items import Agent as DrawnAgent
from bough.terminal.tree.graph_items import Branch as DrawnBranch
from bough.terminal.tree.graph_items import Fork as DrawnFork
from bough.terminal.tree.graph_items import Message as DrawnMessage
from bough.terminal.tree.graph_items import Seam as DrawnSeam
from bough.terminal.tree.graph_items import Split as DrawnSplit
from bough.terminal.tree.graph_items import Turn as DrawnTurn
from bough.terminal.tree.graph_rows import Layout, draw_row, layout_of
from bough.terminal.tree.lanes import Row as GraphRow
from bough.terminal.tree.lanes import rows_of as graph_rows

__all__ = [
    "ASCII",
    "HIT_ROLES",
    "PLAIN_SIGNS",
    "UNICODE",
    "Depth",
    "DrawnBranch",
    "DrawnItem",
    "DrawnMessage",
    "DrawnSeam",
    "DrawnSplit",
    "DrawnTurn",
    "Glyphs",
    "GraphRow",
    "Ink",
    "Layout",
    "Line",
    "Mode",
    "Page",
    "Role",
    "Setting",
    "Sheet",
    "Shown",
    "Span",
    "Styles",
    "Terminal",
    "agent_rows",
    "ago",
    "bar",
    "broken",
    "by_session",
    "changes",
    "clean",
    "cost",
    "count",
    "counts",
    "cut",
    "doctor_lines",
    "draw_row",
    "drawn_branches",
    "duration",
    "elapsed",
    "elsewhere",
    "fit",
    "foot",
    "graph_rows",
    "hit_note",
    "ink_for",
    "is_terminal",
    "is_working",
    "joined",
    "layout_of",
    "lines_of",
    "mark",
    "money",
    "now",
    "one_line",
    "pad",
    "place_of",
    "plural",
    "seam_text",
    "setting_for",
    "share",
    "short_length",
    "short_model",
    "show_activity",
    "show_agents",
    "show_compactions",
    "show_errors",
    "show_files",
    "show_hooks",
    "show_models",
    "show_tools",
    "size",
    "spans_of",
    "spans_styles",
    "sparkline",
    "talk_of",
    "terminal_of",
    "text_of",
    "time_words",
    "tip_sentence",
    "tokens",
    "turn_lines",
    "turns_by_item",
    "unfolded",
    "usage_lines",
    "who",
    "width",
    "wrap",
]

DrawnItem = DrawnTurn | DrawnMessage | DrawnAgent | DrawnSeam | DrawnFork | DrawnSplit
Mode = Literal["dark", "light", "plain"]
Line = tuple[Span, ...]
"""A line of the screen: pieces of text, each with its role."""

_ROLES: Final = tuple(Role)
_PAINTED: Final = re.compile(r"\x1b\[(\d+)m([^\x1b]*)\x1b\[0m|([^\x1b]+)")
_MOST_PARTS: Final = 1_000
_CURSOR: Final = {"dark": "#222A25", "light": "#E9EEE8"}
_RAIL: Final = {"dark": ("#29322C", "#758078"), "light": ("#DDE3DC", "#7C867E")}


def now() -> datetime:
    """Read the clock."""
    return clock.now()


def spans_styles(glyphs: Glyphs = UNICODE) -> Styles:
    """Give looks in which each role's code is its number, for `spans_of`."""
    return Styles({role: str(number) for number, role in enumerate(_ROLES)}, glyphs)


def spans_of(painted: str) -> Line:
    """Take a line apart that was painted with `spans_styles`."""
    return tuple(
        (_ROLES[int(code)] if code else Role.CLAUDE, text or bare)
        for code, text, bare in _PAINTED.findall(painted)
        if text or bare
    )


def cut(line: Iterable[Span], columns: int, ellipsis: str = "…") -> Line:
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


def broken(line: Line, columns: int, ellipsis: str = "…") -> Sequence[Line]:
    """Break a line that is too long into several, each behind the lead of the first.

    What was wrapped before fits, so this is for code, which is not: it is broken anywhere.
    """
    if sum(len(text) for _, text in line) * 2 <= columns or _fits(line, columns):
        return [line]
    *head, (role, text) = line
    room = columns - sum(width(lead) for _, lead in head)
    if room < 8:
        return [cut(line, columns, ellipsis)]
    return [(*head, (role, part)) for part in _parts(text, room)]


def _fits(line: Line, columns: int) -> bool:
    whole = sum(len(text) for _, text in line)
    return whole <= columns * 4 and sum(width(text) for _, text in line) <= columns


def _parts(text: str, room: int) -> list[str]:
    """Cut a text into pieces of so many columns, at most a thousand."""
    parts: list[str] = []
    while text and len(parts) < _MOST_PARTS:
        head = fit(text[: room * 4], room, "")
        parts.append(head or text[:1])
        text = text[len(parts[-1]) :]
    return parts


class Ink:
    """The looks of every role in one theme."""

    def __init__(self, mode: Mode, glyphs: Glyphs = UNICODE) -> None:
        self.mode: Mode = mode
        self.glyphs = glyphs
        depth = Depth.ATTRIBUTES if mode == "plain" else Depth.TRUE
        codes = styles_for(Terminal(depth=depth, light=mode == "light")).codes
        self.styles = {role: _style(codes.get(role, "")) for role in Role}
        self.cursor = Style(bgcolor=_CURSOR[mode]) if mode != "plain" else Style(bold=True)
        self.taken = Style(reverse=True)
        self.match = self.styles[Role.MATCH]
        self.here = self.match + Style(bold=True, reverse=mode == "plain", underline=True)
        rail, thumb = _RAIL.get(mode, ("default", "default"))
        self.rail = Style(color=rail, dim=mode == "plain")
        self.thumb = Style(color=thumb)

    def style(self, role: Role) -> Style:
        """Give the look of a role."""
        return self.styles[role]


@cache
def ink_for(mode: Mode, glyphs: Glyphs = UNICODE) -> Ink:
    """Give the looks of a theme, made once."""
    return Ink(mode, glyphs)


_ATTRIBUTES: Final = {
    "1": Style(bold=True),
    "2": Style(dim=True),
    "3": Style(italic=True),
    "4": Style(underline=True),
    "7": Style(reverse=True),
}


def _style(code: str) -> Style:
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


def text_of(line: Sequence[Span]) -> str:
    """Give the words of a line alone."""
    return "".join(text for _, text in line)
