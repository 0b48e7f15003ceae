"""The graph of a session on a sheet: its head, its branches, where a pager opens."""

from msgspec.structs import replace

from bough.model.conversation.branch_path import exchanges_of
from bough.model.conversation.outline import overview
from bough.model.session import Session
from bough.model.text.formats import plural
from bough.model.text.times import moment_of
from bough.query.lists.related import forks_of
from bough.terminal.canvas import MEASURE, Sheet
from bough.terminal.conversation.conversation import Shown
from bough.terminal.header import counts, session_line, short_length, tip_sentence
from bough.terminal.style import Role
from bough.terminal.text import width, wrap
from bough.terminal.tree.build_items import drawn_branches, is_working
from bough.terminal.tree.graph_items import Branch
from bough.terminal.tree.graph_rows import draw
from bough.terminal.tree.lanes import rows_of

_NEAR = 6
"""How many rows before and after a message are near it."""

_LEAST_OPEN = 3
_NARROWEST = 60


def tree_drawn(
    session: Session, sheet: Sheet, *, near: str | None = None, reverse: bool = False
) -> Shown:
    """Draw a session, or what is near a message of it."""
    seen = overview(session)
    asked = [e for branch in seen.branches for e in exchanges_of(branch.items)]
    short = short_length([e.uuid for e in asked if e.uuid], session.tree.number)
    ended = moment_of(session.ended_at)
    # Seen from the session's end, so that the rows of its last day have hours.
    aside = sheet if ended is None else replace(sheet, now=ended)
    working = is_working(session.ended_at, sheet)
    branches = drawn_branches(seen, aside, short, forks_of(session), working=working)
    drawing = draw(branches, sheet.styles, sheet.columns, reverse=reverse)
    lines, start = list(drawing.lines), drawing.tip_line
    if near is not None:
        named = next((e.uuid for e in asked if near in e.uuids), None)
        lines, start = _around(lines, branches, sheet, (named or near)[:short], reverse=reverse)
    day = f", ended {sheet.time(session.ended_at)}" if _is_past(session, sheet) else ""
    facts = f"{counts(len(session.tips), seen.exchanges, seen.bill)}{day}."
    sentences = _side_by_side([facts, tip_sentence(session, seen, short)], sheet)
    quiet = [line for sentence in sentences for line in _set(sentence, sheet)]
    wide = min(max(drawing.width, _NARROWEST), sheet.columns or MEASURE)
    head = [session_line(session, sheet, wide), *quiet, ""]
    return Shown([*head, *lines], start + len(head) if start else None)


def _side_by_side(sentences: list[str], sheet: Sheet) -> list[str]:
    """Set sentences on one line, or below one another where there is no room."""
    line = " ".join(sentences)
    return [line] if sheet.columns is None or width(line) <= sheet.columns else sentences


def _set(sentence: str, sheet: Sheet) -> list[str]:
    lines = [sentence] if sheet.columns is None else wrap(sentence, sheet.columns)
    return [sheet.styles.paint(Role.META, line) for line in lines]


def _is_past(session: Session, sheet: Sheet) -> bool:
    """Tell whether a session ended on another day than today."""
    ended = moment_of(session.ended_at)
    return ended is not None and ended.astimezone().date() != sheet.now.astimezone().date()


def _around(
    lines: list[str], branches: list[Branch], sheet: Sheet, short: str, *, reverse: bool
) -> tuple[list[str], int | None]:
    """Keep the rows near a message, and say how many are left out."""
    rows = rows_of(branches, sheet.styles.glyphs, reverse=reverse)
    at = next((number for number, row in enumerate(rows) if row.id == short), None)
    if at is None:
        return lines, None
    first = at - _NEAR if at - _NEAR >= _LEAST_OPEN else 0
    last = at + _NEAR + 1 if at + _NEAR + 1 + _LEAST_OPEN <= len(lines) else len(lines)
    before, after = first, len(lines) - last
    kept = lines[first:last]
    if before:
        kept.insert(0, sheet.styles.paint(Role.META, f"{plural(before, 'row')} before"))
    if after:
        kept.append(sheet.styles.paint(Role.META, f"{plural(after, 'row')} after"))
    return kept, at - first + 1 + bool(before)
