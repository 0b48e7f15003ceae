"""A text as a headline: one line of bounded length, and what can serve as one."""

import re

LONGEST = 200
_API_ERROR = re.compile(r"API Error: \d+ \{")


def one_line(text: str, longest: int = LONGEST) -> str:
    """Set a text on one line of bounded length."""
    line = " ".join(text[: longest * 4].split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def is_title(summary: str) -> bool:
    """Tell whether a summary can name a session; old clients kept errors of the API as such."""
    return bool(summary.strip()) and not _API_ERROR.match(summary)
