"""Compactions and side branches: breaks in the rail, and what leaves it."""

from collections.abc import Sequence
from typing import Final

from bough.export.html.folds import render_fold
from bough.export.html.render_context import RenderContext
from bough.export.markup.escape import escape_attribute, escape_html, isolate_text
from bough.export.markup.markdown import render_markdown
from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import Message
from bough.model.outline.branch_path import (
    OutlineItem,
    describe_compacted_tokens,
    describe_trigger,
    explain_why_left,
    format_branch_length,
    list_own_turns,
    name_branch,
)
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.text.formats import format_count, format_plural
from bough.model.tools.call_summary import shorten_path

_ARROW: Final = "\N{RIGHTWARDS ARROW}"
_BAR_WIDTH: Final = 1_000
_MOST_FILES: Final = 100


def render_compaction(
    item: Compaction,
    message: Message | None,
    context: RenderContext,
    items: Sequence[OutlineItem],
    key: str,
    *,
    full: bool,
) -> str:
    """Show a compaction: what it kept of what there was, and two panels on demand."""
    facts = [context.clock(item.timestamp), escape_html(describe_compacted_tokens(item, _ARROW))]
    head = (
        f"<header><b>{describe_trigger(item)}</b>"
        f'<span class="m">{" · ".join(fact for fact in facts if fact)}</span></header>'
    )
    kept = render_fold(
        f"{key}~kept", "panel", "What was kept", lambda: render_kept_panel(message), inside=full
    )
    dropped = render_fold(
        f"{key}~dropped",
        "panel",
        "What was dropped",
        lambda: render_dropped_panel(item, items, context),
        inside=full,
    )
    said = f'<p class="m">{_describe_kept(item, message)}</p>'
    panels = f'<div class="panels">{kept}{dropped}</div>'
    return f'<div class="box">{head}{_render_bar(item)}{said}{panels}</div>'


def render_kept_panel(message: Message | None) -> str:
    """Show what Claude still knew: the summary, and what the client says was kept."""
    blocks = [
        b for b in (message.blocks if message is not None else ()) if isinstance(b, TextBlock)
    ]
    out = []
    for block in blocks:
        if not block.text.strip():
            continue
        if block.type == "summary":
            out.append(f'<div class="prose">{render_markdown(block.text)}</div>')
        else:
            out.append(f'<p class="note" dir="auto">{escape_html(block.text)}</p>')
    return "".join(out) or '<p class="note">The client kept no summary here.</p>'


def render_dropped_panel(
    item: Compaction, items: Sequence[OutlineItem], context: RenderContext
) -> str:
    """List what Claude knows only from the summary: prompts, each a link up, and files."""
    asked = context.find_dropped_turns(item, items)
    if not asked:
        return '<p class="note">Nothing stands above.</p>'
    rows = [
        f"<li>{context.time(one.timestamp)} "
        f'<a href="#" data-go="{escape_attribute(one.uuid or "")}">'
        f"{isolate_text(context.redact_text(one.text) or 'without words')}</a>"
        + (f' <span class="m">{format_plural(one.steps, "step")}</span>' if one.steps else "")
        + "</li>"
        for one in asked
    ]
    turns = "this turn" if len(asked) == 1 else f"these {format_count(len(asked))} turns"
    words = f'<p class="m">Claude knows {turns} only from the summary.</p>'
    return f"{words}<ol>{''.join(rows)}</ol>{_render_dropped_files(item, context)}"


def _render_dropped_files(item: Compaction, context: RenderContext) -> str:
    """List the files that Claude changed in these turns; it no longer sees how."""
    files = [
        shorten_path(context.redact_text(path), cwd=context.facts.cwd)
        for dropped in context.dropped_files
        for path in dropped.get(item.uuid, ())
    ]
    if not files:
        return ""
    rows = "".join(f"<li><code>{escape_html(path)}</code></li>" for path in files[:_MOST_FILES])
    more = len(files) - _MOST_FILES
    rest = f'<p class="m">and {format_plural(more, "more file")}</p>' if more > 0 else ""
    head = f'<p class="m">It changed {format_plural(len(files), "file")} in them.</p>'
    return f'{head}<ul class="files">{rows}</ul>{rest}'


def render_side_branch(branch: Branch, context: RenderContext) -> str:
    """Show another branch where it left: its first words, how long it is, why it was left."""
    asked = list_own_turns(branch)
    why, at = explain_why_left(branch)
    when = context.time(at) if at else ""
    facts = ", ".join(
        part for part in (format_branch_length(branch), f"{why} {when}".strip()) if part
    )
    words = isolate_text(context.redact_text(name_branch(branch))) or "without words"
    tip = tip_of(branch, context.session.active_tip)
    on = " on" if branch.active else ""
    uuid = asked[0].uuid if asked else None
    return (
        f'<button type="button" class="branch-row{on}" data-do="side-branch" '
        f'data-tip="{escape_attribute(tip or "")}" data-uuid="{escape_attribute(uuid or "")}">'
        '<i class="ring" aria-hidden="true"></i>'
        f'<span class="words">{words}</span><em>{facts}</em></button>'
    )


def tip_of(branch: Branch, active: str | None) -> str | None:
    """Name a message by which a branch is chosen: its last prompt, or the active tip."""
    if branch.active and active is not None:
        return active
    return next((one.uuid for one in reversed(list_own_turns(branch)) if one.uuid), None)


def _render_bar(item: Compaction) -> str:
    """Draw what was left of the tokens, as a picture of two parts."""
    if not item.before or item.after is None:
        return ""
    part = max(1, min(_BAR_WIDTH, round(item.after / item.before * _BAR_WIDTH)))
    return (
        f'<svg class="bar" viewBox="0 0 {_BAR_WIDTH} 8" preserveAspectRatio="none" '
        'aria-hidden="true">'
        f'<rect class="all" width="{_BAR_WIDTH}" height="8"></rect>'
        f'<rect class="rest" width="{part}" height="8"></rect></svg>'
    )


def _describe_kept(item: Compaction, message: Message | None) -> str:
    blocks = message.blocks if message is not None else []
    words = sum(
        len(b.text.split()) for b in blocks if isinstance(b, TextBlock) and b.type == "summary"
    )
    kept = [f"a summary of {format_plural(words, 'word')}"] if words else []
    if item.kept:
        kept.append(format_plural(item.kept, "message"))
    out = f"Claude kept {' and '.join(kept)}." if kept else "Claude kept a summary."
    if item.dropped:
        other = "other " if item.kept else ""
        out += f" It no longer sees the {other}{format_plural(item.dropped, 'message')} above."
    return out
