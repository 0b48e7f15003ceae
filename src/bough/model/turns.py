"""Turns: a conversation as a person would tell it.

Lines of the model's messages, and the results of its calls, run together into one turn
until somebody else speaks. System lines and attachments do not end a turn, except for a
compaction and a command: they stand inside it as notes. Nothing that was said is left
out, and nothing stands twice.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from bough.model.notes import Note, note_of
from bough.model.prompts import (
    Said,
    command_of,
    ide_notes,
    said,
    typed_text,
    unwrapped,
    without_ide,
)
from bough.model.tools import (
    Picture,
    Results,
    Shelf,
    ToolBlock,
    picture_of,
    result_of,
    text_of_block,
    tool_block,
)
from bough.model.usage import Tokens
from bough.records.blocks import (
    AnyBlock,
    Document,
    Image,
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
from bough.records.types import Assistant, Attachment, QueueOperation, System, Unknown, User


class Words(Struct, frozen=True):
    """A block that is not a tool call: text, thinking, a note, an image ..."""

    type: str
    text: str
    picture: Picture | None = None


Block = Words | ToolBlock


class Turn(Struct):
    """One turn: who, when, which records it is made of, and what it says."""

    kind: str
    uuid: str | None
    offset: int
    timestamp: str | None = None
    model: str | None = None
    uuids: list[str] = []
    blocks: list[Block] = []
    usage: Tokens | None = None
    ended_at: str | None = None
    duration_ms: float | None = None

    @property
    def text(self) -> str:
        """Give the words of the turn, without thinking, notes and tools."""
        return "\n\n".join(b.text for b in self.blocks if isinstance(b, Words) and b.type == "text")


class Setting(Struct):
    """What turns are told with: results, agents, kept outputs, usage by message."""

    results: Results
    nodes: list[Record]
    agents: Mapping[str, str]
    shelf: Shelf
    usage: Mapping[str, Tokens]
    lines: Mapping[str, list[Record]] = {}


class _Telling:
    """The turns told so far; the last one may still be open."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.turns: list[Turn] = []
        self.counted: set[str] = set()
        self.open = False

    def start(self, kind: str, record: Record, blocks: list[Block]) -> Turn:
        turn = Turn(kind, record.uuid, record.offset, record.timestamp, ended_at=record.timestamp)
        turn.blocks = blocks
        self.turns.append(turn)
        self.open = kind == "assistant"
        self.belongs(turn, record)
        return turn

    def belongs(self, turn: Turn, record: Record) -> None:
        for line in self.setting.lines.get(record.uuid or "", (record,)):
            if line.uuid is not None and line.uuid not in turn.uuids:
                turn.uuids.append(line.uuid)
        turn.ended_at = max(turn.ended_at or "", record.timestamp or "") or None

    def last(self, *kinds: str) -> Turn | None:
        return self.turns[-1] if self.turns and self.turns[-1].kind in kinds else None


def tell(items: Iterable[Record | BadLine], setting: Setting) -> list[Turn]:
    """Tell the turns of a conversation, its records given in order."""
    telling = _Telling(setting)
    for item in items:
        match item:
            case BadLine():
                _tell_bad_line(telling, item)
            case Assistant():
                _tell_assistant(telling, item)
            case User():
                _tell_user(telling, item)
            case System() | Attachment() | QueueOperation() | Unknown():
                _tell_note(telling, item, note_of(item))
            case _:
                continue
    return telling.turns


def _tell_bad_line(telling: _Telling, line: BadLine) -> None:
    if line.blank:
        return
    shown = line.raw[:500].decode("utf-8", "replace").rstrip("\r\n")
    text = f"Line {line.number} cannot be read: {line.reason}."
    turn = Turn("bad_line", None, line.offset)
    turn.blocks = [Words("error", text), Words("raw", shown)]
    telling.turns.append(turn)
    telling.open = False


def _tell_assistant(telling: _Telling, record: Assistant) -> None:
    message = message_of(record)
    if message.model == "<synthetic>":
        kind = "error" if record.is_api_error_message else "notice"
        telling.start(kind, record, [Words("text", text_of_block(b)) for b in message.blocks])
        return
    turn = telling.turns[-1] if telling.open else telling.start("assistant", record, [])
    telling.belongs(turn, record)
    turn.model = turn.model or message.model
    for block in message.blocks:
        turn.blocks.extend(_answer_blocks(telling, record, block))
    if message.id and message.id not in telling.counted:
        telling.counted.add(message.id)
        usage = telling.setting.usage.get(message.id)
        if usage is not None:
            turn.usage = usage if turn.usage is None else turn.usage + usage


def _answer_blocks(telling: _Telling, record: Assistant, block: AnyBlock) -> list[Block]:
    match block:
        case Text():
            return [Words("text", block.text)] if block.text.strip() else []
        case Thinking():
            return [Words("thinking", block.thinking)]
        case RedactedThinking():
            return [Words("redacted_thinking", "")]
        case ToolUse() | ServerToolUse():
            return list(_call_blocks(telling.setting, block))
        case WebSearchResult() | WebFetchResult() if (
            block.tool_use_id in telling.setting.results.called
        ):
            return []
        case Image():
            return [_image(block, record.offset)]
        case _:
            return [Words("note", text_of_block(block))]


def _call_blocks(setting: Setting, use: ToolUse | ServerToolUse) -> Iterable[ToolBlock]:
    """Show a call with its result; further results of the same call follow it."""
    agent = setting.agents.get(use.id)
    answers = setting.results.by_call.get(use.id, [])
    results = [result_of(setting.nodes[n], block, setting.shelf) for n, block in answers]
    for result in results or [None]:
        yield tool_block(use, result, agent)


def _tell_user(telling: _Telling, record: User) -> None:
    meaning = said(record)
    text = typed_text(record)
    match meaning:
        case Said.RESULT:
            _tell_result(telling, record)
        case Said.PROMPT:
            telling.start("prompt", record, _prompt_blocks(record))
        case Said.COMMAND:
            command = command_of(text)
            shown = command.text if command else text
            extra = [b for b in _prompt_blocks(record) if b.type not in ("text", "tool")]  # type: ignore[union-attr]
            telling.start("command", record, [Words("text", shown), *extra])
        case Said.SHELL:
            telling.start("shell", record, [Words("text", unwrapped(text).strip())])
        case Said.COMMAND_OUTPUT:
            _append(telling, record, ("command",), Words("output", unwrapped(text)), "notice")
        case Said.SHELL_OUTPUT:
            _append(telling, record, ("shell",), Words("output", unwrapped(text)), "notice")
        case Said.SUMMARY:
            _append(telling, record, ("compaction",), Words("summary", text), "compaction")
        case Said.HOOK:
            telling.start("hook", record, [Words("hook", unwrapped(text))])
        case Said.META:
            _tell_meta(telling, record, text)
        case Said.INTERRUPT | Said.NOTICE:
            telling.start("notice", record, _prompt_blocks(record))


def _append(
    telling: _Telling, record: Record, kinds: tuple[str, ...], block: Words, otherwise: str
) -> None:
    """Add a block to the turn it belongs to, else make it a turn of its own."""
    turn = telling.last(*kinds)
    if turn is None:
        telling.start(otherwise, record, [block])
    else:
        turn.blocks.append(block)
        telling.belongs(turn, record)


def _tell_meta(telling: _Telling, record: User, text: str) -> None:
    """Show text the client put in; what a tool caused stays inside the tool's turn."""
    blocks = _prompt_blocks(record)
    notes = [Words("note", b.text, b.picture) for b in blocks if isinstance(b, Words)]
    turn = telling.turns[-1] if telling.open and record.source_tool_use_id else None
    if turn is None:
        telling.start("meta", record, list(notes) or [Words("note", text)])
    else:
        turn.blocks.extend(notes)
        telling.belongs(turn, record)


def _tell_result(telling: _Telling, record: User) -> None:
    """Let a result's record belong to the turn of its call, which shows it."""
    rest: list[Block] = []
    results = telling.setting.results
    for block in message_of(record).blocks:
        if not isinstance(block, ToolResult):
            rest.append(_prompt_block(record, block))
        elif block.tool_use_id not in results.called:
            lost = result_of(record, block, telling.setting.shelf)
            rest.append(ToolBlock(id=block.tool_use_id, name="", result=lost))
    turn = telling.turns[-1] if telling.open else None
    if turn is None:
        turn = _turn_of_call(telling, record)
    if turn is None:
        telling.start("assistant", record, rest)
        return
    turn.blocks.extend(rest)
    telling.belongs(turn, record)


def _turn_of_call(telling: _Telling, record: User) -> Turn | None:
    wanted = {b.tool_use_id for b in message_of(record).blocks if isinstance(b, ToolResult)}
    for turn in reversed(telling.turns):
        if any(isinstance(b, ToolBlock) and b.id in wanted for b in turn.blocks):
            return turn
    return None


def _tell_note(
    telling: _Telling, record: System | Attachment | QueueOperation | Unknown, note: Note | None
) -> None:
    if note is None:
        if isinstance(record, System) and record.duration_ms is not None and telling.turns:
            telling.turns[-1].duration_ms = record.duration_ms
        return
    block = Words(note.block, note.text)
    if note.ends_turn:
        if note.joins and (turn := telling.last(note.joins)) is not None:
            turn.blocks.append(block)
            telling.belongs(turn, record)
            return
        telling.start(note.kind, record, [block])
        return
    turn = telling.turns[-1] if telling.open else telling.last("prompt", "command", "queued")
    if turn is None:
        telling.start(note.kind, record, [block])
    else:
        turn.blocks.append(block)
        telling.belongs(turn, record)


def _prompt_blocks(record: User) -> list[Block]:
    return [shown for b in message_of(record).blocks for shown in _split_ide(record, b)]


def _split_ide(record: User, block: AnyBlock) -> list[Block]:
    """Show what an editor reported as notes, apart from what was typed."""
    if not isinstance(block, Text) or not block.text.lstrip().startswith("<ide_"):
        return [_prompt_block(record, block)]
    rest = without_ide(block.text)
    notes: list[Block] = [Words("note", note) for note in ide_notes(block.text)]
    return [*notes, Words("text", rest)] if rest.strip() else notes


def _prompt_block(record: User, block: AnyBlock) -> Block:
    match block:
        case Text():
            return Words("text", block.text)
        case Image():
            return _image(block, record.offset)
        case Document():
            return Words("document", text_of_block(block))
        case Thinking():
            return Words("thinking", block.thinking)
        case _:
            return Words("note", text_of_block(block))


def _image(block: Image, offset: int) -> Words:
    picture = picture_of(block, offset)
    kind = picture.media_type.rpartition("/")[2].upper() or "unknown kind"
    return Words("image", f"Image, {kind}", picture)
