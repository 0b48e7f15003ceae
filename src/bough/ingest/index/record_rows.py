"""From records to rows: what the index keeps of each line.

Works line by line and keeps no history, so a file can be read in stretches of any size.
Words go to the full-text index under the kind they are: a prompt, an answer, thinking, a
call's input, a result, or a note.
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

from msgspec.structs import astuple

from bough.ingest.index.call_rows import (
    add_agent_run,
    add_call,
    add_carried,
    add_result,
    ended_by,
    hook_row,
    whole,
)
from bough.ingest.index.outlines import Outliner, pack
from bough.model.agents.links import ties_of
from bough.model.agents.runs import AgentRun, agent_noticed, own_work
from bough.model.interpret.api_errors import INTERRUPTED, Trouble, interruption, trouble_of
from bough.model.interpret.hooks import hook_runs, hooks_fed_back
from bough.model.interpret.notes import attached_prompt, note_of, queued_text, spoken
from bough.model.interpret.user_records import STARTS_A_LINE, Said, said, unwrapped
from bough.model.text.search_tokens import fts_text, without_base64
from bough.model.usage.tokens import snapshots
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
)
from bough.records.record import BadLine, Record
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


class Extractor:
    """Turns the lines of one file into rows; `tools` names the calls seen so far.

    With `outlines`, the rows hold them too. An agent's file has no shape of its own in the
    index, and needs none.
    """

    def __init__(
        self, *, agent: bool, outlines: bool = True, tools: dict[str, str] | None = None
    ) -> None:
        self._agent = agent
        self._outliner = Outliner() if outlines and not agent else None
        self._tools = tools if tools is not None else {}
        self._ties: set[tuple[str, str, str]] = set()

    def batch(self, items: Iterable[Record | BadLine]) -> Batch:
        """Turn a stretch of lines into rows."""
        rows = Batch()
        ended: list[tuple[int, bytes]] = []
        unended: list[tuple[int, bytes]] = []
        for item in items:
            if self._outliner is not None and (outline := self._outliner.outline(item)) is not None:
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

    def texts(self, record: Record) -> tuple[str, ...]:
        """Give a record's texts by kind, as the index saw them; nothing where it saw none."""
        row = _Row(record)
        self._fill(Batch(), row, record)
        return tuple(without_base64(text) for text in row.words or ())

    def _add(self, rows: Batch, record: Record) -> None:
        row = _Row(record)
        self._fill(rows, row, record)
        if isinstance(record, _TELLS_OF_AGENTS):
            for tie in ties_of(record):
                if tie not in self._ties:
                    self._ties.add(tie)
                    rows.ties.append((record.offset, *tie))
        if isinstance(record, _REPORTS_USAGE):
            for line in snapshots((record,), agent=self._agent):
                rows.usage.append(_usage_row(line))
        rows.records.append(row.done())
        rows.words.append(row.words_done())

    def _fill(self, rows: Batch, row: "_Row", record: Record) -> None:
        if isinstance(record, Assistant):
            self._assistant(rows, row, record)
        elif isinstance(record, User):
            self._user(rows, row, record)
        elif (fill := _FILLERS.get(type(record))) is not None:
            fill(rows, row, record)

    def _assistant(self, rows: Batch, row: "_Row", record: Assistant) -> None:
        message = message_of(record)
        row.model = message.model
        row.message_id = message.id
        _add_trouble(rows, row, trouble_of(record))
        for block in message.blocks:
            kind = type(block)
            if kind is ToolUse or kind is ServerToolUse:
                self._call(rows, row, record, cast("ToolUse", block))
            elif kind is Text:
                row.say(TEXT, cast("Text", block).text)
            elif kind is Thinking:
                row.say(THINKING, cast("Thinking", block).thinking)
            elif isinstance(block, _SERVER_RESULTS):
                row.say(TOOL_RESULT, spoken(block.content))
            else:
                _media(row, block)

    def _call(
        self, rows: Batch, row: "_Row", record: Assistant, block: ToolUse | ServerToolUse
    ) -> None:
        self._tools[block.id] = block.name
        row.tool = block.name
        given = add_call(rows, record.offset, record.timestamp, block)
        row.say(TOOL_INPUT, _strings(given))

    def _user(self, rows: Batch, row: "_Row", record: User) -> None:
        meaning = said(record)
        kind = PROMPT if meaning in STARTS_A_LINE else NOTE
        if kind == PROMPT and not (self._agent or record.is_sidechain):
            rows.prompts.append((record.offset, record.uuid, record.timestamp))
        for block in message_of(record).blocks:
            match block:
                case ToolResult():
                    self._result(rows, row, record, block)
                case Text():
                    _add_told(rows, row, meaning, block.text)
                    if self._agent and (work := own_work(block.text)) is not None:
                        brief = AgentRun("", "brief", work)
                        add_agent_run(rows, record.offset, record.timestamp, brief)
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
        ended = ended_by(record, text)
        if add_result(rows, record.offset, record.timestamp, block, ended):
            row.failed = 1


def _progress(rows: Batch, _: "_Row", record: Progress) -> None:
    _add_hooks(rows, record)
    add_carried(rows, record)


def _queue(rows: Batch, row: "_Row", record: QueueOperation) -> None:
    _note(row, record)
    _add_notice(rows, record, queued_text(record))


def _summary(rows: Batch, _: "_Row", record: Summary) -> None:
    if record.leaf_uuid and record.summary:
        rows.summaries.append((record.offset, record.leaf_uuid, record.summary))


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
        words = self.words
        for kind, written in enumerate(words):
            if written:
                words[kind] = fts_text(without_base64(written))
        prompt, text, thinking, given, result, note = words
        return prompt, text, thinking, given, result, note


def _add_bad_line(rows: Batch, line: BadLine) -> None:
    place = (line.offset, len(line.raw), line.number, BAD_LINE)
    rows.records.append((*place, None, None, None, None, None, None, 0, 0))
    rows.words.append(None)


def _system(rows: Batch, row: _Row, record: System) -> None:
    _note(row, record)
    _add_hooks(rows, record)
    _add_trouble(rows, row, trouble_of(record))
    if record.subtype == "compact_boundary":
        metadata = record.compact_metadata
        trigger = metadata.trigger if metadata else None
        before = whole(metadata.pre_tokens) if metadata else None
        after = whole(metadata.post_tokens) if metadata else None
        rows.compactions.append(
            (record.offset, record.uuid, trigger, before, after, record.timestamp)
        )


def _attachment(rows: Batch, row: _Row, record: Attachment) -> None:
    data = attachment_of(record)
    _add_hooks(rows, record)
    if data.type != "queued_command":
        _note(row, record)
        return
    if data.command_mode == "task-notification":
        _note(row, record)
        _add_notice(rows, record, attached_prompt(data))
        return
    _note(row, record, PROMPT)
    rows.prompts.append((record.offset, record.uuid, record.timestamp))


def _add_hooks(rows: Batch, record: System | Attachment | Progress) -> None:
    for number, run in enumerate(hook_runs(record)):
        rows.hooks.append(hook_row(record.offset, number, run, record.timestamp))


def _add_trouble(rows: Batch, row: _Row, trouble: Trouble | None) -> None:
    if trouble is not None:
        record = row.record
        row.failed = row.failed or int(trouble.kind != INTERRUPTED)
        rows.troubles.append((record.offset, record.uuid, *astuple(trouble), record.timestamp))


def _add_told(rows: Batch, row: _Row, meaning: Said, text: str) -> None:
    """Keep what a user record tells that nobody typed: interrupts, hooks, notices."""
    record = row.record
    if meaning is Said.INTERRUPT:
        _add_trouble(rows, row, interruption(text))
    elif meaning is Said.NOTICE:
        _add_notice(rows, record, text)
    elif meaning is Said.HOOK:
        for number, run in enumerate(hooks_fed_back(text)):
            rows.hooks.append(hook_row(record.offset, number, run, record.timestamp))


def _add_notice(rows: Batch, record: Record, text: str) -> None:
    if (run := agent_noticed(text)) is not None:
        add_agent_run(rows, record.offset, record.timestamp, run)


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


# Tuples, and a table: this is asked of every line, and a union of classes is built anew each time.
_TELLS_OF_AGENTS = (User, Progress, QueueOperation)
_REPORTS_USAGE = (Assistant, Progress)
_SERVER_RESULTS = (WebSearchResult, WebFetchResult)
_FILLERS: dict[type[Record], Callable[[Batch, _Row, Any], None]] = {
    System: _system,
    Attachment: _attachment,
    Progress: _progress,
    QueueOperation: _queue,
    Unknown: lambda _, row, record: _note(row, record),
    Summary: _summary,
}
