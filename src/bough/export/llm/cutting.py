"""Texts cut in their middle, with a note of how much is gone.

The beginning says what it is about and the end how it turned out. Text is cut between
paragraphs, and a fence is never cut: it stays or goes as a whole. Sizes are in bytes.
"""

import re
from collections.abc import Sequence
from typing import Final

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_ROOM_FOR_NOTE: Final = 64


def size_of(text: str) -> int:
    """Measure a text in bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def cut_text(text: str, room: int) -> str | None:
    """Cut Markdown to fit into so many bytes; None where nothing of it would be left."""
    return _cut(_paragraphs(text), room, "\n\n")


def cut_lines(text: str, room: int) -> str | None:
    """Cut a text that is no Markdown, between lines; None where nothing would be left."""
    return _cut(text.strip("\n").split("\n"), room, "\n")


def _cut(parts: Sequence[str], room: int, glue: str) -> str | None:
    """Keep parts of the beginning and of the end in turn, as long as they fit."""
    sizes = [size_of(part) + len(glue) for part in parts]
    if sum(sizes) - len(glue) <= room:
        return glue.join(parts)
    left = room - _ROOM_FOR_NOTE - 2 * len(glue)
    head, tail = 0, len(parts)
    while head < tail:
        if sizes[head] <= left:
            left -= sizes[head]
            head += 1
        else:
            break
        if head < tail and sizes[tail - 1] <= left:
            tail -= 1
            left -= sizes[tail]
    while head < tail and sizes[tail - 1] <= left:
        tail -= 1
        left -= sizes[tail]
    if head == 0 and tail == len(parts):
        return None
    gone = sum(len(part) for part in parts[head:tail])
    note = f"[… {gone:,} characters left out …]"
    return glue.join([*parts[:head], note, *parts[tail:]])


def _paragraphs(text: str) -> list[str]:
    """Cut Markdown at empty lines, but not inside a fence."""
    found: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            found[-1].append(line)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
            found[-1].append(line)
        elif line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if lines]
