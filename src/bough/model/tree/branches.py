"""Branch points and tips: where the story parts, and where its lines end.

Ways: a story cut into lines that never part, each with the place where it leaves another.

The first line of a root is the one the client would resume, or the one written last. What
leaves it is a line of its own, and so on. Lists instead of recursion: a session may part
as often as it likes.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from bough.model.interpret.user_records import Said, said
from bough.model.tree.message_tree import NONE, Is, Story
from bough.records.types import User


class BranchPoint(Struct, frozen=True):
    """A node from which a person went on in two or more ways.

    `cause` is edit (another prompt), command (a slash command among them) or retry (another
    answer to the same prompt). `children` are the uuids of what starts each way.
    """

    uuid: str
    cause: str
    children: tuple[str, ...]


def branch_points(story: Story) -> list[BranchPoint]:
    """List the branch points in file order; a first prompt said anew comes first."""
    tree = story.tree
    starts = [number for number, knot in enumerate(story.knots) if knot.parent == NONE]
    found = []
    if len(prompts := _of_kind(story, starts, Is.PROMPT)) > 1:
        node = tree.parent[story.knots[prompts[0]].first]
        found.append(_point(story, node, _cause(story, prompts), prompts))
    for number, knot in enumerate(story.knots):
        if len(knot.children) < 2:
            continue
        prompts = _of_kind(story, knot.children, Is.PROMPT)
        answers = _of_kind(story, knot.children, Is.ANSWER)
        node = story.last_line(number)
        if len(prompts) > 1:
            found.append(_point(story, node, _cause(story, prompts), prompts))
        elif len(answers) > 1 and knot.kind is Is.PROMPT:
            found.append(_point(story, node, "retry", answers))
    return found


def _of_kind(story: Story, knots: list[int], kind: Is) -> list[int]:
    return [knot for knot in knots if story.knots[knot].kind is kind]


def _point(story: Story, node: int, cause: str, ways: list[int]) -> BranchPoint:
    tree = story.tree
    children = tuple(tree.uuid(story.knots[way].first) for way in ways)
    return BranchPoint(tree.uuid(node), cause, children)


def tips(story: Story) -> list[int]:
    """List the knots that end a line of talk: a prompt or an answer, nothing said after."""
    knots = story.knots
    goes_on = [False] * len(knots)
    for knot in knots:
        above = knot.parent if knot.kind is not Is.SEAM else NONE
        while above != NONE and not goes_on[above]:
            goes_on[above] = True
            above = knots[above].parent
    ends = [n for n, knot in enumerate(knots) if knot.kind is not Is.SEAM and not goes_on[n]]
    return sorted(ends, key=story.last_line)


def _cause(story: Story, prompts: list[int]) -> str:
    for way in prompts:
        record = story.tree.nodes[story.knots[way].first]
        if isinstance(record, User) and said(record) is Said.COMMAND:
            return "command"
    return "edit"


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
