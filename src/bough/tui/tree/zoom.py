"""The shape of a session: its splits, tips and seams, with what lies between only counted.

Every message of a turn, for the tree's closest view.

Talk is told in its first words. What is no talk (hooks, notes, progress, further calls of one
message, lines that were written twice) never makes a branch; here it is shown, quietly.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from bough.model.conversation.exchanges import Exchange
from bough.model.interpret.notes import note_of
from bough.model.interpret.user_records import Said, asked_words, said
from bough.model.session import Session
from bough.model.tools.call_summary import about
from bough.model.tools.calls import text_of_block
from bough.records.blocks import ServerToolUse, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import blocks_of, message_of, plain
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, System, User
from bough.tui.style.style import (
    DrawnBranch,
    DrawnItem,
    DrawnMessage,
    DrawnSeam,
    DrawnSplit,
    DrawnTurn,
    Sheet,
    lines_of,
    plural,
)

_DEEPEST: Final = 100


def shaped(branch: DrawnBranch, depth: int = 0) -> DrawnBranch:
    """Keep of a branch what its shape is made of."""
    if depth > _DEEPEST:
        return branch
    turns = [at for at, item in enumerate(branch.items) if isinstance(item, DrawnTurn)]
    ends = {turns[0], turns[-1]} if turns else set()
    kept: list[DrawnItem] = []
    between = 0
    for at, item in enumerate(branch.items):
        if isinstance(item, DrawnTurn) and not (at in ends or item.tip or _parts(branch, at)):
            between += 1
            continue
        if isinstance(item, DrawnTurn | DrawnSplit | DrawnSeam) and between:
            kept.append(DrawnMessage("", "", plural(between, "turn"), quiet=True))
            between = 0
        if isinstance(item, DrawnSplit):
            kept.append(DrawnSplit(tuple(shaped(way, depth + 1) for way in item.ways)))
        elif isinstance(item, DrawnTurn | DrawnSeam):
            kept.append(item)
    return DrawnBranch(tuple(kept), branch.active)


def _parts(branch: DrawnBranch, at: int) -> bool:
    """Tell whether other ways leave right after a turn."""
    for item in branch.items[at + 1 :]:
        if isinstance(item, DrawnSplit):
            return True
        if isinstance(item, DrawnTurn):
            return False
    return False


_LONGEST: Final = 200


def messages_of(
    exchange: Exchange, session: Session, sheet: Sheet, short: int
) -> list[DrawnMessage]:
    """List the messages that follow a prompt, in the order of the file."""
    tree = session.tree
    numbers = sorted({tree.number[uuid] for uuid in exchange.uuids if uuid in tree.number})
    found: list[DrawnMessage] = []
    calling = ""
    for number in numbers:
        record = tree.nodes[number]
        if record.uuid == exchange.uuid:
            continue
        words, quiet = _told(record, session.cwd)
        call = _calling(record)
        if call and call == calling:
            quiet = True  # one message that calls several tools
        calling = call or calling
        written = len(tree.lines[number])
        if written > 1:
            words = f"{words}  (written {plural(written, 'time')})"
        name = (record.uuid or "")[:short]
        found.append(DrawnMessage(name, sheet.time(record.timestamp), words, quiet))
    return found


def _told(record: Record, cwd: str | None) -> tuple[str, bool]:
    """Tell a record in its first words, and whether it is no talk."""
    match record:
        case Assistant():
            return " ".join(_said_by(record, cwd)) or "(nothing said)", False
        case User():
            return _of_user(record)
        case System() | Attachment():
            note = note_of(record)
            return _first(note.text) if note is not None else _kind(record), True
        case _:
            return _kind(record), True


def _kind(record: Record) -> str:
    """Name the kind of a record that says nothing."""
    subtype = getattr(record, "subtype", None)
    return str(subtype or type(record).__name__).replace("_", " ").lower()


def _said_by(record: Assistant, cwd: str | None) -> Iterator[str]:
    for block in message_of(record).blocks:
        match block:
            case Text():
                yield _first(block.text)
            case Thinking():
                yield f"~ {_first(block.thinking) or 'text not kept'}"
            case ToolUse() | ServerToolUse():
                yield f"{block.name} {about(block.name, plain(block.input), cwd)}".strip()
            case _:
                yield _first(text_of_block(block))


def _of_user(record: User) -> tuple[str, bool]:
    results = [block for block in message_of(record).blocks if isinstance(block, ToolResult)]
    if results:
        failed = "failed: " if any(block.is_error for block in results) else "result: "
        words = (text_of_block(part) for r in results for part in blocks_of(r.content))
        return failed + _first("\n".join(words)), False
    meaning = said(record)
    quiet = meaning in (Said.META, Said.HOOK, Said.NOTICE)
    return _first(asked_words(record)) or str(meaning), quiet


def _calling(record: Record) -> str:
    """Give the message that a record with a call belongs to."""
    if not isinstance(record, Assistant):
        return ""
    message = message_of(record)
    calls = any(isinstance(block, ToolUse | ServerToolUse) for block in message.blocks)
    return message.id or "" if calls else ""


def _first(text: str) -> str:
    return next(iter(_lines(lines_of(text[: _LONGEST * 4]))), "")[:_LONGEST]


def _lines(lines: Iterable[str]) -> Iterator[str]:
    return (line.strip() for line in lines if line.strip())
