"""Steps: the stretches of a session that the same conversations pass through.

A step begins where the session does, behind a tip, and with each branch. What was used is added
up by step, so that the share of every branch can be told from a few sums: steps have an owner,
the branch whose part they are, and lie behind one another, so that the path to a tip is its step
and those before it. Each group is looked at once, however many branches there are.
"""

from collections.abc import Sequence

from bough.model.outline.group_membership import GroupMembership, assign_branches
from bough.model.outline.step_lists import FIRST, OFF, ONE_STEP, BranchSteps
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, MessageTree


def find_branch_steps(
    session: Session, branches: GroupMembership | None = None
) -> tuple[BranchSteps, list[int]]:
    """Find the steps of a session, and the one that each of its conversations ends on.

    Whoever has assigned its branches already gives them.
    """
    tree = session.message_tree
    tips = [tip.group for tip in session.tips]
    if len(session.conversations) < 2 or not tree.groups:
        return ONE_STEP, [0] * len(session.conversations)
    owners = (branches or assign_branches(session)).owners
    step_of, parents = _walk_steps(tree, [tip for tip in tips if tip != NONE])
    owned = [0] * len(parents)
    for group, step in step_of.items():
        if parents[step] != OFF:
            owned[step] = owners.get(group, 0)
    places = sorted(
        (tree.tree.nodes[node].offset, step_of[number])
        for number, group in enumerate(tree.groups)
        for node in (*group.nodes, *group.notes)
    )
    runs = [
        place for at, place in enumerate(places) if at == 0 or place[1] != places[at - 1][1]
    ] or [(0, 0)]
    found = BranchSteps([run[0] for run in runs], [run[1] for run in runs], parents, owned)
    # A tip on an agent's line is on none of them.
    return found, [step_of[tip] if tip != NONE else OFF for tip in tips]


def _walk_steps(tree: MessageTree, tips: Sequence[int]) -> tuple[dict[int, int], list[int]]:
    """Give each group its step, and say which step lies before which."""
    living = _count_living_children(tree, tips)
    ends = set(tips)
    parents: list[int] = [OFF]
    step_of: dict[int, int] = {}
    waiting = [group for group in living if tree.groups[group].parent not in living]
    while waiting:
        group = waiting.pop()
        above = tree.groups[group].parent
        known = step_of.get(above)
        if known is None or above in ends or living[above] > 1:
            parents.append(FIRST if known is None else known)
            step_of[group] = len(parents) - 1
        else:
            step_of[group] = known
        for behind in tree.trailing_compactions.get(group, ()):
            step_of.setdefault(behind, step_of[group])
        waiting += [child for child in tree.groups[group].children if child in living]
    for group in range(len(tree.groups)):
        step_of.setdefault(group, 0)
    return step_of, parents


def _count_living_children(tree: MessageTree, tips: Sequence[int]) -> dict[int, int]:
    """Count, for each group on a path to a tip, the groups behind it that are on one too."""
    living: dict[int, int] = {}
    for tip in tips:
        group, behind = tip, 0
        while group != NONE and group not in living:
            living[group] = behind
            group, behind = tree.groups[group].parent, 1
        if group != NONE:
            living[group] += behind
    return living
