"""Long prompts: how much of a pasted text is shown before somebody asks for all of it.

A pasted log of two hundred lines is four screens between a question and its answer. What is
shown ends at the end of a typed line, so that nothing in a prompt is ever broken.
"""

from typing import Final

_SHOWN_LINES: Final = 12
_MOST_LINES: Final = 20
"""A prompt of a few lines more than are shown is shown whole: a fold takes room as well."""
_LINE: Final = 100
"""So many characters fill a line of a page."""


def split_long_prompt(text: str) -> tuple[str, str]:
    """Part what is shown of a prompt from the rest; no rest where all of it is shown."""
    lines = text.split("\n")
    if len(text) <= _LINE and len(lines) <= _MOST_LINES:
        return text, ""
    heights = [1 + max(0, len(line) - 1) // _LINE for line in lines]
    if sum(heights) <= _MOST_LINES:
        return text, ""
    shown, height = 1, heights[0]
    while shown < len(lines) and height + heights[shown] <= _SHOWN_LINES:
        height += heights[shown]
        shown += 1
    return "\n".join(lines[:shown]), "\n".join(lines[shown:])


def count_prompt_lines(text: str) -> int:
    """Count the lines of a prompt as they were typed."""
    return len(text.rstrip("\n").split("\n"))
