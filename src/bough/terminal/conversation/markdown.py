"""Markdown on a terminal, lightly: emphasis, code, headings, lists, quotes and tables.

What Claude writes is meant to be rendered. The marks give way to bold, italic and colour, tables
stand in columns; where the terminal shows none of these the text stays as it was written, and so
does what else there is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from bough.model.text.code_fences import find_fence
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
_HEADING: Final = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM: Final = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])(\s+)(.*)")
_QUOTE: Final = re.compile(r"\s*>\s?(.*)")
_RULE: Final = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*$")
_TABLE_RULE: Final = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*$")
_CELL_END: Final = re.compile(r"(?<!\\)\|")
_BETWEEN: Final = "  "
_NARROWEST: Final = 8
_MOST_COLUMNS: Final = 50
"""So many have no room anywhere; each row takes a cell for each, however short it is."""
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
    opened, done = "", 0
    for number, line in enumerate(source):
        if number < done:
            continue
        if fence := find_fence(line, opened):
            opened = "" if opened else fence
        elif not opened and (table := _find_table(source, number)):
            lines += _render_table(table, columns, glyphs.code) or [
                line_of(part) for row in table for part in _wrap_line(row, columns)
            ]
            done = number + len(table)
        elif len(line) > _LONGEST:
            lines += map(line_of, _wrap_line(line, columns))
        elif opened:
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
    stretches: list[tuple[int, int]] = []
    at = 0
    for part in wrap(text, max(_NARROWEST, columns - len(hang))):
        start = text.index(part, at)  # only blanks are passed over
        at = start + len(part)
        stretches.append((start, at))
    lines: list[StyledLine] = []
    for line in _cut_pieces(words, stretches):
        lines.append(_join_pieces([*lead, *line]))
        lead = [(Role.CLAUDE, hang)]
    return lines


def _cut_pieces(
    pieces: Sequence[Span], stretches: Iterable[tuple[int, int]]
) -> Iterator[list[Span]]:
    """Give what pieces have in stretches of their text that follow one another."""
    number = at = 0
    for start, end in stretches:
        line: list[Span] = []
        while number < len(pieces):
            role, text = pieces[number]
            line.append((role, text[max(0, start - at) : end - at]))
            if at + len(text) > end:
                break
            at += len(text)
            number += 1
        yield line


def _join_pieces(line: Sequence[Span]) -> StyledLine:
    """Join the pieces of one role that follow one another; no blanks stand at the end."""
    return strip_line(
        (role, "".join([part for _, part in parts]))
        for role, parts in groupby((piece for piece in line if piece[1]), key=lambda one: one[0])
    )


def _find_table(source: Sequence[str], at: int) -> Sequence[str]:
    """Give the lines of the table that begins at a line; none where there is no table."""
    if at + 1 == len(source) or not _may_be_row(source[at]) or not _may_be_row(source[at + 1]):
        return ()
    if not _TABLE_RULE.match(source[at + 1]):
        return ()
    head, rule = _split_cells(source[at]), _split_cells(source[at + 1])
    if len(head) != len(rule) or len(head) > _MOST_COLUMNS:
        return ()
    rows = range(at + 2, len(source))
    return source[at : next((n for n in rows if not _may_be_row(source[n])), len(source))]


def _may_be_row(line: str) -> bool:
    return len(line) <= _LONGEST and "|" in line


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
