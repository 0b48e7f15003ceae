"""Quiet lines: notes, hooks, reminders and interruptions, one muted line each.

What a line leaves out is one fold away. A hook that stopped something is open: it is why
nothing happened.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from bough.export.html.folds import fold
from bough.export.markup.escape import attribute, escaped
from bough.export.markup.markdown import linked, markdown
from bough.model.conversation.content import Block, Words
from bough.model.conversation.note_labels import INTERRUPTED, is_interrupt, note_words, skill_of
from bough.model.tools.calls import ToolBlock

_PREVIEW: Final = 240
_FITS: Final = 100
"""What is longer may not fit on its line, and has all of it in its fold."""

INLINE: Final = 600
"""A folded text so short comes with its piece: asking for it later costs more."""


def quiet_lines(blocks: Sequence[tuple[int, Block]], kind: str, key: str, *, full: bool) -> str:
    """Show quiet blocks, given with their places; notes that follow one another as one line."""
    out: list[str] = []
    for several in note_groups(blocks):
        lines = "".join(quiet_line(b, kind, f"{key}~{n}", full=full) for n, b in several)
        if len(several) == 1:
            out.append(lines)
            continue
        words = [note_words(b, kind) for _, b in several if isinstance(b, Words)]
        names = (word.removeprefix("Note: ").partition("\n")[0] for word in words)
        summary = preview_of(f"{len(several)} notes: {', '.join(names)}")
        preview = f'<span class="preview" dir="auto">{escaped(summary)}</span>'
        out.append(fold(f"{key}~{several[0][0]}*", "note", preview, lines, inside=True))
    return "".join(out)


def note_groups(blocks: Sequence[tuple[int, Block]]) -> Iterator[list[tuple[int, Block]]]:
    """Group quiet blocks, given with their places: notes in a row together, others alone."""
    for is_note, group in groupby(blocks, key=lambda pair: _is_note(pair[1])):
        several = list(group)
        yield from [several] if is_note else ([one] for one in several)


def _is_note(block: Block) -> bool:
    return isinstance(block, Words) and block.type == "note" and bool(block.text.strip())


def quiet_line(block: Block, kind: str, key: str, *, full: bool) -> str:
    """Show a note, a hook or a reminder as one muted line; a hook that stopped things open."""
    if isinstance(block, ToolBlock):
        return ""
    if block.type == "error":
        return f'<p class="trouble" dir="auto">{linked(block.text)}</p>'
    if is_interrupt(block):
        return f'<p class="stopped" title="{attribute(block.text)}">{INTERRUPTED}</p>'
    words = note_words(block, kind)
    if not words.strip():
        return ""
    head, _, rest = words.strip().partition("\n")
    blocking = block.type == "hook" and _blocks(head)
    look = "note hook" if block.type == "hook" else "note"
    look += " blocking" if blocking else ""
    skill = skill_of(block)
    if skill is not None:
        head, rest = f"Instructions of /{skill}", words
    if len(head) > _FITS:
        head, rest = preview_of(head), words
    if not rest.strip() and not is_task(block):
        return f'<p class="{look}" dir="auto">{linked(head)}</p>'
    summary = f'<span class="preview" dir="auto">{escaped(head)}</span>'
    short = len(rest) <= INLINE
    return fold(
        key, look, summary, lambda: note_body(block, kind), inside=full or short, opened=blocking
    )


def note_body(block: Words, kind: str) -> str:
    """Give what the line of a note does not say; all of it where the line was cut."""
    words = note_words(block, kind).strip()
    if skill_of(block) is not None:
        return f'<div class="prose">{markdown(block.text)}</div>'
    if is_task(block):
        return f'<div class="plain" dir="auto">{linked(block.text.strip())}</div>'
    head, _, rest = words.partition("\n")
    shown = words if len(head) > _FITS else rest
    return f'<div class="plain" dir="auto">{linked(shown.strip())}</div>'


def is_task(block: Words) -> bool:
    """Tell whether a note is a notice about a task, whose tags say more than its line."""
    return block.text.lstrip().startswith("<task-notification>")


def preview_of(text: str) -> str:
    """Give the beginning of a text on one line."""
    line = " ".join(text[: _PREVIEW * 2].split())
    return line if len(line) <= _PREVIEW else line[: _PREVIEW - 1].rstrip() + "…"


def _blocks(head: str) -> bool:
    return " stopped this" in head or ("blocking error" in head and "non blocking" not in head)
