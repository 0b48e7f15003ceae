"""The graph of a session on a canvas: its head, its branches, where a pager opens."""

from bough.model.outline.branch_path import describe_active_tip
from bough.model.session import Session
from bough.model.text.formats import format_plural
from bough.query.lists.related import list_forks
from bough.query.priced_outline import outline_with_prices
from bough.terminal.canvas import MEASURE, Canvas
from bough.terminal.conversation.conversation import PagedLines
from bough.terminal.header import (
    describe_counts,
    describe_end,
    find_short_length,
    render_session_line,
)
from bough.terminal.style import Role, StyledLine, line_of
from bough.terminal.text import width, wrap
from bough.terminal.tree.build_items import build_branches, is_working
from bough.terminal.tree.graph_items import GraphBranch
from bough.terminal.tree.graph_rows import draw_graph
from bough.terminal.tree.lanes import build_graph_rows

_NEAR = 6
"""How many rows before and after a message are near it."""

_LEAST_OPEN = 3
_NARROWEST = 60


def draw_tree(
    session: Session, canvas: Canvas, *, near: str | None = None, reverse: bool = False
) -> PagedLines:
    """Draw a session, or what is near a message of it."""
    seen = outline_with_prices(session)
    asked = seen.all_turns
    shown = [*(e.uuid for e in asked if e.uuid), *filter(None, [session.active_tip])]
    short = find_short_length(shown, session.tree.number)
    working = is_working(session.ended_at, canvas)
    branches = build_branches(seen, canvas, short, list_forks(session), working=working)
    drawing = draw_graph(branches, canvas.glyphs, canvas.columns, reverse=reverse)
    lines, start = list(drawing.lines), drawing.tip_line
    if near is not None:
        named = next((e.uuid for e in asked if near in e.uuids), None)
        lines, start = _keep_near(lines, branches, canvas, (named or near)[:short], reverse=reverse)
    counts = describe_counts(len(session.tips), seen.turns, seen.cost)
    facts = f"{', '.join(filter(None, (counts, describe_end(session.ended_at, canvas))))}."
    sentences = _join_sentences([facts, describe_active_tip(session, seen, short)], canvas)
    quiet = [line for sentence in sentences for line in _wrap_sentence(sentence, canvas)]
    wide = min(max(drawing.width, _NARROWEST), canvas.columns or MEASURE)
    head = [render_session_line(session, canvas, wide), *quiet, ()]
    return PagedLines([*head, *lines], start + len(head) if start else None)


def _join_sentences(sentences: list[str], canvas: Canvas) -> list[str]:
    """Set sentences on one line, or below one another where there is no room."""
    line = " ".join(sentences)
    return [line] if canvas.columns is None or width(line) <= canvas.columns else sentences


def _wrap_sentence(sentence: str, canvas: Canvas) -> list[StyledLine]:
    lines = [sentence] if canvas.columns is None else wrap(sentence, canvas.columns)
    return [line_of(line, Role.META) for line in lines]


def _keep_near(
    lines: list[StyledLine],
    branches: list[GraphBranch],
    canvas: Canvas,
    short: str,
    *,
    reverse: bool,
) -> tuple[list[StyledLine], int | None]:
    """Keep the rows near a message, and say how many are left out."""
    rows = build_graph_rows(branches, canvas.glyphs, reverse=reverse)
    at = next((number for number, row in enumerate(rows) if row.id == short), None)
    if at is None:
        return lines, None
    first = at - _NEAR if at - _NEAR >= _LEAST_OPEN else 0
    last = at + _NEAR + 1 if at + _NEAR + 1 + _LEAST_OPEN <= len(lines) else len(lines)
    before, after = first, len(lines) - last
    kept = lines[first:last]
    if before:
        kept.insert(0, line_of(f"{format_plural(before, 'row')} before", Role.META))
    if after:
        kept.append(line_of(f"{format_plural(after, 'row')} after", Role.META))
    return kept, at - first + 1 + bool(before)
