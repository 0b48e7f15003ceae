"""Whether the terminal's ground is light: the terminal itself is asked.

Most terminals answer a question for their background colour (OSC 11). One that does not is
given a tenth of a second; then what the environment says counts, and dark where it says
nothing. Asked before the app starts, because later the answer would be taken for keys. What a
person types meanwhile is given to the app; an answer that comes too late is kept from it.
"""

import re
import select
import sys
from time import monotonic
from typing import Final

from msgspec import Struct

from bough.terminal.capabilities import is_terminal

_ASK: Final = "\x1b]11;?\x1b\\\x1b[c"
"""The second question is one that every terminal answers, so nobody waits for the first."""
_ANSWER: Final = re.compile(rb"\]11;rgba?:([0-9a-fA-F]{2,4})/([0-9a-fA-F]{2,4})/([0-9a-fA-F]{2,4})")
_ANSWER_END: Final = re.compile(rb"\x1b\[\?[\d;]*c")
_ANSWERS: Final = re.compile(rb"\x1b\]11;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[\d;]*c")
_UNFINISHED: Final = re.compile(rb"\x1b(?:\](?:1(?:1(?:;[^\x07]*)?)?)?|\[\?[\d;]*)?\Z")
PATIENCE: Final = 0.1
_LATE: Final = 3.0
"""So many seconds after the start an answer may still come."""
_BURST: Final = 0.15
"""Keys that come this soon after one another were not typed."""


class TerminalBackground(Struct, frozen=True):
    """What the terminal answered; None where it did not say.

    `typed` is what a person typed meanwhile. `is_answer_pending` tells that an answer may still
    come.
    """

    light: bool | None = None
    typed: str = ""
    is_answer_pending: bool = False


def is_light(answer: bytes) -> bool | None:
    """Read a terminal's answer; None where it holds none."""
    found = _ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part[:2], 16) for part in found.groups())
    return (red * 299 + green * 587 + blue * 114) / 1000 > 127


def extract_typed(answer: bytes) -> str:
    """Give what in an answer is none: keys that were pressed meanwhile."""
    rest = _UNFINISHED.sub(b"", _ANSWERS.sub(b"", answer))
    return rest.decode("utf-8", "ignore")


def ask_background() -> TerminalBackground:
    """Ask the terminal; nobody is asked where there is none."""
    if sys.platform == "win32" or not is_terminal(sys.stdin) or not is_terminal(sys.stdout):
        return TerminalBackground()
    answer = _query_terminal()
    return TerminalBackground(
        is_light(answer), extract_typed(answer), not _ANSWER_END.search(answer)
    )


class LateAnswer:
    """Keeps an answer that comes late from being taken for keys.

    Textual does not know the answer and hands it on character by character, the first as a
    circumflex or with alt. From there on all that follows at once is part of it.
    """

    def __init__(self, now: float) -> None:
        self._until = now + _LATE
        self._last = -1.0

    def is_part_of_answer(self, key: str, now: float) -> bool:
        """Tell whether a key is part of an answer."""
        if now > self._until:
            return False
        begins = key == "circumflex_accent" or key.startswith("alt+")
        if begins or now - self._last < _BURST:
            self._last = now
            return True
        return False


if sys.platform != "win32":
    import os
    import termios
    import tty

    def _query_terminal() -> bytes:
        """Put the question, and read until both answers are there or patience ends."""
        descriptor = sys.stdin.fileno()
        try:
            before = termios.tcgetattr(descriptor)
            # What was typed already must stay: it is read with the answer.
            tty.setcbreak(descriptor, termios.TCSADRAIN)
        except termios.error:
            return b""
        try:
            sys.stdout.write(_ASK)
            sys.stdout.flush()
            return _read_answer(descriptor)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def _read_answer(descriptor: int) -> bytes:
        answer = b""
        end = monotonic() + PATIENCE
        while not _ANSWER_END.search(answer):
            left = end - monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                break
            read = os.read(descriptor, 256)
            if not read:
                break
            answer += read
        return answer

else:

    def _query_terminal() -> bytes:
        """Windows' consoles are not asked."""
        return b""
