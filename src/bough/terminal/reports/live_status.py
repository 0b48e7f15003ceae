"""Sessions that are going on, as a table and as one line."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bough.model.live.status import State
from bough.model.text.formats import ago, cost, elapsed, share
from bough.query.live.running_sessions import LiveSession, lasted
from bough.terminal.canvas import Sheet
from bough.terminal.style import Role, Styles
from bough.terminal.table import Cell, Column, Row, draw_table
from bough.terminal.text import one_line

_SHORT: Final = 8
_WORDS: Final = {
    State.WAITING: "waits",
    State.FAILED: "failed",
    State.COMPACTING: "compacts",
    State.WORKING: "working",
    State.INTERRUPTED: "interrupted",
    State.FINISHED: "finished",
}
_ROLES: Final = {
    State.WAITING: Role.WAITING,
    State.FAILED: Role.ERROR,
    State.COMPACTING: Role.COMPACTION,
    State.WORKING: Role.ACTIVE,
    State.INTERRUPTED: Role.META,
    State.FINISHED: Role.META,
}


def status_table(rows: Sequence[LiveSession], sheet: Sheet) -> list[str]:
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
    lines: list[Row] = [
        [
            Cell(row.id[:_SHORT], Role.META),
            state_cell(row, sheet.now, sheet.styles),
            sheet.when(row.active_at),
            Cell(row.name, Role.META),
            share(row.context) if row.context is not None else "",
            _cost(row),
            row.title,
            _thought(row, sheet.styles),
        ]
        for row in rows
    ]
    return draw_table(columns, lines, sheet.styles, sheet.columns)


def status_line(rows: Sequence[LiveSession], now: datetime, styles: Styles) -> str:
    """Write all sessions in one line: how many in each state, then the most urgent one."""
    counts = Counter(row.state for row in rows)
    signs = _signs(styles)
    parts = [
        styles.paint(_ROLES[state], f"{signs[state]} {counts[state]} {_WORDS[state]}")
        for state in State
        if counts[state]
    ]
    urgent = rows[0] if rows and rows[0].state is not State.FINISHED else None
    if urgent is not None:
        parts.append(f"{one_line(urgent.name)}: {_urgent(urgent, now)}")
    return "  ".join(parts)


def state_cell(row: LiveSession, now: datetime, styles: Styles) -> Cell:
    """Write where a session stands, and for how long where that matters."""
    words = _WORDS[row.state]
    if not row.sure and row.state is not State.FINISHED:
        words = f"probably {words}"
    sign = _signs(styles)[row.state]
    return Cell(f"{sign} {words}{_since(row, now)}", _ROLES[row.state])


def _signs(styles: Styles) -> dict[State, str]:
    glyphs = styles.glyphs
    return {
        State.WAITING: glyphs.waiting,
        State.FAILED: glyphs.failed,
        State.COMPACTING: glyphs.seam,
        State.WORKING: glyphs.knot,
        State.INTERRUPTED: "-",
        State.FINISHED: glyphs.ok,
    }


def _since(row: LiveSession, now: datetime) -> str:
    seconds = lasted(row, now)
    if seconds is None or row.state not in (State.WAITING, State.WORKING, State.COMPACTING):
        return ""
    if row.state is State.WAITING:
        return f" {ago(seconds)}"
    return f" {elapsed(seconds)}"


def _urgent(row: LiveSession, now: datetime) -> str:
    if row.state is State.WAITING:
        return f"asks {one_line(row.asks)}" if row.asks else "waits for you"
    if row.state is State.FAILED:
        return f"failed, {one_line(row.asks)}" if row.asks else "failed"
    full = f", {share(row.context)} of context" if row.context is not None else ""
    return f"{_WORDS[row.state]}{_since(row, now)}{full}"


def _cost(row: LiveSession) -> str:
    return cost(row.cost_usd, partly_unknown=not row.cost_complete, in_table=True)


def _thought(row: LiveSession, styles: Styles) -> Cell:
    if row.asks:
        role = Role.ERROR if row.state is State.FAILED else Role.WAITING
        return Cell(f"asks: {row.asks}" if row.state is State.WAITING else row.asks, role)
    if row.thought:
        return Cell(f"{styles.glyphs.thought} {row.thought}", Role.THINKING)
    return Cell("")
