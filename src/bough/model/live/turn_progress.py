"""Where one conversation stands, read from its records as they come.

A main conversation and each agent have a progress of their own. Only what the newest records
say is kept: which phase it is in, which calls wait for a result, the last thought.
Whether the client behind it still runs is another question (`bough.model.live.status`).
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bough.model.interpret.api_errors import find_failure, phrase_api_error
from bough.model.interpret.record_kinds import ClientRecordKind, RecordKind, classify_record
from bough.model.interpret.user_records import UserRecordKind, is_task_notice
from bough.model.text.times import to_utc
from bough.model.tools.call_progress import read_progress_line
from bough.model.tools.call_summary import name_call, summarize_call, to_summary_line
from bough.model.tools.calls import input_of
from bough.records.blocks import Text, Thinking, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, Progress, System, User

_ENDS = frozenset({"end_turn", "stop_sequence", "max_tokens", "refusal"})
_MOST_OPEN = 200


class Phase(StrEnum):
    """What happened last in a conversation."""

    NOTHING = "nothing"
    ASKED = "asked"
    THINKING = "thinking"
    SPEAKING = "speaking"
    CALLED = "called"
    ANSWERED = "answered"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    COMPACTED = "compacted"


ENDED = frozenset({Phase.NOTHING, Phase.DONE, Phase.STOPPED, Phase.FAILED})
"""Phases after which Claude has nothing to do."""


class OpenCall(Struct, frozen=True):
    """A call without a result: the tool, what it is about, and since when.

    `words` name it as its row does; `output` is the newest line it has shown, where it shows any.
    """

    id: str
    name: str
    about: str
    at: str | None
    words: str = ""
    output: str | None = None


class TurnProgress:
    """One conversation, or one agent's."""

    def __init__(self) -> None:
        self.phase = Phase.NOTHING
        self.at: str | None = None
        """The newest time of any record."""
        self.phase_at: str | None = None
        self.asked_at: str | None = None
        """When the turn began that goes on, or was the last."""
        self.calls: dict[str, OpenCall] = {}
        self.thought: str | None = None
        self.trouble: str | None = None
        """Why the last answer failed, or is being tried again."""
        self.compacted_by: str | None = None

    def add(self, record: Record) -> None:
        """Take one record into account."""
        at = to_utc(record.timestamp)
        if at is not None:
            self.at = max(self.at or "", at)
        kind = classify_record(record)
        match record:
            case Assistant():
                self._add_answer(record, kind, at)
            case User():
                self._add_input(record, kind, at)
            case System():
                self._add_system(record, kind, at)
            case Progress(parent_tool_use_id=str(call)) if call in self.calls:
                self._add_output(call, record)
            case _:
                return

    def _enter_phase(self, phase: Phase, at: str | None) -> None:
        if phase in ENDED or phase is Phase.ASKED:
            # What was open then will never be answered: its turn is over.
            self.calls.clear()
        if phase is not Phase.FAILED:
            self.trouble = None
        self.phase = phase
        self.phase_at = at or self.at
        if phase is Phase.ASKED:
            self.asked_at = self.phase_at

    def _add_answer(self, record: Assistant, kind: RecordKind, at: str | None) -> None:
        if kind is ClientRecordKind.API_ERROR:
            self._enter_phase(Phase.FAILED, at)
            failure = find_failure(record)
            said = (failure.detail or failure.reason) if failure is not None else None
            self.trouble = phrase_api_error(said) if said is not None else None
            return
        if kind is ClientRecordKind.SYNTHETIC:
            self._enter_phase(Phase.DONE, at)
            return
        message = message_of(record)
        for block in message.blocks:
            match block:
                case ToolUse():
                    self._enter_phase(Phase.CALLED, at)
                    self._add_open_call(block, at, record.cwd)
                case Thinking():
                    self._enter_phase(Phase.THINKING, at)
                    if block.thinking.strip():
                        self.thought = to_summary_line(block.thinking)
                case Text() if block.text.strip():
                    ended = message.stop_reason in _ENDS
                    self._enter_phase(Phase.DONE if ended else Phase.SPEAKING, at)
                case _:
                    continue

    def _add_open_call(self, block: ToolUse, at: str | None, cwd: str | None) -> None:
        if len(self.calls) >= _MOST_OPEN:
            del self.calls[next(iter(self.calls))]
        given = input_of(block.input)
        about, words = summarize_call(block.name, given), name_call(block.name, given, cwd)
        self.calls[block.id] = OpenCall(block.id, block.name, about, at, words)

    def _add_output(self, call: str, record: Progress) -> None:
        line = read_progress_line(record)
        if line is not None:
            self.calls[call] = replace(self.calls[call], output=line)

    def _add_input(self, record: User, kind: RecordKind, at: str | None) -> None:
        match kind:
            case UserRecordKind.RESULT:
                for block in message_of(record).blocks:
                    if isinstance(block, ToolResult):
                        self.calls.pop(block.tool_use_id, None)
                self._enter_phase(Phase.CALLED if self.calls else Phase.ANSWERED, at)
            case UserRecordKind.INTERRUPT:
                self._enter_phase(Phase.STOPPED, at)
            case (
                UserRecordKind.PROMPT
                | UserRecordKind.COMMAND
                | UserRecordKind.SHELL
                | UserRecordKind.HOOK
            ):
                self._enter_phase(Phase.ASKED, at)
            case UserRecordKind.COMMAND_OUTPUT | UserRecordKind.SHELL_OUTPUT:
                self._enter_phase(Phase.DONE, at)
            case UserRecordKind.SUMMARY:
                self._enter_phase(Phase.COMPACTED, at)
            case UserRecordKind.NOTICE if any(map(is_task_notice, _list_texts(record))):
                self._enter_phase(Phase.ASKED, at)
            case _:
                return

    def _add_system(self, record: System, kind: RecordKind, at: str | None) -> None:
        match kind:
            case (
                ClientRecordKind.TURN_DURATION
                | ClientRecordKind.HOOKS_RAN
                | ClientRecordKind.COMMAND_OUTPUT
            ):
                self._end_turn(at)
            case ClientRecordKind.COMPACTION:
                metadata = record.compact_metadata
                self.compacted_by = metadata.trigger if metadata else None
                self._enter_phase(Phase.COMPACTED, at)
            case ClientRecordKind.RETRY:
                failure = find_failure(record)
                self.trouble = f"tries again: {failure.reason}" if failure else None
            case _:
                return

    def _end_turn(self, at: str | None) -> None:
        if self.phase not in (Phase.FAILED, Phase.STOPPED):
            self._enter_phase(Phase.DONE, at)


def _list_texts(record: User) -> list[str]:
    return [block.text for block in message_of(record).blocks if isinstance(block, Text)]
