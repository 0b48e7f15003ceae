"""One turn as a person reads it: who, when, and what was said or done.

The words are loud, the machinery quiet: prompts and answers are shown whole, tools are one
line each, thinking and notes one line with their beginning. `--full` unfolds everything.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from bough.model.agents.summaries import SentOut
from bough.model.conversation.content import Block, Words
from bough.model.conversation.context_window import Context
from bough.model.conversation.note_labels import note_words
from bough.model.conversation.turns import Turn
from bough.model.text.formats import duration
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock
from bough.terminal.canvas import Sheet
from bough.terminal.conversation.tools import INDENT, agent_rows, tool_rows
from bough.terminal.style import Role, Span
from bough.terminal.text import lines_of, one_line

_HEAD, _TAIL = 8, 4
"""How many lines of a long output are shown, of its beginning and of its end."""


class Setting(Struct, frozen=True):
    """What turns are written with, beside what they say themselves.

    Agents and times are by call, how long thoughts took and how full the context was by
    turn. `asker` is who asks: You, or Brief in an agent's own conversation.
    """

    sheet: Sheet
    agents: Mapping[str, SentOut] = {}
    times: Mapping[str, str] = {}
    thoughts: Mapping[str, Sequence[float | None]] = {}
    contexts: Mapping[str, Context] = {}
    cwd: str | None = None
    short: int = 4
    asker: str = "You"


def turn_lines(turn: Turn, setting: Setting) -> list[str]:
    """Write one turn."""
    match turn.kind:
        case "prompt" | "queued" | "command" | "shell":
            return _asked(turn, setting)
        case "assistant":
            return _answered(turn, setting)
        case "error" | "bad_line":
            return _failed(turn, setting)
        case kind:
            return _notes(turn.blocks, setting.sheet, kind)


def _asked(turn: Turn, setting: Setting) -> list[str]:
    """Write what a person said, whole, and the output of a command below it."""
    sheet = setting.sheet
    time = sheet.time(turn.timestamp)
    tag = {"queued": f", queued at {time}", "command": ", command", "shell": ", you ran it"}
    who = f"{sheet.styles.glyphs.tip} {setting.asker}{tag.get(turn.kind, '')}"
    left: list[Span] = [(Role.PROMPT, who)]
    if turn.kind != "queued":
        left += [(Role.META, "  "), (Role.META, time)]
    short = (turn.uuid or "")[: setting.short]
    lines = [sheet.line(left, [(Role.META, short)] if short else [])]
    for spoken, run in groupby(turn.blocks, key=_is_spoken):
        if spoken:
            for block in run:
                lines += _spoken(block, turn.kind, sheet)
        else:
            lines += _notes(list(run), sheet, turn.kind)
    return lines


def _is_spoken(block: Block) -> bool:
    return isinstance(block, Words) and block.type in ("text", "output")


def _spoken(block: Block, kind: str, sheet: Sheet) -> list[str]:
    if not isinstance(block, Words):
        return []
    if block.type == "output":
        return _shortened(block.text, sheet)
    return sheet.prose(f"! {block.text}" if kind == "shell" else block.text, INDENT, Role.PROMPT)


def _answered(turn: Turn, setting: Setting) -> list[str]:
    """Write what Claude said and did, steps in rows and notes in a line."""
    sheet = setting.sheet
    who = [(Role.CLAUDE, f"{sheet.styles.glyphs.knot} Claude"), (Role.META, "  ")]
    lines = [sheet.line([*who, (Role.META, sheet.time(turn.timestamp))])]
    thoughts = iter(setting.thoughts.get(turn.uuid or "", ()))
    for what, run in groupby(turn.blocks, key=_manner):
        blocks = list(run)
        if what == "step":
            calls = [block for block in blocks if isinstance(block, ToolBlock)]
            lines += tool_rows(calls, sheet, setting.times, setting.cwd)
        elif what == "note":
            lines += _notes(blocks, sheet, turn.kind)
        else:
            for block in blocks:
                lines += _said(block, setting, thoughts)
    return lines


def _manner(block: Block) -> str:
    """Sort blocks by how they are written: a step, a note, or something said."""
    if isinstance(block, ToolBlock):
        return "said" if is_agent(block) else "step"
    return "said" if block.type in ("text", "thinking", "redacted_thinking") else "note"


def _said(block: Block, setting: Setting, thoughts: Iterator[float | None]) -> list[str]:
    match block:
        case ToolBlock():
            return agent_rows(block, setting.agents.get(block.id), setting.sheet)
        case Words(type="text"):
            return setting.sheet.prose(block.text, INDENT)
        case Words():
            return _thought(block, setting.sheet, next(thoughts, None))


def _thought(block: Words, sheet: Sheet, seconds: float | None) -> list[str]:
    """Write the beginning of a thought, or why there is none."""
    took = f" {duration(seconds)}" if seconds else ""
    head = f"{sheet.styles.glyphs.thought} Thought{took}"
    if block.type == "redacted_thinking":
        return [sheet.line([(Role.THINKING, f"{head}, text withheld")], indent=INDENT)]
    if not block.text.strip():
        return [sheet.line([(Role.THINKING, f"{head}, text not kept")], indent=INDENT)]
    if sheet.full:
        return sheet.prose(f"{head}: {block.text.strip()}", INDENT, Role.THINKING)
    return [sheet.line([(Role.THINKING, f"{head}: {block.text}")], indent=INDENT)]


def _failed(turn: Turn, setting: Setting) -> list[str]:
    """Write what went wrong, with its sign."""
    sheet = setting.sheet
    lines: list[str] = []
    for block in turn.blocks:
        if isinstance(block, Words) and block.type in ("error", "text"):
            lines += _marked(block.text, sheet)
        else:
            lines += quiet_lines(block, sheet, turn.kind)
    return lines


def _marked(text: str, sheet: Sheet) -> list[str]:
    """Set the sign of a failure before the first line."""
    lines = sheet.prose(text.strip(), INDENT, Role.ERROR)
    sign = sheet.styles.glyphs.failed
    return [lines[0].replace("  ", f"{sign} ", 1), *lines[1:]] if lines else []


def _notes(blocks: Sequence[Block], sheet: Sheet, kind: str) -> list[str]:
    """Write notes, several of them that follow one another in one line."""
    if not sheet.full and len(blocks) > 1 and all(_is_note(block) for block in blocks):
        names = (one_line(b.text.split("\n")[0]) for b in blocks if isinstance(b, Words))
        text = f"{len(blocks)} notes: {', '.join(names)}"
        return [sheet.line([(Role.META, text)], indent=INDENT)]
    return [line for block in blocks for line in quiet_lines(block, sheet, kind)]


def _is_note(block: Block) -> bool:
    return isinstance(block, Words) and block.type == "note"


def quiet_lines(block: Block, sheet: Sheet, kind: str = "") -> list[str]:
    """Write a note in one line; everything of it where all is unfolded."""
    if not isinstance(block, Words):
        return tool_rows([block], sheet, {}, None)
    if block.type == "error":
        return [sheet.line([(Role.ERROR, block.text)], indent=INDENT)]
    text = note_words(block, kind)
    if sheet.full:
        return sheet.prose(text, INDENT, Role.META)
    return [sheet.line([(Role.META, text)], indent=INDENT)] if one_line(text) else []


def _shortened(text: str, sheet: Sheet) -> list[str]:
    """Show the beginning and the end of a long output."""
    lines = lines_of(text.strip("\n"))
    more = len(lines) - _HEAD - _TAIL
    if more > 1 and not sheet.full and sheet.columns is not None:
        lines = [*lines[:_HEAD], f"({more:,} more lines)", *lines[-_TAIL:]]
    return sheet.prose("\n".join(lines), INDENT, Role.META) if any(lines) else []
