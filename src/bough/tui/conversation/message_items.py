"""The lines of messages, steps, compactions and side branches, put on the rail.

The rail is the one line that runs through a conversation, and what leaves it sideways.

Messages in lines: what was said, thought and noted; long texts are cut until opened.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final

from msgspec.structs import replace

from bough.model.conversation.long_prompts import count_prompt_lines, split_long_prompt
from bough.model.conversation.messages import ContentBlock, Message
from bough.model.conversation.plan_files import PlanFile, PlanLink
from bough.model.interpret.message_kinds import BlockType
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turns import Turn
from bough.model.text.formats import format_plural
from bough.model.tools.calls import ToolBlock
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.messages import (
    MessageContext,
    render_block,
    render_message,
    render_plan_mark,
    render_summary_line,
)
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.text import clean, wrap
from bough.tui.conversation.tool_items import render_compaction, render_side_branch

_INDENT: Final = "  "


class Rail:
    """Hangs lines on the stem; an agent's own stem stands further in."""

    def __init__(self, glyphs: Glyphs, role: Role, depth: int = 0) -> None:
        self._glyphs = glyphs
        self._role = Role.AGENT if depth else role
        self._lead: tuple[Span, ...] = ((role, f"{glyphs.bar} "),) * min(depth, 6)
        self.indent = 2 * min(depth, 6)

    def add_rail(self, lines: Iterable[StyledLine]) -> list[StyledLine]:
        """Put the stem where lines are indented; an agent's sign leaves it."""
        return [(*self._lead, *self._attach_line(line)) for line in lines]

    def add_indent(self, lines: Iterable[StyledLine]) -> list[StyledLine]:
        """Set lines that draw their own stem."""
        return [(*self._lead, *line) for line in lines]

    def _attach_line(self, line: Sequence[Span]) -> StyledLine:
        glyphs = self._glyphs
        if not line:
            return ((self._role, glyphs.bar),)
        role, text = line[0]
        if not text.startswith(_INDENT):
            return tuple(line)  # the line says who speaks: it is a dot on the stem
        rest = text[len(_INDENT) :]
        leaves = rest == glyphs.agent or rest.startswith(f"{glyphs.agent} ")
        stem = f"{glyphs.tee}{glyphs.dash}" if leaves else f"{glyphs.bar} "
        return ((self._role, stem), (role, rest), *line[1:])


_LONGEST: Final = 12_000
"""So many characters of a text are shown before somebody opens it."""
_LONGEST_OPEN: Final = 500_000
"""And so many once it is open: no key waits for more lines. The pager has all of it."""


def truncate_block(block: ContentBlock, *, whole: bool) -> ContentBlock:
    """Cut a very long text, and say how much is left, and which key shows more."""
    longest, key = (_LONGEST_OPEN, "v") if whole else (_LONGEST, "l")
    if isinstance(block, ToolBlock) or len(block.text) <= longest:
        return block
    more = len(block.text) - longest
    return replace(block, text=f"{block.text[:longest]}\n… {more:,} more characters: {key}")


def render_prompt(message: Message, context: MessageContext) -> list[StyledLine]:
    """Write what a person said."""
    whole = context.canvas.full
    blocks = [
        truncate_block(block if whole else _fold_prompt(block), whole=whole)
        for block in message.blocks
    ]
    return render_message(replace(message, blocks=blocks), context)


def _fold_prompt(block: ContentBlock) -> ContentBlock:
    """Cut a long pasted prompt, and say how to see all of it."""
    if isinstance(block, ToolBlock) or block.type is not BlockType.TEXT:
        return block
    shown, rest = split_long_prompt(block.text)
    if not rest:
        return block
    lines = format_plural(count_prompt_lines(block.text), "line")
    return replace(block, text=f"{shown}\n… show all {lines}: l")


MessageWriter = Callable[[Message, MessageContext], list[StyledLine]]
"""Gives the lines of a message as the command line writes them."""


class RailRenderer:
    """Hangs lines on the stem of one conversation."""

    def __init__(self, context: MessageContext, rail: Rail) -> None:
        self.context = context
        self.rail = rail

    def message(
        self, write: MessageWriter, message: Message, full: bool, columns: int
    ) -> list[StyledLine]:
        """Hang a message, folded or in full."""
        context = replace(self.context, canvas=self._make_canvas(columns, full=full))
        return self.rail.add_rail(write(message, context))

    def block(
        self, block: ContentBlock, seconds: float | None, full: bool, indent: int, columns: int
    ) -> list[StyledLine]:
        """Hang one block of an answer; `seconds` is how long a thought took."""
        context = replace(self.context, canvas=self._make_canvas(columns, full=full))
        return self.rail.add_rail(render_block(block, context, seconds, indent))

    def rows(self, write: Callable[[Canvas], list[StyledLine]], columns: int) -> list[StyledLine]:
        """Hang steps or an agent."""
        return self.rail.add_rail(write(self._make_canvas(columns)))

    def summary(self, turn: Turn, answers: Sequence[Message], columns: int) -> list[StyledLine]:
        """Hang what a turn took, and a blank line under it."""
        context = replace(self.context, canvas=self._make_canvas(columns))
        return [
            *self.rail.add_rail(render_summary_line(turn, answers, context)),
            *self.rail.add_rail([()]),
        ]

    def plan_mark(self, mark: PlanLink | PlanFile, columns: int) -> list[StyledLine]:
        """Hang what leads to a plan, or to what was built from it."""
        context = replace(self.context, canvas=self._make_canvas(columns))
        return self.rail.add_rail([render_plan_mark(mark, context)])

    def annotation(self, words: str, columns: int) -> list[StyledLine]:
        """Hang what a person said of a message: its star, its note."""
        lines = wrap(clean(words), max(20, columns - self.rail.indent - 2 * len(_INDENT)))
        return self.rail.add_rail([((Role.WAITING, f"{_INDENT}{line}"),) for line in lines])

    def day(self, day: date, columns: int) -> list[StyledLine]:
        """Hang the line with which a day begins."""
        canvas = self._make_canvas(columns)
        return self.rail.add_rail([canvas.compose_day(day), ()])

    def compaction(
        self, compaction: Compaction, messages: Sequence[Message], full: bool, columns: int
    ) -> list[StyledLine]:
        """Draw a compaction."""
        return self.rail.add_indent(
            render_compaction(compaction, messages, self._make_canvas(columns, full=full))
        )

    def side_branch(self, branch: Branch, columns: int) -> list[StyledLine]:
        """Draw where another branch leaves."""
        return self.rail.add_indent(render_side_branch(branch, self._make_canvas(columns)))

    def _make_canvas(self, columns: int, *, full: bool = False) -> Canvas:
        return replace(self.context.canvas, columns=columns - self.rail.indent, full=full)
