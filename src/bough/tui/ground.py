"""Whether the terminal's ground is light: the terminal itself is asked.

Most terminals answer a question for their background colour (OSC 11). One that does not is
given a tenth of a second; then what the environment says counts, and dark where it says
nothing. Asked before the app starts, because later the answer would be taken for keys.
"""

import re
import select
import sys
from time import monotonic
from typing import Final

from bough.tui.looks import is_terminal

_ASK: Final = "\x1b]11;?\x1b\\\x1b[c"
"""The second question is one that every terminal answers, so nobody waits for the first."""
_ANSWER: Final = re.compile(rb"\]11;rgba?:([0-9a-fA-F]{2,4})/([0-9a-fA-F]{2,4})/([0-9a-fA-F]{2,4})")
_DONE: Final = re.compile(rb"\x1b\[\?[\d;]*c")
_PATIENCE: Final = 0.1


def is_light(answer: bytes) -> bool | None:
    """Read a terminal's answer; None where it holds none."""
    found = _ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part[:2], 16) for part in found.groups())
    return (red * 299 + green * 587 + blue * 114) / 1000 > 127


def asked_ground() -> bool | None:
    """Ask the terminal; None where it does not say."""
    if sys.platform == "win32" or not is_terminal(sys.stdin) or not is_terminal(sys.stdout):
        return None
    return is_light(_asked())


if sys.platform != "win32":
    import os
    import termios
    import tty

    def _asked() -> bytes:
        """Put the question, and read until both answers are there or patience ends."""
        descriptor = sys.stdin.fileno()
        try:
            before = termios.tcgetattr(descriptor)
            tty.setcbreak(descriptor)
        except termios.error:
            return b""
        try:
            sys.stdout.write(_ASK)
            sys.stdout.flush()
            return _read(descriptor)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _read(descriptor: int) -> bytes:
        answer = b""
        end = monotonic() + _PATIENCE
        while not _DONE.search(answer):
            left = end - monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                break
            answer += os.read(descriptor, 256)
        return answer

else:

    def _asked() -> bytes:
        """Windows' consoles are not asked."""
        return b""
