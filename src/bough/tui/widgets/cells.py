"""Rows of lists: cells at the left and the right, states and costs in words."""

from collections.abc import Sequence

from bough.library import LiveSession
from bough.model.live.status import SessionState
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.text import one_line, pad, width, wrap
from bough.tui.style.style import cut_line
from bough.tui.widgets.list_items import ListItem

_WORDS = {
    SessionState.WAITING: "waits",
    SessionState.FAILED: "failed",
    SessionState.COMPACTING: "compacting",
    SessionState.WORKING: "working",
    SessionState.BACKGROUND: "background",
    SessionState.INTERRUPTED: "interrupted",
    SessionState.FINISHED: "finished",
}
_ROLES = {
    SessionState.WAITING: Role.WAITING,
    SessionState.FAILED: Role.ERROR,
    SessionState.COMPACTING: Role.COMPACTION,
    SessionState.WORKING: Role.ACTIVE,
    SessionState.BACKGROUND: Role.ACTIVE,
    SessionState.INTERRUPTED: Role.META,
    SessionState.FINISHED: Role.ACTIVE,
}


def align_cells(left: Sequence[Span], right: Sequence[Span], columns: int) -> StyledLine:
    """Set spans at the left, cut to what the right leaves of the columns."""
    tail = sum(width(text) for _, text in right)
    kept = cut_line(left, max(8, columns - tail - (2 if tail else 0)))
    used = sum(width(text) for _, text in kept)
    return (*kept, (Role.META, " " * max(2, columns - used - tail)), *right) if tail else kept


def render_state(row: LiveSession, glyphs: Glyphs, wide: int = 0) -> Span:
    """Say in a word where a session stands; what is not sure says so."""
    sign = {
        SessionState.WAITING: glyphs.waiting,
        SessionState.FAILED: glyphs.failed,
        SessionState.COMPACTING: glyphs.rough,
        SessionState.WORKING: glyphs.node,
        SessionState.BACKGROUND: glyphs.other,
        SessionState.INTERRUPTED: "-",
        SessionState.FINISHED: glyphs.ok,
    }[row.state]
    word = _WORDS[row.state] if row.sure else f"{_WORDS[row.state]}?"
    return _ROLES[row.state], pad(f"{sign} {word}", wide)


def make_paragraph(key: str, text: str, role: Role = Role.META) -> ListItem:
    """Make a sentence that is only read, in as many lines as it needs."""
    words = one_line(text)
    return ListItem(
        key, lambda columns: [((role, line),) for line in wrap(words, columns)], picked=False
    )
