"""Slots as fragments: one element for each piece, hung on the stem."""

from collections.abc import Callable, Sequence
from typing import Final

from bough.export.html.agents import agent_card
from bough.export.html.dividers import seam, twig
from bough.export.html.images import picture
from bough.export.html.messages import prompt, said, thought, trouble
from bough.export.html.notes import quiet_line, quiet_lines
from bough.export.html.render_context import Scene
from bough.export.html.steps import steps_block
from bough.export.markup.escape import attribute
from bough.export.pieces import Slot, turn_key
from bough.model.conversation.branch_path import Item
from bough.model.conversation.content import Words
from bough.model.conversation.exchange_summary import foot_words
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.steps import Run, Step, is_step
from bough.model.conversation.turns import Turn
from bough.model.text.formats import count, plural
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock

_ASKED: Final = frozenset({"prompt", "queued", "command", "shell"})
_KNOTS: Final = _ASKED | {"answer", "twig"}
_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking"})
Inside = Callable[[ToolBlock], str]
"""Gives the conversation of the agent that a call started."""


_OfTurn = tuple[dict[int, float | None], frozenset[int]]
"""How long the thoughts of a turn took, and the last call of each of its tools."""


class Renderer:
    """Renders the slots of one conversation."""

    def __init__(self, scene: Scene, items: Sequence[Item], inside: Inside) -> None:
        self._scene = scene
        self._items = items
        self._inside = inside
        # Pieces of one long turn are mostly asked for one after the other.
        self._turn: tuple[Turn, _OfTurn] | None = None

    def fragment(self, slot: Slot, *, first: bool, full: bool, name: str = "") -> str:
        """Render one piece; `name` is what the links of a document call it."""
        tag = "section"
        match slot.item:
            case Seam():
                key = self._scene.scope + slot.piece.key
                label = "Compaction"
                body = [seam(slot.item, slot.turn, self._scene, self._items, key, full=full)]
            case Branch():
                label = "The active branch" if slot.item.active else "You went another way here"
                body = [twig(slot.item, self._scene)]
            case _:
                if slot.turn is None:
                    return ""
                tag, label = "article", self._label(slot, slot.turn)
                body = self._body(slot, slot.turn, full=full)
        named = f' id="{attribute(name)}"' if name else ""
        about = f'{named} {self._data(slot)} aria-label="{attribute(label)}"'
        has_knot = slot.head and slot.piece.kind in _KNOTS
        knot = '<span class="knot" aria-hidden="true"></span>' if has_knot else ""
        start = f'<{tag} class="{_looks(slot, first=first)}"{about}>{knot}'
        return "".join([start, *body, f"</{tag}>"])

    def _body(self, slot: Slot, turn: Turn, *, full: bool) -> list[str]:
        """Render what was said, in parts: an answer may be large."""
        kind = slot.piece.kind
        own = self._scene.scope + turn_key(turn)
        if kind == "answer":
            return self._answer(slot, turn, own, full=full)
        if kind in _ASKED:
            body = prompt(turn, self._scene, own, full=full)
        elif kind in ("error", "bad_line"):
            body = trouble(turn, self._scene, own, full=full)
        else:
            body = self._quiet(turn, own, full=full)
        return [body, self._strays(turn, own, full=full)]

    def _data(self, slot: Slot) -> str:
        piece = slot.piece
        uuid = f' data-uuid="{attribute(piece.uuid)}"' if piece.uuid else ""
        return f'data-key="{attribute(self._scene.scope + piece.key)}"{uuid}'

    def _label(self, slot: Slot, turn: Turn) -> str:
        """Name a piece for those who hear it: You, 14:38; Claude, 14:38, 5 steps, 1 failed."""
        kind = slot.piece.kind
        who = {"answer": "Claude", "error": "Error", "bad_line": "A line that cannot be read"}
        name = who.get(kind) or (self._scene.asker if kind in _ASKED else "Note")
        facts = [name, self._scene.clock(turn.timestamp)]
        if kind in ("command", "queued"):
            facts.append(kind)
        if slot.foot is not None:
            facts += [plural(slot.foot.steps, "step")] if slot.foot.steps else []
            facts += [f"{count(slot.foot.failed)} failed"] if slot.foot.failed else []
        return ", ".join(fact for fact in facts if fact)

    def _answer(self, slot: Slot, turn: Turn, key: str, *, full: bool) -> list[str]:
        scene = self._scene
        scene.enter(turn)
        out: list[str] = []
        if slot.head:
            time = scene.time(turn.timestamp)
            out.append(f'<header class="who"><b>Claude</b>{time}</header>')
        thoughts, last = self._of_turn(turn)
        for part in slot.parts:
            if isinstance(part, Run):
                out.append(steps_block(part, scene, key, last, full=full))
                continue
            own, block = f"{key}~{part.number}", part.block
            if isinstance(block, ToolBlock):
                inside = _later(self._inside, block)
                out.append(agent_card(block, scene, own, inside, full=full))
            else:
                out.append(self._words(block, own, thoughts.get(part.number), full=full))
        if slot.foot is not None:
            out.append(self._foot(slot, turn))
        return out

    def _words(self, block: Words, key: str, seconds: float | None, *, full: bool) -> str:
        if block.type in _THOUGHTS:
            return thought(block, seconds, key, full=full)
        if block.type in ("text", "image", "document"):
            return said(block, self._scene)
        return quiet_line(block, "assistant", key, full=full)

    def _of_turn(self, turn: Turn) -> _OfTurn:
        if self._turn is None or self._turn[0] is not turn:
            self._turn = turn, (self._thoughts(turn), _last_of_kind(turn))
        return self._turn[1]

    def _thoughts(self, turn: Turn) -> dict[int, float | None]:
        """Give how long each thought of a turn took, by its place among the blocks."""
        numbers = [n for n, b in enumerate(turn.blocks) if b.type in _THOUGHTS]
        if not numbers:
            return {}
        return dict(zip(numbers, self._scene.thoughts(turn), strict=False))

    def _quiet(self, turn: Turn, key: str, *, full: bool) -> str:
        lines = quiet_lines(list(enumerate(turn.blocks)), turn.kind, key, full=full)
        shown = [b for b in turn.blocks if isinstance(b, Words) and b.picture is not None]
        return lines + "".join(picture(block, self._scene, turn.blocks) for block in shown)

    def _strays(self, turn: Turn, key: str, *, full: bool) -> str:
        """Show results that came with something a person said, and whose calls are nowhere."""
        strays = [
            Step(number, block)
            for number, block in enumerate(turn.blocks)
            if isinstance(block, ToolBlock)
        ]
        if not strays:
            return ""
        return steps_block(Run(tuple(strays)), self._scene, key, frozenset(), full=full)

    def _foot(self, slot: Slot, turn: Turn) -> str:
        if slot.foot is None:
            return ""
        groups = foot_words(slot.foot, slot.answers or [turn], self._scene.context(turn))
        words = "".join(f"<span>{', '.join(group)}</span>" for group in groups)
        return f'<footer class="foot">{words}</footer>' if words else ""


def _looks(slot: Slot, *, first: bool) -> str:
    looks = ["piece", slot.piece.kind]
    if not slot.head:
        looks.append("cont")
    if not slot.last:
        looks.append("on")
    if slot.left:
        looks.append("left")
    if first:
        looks.append("first")
    return " ".join(looks)


def _later(inside: Inside, block: ToolBlock) -> Callable[[], str]:
    return lambda: inside(block)


def _last_of_kind(turn: Turn) -> frozenset[int]:
    """Find the last call of each tool in a turn."""
    found: dict[str, int] = {}
    for number, block in enumerate(turn.blocks):
        if isinstance(block, ToolBlock) and is_step(block) and not is_agent(block):
            found[block.name] = number
    return frozenset(found.values())
