"""A conversation in units of different worth, for a reader who cannot take all of it.

What a person asked is worth most, then what was answered, then how each step ended, then
what steps were given and gave back, then thoughts and notes.
"""

from collections.abc import Iterator
from enum import IntEnum

from msgspec import Struct

from bough.export.document_options import ExportOptions
from bough.export.markdown.conversation import format_step
from bough.export.markdown.fences import escape_markdown, fence_code
from bough.export.markdown.tools import write_input, write_result
from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import label_note
from bough.model.interpret.api_errors import phrase_api_error
from bough.model.interpret.message_kinds import PERSON_KINDS, THOUGHT_TYPES
from bough.model.outline.pieces import PieceKind, list_message_pieces
from bough.model.tools.call_row import is_agent, view_of
from bough.model.tools.calls import ToolBlock


class UnitPriority(IntEnum):
    """How early a unit is taken: the lower, the earlier."""

    ASKED = 0
    ANSWER = 1
    STEP = 2
    BODY = 3
    SUMMARY = 4
    THOUGHT = 5
    NOTE = 6


class Unit(Struct, frozen=True):
    """A piece that is in or out as a whole, or cut in its middle.

    `code` marks texts that are fenced after they are cut; others are Markdown themselves.
    `since` counts the compactions before it.
    """

    worth: UnitPriority
    text: str
    who: str = ""
    since: int = 0
    code: bool = False


def split_units(messages: list[Message], include: ExportOptions, cwd: str | None) -> Iterator[Unit]:
    """Cut a conversation into units, in its order."""
    since = 0
    for piece in list_message_pieces(messages):
        since += piece.kind is PieceKind.COMPACTION
        if piece.message is None:
            continue
        if piece.kind in PERSON_KINDS:
            yield from _prompt_units(piece.message, since)
        else:
            yield from _other_units(piece.message, since, include, cwd)


def _prompt_units(message: Message, since: int) -> Iterator[Unit]:
    said = [b.text for b in message.blocks if isinstance(b, TextBlock) and b.type == "text"]
    mark = "! " if message.kind == "shell" else ""
    words = "\n\n".join(escape_markdown(f"{mark}{text}") for text in said if text.strip())
    if words:
        yield Unit(UnitPriority.ASKED, words, "You", since)
    for block in message.blocks:
        if isinstance(block, TextBlock) and block.type != "text" and block.text.strip():
            output = block.type == "output"
            worth = UnitPriority.BODY if output else UnitPriority.NOTE
            named = label_note(block, message.kind) if block.type == "document" else block.text
            yield Unit(worth, named if output else escape_markdown(named), "You", since, output)


def _other_units(
    message: Message, since: int, include: ExportOptions, cwd: str | None
) -> Iterator[Unit]:
    for block in message.blocks:
        if isinstance(block, ToolBlock):
            if include.tools:
                yield from _step_units(block, since, include, cwd)
            continue
        text = escape_markdown(block.text)
        if not text.strip() or (block.type in THOUGHT_TYPES and not include.thinking):
            continue
        match block.type:
            case "text" if message.kind == "assistant":
                yield Unit(UnitPriority.ANSWER, text, "Claude", since)
            case "summary":
                yield Unit(UnitPriority.SUMMARY, text, "Summary of what was before", since)
            case "error":
                yield Unit(UnitPriority.STEP, text, "Claude", since)
            case "text" if message.kind == "error":
                said = escape_markdown(phrase_api_error(block.text))
                yield Unit(UnitPriority.STEP, said, "Claude", since)
            case "thinking":
                yield Unit(UnitPriority.THOUGHT, f"(thought)\n\n{text}", "Claude", since)
            case _:
                yield Unit(
                    UnitPriority.NOTE,
                    escape_markdown(label_note(block, message.kind)),
                    "Note",
                    since,
                )


def _step_units(
    block: ToolBlock, since: int, include: ExportOptions, cwd: str | None
) -> Iterator[Unit]:
    view = view_of(block, None, cwd)
    reason = f": {view.outcome.reason}" if view.outcome.reason else ""
    yield Unit(UnitPriority.STEP, f"- {format_step(view)}{reason}", "Claude", since)
    agent = is_agent(block)
    if agent and block.result is not None and block.result.text.strip():
        if include.agents and include.results:
            yield Unit(UnitPriority.STEP, escape_markdown(block.result.text), "Claude", since)
        return
    for given in write_input(block):
        yield Unit(UnitPriority.BODY, given, "Claude", since)
    if block.result is not None and include.results:
        if block.result.text.strip():
            yield Unit(UnitPriority.BODY, block.result.text, "Claude", since, code=True)
        without = [part for part in write_result(block.result) if not part.startswith("`")]
        for part in without:
            yield Unit(UnitPriority.NOTE, part, "Claude", since)


def render_unit(unit: Unit) -> str:
    """Write a unit as it stands in the text."""
    return fence_code(unit.text, "text") if unit.code else unit.text
