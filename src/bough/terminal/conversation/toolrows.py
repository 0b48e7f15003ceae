"""Tool calls and agents as rows: the name, what it is about, how it ended, how long it took.

Edit  cli/main.py                                                  +5 -2  0.2 s  ok
Bash  pytest -q tests/import                                       exit 1  4.2 s  x
FAILED tests/import/test_resume.py::test_second_run_skips_done_rows
"""

from collections.abc import Mapping, Sequence
from typing import Final

from bough.model.agents.summaries import SentOut
from bough.model.text.numbers import MISSING, cost, duration, plural
from bough.model.tools.call_row import State, ToolView, view_of
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import BACKGROUND
from bough.model.usage.bills import Bill
from bough.terminal.canvas import Sheet
from bough.terminal.clean import lines_of, one_line
from bough.terminal.conversation.unfolding import unfolded
from bough.terminal.fitting import pad, width
from bough.terminal.style import Glyphs, Role, Span

INDENT: Final = 2
_NARROWEST, _WIDEST = 4, 12
_MARK_ROLES: Final = {State.OK: Role.ACTIVE, State.OPEN: Role.META, State.STOPPED: Role.META}


def tool_rows(
    blocks: Sequence[ToolBlock], sheet: Sheet, times: Mapping[str, str], cwd: str | None
) -> list[str]:
    """Set the rows of calls that follow one another, their names in one column."""
    views = [view_of(block, times.get(block.id), cwd) for block in blocks]
    column = max((width(one_line(_name(view))) for view in views), default=0)
    column = min(max(column, _NARROWEST), _WIDEST)
    ends = [_duration(view) for view in views]
    clock = max(map(width, ends), default=0)
    lines: list[str] = []
    for block, view, took in zip(blocks, views, ends, strict=True):
        name = pad(one_line(_name(view)), column) + "  "
        right = _right(view, pad(took, clock, right=True), sheet.styles.glyphs)
        words = _spelled(view.summary, sheet.styles.glyphs)
        lines.append(sheet.line([(Role.TOOL, name), (Role.CLAUDE, words)], right, INDENT))
        inner = INDENT + column + 2
        lines += unfolded(block, sheet, inner) if sheet.full else _below(block, view, sheet, inner)
    return lines


def agent_rows(block: ToolBlock, agent: SentOut | None, sheet: Sheet) -> list[str]:
    """Set an agent's row, and the beginning of what it answered."""
    glyphs = sheet.styles.glyphs
    view = view_of(block)
    words = agent.text if agent is not None else view.summary
    right = _agent_end(view, agent, glyphs)
    left = [(Role.AGENT, f"{glyphs.agent} "), (Role.AGENT, words)]
    lines = [sheet.line(left, right, INDENT)]
    if sheet.full:
        return lines + unfolded(block, sheet, INDENT + 2)
    answer = _answer(block)
    if answer and view.outcome.state is State.OK and view.outcome.text != BACKGROUND:
        lines.append(sheet.line([(Role.CLAUDE, answer)], indent=INDENT + 2))
    elif view.outcome.reason:
        lines.append(sheet.line([(Role.ERROR, view.outcome.reason)], indent=INDENT + 2))
    return lines


def bill_words(bill: Bill) -> str:
    """Write what something cost, for the end of a line; nothing where nothing was used."""
    if not bill.tokens.total:
        return ""
    return cost(bill.usd, partly_unknown=not bill.complete)


def _name(view: ToolView) -> str:
    return f"{view.server}: {view.name}" if view.server else view.name


def _spelled(text: str, glyphs: Glyphs) -> str:
    """Write the signs of a row as the terminal can show them."""
    return text.translate({0x2013: glyphs.range, 0x2212: glyphs.minus, 0x2192: glyphs.arrow})


def _duration(view: ToolView) -> str:
    return duration(view.seconds) if view.seconds is not None else ""


def mark(state: State, glyphs: Glyphs) -> Span:
    """Give the sign at the end of a row."""
    sign = {State.OK: glyphs.ok, State.OPEN: glyphs.ellipsis, State.STOPPED: MISSING}
    return _MARK_ROLES.get(state, Role.ERROR), sign.get(state, glyphs.failed)


def _right(view: ToolView, took: str, glyphs: Glyphs) -> list[Span]:
    state = view.outcome.state
    words = view.outcome.text or ("no result" if state is State.OPEN else "")
    role = Role.ERROR if state in (State.FAILED, State.BLOCKED, State.REFUSED) else Role.META
    words = _spelled(one_line(words), glyphs)
    spans: list[Span] = [(role, f"{words}  ")] if words else []
    if took:
        spans.append((Role.META, f"{took}  "))
    return [*spans, mark(state, glyphs)]


def _below(block: ToolBlock, view: ToolView, sheet: Sheet, indent: int) -> list[str]:
    """Say under a row why it failed, or where its output lies."""
    if view.outcome.reason:
        return [sheet.line([(Role.ERROR, view.outcome.reason)], indent=indent)]
    result = block.result
    if result is not None and result.persisted is not None:
        words = f"Output kept in {result.persisted}"
        return [sheet.line([(Role.META, words)], indent=indent)]
    return []


def _agent_end(view: ToolView, agent: SentOut | None, glyphs: Glyphs) -> list[Span]:
    ok = agent.ok if agent is not None else None
    facts: list[str] = []
    if view.outcome.state not in (State.OK, State.OPEN):
        facts.append(one_line(view.outcome.text))
    elif ok is None:
        facts.append(view.outcome.text or "no answer yet")
    if agent is not None and agent.steps is not None:
        facts.append(plural(agent.steps, "step"))
    if agent is not None and agent.seconds:
        facts.append(duration(agent.seconds))
    if agent is not None and (money := bill_words(agent.bill)):
        facts.append(money)
    sign = {True: glyphs.ok, False: glyphs.failed, None: ""}[ok]
    role = {True: Role.ACTIVE, False: Role.ERROR, None: Role.META}[ok]
    return [(role, f"{sign} " if sign else ""), (Role.META, ", ".join(dict.fromkeys(facts)))]


def _answer(block: ToolBlock) -> str:
    """Give the first line of an agent's answer."""
    text = block.result.text if block.result is not None else ""
    return next((line for line in lines_of(text) if line.strip()), "")
