"""Small charts out of characters: bars, sparklines, heat maps.

Bars, never smoothed: what is zero is empty or the bare axis, and what is not zero shows,
however small. Where a terminal has no Unicode, plain characters stand in, at less
resolution.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_STEPS: Final = "─▁▂▃▄▅▆▇█"
_SHADES: Final = " ░▒▓█"
_PLAIN_STEPS: Final = "_.:-=+*#%"
_PLAIN_SHADES: Final = " .:+#"
_PLAIN_BAR: Final = "#"
_TRACK: Final = "░"
_PLAIN_TRACK: Final = "."


def draw_bar(value: float, largest: float, columns: int, *, unicode: bool = True) -> str:
    """Draw a bar of at most so many columns, to an eighth of a column."""
    if value <= 0 or largest <= 0 or columns <= 0:
        return ""
    share = min(1.0, value / largest)
    if not unicode:
        return _PLAIN_BAR * max(1, round(share * columns))
    eighths = max(1, round(share * columns * 8))
    return _EIGHTHS[-1] * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def draw_gauge(share: float, columns: int, *, unicode: bool = True) -> str:
    """Draw how much of something is taken: a bar on a track of so many columns."""
    bar = draw_bar(share, 1.0, columns, unicode=unicode)
    return bar + (_TRACK if unicode else _PLAIN_TRACK) * (columns - len(bar))


def draw_sparkline(values: Sequence[float], *, unicode: bool = True) -> str:
    """Draw one column for each value, as high as it is against the largest."""
    marks = _STEPS if unicode else _PLAIN_STEPS
    largest = max(values, default=0)
    return "".join(_choose_mark(value, largest, marks) for value in values)


def draw_heat_map(rows: Sequence[Sequence[float]], *, unicode: bool = True) -> list[str]:
    """Draw a map of rows, two columns for each value, as dark as it is against the largest.

    Shades follow the square roots, or one long night would make all other hours pale.
    """
    marks = _SHADES if unicode else _PLAIN_SHADES
    largest = sqrt(max((value for row in rows for value in row), default=0))
    return [
        "".join(_choose_mark(sqrt(max(0, value)), largest, marks) * 2 for value in row)
        for row in rows
    ]


def sum_neighbours(values: Sequence[float], columns: int) -> list[float]:
    """Sum neighbours, so that no more than so many values are left."""
    if columns <= 0 or len(values) <= columns:
        return list(values)
    each = -(-len(values) // columns)
    return [sum(values[at : at + each]) for at in range(0, len(values), each)]


def _choose_mark(value: float, largest: float, marks: str) -> str:
    if value <= 0 or largest <= 0:
        return marks[0]
    return marks[max(1, round(value / largest * (len(marks) - 1)))]
