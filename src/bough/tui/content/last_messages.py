"""The last messages of a session: the last that was said, or what was said around a hit.

Read in workers, and only as much of a file as is shown: a list's cursor passes over many
sessions, and nobody waits for any of them.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from bough.errors import BoughError, Unreadable
from bough.library import Hit, open_part, open_range
from bough.model.conversation.messages import ContentBlock, Message
from bough.model.outline.branch_path import find_conversation_through
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.tui.content.search_hits import matched_words_of

PROMPTS: Final = 3
_BEFORE: Final = 120_000
_BEHIND: Final = 80_000
_BLOCK_KINDS: Final = ("text", "thinking", "summary", "output", "error")
_LONGEST: Final = 6_000
_AHEAD: Final = 300


class PreviewMessage(Struct, frozen=True):
    """Something that was said, by whom and when; `is_match` is what was found."""

    kind: str
    timestamp: str | None
    text: str
    is_match: bool = False


class SessionPreview(Struct, frozen=True):
    """What is seen of a session at a glance; `trouble` says why there is nothing."""

    key: str
    messages: tuple[PreviewMessage, ...] = ()
    trouble: str = ""


def read_last_messages(path: str) -> SessionPreview:
    """Read the last prompts of a session, and what Claude answered last."""
    try:
        messages = open_part(path).conversation().messages
    except Unreadable as error:
        trouble = "The file is gone." if error.is_gone else error.message
        return SessionPreview(path, trouble=trouble)
    except BoughError as error:
        return SessionPreview(path, trouble=error.message)
    asked = [message for message in messages if message.kind == "prompt"][-PROMPTS:]
    answers = [
        message for message in messages if message.kind == "assistant" and message.text.strip()
    ][-1:]
    shown = sorted([*asked, *answers], key=lambda message: message.offset)
    return SessionPreview(path, tuple(_preview_message(message) for message in shown))


def read_around_hit(hit: Hit) -> SessionPreview:
    """Read what was said before a hit, in it, and after it."""
    key = hit_key(hit)
    try:
        start = max(0, hit.offset - _BEFORE)
        session = open_range(hit.path, start, hit.offset + _BEHIND)
        messages = find_conversation_through(session, hit.uuid).messages
    except BoughError as error:
        return SessionPreview(key, trouble=error.message)
    said = [one for message in messages for one in _preview_blocks(message, hit)]
    at = next((n for n, one in enumerate(said) if one.is_match), None)
    if at is None:
        return SessionPreview(key, (_message_of_snippet(hit),))
    return SessionPreview(key, tuple(said[max(0, at - 1) : at + 2]))


def hit_key(hit: Hit) -> str:
    """Name a hit."""
    return f"{hit.path}:{hit.offset}"


def _preview_blocks(message: Message, hit: Hit) -> Iterator[PreviewMessage]:
    """Give what a message says, block by block; what was found stands in one of them."""
    holds = hit.uuid is not None and (hit.uuid == message.uuid or hit.uuid in message.uuids)
    found = _find_block(message, hit) if holds else None
    if holds and found is None:
        yield _message_of_snippet(hit)
    for number, block in enumerate(message.blocks):
        if number == found:
            yield _excerpt_match(message, block, hit)
        elif isinstance(block, ToolBlock):
            view = view_of(block)
            yield PreviewMessage("tool_input", message.timestamp, f"{view.name}  {view.summary}")
        elif block.text.strip() and block.type in _BLOCK_KINDS:
            kind = block.type if block.type in ("thinking", "summary") else message.kind
            yield PreviewMessage(kind, message.timestamp, block.text[:_LONGEST])


def _find_block(message: Message, hit: Hit) -> int | None:
    """Find the block of a message that holds what was found."""
    words = matched_words_of(hit).casefold()
    of_tool = hit.kind in ("tool_input", "tool_result")
    for number, block in enumerate(message.blocks):
        if isinstance(block, ToolBlock):
            if of_tool and block.name == hit.tool and words in str(block.input).casefold():
                return number
        elif not of_tool and words in block.text.casefold():
            return number
    return None


def _excerpt_match(message: Message, block: ContentBlock, hit: Hit) -> PreviewMessage:
    """Give the words of a block from a little before those that were found."""
    if isinstance(block, ToolBlock):
        return _message_of_snippet(hit)
    at = max(0, block.text.casefold().find(matched_words_of(hit).casefold()))
    start = max(0, at - _AHEAD)
    text = ("…" if start else "") + block.text[start : start + _LONGEST]
    kind = block.type if block.type in ("thinking", "summary") else message.kind
    return PreviewMessage(kind, hit.timestamp, text, is_match=True)


def _message_of_snippet(hit: Hit) -> PreviewMessage:
    tool = f"{hit.tool}  " if hit.tool else ""
    return PreviewMessage(hit.kind, hit.timestamp, f"{tool}{hit.snippet or ''}", is_match=True)


def _preview_message(message: Message) -> PreviewMessage:
    return PreviewMessage(message.kind, message.timestamp, message.text[:_LONGEST])
