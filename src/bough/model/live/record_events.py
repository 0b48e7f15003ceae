"""What a record is to somebody who watches: prompts, thoughts, words, calls and their ends.

One record may tell several things, most of the clients' own lines tell nothing. Calls are
remembered until their results come, so that an end can name what ended.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.content import Words, user_blocks, words_of
from bough.model.interpret.notes import attached_prompt, note_of, queued_text
from bough.model.interpret.user_records import Said, said, unwrapped
from bough.model.tools.call_row import ToolView, view_of
from bough.model.tools.calls import AnyResult, AnyUse, Result, result_of, tool_block
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


class Kind(StrEnum):
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


class Told(Struct, frozen=True):
    """One thing that happened.

    `kept` is False for thinking whose words the client did not keep, or the API withheld.
    `view` and `call` are there for a call and for its result.
    """

    kind: Kind
    text: str
    item: Record | BadLine
    call: str | None = None
    view: ToolView | None = None
    kept: bool = True


class Teller:
    """Tells the records of one transcript."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[AnyUse, str | None]] = {}

    def tell(self, items: Iterable[Record | BadLine]) -> list[Told]:
        """Tell a batch; a prompt that was queued and sent in the same batch is told once."""
        found = [told for item in items for told in self._told(item)]
        sent = {told.text.strip() for told in found if told.kind is Kind.PROMPT}
        return [t for t in found if t.kind is not Kind.QUEUED or t.text.strip() not in sent]

    def _told(self, item: Record | BadLine) -> Iterator[Told]:
        match item:
            case BadLine():
                if not item.blank:
                    yield Told(Kind.BAD_LINE, f"Line {item.number}: {item.reason}", item)
            case Assistant():
                yield from self._answer(item)
            case User():
                yield from self._input(item)
            case System() | Attachment() | QueueOperation():
                told = _note(item)
                if told is not None and told.text:
                    yield told
            case _:
                return

    def _answer(self, record: Assistant) -> Iterator[Told]:
        message = message_of(record)
        if record.is_api_error_message:
            words = " ".join(b.text for b in message.blocks if isinstance(b, Text))
            yield Told(Kind.ERROR, words, record)
            return
        if message.model == SYNTHETIC:
            return
        for block in message.blocks:
            match block:
                case ToolUse() | ServerToolUse():
                    yield self._call(record, block)
                case WebSearchResult() | WebFetchResult():
                    yield self._result(record, block)
                case _:
                    yield from _words(record, block)

    def _call(self, record: Record, use: AnyUse) -> Told:
        if len(self._calls) >= _MOST_OPEN:
            del self._calls[next(iter(self._calls))]
        self._calls[use.id] = (use, record.timestamp)
        view = view_of(tool_block(use, None), record.timestamp, record.cwd)
        return Told(Kind.TOOL, f"{view.name} {view.summary}".strip(), record, use.id, view)

    def _result(self, record: Record, block: AnyResult) -> Told:
        use, called_at = self._calls.pop(block.tool_use_id, (ToolUse(block.tool_use_id), None))
        result = _shortened(result_of(record, block, dict))
        view = view_of(tool_block(use, result), called_at, record.cwd)
        words = view.outcome.text or view.outcome.state.value
        return Told(Kind.RESULT, words, record, block.tool_use_id, view)

    def _input(self, record: User) -> Iterator[Told]:
        meaning = said(record)
        if meaning is Said.RESULT:
            for block in message_of(record).blocks:
                if isinstance(block, ToolResult):
                    yield self._result(record, block)
            return
        kind = _KINDS.get(meaning)
        if kind is None:
            return
        shown = user_blocks(record, meaning)
        words = "\n".join(b.text for b in shown if isinstance(b, Words) and b.type != "note")
        if meaning is Said.SHELL:
            words = f"! {words}"
        if words.strip():
            yield Told(kind, words, record)


_KINDS = {
    Said.PROMPT: Kind.PROMPT,
    Said.COMMAND: Kind.COMMAND,
    Said.SHELL: Kind.COMMAND,
    Said.COMMAND_OUTPUT: Kind.OUTPUT,
    Said.SHELL_OUTPUT: Kind.OUTPUT,
    Said.INTERRUPT: Kind.INTERRUPTED,
    Said.NOTICE: Kind.NOTICE,
    Said.HOOK: Kind.HOOK,
}
_SYSTEM_KINDS = {
    "compact_boundary": Kind.COMPACTED,
    "api_error": Kind.RETRY,
    "informational": Kind.NOTICE,
}


def _shortened(result: Result) -> Result:
    """Cut an error that is megabytes long: its reason is looked for word by word."""
    if not result.is_error or len(result.text) <= _LONGEST_ERROR:
        return result
    return replace(result, text=result.text[:_LONGEST_ERROR])


def _words(record: Record, block: AnyBlock) -> Iterator[Told]:
    match block:
        case Thinking():
            yield Told(Kind.THINKING, block.thinking, record, kept=bool(block.thinking.strip()))
        case RedactedThinking():
            yield Told(Kind.THINKING, "", record, kept=False)
        case Text() if not block.text.strip():
            return
        case _:
            yield Told(Kind.TEXT, words_of(block, record.offset).text, record)


def _note(record: System | Attachment | QueueOperation) -> Told | None:
    kind: Kind | None = None
    match record:
        case QueueOperation():
            text = queued_text(record)
            prompt = record.operation == "enqueue" and not text.lstrip().startswith(_TASK)
            return Told(Kind.QUEUED, text, record) if prompt else None
        case Attachment():
            data = attachment_of(record)
            if data.type == "queued_command" and data.command_mode != "task-notification":
                return Told(Kind.PROMPT, attached_prompt(data), record)
            kind = Kind.HOOK if data.type in _BAD_HOOKS else None
        case System(subtype="local_command"):
            note = note_of(record)
            told = Kind.COMMAND if note is not None and note.kind == "command" else Kind.OUTPUT
            return Told(told, unwrapped(note.text), record) if note is not None else None
        case System():
            stopped = record.subtype == "stop_hook_summary" and record.prevented_continuation
            kind = Kind.HOOK if stopped else _SYSTEM_KINDS.get(record.subtype or "")
    note = note_of(record) if kind is not None else None
    return Told(kind, note.text, record) if kind is not None and note is not None else None
