"""One message as a person reads it: who, when, and what was said or done.

The words are loud, the machinery quiet: prompts and answers are shown whole, tools are one
line each, thinking and notes one line with their beginning. `--full` unfolds everything.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.context_window import ContextWindow
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import label_note
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.text.formats import format_duration
from bough.model.tools.call_detail import OUTPUT_HEAD, OUTPUT_TAIL, count_hidden_lines
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.tools import INDENT, render_agent, render_agent_row, render_calls
from bough.terminal.style import Role, Span, StyledLine, line_of
from bough.terminal.text import lines_of, one_line


class MessageContext(Struct, frozen=True):
    """What messages are written with, beside what they say themselves.

    Agents and times are by call, those of workflows by the call they follow, how long thoughts
    took and how full the context was by message. `asker` is who asks: You, or Brief in an
    agent's own conversation.
    """

    canvas: Canvas
    agents: Mapping[str, AgentSummary] = {}
    workflow_agents: Mapping[str, Sequence[AgentSummary]] = {}
    times: Mapping[str, str] = {}
    thoughts: Mapping[str, Sequence[float | None]] = {}
    contexts: Mapping[str, ContextWindow] = {}
    cwd: str | None = None
    short: int = 4
    asker: str = "You"


def render_message(message: Message, setting: MessageContext) -> list[StyledLine]:
    """Write one message."""
    match message.kind:
        case kind if kind in PERSON_KINDS:
            return _render_prompt(message, setting)
        case "assistant":
            return _render_answer(message, setting)
        case "error" | "bad_line":
            return _render_failure(message, setting)
        case kind:
            return _render_notes(message.blocks, setting.canvas, kind)


def _render_prompt(message: Message, setting: MessageContext) -> list[StyledLine]:
    """Write what a person said, whole, and the output of a command below it."""
    canvas = setting.canvas
    time = canvas.time(message.timestamp)
    tag = {"queued": f", queued at {time}", "command": ", command", "shell": ", you ran it"}
    who = f"{canvas.glyphs.tip} {setting.asker}{tag.get(message.kind, '')}"
    left: list[Span] = [(Role.PROMPT, who)]
    if message.kind != "queued":
        left += [(Role.META, "  "), (Role.META, time)]
    short = (message.uuid or "")[: setting.short]
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
    return canvas.compose_prose(
        f"! {block.text}" if kind == "shell" else block.text, INDENT, Role.PROMPT
    )


def _render_answer(message: Message, setting: MessageContext) -> list[StyledLine]:
    """Write what Claude said and did, steps in rows and notes in a line."""
    canvas = setting.canvas
    who = [(Role.CLAUDE, f"{canvas.glyphs.node} Claude"), (Role.META, "  ")]
    lines = [canvas.compose_line([*who, (Role.META, canvas.time(message.timestamp))])]
    thoughts = iter(setting.thoughts.get(message.uuid or "", ()))
    for what, run in groupby(message.blocks, key=_classify_block):
        blocks = list(run)
        if what == "step":
            calls = [block for block in blocks if isinstance(block, ToolBlock)]
            lines += render_calls(calls, canvas, setting.times, setting.cwd)
        elif what == "note":
            lines += _render_notes(blocks, canvas, message.kind)
        else:
            for block in blocks:
                lines += _render_block(block, setting, thoughts)
        for block in blocks if setting.workflow_agents else ():
            if isinstance(block, ToolBlock):
                for agent in setting.workflow_agents.get(block.id, ()):
                    lines.append(render_agent_row(agent, canvas))
    return lines


def _classify_block(block: ContentBlock) -> str:
    """Sort blocks by how they are written: a step, a note, or something said."""
    if isinstance(block, ToolBlock):
        return "said" if is_agent(block) else "step"
    return "said" if block.type in ("text", "thinking", "redacted_thinking") else "note"


def _render_block(
    block: ContentBlock, setting: MessageContext, thoughts: Iterator[float | None]
) -> list[StyledLine]:
    match block:
        case ToolBlock():
            return render_agent(block, setting.agents.get(block.id), setting.canvas)
        case TextBlock(type="text"):
            return setting.canvas.compose_prose(block.text, INDENT)
        case TextBlock():
            return _render_thought(block, setting.canvas, next(thoughts, None))


def _render_thought(block: TextBlock, canvas: Canvas, seconds: float | None) -> list[StyledLine]:
    """Write the beginning of a thought, or why there is none."""
    took = f" {format_duration(seconds)}" if seconds else ""
    head = f"{canvas.glyphs.thought} Thought{took}"
    if block.type == "redacted_thinking":
        return [canvas.compose_line([(Role.THINKING, f"{head}, text withheld")], indent=INDENT)]
    if not block.text.strip():
        return [canvas.compose_line([(Role.THINKING, f"{head}, text not kept")], indent=INDENT)]
    if canvas.full:
        return canvas.compose_prose(f"{head}: {block.text.strip()}", INDENT, Role.THINKING)
    return [canvas.compose_line([(Role.THINKING, f"{head}: {block.text}")], indent=INDENT)]


def _render_failure(message: Message, setting: MessageContext) -> list[StyledLine]:
    """Write what went wrong, with its sign."""
    canvas = setting.canvas
    lines: list[StyledLine] = []
    for block in message.blocks:
        if isinstance(block, TextBlock) and block.type in ("error", "text"):
            lines += _mark_failure(block.text, canvas)
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


def render_note(block: ContentBlock, canvas: Canvas, kind: str = "") -> list[StyledLine]:
    """Write a note in one line; everything of it where all is unfolded."""
    if not isinstance(block, TextBlock):
        return render_calls([block], canvas, {}, None)
    if block.type == "error":
        return [canvas.compose_line([(Role.ERROR, block.text)], indent=INDENT)]
    text = label_note(block, kind)
    if canvas.full:
        return canvas.compose_prose(text, INDENT, Role.META)
    return [canvas.compose_line([(Role.META, text)], indent=INDENT)] if one_line(text) else []


def _shorten_output(text: str, canvas: Canvas) -> list[StyledLine]:
    """Show the beginning and the end of a long output."""
    lines = lines_of(text.strip("\n"))
    more = count_hidden_lines(len(lines))
    if more and not canvas.full and canvas.columns is not None:
        lines = [*lines[:OUTPUT_HEAD], f"({more:,} more lines)", *lines[-OUTPUT_TAIL:]]
    return canvas.compose_prose("\n".join(lines), INDENT, Role.META) if any(lines) else []
