"""Pieces as fragments: one element for each piece, hung on the rail."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from bough.export.html.agents import render_agent
from bough.export.html.dividers import render_compaction, render_side_branch
from bough.export.html.folds import render_button
from bough.export.html.images import render_picture
from bough.export.html.messages import (
    render_answer_text,
    render_prompt,
    render_thought,
    render_trouble,
)
from bough.export.html.notes import render_note, render_notes
from bough.export.html.render_context import RenderContext
from bough.export.html.steps import AnswerFacts, render_steps
from bough.export.markup.escape import escape_attribute, escape_html
from bough.export.pieces import PieceContent
from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.plan_files import PlanLink
from bough.model.conversation.steps import Step, StepRun, is_step
from bough.model.interpret.message_kinds import PERSON_KINDS, THOUGHT_TYPES
from bough.model.outline.branch_path import OutlineItem
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turn_summary import format_usage_cost, summarize_turn
from bough.model.outline.turns import Turn
from bough.model.text.formats import format_count, format_plural
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock

_DOT_KINDS: Final = PERSON_KINDS | {"answer", "side-branch"}
RenderAgent = Callable[[ToolBlock], str]
"""Gives the conversation of the agent that a call started."""


class PieceRenderer:
    """Renders the pieces of one conversation."""

    def __init__(
        self, context: RenderContext, items: Sequence[OutlineItem], inside: RenderAgent
    ) -> None:
        self._context = context
        self._items = items
        self._render_agent = inside
        # Pieces of one long message are mostly asked for one after the other.
        self._message: tuple[Message, AnswerFacts] | None = None

    def render(
        self,
        slot: PieceContent,
        *,
        first: bool,
        full: bool,
        name: str = "",
        day: date | None = None,
    ) -> str:
        """Render one piece; `name` is what the links of a document call it, `day` begins here."""
        tag = "section"
        match slot.item:
            case Compaction():
                key = self._context.scope + slot.info.key
                label = "Compaction"
                body = [
                    render_compaction(
                        slot.item, slot.message, self._context, self._items, key, full=full
                    )
                ]
            case Branch():
                label = "The active branch" if slot.item.active else "Another branch left here"
                body = [render_side_branch(slot.item, self._context)]
            case _:
                if slot.message is None:
                    return ""
                tag, label = "article", self._aria_label(slot, slot.message)
                body = self._render_body(slot, slot.message, full=full)
        named = f' id="{escape_attribute(name)}"' if name else ""
        about = f'{named} {self._data_attributes(slot)} aria-label="{escape_attribute(label)}"'
        has_dot = slot.head and slot.info.kind in _DOT_KINDS
        mark = '<span class="rail-dot" aria-hidden="true"></span>' if has_dot else ""
        looks = _css_classes(slot, first=first) + (" new-day" if day is not None else "")
        line = self._context.render_day(day) if day is not None else ""
        start = f'<{tag} class="{looks}"{about}>{line}{mark}'
        return "".join([start, *body, f"</{tag}>"])

    def _render_body(self, slot: PieceContent, message: Message, *, full: bool) -> list[str]:
        """Render what was said, in parts: an answer may be large."""
        kind = slot.info.kind
        own = self._context.scope + message.key
        if kind == "answer":
            return self._render_answer(slot, message, own, full=full)
        if kind in PERSON_KINDS:
            body = render_prompt(message, self._context, own, full=full)
        elif kind in ("error", "bad_line"):
            body = render_trouble(message, self._context, own, full=full)
        else:
            body = self._render_notes(message, own, full=full)
        return [body, self._render_strays(message, own, full=full)]

    def _data_attributes(self, slot: PieceContent) -> str:
        piece = slot.info
        uuid = f' data-uuid="{escape_attribute(piece.uuid)}"' if piece.uuid else ""
        return f'data-key="{escape_attribute(self._context.scope + piece.key)}"{uuid}'

    def _aria_label(self, slot: PieceContent, message: Message) -> str:
        """Name a piece for those who hear it: You, 14:38; Claude, 14:38, 5 steps, 1 failed."""
        kind = slot.info.kind
        who = {"answer": "Claude", "error": "Error", "bad_line": "A line that cannot be read"}
        name = who.get(kind) or (self._context.facts.asker if kind in PERSON_KINDS else "Note")
        facts = [name, self._context.format_clock(message.timestamp)]
        if kind in ("command", "queued"):
            facts.append(kind)
        if slot.ended_turn is not None:
            facts += [format_plural(slot.ended_turn.steps, "step")] if slot.ended_turn.steps else []
            facts += (
                [f"{format_count(slot.ended_turn.failed)} failed"] if slot.ended_turn.failed else []
            )
        return ", ".join(fact for fact in facts if fact)

    def _render_answer(
        self, slot: PieceContent, message: Message, key: str, *, full: bool
    ) -> list[str]:
        context = self._context
        out: list[str] = []
        if slot.head:
            time = context.clock(message.timestamp)
            out.append(f'<header class="who"><b>Claude</b>{time}</header>')
        facts = self._answer_facts(message)
        for part in slot.parts:
            if isinstance(part, StepRun):
                out.append(render_steps(part, context, key, facts, full=full))
                continue
            own, block = f"{key}~{part.number}", part.block
            if isinstance(block, ToolBlock):
                inside = _defer_render(self._render_agent, block)
                out.append(render_agent(block, context, own, inside, full=full))
            else:
                out.append(
                    self._render_words(block, own, facts.thoughts.get(part.number), full=full)
                )
        if slot.ended_turn is not None:
            out.append(self._render_summary(slot, message))
        return out

    def _render_words(
        self, block: TextBlock, key: str, seconds: float | None, *, full: bool
    ) -> str:
        if block.type in THOUGHT_TYPES:
            return render_thought(block, seconds, key, full=full)
        if block.type in ("text", "image", "document"):
            return render_answer_text(block, self._context)
        return render_note(block, "assistant", key, full=full)

    def _answer_facts(self, message: Message) -> AnswerFacts:
        # Fast path: export of one answer of 1,500 steps in pieces, 0.2 s instead of 4.3.
        if self._message is None or self._message[0] is not message:
            thoughts = self._context.facts.thought_durations(message)
            self._message = message, AnswerFacts(thoughts, _find_last_calls(message))
        return self._message[1]

    def _render_notes(self, message: Message, key: str, *, full: bool) -> str:
        lines = render_notes(list(enumerate(message.blocks)), message.kind, key, full=full)
        shown = [b for b in message.blocks if isinstance(b, TextBlock) and b.picture is not None]
        return lines + "".join(
            render_picture(block, self._context, message.blocks) for block in shown
        )

    def _render_strays(self, message: Message, key: str, *, full: bool) -> str:
        """Show results that came with something a person said, and whose calls are nowhere."""
        strays = [
            Step(number, block)
            for number, block in enumerate(message.blocks)
            if isinstance(block, ToolBlock)
        ]
        if not strays:
            return ""
        return render_steps(StepRun(tuple(strays)), self._context, key, AnswerFacts(), full=full)

    def _render_summary(self, slot: PieceContent, message: Message) -> str:
        if slot.ended_turn is None:
            return ""
        facts, answers = self._context.facts, slot.answers or [message]
        groups = summarize_turn(
            slot.ended_turn, answers, facts.context(message), facts.sum_up_thoughts(answers)
        )
        cost = self._render_cost(slot.ended_turn)
        words = "".join(f"<span>{cost.get(text, text)}</span>" for text in map(", ".join, groups))
        links = self._render_plan_links(slot.ended_turn)
        return f'{links}<footer class="foot">{words}</footer>' if words else links

    def _render_cost(self, turn: Turn) -> dict[str, str]:
        """Give the cost as it stands in the foot: in the app it says where it comes from."""
        words, context = format_usage_cost(turn.cost), self._context
        if not words or not turn.uuid or context.depth or context.options.session_url is None:
            return {}
        return {words: render_button("cost", words, at=turn.uuid)}

    def _render_plan_links(self, turn: Turn) -> str:
        """Lead from a turn to the session of a plan, or to what was built from it."""
        context = self._context
        address = context.options.session_url
        marks = context.facts.plan_marks.get(turn.key, ()) if address is not None else ()
        return "".join(
            f'<p class="plan-link"><a href="{escape_attribute(address(mark.session))}" dir="auto">'
            f"→ {escape_html(mark.words)}</a></p>"
            for mark in marks
            if isinstance(mark, PlanLink) and address is not None
        )


def _css_classes(slot: PieceContent, *, first: bool) -> str:
    looks = ["piece", slot.info.kind]
    if not slot.head:
        looks.append("cont")
    if not slot.last:
        looks.append("on")
    if slot.left:
        looks.append("left")
    if first:
        looks.append("first")
    return " ".join(looks)


def _defer_render(inside: RenderAgent, block: ToolBlock) -> Callable[[], str]:
    return lambda: inside(block)


def _find_last_calls(message: Message) -> frozenset[int]:
    """Find the last call of each tool in a message."""
    found: dict[str, int] = {}
    for number, block in enumerate(message.blocks):
        if isinstance(block, ToolBlock) and is_step(block) and not is_agent(block):
            found[block.name] = number
    return frozenset(found.values())
