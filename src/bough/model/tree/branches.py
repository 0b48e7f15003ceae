"""Branch points, tips, and the lines between them.

A session is cut into lines that never part, each with the place where it leaves another. The
first line of a root is the one the client would resume, or the one written last. What
leaves it is a line of its own, and so on. Lists instead of recursion: a session may part
as often as it likes.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from bough.model.interpret.user_records import UserRecordKind, classify_user_record
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.records.types import User


class BranchPoint(Struct, frozen=True):
    """A node from which a person went on in two or more ways.

    `cause` is edit (another prompt), command (a slash command among them) or retry (another
    answer to the same prompt). `children` are the uuids of what starts each way.
    """

    uuid: str
    cause: str
    children: tuple[str, ...]


def find_branch_points(story: MessageTree) -> list[BranchPoint]:
    """List the branch points in file order; a first prompt said anew comes first."""
    tree = story.tree
    starts = [number for number, knot in enumerate(story.groups) if knot.parent == NONE]
    found = []
    if len(prompts := _filter_by_kind(story, starts, GroupKind.PROMPT)) > 1:
        node = tree.parent[story.groups[prompts[0]].first]
        found.append(_build_branch_point(story, node, _find_cause(story, prompts), prompts))
    for number, knot in enumerate(story.groups):
        if len(knot.children) < 2:
            continue
        prompts = _filter_by_kind(story, knot.children, GroupKind.PROMPT)
        answers = _filter_by_kind(story, knot.children, GroupKind.ANSWER)
        node = story.last_line(number)
        if len(prompts) > 1:
            found.append(_build_branch_point(story, node, _find_cause(story, prompts), prompts))
        elif len(answers) > 1 and knot.kind is GroupKind.PROMPT:
            found.append(_build_branch_point(story, node, "retry", answers))
    return found


def _filter_by_kind(story: MessageTree, knots: list[int], kind: GroupKind) -> list[int]:
    return [knot for knot in knots if story.groups[knot].kind is kind]


def _build_branch_point(story: MessageTree, node: int, cause: str, ways: list[int]) -> BranchPoint:
    tree = story.tree
    children = tuple(tree.uuid(story.groups[way].first) for way in ways)
    return BranchPoint(tree.uuid(node), cause, children)


def find_tips(story: MessageTree) -> list[int]:
    """List the knots that end a line of talk: a prompt or an answer, nothing said after."""
    knots = story.groups
    goes_on = [False] * len(knots)
    for knot in knots:
        above = knot.parent if knot.kind is not GroupKind.COMPACTION else NONE
        while above != NONE and not goes_on[above]:
            goes_on[above] = True
            above = knots[above].parent
    ends = [
        n
        for n, knot in enumerate(knots)
        if knot.kind is not GroupKind.COMPACTION and not goes_on[n]
    ]
    return sorted(ends, key=story.last_line)


def _find_cause(story: MessageTree, prompts: list[int]) -> str:
    for way in prompts:
        record = story.tree.nodes[story.groups[way].first]
        if isinstance(record, User) and classify_user_record(record) is UserRecordKind.COMMAND:
            return "command"
    return "edit"


class BranchLine(Struct):
    """Knots one after the other. `side_branches` are the lines that part from each of them."""

    groups: list[int]
    side_branches: dict[int, list["BranchLine"]]
    parent: int = NONE
    """The knot it parts from."""


def split_into_lines(story: MessageTree, active: int = NONE) -> list[BranchLine]:
    """Cut a story into lines, one for each root in file order; `active` is the active tip."""
    below = _list_children(story)
    newest = _find_newest_below(story, below)
    wanted = dict(pairwise([NONE, *story.path(active)]))
    dead = {seam for seams in story.trailing_compactions.values() for seam in seams}
    starts = [n for n, knot in enumerate(story.groups) if knot.parent == NONE and n not in dead]
    roots = [BranchLine([start], {}) for start in starts]
    waiting = list(roots)
    while waiting:
        line = waiting.pop()
        knot = line.groups[0]
        while children := below[knot]:
            follows = wanted.get(knot) if wanted.get(knot) in children else None
            chosen = max(children, key=newest.__getitem__) if follows is None else follows
            others = [BranchLine([child], {}, knot) for child in children if child != chosen]
            if others:
                line.side_branches[knot] = others
                waiting += others
            line.groups.append(chosen)
            knot = chosen
    return roots


def _list_children(story: MessageTree) -> list[list[int]]:
    """List what follows each knot, without compactions after which nobody spoke."""
    dead = {seam for seams in story.trailing_compactions.values() for seam in seams}
    return [[child for child in knot.children if child not in dead] for knot in story.groups]


def _find_newest_below(story: MessageTree, below: Sequence[Sequence[int]]) -> list[int]:
    """Find, for each knot, the last node written at or below it."""
    newest = [knot.nodes[-1] for knot in story.groups]
    order: list[int] = []
    waiting = [number for number, knot in enumerate(story.groups) if knot.parent == NONE]
    while waiting:
        knot = waiting.pop()
        order.append(knot)
        waiting += below[knot]
    for knot in reversed(order):
        newest[knot] = max([newest[knot], *(newest[child] for child in below[knot])])
    return newest
