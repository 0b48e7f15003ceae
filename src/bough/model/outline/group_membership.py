"""To which branch each group belongs: paths share their beginnings, owners do not.

The active branch owns its whole path, every other tip the part that no earlier one owns. Each
path is walked up only to what is owned already, so that all of them together cost no more than
the groups there are.
"""

from msgspec import Struct

from bough.model.session import Session
from bough.model.tree.message_tree import NONE


class GroupMembership(Struct, frozen=True):
    """The branch of each group, by its place among the tips, and the topmost group of each."""

    owners: dict[int, int]
    tops: dict[int, int]


def assign_branches(session: Session) -> GroupMembership:
    """Give each group to one branch: the active one first, then each tip its own part."""
    tree = session.message_tree
    found = GroupMembership({}, {})
    for number in sorted(range(len(session.tips)), key=lambda n: not session.tips[n].active):
        group = session.tips[number].group
        # A tip on an agent's line, which old clients would resume, has a tree of its own.
        path = session.conversations[number].groups[::-1] if group == NONE else []
        while group != NONE and group not in found.owners:
            path += [*reversed(tree.trailing_compactions.get(group, ())), group]
            group = tree.groups[group].parent
        for step in path:
            if found.owners.setdefault(step, number) == number:
                found.tops[number] = step
    return found
