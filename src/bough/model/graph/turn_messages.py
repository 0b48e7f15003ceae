"""Every message of a turn, for the closest view of a tree.

Talk is given in its first words. What is no talk (hooks, notes, progress, further calls of one
message) never makes a branch; it is shown, quietly.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from bough.model.interpret.notes import note_of
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, label_prompt
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.tools.call_summary import summarize_call
from bough.model.tools.calls import text_of_block
from bough.records.blocks import ServerToolUse, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import blocks_of, decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, System, User

_LONGEST: Final = 200


class TurnMessage(Struct, frozen=True):
    """One record of a turn; a `quiet` one is no talk. `written` counts its lines in the file."""

    uuid: str | None
    timestamp: str | None
    text: str
    quiet: bool = False
    written: int = 1


def list_turn_messages(turn: Turn, session: Session) -> list[TurnMessage]:
    """List the messages that follow a prompt, in the order of the file."""
    tree = session.tree
    numbers = sorted({tree.number[uuid] for uuid in turn.uuids if uuid in tree.number})
    found: list[TurnMessage] = []
    calling = ""
    for number in numbers:
        record = tree.nodes[number]
        if record.uuid == turn.uuid:
            continue
        words, quiet = _describe_record(record, session.cwd)
        call = _find_calling_message(record)
        if call and call == calling:
            quiet = True  # one message that calls several tools
        calling = call or calling
        written = len(tree.lines[number])
        found.append(TurnMessage(record.uuid, record.timestamp, words, quiet, written))
    return found


def find_last_answer(turn: Turn, session: Session) -> str:
    """Give how a turn ended: the last that Claude said in it."""
    tree = session.tree
    numbers = sorted((tree.number[u] for u in turn.uuids if u in tree.number), reverse=True)
    for text in _iter_texts(tree.nodes[number] for number in numbers):
        if text.strip():
            return text
    return ""


def _iter_texts(records: Iterable[Record]) -> Iterator[str]:
    for record in records:
        if isinstance(record, Assistant):
            yield from (b.text for b in reversed(message_of(record).blocks) if isinstance(b, Text))


def _describe_record(record: Record, cwd: str | None) -> tuple[str, bool]:
    """Give the first words of a record, and whether it is no talk."""
    match record:
        case Assistant():
            return " ".join(_describe_blocks(record, cwd)) or "(nothing said)", False
        case User():
            return _describe_user_record(record)
        case System() | Attachment():
            note = note_of(record)
            words = _cut_first_line(note.text) if note is not None else _name_record_kind(record)
            return words, True
        case _:
            return _name_record_kind(record), True


def _name_record_kind(record: Record) -> str:
    """Name the kind of a record that says nothing."""
    subtype = getattr(record, "subtype", None)
    return str(subtype or type(record).__name__).replace("_", " ").lower()


def _describe_blocks(record: Assistant, cwd: str | None) -> Iterator[str]:
    for block in message_of(record).blocks:
        match block:
            case Text():
                yield _cut_first_line(block.text)
            case Thinking():
                yield f"~ {_cut_first_line(block.thinking) or 'text not kept'}"
            case ToolUse() | ServerToolUse():
                about = summarize_call(block.name, decode_plain(block.input), cwd)
                yield f"{block.name} {about}".strip()
            case _:
                yield _cut_first_line(text_of_block(block))


def _describe_user_record(record: User) -> tuple[str, bool]:
    results = [block for block in message_of(record).blocks if isinstance(block, ToolResult)]
    if results:
        failed = "failed: " if any(block.is_error for block in results) else "result: "
        words = (text_of_block(part) for r in results for part in blocks_of(r.content))
        return failed + _cut_first_line("\n".join(words)), False
    meaning = classify_user_record(record)
    quiet = meaning in (UserRecordKind.META, UserRecordKind.HOOK, UserRecordKind.NOTICE)
    return _cut_first_line(label_prompt(record)) or str(meaning), quiet


def _find_calling_message(record: Record) -> str:
    """Give the message that a record with a call belongs to."""
    if not isinstance(record, Assistant):
        return ""
    message = message_of(record)
    calls = any(isinstance(block, ToolUse | ServerToolUse) for block in message.blocks)
    return message.id or "" if calls else ""


def _cut_first_line(text: str) -> str:
    lines = (line.strip() for line in text[: _LONGEST * 4].splitlines())
    return next((line for line in lines if line), "")[:_LONGEST]
