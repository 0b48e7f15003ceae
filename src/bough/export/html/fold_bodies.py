"""The body of a fold, found again by its key.

A key names a turn, the place of a block in it, and which fold of that block is meant:
`uuid~4` a step or a thought, `uuid~4+` steps that were left out, `uuid~4/more` the middle of
an output, `uuid/seam~kept` a panel of a seam.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bough.errors import NotFound
from bough.export.html.agents import brief, rest_of_answer
from bough.export.html.dividers import dropped_panel, kept_panel
from bough.export.html.messages import rest_of, thinking
from bough.export.html.notes import note_body
from bough.export.html.render_context import Scene
from bough.export.html.steps import hidden_rows, step_body
from bough.export.html.tools.tool_output import more_lines
from bough.export.html.tools.views import more_of
from bough.export.pieces import Slot
from bough.model.conversation.branch_path import Item
from bough.model.conversation.content import Words
from bough.model.conversation.outline import Seam
from bough.model.conversation.steps import Run, parts_of
from bough.model.conversation.turns import Turn
from bough.model.tools.calls import ToolBlock

_OF_CALLS: Final[Mapping[str, Callable[[ToolBlock], str]]] = {
    "/answer": rest_of_answer,
    "/brief": brief,
    "/more": more_of,
}


class Bodies:
    """Finds and renders the bodies of one conversation's folds."""

    def __init__(
        self,
        scene: Scene,
        items: Sequence[Item],
        turns: Mapping[str, Turn],
        seams: Mapping[str, Slot],
    ) -> None:
        self._scene = scene
        self._items = items
        self._turns = turns
        self._seams = seams

    def body(self, key: str) -> str:
        """Render a body."""
        owner, _, place = key.rpartition("~")
        if owner in self._seams:
            return self._panel(self._seams[owner], place, key)
        turn = self._turns.get(owner)
        digits, which = _parted(place)
        if turn is None or not digits or int(digits) >= len(turn.blocks):
            raise _none(key)
        self._scene.enter(turn)
        own = f"{self._scene.scope}{owner}"
        number = int(digits)
        if which == "+":
            return self._rows(turn, number, own)
        block = turn.blocks[number]
        if isinstance(block, Words):
            return _words(block, turn.kind, which)
        if (show := _OF_CALLS.get(which)) is not None:
            return show(block)
        return step_body(block, self._scene, f"{own}~{number}", full=False)

    def _rows(self, turn: Turn, number: int, key: str) -> str:
        for part in parts_of(turn.blocks):
            if isinstance(part, Run) and any(step.number == number for step in part.steps):
                return hidden_rows(part, number, self._scene, key, full=False)
        raise _none(f"{key}~{number}+")

    def _panel(self, slot: Slot, place: str, key: str) -> str:
        if place == "kept":
            return kept_panel(slot.turn)
        if place == "dropped" and isinstance(slot.item, Seam):
            return dropped_panel(slot.item, self._items, self._scene)
        raise _none(key)


def _words(block: Words, kind: str, which: str) -> str:
    if which == "/more":
        return more_lines(block.text) if block.type == "output" else rest_of(block)
    if block.type == "thinking":
        return thinking(block)
    return note_body(block, kind)


def _parted(place: str) -> tuple[str, str]:
    """Part a place into the number of a block and what of it is meant."""
    digits = place[: len(place) - len(place.lstrip("0123456789"))]
    return digits, place[len(digits) :]


def _none(key: str) -> NotFound:
    return NotFound(f"No fold here is called {key}. The conversation may have changed; reload it.")
