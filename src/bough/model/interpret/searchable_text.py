"""What text a record has, by the kind of text it is: what a search looks through.

The index asks once for every line, and a search that cannot trust the index (a regex, a mark
such as ->) asks again for what it found; both must see the same text.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.interpret.notes import extract_text, note_of
from bough.model.interpret.record_kinds import ClientRecordKind, RecordKind, classify_record
from bough.model.interpret.user_records import UserRecordKind, strip_tags
from bough.model.text.search_tokens import strip_base64
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
from bough.records.decode import blocks_of, decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, QueueOperation, System, User

TEXT_KINDS: Final = ("prompt", "text", "thinking", "tool_input", "tool_result", "note")
"""The kinds of text a record may have, in the order of the index."""
PROMPT, TEXT, THINKING, TOOL_INPUT, TOOL_RESULT, NOTE = range(len(TEXT_KINDS))


class SearchableText:
    """A record's texts by kind, None where it has none, and what was learnt on the way.

    The index keeps rows of the same calls and results, and decoding them a second time would
    cost more than all of this: `inputs` are what the calls of a message were given,
    `results` the texts of its results, each in the order of its blocks.
    """

    __slots__ = ("has_image", "inputs", "kind", "results", "texts")

    def __init__(self, kind: RecordKind) -> None:
        self.kind = kind
        self.texts: list[str] | None = None
        self.has_image = False
        self.inputs: list[Any] = []
        self.results: list[str] = []

    def add(self, kind: int, text: str) -> None:
        """Take in a text of some kind, below those that are there."""
        if not text:
            return
        if self.texts is None:
            self.texts = [""] * len(TEXT_KINDS)
        had = self.texts[kind]
        self.texts[kind] = f"{had}\n{text}" if had else text


def collect_text(record: Record) -> SearchableText | None:
    """Collect a record's texts; None for a kind of record that has none."""
    collect = _COLLECTORS.get(type(record))
    if collect is None:
        return None
    found = SearchableText(classify_record(record))
    collect(found, record)
    return found


def read_searchable_text(record: Record) -> tuple[str, ...]:
    """Give a record's texts by kind, as the index saw them; nothing where it saw none."""
    found = collect_text(record)
    return tuple(map(strip_base64, (found and found.texts) or ()))


def _collect_assistant(found: SearchableText, record: Assistant) -> None:
    for block in message_of(record).blocks:
        kind = type(block)
        if kind is ToolUse or kind is ServerToolUse:
            given = decode_plain(cast("ToolUse", block).input)
            found.inputs.append(given)
            found.add(TOOL_INPUT, _join_strings(given))
        elif kind is Text:
            found.add(TEXT, cast("Text", block).text)
        elif kind is Thinking:
            found.add(THINKING, cast("Thinking", block).thinking)
        elif isinstance(block, _SERVER_RESULTS):
            found.add(TOOL_RESULT, extract_text(block.content))
        else:
            _collect_media(found, block)


def _collect_user(found: SearchableText, record: User) -> None:
    kind = PROMPT if found.kind in PERSON_KINDS else NOTE
    for block in message_of(record).blocks:
        match block:
            case ToolResult():
                _collect_result(found, block)
            case Text():
                text = strip_tags(block.text) if found.kind in _TAGGED else block.text
                found.add(kind, text)
            case _:
                _collect_media(found, block)


def _collect_result(found: SearchableText, block: ToolResult) -> None:
    texts = []
    for inner in blocks_of(block.content):
        if isinstance(inner, Image):
            found.has_image = True
        elif isinstance(inner, Text):
            texts.append(inner.text)
    text = "\n".join(texts)
    found.results.append(text)
    found.add(TOOL_RESULT, text)


def _collect_media(found: SearchableText, block: AnyBlock) -> None:
    if isinstance(block, Image):
        found.has_image = True
    elif isinstance(block, Document):
        source = block.source
        found.add(NOTE, block.title or "")
        if source is not None and source.type == "text":
            found.add(NOTE, source.data)


def _collect_note(found: SearchableText, record: System | Attachment | QueueOperation) -> None:
    note = note_of(record)
    if note is not None:
        found.add(PROMPT if found.kind in _QUEUED else NOTE, note.text)


def _join_strings(value: Any) -> str:
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


# A tuple, and tables: this is asked of every line, and a union of classes is built anew each time.
_SERVER_RESULTS = (WebSearchResult, WebFetchResult)
_QUEUED = frozenset({ClientRecordKind.QUEUED, ClientRecordKind.SENT_FROM_QUEUE})
_TAGGED = frozenset({UserRecordKind.COMMAND, UserRecordKind.SHELL, UserRecordKind.COMMAND_OUTPUT})
_COLLECTORS: dict[type[Record], Callable[[SearchableText, Any], None]] = {
    Assistant: _collect_assistant,
    User: _collect_user,
    System: _collect_note,
    Attachment: _collect_note,
    QueueOperation: _collect_note,
}
