"""A conversation: the path from the start of a session to one tip.

It runs through compactions, and holds every record on that way once: what the groups are
made of, the notes that hang on them, and, by their place in the file, lines that are in no
tree at all (bad lines, prompts that were only ever queued).
"""

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from typing import Required, TypedDict, Unpack

from bough.model.agents.links import collect_evidence
from bough.model.conversation.group_items import TranscriptItem, UnlinkedLines, list_group_items
from bough.model.conversation.messages import (
    ConversationTurn,
    Message,
    MessageSources,
    build_messages,
    count_messages_and_turns,
    group_by_turn,
)
from bough.model.conversation.path_totals import PathTotal
from bough.model.interpret.user_records import extract_typed_text
from bough.model.text.formats import to_one_line
from bough.model.tree.branches import BranchPoint
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.model.usage.cost_allocator import CostSources, price_path
from bough.model.usage.costs import UsageTotal
from bough.model.usage.price_list import PRICES, PriceList
from bough.records.record import BadLine, Record
from bough.records.types import User


class PathFacts(TypedDict, total=False):
    """What is known of a path beside its groups: whether the client takes it, where it parts.

    `find_branch_point` gives the last branch point and how many groups follow it, `find_totals`
    what the paths of the tree come to.
    """

    active: Required[bool]
    find_branch_point: Callable[[], tuple[BranchPoint | None, int | None]]
    tip: str | None
    find_cost_sources: Callable[[], CostSources]
    find_totals: Callable[[], Mapping[int, PathTotal]]


class Conversation:
    """The path to one tip; `messages` are built on first use."""

    def __init__(
        self,
        tree: MessageTree,
        group: int,
        extras: UnlinkedLines,
        setting: MessageSources,
        **path: Unpack[PathFacts],
    ) -> None:
        self._message_tree = tree
        self._group = group
        self._unlinked_lines = extras
        self._message_sources = setting
        self._part: list[int] | None = None
        self._find_totals: Callable[[], Mapping[int, PathTotal]] = path.get("find_totals", dict)
        self.active = path["active"]
        self._find_branch_point = path.get("find_branch_point", _no_branch_point)
        self._find_cost_sources = path.get("find_cost_sources", CostSources)
        self.tip = path.get("tip")
        if self.tip is None and group != NONE:
            self.tip = tree.tree.uuid(tree.last_line(group))

    def cut_shared(self, seen: set[int], before: int = 0) -> "Conversation":
        """Give the part of this conversation after what was `seen`, and note it as seen too.

        Conversations share their beginnings. Whoever reads all of them reads each part once, with
        so many groups `before` it that were seen already. Groups go by their identity: a line that
        only old clients would take has a tree of its own.
        """
        if self._group == NONE:
            return self
        groups = self._message_tree.groups
        found: list[int] = []
        group = self._group
        while group != NONE and id(groups[group]) not in seen:
            seen.add(id(groups[group]))
            found.append(group)
            group = groups[group].parent
        while group != NONE and before > 0:
            found.append(group)
            group, before = groups[group].parent, before - 1
        part = copy(self)
        for name in ("messages", "turns", "groups", "items", "nodes", "_counts", "_total"):
            vars(part).pop(name, None)
        part._part = found[::-1]  # noqa: SLF001 - of the same class
        return part

    @property
    def branch_point(self) -> BranchPoint | None:
        """Give the last branch point on the path; None where it parts from no other."""
        return self._find_branch_point()[0]

    @cached_property
    def messages(self) -> list[Message]:
        """Tell the messages, oldest first."""
        return build_messages(self.items, self._message_sources)

    @cached_property
    def turns(self) -> list[ConversationTurn]:
        """Group the messages into turns, oldest first: what a person sent and what it led to."""
        return group_by_turn(self.messages)

    @property
    def message_count(self) -> int:
        """Count the messages, without building them."""
        return self._counts[0]

    @property
    def turn_count(self) -> int:
        """Count the turns, without building messages."""
        return self._counts[1]

    @cached_property
    def _counts(self) -> tuple[int, int]:
        if self._total is not None:
            return self._total.count.totals
        return count_messages_and_turns(self.items, self._message_sources)

    @cached_property
    def _total(self) -> PathTotal | None:
        return self._find_totals().get(self._group) if self._part is None else None

    @cached_property
    def groups(self) -> list[int]:
        """List the groups from the start to the tip, and compactions after which nobody spoke."""
        dead = self._message_tree.trailing_compactions
        path = self._path
        if not dead:
            return path
        on_it = set(path)
        beside = ([s for s in dead.get(group, ()) if s not in on_it] for group in path)
        return [
            step
            for group, compactions in zip(path, beside, strict=True)
            for step in (group, *compactions)
        ]

    @property
    def _path(self) -> list[int]:
        if self._part is not None:
            return self._part
        if self._group == NONE:
            return list(range(len(self._message_tree.groups)))
        return self._message_tree.path(self._group)

    @property
    def _own_groups(self) -> list[int]:
        """List the groups after the branch point, without a walk over those before it."""
        _, own_length = self._find_branch_point()
        if own_length is None:
            return self._path
        found: list[int] = []
        group = self._group
        while group != NONE and len(found) < own_length:
            found.append(group)
            group = self._message_tree.groups[group].parent
        return found[::-1]

    @cached_property
    def items(self) -> list[TranscriptItem]:
        """List the records of the conversation in the order they are read."""
        if not self._message_tree.groups:
            nodes = self._message_tree.tree.nodes
            return sorted([*nodes, *self._unlinked_lines.by_group.get(NONE, ())], key=_offset_of)
        found: list[TranscriptItem] = []
        for group in self.groups:
            found.extend(list_group_items(self._message_tree, group, self._unlinked_lines))
        return found

    @cached_property
    def nodes(self) -> list[Record]:
        """List the nodes of the conversation: its records that are in the tree."""
        return [item for item in self.items if not isinstance(item, BadLine) and item.uuid]

    @cached_property
    def title(self) -> str | None:
        """Give the first words of this way alone: what was said where it parted."""
        tree, groups = self._message_tree.tree, self._message_tree.groups
        for group in self._own_groups:
            record = tree.nodes[groups[group].first]
            if groups[group].kind is GroupKind.PROMPT and isinstance(record, User):
                text = extract_typed_text(record)
                message = build_messages([record], self._message_sources)
                words = message[0].text if message else text
                if words.strip():
                    return to_one_line(words)
        return None

    def cost(self, *, agents: bool, prices: PriceList = PRICES) -> UsageTotal:
        """Price the calls of this conversation, each once.

        Args:
            agents: Whether the agents that it started are part of it, and those they started.
            prices: What models cost; by default the published prices.
        """
        records = [item for item in self.items if not isinstance(item, BadLine)]
        calls = collect_evidence(records).calls if agents else ()
        return price_path(records, calls, self._find_cost_sources(), agents=agents, prices=prices)

    @property
    def started_at(self) -> str | None:
        """Give the time of the first record that has one."""
        if self._total is not None:
            return self._total.started_at
        return next((item.timestamp for item in self.nodes if item.timestamp), None)

    @property
    def ended_at(self) -> str | None:
        """Give the newest time on the path."""
        if self._total is not None:
            return self._total.ended_at
        return max((item.timestamp for item in self.nodes if item.timestamp), default=None)


def _no_branch_point() -> tuple[BranchPoint | None, int | None]:
    return None, None


def _offset_of(item: TranscriptItem) -> int:
    return item.offset
