"""Branch points and tips: where the story parts, and where its lines end."""

from msgspec import Struct

from bough.model.prompts import Said, said
from bough.model.story import NONE, Is, Story
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
    """List the branch points in file order."""
    found = []
    tree = story.tree
    for number, knot in enumerate(story.knots):
        prompts = [k for k in knot.children if story.knots[k].kind is Is.PROMPT]
        answers = [k for k in knot.children if story.knots[k].kind is Is.ANSWER]
        if len(prompts) > 1:
            ways, cause = prompts, _cause(story, prompts)
        elif len(answers) > 1 and knot.kind is Is.PROMPT:
            ways, cause = answers, "retry"
        else:
            continue
        children = tuple(tree.uuid(story.knots[way].first) for way in ways)
        found.append(BranchPoint(tree.uuid(story.last_line(number)), cause, children))
    return found


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
