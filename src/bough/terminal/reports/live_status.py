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
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import one_line

_SHORT: Final = 8
_WORDS: Final = {
    SessionState.WAITING: "waits",
    SessionState.FAILED: "failed",
    SessionState.COMPACTING: "compacts",
    SessionState.WORKING: "working",
    SessionState.BACKGROUND: "working in the background",
    SessionState.INTERRUPTED: "interrupted",
    SessionState.FINISHED: "finished",
}
_ROLES: Final = {
    SessionState.WAITING: Role.WAITING,
    SessionState.FAILED: Role.ERROR,
    SessionState.COMPACTING: Role.COMPACTION,
    SessionState.WORKING: Role.ACTIVE,
    SessionState.BACKGROUND: Role.ACTIVE,
    SessionState.INTERRUPTED: Role.META,
    SessionState.FINISHED: Role.META,
}


def render_status_table(rows: Sequence[LiveSession], canvas: Canvas) -> list[StyledLine]:
    """Draw sessions, one line each."""
    columns = [
        Column("ID", leaves=1),
        Column("STATE"),
        Column("WHEN", leaves=2),
        Column("PROJECT", leaves=5, least=8),
        Column("CONTEXT", right=True, leaves=4),
        Column("COST", right=True, leaves=3),
        Column("TITLE", least=14),
        Column("LAST THOUGHT", leaves=6, least=12),
    ]
    lines: list[TableRow] = [
        [
            Cell(row.id[:_SHORT], Role.META),
            render_state(row, canvas.now, canvas.glyphs),
            canvas.when(row.active_at),
            Cell(row.name, Role.META),
            format_percent(row.context) if row.context is not None else "",
            _format_cost(row),
            _render_title(row),
            _render_thought(row, canvas.glyphs),
        ]
        for row in rows
    ]
    return draw_table(columns, lines, canvas.glyphs, canvas.columns)


def render_status_line(rows: Sequence[LiveSession], now: datetime, glyphs: Glyphs) -> StyledLine:
    """Write all sessions in one line: how many in each state, then the most urgent one."""
    counts = Counter(row.state for row in rows)
    signs = _signs_by_state(glyphs)
    parts: list[Span] = [
        (_ROLES[state], f"{signs[state]} {counts[state]} {_WORDS[state]}")
        for state in SessionState
        if counts[state]
    ]
    urgent = rows[0] if rows and rows[0].state is not SessionState.FINISHED else None
    if urgent is not None:
        words = f"{one_line(urgent.name)}: {_describe_urgent(urgent, now)}"
        parts.append((Role.CLAUDE, words))
    return tuple(span for part in parts for span in ((Role.CLAUDE, "  "), part))[1:]


def render_state(row: LiveSession, now: datetime, glyphs: Glyphs) -> Cell:
    """Write where a session stands, and for how long where that matters."""
    words = _WORDS[row.state]
    if not row.sure and row.state is not SessionState.FINISHED:
        words = f"probably {words}"
    sign = _signs_by_state(glyphs)[row.state]
    return Cell(f"{sign} {words}{_format_since(row, now)}", _ROLES[row.state])


def _signs_by_state(glyphs: Glyphs) -> dict[SessionState, str]:
    return {
        SessionState.WAITING: glyphs.waiting,
        SessionState.FAILED: glyphs.failed,
        SessionState.COMPACTING: glyphs.compaction,
        SessionState.WORKING: glyphs.node,
        SessionState.BACKGROUND: glyphs.other,
        SessionState.INTERRUPTED: "-",
        SessionState.FINISHED: glyphs.ok,
    }


def _format_since(row: LiveSession, now: datetime) -> str:
    seconds = seconds_in_state(row, now)
    if seconds is None or row.state not in (
        SessionState.WAITING,
        SessionState.WORKING,
        SessionState.BACKGROUND,
        SessionState.COMPACTING,
    ):
        return ""
    if row.state is SessionState.WAITING:
        return f" {format_age(seconds)}"
    return f" {format_elapsed(seconds)}"


def _describe_urgent(row: LiveSession, now: datetime) -> str:
    if row.state is SessionState.WAITING:
        return f"asks {one_line(row.asks)}" if row.asks else "waits for you"
    if row.state is SessionState.FAILED:
        return f"failed, {one_line(row.asks)}" if row.asks else "failed"
    full = f", {format_percent(row.context)} of context" if row.context is not None else ""
    return f"{_WORDS[row.state]}{_format_since(row, now)}{full}"


def _format_cost(row: LiveSession) -> str:
    return format_cost(row.cost_usd, partly_unknown=not row.is_cost_complete, in_table=True)


def _render_title(row: LiveSession) -> Cell | str:
    """Write a title, and behind it what was copied: the column of costs has no room for it."""
    copied = format_cost_and_copies("", row.copied_cost_usd)
    return Cell(row.title, Role.CLAUDE, f"({copied})") if copied else row.title


def _render_thought(row: LiveSession, glyphs: Glyphs) -> Cell:
    if row.asks:
        role = Role.ERROR if row.state is SessionState.FAILED else Role.WAITING
        return Cell(f"asks: {row.asks}" if row.state is SessionState.WAITING else row.asks, role)
    if row.thought:
        return Cell(f"{glyphs.thought} {row.thought}", Role.THINKING)
    return Cell("")
