"""One message as a person reads it: who, when, and what was said or done.

The words are loud, the machinery quiet: prompts and answers are shown whole, tools are one
line each, thinking and notes one line with their beginning. `--full` unfolds everything.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import label_note
from bough.model.conversation.plan_files import PlanFile, PlanLink
from bough.model.conversation.steps import (
    AnswerPart,
    RowGroup,
    SingleBlock,
    Step,
    StepRun,
    describe_hidden_rows,
    group_rows,
    split_into_parts,
)
from bough.model.interpret.api_errors import phrase_api_error
from bough.model.interpret.message_kinds import PERSON_KINDS, THOUGHT_TYPES
from bough.model.outline.branch_path import (
    branch_ended_at,
    describe_compaction,
    describe_trigger,
    format_branch_length,
    name_branch,
    name_leave_reason,
)
from bough.model.outline.message_facts import MessageFacts
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turn_summary import summarize_turn
from bough.model.outline.turns import Turn
from bough.model.text.file_references import find_file_references
from bough.model.text.formats import format_duration
from bough.model.tools.call_detail import OUTPUT_HEAD, OUTPUT_TAIL, count_hidden_lines
from bough.model.tools.calls import ToolBlock
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.markdown import render_markdown
from bough.terminal.conversation.tools import (
    INDENT,
    fit_call_columns,
    render_agent,
    render_agent_row,
    render_call,
    render_calls,
)
from bough.terminal.header import find_short_length
from bough.terminal.style import Role, Span, StyledLine, line_of, strip_line
from bough.terminal.text import fit, lines_of, one_line, width

_SAID: Final = THOUGHT_TYPES | {"text"}


class MessageContext(Struct, frozen=True):
    """What messages are written with: a canvas, facts about them, the length of a short id."""

    canvas: Canvas
    facts: MessageFacts
    short: int = 4


def build_message_context(facts: MessageFacts, canvas: Canvas) -> MessageContext:
    """Gather what the messages of some conversations are written with."""
    uuids = [turn.uuid for turn in facts.turns if turn.uuid]
    return MessageContext(canvas, facts, find_short_length(uuids, facts.session.tree.number))


def render_message(message: Message, context: MessageContext) -> list[StyledLine]:
    """Write one message."""
    match message.kind:
        case kind if kind in PERSON_KINDS:
            return _render_prompt(message, context)
        case "assistant":
            return _render_answer(message, context)
        case "error" | "bad_line":
            return _render_failure(message, context)
        case kind:
            return _render_notes(message.blocks, context.canvas, kind)


def _render_prompt(message: Message, context: MessageContext) -> list[StyledLine]:
    """Write what a person said, whole, and the output of a command below it."""
    canvas = context.canvas
    time = canvas.clock(message.timestamp)
    tag = {"queued": f", queued at {time}", "command": ", command", "shell": ", you ran it"}
    who = f"{canvas.glyphs.tip} {context.facts.asker}{tag.get(message.kind, '')}"
    left: list[Span] = [(Role.PROMPT, who)]
    if message.kind != "queued":
        left += [(Role.META, "  "), (Role.META, time)]
    short = (message.uuid or "")[: context.short]
    lines = [canvas.compose_line(left, [(Role.META, short)] if short else [])]
    for spoken, run in groupby(message.blocks, key=_is_spoken):
        if spoken:
            for block in run:
                lines += _render_words(block, message.kind, canvas)
        else:
            lines += _render_notes(list(run), canvas, message.kind)
    return lines


def _is_spoken(block: ContentBlock) -> bool:
    return isinstance(block, TextBlock) and block.type in ("text", "output")


def _render_words(block: ContentBlock, kind: str, canvas: Canvas) -> list[StyledLine]:
    if not isinstance(block, TextBlock):
        return []
    if block.type == "output":
        return _shorten_output(block.text, canvas)
    if kind == "shell":
        return canvas.compose_prose(f"! {block.text}", INDENT, Role.PROMPT)
    return [_mark_files(line) for line in canvas.compose_prose(block.text, INDENT, Role.PROMPT)]


def _mark_files(line: StyledLine) -> StyledLine:
    """Set off the files that a line of a prompt names."""
    spans: list[Span] = []
    for role, text in line:
        at = 0
        for one in find_file_references(text):
            spans += [(role, text[at : one.start]), (Role.LINK, text[one.start : one.end])]
            at = one.end
        spans.append((role, text[at:]))
    return tuple(span for span in spans if span[1])


def _render_answer(message: Message, context: MessageContext) -> list[StyledLine]:
    """Write what Claude said and did, steps in rows and notes in a line."""
    lines = render_answer_head(message, context)
    thoughts = context.facts.thought_durations(message)
    parts = split_into_parts(message.blocks)
    for is_note, group in groupby(parts, key=_is_quiet):
        if is_note:
            notes = [part.block for part in group if isinstance(part, SingleBlock)]
            lines += _render_notes(notes, context.canvas, message.kind)
            continue
        for part in group:
            if isinstance(part, StepRun):
                lines += _render_run(part, context, thoughts)
                continue
            lines += render_block(part.block, context, thoughts.get(part.number))
            calls = [part.block] if isinstance(part.block, ToolBlock) else []
            lines += _render_workflow_agents(calls, context)
    return lines


def _render_run(
    run: StepRun, context: MessageContext, thoughts: Mapping[int, float | None]
) -> list[StyledLine]:
    """Write the rows of a block of steps; of a long one its ends and what failed."""
    canvas, facts = context.canvas, context.facts
    views = {step.number: facts.view_call(step.block) for step in run.steps}
    columns = fit_call_columns(list(views.values()))
    whole = canvas.full or canvas.columns is None
    lines: list[StyledLine] = []
    for group in [RowGroup(run.rows, False)] if whole else group_rows(run, views):
        if group.is_hidden:
            words = f"({describe_hidden_rows(group.rows)})"
            lines.append(canvas.compose_line([(Role.META, words)], indent=INDENT))
        for row in () if group.is_hidden else group.rows:
            if isinstance(row, Step):
                lines += render_call(row.block, views[row.number], columns, canvas)
            else:
                lines += render_block(row.block, context, thoughts.get(row.number))
            lines += _render_notes([note for _, note in row.notes], canvas, "assistant")
        calls = [row.block for row in group.rows if isinstance(row, Step)]
        lines += _render_workflow_agents(calls, context)
    return lines


def _render_workflow_agents(
    calls: Sequence[ToolBlock], context: MessageContext
) -> list[StyledLine]:
    """Write the agents of workflows below the calls they follow."""
    followed = context.facts.workflow_agents
    agents = (agent for call in calls for agent in followed.get(call.id, ()))
    return [render_agent_row(agent, context.canvas) for agent in agents]


def render_answer_head(message: Message, context: MessageContext) -> list[StyledLine]:
    """Write that Claude speaks, and when."""
    canvas = context.canvas
    who = [(Role.CLAUDE, f"{canvas.glyphs.node} Claude"), (Role.META, "  ")]
    return [canvas.compose_line([*who, (Role.META, canvas.clock(message.timestamp))])]


def _is_quiet(part: AnswerPart) -> bool:
    """Tell whether a part of an answer is a note: no step, no agent, nothing said."""
    return (
        isinstance(part, SingleBlock)
        and isinstance(part.block, TextBlock)
        and part.block.type not in _SAID
    )


def render_block(
    block: ContentBlock,
    context: MessageContext,
    seconds: float | None = None,
    indent: int = INDENT,
) -> list[StyledLine]:
    """Write a block of an answer that is no step; `seconds` is how long a thought took."""
    match block:
        case ToolBlock():
            return render_agent(block, context.facts.agents.get(block.id), context.canvas)
        case TextBlock(type="text"):
            return _render_said(block.text, context.canvas, indent)
        case TextBlock(type=kind) if kind in THOUGHT_TYPES:
            return _render_thought(block, context.canvas, seconds, indent)
        case TextBlock():
            return render_note(block, context.canvas, "assistant", indent)


def _render_said(text: str, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Write what Claude said, with emphasis where the terminal shows any."""
    if not canvas.markdown:
        return canvas.compose_prose(text, indent)
    columns = None if canvas.columns is None else canvas.measure - indent
    blank: Span = (Role.CLAUDE, " " * indent)
    return [strip_line((blank, *line)) for line in render_markdown(text, canvas.glyphs, columns)]


def _render_thought(
    block: TextBlock, canvas: Canvas, seconds: float | None, indent: int
) -> list[StyledLine]:
    """Write the beginning of a thought."""
    took = f" {format_duration(seconds)}" if seconds else ""
    head = f"{canvas.glyphs.thought} Thought{took}"
    if canvas.full:
        return canvas.compose_prose(f"{head}: {block.text.strip()}", indent, Role.THINKING)
    words = f"{head}: {canvas.excerpt(block.text)}"
    return [canvas.compose_line([(Role.THINKING, words)], indent=indent)]


def _render_failure(message: Message, context: MessageContext) -> list[StyledLine]:
    """Write what went wrong, with its sign."""
    canvas = context.canvas
    lines: list[StyledLine] = []
    for block in message.blocks:
        if isinstance(block, TextBlock) and block.type in ("error", "text"):
            said = block.text if canvas.full else phrase_api_error(block.text)
            lines += _mark_failure(said, canvas)
        else:
            lines += render_note(block, canvas, message.kind)
    return lines


def _mark_failure(text: str, canvas: Canvas) -> list[StyledLine]:
    """Set the sign of a failure before the first line."""
    lines = canvas.compose_prose(text.strip(), INDENT, Role.ERROR)
    if not lines or not lines[0]:
        return lines
    first = lines[0][0][1].removeprefix(" " * INDENT)
    return [line_of(f"{canvas.glyphs.failed} {first}", Role.ERROR), *lines[1:]]


def _render_notes(blocks: Sequence[ContentBlock], canvas: Canvas, kind: str) -> list[StyledLine]:
    """Write notes, several of them that follow one another in one line."""
    if not canvas.full and len(blocks) > 1 and all(_is_note(block) for block in blocks):
        names = (one_line(b.text.split("\n")[0]) for b in blocks if isinstance(b, TextBlock))
        text = f"{len(blocks)} notes: {', '.join(names)}"
        return [canvas.compose_line([(Role.META, text)], indent=INDENT)]
    return [line for block in blocks for line in render_note(block, canvas, kind)]


def _is_note(block: ContentBlock) -> bool:
    return isinstance(block, TextBlock) and block.type == "note"


def render_note(
    block: ContentBlock, canvas: Canvas, kind: str = "", indent: int = INDENT
) -> list[StyledLine]:
    """Write a note in one line; everything of it where all is unfolded."""
    if not isinstance(block, TextBlock):
        return render_calls([block], canvas, None)
    if block.type == "error":
        return [canvas.compose_line([(Role.ERROR, block.text)], indent=indent)]
    text = label_note(block, kind)
    if block.type == "document":
        return _render_attached(text, canvas, indent)
    if canvas.full:
        return canvas.compose_prose(text, indent, Role.META)
    return [canvas.compose_line([(Role.META, text)], indent=indent)] if one_line(text) else []


def _render_attached(text: str, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Write what a document is called, and below it, further in, how it begins."""
    name, _, words = text.partition("\n")
    parts = [(indent, name), (indent + INDENT, words)]
    shown = [(far, part) for far, part in parts if one_line(part)]
    if canvas.full:
        return [line for far, part in shown for line in canvas.compose_prose(part, far, Role.META)]
    return [canvas.compose_line([(Role.META, part)], indent=far) for far, part in shown]


def _shorten_output(text: str, canvas: Canvas) -> list[StyledLine]:
    """Show the beginning and the end of a long output."""
    lines = lines_of(text.strip("\n"))
    more = count_hidden_lines(len(lines))
    if more and not canvas.full and canvas.columns is not None:
        lines = [*lines[:OUTPUT_HEAD], f"({more:,} more lines)", *lines[-OUTPUT_TAIL:]]
    return canvas.compose_prose("\n".join(lines), INDENT, Role.META) if any(lines) else []


def render_summary_line(
    turn: Turn, answers: Sequence[Message], context: MessageContext
) -> list[StyledLine]:
    """Write what a turn took; nothing where Claude did not answer at all.

    5 steps, 1 agent, 2 min 24 s, 31% of context, 2.1k out, $0.72
    """
    window = context.facts.context(answers[-1]) if answers else None
    thoughts = context.facts.sum_up_thoughts(answers)
    groups = summarize_turn(turn, answers, window, thoughts)
    words = ", ".join(word for group in groups for word in group)
    return context.canvas.compose_prose(words, INDENT, Role.META) if words else []


def render_plan_mark(mark: PlanLink | PlanFile, context: MessageContext) -> StyledLine:
    """Write what leads from a turn to a plan, or to what was built from it."""
    canvas = context.canvas
    words = f"{canvas.glyphs.arrow} {mark.words}"
    return canvas.compose_line([(Role.LINK, words)], indent=INDENT)


def compose_compaction_text(compaction: Compaction, canvas: Canvas, dashes: int) -> str:
    """Write what a compaction did, between dashes; `dashes` of them stand before it."""
    glyphs = canvas.glyphs
    head = f"{glyphs.compaction}{glyphs.gap * dashes} {canvas.clock(compaction.timestamp)}  "
    room = canvas.measure - width(head)
    text = describe_compaction(compaction, glyphs.arrow, describe_trigger(compaction))
    if width(text) > room:
        text = describe_compaction(compaction, glyphs.arrow)
    if canvas.columns is not None:
        text = fit(text, room, glyphs.ellipsis)
    rest = glyphs.gap * (room - width(text) - 1)
    return f"{head}{text} {rest}"


def describe_side_branch(branch: Branch, canvas: Canvas) -> tuple[list[Span], list[str]]:
    """Give the sign and the first words of a side branch; how long it is and why it was left."""
    glyphs = canvas.glyphs
    sign, role = (glyphs.node, Role.ACTIVE) if branch.active else (glyphs.other, Role.LEFT)
    why = "active" if branch.active else name_leave_reason(branch)
    if why == "rewound":
        why = f"{why} {canvas.time(branch_ended_at(branch))}"
    words = one_line(name_branch(branch))
    facts = [fact for fact in (format_branch_length(branch), why) if fact]
    return [(role, f"{glyphs.tee}{glyphs.dash}{sign} "), (role, words)], facts
