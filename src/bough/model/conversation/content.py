"""What a record says: the blocks that a message shows of it, and all words of a block."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from bough.model.interpret.message_kinds import BlockType
from bough.model.interpret.user_records import (
    UserRecordKind,
    extract_ide_notes,
    extract_typed_text,
    parse_slash_command,
    strip_ide_notes,
    strip_tags,
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


class TextBlock(Struct, frozen=True, gc=False):
    """A block that is not a tool call.

    Its `type` is text, thinking, redacted_thinking, image, document, note, output (of a
    command), summary or compaction (of a compaction), hook, error or raw (a bad line's bytes).
    """

    type: BlockType
    text: str
    picture: Picture | None = None


ContentBlock = TextBlock | ToolBlock

_SINGLE_BLOCK_TYPES = {
    UserRecordKind.SHELL: BlockType.TEXT,
    UserRecordKind.COMMAND_OUTPUT: BlockType.OUTPUT,
    UserRecordKind.SHELL_OUTPUT: BlockType.OUTPUT,
    UserRecordKind.SUMMARY: BlockType.SUMMARY,
    UserRecordKind.HOOK: BlockType.HOOK,
}
"""What is shown as one block, its tags taken off."""


def build_bad_line_blocks(line: BadLine) -> list[ContentBlock]:
    """Show that a line cannot be read, why, and how it begins."""
    shown = line.raw[:_RAW_SHOWN].decode("utf-8", "replace").rstrip("\r\n")
    text = f"Line {line.number} cannot be read: {line.reason}."
    return [TextBlock(BlockType.ERROR, text), TextBlock(BlockType.RAW, shown)]


def build_user_blocks(record: User, meaning: UserRecordKind) -> list[ContentBlock]:
    """Show what a user record says, results left to their calls."""
    inner: Sequence[AnyBlock] = message_of(record).blocks
    blocks = [block for block in inner if not isinstance(block, ToolResult)]
    if meaning is UserRecordKind.COMMAND:
        return _build_command_blocks(record, blocks)
    if meaning is UserRecordKind.META:
        return [_to_note(shown) for b in blocks for shown in _build_prompt_blocks(b, record.offset)]
    if meaning in _SINGLE_BLOCK_TYPES:
        text = "\n".join(block.text for block in blocks if isinstance(block, Text))
        return [
            TextBlock(_SINGLE_BLOCK_TYPES[meaning], strip_tags(text)),
            *_build_media_blocks(blocks, record.offset),
        ]
    return [shown for block in blocks for shown in _build_prompt_blocks(block, record.offset)]


def text_block_of(block: AnyBlock, offset: int) -> TextBlock:
    """Show a block as it is, whoever said it."""
    match block:
        case Text():
            return TextBlock(BlockType.TEXT, block.text)
        case Thinking():
            return TextBlock(BlockType.THINKING, block.thinking)
        case RedactedThinking():
            return TextBlock(BlockType.REDACTED_THINKING, "")
        case Image():
            picture = picture_of(block, offset)
            kind = picture.media_type.rpartition("/")[2].upper() or "unknown kind"
            return TextBlock(BlockType.IMAGE, f"Image, {kind}", picture)
        case Document():
            return TextBlock(BlockType.DOCUMENT, text_of_block(block))
        case _:
            return TextBlock(BlockType.NOTE, text_of_block(block))


def _build_command_blocks(record: User, blocks: Sequence[AnyBlock]) -> list[ContentBlock]:
    text = extract_typed_text(record)
    command = parse_slash_command(text.lstrip())
    shown = TextBlock(BlockType.TEXT, command.text if command else text)
    return [shown, *_build_media_blocks(blocks, record.offset)]


def _build_media_blocks(blocks: Sequence[AnyBlock], offset: int) -> list[ContentBlock]:
    return [text_block_of(block, offset) for block in blocks if not isinstance(block, Text)]


def _build_prompt_blocks(block: AnyBlock, offset: int) -> list[ContentBlock]:
    """Show what an editor reported as notes, apart from what was typed."""
    if not isinstance(block, Text) or not block.text.lstrip().startswith("<ide_"):
        return [text_block_of(block, offset)]
    rest = strip_ide_notes(block.text)
    notes: list[ContentBlock] = [
        TextBlock(BlockType.NOTE, note) for note in extract_ide_notes(block.text)
    ]
    return [*notes, TextBlock(BlockType.TEXT, rest)] if rest.strip() else notes


def _to_note(block: ContentBlock) -> ContentBlock:
    if isinstance(block, TextBlock) and block.type == BlockType.TEXT:
        return TextBlock(BlockType.NOTE, block.text)
    return block


def collect_block_text(block: ContentBlock) -> str:
    """Give all words of a block: of a call its name, what it was given and what came back."""
    if isinstance(block, TextBlock):
        return block.text
    given = block.input
    text = given if isinstance(given, str) else "\n".join(_collect_strings(given))
    result = block.result.text if block.result is not None else ""
    return f"{block.name} {text}\n{result}"


def _collect_strings(value: object) -> list[str]:
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
