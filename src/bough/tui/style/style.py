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

from bough.model.outline.branch_path import describe_compaction
from bough.model.text.formats import (
    format_age,
    format_changes,
    format_cost,
    format_count,
    format_duration,
    format_elapsed,
    format_percent,
    format_plural,
    format_size,
    format_tokens,
)
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import ColorDepth, Terminal, detect_terminal, is_terminal
from bough.terminal.charts import draw_bar, draw_sparkline
from bough.terminal.clock import read_time_words
from bough.terminal.conversation.message_context import (
    build_message_context,
    group_messages_by_item,
    render_summary_line,
)
from bough.terminal.conversation.messages import MessageContext, render_message
from bough.terminal.conversation.tools import choose_mark, render_agent, render_call_details
from bough.terminal.header import (
    describe_active_tip,
    describe_counts,
    find_short_length,
    format_usage_cost,
    name_project,
)
from bough.terminal.reports.health import render_health
from bough.terminal.reports.live_stream import join_calls
from bough.terminal.reports.search_hits import (
    HIT_ROLES,
    count_other_sessions,
    describe_hit,
    group_by_session,
    name_speaker,
)
from bough.terminal.reports.stats_charts import show_activity, show_errors
from bough.terminal.reports.stats_tables import (
    RenderedReport,
    show_agents,
    show_compactions,
    show_files,
    show_hooks,
    show_models,
    show_tools,
)
from bough.terminal.reports.usage_tables import (
    UsageCanvas,
    collect_notes,
    render_usage,
    shorten_model,
)
from bough.terminal.style import ASCII, PLAIN_SIGNS, UNICODE, Glyphs, Role, Span, Styles, styles_for
from bough.terminal.text import clean, fit, lines_of, one_line, pad, width, wrap
from bough.terminal.tree.build_items import build_branches, is_working
from bough.terminal.tree.graph_items import (
    GraphAgent,
    GraphBranch,
    GraphCompaction,
    GraphFork,
    GraphMessage,
    GraphSplit,
    GraphTurn,
)
from bough.terminal.tree.graph_rows import GraphLayout, compute_layout, draw_row
from bough.terminal.tree.lanes import GraphRow, build_graph_rows

__all__ = [
    "ASCII",
    "HIT_ROLES",
    "PLAIN_SIGNS",
    "UNICODE",
    "Canvas",
    "ColorDepth",
    "Glyphs",
    "GraphBranch",
    "GraphCompaction",
    "GraphItem",
    "GraphLayout",
    "GraphMessage",
    "GraphRow",
    "GraphSplit",
    "GraphTurn",
    "MessageContext",
    "Mode",
    "RenderedReport",
    "Role",
    "Span",
    "StyledLine",
    "Styles",
    "Terminal",
    "ThemeStyles",
    "UsageCanvas",
    "break_line",
    "build_branches",
    "build_graph_rows",
    "build_message_context",
    "choose_mark",
    "clean",
    "collect_notes",
    "compute_layout",
    "count_other_sessions",
    "cut_line",
    "describe_active_tip",
    "describe_compaction",
    "describe_counts",
    "describe_hit",
    "detect_terminal",
    "draw_bar",
    "draw_row",
    "draw_sparkline",
    "find_short_length",
    "fit",
    "format_age",
    "format_changes",
    "format_cost",
    "format_count",
    "format_duration",
    "format_elapsed",
    "format_percent",
    "format_plural",
    "format_size",
    "format_tokens",
    "format_usage_cost",
    "group_by_session",
    "group_messages_by_item",
    "is_terminal",
    "is_working",
    "join_calls",
    "lines_of",
    "make_span_styles",
    "name_project",
    "name_speaker",
    "now",
    "one_line",
    "pad",
    "read_time_words",
    "render_agent",
    "render_call_details",
    "render_health",
    "render_message",
    "render_summary_line",
    "render_usage",
    "shorten_model",
    "show_activity",
    "show_agents",
    "show_compactions",
    "show_errors",
    "show_files",
    "show_hooks",
    "show_models",
    "show_tools",
    "spans_of",
    "styles_of_theme",
    "text_of",
    "width",
    "wrap",
]

GraphItem = GraphTurn | GraphMessage | GraphAgent | GraphCompaction | GraphFork | GraphSplit
Mode = Literal["dark", "light", "plain"]
StyledLine = tuple[Span, ...]
"""A line of the screen: pieces of text, each with its role."""

_ROLES: Final = tuple(Role)
_PAINTED: Final = re.compile(r"\x1b\[(\d+)m([^\x1b]*)\x1b\[0m|([^\x1b]+)")
_MOST_PARTS: Final = 1_000
_CURSOR: Final = {"dark": "#222A25", "light": "#E9EEE8"}
_RAIL: Final = {"dark": ("#29322C", "#758078"), "light": ("#DDE3DC", "#7C867E")}


def now() -> datetime:
    """Read the clock."""
    return clock.now()


def make_span_styles(glyphs: Glyphs = UNICODE) -> Styles:
    """Give looks in which each role's code is its number, for `spans_of`."""
    return Styles({role: str(number) for number, role in enumerate(_ROLES)}, glyphs)


def spans_of(painted: str) -> StyledLine:
    """Take a line apart that was painted with `make_span_styles`."""
    return tuple(
        (_ROLES[int(code)] if code else Role.CLAUDE, text or bare)
        for code, text, bare in _PAINTED.findall(painted)
        if text or bare
    )


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


def text_of(line: Sequence[Span]) -> str:
    """Give the words of a line alone."""
    return "".join(text for _, text in line)
