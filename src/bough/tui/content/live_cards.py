"""A session that goes on, as a card or as a row of two lines; and what happens, line by line."""

from typing import Final

from bough.model.text.times import moment_of
from bough.query.live.events import Event
from bough.query.live.running_sessions import LiveSession, lasted
from bough.tui.style.style import (
    Glyphs,
    Line,
    Role,
    Span,
    bar,
    cost,
    cut,
    duration,
    elapsed,
    fit,
    now,
    one_line,
    pad,
    plural,
    share,
    short_model,
    tokens,
    width,
    wrap,
)
from bough.tui.widgets.cells import cells, state_span

_DAY: Final = 86_400
_STATE: Final = 14
_CONTEXT: Final = 16
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


def two_lines(row: LiveSession, glyphs: Glyphs, columns: int) -> list[Line]:
    """Set a session in two lines: who and how long, then what it does."""
    first = cells(
        [state_span(row, glyphs, wide=_STATE), (Role.CLAUDE, f" {one_line(row.title)}")],
        [(Role.META, f"{one_line(row.name)}  {_clock(row)}")],
        columns,
    )
    facts = [(Role.META, "  ".join(_facts(row, glyphs)))]
    second = cells([(Role.META, " " * (_STATE + 1)), _doing(row)], facts, columns)
    return [first, second]


def card(row: LiveSession, glyphs: Glyphs, columns: int) -> list[Line]:
    """Set a session in a box: who, where, the last thought, context and cost."""
    room = columns - 4
    place = "  ".join(
        one_line(word) for word in (row.name, row.git_branch, short_model(row.model or "")) if word
    )
    role, doing = _doing(row)
    thought = [*wrap(doing, room), *[""] * _THOUGHT][:_THOUGHT]
    if len(wrap(doing, room)) > _THOUGHT:
        thought[-1] = fit(f"{thought[-1]} {glyphs.ellipsis}", room, glyphs.ellipsis)
    title: list[Span] = [state_span(row, glyphs), (Role.CLAUDE, f"  {one_line(row.title)}")]
    body: list[Line] = [
        cells(title, [(Role.META, _clock(row))], room),
        ((Role.META, place),),
        *(((role, line),) for line in thought),
        _foot(row, glyphs, room),
    ]
    edge = glyphs.dash * (columns - 2)
    top: Line = ((Role.META, f"{glyphs.start}{edge}{glyphs.down}"),)
    end: Line = ((Role.META, f"{glyphs.end}{edge}{glyphs.up}"),)
    return [top, *(_boxed(line, glyphs, room) for line in body), end]


def event_line(event: Event, glyphs: Glyphs, columns: int) -> list[Line]:
    """Set something that happened in one line."""
    at = moment_of(event.time)
    clock = at.astimezone().strftime("%H:%M:%S") if at is not None else " " * 8
    words = " ".join(word for word in (event.tool or "", event.about or event.text) if word)
    ended: list[Span] = []
    if event.outcome is not None:
        took = duration(event.seconds) if event.seconds is not None else ""
        told = event.reason or ("" if event.outcome in _OPEN else event.outcome)
        role = Role.ERROR if _failed(event) else Role.META
        ended = [(role, one_line(f"{told}  {took}".strip()))]
    role = Role.ERROR if _failed(event) else _ROLES.get(event.kind, Role.META)
    left: list[Span] = [
        (Role.META, f"{clock}  {pad(fit(one_line(event.name), _NAME), _NAME)}  "),
        (role, f"{'  ' * event.depth}{_sign(event, glyphs)} {one_line(words)}"),
    ]
    return [cells(left, ended if any(text for _, text in ended) else [], columns)]


def _failed(event: Event) -> bool:
    return event.outcome is not None and event.outcome not in _OPEN


def _sign(event: Event, glyphs: Glyphs) -> str:
    if event.kind == "result":
        return glyphs.failed if _failed(event) else glyphs.ok
    return {
        "prompt": f"{glyphs.tip} You ",
        "queued": f"{glyphs.tip} You, queued ",
        "text": f"{glyphs.knot} Claude ",
        "thinking": glyphs.thought,
        "tool": glyphs.knot,
        "agent": glyphs.agent,
        "compacted": glyphs.seam,
        "error": glyphs.failed,
    }.get(event.kind, "-")


def _clock(row: LiveSession) -> str:
    seconds = lasted(row, now()) or 0.0
    return elapsed(seconds) if seconds < _DAY else duration(seconds)


def _doing(row: LiveSession) -> Span:
    if row.asks:
        return Role.WAITING, one_line(f"asks: {row.asks}")
    return Role.THINKING, one_line(f"~ {row.thought}") if row.thought else ""


def _facts(row: LiveSession, glyphs: Glyphs) -> list[str]:
    facts = []
    if row.context is not None:
        drawn = bar(row.context, 1.0, 8, unicode=glyphs.knot != "*")
        facts.append(f"{pad(drawn, 8)} {share(row.context):>4}")
    if row.cost_usd is not None:
        facts.append(f"{cost(row.cost_usd, partly_unknown=not row.cost_complete):>7}")
    if row.agents:
        facts.append(plural(row.agents, "agent"))
    return facts


def _foot(row: LiveSession, glyphs: Glyphs, room: int) -> Line:
    """Set context at the left, cost and agents at the right."""
    left: list[Span] = []
    if row.context is not None:
        drawn = bar(row.context, 1.0, _CONTEXT, unicode=glyphs.knot != "*")
        of = f" of {tokens(row.context_window)}" if row.context_window else ""
        left = [
            (Role.ACTIVE, pad(drawn, _CONTEXT)),
            (Role.META, f"  {share(row.context)}{of}"),
        ]
    spent = cost(row.cost_usd, partly_unknown=not row.cost_complete)
    words = [plural(row.agents, "agent") if row.agents else "", spent]
    return cells(left, [(Role.META, "  ".join(word for word in words if word))], room)


def _boxed(line: Line, glyphs: Glyphs, room: int) -> Line:
    kept = cut(line, room)
    used = sum(width(text) for _, text in kept)
    gap = " " * max(0, room - used)
    return ((Role.META, f"{glyphs.bar} "), *kept, (Role.META, f"{gap} {glyphs.bar}"))
