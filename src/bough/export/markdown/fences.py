"""Text inside Markdown: fenced so that nothing can break out, and open text made safe.

A fence is longer than any run of backticks inside. Text that is Markdown itself stays as it
was written, but for two things: a fence that was left open is closed, or everything after
it would be code; and tags outside code are escaped, or a page would swallow them.
"""

import re
from collections.abc import Iterator
from typing import Final

from bough.model.text.code_fences import find_fence

_TICKS: Final = re.compile(r"`{3,}")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])(?!(?:https?|mailto):)")
_RUN: Final = re.compile("`+")
_NEWLINES: Final = re.compile("\r\n?")
_PLAIN: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def fence_code(text: str, language: str = "") -> str:
    """Set a text as code."""
    text = _NEWLINES.sub("\n", text).strip("\n")
    longest = max(map(len, _TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def escape_markdown(text: str) -> str:
    """Make a text that is Markdown safe to stand among others."""
    out: list[str] = []
    opened = ""
    for line in _NEWLINES.sub("\n", text).strip("\n").split("\n"):
        fence = find_fence(line, opened, at_top=True)
        out.append(line if fence or opened else _escape_tags(line))
        if fence:
            opened = "" if opened else fence
    if opened:
        out.append(opened)
    return "\n".join(out)


def quote_text(text: str) -> str:
    """Set a text behind the marks of a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def make_details(summary: str, body: str) -> str:
    """Fold a body under a line that is plain text."""
    line = " ".join(summary.split()).translate(_PLAIN)
    return f"<details><summary>{line}</summary>\n\n{body}\n\n</details>"


def escape_inline(text: str) -> str:
    """Set words of a transcript inside a sentence or a heading of ours, as they are."""
    line = " ".join(text.split())
    return re.sub(r"([\\`*_\[\]<>#|~])", r"\\\1", line)


def _escape_tags(line: str) -> str:
    """Escape the tags of a line, but for those in code."""
    if "<" not in line:
        return line
    out, at = [], 0
    for start, end in _find_code(line):
        out += [_TAG.sub(r"\\<", line[at:start]), line[start:end]]
        at = end
    return "".join([*out, _TAG.sub(r"\\<", line[at:])])


def _find_code(line: str) -> Iterator[tuple[int, int]]:
    """Find code between runs of backticks of one length, as Markdown pairs them."""
    runs = [run.span() for run in _RUN.finditer(line)]
    waiting: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        waiting.setdefault(runs[number][1] - runs[number][0], []).append(number)
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = waiting[end - start]
        while same and same[-1] <= number:
            same.pop()
        if same:
            number = same[-1]
            yield start, runs[number][1]
        number += 1
