"""Steps, agents, compactions and side branches: one line each, outcome before detail."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from bough.model.conversation.messages import Message, TextBlock
from bough.model.conversation.steps import (
    FAILED_STATES,
    RunRow,
    Step,
    describe_hidden_rows,
    sum_up_run,
)
from bough.model.outline.message_facts import MessageFacts
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.text.formats import format_changes, format_duration, format_plural
from bough.model.tools.call_row import CallState, ToolView
from bough.model.tools.calls import ToolBlock
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.messages import compose_compaction_text, describe_side_branch
from bough.terminal.conversation.tools import (
    CallColumns,
    choose_mark,
    fit_call_columns,
    format_call_duration,
    render_agent,
)
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.text import fit, one_line, pad, width
from bough.tui.conversation.tool_details import render_detail

ROWS_IN: Final = 4
"""The rows of a block of steps stand so far in."""
_ROOMY: Final = 64
"""From so many columns on a side branch names its key."""


class StepLines:
    """Calls that follow one another: a line for all of them, and one for each."""

    def __init__(self, steps: Sequence[Step], facts: MessageFacts) -> None:
        self._steps = steps
        self._facts = facts

    @cached_property
    def views(self) -> dict[int, ToolView]:
        """Show the calls as rows, by their places among the blocks of the message."""
        return {step.number: self._facts.view_call(step.block) for step in self._steps}

    @cached_property
    def _columns(self) -> CallColumns:
        return fit_call_columns(list(self.views.values()))

    def summary(self, opened: bool, canvas: Canvas) -> list[StyledLine]:
        """Say how many steps there are, what they changed, whether any failed."""
        run = sum_up_run(list(self.views.values()))
        facts: list[Span] = [
            (Role.TOOL, f"  {_pick_fold_glyph(canvas, opened)} {format_plural(run.steps, 'step')}")
        ]
        if run.files:
            facts.append((Role.META, f"  {format_plural(run.files, 'file')}"))
        if run.added or run.removed:
            facts.append((Role.META, f"  {format_changes(run.added, run.removed)}"))
        if run.failed:
            facts.append((Role.ERROR, f"  {canvas.glyphs.failed} {run.failed:,} failed"))
        took = format_duration(run.seconds) if run.seconds else ""
        return [_align_ends(facts, [(Role.META, took)], canvas)]

    def row(self, step: Step, opened: bool, canvas: Canvas) -> list[StyledLine]:
        """Set one call, and below it what it did where it is open."""
        view, block = self.views[step.number], step.block
        column, clock = self._columns.name, self._columns.clock
        name = pad(one_line(view.label), column)
        left: list[Span] = [
            (Role.TOOL, f"{' ' * ROWS_IN}{_pick_fold_glyph(canvas, opened)} {name}  "),
            (Role.CLAUDE, one_line(view.summary)),
        ]
        wait = self._facts.describe_open_call(block) if block.result is None else ""
        right = _render_outcome(
            view, wait, pad(format_call_duration(view), clock, right=True), canvas.glyphs
        )
        lines = [_align_ends(left, right, canvas)]
        inner = ROWS_IN + 2
        if opened:
            return [*lines, *render_detail(block, canvas, inner)]
        if view.outcome.reason:
            room = canvas.measure - inner - column - 2
            reason = fit(one_line(view.outcome.reason), room, canvas.glyphs.ellipsis)
            lines.append(((Role.ERROR, f"{' ' * (inner + column + 2)}{reason}"),))
        return lines


def render_hidden_rows(rows: Sequence[RunRow], opened: bool, canvas: Canvas) -> list[StyledLine]:
    """Say what rows of a block are folded away, or can be again."""
    words = f"{_pick_fold_glyph(canvas, opened)} {describe_hidden_rows(rows)}"
    return [((Role.META, f"{' ' * ROWS_IN}{words}"),)]


def render_agent_lines(
    block: ToolBlock, facts: MessageFacts, opened: bool, canvas: Canvas
) -> list[StyledLine]:
    """Set an agent: what for, how it ended, and the beginning of its answer."""
    lines = render_agent(block, facts.agents.get(block.id), canvas)
    return lines[:1] if opened else lines


def render_agent_answer(block: ToolBlock, facts: MessageFacts, canvas: Canvas) -> list[StyledLine]:
    """Set an agent whose own file is gone: its row, what it was told and what it answered."""
    return [
        *render_agent_lines(block, facts, True, canvas),
        *render_detail(block, canvas, ROWS_IN),
    ]


def render_compaction(
    compaction: Compaction, messages: Sequence[Message], canvas: Canvas
) -> list[StyledLine]:
    """Set a compaction: dashes with what it did; open, what Claude still knew after it."""
    text = compose_compaction_text(compaction, canvas, 1)
    lines: list[StyledLine] = [((Role.COMPACTION, text),)]
    if not canvas.full:
        return lines
    summaries = [b.text for t in messages for b in t.blocks if isinstance(b, TextBlock) and b.text]
    for summary in summaries:
        lines += canvas.compose_prose(summary, 2, Role.COMPACTION)
    return [*lines, ((Role.META, "  Enter lists what was dropped."),)]


def render_side_branch(branch: Branch, canvas: Canvas) -> list[StyledLine]:
    """Set where another branch leaves, and the key that compares."""
    left, facts = describe_side_branch(branch, canvas)
    key = "   c compare" if canvas.measure >= _ROOMY else ""
    return [_align_ends(left, [(Role.META, f"{', '.join(facts)}{key}")], canvas)]


def _pick_fold_glyph(canvas: Canvas, opened: bool) -> str:
    glyphs = canvas.glyphs
    return glyphs.opened if opened else glyphs.folded


def _render_outcome(view: ToolView, wait: str, took: str, glyphs: Glyphs) -> list[Span]:
    state = view.outcome.state
    words = view.outcome.text or (wait if state is CallState.OPEN else "")
    role = Role.ERROR if state in FAILED_STATES else Role.META
    spans: list[Span] = [(role, f"{one_line(words)}  ")] if words else []
    if took:
        spans.append((Role.META, f"{took}  "))
    role, sign = choose_mark(state, glyphs)
    return [*spans, (role, pad(sign, width(glyphs.ok)))]


def _align_ends(left: Sequence[Span], right: Sequence[Span], canvas: Canvas) -> StyledLine:
    """Set words at the left and others at the right end; the last at the left is cut."""
    tail = sum(width(text) for _, text in right)
    *head, (role, text) = left
    fixed = sum(width(one) for _, one in head)
    room = max(8, canvas.measure - fixed - (tail + 2 if tail else 0))
    text = fit(text, room, canvas.glyphs.ellipsis)
    gap = " " * max(2, canvas.measure - fixed - width(text) - tail) if tail else ""
    return (*head, (role, text), (Role.META, gap), *right)
