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


class BranchPoint(Struct, frozen=True, gc=False):
    """A node from which a person went on more than once.

    `cause` is edit (another prompt), command (a slash command among them) or retry (another
    answer to the same prompt). `children` are the uuids of what starts each way: prompts, or
    the answer that a person went back from.
    """

    uuid: str
    cause: str
    children: tuple[str, ...]


def find_branch_points(message_tree: MessageTree) -> list[BranchPoint]:
    """List the branch points in file order; a first prompt said anew comes first."""
    tree = message_tree.tree
    starts = [number for number, group in enumerate(message_tree.groups) if group.parent == NONE]
    found = []
    if len(prompts := _filter_by_kind(message_tree, starts, GroupKind.PROMPT)) > 1:
        node = tree.parent[message_tree.groups[prompts[0]].first]
        found.append(
            _build_branch_point(message_tree, node, _find_cause(message_tree, prompts), prompts)
        )
    known: dict[int, int] = {}
    for number, group in enumerate(message_tree.groups):
        if len(group.children) < 2:
            continue
        starts = _list_starts(message_tree, group.children, known)
        prompts = _filter_by_kind(message_tree, starts, GroupKind.PROMPT)
        answers = _filter_by_kind(message_tree, starts, GroupKind.ANSWER)
        node = message_tree.last_line(number)
        if len(prompts) > 1 or (prompts and answers):
            leaving = sorted([*prompts, *answers])
            found.append(
                _build_branch_point(message_tree, node, _find_cause(message_tree, prompts), leaving)
            )
        elif len(answers) > 1 and group.kind is GroupKind.PROMPT:
            found.append(_build_branch_point(message_tree, node, "retry", answers))
    return found


def _list_starts(tree: MessageTree, children: list[int], known: dict[int, int]) -> list[int]:
    """List what each way begins with, behind compactions; nothing of one without any talk."""
    if all(tree.groups[child].kind is not GroupKind.COMPACTION for child in children):
        return children
    behind = (_look_through_compactions(tree, child, known) for child in children)
    return [start for start in behind if start != NONE]


def _look_through_compactions(tree: MessageTree, child: int, known: dict[int, int]) -> int:
    """Find what was said first behind a compaction, or is no compaction itself; else NONE.

    What was found behind the compactions that were walked through is `known` from then on.
    """
    groups = tree.groups
    walked: list[int] = []
    start = child
    while start != NONE and groups[start].kind is GroupKind.COMPACTION:
        if start in known:
            start = known[start]
            break
        walked.append(start)
        below = groups[start].children
        said = (c for c in below if groups[c].kind is not GroupKind.COMPACTION)
        start = next(said, below[0] if below else NONE)
    known.update(dict.fromkeys(walked, start))
    return start


def _filter_by_kind(tree: MessageTree, groups: list[int], kind: GroupKind) -> list[int]:
    return [group for group in groups if tree.groups[group].kind is kind]


def _build_branch_point(
    message_tree: MessageTree, node: int, cause: str, starts: list[int]
) -> BranchPoint:
    tree = message_tree.tree
    children = tuple(tree.uuid(message_tree.groups[path].first) for path in starts)
    return BranchPoint(tree.uuid(node), cause, children)


def find_tips(tree: MessageTree) -> list[int]:
    """List the groups that end a line of talk: a prompt or an answer, nothing said after."""
    groups = tree.groups
    goes_on = [False] * len(groups)
    for group in groups:
        above = group.parent if group.kind is not GroupKind.COMPACTION else NONE
        while above != NONE and not goes_on[above]:
            goes_on[above] = True
            above = groups[above].parent
    ends = [
        n
        for n, group in enumerate(groups)
        if group.kind is not GroupKind.COMPACTION and not goes_on[n]
    ]
    return sorted(ends, key=tree.last_line)


def _find_cause(tree: MessageTree, prompts: list[int]) -> str:
    for path in prompts:
        record = tree.tree.nodes[tree.groups[path].first]
        if isinstance(record, User) and classify_user_record(record) is UserRecordKind.COMMAND:
            return "command"
    return "edit"


class BranchLine(Struct):
    """Groups one after the other. `side_branches` are the lines that part from each of them."""

    groups: list[int]
    side_branches: dict[int, list["BranchLine"]]
    parent: int = NONE
    """The group it parts from."""


def split_into_lines(tree: MessageTree, active: int = NONE) -> list[BranchLine]:
    """Cut a tree into lines, one for each root in file order; `active` is the active tip."""
    below = _list_children(tree)
    newest = _find_newest_below(tree, below)
    wanted = dict(pairwise([NONE, *tree.path(active)]))
    dead = {
        compaction
        for compactions in tree.trailing_compactions.values()
        for compaction in compactions
    }
    starts = [n for n, group in enumerate(tree.groups) if group.parent == NONE and n not in dead]
    roots = [BranchLine([start], {}) for start in starts]
    waiting = list(roots)
    while waiting:
        line = waiting.pop()
        group = line.groups[0]
        while children := below[group]:
            follows = wanted.get(group) if wanted.get(group) in children else None
            chosen = max(children, key=newest.__getitem__) if follows is None else follows
            others = [BranchLine([child], {}, group) for child in children if child != chosen]
            if others:
                line.side_branches[group] = others
                waiting += others
            line.groups.append(chosen)
            group = chosen
    return roots


def _list_children(tree: MessageTree) -> list[list[int]]:
    """List what follows each group, without compactions after which nobody spoke."""
    dead = {
        compaction
        for compactions in tree.trailing_compactions.values()
        for compaction in compactions
    }
    return [[child for child in group.children if child not in dead] for group in tree.groups]


def _find_newest_below(tree: MessageTree, below: Sequence[Sequence[int]]) -> list[int]:
    """Find, for each group, the last node written at or below it."""
    newest = [group.nodes[-1] for group in tree.groups]
    order: list[int] = []
    waiting = [number for number, group in enumerate(tree.groups) if group.parent == NONE]
    while waiting:
        group = waiting.pop()
        order.append(group)
        waiting += below[group]
    for group in reversed(order):
        newest[group] = max([newest[group], *(newest[child] for child in below[group])])
    return newest
