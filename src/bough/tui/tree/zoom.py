"""The shape of a session: its splits, tips and compactions, with what lies between only counted.

Every message of a turn, for the tree's closest view.

Talk is told in its first words. What is no talk (hooks, notes, progress, further calls of one
message, lines that were written twice) never makes a branch; here it is shown, quietly.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from bough.model.interpret.notes import note_of
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, label_prompt
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.formats import format_plural
from bough.model.tools.call_summary import summarize_call
from bough.model.tools.calls import text_of_block
from bough.records.blocks import ServerToolUse, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import blocks_of, decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, System, User
from bough.terminal.canvas import Canvas
from bough.terminal.text import lines_of
from bough.terminal.tree.graph_items import (
    GraphBranch,
    GraphCompaction,
    GraphItem,
    GraphMessage,
    GraphSplit,
    GraphTurn,
)

_DEEPEST: Final = 100


def reduce_to_shape(branch: GraphBranch, depth: int = 0) -> GraphBranch:
    """Keep of a branch what its shape is made of."""
    if depth > _DEEPEST:
        return branch
    turns = [at for at, item in enumerate(branch.items) if isinstance(item, GraphTurn)]
    ends = {turns[0], turns[-1]} if turns else set()
    kept: list[GraphItem] = []
    between = 0
    for at, item in enumerate(branch.items):
        if isinstance(item, GraphTurn) and not (
            at in ends or item.tip or _has_split_after(branch, at)
        ):
            between += not item.continued
            continue
        if isinstance(item, GraphTurn | GraphSplit | GraphCompaction) and between:
            kept.append(GraphMessage("", "", format_plural(between, "turn"), quiet=True))
            between = 0
        if isinstance(item, GraphSplit):
            kept.append(
                GraphSplit(tuple(reduce_to_shape(path, depth + 1) for path in item.branches))
            )
        elif isinstance(item, GraphTurn | GraphCompaction):
            kept.append(item)
    return GraphBranch(tuple(kept), branch.active)


def _has_split_after(branch: GraphBranch, at: int) -> bool:
    """Tell whether other ways leave right after a turn."""
    for item in branch.items[at + 1 :]:
        if isinstance(item, GraphSplit):
            return True
        if isinstance(item, GraphTurn):
            return False
    return False


_LONGEST: Final = 200


def list_messages(turn: Turn, session: Session, canvas: Canvas, short: int) -> list[GraphMessage]:
    """List the messages that follow a prompt, in the order of the file."""
    tree = session.tree
    numbers = sorted({tree.number[uuid] for uuid in turn.uuids if uuid in tree.number})
    found: list[GraphMessage] = []
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
        if written > 1:
            words = f"{words}  (written {format_plural(written, 'time')})"
        name = (record.uuid or "")[:short]
        found.append(GraphMessage(name, canvas.time(record.timestamp), words, quiet))
    return found


def _describe_record(record: Record, cwd: str | None) -> tuple[str, bool]:
    """Tell a record in its first words, and whether it is no talk."""
    match record:
        case Assistant():
            return " ".join(_describe_blocks(record, cwd)) or "(nothing said)", False
        case User():
            return _describe_user_record(record)
        case System() | Attachment():
            note = note_of(record)
            return _first_line_of(note.text) if note is not None else _name_record_kind(
                record
            ), True
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
                yield _first_line_of(block.text)
            case Thinking():
                yield f"~ {_first_line_of(block.thinking) or 'text not kept'}"
            case ToolUse() | ServerToolUse():
                about = summarize_call(block.name, decode_plain(block.input), cwd)
                yield f"{block.name} {about}".strip()
            case _:
                yield _first_line_of(text_of_block(block))


def _describe_user_record(record: User) -> tuple[str, bool]:
    results = [block for block in message_of(record).blocks if isinstance(block, ToolResult)]
    if results:
        failed = "failed: " if any(block.is_error for block in results) else "result: "
        words = (text_of_block(part) for r in results for part in blocks_of(r.content))
        return failed + _first_line_of("\n".join(words)), False
    meaning = classify_user_record(record)
    quiet = meaning in (UserRecordKind.META, UserRecordKind.HOOK, UserRecordKind.NOTICE)
    return _first_line_of(label_prompt(record)) or str(meaning), quiet


def _find_calling_message(record: Record) -> str:
    """Give the message that a record with a call belongs to."""
    if not isinstance(record, Assistant):
        return ""
    message = message_of(record)
    calls = any(isinstance(block, ToolUse | ServerToolUse) for block in message.blocks)
    return message.id or "" if calls else ""


def _first_line_of(text: str) -> str:
    return next(iter(_strip_lines(lines_of(text[: _LONGEST * 4]))), "")[:_LONGEST]


def _strip_lines(lines: Iterable[str]) -> Iterator[str]:
    return (line.strip() for line in lines if line.strip())
