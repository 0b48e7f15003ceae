"""Private keys, which are blocks of lines between two marks.

A block may be cut off, numbered by a tool that shows files, quoted in a diff, or written on
one line with \\n in it. One without its end mark ends where its letters do. A mark alone, as
in a text about keys, is no key.
"""  # noqa: D301 - the backslash is shown to the reader

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

MARKER: Final = b"PRIVATE KEY"
_TYPE: Final = r"((?:[A-Z0-9]{1,20} ){0,3})PRIVATE KEY(?: BLOCK)?-----"
_BEGIN: Final = re.compile(r"-----BEGIN " + _TYPE)
_END: Final = re.compile(r"-----END " + _TYPE)
_LINES: Final = re.compile(
    r"(?:(?:\\[nrt]|[\s\\>|+\d\N{RIGHTWARDS ARROW}:]){0,20}[A-Za-z0-9+/=]{16,120}){1,400}"
)
_LETTERS: Final = re.compile(r"[A-Za-z0-9+/]{16}")
_LONGEST: Final = 40_000
_NAMES: Final = {"OPENSSH": "OpenSSH", "PGP": "PGP", "RSA": "RSA", "EC": "EC", "DSA": "DSA"}


def key_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Find private keys: where each begins and ends, and its kind."""
    ends = list(_END.finditer(text))
    starts = [end.start() for end in ends]
    begins = list(_BEGIN.finditer(text))
    for number, begin in enumerate(begins):
        first, last = begin.end(), _LONGEST + begin.end()
        following = begins[number + 1].start() if number + 1 < len(begins) else len(text)
        at = bisect_left(starts, first)
        if at < len(ends) and starts[at] <= min(last, following):
            body, end = text[first : starts[at]], ends[at].end()
        else:
            lines = _LINES.match(text, first, min(last, following))
            end = lines.end() if lines else first
            body = text[first:end]
        if _LETTERS.search(body):
            name = _NAMES.get(begin[1].split(" ")[0], "")
            yield begin.start(), end, f"{name} private key".strip()
