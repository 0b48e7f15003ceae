"""Facts about messages that their own records do not say: whose they are, how long, how full.

A message belongs to a turn or a compaction of the path; a thought lasted from what was written
before it; the context was as full as the last request of the message was large.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.model.conversation.context_window import ContextWindow, measure_context
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.conversation.steps import is_wordless_thought
from bough.model.interpret.message_kinds import THOUGHT_TYPES
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.branch_path import OutlineItem
from bough.model.outline.session_outline import BranchOff, Compaction, SessionOutline
from bough.model.outline.turns import Turn
from bough.model.session import Agent, Session
from bough.model.text.formats import format_elapsed
from bough.model.text.times import parse_moment, seconds_between
from bough.model.tools.call_row import ToolView, view_of
from bough.model.tools.calls import ToolBlock
from bough.records.blocks import RedactedThinking, Thinking
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant

if TYPE_CHECKING:
    from bough.model.conversation.plan_files import PlanFile, PlanLink

_THOUGHTS = (Thinking, RedactedThinking)


def group_messages_by_item(
    conversations: Iterable[Conversation], items: Iterable[OutlineItem]
) -> dict[str, list[Message]]:
    """Sort messages under the item they belong to, by its key; the first conversation's count.

    An item's key is that of the message it begins with: turns of an outline and of a
    conversation are begun by the same rule.
    """
    starts = set(_list_keys(items))
    found: dict[str, list[Message]] = {}
    for conversation in conversations:
        new: dict[str, list[Message]] = {}
        early: list[Message] = []
        current: list[Message] | None = None
        for message in conversation.messages:
            begun = next((key for key in (message.key, *message.uuids) if key in starts), None)
            if begun is not None and begun not in new:
                current = new.setdefault(begun, early)
                early = []
            (early if current is None else current).append(message)
        found |= {key: messages for key, messages in new.items() if key not in found}
    return found


class ThoughtDurations:
    """How long thoughts took: each from what was written before it, unless the client says."""

    def __init__(self, conversation: Conversation) -> None:
        self._items = conversation.items
        self._places = {
            item.uuid: place
            for place, item in enumerate(self._items)
            if isinstance(item, Assistant) and item.uuid
        }

    def measure(self, message: Message) -> list[float | None]:
        """Measure the thoughts of a message, in the order in which it shows them."""
        places = (self._places.get(uuid) for uuid in message.uuids)
        return [
            seconds for place in places if place is not None for seconds in self._measure_at(place)
        ]

    def _measure_at(self, place: int) -> list[float | None]:
        record = self._items[place]
        if not isinstance(record, Assistant):
            return []
        count = sum(isinstance(block, _THOUGHTS) for block in message_of(record).blocks)
        return [self._measure_record(record, place)] * count if count else []

    def _measure_record(self, record: Assistant, place: int) -> float | None:
        if record.thinking_duration_ms is not None:
            return record.thinking_duration_ms / 1_000
        return seconds_between(self._times_before[place], record.timestamp)

    @cached_property
    def _times_before(self) -> list[str | None]:
        """Give the last time that stands before each place."""
        found: list[str | None] = []
        latest: str | None = None
        for item in self._items:
            found.append(latest)
            if not isinstance(item, BadLine) and item.timestamp:
                latest = item.timestamp
        return found


def measure_message_context(session: Session, message: Message) -> ContextWindow | None:
    """Measure how full the context was at the end of a message."""
    return measure_context(records_of(session, message))


def records_of(session: Session, message: Message) -> list[Record]:
    """List the records a message is made of, as far as they are in the tree."""
    tree = session.tree
    return [tree.nodes[tree.number[uuid]] for uuid in message.uuids if uuid in tree.number]


class ThoughtTotal(Struct, frozen=True):
    """How often and how long Claude thought, and how many of these thoughts have no words."""

    times: int = 0
    seconds: float = 0
    wordless: int = 0


class MessageFacts:
    """What the messages of some conversations are painted with, beside what they say themselves.

    Everything is made on first use: a list of pieces needs none of it. `asker` is who asks: You,
    or Brief in an agent's own conversation.
    """

    def __init__(
        self, session: Session, outline: SessionOutline, conversations: Sequence[Conversation]
    ) -> None:
        self.session = session
        self.cwd = session.cwd
        self.asker = "Brief" if isinstance(session, Agent) or session.sidechain else "You"
        self.live_at: datetime | None = None
        """The time, where Claude works on the conversation now; what it calls last then runs."""
        self.plan_marks: Mapping[str, Sequence[PlanLink | PlanFile]] = {}
        """What plans have to do with it, by the key of the turn that leads there."""
        self._outline = outline
        self.conversations = conversations
        self._last_durations: tuple[Message, Mapping[int, float | None]] | None = None

    @property
    def seen_at(self) -> datetime | None:
        """Give when times are seen from: the session's end, so that its last day has hours."""
        return parse_moment(self.session.ended_at)

    @property
    def turns(self) -> list[Turn]:
        """List the turns of all branches."""
        return self._outline.all_turns

    @property
    def agents(self) -> Mapping[str, AgentSummary]:
        """Describe the agents by the calls that started them."""
        return self._outline.agents_by_call

    @property
    def workflow_agents(self) -> Mapping[str, Sequence[AgentSummary]]:
        """Group the agents of workflows by the call they follow."""
        return self._outline.workflow_agents

    def find_running_calls(self) -> list[ToolBlock]:
        """List the calls that run: those of the last message without a result, while it works."""
        messages = self.conversations[0].messages if self.conversations else []
        if self.live_at is None or not messages:
            return []
        calls = (block for block in messages[-1].blocks if isinstance(block, ToolBlock))
        return [block for block in calls if block.result is None]

    def describe_open_call(self, block: ToolBlock) -> str:
        """Say of a call without a result how long it runs, or that none came."""
        if all(call.id != block.id for call in self.find_running_calls()):
            return "no result"
        return f"running {self._format_clock(block.timestamp)}".rstrip()

    def _format_clock(self, since: str | None) -> str:
        begun = parse_moment(since)
        if begun is None or self.live_at is None:
            return ""
        return format_elapsed((self.live_at - begun).total_seconds())

    def view_call(self, block: ToolBlock) -> ToolView:
        """Show a call as a row."""
        return view_of(block, block.timestamp, self.cwd)

    def context(self, message: Message) -> ContextWindow | None:
        """Measure how full the context was after a message."""
        return measure_message_context(self.session, message)

    def thought_durations(self, message: Message) -> Mapping[int, float | None]:
        """Measure how long each thought of a message took, by its place among the blocks.

        The pieces of a message ask one after the other, and a message may have thousands.
        """
        if self._last_durations is None or self._last_durations[0] is not message:
            self._last_durations = message, self._measure_thoughts(message)
        return self._last_durations[1]

    def sum_up_thoughts(self, answers: Iterable[Message]) -> ThoughtTotal:
        """Sum up what was thought in some answers."""
        times, seconds, wordless = 0, 0.0, 0
        for message in answers:
            measured = self.thought_durations(message)
            times += len(measured)
            seconds += sum(took or 0 for took in measured.values())
            wordless += sum(is_wordless_thought(message.blocks[number]) for number in measured)
        return ThoughtTotal(times, seconds, wordless)

    def _measure_thoughts(self, message: Message) -> Mapping[int, float | None]:
        numbers = [n for n, block in enumerate(message.blocks) if block.type in THOUGHT_TYPES]
        if not numbers:
            return {}
        measured = (thoughts.measure(message) for thoughts in self._thoughts)
        seconds = next((found for found in measured if found), [])
        return dict(zip_longest(numbers, seconds[: len(numbers)]))

    @cached_property
    def _thoughts(self) -> list[ThoughtDurations]:
        return [ThoughtDurations(conversation) for conversation in self.conversations]


def _list_keys(items: Iterable[OutlineItem]) -> Iterable[str]:
    waiting = list(items)
    while waiting:
        match waiting.pop():
            case BranchOff(branches=branches):
                waiting += [item for branch in branches for item in branch.items]
            case Turn() | Compaction() as item:
                if item.key:
                    yield item.key
