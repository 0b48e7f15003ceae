"""Seams and twigs: where a compaction broke the stem, and where other branches leave it."""

from collections.abc import Sequence
from typing import Final

from bough.export.html.folds import fold
from bough.export.html.render_context import Scene
from bough.export.markup.escape import attribute, escaped, isolated
from bough.export.markup.markdown import markdown
from bough.model.conversation.branch_path import (
    Item,
    asked_on,
    dropped_by,
    seam_opening,
    seam_tokens,
    turns_on,
    why_left,
)
from bough.model.conversation.content import Words
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.turns import Turn
from bough.model.text.formats import count, plural

_ARROW: Final = "\N{RIGHTWARDS ARROW}"
_WIDE: Final = 1_000


def seam(
    item: Seam, turn: Turn | None, scene: Scene, items: Sequence[Item], key: str, *, full: bool
) -> str:
    """Show a compaction: what it kept of what there was, and two panels on demand."""
    facts = [scene.time(item.timestamp), escaped(seam_tokens(item, _ARROW))]
    head = (
        f"<header><b>{seam_opening(item)}</b>"
        f'<span class="m">{" · ".join(fact for fact in facts if fact)}</span></header>'
    )
    kept = fold(f"{key}~kept", "panel", "What was kept", lambda: kept_panel(turn), inside=full)
    dropped = fold(
        f"{key}~dropped",
        "panel",
        "What was dropped",
        lambda: dropped_panel(item, items, scene),
        inside=full,
    )
    said = f'<p class="m">{_sentence(item, turn)}</p>'
    panels = f'<div class="panels">{kept}{dropped}</div>'
    return f'<div class="box">{head}{_bar(item)}{said}{panels}</div>'


def kept_panel(turn: Turn | None) -> str:
    """Show what Claude still knew: the summary, and what the client says was kept."""
    blocks = [b for b in (turn.blocks if turn is not None else ()) if isinstance(b, Words)]
    out = []
    for block in blocks:
        if not block.text.strip():
            continue
        if block.type == "summary":
            out.append(f'<div class="prose">{markdown(block.text)}</div>')
        else:
            out.append(f'<p class="note" dir="auto">{escaped(block.text)}</p>')
    return "".join(out) or '<p class="note">The client kept no summary here.</p>'


def dropped_panel(item: Seam, items: Sequence[Item], scene: Scene) -> str:
    """List the prompts that Claude knows only from the summary, each a link up."""
    asked = dropped_by(item, items)
    if not asked:
        return '<p class="note">Nothing stands above.</p>'
    rows = [
        f'<li>{scene.time(one.timestamp)} <a href="#" data-go="{attribute(one.uuid or "")}">'
        f"{isolated(scene.washed(one.text) or 'without words')}</a>"
        + (f' <span class="m">{plural(one.steps, "step")}</span>' if one.steps else "")
        + "</li>"
        for one in asked
    ]
    said = f"Claude knows {'this turn' if len(asked) == 1 else f'these {count(len(asked))} turns'}"
    return f'<p class="m">{said} only from the summary.</p><ol>{"".join(rows)}</ol>'


def twig(branch: Branch, scene: Scene) -> str:
    """Show another way where it left: its first words, how long it is, why it was left."""
    asked = asked_on(branch)
    why, at = why_left(branch)
    when = scene.time(at) if at else ""
    facts = ", ".join(part for part in (turns_on(branch), f"{why} {when}".strip()) if part)
    words = isolated(scene.washed(asked[0].text) if asked else "") or "without words"
    tip = tip_of(branch, scene.session.active_tip)
    on = " on" if branch.active else ""
    uuid = asked[0].uuid if asked else None
    return (
        f'<button type="button" class="way{on}" data-do="twig" data-tip="{attribute(tip or "")}" '
        f'data-uuid="{attribute(uuid or "")}"><i class="ring" aria-hidden="true"></i>'
        f'<span class="words">{words}</span><em>{facts}</em></button>'
    )


def tip_of(branch: Branch, active: str | None) -> str | None:
    """Name a message by which a branch is chosen: its last prompt, or the active tip."""
    if branch.active and active is not None:
        return active
    return next((one.uuid for one in reversed(asked_on(branch)) if one.uuid), None)


def _bar(item: Seam) -> str:
    """Draw what was left of the tokens, as a picture of two parts."""
    if not item.before or item.after is None:
        return ""
    part = max(1, min(_WIDE, round(item.after / item.before * _WIDE)))
    return (
        f'<svg class="bar" viewBox="0 0 {_WIDE} 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="all" width="{_WIDE}" height="8"></rect>'
        f'<rect class="rest" width="{part}" height="8"></rect></svg>'
    )


def _sentence(item: Seam, turn: Turn | None) -> str:
    blocks = turn.blocks if turn is not None else []
    words = sum(len(b.text.split()) for b in blocks if isinstance(b, Words) and b.type == "summary")
    kept = [f"a summary of {plural(words, 'word')}"] if words else []
    if item.kept:
        kept.append(plural(item.kept, "message"))
    out = f"Claude kept {' and '.join(kept)}." if kept else "Claude kept a summary."
    if item.dropped:
        other = "other " if item.kept else ""
        out += f" It no longer sees the {other}{plural(item.dropped, 'message')} above."
    return out
