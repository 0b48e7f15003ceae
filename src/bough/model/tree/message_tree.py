"""The message tree: groups of nodes, each below the group it follows.

Most nodes with two children are no branches: parallel calls, hooks, progress and notes
hang beside the line of talk. So nodes are gathered into groups: a prompt, an answer (all
lines of one message, with the results of its calls), or a compaction.
"""

from enum import IntEnum

from msgspec import Struct

from bough.model.tree.nodes import Tree
from bough.records.types import Assistant

NONE = -1


class GroupKind(IntEnum):
    """What a group is."""

    PROMPT = 0
    ANSWER = 1
    SYNTHETIC = 2
    COMPACTION = 3


class MessageGroup(Struct, gc=False):
    """A prompt, an answer or a compaction: the nodes that make it, and its place in the tree."""

    kind: GroupKind
    nodes: list[int]
    parent: int = NONE
    children: list[int] = []
    notes: list[int] = []

    @property
    def first(self) -> int:
        """Give the node the group begins with."""
        return self.nodes[0]


class MessageTree(Struct):
    """The groups of a tree in file order.

    `group_of` tells each node's group, `above` the nearest one at or above it.
    `trailing_compactions` are compactions after which nobody spoke, by the group they stand
    behind.
    """

    tree: Tree
    groups: list[MessageGroup]
    group_of: list[int]
    above: list[int] = []
    trailing_compactions: dict[int, list[int]] = {}

    def path(self, group: int) -> list[int]:
        """List the groups from the start of the session to this one."""
        path = []
        while group != NONE:
            path.append(group)
            group = self.groups[group].parent
        path.reverse()
        return path

    def find_owner(self, node: int) -> int:
        """Find the group on a path to a tip that a node is shown with; NONE where there is none.

        What is in no group is shown with the one that has it among its notes, a compaction
        after which nobody spoke with the group it stands behind.
        """
        group = self.group_of[node]
        if group == NONE:
            noted = (number for number, own in enumerate(self.groups) if node in own.notes)
            group = next(noted, NONE)
        behind = {c: g for g, compactions in self.trailing_compactions.items() for c in compactions}
        return behind.get(group, group)

    def last_line(self, group: int) -> int:
        """Give the node a group ends with: a message's last line, not a result."""
        own = self.groups[group]
        if len(own.nodes) == 1 or own.kind in (GroupKind.PROMPT, GroupKind.COMPACTION):
            return own.nodes[-1]
        return max(n for n in own.nodes if isinstance(self.tree.nodes[n], Assistant))
