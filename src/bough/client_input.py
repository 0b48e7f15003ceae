"""What a client writes to the programs that it runs: read to its end, and waited for not too long.

For the status line and the hooks, which run many times a minute: the standard library alone.
"""

import os
import sys
from time import monotonic

MOST_BYTES = 1 << 20
"""More than this no client writes; what is longer is not looked at."""
HOOK_SECONDS = 4.0
"""So long hooks wait for the client: what they miss nobody tells again, and it may be busy."""
_SECONDS = 1.0
_PIECE = 1 << 16


def read_stdin(seconds: float = _SECONDS) -> bytes:
    """Read what is written to stdin within some seconds, and keep a little more than is allowed.

    What is longer is read to its end all the same: a client whose program stops to read tells
    the person that it failed.
    """
    data, end = b"", monotonic() + seconds
    try:
        while not os.isatty(0) and _has_input(end - monotonic()):
            piece = os.read(0, _PIECE)
            if not piece:
                break
            data += piece if len(data) <= MOST_BYTES else b""
    except (OSError, ValueError):
        return data  # there is no stdin
    return data


def _has_input(seconds: float) -> bool:
    """Wait a moment for input: tmux gives its commands a stdin that never ends."""
    if seconds <= 0 or sys.platform == "win32":
        return seconds > 0  # pipes cannot be waited for there
    from select import select  # noqa: PLC0415 - not everywhere for pipes

    return bool(select([0], [], [], seconds)[0])
