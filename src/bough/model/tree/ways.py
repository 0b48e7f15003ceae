"""Ways: a story cut into lines that never part, each with the place where it leaves another.

The first line of a root is the one the client would resume, or the one written last. What
leaves it is a line of its own, and so on. Lists instead of recursion: a session may part
as often as it likes.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from bough.model.tree.message_tree import NONE, Story


class Line(Struct):
    """Knots one after the other. `leaves` are the lines that part from each of them."""

    knots: list[int]
    leaves: dict[int, list["Line"]]
    parent: int = NONE
    """The knot it parts from."""


def lines_of(story: Story, active: int = NONE) -> list[Line]:
    """Cut a story into lines, one for each root in file order; `active` is the active tip."""
    below = _talking_children(story)
    newest = _newest_below(story, below)
    wanted = dict(pairwise([NONE, *story.path(active)]))
    dead = {seam for seams in story.dead_seams.values() for seam in seams}
    starts = [n for n, knot in enumerate(story.knots) if knot.parent == NONE and n not in dead]
    roots = [Line([start], {}) for start in starts]
    waiting = list(roots)
    while waiting:
        line = waiting.pop()
        knot = line.knots[0]
        while children := below[knot]:
            follows = wanted.get(knot) if wanted.get(knot) in children else None
            chosen = max(children, key=newest.__getitem__) if follows is None else follows
            others = [Line([child], {}, knot) for child in children if child != chosen]
            if others:
                line.leaves[knot] = others
                waiting += others
            line.knots.append(chosen)
            knot = chosen
    return roots


def _talking_children(story: Story) -> list[list[int]]:
    """List what follows each knot, without compactions after which nobody spoke."""
    dead = {seam for seams in story.dead_seams.values() for seam in seams}
    return [[child for child in knot.children if child not in dead] for knot in story.knots]


def _newest_below(story: Story, below: Sequence[Sequence[int]]) -> list[int]:
    """Find, for each knot, the last node written at or below it."""
    newest = [knot.nodes[-1] for knot in story.knots]
    order: list[int] = []
    waiting = [number for number, knot in enumerate(story.knots) if knot.parent == NONE]
    while waiting:
        knot = waiting.pop()
        order.append(knot)
        waiting += below[knot]
    for knot in reversed(order):
        newest[knot] = max([newest[knot], *(newest[child] for child in below[knot])])
    return newest
