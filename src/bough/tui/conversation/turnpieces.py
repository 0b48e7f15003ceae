"""Turns in lines: what was said, thought and noted; long texts are cut until opened."""

from typing import Final

from msgspec.structs import replace

from bough.model.conversation.turns import Turn, Words
from bough.model.tools.calls import ToolBlock
from bough.tui.style.style import Setting, turn_lines

_LONGEST: Final = 12_000
"""So many characters of a text are shown before somebody opens it."""
_LONGEST_LINE: Final = 200_000


def long_words(block: ToolBlock | Words, *, whole: bool) -> ToolBlock | Words:
    """Cut a very long text, and say how much is left."""
    if isinstance(block, ToolBlock) or whole or len(block.text) <= _LONGEST:
        return block
    more = len(block.text) - _LONGEST
    return replace(block, text=f"{block.text[:_LONGEST]}\n… {more:,} more characters: l")


def spoken_lines(turn: Turn, setting: Setting) -> list[str]:
    """Write what a person said."""
    whole = setting.sheet.full
    blocks = [long_words(block, whole=whole) for block in turn.blocks]
    return turn_lines(replace(turn, blocks=blocks), setting)


def whole_lines(turn: Turn, setting: Setting) -> list[str]:
    """Write any other turn."""
    return turn_lines(turn, setting)


def thought_lines(turn: Turn, setting: Setting, seconds: float | None) -> list[str]:
    """Write a thought: how long it took and its beginning, or all of it."""
    timed = replace(setting, thoughts={turn.uuid or "": [seconds]})
    return turn_lines(turn, timed)[1:]
