"""What fills the model's window: a guess by the length of what was said since the last seam.

The files say how many tokens a request had, not what they were. Words are taken at four
characters to a token, which is near enough for a bar; what is left over was there before
anybody spoke: the system prompt, descriptions of tools, memory files.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bough.model.conversation.blocktext import block_text
from bough.model.conversation.turns import Turn
from bough.model.tools.calls import ToolBlock

_CHARACTERS = 4
_ASKED = frozenset(("prompt", "queued", "command", "shell"))


class Share(Struct, frozen=True):
    """A part of the window, in tokens."""

    name: str
    tokens: int


def filling(turns: Sequence[Turn], tokens: int) -> list[Share]:
    """Tell what a request of so many tokens was made of, the largest part first."""
    seams = [number for number, turn in enumerate(turns) if turn.kind == "compaction"]
    parts = {"Tool results": 0, "Tool calls": 0, "Claude": 0, "You": 0, "Notes": 0}
    for turn in turns[seams[-1] if seams else 0 :]:
        for block in turn.blocks:
            if isinstance(block, ToolBlock):
                parts["Tool results"] += len(block.result.text) if block.result else 0
                parts["Tool calls"] += len(msgspec.json.encode(block.input))
            elif block.type not in ("thinking", "redacted_thinking"):
                parts[_whose(turn)] += len(block_text(block))
    found = {name: number // _CHARACTERS for name, number in parts.items()}
    total = sum(found.values())
    if total > tokens:
        found = {name: number * tokens // total for name, number in found.items()}
    shares = sorted(found.items(), key=lambda part: -part[1])
    rest = tokens - sum(found.values())
    return [
        Share(name, number)
        for name, number in (*shares, ("Set-up", rest))
        if number >= max(1, tokens // 200)
    ]


def _whose(turn: Turn) -> str:
    if turn.kind == "assistant":
        return "Claude"
    return "You" if turn.kind in _ASKED else "Notes"
