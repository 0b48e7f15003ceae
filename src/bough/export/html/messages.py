"""Prompts: what a person typed, exactly as typed, on a ground of its own.

Nothing is rendered: stars stay stars, and white space stays where it was put. Files that are
named and code between back-ticks are set off, addresses can be followed.

What Claude said and thought, and what went wrong instead.
"""

import re
from collections.abc import Iterator
from typing import Final

from bough.export.html.folds import button, fold
from bough.export.html.images import picture
from bough.export.html.notes import INLINE, preview_of, quiet_line, quiet_lines
from bough.export.html.render_context import Scene
from bough.export.html.tools.tool_output import output_of
from bough.export.markup.code import code_block
from bough.export.markup.escape import attribute, escaped
from bough.export.markup.markdown import linked, markdown
from bough.model.conversation.content import Block, Words
from bough.model.conversation.turns import Turn
from bough.model.text.formats import duration, plural

_LONG, _LINE = 60, 120
"""A prompt of more lines, or of as much text as they hold, shows its first half and a fold."""

_AT: Final = re.compile(r'@(?<![\w@`]@)(?:"[^"\n]+"|[\w~./\\-][\w./\\~:+#-]*)')
_CODE: Final = re.compile(r"`[^`\n]+`")
_SPOKEN: Final = frozenset({"text", "output", "image", "document"})
_TAGS: Final = {"command": "command", "shell": "you ran it"}


def prompt(turn: Turn, scene: Scene, key: str, *, full: bool) -> str:
    """Show what a person said, exactly as typed, and what came with it."""
    time = scene.time(turn.timestamp)
    tag = _TAGS.get(turn.kind, "")
    if turn.kind == "queued":
        who = f"<b>{scene.asker}</b><span>queued at {time or 'some time'}</span>"
    else:
        who = f"<b>{scene.asker}</b>{time}" + (f'<span class="tag">{tag}</span>' if tag else "")
    body = [f'<div class="ground"><header class="who">{who}</header>']
    quiet: list[tuple[int, Block]] = []
    for number, block in enumerate(turn.blocks):
        if isinstance(block, Words) and is_spoken(block):
            body.append(_spoken(block, turn, scene, f"{key}~{number}", full=full))
        else:
            quiet.append((number, block))
    return "".join([*body, "</div>", quiet_lines(quiet, turn.kind, key, full=full)])


def _spoken(block: Words, turn: Turn, scene: Scene, key: str, *, full: bool) -> str:
    if block.picture is not None:
        return picture(block, scene, turn.blocks)
    if block.type == "output":
        return output_of(block.text, key, full=full) if block.text.strip() else ""
    if turn.kind == "shell":
        return f'<pre class="typed cmd" dir="auto"><b>!</b> {escaped(block.text)}</pre>'
    if turn.kind == "command":
        name, space, rest = block.text.partition(" ")
        command = f'<b class="cmd">{escaped(name)}</b>{space}{typed(rest)}'
        return f'<div class="typed" dir="auto">{command}</div>'
    return _typed_block(block, key, full=full)


def _typed_block(block: Words, key: str, *, full: bool) -> str:
    shown, rest = _opening(block.text)
    look = "typed doc" if block.type == "document" else "typed"
    start = f'<div class="{look}" dir="auto">{typed(shown)}</div>'
    if not rest:
        return start
    summary = f"Show {plural(len(rest.splitlines()), 'more line')}"
    return start + fold(f"{key}/more", "more", summary, lambda: rest_of(block), inside=full)


def rest_of(block: Words) -> str:
    """Give what is left of a long prompt."""
    return f'<div class="typed" dir="auto">{typed(_opening(block.text)[1])}</div>'


def _opening(text: str) -> tuple[str, str]:
    """Part what is shown of a long prompt from the rest, at the end of a line."""
    lines = text.split("\n")
    if len(lines) <= _LONG and len(text) <= _LONG * _LINE:
        return text, ""
    shown, size = 0, 0
    while shown < _LONG // 2 and size < _LONG * _LINE // 2 and shown < len(lines):
        size += len(lines[shown]) + 1
        shown += 1
    return "\n".join(lines[:shown]), "\n".join(lines[shown:])


def typed(text: str) -> str:
    """Write a prompt as typed; files it names and code in it are set off, nothing is changed."""
    if "@" not in text and "`" not in text:
        return linked(text)
    out: list[str] = []
    at = 0
    for match in _CODE.finditer(text):
        out += [_with_files(text[at : match.start()]), f"<code>{escaped(match[0])}</code>"]
        at = match.end()
    out.append(_with_files(text[at:]))
    return "".join(out)


def _with_files(text: str) -> str:
    out: list[str] = []
    at = 0
    for match in _AT.finditer(text):
        name = match[0].rstrip(".,:;")
        path = name[1:].strip('"')
        if "." not in path and "/" not in path and "\\" not in path:
            continue
        out.append(linked(text[at : match.start()]))
        chip = f'<button type="button" class="file" data-do="file" data-path="{attribute(path)}">'
        out.append(f"{chip}{escaped(name)}</button>")
        at = match.start() + len(name)
    out.append(linked(text[at:]))
    return "".join(out)


def is_spoken(block: Block) -> bool:
    """Tell whether a block of a prompt is part of what was said, not a note beside it."""
    return isinstance(block, Words) and block.type in _SPOKEN


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
