"""The message tree: what was really said, in which order, and where it parts.

Nodes are gathered into groups (`group_messages`), groups are linked so that one line runs through
the file (`link_groups`), and only a person who goes back and says something else makes a second
one. What is in no group, the notes, goes with the group it stands at.
"""

from bough.model.tree.group_messages import group_messages
from bough.model.tree.link_groups import link_groups
from bough.model.tree.message_tree import NONE, GroupKind, MessageGroup, MessageTree
from bough.model.tree.nodes import ROOT, Tree

__all__ = ["NONE", "GroupKind", "MessageGroup", "MessageTree", "build_message_tree"]


def build_message_tree(tree: Tree, *, sidechain: bool = False) -> MessageTree:
    """Gather the nodes of the main line, or of a sidechain, into groups and join them."""
    message_tree = MessageTree(tree, [], [NONE] * len(tree.nodes))
    members = [sidechain or not record.is_sidechain for record in tree.nodes]
    group_messages(message_tree, members)
    message_tree.above = _find_groups_above(message_tree)
    link_groups(message_tree)
    message_tree.trailing_compactions = _find_trailing_compactions(message_tree)
    _assign_notes(message_tree, members)
    return message_tree


def _find_groups_above(message_tree: MessageTree) -> list[int]:
    """Find, for each node, the nearest group at or above it, past everything contracted."""
    tree = message_tree.tree
    above = list(message_tree.group_of)
    known = [group != NONE for group in above]
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


def _find_trailing_compactions(tree: MessageTree) -> dict[int, list[int]]:
    """Find the compactions that no way leads through, by the group they stand behind."""
    groups = tree.groups
    dead = {number for number, group in enumerate(groups) if group.kind is GroupKind.COMPACTION}
    if not dead:
        return {}
    for group in groups:
        above = group.parent if group.kind is not GroupKind.COMPACTION else NONE
        while above in dead:
            dead.remove(above)
            above = groups[above].parent
    behind: dict[int, int] = {}
    for compaction in dead:
        walked, above = [], compaction
        while above in dead and above not in behind:
            walked.append(above)
            above = groups[above].parent
        behind |= dict.fromkeys(walked, behind.get(above, above))
    found: dict[int, list[int]] = {}
    for compaction in sorted(dead):
        found.setdefault(behind[compaction], []).append(compaction)
    return found


def _assign_notes(tree: MessageTree, members: list[bool]) -> None:
    """Give every other node to the one group it leads to, else to the group it hangs on.

    What hangs on nothing goes to the group written last before it.
    """
    leads = _find_groups_below(tree)
    before = NONE
    for number, group in enumerate(tree.group_of):
        if group != NONE:
            before = group
        if group != NONE or not members[number] or not tree.groups:
            continue
        owner = leads[number] if leads[number] >= 0 else tree.above[number]
        if owner == NONE:
            owner = before if before != NONE else 0
        tree.groups[owner].notes.append(number)


def _find_groups_below(message_tree: MessageTree) -> list[int]:
    """Find, for each node outside a group, the only group below it; -2 where there are more."""
    tree = message_tree.tree
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
        below = (
            message_tree.group_of[number]
            if message_tree.group_of[number] != NONE
            else leads[number]
        )
        if below != NONE and leads[parent] != below:
            leads[parent] = below if leads[parent] == NONE else several
        pending[parent] -= 1
        if not pending[parent]:
            ready.append(parent)
    return leads
