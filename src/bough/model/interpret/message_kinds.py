"""The kinds of messages and of the blocks in them: each word once.

They are the words of `--json`, of the web API and of the library, so their values stay, and they
are shown as words.
"""

from enum import StrEnum
from typing import Final


class MessageKind(StrEnum):
    """Who a message is from, or what it is."""

    PROMPT = "prompt"
    ASSISTANT = "assistant"
    COMMAND = "command"
    SHELL = "shell"
    NOTICE = "notice"
    COMPACTION = "compaction"
    QUEUED = "queued"
    HOOK = "hook"
    ERROR = "error"
    BAD_LINE = "bad_line"
    META = "meta"

    __repr__ = str.__repr__


class BlockType(StrEnum):
    """What a block is that is no tool call."""

    TEXT = "text"
    THINKING = "thinking"
    REDACTED_THINKING = "redacted_thinking"
    IMAGE = "image"
    DOCUMENT = "document"
    NOTE = "note"
    OUTPUT = "output"
    SUMMARY = "summary"
    COMPACTION = "compaction"
    HOOK = "hook"
    ERROR = "error"
    RAW = "raw"

    __repr__ = str.__repr__


PERSON_KINDS: Final[frozenset[str]] = frozenset(
    {MessageKind.PROMPT, MessageKind.QUEUED, MessageKind.COMMAND, MessageKind.SHELL}
)
"""What a person sends. Only this begins a turn, and only this can start a branch."""

THOUGHT_TYPES: Final[frozenset[str]] = frozenset({BlockType.THINKING, BlockType.REDACTED_THINKING})
"""Blocks of what the model thought, whether its words were kept or not."""

SYNTHETIC: Final = "<synthetic>"
"""The model of messages that the client itself wrote."""
