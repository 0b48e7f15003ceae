"""Rows of lists: cells at the left and the right, states and costs in words."""

from collections.abc import Sequence

from bough.model.live.status import State
from bough.model.usage.amounts import Amount
from bough.query.live.running_sessions import LiveSession
from bough.tui.style.style import Glyphs, Line, Role, Span, cost, cut, one_line, pad, width, wrap
from bough.tui.widgets.list_items import Piece

_WORDS = {
    State.WAITING: "waits",
    State.FAILED: "failed",
    State.COMPACTING: "compacting",
    State.WORKING: "working",
    State.INTERRUPTED: "interrupted",
    State.FINISHED: "finished",
}
_ROLES = {
    State.WAITING: Role.WAITING,
    State.FAILED: Role.ERROR,
    State.COMPACTING: Role.COMPACTION,
    State.WORKING: Role.ACTIVE,
    State.INTERRUPTED: Role.META,
    State.FINISHED: Role.ACTIVE,
}


def cells(left: Sequence[Span], right: Sequence[Span], columns: int) -> Line:
    """Set spans at the left, cut to what the right leaves of the columns."""
    tail = sum(width(text) for _, text in right)
    kept = cut(left, max(8, columns - tail - (2 if tail else 0)))
    used = sum(width(text) for _, text in kept)
    return (*kept, (Role.META, " " * max(2, columns - used - tail)), *right) if tail else kept


def state_span(row: LiveSession, glyphs: Glyphs, wide: int = 0) -> Span:
    """Say in a word where a session stands; what is not sure says so."""
    sign = {
        State.WAITING: glyphs.waiting,
        State.FAILED: glyphs.failed,
        State.COMPACTING: glyphs.rough,
        State.WORKING: glyphs.knot,
        State.INTERRUPTED: "-",
        State.FINISHED: glyphs.ok,
    }[row.state]
    word = _WORDS[row.state] if row.sure else f"{_WORDS[row.state]}?"
    return _ROLES[row.state], pad(f"{sign} {word}", wide)


def cost_words(amount: Amount | None) -> str:
    """Write a cost for a column."""
    if amount is None or not amount.tokens:
        return cost(0, in_table=True)
    usd = amount.cost_usd if amount.cost or not amount.partly_unknown else None
    return cost(usd, partly_unknown=amount.partly_unknown, in_table=True)


def told(key: str, text: str, role: Role = Role.META) -> Piece:
    """Make a sentence that is only read, in as many lines as it needs."""
    words = one_line(text)
    return Piece(
        key, lambda columns: [((role, line),) for line in wrap(words, columns)], picked=False
    )
