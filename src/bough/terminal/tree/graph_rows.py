"""A session drawn as `git log --graph` draws a history, oldest first.

Rows come from `lanes`; here they are set in columns: short id, time, words, a note, steps
and cost. The drawing is as wide as its words need and never wider than the terminal. When
that is narrow, steps, cost and time leave in this order, and words are cut.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.text.formats import format_count
from bough.terminal.style import Glyphs, Role, Span, StyledLine, make_line
from bough.terminal.text import fit, pad, width
from bough.terminal.tree.graph_items import GraphBranch
from bough.terminal.tree.lanes import GraphRow, build_graph_rows

_BETWEEN: Final = 2
_BEFORE_NOTE: Final = 3
_LEAST_TEXT: Final = 24
_PIPED: Final = 100  # where numbers stand when nothing may be cut; longer words push them


class GraphDrawing(Struct, frozen=True):
    """The lines, how wide they are, and the line (from 1) of the active tip."""

    lines: tuple[StyledLine, ...]
    width: int
    tip_line: int | None


class GraphLayout(Struct, frozen=True):
    """Widths of the columns; notes end at `end`, and the numbers follow."""

    id: int
    time: int
    digits: int
    steps: int
    cost: int
    end: int = 0
    cuts: bool = True

    @property
    def numbers(self) -> int:
        """Count the columns that steps and cost take, with the blanks before them."""
        return sum(_BETWEEN + column for column in (self.steps, self.cost) if column)

    @property
    def before_text(self) -> int:
        """Count the columns from the sign to the words."""
        return 1 + _BETWEEN + sum(_BETWEEN + column for column in (self.id, self.time) if column)


def draw_graph(
    branches: Sequence[GraphBranch], glyphs: Glyphs, columns: int | None, *, reverse: bool = False
) -> GraphDrawing:
    """Draw branches, one root after the other; without a number of columns nothing is cut."""
    rows = build_graph_rows(branches, glyphs, reverse=reverse)
    layout = compute_layout(rows, columns)
    tip = next((number for number, row in enumerate(rows, 1) if row.tip), None)
    lines = tuple([draw_row(row, layout, glyphs) for row in rows])
    return GraphDrawing(lines, layout.end + layout.numbers, tip)


def draw_row(row: GraphRow, layout: GraphLayout, glyphs: Glyphs) -> StyledLine:
    """Draw one row; whoever shows only some of many rows draws those alone."""
    return make_line(_build_spans(row, layout, glyphs))


def compute_layout(rows: Sequence[GraphRow], columns: int | None) -> GraphLayout:
    """Find the widths of the columns."""
    counted = [row.steps for row in rows if row.steps is not None]
    digits = max((len(format_count(number)) for number in counted), default=0)
    layout = GraphLayout(
        id=max((width(row.id) for row in rows), default=0),
        time=max((width(row.time) for row in rows), default=0),
        digits=digits,
        steps=digits + len(" steps") if counted else 0,
        cost=max((width(row.cost) for row in rows), default=0),
    )
    if columns is None:
        end = min(_find_note_end(rows, layout), max(_PIPED - layout.numbers, layout.before_text))
        return replace(layout, end=end, cuts=False)
    for column in ("steps", "cost", "time"):
        if columns - layout.numbers - layout.before_text >= _LEAST_TEXT:
            break
        layout = replace(layout, **{column: 0})
    return replace(layout, end=min(_find_note_end(rows, layout), columns - layout.numbers))


def _find_note_end(rows: Sequence[GraphRow], layout: GraphLayout) -> int:
    """Find where notes must end for every row to have its words."""
    ends = (
        row.indent + layout.before_text + _measure_words(row, layout)
        for row in rows
        if not row.bare
    )
    return max(ends, default=0)


def _measure_words(row: GraphRow, layout: GraphLayout) -> int:
    if row.compaction:
        # It may run under the numbers, and ends with a blank and two dashes.
        return width(row.text) + 3 - layout.numbers
    return width(row.text) + (_BEFORE_NOTE + width(row.tail) if row.tail else 1)


def _build_spans(row: GraphRow, layout: GraphLayout, glyphs: Glyphs) -> list[Span]:
    if row.bare:
        return [*row.lead, (row.sign_role, row.sign)]
    if row.compaction:
        return _build_compaction(row, layout, glyphs)
    start = row.indent + layout.before_text
    head = _build_head(row, layout)
    text = row.text
    if layout.cuts:
        room = layout.end - start - (_BEFORE_NOTE + width(row.tail) if row.tail else 1)
        text = fit(text, max(1, room), glyphs.ellipsis)
    blank = layout.end - start - width(text) - width(row.tail)
    least = _BETWEEN if row.tail else 0
    spans = [*head, (row.text_role, text), (Role.META, " " * max(least, blank))]
    spans.append((row.tail_role, row.tail))
    if layout.steps:
        spans.append((Role.META, " " * _BETWEEN + _format_steps(row.steps, layout)))
    if layout.cost:
        spans.append((Role.META, " " * _BETWEEN + pad(row.cost, layout.cost, right=True)))
    return spans


def _build_head(row: GraphRow, layout: GraphLayout) -> list[Span]:
    """Set what stands left of the words: lanes, sign, id, time."""
    spans = [*row.lead, (row.sign_role, row.sign)]
    used = sum(width(text) for _, text in spans)
    # A sign that leaves sideways takes its room from the blanks before the words.
    left = row.indent + layout.before_text - used
    words = " " * _BETWEEN + pad(row.id, layout.id) if row.id or row.time else " "
    if row.time and layout.time:
        words += " " * _BETWEEN + row.time
    return [*spans, (Role.META, pad(words, left))]


def _format_steps(number: int | None, layout: GraphLayout) -> str:
    if number is None:
        return " " * layout.steps
    word = "step " if number == 1 else "steps"
    return f"{format_count(number):>{layout.digits}} {word}"


def _build_compaction(row: GraphRow, layout: GraphLayout, glyphs: Glyphs) -> list[Span]:
    """Set a compaction: dashes instead of an id, and to the end of the line."""
    dashes = glyphs.gap * (_BETWEEN + layout.id)
    time = " " * _BETWEEN + pad(row.time, layout.time) if layout.time else ""
    start = row.indent + layout.before_text
    end = layout.end + layout.numbers
    text = fit(row.text, max(1, end - start), glyphs.ellipsis) if layout.cuts else row.text
    rest = end - start - width(text) - 1
    line = f"{row.sign}{dashes}{time}{' ' * _BETWEEN}{text} {glyphs.gap * max(0, rest)}"
    return [*row.lead, (Role.COMPACTION, line)]
