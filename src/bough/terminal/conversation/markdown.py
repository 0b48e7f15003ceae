"""Markdown on a terminal, lightly: emphasis, code, headings, lists and quotes.

What Claude writes is meant to be rendered, and a stream has no room for more than this. The
marks give way to bold, italic and colour; where the terminal shows none of these the text
stays as it was written. Tables and what else there is stay as they are.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from bough.terminal.style import Role, Styles
from bough.terminal.text import lines_of, width, wrap

StyledText = tuple[str, str]
"""An escape code, or none, and the text set in it."""

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
_BOLD: Final = "1"
_ITALIC: Final = "3"


def render_markdown(text: str, styles: Styles, columns: int | None) -> list[str]:
    """Set Markdown in lines of at most so many columns; as it is where nothing can be set off."""
    if not any(styles.codes.values()):
        return [part for line in lines_of(text.strip("\n")) for part in _wrap_line(line, columns)]
    lines: list[str] = []
    fenced = False
    for line in lines_of(text.strip("\n")):
        if _FENCE.match(line):
            fenced = not fenced
        elif len(line) > _LONGEST:
            lines += _wrap_line(line, columns)
        elif fenced:
            lines.append(styles.paint(Role.TOOL, f"  {line}") if line.strip() else "")
        else:
            lines += _render_block(line, styles, columns)
    return lines


def _wrap_line(line: str, columns: int | None) -> list[str]:
    return [line] if columns is None else wrap(line, columns)


def _render_block(line: str, styles: Styles, columns: int | None) -> list[str]:
    glyphs = styles.glyphs
    if _RULE.match(line):
        return [styles.paint(Role.META, glyphs.dash * 3)]
    if heading := _HEADING.match(line):
        return _flow_pieces([(_BOLD, _strip_marks(heading[1]))], columns, "")
    if item := _ITEM.match(line):
        sign = item[2] if item[2][0].isdigit() else "-"
        lead = f"{item[1]}{sign} "
        return _flow_pieces([("", lead), *_split_inline(item[4], styles)], columns, " " * len(lead))
    if quote := _QUOTE.match(line):
        lead = f"{glyphs.bar} "
        pieces = [(styles.codes.get(Role.META, ""), lead), *_split_inline(quote[1], styles)]
        return _flow_pieces(pieces, columns, lead)
    if line.lstrip().startswith("|"):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return _flow_pieces([("", indent), *_split_inline(line.lstrip(), styles)], columns, indent)


def _split_inline(text: str, styles: Styles) -> Iterator[StyledText]:
    """Cut a line into pieces by its marks."""
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            yield "", text[at : match.start()]
        at = match.end()
        if match["in_code"]:
            yield styles.codes.get(Role.TOOL, ""), match["in_code"]
        elif match["in_bold"]:
            yield _BOLD, _strip_marks(match["in_bold"])
        elif match["in_em"]:
            yield _ITALIC, _strip_marks(match["in_em"])
        else:
            yield "4", match["link"]
            if match["url"] != match["link"]:
                yield styles.codes.get(Role.META, ""), f" ({match['url']})"
    if at < len(text):
        yield "", text[at:]


def _strip_marks(text: str) -> str:
    """Take the marks off a text that is set in one piece."""
    return _INLINE.sub(
        lambda m: m["in_code"] or m["in_bold"] or m["in_em"] or m["link"] or "", text
    )


def _flow_pieces(pieces: list[StyledText], columns: int | None, hang: str) -> list[str]:
    """Break pieces into lines at their spaces; what follows the first line is indented."""
    lines: list[list[StyledText]] = [[]]
    used = 0
    for code, text in pieces:
        for word in _WORDS.findall(text):
            wide = width(word)
            start = len(lines) > 1 and used == len(hang)
            if columns is not None and used + wide > columns and used > len(hang):
                lines.append([("", hang)])
                used, start = len(hang), True
            if start and word.isspace():
                continue
            for number, part in enumerate(_slice_word(word, columns, used)):
                if number:
                    lines.append([("", hang)])
                    used = len(hang)
                lines[-1].append((code, part))
                used += width(part)
    return [_paint_pieces(line) for line in lines]


def _slice_word(word: str, columns: int | None, used: int) -> list[str]:
    """Break a word that no line can take."""
    if columns is None or used + width(word) <= columns:
        return [word]
    return wrap(word, max(8, columns - used))


def _paint_pieces(line: list[StyledText]) -> str:
    while line and line[-1][1].isspace():
        line = line[:-1]
    joined = (
        (code, "".join(part for _, part in parts))
        for code, parts in groupby(line, key=lambda piece: piece[0])
    )
    return "".join(f"\x1b[{code}m{part}\x1b[0m" if code else part for code, part in joined)
