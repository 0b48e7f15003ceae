"""Tool calls and agents as rows: the name, what it is about, how it ended, how long it took.

Edit  cli/main.py                                                  +5 -2  0.2 s  ok
Bash  pytest -q tests/import                                       exit 1  4.2 s  x
FAILED tests/import/test_resume.py::test_second_run_skips_done_rows

What a tool was given and what it gave back, in full.

Commands and texts are shown as they are, an edit as the lines it takes and gives, anything
else as its fields. Output is never cut; what the client keeps in a file is named.
"""

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from typing import Final

import msgspec

from bough.model.outline.agent_summaries import AgentSummary
from bough.model.text.formats import MISSING, format_cost, format_duration, format_plural
from bough.model.tools.call_row import CallState, ToolView, view_of
from bough.model.tools.calls import CallResult, ToolBlock
from bough.model.tools.outcomes import BACKGROUND
from bough.model.usage.costs import UsageCost
from bough.terminal.canvas import Canvas
from bough.terminal.style import Glyphs, Role, Span
from bough.terminal.text import lines_of, one_line, pad, width

_SHOWN_AS_TEXT: Final = {
    "Agent": "prompt",
    "Bash": "command",
    "ExitPlanMode": "plan",
    "PowerShell": "command",
    "Task": "prompt",
    "Write": "content",
}
_ALREADY_SHOWN: Final = frozenset({"file_path", "notebook_path", "description", "subagent_type"})


def render_call_details(block: ToolBlock, sheet: Canvas, indent: int) -> list[str]:
    """Set the input and the output of a call below its row."""
    lines = _render_input(block, sheet, indent)
    return lines + (_render_output(block.result, sheet, indent) if block.result is not None else [])


def _render_input(block: ToolBlock, sheet: Canvas, indent: int) -> list[str]:
    given = block.input
    if not isinstance(given, Mapping):
        return sheet.paint_prose(str(given), indent, Role.TOOL) if given else []
    edits = given.get("edits") if isinstance(given.get("edits"), list) else [given]
    if any(isinstance(edit, Mapping) and "old_string" in edit for edit in edits or ()):
        return [line for edit in edits or () for line in _render_edit(edit, sheet, indent)]
    key = _SHOWN_AS_TEXT.get(block.name, "")
    if isinstance(text := given.get(key), str):
        return sheet.paint_prose(text, indent, Role.TOOL)
    fields = {name: value for name, value in given.items() if name not in _ALREADY_SHOWN}
    return [
        line
        for name, value in fields.items()
        for line in sheet.paint_prose(f"{name}: {_format_value(value)}", indent, Role.TOOL)
    ]


def _render_edit(edit: object, sheet: Canvas, indent: int) -> list[str]:
    """Set an edit as lines that go and lines that come."""
    if not isinstance(edit, Mapping):
        return []
    old, new = str(edit.get("old_string", "")), str(edit.get("new_string", ""))
    diff = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    roles = {"-": Role.ERROR, "+": Role.ACTIVE}
    return [
        line
        for row in list(diff)[2:]
        if not row.startswith("@@")
        for line in sheet.paint_prose(row, indent, roles.get(row[:1], Role.META))
    ]


def _format_value(value: object) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _render_output(result: CallResult, sheet: Canvas, indent: int) -> list[str]:
    role = Role.ERROR if result.is_error else Role.META
    lines = sheet.paint_prose(result.text, indent, role) if result.text.strip() else []
    lines += [
        line
        for picture in result.images
        for line in sheet.paint_prose(f"Image, {picture.media_type}", indent, Role.META)
    ]
    if result.persisted is not None:
        lines += sheet.paint_prose(f"Output kept in {result.persisted}", indent, Role.META)
    return lines


INDENT: Final = 2
_NARROWEST, _WIDEST = 4, 12
_MARK_ROLES: Final = {
    CallState.OK: Role.ACTIVE,
    CallState.OPEN: Role.META,
    CallState.STOPPED: Role.META,
}


def render_calls(
    blocks: Sequence[ToolBlock], sheet: Canvas, times: Mapping[str, str], cwd: str | None
) -> list[str]:
    """Set the rows of calls that follow one another, their names in one column."""
    views = [view_of(block, times.get(block.id), cwd) for block in blocks]
    column = max((width(one_line(_name_tool(view))) for view in views), default=0)
    column = min(max(column, _NARROWEST), _WIDEST)
    ends = [_format_duration(view) for view in views]
    clock = max(map(width, ends), default=0)
    lines: list[str] = []
    for block, view, took in zip(blocks, views, ends, strict=True):
        name = pad(one_line(_name_tool(view)), column) + "  "
        right = _render_right_side(view, pad(took, clock, right=True), sheet.styles.glyphs)
        words = _replace_signs(view.summary, sheet.styles.glyphs)
        lines.append(sheet.paint_line([(Role.TOOL, name), (Role.CLAUDE, words)], right, INDENT))
        inner = INDENT + column + 2
        lines += (
            render_call_details(block, sheet, inner)
            if sheet.full
            else _render_below(block, view, sheet, inner)
        )
    return lines


def render_agent(block: ToolBlock, agent: AgentSummary | None, sheet: Canvas) -> list[str]:
    """Set an agent's row, and the beginning of what it answered."""
    glyphs = sheet.styles.glyphs
    view = view_of(block)
    words = agent.text if agent is not None else view.summary
    right = _render_agent_outcome(view, agent, glyphs)
    left = [(Role.AGENT, f"{glyphs.agent} "), (Role.AGENT, words)]
    lines = [sheet.paint_line(left, right, INDENT)]
    if sheet.full:
        return lines + render_call_details(block, sheet, INDENT + 2)
    answer = _first_answer_line(block)
    if answer and view.outcome.state is CallState.OK and view.outcome.text != BACKGROUND:
        lines.append(sheet.paint_line([(Role.CLAUDE, answer)], indent=INDENT + 2))
    elif view.outcome.reason:
        lines.append(sheet.paint_line([(Role.ERROR, view.outcome.reason)], indent=INDENT + 2))
    return lines


def format_agent_cost(bill: UsageCost) -> str:
    """Write what something cost, for the end of a line; nothing where nothing was used."""
    if not bill.tokens.total:
        return ""
    return format_cost(bill.usd, partly_unknown=not bill.complete)


def _name_tool(view: ToolView) -> str:
    return f"{view.server}: {view.name}" if view.server else view.name


def _replace_signs(text: str, glyphs: Glyphs) -> str:
    """Write the signs of a row as the terminal can show them."""
    return text.translate({0x2013: glyphs.range, 0x2212: glyphs.minus, 0x2192: glyphs.arrow})


def _format_duration(view: ToolView) -> str:
    return format_duration(view.seconds) if view.seconds is not None else ""


def choose_mark(state: CallState, glyphs: Glyphs) -> Span:
    """Give the sign at the end of a row."""
    sign = {CallState.OK: glyphs.ok, CallState.OPEN: glyphs.ellipsis, CallState.STOPPED: MISSING}
    return _MARK_ROLES.get(state, Role.ERROR), sign.get(state, glyphs.failed)


def _render_right_side(view: ToolView, took: str, glyphs: Glyphs) -> list[Span]:
    state = view.outcome.state
    words = view.outcome.text or ("no result" if state is CallState.OPEN else "")
    role = (
        Role.ERROR
        if state in (CallState.FAILED, CallState.BLOCKED, CallState.REFUSED)
        else Role.META
    )
    words = _replace_signs(one_line(words), glyphs)
    spans: list[Span] = [(role, f"{words}  ")] if words else []
    if took:
        spans.append((Role.META, f"{took}  "))
    return [*spans, choose_mark(state, glyphs)]


def _render_below(block: ToolBlock, view: ToolView, sheet: Canvas, indent: int) -> list[str]:
    """Say under a row why it failed, or where its output lies."""
    if view.outcome.reason:
        return [sheet.paint_line([(Role.ERROR, view.outcome.reason)], indent=indent)]
    result = block.result
    if result is not None and result.persisted is not None:
        words = f"Output kept in {result.persisted}"
        return [sheet.paint_line([(Role.META, words)], indent=indent)]
    return []


def _render_agent_outcome(view: ToolView, agent: AgentSummary | None, glyphs: Glyphs) -> list[Span]:
    ok = agent.ok if agent is not None else None
    facts: list[str] = []
    if view.outcome.state not in (CallState.OK, CallState.OPEN):
        facts.append(one_line(view.outcome.text))
    elif ok is None:
        facts.append(view.outcome.text or "no answer yet")
    if agent is not None and agent.steps is not None:
        facts.append(format_plural(agent.steps, "step"))
    if agent is not None and agent.seconds:
        facts.append(format_duration(agent.seconds))
    if agent is not None and (money := format_agent_cost(agent.cost)):
        facts.append(money)
    sign = {True: glyphs.ok, False: glyphs.failed, None: ""}[ok]
    role = {True: Role.ACTIVE, False: Role.ERROR, None: Role.META}[ok]
    return [(role, f"{sign} " if sign else ""), (Role.META, ", ".join(dict.fromkeys(facts)))]


def _first_answer_line(block: ToolBlock) -> str:
    """Give the first line of an agent's answer."""
    text = block.result.text if block.result is not None else ""
    return next((line for line in lines_of(text) if line.strip()), "")
