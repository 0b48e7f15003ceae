"""What Claude said and thought, and what went wrong instead."""

from collections.abc import Iterator

from bough.export.html.folds import button, fold
from bough.export.html.images import picture
from bough.export.html.notes import INLINE, preview_of, quiet_line
from bough.export.html.render_context import Scene
from bough.export.markup.code import code_block
from bough.export.markup.escape import escaped
from bough.export.markup.prose import linked, markdown
from bough.model.conversation.showing import Words
from bough.model.conversation.turns import Turn
from bough.model.text.numbers import duration


def said(block: Words, scene: Scene) -> str:
    """Show what Claude said."""
    if block.picture is not None:
        return picture(block, scene)
    return f'<div class="prose">{markdown(block.text)}</div>'


def thought(block: Words, seconds: float | None, key: str, *, full: bool) -> str:
    """Show a thought as one line with its beginning; or why its words are not there."""
    head = f"Thought for {duration(seconds)}" if seconds else "Thought"
    if block.type == "redacted_thinking":
        return f'<p class="think gone"><b>{head}</b>, text withheld</p>'
    text = block.text.strip()
    if not text:
        return f'<p class="think gone"><b>{head}</b>, text not kept by the client</p>'
    preview = escaped(preview_of(text))
    summary = f'<b>{head}</b><span class="preview" dir="auto">{preview}</span>'
    short = len(text) <= INLINE
    return fold(key, "think", summary, lambda: thinking(block), inside=full or short)


def thinking(block: Words) -> str:
    """Give the body of a thought."""
    return f'<div class="prose thoughts">{markdown(block.text.strip())}</div>'


def trouble(turn: Turn, scene: Scene, key: str, *, full: bool) -> str:
    """Show what went wrong: an answer that did not come, a line that cannot be read."""
    return "".join(_troubles(turn, scene, key, full=full))


def _troubles(turn: Turn, scene: Scene, key: str, *, full: bool) -> Iterator[str]:
    time = scene.time(turn.timestamp)
    for number, block in enumerate(turn.blocks):
        if not isinstance(block, Words):
            continue
        if block.type in ("error", "text"):
            after = time if number == 0 else ""
            words = f'<b class="sign">✗</b> {linked(block.text)} {after}'
            yield f'<p class="trouble" dir="auto">{words}</p>'
        elif block.type == "raw":
            where = f"Offset {turn.offset:,}, as it lies in the file"
            shown = code_block(block.text, "") + button("raw", "Show all of it", offset=turn.offset)
            yield fold(f"{key}~{number}", "note raw", where, shown, inside=True)
        else:
            yield quiet_line(block, turn.kind, f"{key}~{number}", full=full)
