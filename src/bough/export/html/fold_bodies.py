"""The body of a fold, found again by its key.

A key names a message, the place of a block in it, and which fold of that block is meant:
`uuid~4` a step or a thought, `uuid~4+` steps that were left out, `uuid~4/more` the middle of
an output, `uuid/compaction~kept` a panel of a compaction.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bough.errors import NotFound
from bough.export.html.agents import render_brief, render_whole_answer
from bough.export.html.dividers import render_dropped_panel, render_kept_panel
from bough.export.html.messages import render_rest, render_thought_body
from bough.export.html.notes import render_note_body
from bough.export.html.render_context import RenderContext
from bough.export.html.steps import AnswerFacts, render_hidden_steps, render_step_body
from bough.export.html.tools.tool_output import render_middle_lines
from bough.export.html.tools.views import render_middle
from bough.export.pieces import PieceContent
from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.steps import StepRun, split_into_parts
from bough.model.outline.branch_path import OutlineItem
from bough.model.outline.session_outline import Compaction
from bough.model.tools.calls import ToolBlock

_CALL_BODIES: Final[Mapping[str, Callable[[ToolBlock], str]]] = {
    "/answer": render_whole_answer,
    "/brief": render_brief,
    "/more": render_middle,
}


class FoldBodies:
    """Finds and renders the bodies of one conversation's folds."""

    def __init__(
        self,
        context: RenderContext,
        items: Sequence[OutlineItem],
        messages: Mapping[str, Message],
        compactions: Mapping[str, PieceContent],
    ) -> None:
        self._context = context
        self._items = items
        self._messages = messages
        self._compactions = compactions

    def body(self, key: str) -> str:
        """Render a body."""
        owner, _, place = key.rpartition("~")
        if owner in self._compactions:
            return self._render_panel(self._compactions[owner], place, key)
        message = self._messages.get(owner)
        digits, which = _split_place(place)
        if message is None or not digits or int(digits) >= len(message.blocks):
            raise _no_such_fold(key)
        own = f"{self._context.scope}{owner}"
        number = int(digits)
        if which == "+":
            return self._render_hidden_rows(message, number, own)
        block = message.blocks[number]
        if isinstance(block, TextBlock):
            return _render_words(block, message.kind, which)
        if (show := _CALL_BODIES.get(which)) is not None:
            return show(block)
        return render_step_body(block, self._context, f"{own}~{number}", full=False)

    def _render_hidden_rows(self, message: Message, number: int, key: str) -> str:
        for part in split_into_parts(message.blocks):
            if isinstance(part, StepRun) and any(row.number == number for row in part.rows):
                facts = AnswerFacts(self._context.facts.thought_durations(message))
                return render_hidden_steps(part, number, self._context, key, facts)
        raise _no_such_fold(f"{key}~{number}+")

    def _render_panel(self, slot: PieceContent, place: str, key: str) -> str:
        if place == "kept":
            return render_kept_panel(slot.message)
        if place == "dropped" and isinstance(slot.item, Compaction):
            return render_dropped_panel(slot.item, self._items, self._context)
        raise _no_such_fold(key)


def _render_words(block: TextBlock, kind: str, which: str) -> str:
    if which == "/more":
        return render_middle_lines(block.text) if block.type == "output" else render_rest(block)
    if block.type == "thinking":
        return render_thought_body(block)
    return render_note_body(block, kind)


def _split_place(place: str) -> tuple[str, str]:
    """Part a place into the number of a block and what of it is meant."""
    digits = place[: len(place) - len(place.lstrip("0123456789"))]
    return digits, place[len(digits) :]


def _no_such_fold(key: str) -> NotFound:
    return NotFound(f"No fold here is called {key}. The conversation may have changed; reload it.")
