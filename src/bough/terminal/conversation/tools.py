"""Tool calls and agents as rows: the name, what it is about, how it ended, how long it took.

Edit  cli/main.py                                                  +5 -2  0.2 s  ok
Bash  pytest -q tests/import                                       exit 1  4.2 s  x
FAILED tests/import/test_resume.py::test_second_run_skips_done_rows

What a tool was given and what it gave back, in full.

Commands and texts are shown as they are, an edit as the lines it takes and gives, anything
else as its fields. Output is never cut; what the client keeps in a file is named.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from bough.model.conversation.steps import FAILED_STATES, fit_name_column
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.turn_summary import format_usage_cost
from bough.model.text.formats import MISSING, format_duration, format_plural
from bough.model.tools.call_detail import (
    AgentBrief,
    FileEdit,
    FileWrite,
    PlanText,
    ShellCommand,
    TextEdit,
    ToolDetail,
    ToolOutput,
    detail_of,
    diff_edit,
    format_field,
)
from bough.model.tools.call_row import CallState, ToolView, view_of
from bough.model.tools.call_summary import split_path
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import BACKGROUND
from bough.terminal.canvas import Canvas
from bough.terminal.style import Glyphs, Role, Span, StyledLine, replace_signs
from bough.terminal.text import fit, fit_path, lines_of, one_line, pad, width

_SAID_BY_ROW: Final = frozenset({"file_path", "notebook_path", "description", "subagent_type"})


def render_call_details(block: ToolBlock, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Set the input and the output of a call below its row."""
    detail = detail_of(block)
    lines = _render_given(detail, canvas, indent)
    return lines + (_render_output(detail.output, canvas, indent) if detail.output else [])


def _render_given(detail: ToolDetail, canvas: Canvas, indent: int) -> list[StyledLine]:
    match detail.part:
        case FileEdit(edits=edits) if edits:
            return [line for edit in edits for line in _render_edit(edit, canvas, indent)]
        case ShellCommand(command=text) | AgentBrief(text=text) | PlanText(text=text) if text:
            return canvas.compose_prose(text, indent, Role.TOOL)
        case FileWrite(content=str(text)):
            return canvas.compose_prose(text, indent, Role.TOOL)
        case _:
            return _render_fields(detail.given, canvas, indent)


def _render_edit(edit: TextEdit, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Set an edit as lines that go and lines that come."""
    roles = {"-": Role.ERROR, "+": Role.ACTIVE}
    return [
        line
        for row in diff_edit(edit)
        for line in canvas.compose_prose(row, indent, roles.get(row[:1], Role.META))
    ]


def _render_fields(given: object, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Set what a call was given field by field, but for what its row says."""
    if not isinstance(given, Mapping):
        return canvas.compose_prose(str(given), indent, Role.TOOL) if given else []
    return [
        line
        for name, value in given.items()
        if name not in _SAID_BY_ROW
        for line in canvas.compose_prose(f"{name}: {format_field(value)}", indent, Role.TOOL)
    ]


def _render_output(output: ToolOutput, canvas: Canvas, indent: int) -> list[StyledLine]:
    role = Role.ERROR if output.is_error else Role.META
    lines = canvas.compose_prose(output.text, indent, role) if output.text.strip() else []
    for picture in output.images:
        lines += canvas.compose_prose(f"Image, {picture.media_type}", indent, Role.META)
    if output.stored_at is not None:
        lines += canvas.compose_prose(f"Output kept in {output.stored_at}", indent, Role.META)
    return lines


INDENT: Final = 2
_MARK_ROLES: Final = {
    CallState.OK: Role.ACTIVE,
    CallState.OPEN: Role.META,
    CallState.STOPPED: Role.META,
}


class CallColumns(Struct, frozen=True):
    """How wide the names and the durations of calls are that stand below one another."""

    name: int
    clock: int


def fit_call_columns(views: Sequence[ToolView]) -> CallColumns:
    """Fit the columns of calls that stand below one another."""
    return CallColumns(
        fit_name_column(width(one_line(view.label)) for view in views),
        max((width(format_call_duration(view)) for view in views), default=0),
    )


def render_call(
    block: ToolBlock, view: ToolView, columns: CallColumns, canvas: Canvas
) -> list[StyledLine]:
    """Set the row of a call, and below it why it failed; in full what it did."""
    name = pad(one_line(view.label), columns.name) + "  "
    took = pad(format_call_duration(view), columns.clock, right=True)
    right = _render_right_side(view, took, canvas.glyphs)
    words = replace_signs(view.summary, canvas.glyphs)
    cut = fit_path if split_path(view.label, words)[0] else fit
    line = canvas.compose_line([(Role.TOOL, name), (Role.CLAUDE, words)], right, INDENT, cut)
    inner = INDENT + columns.name + 2
    if canvas.full:
        return [line, *render_call_details(block, canvas, inner)]
    return [line, *_render_below(block, view, canvas, inner)]


def render_calls(blocks: Sequence[ToolBlock], canvas: Canvas, cwd: str | None) -> list[StyledLine]:
    """Set the rows of calls that follow one another, their names in one column."""
    views = [view_of(block, block.timestamp, cwd) for block in blocks]
    columns = fit_call_columns(views)
    rows = zip(blocks, views, strict=True)
    return [line for block, view in rows for line in render_call(block, view, columns, canvas)]


def render_agent(block: ToolBlock, agent: AgentSummary | None, canvas: Canvas) -> list[StyledLine]:
    """Set an agent's row, and the beginning of what it answered."""
    glyphs = canvas.glyphs
    view = view_of(block)
    words = agent.text if agent is not None else view.summary
    right = _render_agent_outcome(view, agent, glyphs)
    left = [(Role.AGENT, f"{glyphs.agent} "), (Role.AGENT, words)]
    lines = [canvas.compose_line(left, right, INDENT)]
    if canvas.full:
        return lines + render_call_details(block, canvas, INDENT + 2)
    answer = _first_answer_line(block, canvas)
    if answer and view.outcome.state is CallState.OK and view.outcome.text != BACKGROUND:
        lines.append(canvas.compose_line([(Role.CLAUDE, answer)], indent=INDENT + 2))
    elif view.outcome.reason:
        lines.append(canvas.compose_line([(Role.ERROR, view.outcome.reason)], indent=INDENT + 2))
    return lines


def render_agent_row(agent: AgentSummary, canvas: Canvas) -> StyledLine:
    """Set the row of an agent that no call has for its own: one of a workflow."""
    glyphs = canvas.glyphs
    facts = [
        format_plural(agent.steps, "step") if agent.steps is not None else "",
        format_duration(agent.seconds) if agent.seconds else "",
        format_usage_cost(agent.cost),
    ]
    left = [(Role.AGENT, f"{glyphs.agent} "), (Role.AGENT, agent.text)]
    right = [
        (Role.ACTIVE, f"{glyphs.ok} " if agent.ok else ""),
        (Role.META, ", ".join(fact for fact in facts if fact)),
    ]
    return canvas.compose_line(left, right, INDENT)


def format_call_duration(view: ToolView) -> str:
    """Write how long a call took; empty where nobody knows."""
    return format_duration(view.seconds) if view.seconds is not None else ""


def choose_mark(state: CallState, glyphs: Glyphs) -> Span:
    """Give the sign at the end of a row."""
    sign = {CallState.OK: glyphs.ok, CallState.OPEN: glyphs.ellipsis, CallState.STOPPED: MISSING}
    return _MARK_ROLES.get(state, Role.ERROR), sign.get(state, glyphs.failed)


def _render_right_side(view: ToolView, took: str, glyphs: Glyphs) -> list[Span]:
    state = view.outcome.state
    words = view.outcome.text or ("no result" if state is CallState.OPEN else "")
    role = Role.ERROR if state in FAILED_STATES else Role.META
    words = replace_signs(one_line(words), glyphs)
    spans: list[Span] = [(role, f"{words}  ")] if words else []
    if took:
        spans.append((Role.META, f"{took}  "))
    return [*spans, choose_mark(state, glyphs)]


def _render_below(
    block: ToolBlock, view: ToolView, canvas: Canvas, indent: int
) -> list[StyledLine]:
    """Say under a row why it failed, or where its output lies."""
    if view.outcome.reason:
        return [canvas.compose_line([(Role.ERROR, view.outcome.reason)], indent=indent)]
    result = block.result
    if result is not None and result.persisted is not None:
        words = f"Output kept in {result.persisted}"
        return [canvas.compose_line([(Role.META, words)], indent=indent)]
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
    if agent is not None and (money := format_usage_cost(agent.cost)):
        facts.append(money)
    sign = {True: glyphs.ok, False: glyphs.failed, None: ""}[ok]
    role = {True: Role.ACTIVE, False: Role.ERROR, None: Role.META}[ok]
    return [(role, f"{sign} " if sign else ""), (Role.META, ", ".join(dict.fromkeys(facts)))]


def _first_answer_line(block: ToolBlock, canvas: Canvas) -> str:
    """Give the first line of an agent's answer."""
    text = canvas.excerpt(block.result.text) if block.result is not None else ""
    return next((line for line in lines_of(text) if line.strip()), "")
