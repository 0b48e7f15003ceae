"""A session that goes on, as a card or as a row of two lines; and what happens, line by line."""

from typing import Final

from bough.library import LiveSession, StreamEvent
from bough.model.live.status import SessionState
from bough.model.text.formats import (
    TimeFormat,
    format_clock,
    format_cost,
    format_cost_and_copies,
    format_duration,
    format_percent,
    format_plural,
    format_tokens,
)
from bough.model.text.times import parse_moment
from bough.terminal import clock
from bough.terminal.charts import draw_gauge
from bough.terminal.list_cells import shorten_model
from bough.terminal.reports.live_status import describe_ask, format_time_in_state
from bough.terminal.state_cells import render_short_state
from bough.terminal.style import Glyphs, Role, SessionColors, Span, StyledLine
from bough.terminal.text import fit, one_line, pad, width, wrap
from bough.tui.style.style import cut_line
from bough.tui.widgets.cells import align_cells

_STATE: Final = 14
_CONTEXT: Final = 16
_GAUGE: Final = 8
_ID: Final = 4
_THOUGHT: Final = 2
_NAME: Final = 14
_ROLES: Final = {
    "prompt": Role.PROMPT,
    "queued": Role.PROMPT,
    "command": Role.PROMPT,
    "text": Role.CLAUDE,
    "thinking": Role.THINKING,
    "tool": Role.TOOL,
    "result": Role.TOOL,
    "agent": Role.AGENT,
    "compacted": Role.COMPACTION,
    "error": Role.ERROR,
    "bad_line": Role.ERROR,
}
_OPEN: Final = ("ok", "open")
_colors: Final = SessionColors()


def render_live_row(row: LiveSession, glyphs: Glyphs, columns: int) -> list[StyledLine]:
    """Set a session in two lines: who and how long, then what it does."""
    first = align_cells(
        [
            render_short_state(row.state, glyphs, sure=row.sure, wide=_STATE),
            (Role.CLAUDE, f" {one_line(row.title)}"),
        ],
        [(Role.META, f"{one_line(row.name)}  {format_time_in_state(row, clock.now())}")],
        columns,
    )
    facts = [(Role.META, "  ".join(_list_facts(row, glyphs)))]
    second = align_cells([(Role.META, " " * (_STATE + 1)), _describe_activity(row)], facts, columns)
    return [first, second]


def render_live_card(row: LiveSession, glyphs: Glyphs, columns: int) -> list[StyledLine]:
    """Set a session in a box: who, where, the last thought, context and cost."""
    room = columns - 4
    place = "  ".join(
        one_line(word)
        for word in (row.name, row.git_branch, shorten_model(row.model or ""), row.mode_words)
        if word
    )
    role, doing = _describe_activity(row)
    thought = [*wrap(doing, room), *[""] * _THOUGHT][:_THOUGHT]
    if len(wrap(doing, room)) > _THOUGHT:
        thought[-1] = fit(f"{thought[-1]} {glyphs.ellipsis}", room, glyphs.ellipsis)
    title: list[Span] = [
        render_short_state(row.state, glyphs, sure=row.sure),
        (Role.CLAUDE, f"  {one_line(row.title)}"),
    ]
    body: list[StyledLine] = [
        align_cells(title, [(Role.META, format_time_in_state(row, clock.now()))], room),
        ((Role.META, place),),
        *(((role, line),) for line in thought),
        _render_summary(row, glyphs, room),
    ]
    edge = glyphs.dash * (columns - 2)
    top: StyledLine = ((Role.META, f"{glyphs.start}{edge}{glyphs.down}"),)
    end: StyledLine = ((Role.META, f"{glyphs.end}{edge}{glyphs.up}"),)
    return [top, *(_box_line(line, glyphs, room) for line in body), end]


def render_event(
    event: StreamEvent, glyphs: Glyphs, words: TimeFormat, columns: int
) -> list[StyledLine]:
    """Set something that happened in one line."""
    at = parse_moment(event.time)
    written = format_clock(at, words=words, seconds=True) if at is not None else ""
    time = pad(written, len("12:10:31 PM") if words.twelve_hours else len("15:10:31"))
    said = " ".join(word for word in (event.tool or "", event.about or event.text) if word)
    ended: list[Span] = []
    if event.outcome is not None:
        took = format_duration(event.seconds) if event.seconds is not None else ""
        outcome = event.reason or ("" if event.outcome in _OPEN else event.outcome)
        role = Role.ERROR if _has_failed(event) else Role.META
        ended = [(role, one_line(f"{outcome}  {took}".strip()))]
    role = Role.ERROR if _has_failed(event) else _ROLES.get(event.kind, Role.META)
    left: list[Span] = [
        (Role.META, f"{time}  {pad(fit(one_line(event.name), _NAME), _NAME)}  "),
        # Two sessions of one project look the same but for this.
        (_colors.choose_role(event.session), f"{pad(event.session[:_ID], _ID)}  "),
        (role, f"{'  ' * event.depth}{_pick_event_glyph(event, glyphs)} {one_line(said)}"),
    ]
    return [align_cells(left, ended if any(text for _, text in ended) else [], columns)]


def _has_failed(event: StreamEvent) -> bool:
    return event.outcome is not None and event.outcome not in _OPEN


def _pick_event_glyph(event: StreamEvent, glyphs: Glyphs) -> str:
    if event.kind == "result":
        return glyphs.failed if _has_failed(event) else glyphs.ok
    return {
        "prompt": f"{glyphs.tip} You ",
        "queued": f"{glyphs.tip} You, queued ",
        "text": f"{glyphs.node} Claude ",
        "thinking": glyphs.thought,
        "tool": glyphs.node,
        "agent": glyphs.agent,
        "compacted": glyphs.compaction,
        "error": glyphs.failed,
    }.get(event.kind, "-")


def _describe_activity(row: LiveSession) -> Span:
    if row.asks:
        role = Role.WAITING if row.state is SessionState.WAITING else Role.ERROR
        return role, describe_ask(row)
    if row.output:
        return Role.TOOL, one_line(row.output)
    return Role.THINKING, one_line(f"~ {row.thought}") if row.thought else ""


def _list_facts(row: LiveSession, glyphs: Glyphs) -> list[str]:
    # Bars and costs stand below those of other rows, so what not every row has comes first.
    facts = [format_plural(row.agents, "agent")] if row.agents else []
    if row.context is not None:
        drawn = draw_gauge(row.context, _GAUGE, unicode=glyphs.node != "*")
        facts.append(f"{drawn} {format_percent(row.context):>4}")
    else:
        facts.append(" " * (_GAUGE + 5))
    spent = _format_spent(row) if row.cost_usd is not None else ""
    return [*facts, f"{spent:>7}"]


def _format_spent(row: LiveSession) -> str:
    own = format_cost(row.cost_usd, partly_unknown=not row.is_cost_complete)
    return format_cost_and_copies(own, row.copied_cost_usd)


def _render_summary(row: LiveSession, glyphs: Glyphs, room: int) -> StyledLine:
    """Set context at the left, cost and agents at the right."""
    left: list[Span] = []
    if row.context is not None:
        drawn = draw_gauge(row.context, _CONTEXT, unicode=glyphs.node != "*")
        of = f" of {format_tokens(row.context_window)}" if row.context_window else ""
        left = [
            (Role.ACTIVE, drawn),
            (Role.META, f"  {format_percent(row.context)}{of}"),
        ]
    words = [format_plural(row.agents, "agent") if row.agents else "", _format_spent(row)]
    return align_cells(left, [(Role.META, "  ".join(word for word in words if word))], room)


def _box_line(line: StyledLine, glyphs: Glyphs, room: int) -> StyledLine:
    kept = cut_line(line, room)
    used = sum(width(text) for _, text in kept)
    gap = " " * max(0, room - used)
    return ((Role.META, f"{glyphs.bar} "), *kept, (Role.META, f"{gap} {glyphs.bar}"))
