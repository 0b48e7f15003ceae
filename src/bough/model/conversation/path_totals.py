"""What the path to each group comes to: messages, turns, its first and its last time.

Paths share their beginnings. Counting each for itself would look at the first message of a
session once for every branch, so each group is looked at once and adds to what its parent came
to. A session with 100,000 branches is counted as fast as one without any.
"""

from collections.abc import Callable, Container

from msgspec import Struct

from bough.model.conversation.group_items import UnlinkedLines, list_group_items
from bough.model.conversation.message_rules import NO_MESSAGES, MessageCounts, count_messages
from bough.model.tree.message_tree import NONE, MessageTree
from bough.records.record import BadLine


class PathTotal(Struct, frozen=True, gc=False):
    """What a path comes to, up to one of its groups."""

    count: MessageCounts = NO_MESSAGES
    started_at: str | None = None
    ended_at: str | None = None


_NOTHING = PathTotal()


def sum_paths(
    tree: MessageTree, extras: UnlinkedLines, called: Callable[[], Container[str]]
) -> dict[int, PathTotal]:
    """Sum the path to every group, compactions after which nobody spoke included on the way.

    Those compactions themselves have no sum: no path to a tip leads there. `called` gives the
    calls that are known.
    """
    trailing = tree.trailing_compactions
    dead = {compaction for compactions in trailing.values() for compaction in compactions}
    found: dict[int, PathTotal] = {}
    waiting = [n for n, group in enumerate(tree.groups) if group.parent == NONE and n not in dead]
    while waiting:
        group = waiting.pop()
        own = tree.groups[group]
        total = found.get(own.parent, _NOTHING)
        for step in (group, *trailing.get(group, ())):
            total = _add_group(total, tree, step, extras, called)
        found[group] = total
        waiting += [child for child in own.children if child not in dead]
    return found


def _add_group(
    total: PathTotal,
    tree: MessageTree,
    group: int,
    extras: UnlinkedLines,
    called: Callable[[], Container[str]],
) -> PathTotal:
    items = list_group_items(tree, group, extras)
    times = [
        item.timestamp
        for item in items
        if type(item) is not BadLine and item.uuid and item.timestamp
    ]
    return PathTotal(
        count_messages(items, called, total.count),
        total.started_at or (times[0] if times else None),
        max(filter(None, (total.ended_at, *times)), default=None),
    )
