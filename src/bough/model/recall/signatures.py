"""Signatures: what two runs of the same command, or two cases of the same error, share.

What changes from run to run is folded: numbers, hexadecimal strings, quoted strings and
absolute paths, of which the last part stays when it names a file.
"""

import re
from typing import Final

_LONGEST: Final = 2_000
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_QUOTED: Final = re.compile(r"\"[^\"\n]{0,1000}\"|'[^'\n]{0,1000}'|`[^`\n]{0,1000}`")
_PATH: Final = re.compile(r"(?<![\w.])(?:~|[A-Za-z]:)?(?:[\\/][\w.@+-]+){2,}[\\/]?")
_HEX: Final = re.compile(r"\b(?:0x[0-9a-fA-F]+|(?=[a-f]*[0-9])[0-9a-fA-F]{7,})\b")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_SPACES: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"[^\W\d_][\w.-]*")
_ERROR_LINE: Final = re.compile(
    r"error|exception|fail|fatal|panic|denied|not found|no such|cannot|refused|traceback",
    re.IGNORECASE,
)
_TRACEBACK: Final = re.compile(r"\s*Traceback \(most recent call last\)")
FOLDED: Final = "…"


def make_signature(text: str) -> str:
    """Fold what differs from run to run; what is left is compared."""
    text = _COLOURS.sub("", text[:_LONGEST])
    for pattern in (_QUOTED, _PATH, _HEX, _NUMBER):
        text = pattern.sub(FOLDED, text)
    return _SPACES.sub(" ", text).strip().casefold()


def find_error_line(output: str) -> str:
    """Find the line that says what went wrong: the first that sounds so, else the last."""
    lines = [line for line in output.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if _TRACEBACK.match(line):  # its own last line names the error
            ends = (one for one in lines[number + 1 :] if not one[:1].isspace())
            return next(ends, lines[-1])
        if _ERROR_LINE.search(line):
            return line
    return lines[-1] if lines else ""


def list_signature_words(signature: str, most: int = 6) -> list[str]:
    """List words by which places with a signature are looked for, the longest ones."""
    found = dict.fromkeys(_WORD.findall(signature.replace(FOLDED, " ")))
    words = sorted((word.strip(".-") for word in found), key=len, reverse=True)
    return [word for word in words if len(word) > 1][:most]
