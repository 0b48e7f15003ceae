"""What a terminal acts upon and nobody reads: colours, moves of the cursor, control characters."""

import re
from typing import Final

_CODE: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def strip_terminal_codes(text: str) -> str:
    """Give the words of an output alone, for where one line of it stands for the whole."""
    return _CODE.sub("", text)
