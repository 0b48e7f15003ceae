"""Markdown on a terminal, lightly: emphasis, code, headings, lists, quotes and tables.

What Claude writes is meant to be rendered. The marks give way to bold, italic and colour, tables
stand in columns; where the terminal shows none of these the text stays as it was written, and so
does what else there is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from bough.terminal.style import Glyphs, Role, Span, StyledLine, line_of, strip_line
from bough.terminal.text import lines_of, width, wrap

# Marks between a word and a sign are none on the side of the word: `f(**a) or g(**b)`. Nor is
# what stands around a single word with underscores, which is a name: `__init__`, or behind a
# slash, which is a path: `src/**`, but for that between two words: `**this**/**that**`.
_SIGN: Final = r"[!-/:-@\[-`{-~]"
_INLINE: Final = re.compile(
    r"(?<!`)(?P<code>`+)(?!`)(?P<in_code>.+?)(?<!`)(?P=code)(?!`)"
    r"|(?<![\w*\\/])\*{3}(?=[^\s*])(?P<in_both>.+?)(?<=[^\s*\\])\*{3}(?![\w*])"
    rf"|(?<!\\)(?<!(?<!\*\*)/)(?P<bold>\*\*(?!(?<=[A-Za-z0-9]..){_SIGN})|(?<!\w)__(?!\w+__))(?=\S)"
    rf"(?P<in_bold>.+?)(?<=[^\s\\])(?P=bold)(?!(?<={_SIGN}..)[A-Za-z0-9])"
    r"|(?<![\w*\\/])(?P<em>[*_])(?=[^\s*_])(?P<in_em>.+?)(?<=[^\s*_\\])(?P=em)(?![\w*])"
    r"|\[(?P<link>[^\]\n]+)\]\((?P<url>[^)\s]+)\)"
)
# A fence has no such marks behind it; a line that has is code within a line.
_FENCE: Final = re.compile(r"\s*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_HEADING: Final = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM: Final = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])(\s+)(.*)")
_QUOTE: Final = re.compile(r"\s*>\s?(.*)")
_RULE: Final = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*$")
_TABLE_RULE: Final = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*$")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_BETWEEN: Final = "  "
_NARROWEST: Final = 8
_DEEPEST: Final = 4
"""So many marks within one another are taken off."""
_LONGEST: Final = 4_000
"""No person wrote a longer line as Markdown; a picture in base64 is one."""


def wrap_source(text: str, columns: int | None) -> list[str]:
    """Set Markdown as it was written, in lines of at most so many columns."""
    return [part for line in lines_of(text.strip("\n")) for part in _wrap_line(line, columns)]


def render_markdown(text: str, glyphs: Glyphs, columns: int | None) -> list[StyledLine]:
    """Set Markdown in lines of at most so many columns, its marks as roles."""
    lines: list[StyledLine] = []
    source = lines_of(text.strip("\n"))
    fence, done = "", 0
    for number, line in enumerate(source):
        if number < done:
            continue
        if fence and _closes_code(line, fence):
            fence = ""
        elif fence and len(line) <= _LONGEST:
            lines.append(line_of(f"  {line}", Role.TOOL) if line.strip() else ())
        elif fence:
            lines += map(line_of, _wrap_line(line, columns))
        elif table := _find_table(source, number):
            lines += _render_table(table, columns, glyphs.code) or [
                line_of(part) for row in table for part in _wrap_line(row, columns)
            ]
            done = number + len(table)
        elif opened := _FENCE.match(line):
            fence = opened["fence"]
        elif len(line) > _LONGEST:
            lines += map(line_of, _wrap_line(line, columns))
        else:
            lines += _render_block(line, glyphs, columns)
    return lines


def _closes_code(line: str, fence: str) -> bool:
    """Tell whether a line ends the code that began with a fence: one as long, and nothing else."""
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


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
            [(Role.CLAUDE, lead), *_split_inline(item[4], glyphs.code)], columns, " " * len(lead)
        )
    if quote := _QUOTE.match(line):
        lead = f"{glyphs.bar} "
        pieces = [(Role.META, lead), *_split_inline(quote[1], glyphs.code)]
        return _flow_pieces(pieces, columns, lead)
    if line.lstrip().startswith("|"):  # of a table without a head
        return [line_of(part) for part in _wrap_line(line, columns)]
    indent = line[: len(line) - len(line.lstrip())]
    return _flow_pieces(
        [(Role.CLAUDE, indent), *_split_inline(line.lstrip(), glyphs.code)], columns, indent
    )


def _split_inline(text: str, code: str) -> Iterator[Span]:
    """Cut a line into pieces by its marks; `code` is what stands around code."""
    at = 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            yield Role.CLAUDE, text[at : match.start()]
        at = match.end()
        if match["in_code"]:
            yield Role.TOOL, f"{code}{_trim_code(match['in_code'])}{code}"
        elif strong := match["in_both"] or match["in_bold"]:
            yield Role.STRONG, _strip_marks(strong)
        elif match["in_em"]:
            yield Role.EMPHASIS, _strip_marks(match["in_em"])
        else:
            yield Role.LINK, _strip_marks(match["link"])
            if address := _say_address(match):
                yield Role.META, address
    if at < len(text):
        yield Role.CLAUDE, text[at:]


def _strip_marks(text: str, depth: int = _DEEPEST) -> str:
    """Take the marks off a text that is set in one piece, and off what is set in it."""

    def strip_match(match: re.Match[str]) -> str:
        if match["in_code"]:
            return _trim_code(match["in_code"])
        if match["link"]:
            return f"{_strip_marks(match['link'], depth - 1)}{_say_address(match)}"
        inner = match["in_both"] or match["in_bold"] or match["in_em"]
        return _strip_marks(inner, depth - 1)

    return _INLINE.sub(strip_match, text) if depth else text


def _trim_code(code: str) -> str:
    """Take off the blanks that keep a mark within code from those around it."""
    return code[1:-1] if code[0] == code[-1] == " " and code.strip() else code


def _say_address(link: re.Match[str]) -> str:
    return f" ({link['url']})" if link["url"] != _strip_marks(link["link"]) else ""


def _flow_pieces(pieces: list[Span], columns: int | None, hang: str) -> list[StyledLine]:
    """Break pieces into lines as plain text is: where a mark ended is no end of a word.

    With a hang the first piece is what stands in its place in the first line.
    """
    if columns is None:
        return [_join_pieces(pieces)]
    lead, words = (pieces[:1], pieces[1:]) if hang else ([], pieces)
    text = "".join([text for _, text in words])
    lines: list[StyledLine] = []
    at = 0
    for part in wrap(text, max(_NARROWEST, columns - len(hang))):
        at = text.index(part, at)  # only blanks are passed over
        end = at + len(part)
        lines.append(_join_pieces([*lead, *_cut_pieces(words, at, end)]))
        lead, at = [(Role.CLAUDE, hang)], end
    return lines


def _cut_pieces(pieces: list[Span], start: int, end: int) -> Iterator[Span]:
    """Give what pieces have between two places of their text."""
    at = 0
    for role, text in pieces:
        if part := text[max(0, start - at) : max(0, end - at)]:
            yield role, part
        at += len(text)


def _join_pieces(line: Sequence[Span]) -> StyledLine:
    """Join the pieces of one role that follow one another; no blanks stand at the end."""
    return strip_line(
        (role, "".join([part for _, part in parts]))
        for role, parts in groupby((piece for piece in line if piece[1]), key=lambda one: one[0])
    )


def _find_table(source: Sequence[str], at: int) -> Sequence[str]:
    """Give the lines of the table that begins at a line; none where there is no table."""
    if "|" not in source[at] or at + 1 == len(source):
        return ()
    if len(source[at + 1]) > _LONGEST or not _TABLE_RULE.match(source[at + 1]):
        return ()
    if len(_split_cells(source[at])) != len(_split_cells(source[at + 1])):
        return ()
    end = next((n for n in range(at + 2, len(source)) if "|" not in source[n]), len(source))
    table = source[at:end]
    return () if any(len(row) > _LONGEST for row in table) else table


def _render_table(table: Sequence[str], columns: int | None, code: str) -> list[StyledLine]:
    """Set a table in columns; nothing where they are too many for the room."""
    head, rule, *rows = map(_split_cells, table)
    right = [cell.endswith(":") and not cell.startswith(":") for cell in rule]
    cells: list[list[list[Span]]] = [[[(Role.META, _strip_marks(cell))] for cell in head]]
    for row in rows:
        most = len(head) - 1
        shown = [*row[:most], " | ".join(row[most:]), *[""] * (most - len(row))]
        cells.append([list(_split_inline(cell, code)) for cell in shown])
    indent = table[0][: len(table[0]) - len(table[0].lstrip())]
    widths = _fit_widths(
        [max(_measure_pieces(row[n]) for row in cells) for n in range(len(head))],
        None if columns is None else columns - len(indent),
    )
    if not widths:
        return []
    lines = (line for row in cells for line in _set_row(row, widths, right))
    return [((Role.CLAUDE, indent), *line) if indent and line else line for line in lines]


def _split_cells(row: str) -> list[str]:
    cells = [cell.strip().replace("\\|", "|") for cell in _CELL_END.split(row.strip())]
    if len(cells) > 1 and not cells[0]:
        del cells[0]
    if len(cells) > 1 and not cells[-1]:
        del cells[-1]
    return cells


def _fit_widths(widths: list[int], columns: int | None) -> list[int]:
    """Narrow the widest columns until all have room; nothing where they would be too narrow."""
    if columns is None:
        return widths
    room = columns - len(_BETWEEN) * (len(widths) - 1)
    most, left = room, room
    for number, wide in enumerate(sorted(widths)):
        most = left // (len(widths) - number)
        if wide > most:
            break
        left -= wide
    else:
        return widths
    return [] if most < _NARROWEST else [min(wide, most) for wide in widths]


def _set_row(
    row: Sequence[list[Span]], widths: Sequence[int], right: Sequence[bool]
) -> list[StyledLine]:
    """Set the cells of a row beside each other, each on as many lines as it takes."""
    cells = [_flow_pieces(cell, wide, "") for cell, wide in zip(row, widths, strict=True)]
    lines: list[StyledLine] = []
    for number in range(max(map(len, cells))):
        line: list[Span] = []
        for cell, wide, is_right in zip(cells, widths, right, strict=True):
            part = cell[number] if number < len(cell) else ()
            blank = (Role.CLAUDE, " " * (wide - _measure_pieces(part)))
            line += [blank, *part] if is_right else [*part, blank]
            line.append((Role.CLAUDE, _BETWEEN))
        lines.append(strip_line(line))
    return lines


def _measure_pieces(pieces: Iterable[Span]) -> int:
    return sum(width(text) for _, text in pieces)
