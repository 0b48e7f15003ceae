"""Where a session stands, in a terminal: its sign, its word, its colour."""

from typing import Final

from bough.model.live.status import SessionState, is_guess
from bough.query.live.session_states import ListedState
from bough.terminal.style import Glyphs, Role, Span
from bough.terminal.table import Cell
from bough.terminal.text import pad

_WORDS: Final = {
    SessionState.WAITING: "waits",
    SessionState.FAILED: "failed",
    SessionState.COMPACTING: "compacting",
    SessionState.WORKING: "working",
    SessionState.BACKGROUND: "working in the background",
    SessionState.INTERRUPTED: "interrupted",
    SessionState.FINISHED: "finished",
}
_KNOWN: Final = {state.value: state for state in SessionState}
_SHORT_WORDS: Final = _WORDS | {SessionState.BACKGROUND: "background"}
_ROLES: Final = {
    SessionState.WAITING: Role.WAITING,
    SessionState.FAILED: Role.ERROR,
    SessionState.COMPACTING: Role.COMPACTION,
    SessionState.WORKING: Role.ACTIVE,
    SessionState.BACKGROUND: Role.ACTIVE,
    SessionState.INTERRUPTED: Role.META,
    SessionState.FINISHED: Role.META,
}


def describe_state(state: SessionState, *, sure: bool = True) -> str:
    """Say where a session stands; what is not sure says so."""
    return f"probably {_WORDS[state]}" if is_guess(state, sure=sure) else _WORDS[state]


def render_state(state: SessionState, glyphs: Glyphs, *, sure: bool = True) -> Span:
    """Write where a session stands, with its sign."""
    return _ROLES[state], f"{_choose_sign(state, glyphs)} {describe_state(state, sure=sure)}"


def render_short_state(
    state: SessionState, glyphs: Glyphs, *, sure: bool = True, wide: int = 0
) -> Span:
    """Write where a session stands in one word, for lists; what is not sure has a question mark."""
    mark = "?" if is_guess(state, sure=sure) else ""
    return _ROLES[state], pad(f"{_choose_sign(state, glyphs)} {_SHORT_WORDS[state]}{mark}", wide)


def render_listed_state(found: ListedState | None, glyphs: Glyphs) -> Cell:
    """Write the state of a session in a list; one that is gone is deleted, and none says none."""
    if found is None:
        return Cell("", Role.LEFT)
    if (state := _KNOWN.get(found.name)) is None:
        return Cell(f"- {found.name}", Role.LEFT)
    role, words = render_short_state(state, glyphs, sure=found.sure)
    return Cell(words, role)


def render_state_count(state: SessionState, count: int, glyphs: Glyphs) -> Span:
    """Write how many sessions stand like this."""
    return _ROLES[state], f"{_choose_sign(state, glyphs)} {count} {_WORDS[state]}"


def _choose_sign(state: SessionState, glyphs: Glyphs) -> str:
    return {
        SessionState.WAITING: glyphs.waiting,
        SessionState.FAILED: glyphs.failed,
        SessionState.COMPACTING: glyphs.compaction,
        SessionState.WORKING: glyphs.node,
        SessionState.BACKGROUND: glyphs.other,
        SessionState.INTERRUPTED: "-",
        SessionState.FINISHED: glyphs.ok,
    }[state]
