"""Code between fences, in Markdown: which lines begin it and which end it."""

import re
from typing import Final

_FENCE: Final = re.compile(r"\s*(`{3,}(?!.*`)|~{3,})(.*)")
_OUTSIDE_LISTS: Final = ("", " ", "  ", "   ")


def find_fence(line: str, opened: str, *, at_top: bool = False) -> str:
    """Give the marks with which a line begins code, or ends it; empty where it does neither.

    `opened` are the marks of the code that the line is in, empty outside. Code ends with as many
    marks as it began with, or more, and nothing behind them: so it may hold fences of its own.
    `at_top` takes only what is a fence outside lists, where more than three spaces make it code.
    """
    found = _FENCE.match(line)
    if found is None:
        return ""
    marks, words = found.groups()
    is_deep = at_top and line[: found.start(1)] not in _OUTSIDE_LISTS
    is_of_code = opened and (words.strip() or not marks.startswith(opened))
    return "" if is_deep or is_of_code else str(marks)
