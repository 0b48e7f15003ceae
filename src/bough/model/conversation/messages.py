"""Messages: a conversation as a person would tell it.

Where each record goes is decided in `message_rules`; here the messages are filled. A call is shown
once, with its result, wherever that stands. Nothing that was said is left out, and nothing
stands twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from bough.model.conversation.content import (
    ContentBlock,
    TextBlock,
    build_bad_line_blocks,
    build_user_blocks,
    text_block_of,
)
from bough.model.conversation.message_rules import (
    MessageRule,
    TranscriptItem,
    count_messages,
    list_answered_calls,
    rule_for,
)
from bough.model.interpret.message_kinds import BlockType, MessageKind
from bough.model.interpret.notes import Note, RetryNote
from bough.model.interpret.stop_reasons import USUAL_TIER, describe_stop, find_service_tier
from bough.model.interpret.user_records import UserRecordKind
from bough.model.tools.calls import (
    AnyResult,
    AnyUse,
    CallResults,
    FindStoredOutputs,
    ToolBlock,
    build_tool_block,
    collect_results,
    result_of,
)
from bough.model.tree.nodes import Tree
from bough.model.usage.tokens import Tokens
from bough.records.blocks import (
    AnyBlock,
    ApiMessage,
    ServerToolUse,
    Text,
    ToolResult,
    ToolUse,
    WebFetchResult,
    WebSearchResult,
)
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, System, User

__all__ = [
    "ContentBlock",
    "ConversationTurn",
    "Message",
    "MessageSources",
    "TextBlock",
    "build_messages",
    "count_messages_and_turns",
    "group_by_turn",
    "key_of",
]


class Message(Struct, gc=False):
    """One message: who, when, which records it is made of, and what it says.

    `kind` is one of prompt, assistant, command, shell, notice, compaction, queued, hook,
    error, bad_line and meta. `turn` is the key of the message that began its turn; None
    before the first.
    """

    kind: MessageKind
    uuid: str | None
    offset: int
    timestamp: str | None = None
    model: str | None = None
    uuids: list[str] = []
    blocks: list[ContentBlock] = []
    usage: Tokens | None = None
    ended_at: str | None = None
    duration_ms: float | None = None
    turn: str | None = None

    @property
    def key(self) -> str:
        """Name the message: by its uuid, a line without one by its place."""
        return key_of(self.uuid, self.offset)

    @property
    def text(self) -> str:
        """Give the words of the message, without thinking, notes and tools."""
        return "\n\n".join(
            b.text for b in self.blocks if isinstance(b, TextBlock) and b.type is BlockType.TEXT
        )


class ConversationTurn(Struct, frozen=True, eq=False):
    """A turn: what a person sent, and all messages that it led to, itself the first."""

    messages: tuple[Message, ...]

    @property
    def uuid(self) -> str | None:
        """Give the uuid of the message that began it; None where it was only ever queued."""
        return self.messages[0].uuid

    @property
    def key(self) -> str:
        """Name the turn as its messages do."""
        return self.messages[0].key

    @property
    def kind(self) -> MessageKind:
        """Tell how it was sent: prompt, queued, command or shell."""
        return self.messages[0].kind

    @property
    def timestamp(self) -> str | None:
        """Give the time at which it was sent."""
        return self.messages[0].timestamp

    @property
    def text(self) -> str:
        """Give the words that were sent."""
        return self.messages[0].text


class MessageSources(Struct, dict=True, eq=False):
    """What messages are told with: the tree, agents by call, kept outputs, usage by API call.

    What lies in other files or has to be computed is asked for when a message needs it: lists
    never do.
    """

    tree: Tree
    find_agents: Callable[[], Mapping[str, str]] = dict
    find_stored_outputs: FindStoredOutputs = dict
    find_usage: Callable[[], Mapping[str, Tokens]] = dict

    @cached_property
    def agents(self) -> Mapping[str, str]:
        """Name the agent that each call started."""
        return self.find_agents()

    @cached_property
    def usage(self) -> Mapping[str, Tokens]:
        """Give the tokens of each API call, by the id that the API gave its message."""
        return self.find_usage()

    @cached_property
    def results(self) -> CallResults:
        """Find every result of the tree, and which calls there are."""
        return collect_results(self.tree)

    @cached_property
    def lines(self) -> dict[str, list[Record]]:
        """Give, for a node that was written several times, all of its records."""
        pairs = zip(self.tree.nodes, self.tree.lines, strict=True)
        return {node.uuid or "": lines for node, lines in pairs if len(lines) > 1}


def build_messages(items: Iterable[TranscriptItem], setting: MessageSources) -> list[Message]:
    """Tell the messages of a conversation, its records given in order."""
    builder = _MessageBuilder(setting)
    for item in items:
        builder.add_item(item)
    builder.finish()
    return builder.messages


def count_messages_and_turns(
    items: Iterable[TranscriptItem], setting: MessageSources
) -> tuple[int, int]:
    """Count what `build_messages` would give, and the turns in it, for little work."""
    return count_messages(items, lambda: setting.results.call_ids).totals


def group_by_turn(messages: Iterable[Message]) -> list[ConversationTurn]:
    """Group messages into turns; those before the first turn are in none."""
    groups: dict[str, list[Message]] = {}
    for message in messages:
        if message.turn is not None:
            groups.setdefault(message.turn, []).append(message)
    return [ConversationTurn(tuple(group)) for group in groups.values()]


def key_of(uuid: str | None, offset: int) -> str:
    """Name what begins with a record: by its uuid, or by the place of its line."""
    return uuid or f"@{offset}"


class _RetryBlock(Struct):
    """Tries that failed one after another, and the block that says so."""

    last: RetryNote
    first: float
    block: TextBlock

    def joins(self, message: Message, failed: RetryNote) -> bool:
        """Tell whether a try is the next of these, with nothing said in between."""
        is_next = (failed.reason, failed.most) == (self.last.reason, self.last.most)
        is_next = is_next and failed.number == self.last.number + 1
        return is_next and bool(message.blocks) and message.blocks[-1] is self.block


class _MessageBuilder:
    """The messages told so far."""

    def __init__(self, setting: MessageSources) -> None:
        self._sources = setting
        self._counted_calls: set[str] = set()
        self._message_of_call: dict[str, Message] = {}
        self._early_results: list[User] = []
        self._placed_uuids: set[str] = set()
        self._turn: str | None = None
        self._told_stops: set[tuple[str | None, str]] = set()
        self._tier = USUAL_TIER
        self._failed_tries: _RetryBlock | None = None
        self.messages: list[Message] = []

    def add_item(self, item: TranscriptItem) -> None:
        """Put a record into its message."""
        place = rule_for(item)
        if place is None:
            self._set_duration(item)
        elif isinstance(item, BadLine):
            self._begin_message(place, item).blocks += build_bad_line_blocks(item)
        elif isinstance(item, User):
            self._add_user(item, place)
        elif isinstance(item, Assistant):
            self._add_answer(item, place)
        elif place.note is not None:
            self._add_note(self._join_message(place, item), place.note)

    def finish(self) -> None:
        """Keep the results whose calls never came, though they are known."""
        for record in self._early_results:
            message = (
                self.messages[-1]
                if self.messages
                else self._begin_message(MessageRule(MessageKind.ASSISTANT), record)
            )
            self._add_record(message, record)

    def _join_message(self, place: MessageRule, record: Record) -> Message:
        """Give the message a record goes to, and make the record part of it."""
        if self.messages and self.messages[-1].kind in place.joins:
            message = self.messages[-1]
            self._add_record(message, record)
            return message
        return self._begin_message(place, record)

    def _begin_message(self, place: MessageRule, item: TranscriptItem) -> Message:
        if isinstance(item, BadLine):
            message = Message(place.kind, None, item.offset)
        else:
            message = Message(place.kind, item.uuid, item.offset, item.timestamp)
            self._add_record(message, item)
        if place.begins_turn:
            self._turn = message.key
        message.turn = self._turn
        self.messages.append(message)
        if place.kind is MessageKind.ASSISTANT:
            for record in self._early_results:
                self._add_record(message, record)
            self._early_results.clear()
        return message

    def _add_record(self, message: Message, record: Record) -> None:
        for line in self._sources.lines.get(record.uuid or "", (record,)):
            if line.uuid is not None and line.uuid not in self._placed_uuids:
                self._placed_uuids.add(line.uuid)
                message.uuids.append(line.uuid)
        message.ended_at = max(message.ended_at or "", record.timestamp or "") or None

    def _add_note(self, message: Message, note: Note) -> None:
        """Add a line of the client's own; tries that failed for one reason are one block."""
        before = self._failed_tries
        if note.retry is not None and before is not None and before.joins(message, note.retry):
            text = note.retry.describe_since(before.first)
            before.last, before.block = note.retry, TextBlock(note.block, text)
            message.blocks[-1] = before.block
            return
        block = TextBlock(note.block, note.text)
        message.blocks.append(block)
        if note.retry is not None:
            self._failed_tries = _RetryBlock(note.retry, note.retry.number, block)

    def _set_duration(self, item: TranscriptItem) -> None:
        """Let a line that says only how long the turn took say it of the last message."""
        if self.messages and isinstance(item, System) and item.duration_ms is not None:
            self.messages[-1].duration_ms = item.duration_ms

    def _add_answer(self, record: Assistant, place: MessageRule) -> None:
        said = message_of(record)
        message = self._join_message(place, record)
        message.model = message.model or said.model
        for block in said.blocks:
            for shown in self._build_answer_blocks(record, block):
                message.blocks.append(shown)
                if isinstance(shown, ToolBlock):
                    self._message_of_call[shown.id] = message
        message.blocks += self._build_stop_notes(said)
        if said.id and said.id not in self._counted_calls:
            self._counted_calls.add(said.id)
            usage = self._sources.usage.get(said.id)
            if usage is not None:
                message.usage = usage if message.usage is None else message.usage + usage

    def _build_stop_notes(self, said: ApiMessage) -> Iterator[TextBlock]:
        """Say why a message stopped and how it was served, where that is not the usual."""
        stop, tier = describe_stop(said), find_service_tier(said)
        if stop and (said.id, stop) not in self._told_stops:
            self._told_stops.add((said.id, stop))
            yield TextBlock(BlockType.NOTE, stop)
        if tier is not None and tier != self._tier:
            self._tier = tier
            yield TextBlock(BlockType.NOTE, f"Service tier: {tier}")

    def _build_answer_blocks(self, record: Assistant, block: AnyBlock) -> Iterable[ContentBlock]:
        match block:
            case Text() if not block.text.strip():
                return ()
            case ToolUse() | ServerToolUse():
                # An id names one call; met again, it is the same call written twice.
                shown = block.id and block.id in self._message_of_call
                return () if shown else self._build_call_blocks(block, record.timestamp)
            case WebSearchResult() | WebFetchResult() | ToolResult():
                known = block.tool_use_id in self._sources.results.call_ids
                return () if known else (self._build_lost_result(record, block),)
            case _:
                return (text_block_of(block, record.offset),)

    def _build_call_blocks(self, use: AnyUse, called_at: str | None) -> Iterator[ToolBlock]:
        """Show a call with its result; further results of the same call follow it."""
        setting = self._sources
        agent = setting.agents.get(use.id)
        answers = setting.results.by_call.get(use.id, [])
        if not answers:
            yield build_tool_block(use, None, agent, called_at)
        for number, block in answers:
            yield build_tool_block(
                use,
                result_of(setting.tree.nodes[number], block, setting.find_stored_outputs),
                agent,
                called_at,
            )

    def _add_user(self, record: User, place: MessageRule) -> None:
        meaning = place.user_kind or UserRecordKind.META
        if meaning is UserRecordKind.RESULT:
            message = self._message_of_result(record, place)
            if message is None:
                self._early_results.append(record)
            else:
                message.blocks += self._build_lost_results(record)
            return
        message = self._join_message(place, record)
        message.blocks += self._build_lost_results(record)
        message.blocks += build_user_blocks(record, meaning)

    def _message_of_result(self, record: User, place: MessageRule) -> Message | None:
        """Find the message of the call a result belongs to; None where it is yet to come."""
        if self.messages and self.messages[-1].kind in place.joins:
            return self._join_message(place, record)
        known = [
            call for call in list_answered_calls(record) if call in self._sources.results.call_ids
        ]
        message = next(
            (self._message_of_call[c] for c in known if c in self._message_of_call), None
        )
        if message is not None:
            self._add_record(message, record)
            return message
        return None if known else self._begin_message(place, record)

    def _build_lost_results(self, record: User) -> list[ContentBlock]:
        """Show results whose calls are nowhere; the others are shown with their calls."""
        called = self._sources.results.call_ids
        return [
            self._build_lost_result(record, block)
            for block in message_of(record).blocks
            if isinstance(block, ToolResult) and block.tool_use_id not in called
        ]

    def _build_lost_result(self, record: Record, block: AnyResult) -> ToolBlock:
        result = result_of(record, block, self._sources.find_stored_outputs)
        return ToolBlock(id=block.tool_use_id, name="", result=result)
