"""Exchanges: something a person asked, and all that it led to.

The pieces of an overview, and the collecting of one from its records. Steps are tool calls;
calls that start an agent are counted as agents instead. A bill includes the agents.
"""

from msgspec import Struct

from bough.model.agents.summaries import SentOut
from bough.model.conversation.content import Words, user_blocks
from bough.model.interpret.notes import attached_prompt
from bough.model.interpret.user_records import STARTS_A_LINE, Said, said
from bough.model.tools.call_summary import about, one_line
from bough.model.usage.costs import NOTHING, Bill
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import attachment_of, message_of, plain
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, User

OPEN = "open"
INTERRUPTED = "interrupted"
FAILED = "failed"


class Exchange(Struct, frozen=True):
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
    agents: tuple[SentOut, ...] = ()
    bill: Bill = NOTHING
    uuids: frozenset[str] = frozenset()
    active: bool = False


class Collecting:
    """An exchange while its records are gone through, in order."""

    def __init__(self, kind: str, record: Record, text: str) -> None:
        self.kind = kind
        self.uuid = record.uuid
        self.timestamp = record.timestamp
        self.text = text
        self.records: list[Record] = []
        self.calls: dict[str, ToolUse | ServerToolUse] = {}
        self.ended_at: str | None = None
        self._answered: set[str] = set()
        self._failed: set[str] = set()
        self._heard = False
        self._last = ""

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
        if self._last:
            return self._last
        asks = self.kind in ("prompt", "queued") and not self._heard
        return OPEN if asks or self.calls.keys() - self._answered else ""

    def finished(self, agents: tuple[SentOut, ...], bill: Bill, *, active: bool) -> Exchange:
        """Give the exchange as it turned out."""
        started = {agent.call for agent in agents}
        return Exchange(
            kind=self.kind,
            uuid=self.uuid,
            timestamp=self.timestamp,
            text=self.text,
            end=self.end,
            ended_at=self.ended_at,
            steps=len(self.calls.keys() - started),
            failed=len(self._failed - started),
            agents=agents,
            bill=bill,
            uuids=frozenset(record.uuid for record in self.records if record.uuid),
            active=active,
        )

    def _take_answer(self, record: Assistant) -> None:
        self._heard = True
        self._last = FAILED if record.is_api_error_message else ""
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse | ServerToolUse):
                self.calls.setdefault(block.id, block)
                if isinstance(block, ServerToolUse):
                    self._answered.add(block.id)

    def _take_user(self, record: User) -> None:
        results = [block for block in message_of(record).blocks if isinstance(block, ToolResult)]
        for block in results:
            self._answered.add(block.tool_use_id)
            if block.is_error:
                self._failed.add(block.tool_use_id)
        if not results and said(record) is Said.INTERRUPT:
            self._last = INTERRUPTED


def begun_by(record: Record) -> Collecting | None:
    """Begin an exchange where a person says something; None for all other records."""
    if isinstance(record, User):
        meaning = said(record)
        if meaning in STARTS_A_LINE:
            return Collecting(str(meaning), record, _asked(record, meaning))
    elif isinstance(record, Attachment) and b"queued_command" in record.raw:
        data = attachment_of(record)
        if data.type == "queued_command" and data.command_mode != "task-notification":
            return Collecting("queued", record, _first_line(attached_prompt(data)))
    return None


def begun_without(record: Record, *, again: bool) -> Collecting:
    """Begin an exchange that nobody asked for: a second answer, or what just goes on."""
    return Collecting("retry" if again else "continued", record, _answered(record))


def _asked(record: User, meaning: Said) -> str:
    """Give the first line of what was typed, as a person would name it."""
    blocks = [block for block in user_blocks(record, meaning) if isinstance(block, Words)]
    typed = [block.text for block in blocks if block.type == "text" and block.text.strip()]
    words = _first_line(next(iter(typed or [block.text for block in blocks]), ""))
    return f"! {words}" if meaning is Said.SHELL else words


def _answered(record: Record) -> str:
    """Give the first words of an answer, else what its first call is about."""
    blocks = message_of(record).blocks if isinstance(record, Assistant) else []
    for block in blocks:
        if isinstance(block, Text) and block.text.strip():
            return _first_line(block.text)
    for block in blocks:
        if isinstance(block, ToolUse | ServerToolUse):
            return f"{block.name} {about(block.name, plain(block.input), record.cwd)}".strip()
    return ""


def _first_line(text: str) -> str:
    return one_line(next((line for line in text.splitlines() if line.strip()), ""))
