"""Passwords in tables: whatever stands in a column that is called so.

Tables as Markdown, databases and CSV files write them: a line of names, perhaps a ruler, and rows
with as many cells. A name inside a table that was read already begins no other.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from bough.export.secrets.heuristics import is_bare_password

COLUMNS: Final = (b"password", b"passwd", b"passphrase", b"passwort", b"pwd")
"""How such a column is called, in small letters, with other words before it or none."""

_NAMES: Final = f"(?:{b'|'.join(COLUMNS).decode()})"
_AROUND: Final = r"[\"'`* ]{0,30}"
_GATE: Final = re.compile(
    rf"(?:[|,;]|\t|\\t){_AROUND}\w{{0,20}}{_NAMES}{_AROUND}(?:[|,;\s]|\\[nrt]|$)"
    rf"|{_NAMES}{_AROUND}(?:[|,;\t]|\\t)".encode()
)
_COLUMN: Final = re.compile(rf"{_NAMES}(?={_AROUND}(?:[|,;\t\r\n\\]|\Z))", re.IGNORECASE)
_SEPARATORS: Final = "|\t,;"
# What stands before the first name may be a quote, the number of the line, the sign of a diff
# or a command.
_FIRST_LABEL: Final = re.compile(r"[^()=|,]{0,60}")
_LABEL: Final = re.compile(r"[\w .*\"'`#/\\}-]{0,60}\r?")
_WORD: Final = re.compile(r"\w")
_RULER: Final = re.compile(r"[-+=|: \t\d>\N{RIGHTWARDS ARROW}]{3,}\r?")
_LINE_END: Final = re.compile(r"\n|\\{1,7}n")
_LONGEST_LINE: Final = 2_000
_MOST_ROWS: Final = 500

_Span = tuple[int, int]


def may_have_table(lowered: bytes) -> bool:
    """Tell whether a line, in small letters, may have such a table in it."""
    # Most lines have no such names; those are told by a search for these alone.
    return any(name in lowered for name in COLUMNS) and bool(_GATE.search(lowered))


def find_column_passwords(text: str) -> Iterator[_Span]:
    """Find the passwords of all tables of a text: where each begins and ends."""
    ends = [match.span() for match in _LINE_END.finditer(text)]
    starts = [0, *(behind for _, behind in ends)]
    lines = list(zip(starts, [*(before for before, _ in ends), len(text)], strict=True))
    read = 0
    for name in _COLUMN.finditer(text):
        at = bisect_right(starts, name.start()) - 1
        start, end = lines[at]
        if at < read or end - start > _LONGEST_LINE:
            continue
        for separator in _SEPARATORS:
            if count := _count_names(text[start:end], separator):
                read = min(at + 1 + _MOST_ROWS, len(lines))
                column = text.count(separator, start, name.start())
                for number in range(at + 1, read):
                    first, last = lines[number]
                    cells = text[first : min(last, first + _LONGEST_LINE)].split(separator)
                    if len(cells) == count:
                        yield from _find_password(cells, column, first)
                    elif not _RULER.fullmatch(separator.join(cells)):
                        read = number
                        break
                break


def _count_names(line: str, separator: str) -> int:
    """Count the names in the first line of a table; 0 where it is none."""
    first, *others = line.split(separator)
    if not others or not _FIRST_LABEL.fullmatch(first) or not all(map(_LABEL.fullmatch, others)):
        return 0
    if separator == "|":
        # Between two quotes of a text in code there is no table.
        last = others[-1].strip()
        is_table = not last or bool(_WORD.search(last)) or not _WORD.search(first)
    else:
        # Code that goes on behind a comma names nothing there.
        is_table = all(map(str.strip, (first, *others)))
    return 1 + len(others) if is_table else 0


def _find_password(cells: list[str], column: int, start: int) -> Iterator[_Span]:
    bare = cells[column].strip(" \"'`*\\{}\r")
    first = start + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].index(bare)
    if is_bare_password(bare):
        yield first, first + len(bare)
