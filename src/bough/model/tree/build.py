"""The story: what was really said, in which order, and where it parts.

Nodes are gathered into knots (`gathering`), knots are joined so that one story runs through
the file (`joining`), and only a person who goes back and says something else makes a second
one. What is in no knot, the notes, goes with the knot it stands at.
"""

from bough.model.tree.group_messages import group_messages
from bough.model.tree.link_groups import link_groups
from bough.model.tree.message_tree import NONE, SYNTHETIC, GroupKind, MessageGroup, MessageTree
from bough.model.tree.nodes import ROOT, Tree

__all__ = ["NONE", "SYNTHETIC", "GroupKind", "MessageGroup", "MessageTree", "build_message_tree"]


def build_message_tree(tree: Tree, *, sidechain: bool = False) -> MessageTree:
    """Gather the nodes of the main line, or of a sidechain, into knots and join them."""
    story = MessageTree(tree, [], [NONE] * len(tree.nodes))
    members = [sidechain or not record.is_sidechain for record in tree.nodes]
    group_messages(story, members)
    story.above = _find_groups_above(story)
    link_groups(story)
    story.trailing_compactions = _find_trailing_compactions(story)
    _assign_notes(story, members)
    return story


def _find_groups_above(story: MessageTree) -> list[int]:
    """Find, for each node, the nearest knot at or above it, past everything contracted."""
    tree = story.tree
    above = list(story.group_of)
    known = [knot != NONE for knot in above]
    for start in range(len(above)):
        walked = []
        number = start
        while number != ROOT and not known[number]:
            walked.append(number)
            known[number] = True
            number = tree.parent[number]
        found = above[number] if number != ROOT else NONE
        for passed in walked:
            above[passed] = found
    return above


def _find_trailing_compactions(story: MessageTree) -> dict[int, list[int]]:
    """Find the compactions that no way leads through, by the knot they stand behind."""
    knots = story.groups
    dead = {number for number, knot in enumerate(knots) if knot.kind is GroupKind.COMPACTION}
    if not dead:
        return {}
    for knot in knots:
        above = knot.parent if knot.kind is not GroupKind.COMPACTION else NONE
        while above in dead:
            dead.remove(above)
            above = knots[above].parent
    behind: dict[int, int] = {}
    for seam in dead:
        walked, above = [], seam
        while above in dead and above not in behind:
            walked.append(above)
            above = knots[above].parent
        behind |= dict.fromkeys(walked, behind.get(above, above))
    found: dict[int, list[int]] = {}
    for seam in sorted(dead):
        found.setdefault(behind[seam], []).append(seam)
    return found


def _assign_notes(story: MessageTree, members: list[bool]) -> None:
    """Give every other node to the one knot it leads to, else to the knot it hangs on.

    What hangs on nothing goes to the knot written last before it.
    """
    leads = _find_groups_below(story)
    before = NONE
    for number, knot in enumerate(story.group_of):
        if knot != NONE:
            before = knot
        if knot != NONE or not members[number] or not story.groups:
            continue
        owner = leads[number] if leads[number] >= 0 else story.above[number]
        if owner == NONE:
            owner = before if before != NONE else 0
        story.groups[owner].notes.append(number)


def _find_groups_below(story: MessageTree) -> list[int]:
    """Find, for each node outside a knot, the only knot below it; -2 where there are more."""
    tree = story.tree
    several = -2
    leads = [NONE] * len(tree.nodes)
    pending = [0] * len(tree.nodes)
    for parent in tree.parent:
        if parent != ROOT:
            pending[parent] += 1
    ready = [number for number, count in enumerate(pending) if not count]
    while ready:
        number = ready.pop()
        parent = tree.parent[number]
        if parent == ROOT:
            continue
        below = story.group_of[number] if story.group_of[number] != NONE else leads[number]
        if below != NONE and leads[parent] != below:
            leads[parent] = below if leads[parent] == NONE else several
        pending[parent] -= 1
        if not pending[parent]:
            ready.append(parent)
    return leads
