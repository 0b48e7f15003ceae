"""A conversation in units of different worth, for a reader who cannot take all of it.

What a person asked is worth most, then what was answered, then how each step ended, then
what steps were given and gave back, then thoughts and notes.
"""

from collections.abc import Iterator
from enum import IntEnum

from msgspec import Struct

from bough.export.document_options import Include
from bough.export.markdown.conversation import step_line
from bough.export.markdown.fences import fenced, open_text
from bough.export.markdown.tools import given_markdown, result_markdown
from bough.model.conversation.content import Words
from bough.model.conversation.note_labels import note_words
from bough.model.conversation.turns import Turn
from bough.model.tools.call_row import is_agent, view_of
from bough.model.tools.calls import ToolBlock

_ASKED = frozenset({"prompt", "queued", "command", "shell"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking"})


class Worth(IntEnum):
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

    worth: Worth
    text: str
    who: str = ""
    since: int = 0
    code: bool = False


def units_of(turns: list[Turn], include: Include, cwd: str | None) -> Iterator[Unit]:
    """Cut a conversation into units, in its order."""
    since = 0
    for turn in turns:
        since += turn.kind == "compaction"
        if turn.kind in _ASKED:
            yield from _asked(turn, since)
        else:
            yield from _others(turn, since, include, cwd)


def _asked(turn: Turn, since: int) -> Iterator[Unit]:
    said = [b.text for b in turn.blocks if isinstance(b, Words) and b.type == "text"]
    mark = "! " if turn.kind == "shell" else ""
    words = "\n\n".join(open_text(f"{mark}{text}") for text in said if text.strip())
    if words:
        yield Unit(Worth.ASKED, words, "You", since)
    for block in turn.blocks:
        if isinstance(block, Words) and block.type != "text" and block.text.strip():
            output = block.type == "output"
            worth = Worth.BODY if output else Worth.NOTE
            yield Unit(worth, block.text if output else open_text(block.text), "You", since, output)


def _others(turn: Turn, since: int, include: Include, cwd: str | None) -> Iterator[Unit]:
    for block in turn.blocks:
        if isinstance(block, ToolBlock):
            if include.tools:
                yield from _step(block, since, include, cwd)
            continue
        text = open_text(block.text)
        if not text.strip() or (block.type in _THOUGHTS and not include.thinking):
            continue
        match block.type:
            case "text" if turn.kind == "assistant":
                yield Unit(Worth.ANSWER, text, "Claude", since)
            case "summary":
                yield Unit(Worth.SUMMARY, text, "Summary of what was before", since)
            case "error":
                yield Unit(Worth.STEP, text, "Claude", since)
            case "thinking":
                yield Unit(Worth.THOUGHT, f"(thought)\n\n{text}", "Claude", since)
            case _:
                yield Unit(Worth.NOTE, open_text(note_words(block, turn.kind)), "Note", since)


def _step(block: ToolBlock, since: int, include: Include, cwd: str | None) -> Iterator[Unit]:
    view = view_of(block, None, cwd)
    reason = f": {view.outcome.reason}" if view.outcome.reason else ""
    yield Unit(Worth.STEP, f"- {step_line(view)}{reason}", "Claude", since)
    agent = is_agent(block)
    if agent and block.result is not None and block.result.text.strip():
        if include.agents and include.results:
            yield Unit(Worth.STEP, open_text(block.result.text), "Claude", since)
        return
    for given in given_markdown(block):
        yield Unit(Worth.BODY, given, "Claude", since)
    if block.result is not None and include.results:
        if block.result.text.strip():
            yield Unit(Worth.BODY, block.result.text, "Claude", since, code=True)
        without = [part for part in result_markdown(block.result) if not part.startswith("`")]
        for part in without:
            yield Unit(Worth.NOTE, part, "Claude", since)


def shown(unit: Unit) -> str:
    """Write a unit as it stands in the text."""
    return fenced(unit.text, "text") if unit.code else unit.text
