"""Quiet lines: notes, hooks, reminders and interruptions, one muted line each.

What a line leaves out is one fold away. A hook that stopped something is open: it is why
nothing happened.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from bough.export.html.folds import render_fold
from bough.export.markup.escape import escape_attribute, escape_html
from bough.export.markup.markdown import link_addresses, render_markdown
from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.note_labels import INTERRUPTED, is_interrupt, label_note, skill_of
from bough.model.tools.calls import ToolBlock

_PREVIEW: Final = 240
_FITS: Final = 100
"""What is longer may not fit on its line, and has all of it in its fold."""

INLINE: Final = 600
"""A folded text so short comes with its piece: asking for it later costs more."""


def render_notes(
    blocks: Sequence[tuple[int, ContentBlock]], kind: str, key: str, *, full: bool
) -> str:
    """Show quiet blocks, given with their places; notes that follow one another as one line."""
    out: list[str] = []
    for several in group_notes(blocks):
        lines = "".join(render_note(b, kind, f"{key}~{n}", full=full) for n, b in several)
        if len(several) == 1:
            out.append(lines)
            continue
        words = [label_note(b, kind) for _, b in several if isinstance(b, TextBlock)]
        names = (word.removeprefix("Note: ").partition("\n")[0] for word in words)
        summary = shorten_text(f"{len(several)} notes: {', '.join(names)}")
        preview = f'<span class="preview" dir="auto">{escape_html(summary)}</span>'
        out.append(render_fold(f"{key}~{several[0][0]}*", "note", preview, lines, inside=True))
    return "".join(out)


def group_notes(
    blocks: Sequence[tuple[int, ContentBlock]],
) -> Iterator[list[tuple[int, ContentBlock]]]:
    """Group quiet blocks, given with their places: notes in a row together, others alone."""
    for is_note, group in groupby(blocks, key=lambda pair: _is_note(pair[1])):
        several = list(group)
        yield from [several] if is_note else ([one] for one in several)


def _is_note(block: ContentBlock) -> bool:
    return isinstance(block, TextBlock) and block.type == "note" and bool(block.text.strip())


def render_note(block: ContentBlock, kind: str, key: str, *, full: bool) -> str:
    """Show a note, a hook or a reminder as one muted line; a hook that stopped things open."""
    if isinstance(block, ToolBlock):
        return ""
    if block.type == "error":
        return f'<p class="trouble" dir="auto">{link_addresses(block.text)}</p>'
    if is_interrupt(block):
        return f'<p class="stopped" title="{escape_attribute(block.text)}">{INTERRUPTED}</p>'
    words = label_note(block, kind)
    if not words.strip():
        return ""
    head, _, rest = words.strip().partition("\n")
    blocking = block.type == "hook" and _is_blocking(head)
    look = "note hook" if block.type == "hook" else "note"
    look += " blocking" if blocking else ""
    skill = skill_of(block)
    if skill is not None:
        head, rest = f"Instructions of /{skill}", words
    if len(head) > _FITS:
        head, rest = shorten_text(head), words
    if not rest.strip() and not is_task(block):
        return f'<p class="{look}" dir="auto">{link_addresses(head)}</p>'
    summary = f'<span class="preview" dir="auto">{escape_html(head)}</span>'
    short = len(rest) <= INLINE
    return render_fold(
        key,
        look,
        summary,
        lambda: render_note_body(block, kind),
        inside=full or short,
        opened=blocking,
    )


def render_note_body(block: TextBlock, kind: str) -> str:
    """Give what the line of a note does not say; all of it where the line was cut."""
    words = label_note(block, kind).strip()
    if skill_of(block) is not None:
        return f'<div class="prose">{render_markdown(block.text)}</div>'
    if is_task(block):
        return f'<div class="plain" dir="auto">{link_addresses(block.text.strip())}</div>'
    head, _, rest = words.partition("\n")
    shown = words if len(head) > _FITS else rest
    return f'<div class="plain" dir="auto">{link_addresses(shown.strip())}</div>'


def is_task(block: TextBlock) -> bool:
    """Tell whether a note is a notice about a task, whose tags say more than its line."""
    return block.text.lstrip().startswith("<task-notification>")


def shorten_text(text: str) -> str:
    """Give the beginning of a text on one line."""
    line = " ".join(text[: _PREVIEW * 2].split())
    return line if len(line) <= _PREVIEW else line[: _PREVIEW - 1].rstrip() + "…"


def _is_blocking(head: str) -> bool:
    return " stopped this" in head or ("blocking error" in head and "non blocking" not in head)
