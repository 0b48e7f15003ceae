"""What a record says: the blocks that a turn shows of it.

All words of a block, for finding some of them.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bough.model.interpret.user_records import (
    Said,
    command_of,
    ide_notes,
    typed_text,
    unwrapped,
    without_ide,
)
from bough.model.tools.calls import Picture, ToolBlock, picture_of, text_of_block
from bough.records.blocks import (
    AnyBlock,
    Document,
    Image,
    RedactedThinking,
    Text,
    Thinking,
    ToolResult,
)
from bough.records.decode import message_of
from bough.records.record import BadLine
from bough.records.types import User

_RAW_SHOWN = 500


class Words(Struct, frozen=True, gc=False):
    """A block that is not a tool call.

    Its `type` is text, thinking, redacted_thinking, image, document, note, output (of a
    command), summary or seam (of a compaction), hook, error or raw (a bad line's bytes).
    """

    type: str
    text: str
    picture: Picture | None = None


Block = Words | ToolBlock

_WHOLE = {
    Said.SHELL: "text",
    Said.COMMAND_OUTPUT: "output",
    Said.SHELL_OUTPUT: "output",
    Said.SUMMARY: "summary",
    Said.HOOK: "hook",
}
"""What is shown as one block, its tags taken off."""


def bad_line_blocks(line: BadLine) -> list[Block]:
    """Show that a line cannot be read, why, and how it begins."""
    shown = line.raw[:_RAW_SHOWN].decode("utf-8", "replace").rstrip("\r\n")
    text = f"Line {line.number} cannot be read: {line.reason}."
    return [Words("error", text), Words("raw", shown)]


def user_blocks(record: User, meaning: Said) -> list[Block]:
    """Show what a user record says, results left to their calls."""
    inner: Sequence[AnyBlock] = message_of(record).blocks
    blocks = [block for block in inner if not isinstance(block, ToolResult)]
    if meaning is Said.COMMAND:
        return _command_blocks(record, blocks)
    if meaning is Said.META:
        return [_as_note(shown) for b in blocks for shown in _prompt_blocks(b, record.offset)]
    if meaning in _WHOLE:
        text = "\n".join(block.text for block in blocks if isinstance(block, Text))
        return [Words(_WHOLE[meaning], unwrapped(text)), *_media(blocks, record.offset)]
    return [shown for block in blocks for shown in _prompt_blocks(block, record.offset)]


def words_of(block: AnyBlock, offset: int) -> Words:
    """Show a block as it is, whoever said it."""
    match block:
        case Text():
            return Words("text", block.text)
        case Thinking():
            return Words("thinking", block.thinking)
        case RedactedThinking():
            return Words("redacted_thinking", "")
        case Image():
            picture = picture_of(block, offset)
            kind = picture.media_type.rpartition("/")[2].upper() or "unknown kind"
            return Words("image", f"Image, {kind}", picture)
        case Document():
            return Words("document", text_of_block(block))
        case _:
            return Words("note", text_of_block(block))


def _command_blocks(record: User, blocks: Sequence[AnyBlock]) -> list[Block]:
    text = typed_text(record)
    command = command_of(text.lstrip())
    shown = Words("text", command.text if command else text)
    return [shown, *_media(blocks, record.offset)]


def _media(blocks: Sequence[AnyBlock], offset: int) -> list[Block]:
    return [words_of(block, offset) for block in blocks if not isinstance(block, Text)]


def _prompt_blocks(block: AnyBlock, offset: int) -> list[Block]:
    """Show what an editor reported as notes, apart from what was typed."""
    if not isinstance(block, Text) or not block.text.lstrip().startswith("<ide_"):
        return [words_of(block, offset)]
    rest = without_ide(block.text)
    notes: list[Block] = [Words("note", note) for note in ide_notes(block.text)]
    return [*notes, Words("text", rest)] if rest.strip() else notes


def _as_note(block: Block) -> Block:
    if isinstance(block, Words) and block.type == "text":
        return Words("note", block.text)
    return block


def block_text(block: Block) -> str:
    """Give all words of a block: of a call its name, what it was given and what came back."""
    if isinstance(block, Words):
        return block.text
    given = block.input
    text = given if isinstance(given, str) else "\n".join(_leaves(given))
    result = block.result.text if block.result is not None else ""
    return f"{block.name} {text}\n{result}"


def _leaves(value: object) -> list[str]:
    """List the words in a JSON value, however deep."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str):
            found.append(one)
        elif one is not None:
            found.append(msgspec.json.encode(one).decode())
    return found
