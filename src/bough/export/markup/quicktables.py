"""Tables of Markdown that are drawn with bars on the left, written without the parser."""

import re
from collections.abc import Callable
from itertools import chain, repeat
from typing import Final

from bough.export.markup.tags import TAGS, open_cell

Inline = Callable[[str], str]
"""Writes the words of a block or a cell."""

SPACE: Final = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What the parser takes for space around words."""

# A short text can ask for very many empty cells; the parser knows when to stop.
_MOST_MISSING: Final = 1_000
_UNDER_HEAD: Final = re.compile(r" {0,3}[-:|][-:| ]*$")
_COLUMN: Final = re.compile(r":?-+:?")
_BAR: Final = re.compile(r"(?<!\\)\|")
_ROW: Final = re.compile(r" {0,3}\|")


def is_under_head(line: str) -> bool:
    """Tell whether a line may make a table of the line above it."""
    return _UNDER_HEAD.match(line) is not None


def quick_table(lines: list[str], at: int, inline: Inline) -> tuple[str, int] | None:
    """Write the table whose head is at a line, and tell where it ends; None if it may be none."""
    head = _cells(lines[at])
    under = lines[at + 1].strip(" ")
    columns = [part.strip(" ") for part in under[1:].removesuffix("|").split("|")]
    if under[0] != "|" or len(columns) != len(head) or not all(map(_COLUMN.fullmatch, columns)):
        return None
    sides = list(map(_side, columns))
    rows: list[list[str]] = []
    for below in range(at + 2, len(lines)):
        if _ROW.match(lines[below]) is None:
            break
        rows.append(_cells(lines[below]))
    if sum(max(0, len(sides) - len(row)) for row in rows) > _MOST_MISSING:
        return None
    body = "".join([_row("td", row, sides, inline) for row in rows])
    return (
        f"{TAGS['table_open']}{TAGS['thead_open']}{_row('th', head, sides, inline)}"
        f"{TAGS['thead_close']}{f'<tbody>{body}</tbody>' if rows else ''}{TAGS['table_close']}"
    ), at + 2 + len(rows)


def _cells(line: str) -> list[str]:
    line = line.strip(SPACE)
    cells = _BAR.split(line) if "\\" in line else line.split("|")
    if not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return [words.replace("\\|", "|").strip(SPACE) for words in cells]


def _side(column: str) -> str:
    if not column.endswith(":"):
        return ""
    return "center" if column.startswith(":") else "right"


def _row(name: str, cells: list[str], sides: list[str], inline: Inline) -> str:
    """Write as many cells as there are columns, whatever the row has."""
    written = [
        f"{open_cell(name, side)}{inline(words)}</{name}>"
        for words, side in zip(chain(cells, repeat("")), sides, strict=False)
    ]
    return f"<tr>{''.join(written)}</tr>"
