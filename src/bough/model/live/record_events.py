"""What a record is to somebody who watches: prompts, thoughts, words, calls and their ends.

One record may hold several events, most of the clients' own lines hold none. Calls are
remembered until their results come, so that an end can name what ended.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.content import TextBlock, build_user_blocks, text_block_of
from bough.model.interpret.notes import extract_queued_text, note_of
from bough.model.interpret.record_kinds import ClientRecordKind, RecordKind, classify_record
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, strip_tags
from bough.model.tools.call_progress import read_progress_line
from bough.model.tools.call_row import ToolView, view_of
from bough.model.tools.calls import AnyResult, AnyUse, CallResult, build_tool_block, result_of
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
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Attachment, Progress, QueueOperation, System, User

_MOST_OPEN = 1_000
_LONGEST_ERROR = 20_000


class RecordEventKind(StrEnum):
    """What happened."""

    PROMPT = "prompt"
    QUEUED = "queued"
    COMMAND = "command"
    OUTPUT = "output"
    THINKING = "thinking"
    TEXT = "text"
    TOOL = "tool"
    RESULT = "result"
    PROGRESS = "progress"
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
    """Gives the events of one transcript."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[AnyUse, str | None]] = {}
        self._shown_lines: dict[str, str] = {}

    def narrate(self, items: Iterable[Record | BadLine]) -> list[RecordEvent]:
        """List the events of a batch; a prompt queued and sent in the same batch comes once."""
        found = [event for item in items for event in self._narrate_item(item)]
        sent = {event.text.strip() for event in found if event.kind is RecordEventKind.PROMPT}
        found = [
            event
            for event in found
            if event.kind is not RecordEventKind.QUEUED or event.text.strip() not in sent
        ]
        return self._keep_newest_progress(found)

    def _keep_newest_progress(self, events: Sequence[RecordEvent]) -> list[RecordEvent]:
        """Keep of what a call shows the newest line, and only while the call runs."""
        newest = {e.call: e for e in events if e.kind is RecordEventKind.PROGRESS}
        return [
            event
            for event in events
            if event.kind is not RecordEventKind.PROGRESS
            or (newest[event.call] is event and event.call in self._calls)
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
                event = _narrate_note(item)
                if event is not None and event.text:
                    yield event
            case Progress(parent_tool_use_id=str(call)) if call in self._calls:
                yield from self._narrate_progress(item, call)
            case _:
                return

    def _narrate_answer(self, record: Assistant) -> Iterator[RecordEvent]:
        message = message_of(record)
        kind = classify_record(record)
        if kind is ClientRecordKind.API_ERROR:
            words = " ".join(b.text for b in message.blocks if isinstance(b, Text))
            yield RecordEvent(RecordEventKind.ERROR, words, record)
        if kind is not ClientRecordKind.ANSWER:
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
        self._shown_lines.pop(block.tool_use_id, None)
        use, called_at = self._calls.pop(block.tool_use_id, (ToolUse(block.tool_use_id), None))
        result = _shorten_error(result_of(record, block, dict))
        view = view_of(build_tool_block(use, result), called_at, record.cwd)
        words = view.outcome.text or view.outcome.state.value
        return RecordEvent(RecordEventKind.RESULT, words, record, block.tool_use_id, view)

    def _narrate_progress(self, record: Progress, call: str) -> Iterator[RecordEvent]:
        """Give the newest line that a call shows, unless it has shown it already."""
        line = read_progress_line(record)
        if line is not None and self._shown_lines.get(call) != line:
            self._shown_lines[call] = line
            yield RecordEvent(RecordEventKind.PROGRESS, line, record, call)

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
_NOTE_KINDS: dict[RecordKind, RecordEventKind] = {
    ClientRecordKind.SENT_FROM_QUEUE: RecordEventKind.PROMPT,
    ClientRecordKind.FAILED_HOOK: RecordEventKind.HOOK,
    ClientRecordKind.HOOKS_STOPPED: RecordEventKind.HOOK,
    ClientRecordKind.COMMAND: RecordEventKind.COMMAND,
    ClientRecordKind.COMMAND_OUTPUT: RecordEventKind.OUTPUT,
    ClientRecordKind.COMPACTION: RecordEventKind.COMPACTED,
    ClientRecordKind.RETRY: RecordEventKind.RETRY,
    ClientRecordKind.INFORMATION: RecordEventKind.NOTICE,
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
    kind = classify_record(record)
    if isinstance(record, QueueOperation):
        is_new = kind is ClientRecordKind.QUEUED and record.operation == "enqueue"
        text = extract_queued_text(record) if is_new else ""
        return RecordEvent(RecordEventKind.QUEUED, text, record) if is_new else None
    event = _NOTE_KINDS.get(kind)
    note = note_of(record) if event is not None else None
    if event is None or note is None:
        return None
    is_command = kind in (ClientRecordKind.COMMAND, ClientRecordKind.COMMAND_OUTPUT)
    return RecordEvent(event, strip_tags(note.text) if is_command else note.text, record)
