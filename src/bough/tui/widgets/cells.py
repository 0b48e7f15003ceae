"""Rows of lists: cells at the left and the right, states and costs in words."""

from collections.abc import Sequence

from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import one_line, width, wrap
from bough.tui.style.style import cut_line
from bough.tui.widgets.list_items import ListItem


def align_cells(left: Sequence[Span], right: Sequence[Span], columns: int) -> StyledLine:
    """Set spans at the left, cut to what the right leaves of the columns."""
    tail = sum(width(text) for _, text in right)
    kept = cut_line(left, max(8, columns - tail - (2 if tail else 0)))
    used = sum(width(text) for _, text in kept)
    return (*kept, (Role.META, " " * max(2, columns - used - tail)), *right) if tail else kept


def make_paragraph(key: str, text: str, role: Role = Role.META) -> ListItem:
    """Make a sentence that is only read, in as many lines as it needs."""
    words = one_line(text)
    return ListItem(
        key, lambda columns: [((role, line),) for line in wrap(words, columns)], picked=False
    )
