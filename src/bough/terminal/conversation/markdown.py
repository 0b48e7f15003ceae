"""Markdown on a terminal, lightly: emphasis, code, headings, lists and quotes.

What Claude writes is meant to be rendered, and a stream has no room for more than this. The
marks give way to bold, italic and colour; where the terminal shows none of these the text
stays as it was written. Tables and what else there is stay as they are.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from bough.terminal.style import Glyphs, Role, Span, StyledLine, line_of
from bough.terminal.text import lines_of, width, wrap

_INLINE: Final = re.compile(
    r"(?P<code>`+)(?P<in_code>.+?)(?P=code)(?!`)"
    r"|(?P<bold>\*\*|__)(?=\S)(?P<in_bold>.+?)(?<=\S)(?P=bold)"
    r"|(?<![\w*])(?P<em>[*_])(?=[^\s*_])(?P<in_em>.+?)(?<=[^\s*_])(?P=em)(?![\w*])"
    r"|\[(?P<link>[^\]\n]+)\]\((?P<url>[^)\s]+)\)"
)
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_HEADING: Final = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM: Final = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])(\s+)(.*)")
_QUOTE: Final = re.compile(r"\s*>\s?(.*)")
_RULE: Final = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*$")
_WORDS: Final = re.compile(r"\s+|\S+")
_LONGEST: Final = 4_000
"""No person wrote a longer line as Markdown; a picture in base64 is one."""


def wrap_source(text: str, columns: int | None) -> list[str]:
    """Set Markdown as it was written, in lines of at most so many columns."""
    return [part for line in lines_of(text.strip("\n")) for part in _wrap_line(line, columns)]


def render_markdown(text: str, glyphs: Glyphs, columns: int | None) -> list[StyledLine]:
    """Set Markdown in lines of at most so many columns, its marks as roles."""
    lines: list[StyledLine] = []
    fenced = False
    for line in lines_of(text.strip("\n")):
        if _FENCE.match(line):
            fenced = not fenced
        elif len(line) > _LONGEST:
            lines += map(line_of, _wrap_line(line, columns))
        elif fenced:
            lines.append(line_of(f"  {line}", Role.TOOL) if line.strip() else ())
        else:
            lines += _render_block(line, glyphs, columns)
    return lines


def _wrap_line(line: str, columns: int | None) -> list[str]:
    return [line] if columns is None else wrap(line, columns)


def _render_block(line: str, glyphs: Glyphs, columns: int | None) -> list[StyledLine]:
    if _RULE.match(line):
        return [line_of(glyphs.dash * 3, Role.META)]
    if heading := _HEADING.match(line):
        return _flow_pieces([(Role.STRONG, _strip_marks(heading[1]))], columns, "")
    if item := _ITEM.match(line):
        sign = item[2] if item[2][0].isdigit() else "-"
        lead = f"{item[1]}{sign} "
        return _flow_pieces(
            [(Role.CLAUDE, lead), *_split_inline(item[4])], columns, " " * len(lead)
        )
    if quote := _QUOTE.match(line):
        lead = f"{glyphs.bar} "
        pieces = [(Role.META, lead), *_split_inline(quote[1])]
        return _flow_pieces(pieces, columns, lead)
    if line.lstrip().startswith("|"):
        return [line_of(line)]
    indent = line[: len(line) - len(line.lstrip())]
    return _flow_pieces([(Role.CLAUDE, indent), *_split_inline(line.lstrip())], columns, indent)


def _split_inline(text: str) -> Iterator[Span]:
    """Cut a line into pieces by its marks."""
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            yield Role.CLAUDE, text[at : match.start()]
        at = match.end()
        if match["in_code"]:
            yield Role.TOOL, match["in_code"]
        elif match["in_bold"]:
            yield Role.STRONG, _strip_marks(match["in_bold"])
        elif match["in_em"]:
            yield Role.EMPHASIS, _strip_marks(match["in_em"])
        else:
            yield Role.LINK, match["link"]
            if match["url"] != match["link"]:
                yield Role.META, f" ({match['url']})"
    if at < len(text):
        yield Role.CLAUDE, text[at:]


def _strip_marks(text: str) -> str:
    """Take the marks off a text that is set in one piece."""
    return _INLINE.sub(
        lambda m: m["in_code"] or m["in_bold"] or m["in_em"] or m["link"] or "", text
    )


def _flow_pieces(pieces: list[Span], columns: int | None, hang: str) -> list[StyledLine]:
    """Break pieces into lines at their spaces; what follows the first line is indented."""
    lines: list[list[Span]] = [[]]
    used = 0
    for role, text in pieces:
        for word in _WORDS.findall(text):
            wide = width(word)
            start = len(lines) > 1 and used == len(hang)
            if columns is not None and used + wide > columns and used > len(hang):
                lines.append([(Role.CLAUDE, hang)])
                used, start = len(hang), True
            if start and word.isspace():
                continue
            for number, part in enumerate(_slice_word(word, columns, used)):
                if number:
                    lines.append([(Role.CLAUDE, hang)])
                    used = len(hang)
                lines[-1].append((role, part))
                used += width(part)
    return [_join_pieces(line) for line in lines]


def _slice_word(word: str, columns: int | None, used: int) -> list[str]:
    """Break a word that no line can take."""
    if columns is None or used + width(word) <= columns:
        return [word]
    return wrap(word, max(8, columns - used))


def _join_pieces(line: list[Span]) -> StyledLine:
    """Join the words of one role that follow one another."""
    while line and line[-1][1].isspace():
        line = line[:-1]
    return tuple(
        (role, "".join([part for _, part in parts]))
        for role, parts in groupby(line, key=lambda piece: piece[0])
    )
