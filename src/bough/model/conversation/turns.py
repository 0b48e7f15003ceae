"""Turns: a conversation as a person would tell it.

Where each record goes is decided in `placing`; here the turns are filled. A call is shown
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
from bough.model.conversation.turn_rules import (
    TranscriptItem,
    TurnRule,
    count_turns,
    list_answered_calls,
    rule_for,
)
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
    "TextBlock",
    "Turn",
    "TurnSources",
    "build_turns",
    "count_turns_and_prompts",
]


class Turn(Struct, gc=False):
    """One turn: who, when, which records it is made of, and what it says.

    `kind` is one of prompt, assistant, command, shell, notice, compaction, queued, hook,
    error, bad_line and meta.
    """

    kind: str
    uuid: str | None
    offset: int
    timestamp: str | None = None
    model: str | None = None
    uuids: list[str] = []
    blocks: list[ContentBlock] = []
    usage: Tokens | None = None
    ended_at: str | None = None
    duration_ms: float | None = None

    @property
    def text(self) -> str:
        """Give the words of the turn, without thinking, notes and tools."""
        return "\n\n".join(
            b.text for b in self.blocks if isinstance(b, TextBlock) and b.type == "text"
        )


class TurnSources(Struct, dict=True, eq=False):
    """What turns are told with: the tree, agents by call, kept outputs, usage by message.

    What lies in other files or has to be computed is asked for when a turn needs it: lists
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
        """Give the tokens of each message."""
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


def build_turns(items: Iterable[TranscriptItem], setting: TurnSources) -> list[Turn]:
    """Tell the turns of a conversation, its records given in order."""
    telling = _TurnBuilder(setting)
    for item in items:
        telling.add_item(item)
    telling.finish()
    return telling.turns


def count_turns_and_prompts(
    items: Iterable[TranscriptItem], setting: TurnSources
) -> tuple[int, int]:
    """Count the turns that `build_turns` would tell and those a person began, for little work."""
    return count_turns(items, lambda: setting.results.call_ids)


class _TurnBuilder:
    """The turns told so far."""

    def __init__(self, setting: TurnSources) -> None:
        self._sources = setting
        self._counted_messages: set[str] = set()
        self._turn_of_call: dict[str, Turn] = {}
        self._early_results: list[User] = []
        self._placed_uuids: set[str] = set()
        self.turns: list[Turn] = []

    def add_item(self, item: TranscriptItem) -> None:
        """Put a record into its turn."""
        place = rule_for(item)
        if place is None:
            self._set_duration(item)
        elif isinstance(item, BadLine):
            self._begin_turn(place, item).blocks += build_bad_line_blocks(item)
        elif isinstance(item, User):
            self._add_user(item, place)
        elif isinstance(item, Assistant):
            self._add_answer(item, place)
        elif place.note is not None:
            self._join_turn(place, item).blocks.append(TextBlock(place.note.block, place.note.text))

    def finish(self) -> None:
        """Keep the results whose calls never came, though they are known."""
        for record in self._early_results:
            turn = self.turns[-1] if self.turns else self._begin_turn(TurnRule("assistant"), record)
            self._add_record(turn, record)

    def _join_turn(self, place: TurnRule, record: Record) -> Turn:
        """Give the turn a record goes to, and make the record part of it."""
        if self.turns and self.turns[-1].kind in place.joins:
            turn = self.turns[-1]
            self._add_record(turn, record)
            return turn
        return self._begin_turn(place, record)

    def _begin_turn(self, place: TurnRule, item: TranscriptItem) -> Turn:
        if isinstance(item, BadLine):
            turn = Turn(place.kind, None, item.offset)
        else:
            turn = Turn(place.kind, item.uuid, item.offset, item.timestamp)
            self._add_record(turn, item)
        self.turns.append(turn)
        if place.kind == "assistant":
            for record in self._early_results:
                self._add_record(turn, record)
            self._early_results.clear()
        return turn

    def _add_record(self, turn: Turn, record: Record) -> None:
        for line in self._sources.lines.get(record.uuid or "", (record,)):
            if line.uuid is not None and line.uuid not in self._placed_uuids:
                self._placed_uuids.add(line.uuid)
                turn.uuids.append(line.uuid)
        turn.ended_at = max(turn.ended_at or "", record.timestamp or "") or None

    def _set_duration(self, item: TranscriptItem) -> None:
        """Let a line that says only how long the turn took say it of the turn."""
        if self.turns and isinstance(item, System) and item.duration_ms is not None:
            self.turns[-1].duration_ms = item.duration_ms

    def _add_answer(self, record: Assistant, place: TurnRule) -> None:
        message = message_of(record)
        turn = self._join_turn(place, record)
        turn.model = turn.model or message.model
        for block in message.blocks:
            for shown in self._build_answer_blocks(record, block):
                turn.blocks.append(shown)
                if isinstance(shown, ToolBlock):
                    self._turn_of_call[shown.id] = turn
        if message.id and message.id not in self._counted_messages:
            self._counted_messages.add(message.id)
            usage = self._sources.usage.get(message.id)
            if usage is not None:
                turn.usage = usage if turn.usage is None else turn.usage + usage

    def _build_answer_blocks(self, record: Assistant, block: AnyBlock) -> Iterable[ContentBlock]:
        match block:
            case Text() if not block.text.strip():
                return ()
            case ToolUse() | ServerToolUse():
                # An id names one call; met again, it is the same call written twice.
                shown = block.id and block.id in self._turn_of_call
                return () if shown else self._build_call_blocks(block)
            case WebSearchResult() | WebFetchResult() | ToolResult():
                known = block.tool_use_id in self._sources.results.call_ids
                return () if known else (self._build_lost_result(record, block),)
            case _:
                return (text_block_of(block, record.offset),)

    def _build_call_blocks(self, use: AnyUse) -> Iterator[ToolBlock]:
        """Show a call with its result; further results of the same call follow it."""
        setting = self._sources
        agent = setting.agents.get(use.id)
        answers = setting.results.by_call.get(use.id, [])
        if not answers:
            yield build_tool_block(use, None, agent)
        for number, block in answers:
            yield build_tool_block(
                use,
                result_of(setting.tree.nodes[number], block, setting.find_stored_outputs),
                agent,
            )

    def _add_user(self, record: User, place: TurnRule) -> None:
        meaning = place.user_kind or UserRecordKind.META
        if meaning is UserRecordKind.RESULT:
            turn = self._turn_of_result(record, place)
            if turn is None:
                self._early_results.append(record)
            else:
                turn.blocks += self._build_lost_results(record)
            return
        turn = self._join_turn(place, record)
        turn.blocks += self._build_lost_results(record)
        turn.blocks += build_user_blocks(record, meaning)

    def _turn_of_result(self, record: User, place: TurnRule) -> Turn | None:
        """Find the turn of the call a result belongs to; None where it is yet to come."""
        if self.turns and self.turns[-1].kind in place.joins:
            return self._join_turn(place, record)
        known = [
            call for call in list_answered_calls(record) if call in self._sources.results.call_ids
        ]
        turn = next((self._turn_of_call[c] for c in known if c in self._turn_of_call), None)
        if turn is not None:
            self._add_record(turn, record)
            return turn
        return None if known else self._begin_turn(place, record)

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
