"""Code between fences, in what Claude writes: which lines begin it and which end it."""

import re
from typing import Final

_FENCE: Final = re.compile(r"\s*(`{3,}(?!.*`)|~{3,})(.*)")


def find_fence(line: str, opened: str) -> str:
    """Give the marks with which a line begins code, or ends it; empty where it does neither.

    `opened` are the marks of the code that the line is in, empty outside. Code ends with as many
    marks as it began with, or more, and nothing behind them: so it may hold fences of its own.
    """
    found = _FENCE.match(line)
    if found is None:
        return ""
    marks, words = found.groups()
    is_of_code = opened and (words.strip() or not marks.startswith(opened))
    return "" if is_of_code else str(marks)
