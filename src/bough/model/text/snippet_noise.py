"""What an excerpt leaves out: marks of Markdown, line numbers, options of tools.

A search looks through all of it, and an excerpt that was found by it keeps it.
"""

import re
from typing import Final

_HEADING: Final = r"^#{1,6}[ \t]+"
_FENCE: Final = r"^[ \t]*```[^\n`]*$"
# Possessive: a long line of dashes that ends in something else is given up at once.
_RULE: Final = r"^[-:| \t]{3,}+$"
_BOLD: Final = r"\*\*(?=[^\s*])|(?<=[^\s*])\*\*"
_PROSE: Final = re.compile(f"{_HEADING}|{_FENCE}|{_RULE}|{_BOLD}|`", re.MULTILINE)
# In code two asterisks may be a power, and a hash a comment.
_SURE_BOLD: Final = r"\*\*(?=[A-Z][^*\n]{0,80}\*\*)|(?<=[\w.:!?)])\*\*(?=[\s.,:;)]|$)"
_LINE_NUMBER: Final = r"^[ \t]*\d+(?:\t|\u2192)"
_COLOUR: Final = r"\x1b\[[0-9;]*m"
_RESULT: Final = re.compile(
    f"{_LINE_NUMBER}|{_COLOUR}|^#{{2,6}}[ \t]+|{_SURE_BOLD}|{_FENCE}", re.MULTILINE
)
# What a tool was called with stands line by line: numbers and choices say nothing by themselves.
_INPUT: Final = re.compile(
    r"^(?:-?\d+(?:\.\d+)?|files_with_matches|content|count|pending|in_progress|completed)$",
    re.MULTILINE,
)
_NOISE: Final = {"tool_input": _INPUT, "tool_result": _RESULT}


def find_noise(kind: str) -> re.Pattern[str]:
    """Give what an excerpt of this kind of text leaves out."""
    return _NOISE.get(kind, _PROSE)
