"""Sessions that are going on, as a table and as one line."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bough.model.live.status import SessionState
from bough.model.text.formats import (
    format_age,
    format_cost,
    format_cost_and_copies,
    format_elapsed,
    format_percent,
)
from bough.query.live.running_sessions import LiveSession, seconds_in_state
from bough.terminal.canvas import Canvas
from bough.terminal.list_cells import format_budget_mark
from bough.terminal.state_cells import describe_state, render_state, render_state_count
from bough.terminal.style import Glyphs, Role, Span, StyledLine, text_of
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import one_line, wrap

_SHORT: Final = 8
_INDENT: Final = " " * 10
_LEAST: Final = 20
_AT_WORK: Final = (SessionState.WORKING, SessionState.BACKGROUND, SessionState.COMPACTING)


def render_status_table(rows: Sequence[LiveSession], canvas: Canvas) -> list[StyledLine]:
    """Draw sessions, one line each; what one asks stands below it where it does not fit."""
    whole = _draw_sessions(rows, canvas, frozenset())
    if canvas.columns is None:
        return whole
    cut = frozenset(
        row.path
        for row, line in zip(rows, whole[1:], strict=True)
        if row.state is SessionState.WAITING and one_line(row.asks or "") not in text_of(line)
    )
    if not cut:
        return whole
    head, *lines = _draw_sessions(rows, canvas, cut)
    drawn = [head]
    for row, line in zip(rows, lines, strict=True):
        drawn.append(line)
        if row.path in cut:
            drawn += _render_question(row, canvas.columns)
    return drawn


def _draw_sessions(
    rows: Sequence[LiveSession], canvas: Canvas, below: frozenset[str]
) -> list[StyledLine]:
    """Draw the table; sessions in `below` say what they ask on a line of their own."""
    columns = [
        Column("ID", leaves=6),
        Column("STATE"),
        Column("WHEN", leaves=1),
        Column("PROJECT", leaves=4, least=8),
        Column("CONTEXT", right=True, leaves=3),
        Column("COST", right=True, leaves=2),
        Column("TITLE", least=14),
    ]
    thoughts = [
        Cell("") if row.path in below else _render_thought(row, canvas.glyphs) for row in rows
    ]
    # A column without a word would take its room from the titles.
    has_thoughts = any(thought.text for thought in thoughts)
    columns += [Column("LAST THOUGHT", leaves=5, least=12)] if has_thoughts else []
    lines: list[TableRow] = [
        [
            Cell(row.id[:_SHORT], Role.META),
            _render_state(row, canvas.now, canvas.glyphs),
            canvas.when(row.active_at),
            Cell(row.name, Role.META),
            format_percent(row.context) if row.context is not None else "",
            _format_cost(row),
            _render_title(row, canvas.glyphs),
            *([thought] if has_thoughts else ()),
        ]
        for row, thought in zip(rows, thoughts, strict=True)
    ]
    return draw_table(columns, lines, canvas.glyphs, canvas.columns)


def _render_question(row: LiveSession, columns: int) -> list[StyledLine]:
    """Write all of what a session asks under its id."""
    room = max(_LEAST, columns - len(_INDENT))
    return [((Role.META, _INDENT), (Role.WAITING, line)) for line in wrap(describe_ask(row), room)]


def render_status_line(rows: Sequence[LiveSession], now: datetime, glyphs: Glyphs) -> StyledLine:
    """Write all sessions in one line: how many in each state, then the most urgent one."""
    counts = Counter(row.state for row in rows)
    parts: list[Span] = [
        render_state_count(state, counts[state], glyphs) for state in SessionState if counts[state]
    ]
    urgent = rows[0] if rows and rows[0].state is not SessionState.FINISHED else None
    if urgent is not None:
        words = f"{one_line(urgent.name)}: {_describe_urgent(urgent, now)}"
        parts.append((Role.CLAUDE, words))
    return tuple(span for part in parts for span in ((Role.CLAUDE, "  "), part))[1:]


def _render_state(row: LiveSession, now: datetime, glyphs: Glyphs) -> Cell:
    """Write where a session stands, and for how long where that matters."""
    role, words = render_state(row.state, glyphs, sure=row.sure)
    return Cell(f"{words}{_format_since(row, now)}", role)


def describe_ask(row: LiveSession) -> str:
    """Write what a session asks; one that failed asks nothing, and says why it did."""
    words = one_line(row.asks or "")
    return f"asks: {words}" if words and row.state is SessionState.WAITING else words


def format_time_in_state(row: LiveSession, now: datetime) -> str:
    """Write for how long a session has stood like this: a clock only where it is at work.

    A clock of minutes beside a time of day would be taken for one, so who waits has a unit.
    """
    seconds = seconds_in_state(row, now)
    if seconds is None:
        return ""
    return format_elapsed(seconds) if row.state in _AT_WORK else format_age(seconds)


def _choose_ask_role(row: LiveSession) -> Role:
    return Role.ERROR if row.state is SessionState.FAILED else Role.WAITING


def _format_since(row: LiveSession, now: datetime) -> str:
    if row.state not in _AT_WORK and row.state is not SessionState.WAITING:
        return ""
    words = format_time_in_state(row, now)
    return f" {words}" if words else ""


def _describe_urgent(row: LiveSession, now: datetime) -> str:
    if row.state is SessionState.WAITING:
        return f"asks {one_line(row.asks)}" if row.asks else "waits for you"
    if row.state is SessionState.FAILED:
        return f"failed, {one_line(row.asks)}" if row.asks else "failed"
    full = f", {format_percent(row.context)} of context" if row.context is not None else ""
    return f"{describe_state(row.state)}{_format_since(row, now)}{full}"


def _format_cost(row: LiveSession) -> str:
    return format_cost(row.cost_usd, partly_unknown=not row.is_cost_complete, in_table=True)


def _render_title(row: LiveSession, glyphs: Glyphs) -> Cell | str:
    """Write a title, and behind it what has no column: what was copied, how much is done."""
    notes = [format_cost_and_copies("", row.copied_cost_usd)]
    notes.append(one_line(row.todos.words) if row.todos is not None else "")
    words = " ".join(f"({note})" for note in notes if note)
    words = " ".join(filter(None, (words, format_budget_mark(row.budget, glyphs))))
    return Cell(row.title, Role.CLAUDE, words) if words else row.title


def _render_thought(row: LiveSession, glyphs: Glyphs) -> Cell:
    if row.asks:
        return Cell(describe_ask(row), _choose_ask_role(row))
    if row.output:
        return Cell(row.output, Role.TOOL)
    if row.thought:
        return Cell(f"{glyphs.thought} {row.thought}", Role.THINKING)
    return Cell("")
