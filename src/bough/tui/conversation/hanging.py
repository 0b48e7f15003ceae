"""What is said, put on the stem: the lines of turns, steps, seams and twigs in some columns."""

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.route import left_at, left_because
from bough.model.conversation.turns import Turn
from bough.tui.conversation.stem import Stem
from bough.tui.conversation.tool_items import seam_lines, twig_lines
from bough.tui.conversation.turnpieces import thought_lines, whole_lines
from bough.tui.style.style import Line, Setting, Sheet, foot, spans_of

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
