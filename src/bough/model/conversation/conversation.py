"""A conversation: the way from the start of a session to one tip.

It runs through compactions, and holds every record on that way once: what the groups are
made of, the notes that hang on them, and, by their place in the file, lines that are in no
tree at all (bad lines, prompts that were only ever queued).
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Required, TypedDict, Unpack

from msgspec import Struct

from bough.model.agents.links import collect_evidence
from bough.model.conversation.messages import (
    ConversationTurn,
    Message,
    MessageSources,
    build_messages,
    count_messages_and_turns,
    group_by_turn,
)
from bough.model.interpret.notes import extract_attached_prompt, extract_queued_text, extract_text
from bough.model.interpret.user_records import extract_typed_text, parse_slash_command
from bough.model.text.formats import to_one_line
from bough.model.tree.branches import BranchPoint
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.model.usage.cost_allocator import CostSources, price_path
from bough.model.usage.costs import UsageTotal
from bough.model.usage.price_list import PRICES, PriceList
from bough.records.decode import attachment_of
from bough.records.record import BadLine, Record
from bough.records.types import Attachment, QueueOperation, System, User

TranscriptItem = Record | BadLine


class UnlinkedLines(Struct):
    """Lines outside the tree that a reader wants to see, by the group they follow."""

    by_group: dict[int, list[TranscriptItem]]


class PathFacts(TypedDict, total=False):
    """What is known of a way beside its groups: whether the client takes it, where it parts."""

    active: Required[bool]
    branch_point: BranchPoint | None
    own_from: int
    tip: str | None
    find_cost_sources: Callable[[], CostSources]


class Conversation:
    """The way to one tip; `messages` are told on first use."""

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
        self._own_from = path.get("own_from", 0)
        self.active = path["active"]
        self.branch_point = path.get("branch_point")
        self._find_cost_sources = path.get("find_cost_sources", CostSources)
        self.tip = path.get("tip")
        if self.tip is None and group != NONE:
            self.tip = tree.tree.uuid(tree.last_line(group))

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
        return count_messages_and_turns(self.items, self._message_sources)

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
        if self._group == NONE:
            return list(range(len(self._message_tree.groups)))
        return self._message_tree.path(self._group)

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
        for group in self._path[self._own_from :]:
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
        return next((item.timestamp for item in self.nodes if item.timestamp), None)

    @property
    def ended_at(self) -> str | None:
        """Give the newest time on the way."""
        return max((item.timestamp for item in self.nodes if item.timestamp), default=None)


def find_unlinked_lines(
    tree: MessageTree, records: Sequence[Record], bad_lines: Sequence[BadLine]
) -> UnlinkedLines:
    """Place the lines outside the tree after the group written last before each."""
    lines: list[TranscriptItem] = [*_find_only_queued(records), *bad_lines]
    by_knot: dict[int, list[TranscriptItem]] = {}
    if not lines:
        return UnlinkedLines(by_knot)
    starts = [
        (tree.tree.lines[number][0].offset, group)
        for number, group in enumerate(tree.group_of)
        if group != NONE
    ]
    starts.sort()
    offsets = [offset for offset, _ in starts]
    for line in lines:
        at = bisect_right(offsets, line.offset) - 1
        group = (starts[at][1] if at >= 0 else starts[0][1]) if starts else NONE
        by_knot.setdefault(group, []).append(line)
    return UnlinkedLines(by_knot)


def _find_only_queued(records: Sequence[Record]) -> list[QueueOperation]:
    """List the queued texts that appear nowhere else in the file."""
    queue = [r for r in records if isinstance(r, QueueOperation) and r.operation == "enqueue"]
    if not queue:
        return []
    said_elsewhere = {words for record in records for words in _list_texts(record)}
    found = []
    for record in queue:
        text = extract_queued_text(record).strip()
        if text and text not in said_elsewhere:
            said_elsewhere.add(text)
            found.append(record)
    return found


def _list_texts(record: Record) -> list[str]:
    """List the words of a record by which a queued text may come back; a command as typed."""
    match record:
        case User():
            text = extract_typed_text(record)
        case System(subtype="local_command"):
            text = extract_text(record.content_json)
        case Attachment():
            data = attachment_of(record)
            text = extract_attached_prompt(data) if data.type == "queued_command" else ""
        case _:
            return []
    command = parse_slash_command(text) if text.startswith("<command-") else None
    return [text.strip()] if command is None else [text.strip(), command.text]


def list_group_items(
    message_tree: MessageTree, group: int, extras: UnlinkedLines
) -> list[TranscriptItem]:
    """List the records of a group, its notes and the unlinked lines after it, in file order."""
    own = message_tree.groups[group]
    tree = message_tree.tree
    numbers = sorted([*own.nodes, *own.notes])
    beside = extras.by_group.get(group)
    if beside is None:
        return [tree.nodes[number] for number in numbers]
    found: list[tuple[int, TranscriptItem]] = [
        (tree.lines[n][0].offset, tree.nodes[n]) for n in numbers
    ]
    found += [(line.offset, line) for line in beside]
    found.sort(key=lambda pair: pair[0])
    return [item for _, item in found]


def _offset_of(item: TranscriptItem) -> int:
    return item.offset
