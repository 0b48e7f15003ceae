"""Knots: the pieces a story is made of.

Most nodes with two children are no branches: parallel calls, hooks, progress and notes
hang beside the line of talk. So nodes are gathered into knots: a prompt, an answer (all
lines of one message, with the results of its calls), or the seam of a compaction.
"""

from enum import IntEnum

from msgspec import Struct

from bough.model.tree.nodes import Tree
from bough.records.types import Assistant

NONE = -1
SYNTHETIC = "<synthetic>"


class GroupKind(IntEnum):
    """What a knot is."""

    PROMPT = 0
    ANSWER = 1
    SYNTHETIC = 2
    COMPACTION = 3


class MessageGroup(Struct, gc=False):
    """A prompt, an answer or a seam: the nodes that make it, and its place in the story."""

    kind: GroupKind
    nodes: list[int]
    parent: int = NONE
    children: list[int] = []
    notes: list[int] = []

    @property
    def first(self) -> int:
        """Give the node the knot begins with."""
        return self.nodes[0]


class MessageTree(Struct):
    """The knots of a tree in file order.

    `group_of` tells each node's group, `above` the nearest one at or above it.
    `trailing_compactions` are compactions after which nobody spoke, by the group they stand
    behind.
    """

    tree: Tree
    groups: list[MessageGroup]
    group_of: list[int]
    above: list[int] = []
    trailing_compactions: dict[int, list[int]] = {}

    def path(self, knot: int) -> list[int]:
        """List the knots from the start of the story to this one."""
        way = []
        while knot != NONE:
            way.append(knot)
            knot = self.groups[knot].parent
        way.reverse()
        return way

    def last_line(self, knot: int) -> int:
        """Give the node a knot ends with: a message's last line, not a result."""
        own = self.groups[knot]
        if own.kind in (GroupKind.PROMPT, GroupKind.COMPACTION):
            return own.nodes[-1]
        return max(n for n in own.nodes if isinstance(self.tree.nodes[n], Assistant))
