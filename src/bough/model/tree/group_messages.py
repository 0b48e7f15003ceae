"""Gathering: which nodes make one group.

Lines that share a message id are one message, results go to the call they answer, a
compaction's boundary and its summary are one compaction. What a client writes because it
resumes is in no group: what hangs below it hangs where it hangs itself. Ids come from
whatever server answered, and some repeat theirs: a message does not reach across a prompt,
and of several calls with one id a result answers the nearest above it.
"""

from bisect import bisect_left
from collections import defaultdict
from itertools import islice

from bough.model.interpret.message_kinds import PERSON_KINDS, SYNTHETIC
from bough.model.interpret.record_kinds import ClientRecordKind, classify_record
from bough.model.interpret.resume_pair import is_placeholder
from bough.model.interpret.user_records import UserRecordKind, classify_user_record
from bough.model.tree.message_tree import NONE, GroupKind, MessageGroup, MessageTree
from bough.model.tree.nodes import ROOT
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.types import Assistant, System, User

_FAR = 100
"""How far up is looked where an id alone does not tell; what is meant is mostly next."""


def group_messages(tree: MessageTree, members: list[bool]) -> None:
    """Make the groups of the nodes that are members."""
    grouper = _Grouper(tree)
    for number, record in enumerate(tree.tree.nodes):
        if not members[number]:
            continue
        if type(record) is Assistant:
            grouper.add_line(number, record)
        elif type(record) is User:
            grouper.add_user(number, record)
        elif type(record) is System and classify_record(record) is ClientRecordKind.COMPACTION:
            grouper.begin_group(number, GroupKind.COMPACTION)
    grouper.add_results()
    _merge_compactions(tree)


class _Grouper:
    """The groups so far, and what later nodes may belong to."""

    def __init__(self, tree: MessageTree) -> None:
        self.message_tree = tree
        self.messages: dict[str, int] = {}
        self.calls: dict[str, list[int]] = defaultdict(list)
        self.results: list[tuple[int, User]] = []

    def begin_group(self, number: int, kind: GroupKind) -> int:
        groups = self.message_tree.groups
        groups.append(MessageGroup(kind, [number]))
        self.message_tree.group_of[number] = len(groups) - 1
        return len(groups) - 1

    def add_to_group(self, number: int, group: int) -> None:
        self.message_tree.groups[group].nodes.append(number)
        self.message_tree.group_of[number] = group

    def add_user(self, number: int, record: User) -> None:
        """Make a group of a prompt or a summary; keep results for later."""
        meaning = classify_user_record(record)
        if meaning is UserRecordKind.RESULT:
            self.results.append((number, record))
        elif meaning in PERSON_KINDS:
            self.begin_group(number, GroupKind.PROMPT)
        elif meaning is UserRecordKind.SUMMARY:
            self.begin_group(number, GroupKind.COMPACTION)

    def add_line(self, number: int, record: Assistant) -> None:
        """Put a line to its message and note the calls it makes; a placeholder is a note."""
        if is_placeholder(record):
            return
        message = message_of(record)
        group = self.messages.get(message.id, NONE) if message.id else NONE
        if group != NONE and not self._is_new_turn(number, group):
            self.add_to_group(number, group)
        else:
            kind = GroupKind.SYNTHETIC if message.model == SYNTHETIC else GroupKind.ANSWER
            group = self.begin_group(number, kind)
            if message.id:
                self.messages[message.id] = group
        for block in message.blocks:
            if isinstance(block, ToolUse) and block.id:
                self.calls[block.id].append(number)

    def _is_new_turn(self, number: int, message: int) -> bool:
        """Tell whether a prompt stands between a line and the message it names."""
        tree = self.message_tree
        above = number
        for _ in range(_FAR):
            above = tree.tree.parent[above]
            if above == ROOT:
                break
            group = tree.group_of[above]
            if group != NONE:
                own = tree.groups[group]
                return own.kind is GroupKind.PROMPT and above > tree.groups[message].first
        return False

    def add_results(self) -> None:
        """Put the results to their calls, wherever they hang."""
        for number, record in self.results:
            for block in message_of(record).blocks:
                if isinstance(block, ToolResult) and block.tool_use_id in self.calls:
                    call = self._choose_nearest_call(number, self.calls[block.tool_use_id])
                    self.add_to_group(number, self.message_tree.group_of[call])
                    break

    def _choose_nearest_call(self, number: int, calls: list[int]) -> int:
        """Choose among calls with one id: the one above, else the last before."""
        if len(calls) > 1:
            for above in islice(self.message_tree.tree.walk_up(number), _FAR):
                at = bisect_left(calls, above)
                if at < len(calls) and calls[at] == above:
                    return above
        return calls[max(0, bisect_left(calls, number) - 1)]


def _merge_compactions(message_tree: MessageTree) -> None:
    """Make a boundary and the summary below it one group."""
    tree, groups = message_tree.tree, message_tree.groups
    if all(group.kind is not GroupKind.COMPACTION for group in groups):
        return
    for number, group in enumerate(message_tree.group_of):
        parent = tree.parent[number]
        if group == NONE or parent == ROOT or not isinstance(tree.nodes[number], User):
            continue
        above = message_tree.group_of[parent]
        if above == NONE or not groups[group].kind is groups[above].kind is GroupKind.COMPACTION:
            continue
        if isinstance(tree.nodes[parent], System):
            groups[above].nodes.append(number)
            groups[group].nodes.clear()
            message_tree.group_of[number] = above
    _drop_empty_groups(message_tree)


def _drop_empty_groups(tree: MessageTree) -> None:
    if all(group.nodes for group in tree.groups):
        return
    place: dict[int, int] = {}
    kept: list[MessageGroup] = []
    for old, group in enumerate(tree.groups):
        if group.nodes:
            place[old] = len(kept)
            kept.append(group)
    tree.groups = kept
    tree.group_of = [place.get(group, NONE) for group in tree.group_of]
