"""Blocks of plain Markdown, written without the parser.

Claude writes paragraphs, headings, lists, tables, quotes and fenced code, one like the other;
that much is read here line by line, at a tenth of the cost. Where a line could mean something
else (indented code, an underlined heading, a quote that goes on without its mark) the parser
decides about the whole text. Both ways give the very same HTML, which a test says.
"""

import re
from typing import Final, NamedTuple

from bough.export.markup.code import render_code
from bough.export.markup.escape import split_lines
from bough.export.markup.quicktables import SPACE, Inline, is_under_head, quick_table
from bough.export.markup.tags import TAGS, heading_tags, open_numbered_list

_DEEPEST: Final = 6
# What a line begins with that may be more than words.
_MARKS: Final = frozenset("#`~>-+*_|:=0123456789\t")
_RULE: Final = r"(?:-(?: *+-){2,}+|\*(?: *+\*){2,}+|_(?: *+_){2,}+) *$"
_KIND: Final = re.compile(
    rf"(?P<rule>{_RULE})"
    r"|(?P<item>(?:[-+*]|[0-9]{1,9}[.)])(?: |$))"
    r"|(?P<heading>#{1,6}(?: |$))"
    r"|(?P<fence>`{3,}+(?=[^`]*$)|~{3,}+)"
    r"|(?P<quote>>)"
)
_ITEM: Final = re.compile(rf" {{0,3}}(?!{_RULE})([-+*]|[0-9]{{1,9}}[.)]) {{1,4}}(?=[^ \t])")
_ITEM_BELOW_WORDS: Final = re.compile(r"(?:[-+*]|0*1[.)]) +[^ ]")
_UNDERLINE: Final = re.compile(r"(?:=+|-+) *$")
_OPEN: Final = TAGS["paragraph_open"]
_CLOSE: Final = TAGS["paragraph_close"]

Written = tuple[str, int]
"""A block as HTML, and the line after it."""


class _UnsureError(Exception):
    """Only the parser knows what a text means."""


class _Lazy(str):
    """A line that goes on with the words of an item, without its indent."""

    __slots__ = ()


class _Part(NamedTuple):
    """A text, or what is inside an item or a quote of it."""

    lines: list[str]
    depth: int
    inline: Inline


def quick_blocks(text: str, inline: Inline) -> str | None:
    """Write a text of plain Markdown; None where it needs the parser."""
    if "\0" in text:
        return None
    try:
        return "".join(_blocks(_Part(split_lines(text), 0, inline))[0])
    except _UnsureError:
        return None


def _blocks(part: _Part) -> tuple[list[str], bool]:
    """Write all blocks, and tell whether there is a blank line between any two."""
    lines, depth, inline = part
    if depth > _DEEPEST:
        raise _UnsureError
    out: list[str] = []
    loose = False
    at, end = 0, len(lines)
    while at < end:
        line = lines[at]
        bare = line.lstrip(" ")
        if not bare:
            at += 1
            continue
        if len(line) - len(bare) > 3 or type(line) is _Lazy:
            raise _UnsureError
        if out and not lines[at - 1].strip(" "):
            loose = True
        kind = _kind(lines, at, bare) if bare[0] in _MARKS else ""
        if kind:
            html, at = _WRITE[kind](part, at)
            out.append(html)
        else:
            start, at = at, _end_of_words(lines, at)
            out += (_OPEN, inline("\n".join(lines[start:at]).strip(SPACE)), _CLOSE)
    return out, loose


def _kind(lines: list[str], at: int, bare: str) -> str:
    """Tell what begins with a line, nothing if words; give up if it may change the line above."""
    if "\t" in bare or (at and "|" in lines[at - 1] and is_under_head(bare)):
        raise _UnsureError
    match = _KIND.match(bare)
    if match is not None:
        return match.lastgroup or ""
    if bare[0] == "|" and at + 1 < len(lines) and is_under_head(lines[at + 1]):
        return "table"
    return ""


def _end_of_words(lines: list[str], at: int) -> int:
    """Find where a paragraph ends."""
    for below in range(at + 1, len(lines)):
        line = lines[below]
        bare = line.lstrip(" ")
        if not bare:
            return below
        if bare[0] not in _MARKS or (len(line) - len(bare) > 3 and bare[0] != "\t"):
            continue
        if _UNDERLINE.match(bare) is not None:
            raise _UnsureError
        kind = _kind(lines, below, bare)
        if kind and (kind != "item" or _ITEM_BELOW_WORDS.match(bare) is not None):
            return below
    return len(lines)


def _is_words(bare: str) -> bool:
    """Tell whether a line is nothing but words, whatever is above it."""
    if bare[0] not in _MARKS:
        return True
    return bare[0] not in "|:-=" and "\t" not in bare and _KIND.match(bare) is None


def _expect_an_end(lines: list[str], at: int) -> None:
    """Give up where a line may belong to the block above it."""
    if at == len(lines):
        return
    bare = lines[at].lstrip(" ")
    if not bare or not lines[at - 1].strip(" "):
        return
    if _KIND.match(bare) is None or lines[at].startswith("    "):
        raise _UnsureError


def _heading(part: _Part, at: int) -> Written:
    line = part.lines[at].strip(" ")
    words = line.lstrip("#")
    opened, closed = heading_tags(len(line) - len(words))
    words = words.strip(SPACE)
    if words.endswith("#"):
        raise _UnsureError
    return f"{opened}{part.inline(words)}{closed}", at + 1


def _rule(_: _Part, at: int) -> Written:
    return TAGS["hr"], at + 1


def _fence(part: _Part, at: int) -> Written:
    lines = part.lines
    bare = lines[at].lstrip(" ")
    indent = len(lines[at]) - len(bare)
    words = bare.lstrip(bare[0])
    mark = bare[: len(bare) - len(words)]
    for end in range(at + 1, len(lines)):
        line = lines[end]
        if type(line) is _Lazy:
            raise _UnsureError
        if mark in line and _closes(line, mark):
            break
    else:
        raise _UnsureError
    body = lines[at + 1 : end]
    if indent:
        body = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in body]
    code = "\n".join([*body, ""])
    if "|" in words or ((part.depth or indent) and "\t" in code):
        raise _UnsureError
    return render_code(code, words.strip()), end + 1


def _closes(line: str, mark: str) -> bool:
    bare = line.lstrip(" ")
    if not bare.startswith(mark) or len(line) - len(bare) > 3:
        return False
    return not bare.rstrip(" \t").strip(mark[0])


def _quote(part: _Part, at: int) -> Written:
    inner: list[str] = []
    for end in range(at, len(part.lines)):
        line = part.lines[end]
        bare = line.lstrip(" ")
        if not bare.startswith(">") or len(line) - len(bare) > 3 or "\t" in bare:
            break
        inner.append(bare[1:].removeprefix(" "))
    _expect_an_end(part.lines, at + len(inner))
    out, _ = _blocks(_Part(inner, part.depth + 1, part.inline))
    html = f"{TAGS['blockquote_open']}{''.join(out)}{TAGS['blockquote_close']}"
    return html, at + len(inner)


def _table(part: _Part, at: int) -> Written:
    written = quick_table(part.lines, at, part.inline)
    if written is None:
        raise _UnsureError
    _expect_an_end(part.lines, written[1])
    return written


def _list(part: _Part, at: int) -> Written:
    lines = part.lines
    item = _ITEM.match(lines[at])
    if item is None:
        raise _UnsureError
    mark = item[1]
    items: list[list[str]] = []
    loose = False
    while item is not None and item[1][-1] == mark[-1]:
        if items and not lines[at - 1].strip(" "):
            loose = True
        inner, at = _lines_of_item(lines, at, item.end())
        if len(inner) == 1 and _is_words(inner[0]):
            items.append([_OPEN, part.inline(inner[0].strip(SPACE)), _CLOSE])
        else:
            out, gaps = _blocks(_Part(inner, part.depth + 1, part.inline))
            items.append(out)
            loose = loose or gaps
        item = _ITEM.match(lines[at]) if at < len(lines) else None
    if item is None:
        _expect_an_end(lines, at)
    opened, closed = (
        (TAGS["bullet_list_open"], TAGS["bullet_list_close"])
        if len(mark) == 1
        else (open_numbered_list(int(mark[:-1])), TAGS["ordered_list_close"])
    )
    return f"{opened}{''.join([_item(out, loose=loose) for out in items])}{closed}", at


def _lines_of_item(lines: list[str], at: int, indent: int) -> tuple[list[str], int]:
    """Take the lines of an item, without its indent and mark, and tell where it ends."""
    space = " " * indent
    inner = [lines[at][indent:]]
    below = at + 1
    while below < len(lines):
        line = lines[below]
        if line.startswith(space) or not (bare := line.lstrip(" ")):
            inner.append(line[indent:])
        elif inner[-1].strip(" ") and _is_words(bare):
            inner.append(_Lazy(bare))
        else:
            break
        below += 1
    while not inner[-1].strip(" "):
        inner.pop()
    return inner, below


def _item(out: list[str], *, loose: bool) -> str:
    """Write an item; the paragraphs of a list without blank lines are bare words."""
    if not loose:
        out = [html for html in out if html is not _OPEN and html is not _CLOSE]
    return f"{TAGS['list_item_open']}{''.join(out)}{TAGS['list_item_close']}"


_WRITE: Final = {
    "fence": _fence,
    "heading": _heading,
    "item": _list,
    "quote": _quote,
    "rule": _rule,
    "table": _table,
}
