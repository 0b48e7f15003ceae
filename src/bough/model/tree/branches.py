"""Branch points and tips: where the story parts, and where its lines end."""

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
