"""From records to rows: what the index keeps of each line.

Works line by line and keeps no history, so a file can be read in stretches of any size.
Words go to the full-text index under the kind they are: a prompt, an answer, thinking, a
call's input, a result, or a note.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Raw, Struct

from bough.ingest.outline import Outliner, pack
from bough.model.agents import ties_of
from bough.model.notes import note_of, spoken
from bough.model.prompts import STARTS_A_LINE, Said, said, unwrapped
from bough.model.text import fts_text, without_base64
from bough.model.usage import snapshots
from bough.records.blocks import (
    AnyBlock,
    Document,
    Image,
    ServerToolUse,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    WebFetchResult,
    WebSearchResult,
)
from bough.records.decode import (
    attachment_of,
    blocks_of,
    message_of,
    part,
    plain,
    progress_of,
)
from bough.records.record import BadLine, Record, camel
from bough.records.types import (
    Assistant,
    Attachment,
    Progress,
    QueueOperation,
    Summary,
    System,
    Unknown,
    User,
    kind_of,
)
from bough.store.rows import Batch

PROMPT, TEXT, THINKING, TOOL_INPUT, TOOL_RESULT, NOTE = range(6)
BAD_LINE = "bad line"

_REFUSED = re.compile(
    r"The user doesn't want to (proceed|take this action)|User rejected|\[Request interrupted"
)
_PATH_KEYS = ("file_path", "notebook_path", "path")
_TOUCHING = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead"})


class _Outcome(Struct, rename=camel):
    duration_ms: float | None = None
    total_duration_ms: float | None = None
    duration_seconds: float | None = None


class Extractor:
    """Turns the lines of one file into rows; `tools` names the calls seen so far."""

    def __init__(self, *, agent: bool, tools: dict[str, str] | None = None) -> None:
        self._agent = agent
        self._outliner = Outliner()
        self._tools = tools if tools is not None else {}
        self._ties: set[tuple[str, str, str]] = set()

    def batch(self, items: Iterable[Record | BadLine]) -> Batch:
        """Turn a stretch of lines into rows."""
        rows = Batch()
        ended: list[tuple[int, bytes]] = []
        unended: list[tuple[int, bytes]] = []
        for item in items:
            if (outline := self._outliner.outline(item)) is not None:
                unended.append((item.offset, outline))
            if isinstance(item, BadLine):
                _add_bad_line(rows, item)
            else:
                self._add(rows, item)
            if item.raw.endswith(b"\n"):
                ended += unended
                unended = []
        # A last line without its end may still grow: its outline stands alone.
        for stretch in (ended, unended):
            if stretch:
                rows.outlines.append((stretch[0][0], pack(outline for _, outline in stretch)))
        return rows

    def _add(self, rows: Batch, record: Record) -> None:
        row = _Row(record)
        match record:
            case Assistant():
                self._assistant(rows, row, record)
            case User():
                self._user(rows, row, record)
            case System():
                _system(rows, row, record)
            case Attachment():
                _attachment(rows, row, record)
            case Progress():
                _progress(rows, record)
            case QueueOperation() | Unknown():
                _note(row, record)
            case Summary() if record.leaf_uuid and record.summary:
                rows.summaries.append((record.offset, record.leaf_uuid, record.summary))
        for tie in ties_of(record):
            if tie not in self._ties:
                self._ties.add(tie)
                rows.ties.append((record.offset, *tie))
        for line in snapshots((record,), agent=self._agent):
            rows.usage.append(_usage_row(line))
        rows.records.append(row.done())
        rows.words.append(row.words_done())

    def _assistant(self, rows: Batch, row: "_Row", record: Assistant) -> None:
        message = message_of(record)
        row.model = message.model
        row.message_id = message.id
        if record.is_api_error_message:
            row.failed = 1
            detail = " ".join(b.text for b in message.blocks if isinstance(b, Text))
            kind = plain(record.error_json)
            name = kind if isinstance(kind, str) else "api_error"
            rows.troubles.append((record.offset, name, detail[:200], record.timestamp))
        for block in message.blocks:
            match block:
                case ToolUse() | ServerToolUse():
                    self._call(rows, row, record, block)
                case WebSearchResult() | WebFetchResult():
                    row.say(TOOL_RESULT, spoken(block.content))
                case Thinking():
                    row.say(THINKING, block.thinking)
                case Text():
                    row.say(TEXT, block.text)
                case _:
                    _media(row, block)

    def _call(
        self, rows: Batch, row: "_Row", record: Assistant, block: ToolUse | ServerToolUse
    ) -> None:
        self._tools[block.id] = block.name
        row.tool = block.name
        given = plain(block.input)
        row.say(TOOL_INPUT, _strings(given))
        rows.calls.append((record.offset, block.id, block.name, record.timestamp))
        if isinstance(given, dict) and block.name in _TOUCHING:
            for key in _PATH_KEYS:
                if isinstance(given.get(key), str):
                    rows.touches.append((record.offset, given[key], block.name))
                    break

    def _user(self, rows: Batch, row: "_Row", record: User) -> None:
        meaning = said(record)
        kind = PROMPT if meaning in STARTS_A_LINE else NOTE
        if meaning is Said.INTERRUPT:
            rows.troubles.append((record.offset, "interrupted", None, record.timestamp))
        for block in message_of(record).blocks:
            match block:
                case ToolResult():
                    self._result(rows, row, record, block)
                case Text():
                    tagged = meaning in (Said.COMMAND, Said.SHELL, Said.COMMAND_OUTPUT)
                    row.say(kind, unwrapped(block.text) if tagged else block.text)
                case _:
                    _media(row, block)

    def _result(self, rows: Batch, row: "_Row", record: User, block: ToolResult) -> None:
        row.tool = self._tools.get(block.tool_use_id) or row.tool
        texts = []
        for inner in blocks_of(block.content):
            if isinstance(inner, Image):
                row.image = 1
            elif isinstance(inner, Text):
                texts.append(inner.text)
        text = "\n".join(texts)
        row.say(TOOL_RESULT, text)
        failed = int(bool(block.is_error))
        row.failed = row.failed or failed
        refused = int(record.tool_denial_kind is not None or bool(failed and _REFUSED.search(text[:400])))
        rows.results.append(
            (
                record.offset,
                block.tool_use_id,
                record.timestamp,
                failed,
                refused,
                len(bytes(block.content)),
                _duration(record.tool_use_result_json),
            )
        )


class _Row:
    """One record's row while it is being filled."""

    __slots__ = ("failed", "image", "message_id", "model", "record", "tool", "words")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.model: str | None = None
        self.tool: str | None = None
        self.message_id: str | None = None
        self.failed = 0
        self.image = 0
        self.words: list[str] | None = None

    def say(self, kind: int, text: str) -> None:
        if not text:
            return
        if self.words is None:
            self.words = [""] * 6
        had = self.words[kind]
        self.words[kind] = f"{had}\n{text}" if had else text

    def done(self) -> tuple[object, ...]:
        record = self.record
        return (
            record.offset,
            len(record.raw),
            record.number,
            kind_of(record),
            record.uuid,
            record.parent_uuid,
            record.timestamp,
            self.model,
            self.tool,
            self.message_id,
            self.failed,
            self.image,
        )

    def words_done(self) -> tuple[str, str, str, str, str, str] | None:
        if self.words is None:
            return None
        prompt, text, thinking, given, result, note = (
            fts_text(without_base64(words)) if words else "" for words in self.words
        )
        return prompt, text, thinking, given, result, note


def _add_bad_line(rows: Batch, line: BadLine) -> None:
    place = (line.offset, len(line.raw), line.number, BAD_LINE)
    rows.records.append((*place, None, None, None, None, None, None, 0, 0))
    rows.words.append(None)


def _system(rows: Batch, row: _Row, record: System) -> None:
    _note(row, record)
    if record.subtype == "compact_boundary":
        metadata = record.compact_metadata
        trigger = metadata.trigger if metadata else None
        before = metadata.pre_tokens if metadata else None
        after = metadata.post_tokens if metadata else None
        rows.compactions.append(
            (record.offset, trigger, _whole(before), _whole(after), record.timestamp)
        )
    elif record.subtype == "api_error":
        row.failed = 1
        rows.troubles.append((record.offset, "retry", None, record.timestamp))
    elif record.subtype == "stop_hook_summary":
        outcome = "blocked" if record.prevented_continuation else "ok"
        failed = bool(plain(record.hook_errors_json))
        for number, info in enumerate(record.hook_infos or ()):
            how = "failed" if failed and outcome == "ok" else outcome
            rows.hooks.append(
                (record.offset, number, "Stop", info.command, how, info.duration_ms, record.timestamp)
            )


_HOOK_OUTCOMES = {
    "hook_success": "ok",
    "hook_non_blocking_error": "failed",
    "hook_blocking_error": "blocked",
    "hook_cancelled": "failed",
}


def _attachment(rows: Batch, row: _Row, record: Attachment) -> None:
    data = attachment_of(record)
    kind = PROMPT if data.type == "queued_command" and data.command_mode != "task-notification" else NOTE
    _note(row, record, kind)
    outcome = _HOOK_OUTCOMES.get(data.type)
    if outcome is not None:
        command = data.command or data.hook_name or "hook"
        rows.hooks.append(
            (record.offset, 0, data.hook_event, command, outcome, data.duration_ms, record.timestamp)
        )


def _progress(rows: Batch, record: Progress) -> None:
    data = progress_of(record)
    if data.type == "hook_progress":
        command = data.command or data.hook_name or "hook"
        rows.hooks.append(
            (record.offset, 0, data.hook_event, command, "ok", None, record.timestamp)
        )


def _note(
    row: _Row, record: System | Attachment | QueueOperation | Unknown, kind: int = NOTE
) -> None:
    note = note_of(record)
    if note is not None and not isinstance(record, Unknown):
        queued = isinstance(record, QueueOperation) and note.kind == "queued"
        row.say(PROMPT if queued else kind, note.text)


def _media(row: _Row, block: AnyBlock) -> None:
    if isinstance(block, Image):
        row.image = 1
    elif isinstance(block, Document):
        source = block.source
        row.say(NOTE, block.title or "")
        if source is not None and source.type == "text":
            row.say(NOTE, source.data)


def _usage_row(line: Any) -> tuple[object, ...]:
    tokens = line.tokens
    return (
        line.offset,
        line.message_id,
        line.request_id,
        line.model,
        line.timestamp,
        tokens.input_tokens,
        tokens.output_tokens,
        tokens.cache_creation_tokens,
        tokens.cache_read_tokens,
        tokens.cache_creation_1h_tokens,
        tokens.web_searches,
        line.speed,
        line.rank,
    )


def _duration(structured: Raw) -> float | None:
    """Find how long a tool ran, where its structured result tells."""
    if not structured or b"uration" not in bytes(structured):
        return None
    outcome = part(structured, _Outcome)
    if outcome.duration_seconds is not None:
        return outcome.duration_seconds * 1000
    return outcome.duration_ms if outcome.duration_ms is not None else outcome.total_duration_ms


def _strings(value: Any) -> str:
    """Join the texts inside a call's input."""
    if isinstance(value, str):
        return value
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))
        elif item is not None and not isinstance(item, bool):
            found.append(str(item))
    return "\n".join(found)


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


