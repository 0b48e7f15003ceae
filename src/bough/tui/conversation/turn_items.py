"""What is said, put on the stem: the lines of turns, steps, seams and twigs in some columns.

The stem: the one line that runs through a conversation, and what leaves it sideways.

Turns in lines: what was said, thought and noted; long texts are cut until opened.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from bough.model.conversation.branch_path import left_at, left_because
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.turns import Turn, Words
from bough.model.tools.calls import ToolBlock
from bough.tui.conversation.tool_items import seam_lines, twig_lines
from bough.tui.style.style import (
    Glyphs,
    Line,
    Role,
    Setting,
    Sheet,
    Span,
    foot,
    spans_of,
    turn_lines,
)

_INDENT: Final = "  "


class Stem:
    """Hangs lines on the stem; an agent's own stem stands further in."""

    def __init__(self, glyphs: Glyphs, role: Role, depth: int = 0) -> None:
        self._glyphs = glyphs
        self._role = Role.AGENT if depth else role
        self._lead: tuple[Span, ...] = ((role, f"{glyphs.bar} "),) * min(depth, 6)
        self.indent = 2 * min(depth, 6)

    def hung(self, lines: Iterable[Line]) -> list[Line]:
        """Put the stem where lines are indented; an agent's sign leaves it."""
        return [(*self._lead, *self._one(line)) for line in lines]

    def bare(self, lines: Iterable[Line]) -> list[Line]:
        """Set lines that draw their own stem."""
        return [(*self._lead, *line) for line in lines]

    def _one(self, line: Sequence[Span]) -> Line:
        glyphs = self._glyphs
        if not line:
            return ((self._role, glyphs.bar),)
        role, text = line[0]
        if not text.startswith(_INDENT):
            return tuple(line)  # the line says who speaks: it is a knot on the stem
        rest = text[len(_INDENT) :]
        leaves = rest == glyphs.agent or rest.startswith(f"{glyphs.agent} ")
        stem = f"{glyphs.tee}{glyphs.dash}" if leaves else f"{glyphs.bar} "
        return ((self._role, stem), (role, rest), *line[1:])


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


Write = Callable[[Turn, Setting], list[str]]
"""Gives the lines of a turn as the command line writes them."""


class Hanging:
    """Hangs lines on the stem of one conversation."""

    def __init__(self, setting: Setting, stem: Stem) -> None:
        self.setting = setting
        self.stem = stem

    def turn(self, write: Write, turn: Turn, full: bool, columns: int) -> list[Line]:
        """Hang a turn, folded or in full."""
        setting = replace(self.setting, sheet=self._sheet(columns, full=full))
        return self._hung(write(turn, setting))

    def block(self, turn: Turn, full: bool, columns: int) -> list[Line]:
        """Hang one block of an answer, without the line that says whose it is."""
        return self.turn(lambda t, s: whole_lines(t, s)[1:], turn, full, columns)

    def thought(self, turn: Turn, seconds: float | None, full: bool, columns: int) -> list[Line]:
        """Hang a thought."""
        return self.turn(lambda t, s: thought_lines(t, s, seconds), turn, full, columns)

    def rows(self, write: Callable[[Sheet], list[Line]], columns: int) -> list[Line]:
        """Hang steps or an agent."""
        return self.stem.hung(write(self._sheet(columns)))

    def foot(self, item: Exchange, turns: Sequence[Turn], columns: int) -> list[Line]:
        """Hang what an exchange took, and a blank line under it."""
        setting = replace(self.setting, sheet=self._sheet(columns))
        return [*self._hung(foot(item, turns, setting)), *self.stem.hung([()])]

    def seam(self, seam: Seam, turns: Sequence[Turn], full: bool, columns: int) -> list[Line]:
        """Draw a compaction."""
        return self.stem.bare(seam_lines(seam, turns, self._sheet(columns, full=full)))

    def twig(self, branch: Branch, columns: int) -> list[Line]:
        """Draw where another branch leaves."""
        why = left_because(branch)
        at = left_at(branch) if why == "rewound" else None
        return self.stem.bare(twig_lines(branch, why, at, self._sheet(columns)))

    def _hung(self, painted: Iterable[str]) -> list[Line]:
        return self.stem.hung([spans_of(line) for line in painted])

    def _sheet(self, columns: int, *, full: bool = False) -> Sheet:
        return replace(self.setting.sheet, columns=columns - self.stem.indent, full=full)
