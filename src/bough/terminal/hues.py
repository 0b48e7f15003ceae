"""Label colours of sessions: eight hues, the same one for a session as long as it is shown.

A hue is a hint, never the only sign: the label's text says which session it is.
"""

from typing import Final
from zlib import crc32

from bough.terminal.terminal import Depth, Terminal

# On a dark ground, on a light one, and of the terminal's own sixteen colours.
_HUES: Final = (
    ("230;161;92", "138;75;0", "33"),
    ("127;183;232", "27;94;191", "94"),
    ("181;156;235", "106;75;166", "35"),
    ("111;207;151", "18;114;74", "32"),
    ("229;143;180", "153;44;107", "95"),
    ("104;207;207", "11;107;107", "36"),
    ("217;194;90", "107;90;0", "93"),
    ("163;196;107", "75;107;18", "92"),
)


class Hues:
    """Gives sessions their colours; two that are shown together differ while there are enough."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def number(self, session: str) -> int:
        """Give the number of a session's hue."""
        if session not in self._given:
            wanted = crc32(session.encode("utf-8", "replace")) % len(_HUES)
            taken = set(list(self._given.values())[-len(_HUES) + 1 :])
            order = [(wanted + step) % len(_HUES) for step in range(len(_HUES))]
            self._given[session] = next((hue for hue in order if hue not in taken), wanted)
        return self._given[session]

    def paint(self, session: str, text: str, terminal: Terminal) -> str:
        """Set a label in the colour of its session."""
        code = self._code(session, terminal)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text

    def _code(self, session: str, terminal: Terminal) -> str:
        dark, light, sixteen = _HUES[self.number(session)]
        match terminal.depth:
            case Depth.PLAIN:
                return ""
            case Depth.ATTRIBUTES:
                return "1"
            case Depth.SIXTEEN:
                return sixteen
            case Depth.TRUE:
                return f"38;2;{light if terminal.light else dark}"
