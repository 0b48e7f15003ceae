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

from bough.model.agents.summaries import SentOut
from bough.model.text.formats import MISSING, cost, duration, plural
from bough.model.tools.call_row import State, ToolView, view_of
from bough.model.tools.calls import Result, ToolBlock
from bough.model.tools.outcomes import BACKGROUND
from bough.model.usage.costs import Bill
from bough.terminal.canvas import Sheet
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
_SAID_ALREADY: Final = frozenset({"file_path", "notebook_path", "description", "subagent_type"})


def unfolded(block: ToolBlock, sheet: Sheet, indent: int) -> list[str]:
    """Set the input and the output of a call below its row."""
    lines = _input(block, sheet, indent)
    return lines + (_output(block.result, sheet, indent) if block.result is not None else [])


def _input(block: ToolBlock, sheet: Sheet, indent: int) -> list[str]:
    given = block.input
    if not isinstance(given, Mapping):
        return sheet.prose(str(given), indent, Role.TOOL) if given else []
    edits = given.get("edits") if isinstance(given.get("edits"), list) else [given]
    if any(isinstance(edit, Mapping) and "old_string" in edit for edit in edits or ()):
        return [line for edit in edits or () for line in _edit(edit, sheet, indent)]
    key = _SHOWN_AS_TEXT.get(block.name, "")
    if isinstance(text := given.get(key), str):
        return sheet.prose(text, indent, Role.TOOL)
    fields = {name: value for name, value in given.items() if name not in _SAID_ALREADY}
    return [
        line
        for name, value in fields.items()
        for line in sheet.prose(f"{name}: {_shown(value)}", indent, Role.TOOL)
    ]


def _edit(edit: object, sheet: Sheet, indent: int) -> list[str]:
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
        for line in sheet.prose(row, indent, roles.get(row[:1], Role.META))
    ]


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _output(result: Result, sheet: Sheet, indent: int) -> list[str]:
    role = Role.ERROR if result.is_error else Role.META
    lines = sheet.prose(result.text, indent, role) if result.text.strip() else []
    lines += [
        line
        for picture in result.images
        for line in sheet.prose(f"Image, {picture.media_type}", indent, Role.META)
    ]
    if result.persisted is not None:
        lines += sheet.prose(f"Output kept in {result.persisted}", indent, Role.META)
    return lines


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
