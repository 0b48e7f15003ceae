"""The stem: the one line that runs through a conversation, and what leaves it sideways."""

from collections.abc import Iterable, Sequence
from typing import Final

from bough.tui.style.style import Glyphs, Line, Role, Span

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
