"""Turns: something a person asked, and all that it led to.

The pieces of an overview, and the collecting of one from its records. Steps are tool calls;
calls that start an agent are counted as agents instead. A bill includes the agents.
"""

from msgspec import Struct

from bough.model.conversation.content import TextBlock, build_user_blocks
from bough.model.interpret.notes import extract_attached_prompt
from bough.model.interpret.user_records import PERSON_KINDS, UserRecordKind, classify_user_record
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.tools.call_summary import summarize_call, to_summary_line
from bough.model.usage.costs import NO_COST, UsageCost
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import attachment_of, decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, User

OPEN = "open"
INTERRUPTED = "interrupted"
FAILED = "failed"


class Turn(Struct, frozen=True):
    """Something asked, and what it led to.

    `kind` is prompt, command, shell or queued; retry for another answer to the same prompt,
    continued for what goes on without a prompt. `end` is open, interrupted or failed, empty
    where all went to its end. `active` marks that the active tip lies in it.
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
    cost: UsageCost = NO_COST
    uuids: frozenset[str] = frozenset()
    active: bool = False


class TurnBuilder:
    """A turn while its records are gone through, in order."""

    def __init__(self, kind: str, record: Record, text: str) -> None:
        self.kind = kind
        self.uuid = record.uuid
        self.timestamp = record.timestamp
        self.text = text
        self.records: list[Record] = []
        self.calls: dict[str, ToolUse | ServerToolUse] = {}
        self.ended_at: str | None = None
        self._answered_calls: set[str] = set()
        self._failed_calls: set[str] = set()
        self._has_answer = False
        self._last_end = ""

    def take(self, record: Record) -> None:
        """Add a record."""
        self.records.append(record)
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
        asks = self.kind in ("prompt", "queued") and not self._has_answer
        return OPEN if asks or self.calls.keys() - self._answered_calls else ""

    def build(self, agents: tuple[AgentSummary, ...], bill: UsageCost, *, active: bool) -> Turn:
        """Give the turn as it turned out."""
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
            cost=bill,
            uuids=frozenset(record.uuid for record in self.records if record.uuid),
            active=active,
        )

    def _take_answer(self, record: Assistant) -> None:
        self._has_answer = True
        self._last_end = FAILED if record.is_api_error_message else ""
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse | ServerToolUse):
                self.calls.setdefault(block.id, block)
                if isinstance(block, ServerToolUse):
                    self._answered_calls.add(block.id)

    def _take_user(self, record: User) -> None:
        results = [block for block in message_of(record).blocks if isinstance(block, ToolResult)]
        for block in results:
            self._answered_calls.add(block.tool_use_id)
            if block.is_error:
                self._failed_calls.add(block.tool_use_id)
        if not results and classify_user_record(record) is UserRecordKind.INTERRUPT:
            self._last_end = INTERRUPTED


def begin_turn(record: Record) -> TurnBuilder | None:
    """Begin a turn where a person says something; None for all other records."""
    if isinstance(record, User):
        meaning = classify_user_record(record)
        if meaning in PERSON_KINDS:
            return TurnBuilder(str(meaning), record, _describe_prompt(record, meaning))
    elif isinstance(record, Attachment) and b"queued_command" in record.raw:
        data = attachment_of(record)
        if data.type == "queued_command" and data.command_mode != "task-notification":
            return TurnBuilder("queued", record, _cut_first_line(extract_attached_prompt(data)))
    return None


def begin_unprompted(record: Record, *, again: bool) -> TurnBuilder:
    """Begin a turn that nobody asked for: a second answer, or what just goes on."""
    return TurnBuilder("retry" if again else "continued", record, _describe_answer(record))


def _describe_prompt(record: User, meaning: UserRecordKind) -> str:
    """Give the first line of what was typed, as a person would name it."""
    blocks = [block for block in build_user_blocks(record, meaning) if isinstance(block, TextBlock)]
    typed = [block.text for block in blocks if block.type == "text" and block.text.strip()]
    words = _cut_first_line(next(iter(typed or [block.text for block in blocks]), ""))
    return f"! {words}" if meaning is UserRecordKind.SHELL else words


def _describe_answer(record: Record) -> str:
    """Give the first words of an answer, else what its first call is about."""
    blocks = message_of(record).blocks if isinstance(record, Assistant) else []
    for block in blocks:
        if isinstance(block, Text) and block.text.strip():
            return _cut_first_line(block.text)
    for block in blocks:
        if isinstance(block, ToolUse | ServerToolUse):
            about = summarize_call(block.name, decode_plain(block.input), record.cwd)
            return f"{block.name} {about}".strip()
    return ""


def _cut_first_line(text: str) -> str:
    return to_summary_line(next((line for line in text.splitlines() if line.strip()), ""))
