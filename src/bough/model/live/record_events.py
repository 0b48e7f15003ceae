"""What a record is to somebody who watches: prompts, thoughts, words, calls and their ends.

One record may tell several things, most of the clients' own lines tell nothing. Calls are
remembered until their results come, so that an end can name what ended.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.content import TextBlock, build_user_blocks, text_block_of
from bough.model.interpret.notes import extract_attached_prompt, extract_queued_text, note_of
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, strip_tags
from bough.model.tools.call_row import ToolView, view_of
from bough.model.tools.calls import AnyResult, AnyUse, CallResult, build_tool_block, result_of
from bough.model.usage.tokens import SYNTHETIC
from bough.records.blocks import (
    AnyBlock,
    RedactedThinking,
    ServerToolUse,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    WebFetchResult,
    WebSearchResult,
)
from bough.records.decode import attachment_of, message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Attachment, QueueOperation, System, User

_MOST_OPEN = 1_000
_LONGEST_ERROR = 20_000
_TASK = "<task-notification>"
_BAD_HOOKS = frozenset({"hook_blocking_error", "hook_non_blocking_error", "hook_cancelled"})


class RecordEventKind(StrEnum):
    """What is told."""

    PROMPT = "prompt"
    QUEUED = "queued"
    COMMAND = "command"
    OUTPUT = "output"
    THINKING = "thinking"
    TEXT = "text"
    TOOL = "tool"
    RESULT = "result"
    NOTICE = "notice"
    HOOK = "hook"
    RETRY = "retry"
    ERROR = "error"
    INTERRUPTED = "interrupted"
    COMPACTED = "compacted"
    BAD_LINE = "bad_line"


class RecordEvent(Struct, frozen=True):
    """One thing that happened.

    `kept` is False for thinking whose words the client did not keep, or the API withheld.
    `view` and `call` are there for a call and for its result.
    """

    kind: RecordEventKind
    text: str
    item: Record | BadLine
    call: str | None = None
    view: ToolView | None = None
    kept: bool = True


class RecordNarrator:
    """Tells the records of one transcript."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[AnyUse, str | None]] = {}

    def narrate(self, items: Iterable[Record | BadLine]) -> list[RecordEvent]:
        """Tell a batch; a prompt that was queued and sent in the same batch is told once."""
        found = [told for item in items for told in self._narrate_item(item)]
        sent = {told.text.strip() for told in found if told.kind is RecordEventKind.PROMPT}
        return [
            t for t in found if t.kind is not RecordEventKind.QUEUED or t.text.strip() not in sent
        ]

    def _narrate_item(self, item: Record | BadLine) -> Iterator[RecordEvent]:
        match item:
            case BadLine():
                if not item.blank:
                    yield RecordEvent(
                        RecordEventKind.BAD_LINE, f"Line {item.number}: {item.reason}", item
                    )
            case Assistant():
                yield from self._narrate_answer(item)
            case User():
                yield from self._narrate_input(item)
            case System() | Attachment() | QueueOperation():
                told = _narrate_note(item)
                if told is not None and told.text:
                    yield told
            case _:
                return

    def _narrate_answer(self, record: Assistant) -> Iterator[RecordEvent]:
        message = message_of(record)
        if record.is_api_error_message:
            words = " ".join(b.text for b in message.blocks if isinstance(b, Text))
            yield RecordEvent(RecordEventKind.ERROR, words, record)
            return
        if message.model == SYNTHETIC:
            return
        for block in message.blocks:
            match block:
                case ToolUse() | ServerToolUse():
                    yield self._narrate_call(record, block)
                case WebSearchResult() | WebFetchResult():
                    yield self._narrate_result(record, block)
                case _:
                    yield from _narrate_block(record, block)

    def _narrate_call(self, record: Record, use: AnyUse) -> RecordEvent:
        if len(self._calls) >= _MOST_OPEN:
            del self._calls[next(iter(self._calls))]
        self._calls[use.id] = (use, record.timestamp)
        view = view_of(build_tool_block(use, None), record.timestamp, record.cwd)
        return RecordEvent(
            RecordEventKind.TOOL, f"{view.name} {view.summary}".strip(), record, use.id, view
        )

    def _narrate_result(self, record: Record, block: AnyResult) -> RecordEvent:
        use, called_at = self._calls.pop(block.tool_use_id, (ToolUse(block.tool_use_id), None))
        result = _shorten_error(result_of(record, block, dict))
        view = view_of(build_tool_block(use, result), called_at, record.cwd)
        words = view.outcome.text or view.outcome.state.value
        return RecordEvent(RecordEventKind.RESULT, words, record, block.tool_use_id, view)

    def _narrate_input(self, record: User) -> Iterator[RecordEvent]:
        meaning = classify_user_record(record)
        if meaning is UserRecordKind.RESULT:
            for block in message_of(record).blocks:
                if isinstance(block, ToolResult):
                    yield self._narrate_result(record, block)
            return
        kind = _KINDS.get(meaning)
        if kind is None:
            return
        shown = build_user_blocks(record, meaning)
        words = "\n".join(b.text for b in shown if isinstance(b, TextBlock) and b.type != "note")
        if meaning is UserRecordKind.SHELL:
            words = f"! {words}"
        if words.strip():
            yield RecordEvent(kind, words, record)


_KINDS = {
    UserRecordKind.PROMPT: RecordEventKind.PROMPT,
    UserRecordKind.COMMAND: RecordEventKind.COMMAND,
    UserRecordKind.SHELL: RecordEventKind.COMMAND,
    UserRecordKind.COMMAND_OUTPUT: RecordEventKind.OUTPUT,
    UserRecordKind.SHELL_OUTPUT: RecordEventKind.OUTPUT,
    UserRecordKind.INTERRUPT: RecordEventKind.INTERRUPTED,
    UserRecordKind.NOTICE: RecordEventKind.NOTICE,
    UserRecordKind.HOOK: RecordEventKind.HOOK,
}
_SYSTEM_KINDS = {
    "compact_boundary": RecordEventKind.COMPACTED,
    "api_error": RecordEventKind.RETRY,
    "informational": RecordEventKind.NOTICE,
}


def _shorten_error(result: CallResult) -> CallResult:
    """Cut an error that is megabytes long: its reason is looked for word by word."""
    if not result.is_error or len(result.text) <= _LONGEST_ERROR:
        return result
    return replace(result, text=result.text[:_LONGEST_ERROR])


def _narrate_block(record: Record, block: AnyBlock) -> Iterator[RecordEvent]:
    match block:
        case Thinking():
            yield RecordEvent(
                RecordEventKind.THINKING, block.thinking, record, kept=bool(block.thinking.strip())
            )
        case RedactedThinking():
            yield RecordEvent(RecordEventKind.THINKING, "", record, kept=False)
        case Text() if not block.text.strip():
            return
        case _:
            yield RecordEvent(
                RecordEventKind.TEXT, text_block_of(block, record.offset).text, record
            )


def _narrate_note(record: System | Attachment | QueueOperation) -> RecordEvent | None:
    kind: RecordEventKind | None = None
    match record:
        case QueueOperation():
            text = extract_queued_text(record)
            prompt = record.operation == "enqueue" and not text.lstrip().startswith(_TASK)
            return RecordEvent(RecordEventKind.QUEUED, text, record) if prompt else None
        case Attachment():
            data = attachment_of(record)
            if data.type == "queued_command" and data.command_mode != "task-notification":
                return RecordEvent(RecordEventKind.PROMPT, extract_attached_prompt(data), record)
            kind = RecordEventKind.HOOK if data.type in _BAD_HOOKS else None
        case System(subtype="local_command"):
            note = note_of(record)
            event = (
                RecordEventKind.COMMAND
                if note is not None and note.kind == "command"
                else RecordEventKind.OUTPUT
            )
            return RecordEvent(event, strip_tags(note.text), record) if note is not None else None
        case System():
            stopped = record.subtype == "stop_hook_summary" and record.prevented_continuation
            kind = RecordEventKind.HOOK if stopped else _SYSTEM_KINDS.get(record.subtype or "")
    note = note_of(record) if kind is not None else None
    return RecordEvent(kind, note.text, record) if kind is not None and note is not None else None
