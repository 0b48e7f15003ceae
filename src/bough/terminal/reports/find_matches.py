"""Words found in a session, each with what came before and after it on its branch."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from bough.model.session import Session
from bough.terminal.canvas import Canvas
from bough.terminal.header import find_short_length, render_session_line
from bough.terminal.reports.plan_preview import format_prompt
from bough.terminal.reports.search_hits import split_at_marks
from bough.terminal.style import Role, Span, StyledLine, make_line
from bough.terminal.text import fit, one_line, pad, width
from bough.timetravel.plans.find import MOST_TIPS, Neighbour, TextMatch, find_neighbourhood

_BETWEEN: Final = "  "
_LEAST: Final = 16
_WHO: Final = {
    "prompt": ("You", Role.PROMPT),
    "command": ("You", Role.PROMPT),
    "shell": ("You", Role.PROMPT),
    "queued": ("You", Role.PROMPT),
    "answer": ("Claude", Role.CLAUDE),
    "synthetic": ("Claude", Role.CLAUDE),
    "thinking": ("Thought", Role.THINKING),
    "call": ("Tool", Role.TOOL),
    "result": ("Result", Role.TOOL),
    "summary": ("Summary", Role.COMPACTION),
    "compaction": ("Compacted", Role.COMPACTION),
}
_OTHER: Final = ("Note", Role.META)


_FormatTime = Callable[[str | None], str]


class _Columns(Struct, frozen=True):
    """How wide ids, times and names are around a match, and what writes a time."""

    short: int
    time: int
    who: int
    time_of: _FormatTime


def render_matches(
    session: Session, matches: Sequence[TextMatch], canvas: Canvas
) -> Iterator[StyledLine]:
    """Set the matches of a session under its title."""
    yield render_session_line(session, canvas, canvas.measure)
    shown = {match.uuid for match in matches} | {tip for match in matches for tip in match.tips}
    for match in matches:
        shown |= {near.uuid for near in (*match.above, *match.below)} | {match.turn or match.uuid}
    places = {uuid for uuid in shown if uuid.startswith("@")}
    short = find_short_length(shown - places, session.tree.number)
    # What is around one match is around the next, and each row asks twice.
    time_of = cache(canvas.time)
    for match in matches:
        yield ()
        yield from _render_context(session, match, canvas, short, time_of)


def _render_context(
    session: Session, match: TextMatch, canvas: Canvas, short: int, time_of: _FormatTime
) -> Iterator[StyledLine]:
    glyphs = canvas.glyphs
    above = (*_find_prompt(session, match), *match.above)
    rows = (*above, *match.below)
    stamps = [match.timestamp, *(row.timestamp for row in rows)]
    columns = _Columns(
        short,
        max(width(time_of(stamp)) for stamp in stamps),
        max(len(_WHO.get(kind, _OTHER)[0]) for kind in (match.kind, *(r.kind for r in rows))),
        time_of,
    )
    for near in above:
        yield _render_neighbour(glyphs.bar, near, canvas, columns)
    yield _render_match(match, canvas, columns)
    for at, near in enumerate(match.below):
        sign = glyphs.end if at == len(match.below) - 1 else glyphs.tee
        yield _render_neighbour(sign, near, canvas, columns)


def _find_prompt(session: Session, match: TextMatch) -> tuple[Neighbour, ...]:
    """Give the prompt of the turn that a match is in, where it is not among its neighbours."""
    if match.turn in (None, match.uuid, *(near.uuid for near in match.above)):
        return ()
    return (find_neighbourhood(session, match.turn or "").here,)


def _render_neighbour(sign: str, near: Neighbour, canvas: Canvas, columns: _Columns) -> StyledLine:
    """Set a quiet row above or below a match."""
    head = _render_head(near, columns)
    text = one_line(format_prompt(near.text))
    if canvas.columns is not None:
        room = max(_LEAST, canvas.measure - width(head) - 3)
        text = fit(text, room, canvas.glyphs.ellipsis)
    return make_line([(Role.META, f"{sign}{_BETWEEN}{head}{text}")])


def _render_match(match: TextMatch, canvas: Canvas, columns: _Columns) -> StyledLine:
    glyphs = canvas.glyphs
    _, role = _WHO.get(match.kind, _OTHER)
    head = _render_head(match, columns)
    note = describe_branch(match, columns.short)
    spans = split_at_marks(match.snippet.text, match.snippet.marks)
    blank = _BETWEEN
    if canvas.columns is not None:
        room = max(_LEAST, canvas.measure - width(head) - 3 - width(note) - len(_BETWEEN))
        spans = _cut_spans(spans, room, glyphs.ellipsis)
        used = sum(width(text) for _, text in spans)
        blank = " " * (room - used + len(_BETWEEN))
    sign = (Role.ACTIVE, glyphs.node) if match.active else (Role.LEFT, glyphs.other)
    head_spans = [sign, (Role.CLAUDE, _BETWEEN), (role, head), *spans]
    return make_line([*head_spans, (Role.META, blank + note)])


def _say_more(match: TextMatch) -> str:
    return "or more" if len(match.tips) >= MOST_TIPS else "more"


def describe_branch(match: TextMatch, short: int) -> str:
    """Say on which branch a match is."""
    if match.active:
        others = len(match.tips) - 1
        return f"active, and {others} {_say_more(match)}" if others > 0 else "active"
    tips = ", ".join(tip[:short] for tip in match.tips[:2])
    more = f" and {len(match.tips) - 2} {_say_more(match)}" if len(match.tips) > 2 else ""
    return f"left behind, tip {tips}{more}" if tips else "on no branch"


def _render_head(row: TextMatch | Neighbour, columns: _Columns) -> str:
    name, _ = _WHO.get(row.kind, _OTHER)
    cells = (
        _shorten(row.uuid, columns.short),
        pad(columns.time_of(row.timestamp), columns.time),
        pad(name, columns.who),
    )
    return _BETWEEN.join((*cells, ""))


def _shorten(uuid: str, short: int) -> str:
    """Cut an id; the place of a line without one is told whole."""
    return pad(uuid if uuid.startswith("@") else uuid[:short], short)


def _cut_spans(spans: list[Span], room: int, ellipsis: str) -> list[Span]:
    """Keep what fits, around the first mark."""
    if sum(width(text) for _, text in spans) <= room:
        return spans
    first = next((at for at, (role, _) in enumerate(spans) if role is Role.MATCH), 0)
    before = "".join(text for _, text in spans[:first])
    if width(before) > room // 3:
        spans = [(Role.CLAUDE, ellipsis + before[-(room // 3) + 1 :]), *spans[first:]]
    kept: list[Span] = []
    for role, text in spans:
        if room <= 0:
            break
        kept.append((role, fit(text, room, ellipsis)))
        room -= width(text)
    return kept
