"""Messages: what a person typed, what Claude said and thought, what went wrong instead.

A prompt is shown exactly as typed: stars stay stars, and white space stays where it was put.
Files that are named and code between back-ticks are set off, addresses can be followed.
"""

from collections.abc import Iterator
from typing import Final

from bough.export.html.folds import render_button, render_fold
from bough.export.html.images import render_picture
from bough.export.html.notes import INLINE, render_note, render_notes, shorten_text
from bough.export.html.render_context import RenderContext
from bough.export.html.tools.tool_output import render_output
from bough.export.markup.code import render_code
from bough.export.markup.escape import escape_attribute, escape_html, escape_words
from bough.export.markup.markdown import link_addresses, render_markdown
from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.conversation.long_prompts import count_prompt_lines, split_long_prompt
from bough.model.conversation.messages import Message
from bough.model.conversation.note_labels import ATTACHED
from bough.model.interpret.api_errors import phrase_api_error
from bough.model.text.file_references import find_code_spans, find_file_references
from bough.model.text.formats import format_duration, format_plural
from bough.model.text.snippet_noise import find_noise

_SPOKEN: Final = frozenset({"text", "output", "image", "document"})
_OPENING: Final = 1_000
"""So much of a thought is looked at for its beginning."""
_TAGS: Final = {"command": "command", "shell": "you ran it"}


def render_prompt(message: Message, context: RenderContext, key: str, *, full: bool) -> str:
    """Show what a person said, exactly as typed, and what came with it."""
    time = context.clock(message.timestamp)
    tag = _TAGS.get(message.kind, "")
    if message.kind == "queued":
        who = f"<b>{context.facts.asker}</b><span>queued at {time or 'some time'}</span>"
    else:
        who = f"<b>{context.facts.asker}</b>{time}" + (
            f'<span class="tag">{tag}</span>' if tag else ""
        )
    body = [f'<div class="ground"><header class="who">{who}</header>']
    quiet: list[tuple[int, ContentBlock]] = []
    for number, block in enumerate(message.blocks):
        if isinstance(block, TextBlock) and is_spoken(block):
            body.append(_render_spoken(block, message, context, f"{key}~{number}", full=full))
        else:
            quiet.append((number, block))
    return "".join([*body, "</div>", render_notes(quiet, message.kind, key, full=full)])


def _render_spoken(
    block: TextBlock, message: Message, context: RenderContext, key: str, *, full: bool
) -> str:
    if block.picture is not None:
        return render_picture(block, context, message.blocks)
    if block.type == "output":
        return render_output(block.text, key, full=full) if block.text.strip() else ""
    if message.kind == "shell":
        return f'<pre class="typed cmd" dir="auto"><b>!</b> {escape_html(block.text)}</pre>'
    if message.kind == "command":
        name, space, rest = block.text.partition(" ")
        command = f'<b class="cmd">{escape_html(name)}</b>{space}{render_typed(rest)}'
        return f'<div class="typed" dir="auto">{command}</div>'
    return _render_typed_block(block, key, full=full)


def _render_typed_block(block: TextBlock, key: str, *, full: bool) -> str:
    shown, rest = split_long_prompt(block.text)
    out = f'<div class="typed" dir="auto">{render_typed(shown)}</div>'
    if rest:
        summary = f"Show all {format_plural(count_prompt_lines(block.text), 'line')}"
        out += render_fold(f"{key}/more", "more", summary, lambda: render_rest(block), inside=full)
    if block.type == "document":  # which nobody typed
        return f'<div class="doc"><p class="m">{ATTACHED}</p>{out}</div>'
    return out


def render_rest(block: TextBlock) -> str:
    """Give what is left of a long prompt."""
    return f'<div class="typed" dir="auto">{render_typed(split_long_prompt(block.text)[1])}</div>'


def render_typed(text: str) -> str:
    """Write a prompt as typed; files it names and code in it are set off, nothing is changed."""
    if "@" not in text and "`" not in text:
        return link_addresses(text)
    out: list[str] = []
    at = 0
    for start, end in find_code_spans(text):
        out += [_mark_files(text[at:start]), f"<code>{escape_words(text[start:end])}</code>"]
        at = end
    out.append(_mark_files(text[at:]))
    return "".join(out)


def _mark_files(text: str) -> str:
    out: list[str] = []
    at = 0
    for one in find_file_references(text):
        out.append(link_addresses(text[at : one.start]))
        target = f'data-do="file" data-path="{escape_attribute(one.path)}"'
        name = escape_html(text[one.start : one.end])
        out.append(f'<button type="button" class="file" {target}>{name}</button>')
        at = one.end
    out.append(link_addresses(text[at:]))
    return "".join(out)


def is_spoken(block: ContentBlock) -> bool:
    """Tell whether a block of a prompt is part of what was said, not a note beside it."""
    return isinstance(block, TextBlock) and block.type in _SPOKEN


def render_answer_text(block: TextBlock, context: RenderContext) -> str:
    """Show what Claude said."""
    if block.picture is not None:
        return render_picture(block, context)
    return f'<div class="prose">{render_markdown(block.text)}</div>'


def render_thought(block: TextBlock, seconds: float | None, key: str, *, full: bool) -> str:
    """Show a thought as one line with its beginning."""
    head = f"Thought for {format_duration(seconds)}" if seconds else "Thought"
    text = block.text.strip()
    preview = escape_html(shorten_text(find_noise("thinking").sub("", text[:_OPENING])))
    summary = f'<b>{head}</b><span class="preview" dir="auto">{preview}</span>'
    short = len(text) <= INLINE
    return render_fold(
        key, "think", summary, lambda: render_thought_body(block), inside=full or short
    )


def render_thought_body(block: TextBlock) -> str:
    """Give the body of a thought."""
    return f'<div class="prose thoughts">{render_markdown(block.text.strip())}</div>'


def render_trouble(message: Message, context: RenderContext, key: str, *, full: bool) -> str:
    """Show what went wrong: an answer that did not come, a line that cannot be read."""
    return "".join(_render_trouble_blocks(message, context, key, full=full))


def _render_trouble_blocks(
    message: Message, context: RenderContext, key: str, *, full: bool
) -> Iterator[str]:
    time = context.clock(message.timestamp)
    for number, block in enumerate(message.blocks):
        if not isinstance(block, TextBlock):
            continue
        if block.type in ("error", "text"):
            after = time if number == 0 else ""
            said = phrase_api_error(block.text)
            words = f'<b class="sign">✗</b> {link_addresses(said)} {after}'
            yield f'<p class="trouble" dir="auto">{words}</p>'
            if said != block.text:
                whole = f'<div class="plain" dir="auto">{escape_html(block.text)}</div>'
                summary = "What the client wrote"
                yield render_fold(f"{key}~{number}", "note", summary, whole, inside=True)
        elif block.type == "raw":
            where = f"Offset {message.offset:,}, as it lies in the file"
            shown = render_code(block.text, "") + render_button(
                "raw", "Show all of it", offset=message.offset
            )
            yield render_fold(f"{key}~{number}", "note raw", where, shown, inside=True)
        else:
            yield render_note(block, message.kind, f"{key}~{number}", full=full)
