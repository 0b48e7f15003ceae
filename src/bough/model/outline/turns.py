"""Turns: something a person sent, and all that it led to.

The items of an outline, and how one is made of its records. What begins a turn is decided in
`bough.model.conversation.message_rules`. Steps are tool calls; calls that start an agent are
counted as agents instead. A cost includes the agents.
"""

from typing import Final

from msgspec import Struct

from bough.model.conversation.content import TextBlock, build_user_blocks
from bough.model.conversation.message_rules import MessageRule
from bough.model.conversation.messages import key_of
from bough.model.interpret.api_errors import phrase_api_error
from bough.model.interpret.message_kinds import BlockType, MessageKind
from bough.model.interpret.resume_pair import is_of_resume_pair
from bough.model.interpret.user_records import UserRecordKind, classify_user_record
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.tools.call_summary import summarize_call, to_summary_line
from bough.model.usage.cost_allocator import CallTotal
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.tokens import UsageSnapshot
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, User

OPEN: Final = "open"
INTERRUPTED: Final = "interrupted"
FAILED: Final = "failed"
CONTINUED: Final = "continued"
RETRY: Final = "retry"
_CONTINUATIONS: Final = {CONTINUED: "continued", RETRY: "another answer"}


class Turn(Struct, frozen=True, gc=False):
    """A turn, or a part of one that stands apart from its prompt.

    `kind` is prompt, command, shell or queued. Of a part that nobody began it is continued
    (what goes on after a compaction) or retry (another answer to the same prompt); it is a
    continuation, and not counted. `end` is open, interrupted or failed, empty where all went
    to its end. `active` marks that the active tip lies in it; `ends` are the last lines of
    the messages that end in it; `charged` the API calls that the cost is of.
    """

    kind: str
    uuid: str | None
    timestamp: str | None
    text: str
    end: str = ""
    ended_at: str | None = None
    steps: int = 0
    failed: int = 0
    agents: tuple[AgentSummary, ...] = ()
    cost: UsageTotal = NO_USAGE
    uuids: frozenset[str] = frozenset()
    active: bool = False
    offset: int = 0
    ends: frozenset[str] = frozenset()
    charged: tuple[UsageSnapshot, ...] = ()

    @property
    def key(self) -> str:
        """Name the turn as its messages do."""
        return key_of(self.uuid, self.offset)

    @property
    def is_continuation(self) -> bool:
        """Tell whether nobody began it: it goes on with a turn, or answers it again."""
        return self.kind in _CONTINUATIONS

    @property
    def label(self) -> str:
        """Name it in a row: by what was sent; a continuation says that it is one."""
        continuation = _CONTINUATIONS.get(self.kind)
        if continuation is None:
            return self.text or f"({self.kind})"
        return f"{continuation}: {self.text}" if self.text else continuation


class TurnBuilder:
    """A turn while its records are gone through, in order.

    `callers` says which turn made each call, so that a result is counted there even where
    something was sent in between.
    """

    def __init__(
        self, kind: str, record: Record, text: str, callers: "dict[str, TurnBuilder]"
    ) -> None:
        self.kind = kind
        self.uuid = record.uuid
        self.offset = record.offset
        self.timestamp = record.timestamp
        self.text = text
        self.records: list[Record] = []
        self.calls: dict[str, ToolUse | ServerToolUse] = {}
        self.ended_at: str | None = None
        self.ends: set[str] = set()
        self.active = False
        self._callers = callers
        self._answered_calls: set[str] = set()
        self._failed_calls: set[str] = set()
        self._has_answer = False
        self._last_end = ""

    def take(self, record: Record) -> None:
        """Add a record; what a client wrote because it resumed tells nothing of the turn."""
        self.records.append(record)
        if is_of_resume_pair(record):
            return
        if isinstance(record, User | Assistant):
            self.ended_at = max(self.ended_at or "", record.timestamp or "") or None
        if isinstance(record, Assistant):
            self._take_answer(record)
        elif isinstance(record, User):
            self._take_user(record)

    @property
    def end(self) -> str:
        """Tell how it ended, as far as the records say."""
        if self._last_end:
            return self._last_end
        asks = self.kind in (MessageKind.PROMPT, MessageKind.QUEUED) and not self._has_answer
        return OPEN if asks or self.calls.keys() - self._answered_calls else ""

    def build(self, agents: tuple[AgentSummary, ...], own: CallTotal) -> Turn:
        """Give the turn as it turned out; `own` is charged to it beside what its agents are."""
        started = {agent.call for agent in agents}
        return Turn(
            kind=self.kind,
            uuid=self.uuid,
            timestamp=self.timestamp,
            text=self.text,
            end=self.end,
            ended_at=self.ended_at,
            steps=len(self.calls.keys() - started),
            failed=len(self._failed_calls - started),
            agents=agents,
            cost=sum((agent.cost for agent in agents), own.total),
            uuids=frozenset(record.uuid for record in self.records if record.uuid),
            active=self.active,
            offset=self.offset,
            ends=frozenset(self.ends),
            charged=(*(call for agent in agents for call in agent.charged), *own.calls),
        )

    def _take_answer(self, record: Assistant) -> None:
        self._has_answer = True
        if not self.text and self.kind in _CONTINUATIONS:
            self.text = describe_answer(record)
        self._last_end = FAILED if record.is_api_error_message else ""
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse | ServerToolUse):
                self.calls.setdefault(block.id, block)
                self._callers.setdefault(block.id, self)
                if isinstance(block, ServerToolUse):
                    self._answered_calls.add(block.id)

    def _take_user(self, record: User) -> None:
        results = [block for block in message_of(record).blocks if isinstance(block, ToolResult)]
        for block in results:
            caller = self._callers.get(block.tool_use_id, self)
            caller._answered_calls.add(block.tool_use_id)  # noqa: SLF001 - another turn
            if block.is_error:
                caller._failed_calls.add(block.tool_use_id)  # noqa: SLF001
        if not results and classify_user_record(record) is UserRecordKind.INTERRUPT:
            self._last_end = INTERRUPTED


def describe_prompt(record: Record, rule: MessageRule) -> str:
    """Give the first line of what was sent, as a person would name it."""
    if rule.note is not None:
        return _cut_first_line(rule.note.text)
    if not isinstance(record, User):
        return ""
    shown = build_user_blocks(record, rule.user_kind or UserRecordKind.PROMPT)
    blocks = [block for block in shown if isinstance(block, TextBlock)]
    typed = [b.text for b in blocks if b.type is BlockType.TEXT and b.text.strip()]
    words = _cut_first_line(next(iter(typed or [block.text for block in blocks]), ""))
    return f"! {words}" if rule.kind is MessageKind.SHELL else words


def describe_answer(record: Record) -> str:
    """Give the first words of an answer, else what its first call is about."""
    blocks = message_of(record).blocks if isinstance(record, Assistant) else []
    for block in blocks:
        if isinstance(block, Text) and block.text.strip():
            is_error = isinstance(record, Assistant) and record.is_api_error_message
            return _cut_first_line(phrase_api_error(block.text) if is_error else block.text)
    for block in blocks:
        if isinstance(block, ToolUse | ServerToolUse):
            about = summarize_call(block.name, decode_plain(block.input), record.cwd)
            return f"{block.name} {about}".strip()
    return ""


def _cut_first_line(text: str) -> str:
    return to_summary_line(next((line for line in text.splitlines() if line.strip()), ""))
