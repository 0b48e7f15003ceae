"""A conversation as Markdown: readable on a page that renders it, and as the text it is.

Who speaks is a heading, the words follow as they were written. Thoughts, notes and what
tools were given and gave back are folded under a line that says how it ended, so that the
document reads as the talk it was. An agent is a section, its own conversation one fold away.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.export.document_options import ExportOptions
from bough.export.markdown.fences import (
    escape_inline,
    escape_markdown,
    fence_code,
    make_details,
    quote_text,
)
from bough.export.markdown.tools import write_input, write_result
from bough.export.pieces import PieceContent
from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import INTERRUPTED, is_interrupt, label_note, skill_of
from bough.model.conversation.steps import (
    FAILED_STATES,
    RunRow,
    Step,
    StepRun,
    describe_hidden_rows,
    group_rows,
)
from bough.model.interpret.api_errors import phrase_api_error
from bough.model.interpret.message_kinds import PERSON_KINDS, THOUGHT_TYPES
from bough.model.outline.branch_path import (
    describe_compaction,
    describe_trigger,
    explain_why_left,
    format_branch_length,
    name_branch,
)
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turn_summary import format_usage_cost, summarize_turn
from bough.model.text.formats import format_duration, format_plural, format_size
from bough.model.tools.call_row import CallState, ToolView
from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import ToolBlock

if TYPE_CHECKING:
    from bough.export.html.conversation_view import ConversationView

_SIGNS: Final = {CallState.OK: "✓", CallState.OPEN: "…", CallState.STOPPED: "-"}
_LINE: Final = 160
_DEEPEST: Final = 6
_ARROW: Final = "\N{RIGHTWARDS ARROW}"
_EVERYTHING: Final = ExportOptions()


class MarkdownWriter(Struct, frozen=True):
    """Writes the pieces of one conversation; `level` is that of its headings."""

    view: "ConversationView"
    include: ExportOptions = _EVERYTHING
    level: int = 2

    def write_pieces(self) -> Iterator[str]:
        """Write every piece, in order."""
        for slot in self.view.contents:
            text = "\n\n".join(self.piece(slot))
            if text:
                yield text

    def piece(self, slot: PieceContent) -> Iterator[str]:
        """Write one piece, paragraph by paragraph."""
        message = slot.message
        match slot.item:
            case Compaction():
                yield from self._write_compaction(slot.item, message)
                return
            case Branch():
                yield self._write_side_branch(slot.item)
                return
            case _:
                pass
        if message is None:
            return
        if slot.info.kind == "answer":
            yield from self._write_answer(slot, message)
        elif slot.info.kind in PERSON_KINDS:
            yield from self._write_prompt(message)
        elif slot.info.kind in ("error", "bad_line"):
            yield from self._write_trouble(message)
        else:
            yield from self._write_notes(message.blocks, message.kind)

    # -- who said what ------------------------------------------------------------------------

    def _heading(self, who: str, *facts: str) -> str:
        words = ", ".join(fact for fact in (who, *facts) if fact)
        return f"{'#' * min(self.level, _DEEPEST)} {words}"

    def _write_prompt(self, message: Message) -> Iterator[str]:
        time = self.view.render_context.format_clock(message.timestamp)
        tags = {"queued": f"queued at {time}", "command": "command", "shell": "you ran it"}
        facts = [tags["queued"]] if message.kind == "queued" else [time, tags.get(message.kind, "")]
        yield self._heading(self.view.render_context.facts.asker, *facts)
        for block in message.blocks:
            match block:
                case TextBlock(type="text") if message.kind == "shell":
                    yield fence_code(f"! {block.text}", "sh")
                case TextBlock(type="text"):
                    yield escape_markdown(block.text)
                case TextBlock(type="output") if block.text.strip():
                    yield fence_code(block.text, "text")
                case _:
                    yield from self._write_notes([block], message.kind)

    def _write_answer(self, slot: PieceContent, message: Message) -> Iterator[str]:
        if slot.head:
            yield self._heading("Claude", self.view.render_context.format_clock(message.timestamp))
        thoughts = self.view.render_context.facts.thought_durations(message)
        for part in slot.parts:
            if isinstance(part, StepRun):
                yield from self._write_run(part, thoughts)
                continue
            match part.block:
                case ToolBlock() as block:
                    yield from self._write_agent(block)
                case TextBlock(type=kind) as block if kind in THOUGHT_TYPES:
                    yield _write_thought(block, thoughts.get(part.number))
                case TextBlock(type="text") as block:
                    yield escape_markdown(block.text)
                case block:
                    yield from self._write_notes([block], message.kind)
        if slot.ended_turn is not None:
            context = self.view.render_context.facts.context(message)
            answers = slot.answers or [message]
            total = self.view.render_context.facts.sum_up_thoughts(answers)
            groups = summarize_turn(slot.ended_turn, answers, context, total)
            if groups:
                yield f"*{', '.join(word for group in groups for word in group)}*"

    def _write_notes(self, blocks: list[ContentBlock], kind: str) -> Iterator[str]:
        for block in blocks:
            if isinstance(block, ToolBlock):
                yield from self._write_step(Step(0, block))
            elif block.picture is not None:
                yield f"*{escape_inline(block.text)}, {format_size(block.picture.size)}*"
            elif block.type == "error":
                yield f"**✗ {escape_inline(block.text)}**"
            elif is_interrupt(block):
                yield f"*{INTERRUPTED}*"
            else:
                yield from _write_note(block, kind)

    def _write_trouble(self, message: Message) -> Iterator[str]:
        for block in message.blocks:
            match block:
                case TextBlock(type="error" | "text"):
                    yield f"**✗ {escape_inline(phrase_api_error(block.text))}**"
                case TextBlock(type="raw") if block.text.strip():
                    yield fence_code(block.text, "text")
                case _:
                    yield from self._write_notes([block], message.kind)

    # -- steps and agents ---------------------------------------------------------------------

    def _write_run(self, run: StepRun, thoughts: Mapping[int, float | None]) -> Iterator[str]:
        """Write the rows of a block of steps; the middle of a long one is folded."""
        known = self.view.render_context.facts
        views = {step.number: known.view_call(step.block) for step in run.steps}
        for group in group_rows(run, views):
            lines = [text for row in group.rows for text in self._write_row(row, thoughts)]
            if group.is_hidden:
                yield make_details(describe_hidden_rows(group.rows), "\n\n".join(lines))
            else:
                yield from lines

    def _write_row(self, row: RunRow, thoughts: Mapping[int, float | None]) -> Iterator[str]:
        if isinstance(row, Step):
            yield from self._write_step(row)
            return
        if row.is_thought:
            yield _write_thought(row.block, thoughts.get(row.number))
        else:
            yield escape_markdown(row.block.text)
        yield from self._write_notes([words for _, words in row.notes], "")

    def _write_step(self, step: Step) -> Iterator[str]:
        block = step.block
        view = self.view.render_context.facts.view_call(block)
        body = write_input(block)
        if block.result is not None and self.include.results:
            body += write_result(block.result, self.view.render_context.read_output(block.result))
        line = format_step(view)
        yield make_details(line, "\n\n".join(body)) if body else f"- {escape_inline(line)}"
        if view.outcome.reason:
            yield f"> {escape_inline(view.outcome.reason)}"
        yield from self._write_notes([words for _, words in step.notes], "")

    def _write_agent(self, block: ToolBlock) -> Iterator[str]:
        """Write what an agent was sent for, its answer, and its own conversation."""
        known = self.view.render_context.facts
        sent = known.agents.get(block.id)
        view = known.view_call(block)
        given = block.input if isinstance(block.input, dict) else {}
        kind = find_text(given, "subagent_type")
        task = find_text(given, "description", "name") or view.summary
        facts: list[str] = []
        if sent is not None:
            facts.append(format_plural(sent.steps, "step") if sent.steps is not None else "")
            facts.append(format_duration(sent.seconds) if sent.seconds else "")
            facts.append(format_usage_cost(sent.cost))
        head = f"{f'{kind} agent' if kind else 'Agent'}: {task}"
        words = ", ".join(fact for fact in facts if fact)
        end = f" ({words})" if words else ""
        marks = "#" * min(self.level + 1, _DEEPEST)
        yield f"{marks} ◆ {escape_inline(head)}{end} {_outcome_sign(view)}"
        text = block.result.text.strip() if block.result is not None else ""
        if text and self.include.results:
            yield quote_text(escape_markdown(text))
        inside = self._write_agent_conversation(block, sent.id if sent is not None else None)
        brief = find_text(given, "prompt")
        if inside:
            steps = (
                format_plural(sent.steps, "step")
                if sent is not None and sent.steps
                else "conversation"
            )
            yield make_details(f"Its {steps}", inside)
        elif brief:
            yield make_details("Its brief", quote_text(escape_markdown(brief)))

    def _write_agent_conversation(self, block: ToolBlock, name: str | None) -> str:
        """Write an agent's own conversation; nothing where it is not kept or not wanted."""
        name = block.agent or name
        known = name is not None and any(a.id == name for a in self.view.session.agents)
        if name is None or not known or not self.include.agents:
            return ""
        inner = MarkdownWriter(self.view.agent(name), self.include, self.level + 2)
        return "\n\n".join(inner.write_pieces())

    # -- compactions and side branches -------------------------------------------------------

    def _write_compaction(self, compaction: Compaction, message: Message | None) -> Iterator[str]:
        words = describe_compaction(compaction, _ARROW, describe_trigger(compaction))
        time = self.view.render_context.format_clock(compaction.timestamp)
        yield "---"
        yield f"**{words}**" + (f" {time}" if time else "")
        for block in message.blocks if message is not None else ():
            if isinstance(block, TextBlock) and block.text.strip():
                if block.type == "summary":
                    yield make_details(
                        "What was kept: the summary", quote_text(escape_markdown(block.text))
                    )
                else:
                    yield quote_text(escape_markdown(block.text))
        yield "---"

    def _write_side_branch(self, branch: Branch) -> str:
        why, at = explain_why_left(branch)
        left = f"{why} {self.view.render_context.format_clock(at)}".strip()
        facts = ", ".join(word for word in (format_branch_length(branch), left) if word)
        words = escape_inline(name_branch(branch)) or "without words"
        path = "The active branch goes on here" if branch.active else "Another branch left here"
        return f"> *{path}:* {words} ({facts})"


def write_piece(view: "ConversationView", number: int) -> str:
    """Give one piece of a conversation as Markdown."""
    return "\n\n".join(MarkdownWriter(view).piece(view.contents[number]))


def format_step(view: ToolView) -> str:
    """Write a call in one line: its name, what it is about, how it ended, how long it took."""
    seconds = format_duration(view.seconds) if view.seconds is not None else ""
    facts = ", ".join(fact for fact in (view.outcome.text, seconds) if fact)
    end = f" ({facts})" if facts else ""
    return f"{view.label} {view.summary}".rstrip() + f"{end} {_outcome_sign(view)}"


def _outcome_sign(view: ToolView) -> str:
    return "✗" if view.outcome.state in FAILED_STATES else _SIGNS.get(view.outcome.state, "✗")


def _write_thought(block: TextBlock, seconds: float | None) -> str:
    head = f"Thought for {format_duration(seconds)}" if seconds else "Thought"
    return make_details(head, quote_text(escape_markdown(block.text)))


def _write_note(block: TextBlock, kind: str) -> Iterator[str]:
    """Write a note in a line; a long one is folded under its first."""
    words = label_note(block, kind).strip()
    if not words:
        return
    skill = skill_of(block)
    head, _, rest = words.partition("\n")
    if skill is not None:
        yield make_details(f"Instructions of /{skill}", quote_text(escape_markdown(block.text)))
    elif rest.strip() or len(head) > _LINE:
        whole = len(head) <= _LINE
        short = head if whole else head[: _LINE - 1].rstrip() + "…"
        yield make_details(short, fence_code(rest if whole else block.text, "text"))
    else:
        yield f"*{escape_inline(head)}*"
