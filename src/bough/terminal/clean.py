"""Text of a transcript, made safe for a terminal.

A transcript holds what programs printed: escape sequences that move the cursor, set the
title or write to the clipboard, and characters that turn the direction of the text. None
of it may act on the terminal of the person who reads. Words are never dropped: an escape
sequence without its end loses its introducer, and the rest stays readable.
"""

import re
from typing import Final

TAB: Final = 4

# A string sequence (title, clipboard, link) runs to its terminator. Its body holds no beginning
# of another, so an unfinished one is given up there, and the time stays linear in the text.
_STRINGS: Final = (
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"
    r"[^\x07\x1b\x90\x98\x9c-\x9f\n]*+"
    r"(?:\x07|\x1b\\|\x9c)"
)
_CONTROL_SEQUENCE: Final = r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"
_SHORT_ESCAPE: Final = r"\x1b[ -/]*+[0-~]?"
# C0 but tab and newline, DEL, C1; embeddings, overrides and isolates of direction; the
# mark of byte order.
_CONTROLS: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]"
_UNSAFE: Final = re.compile(f"{_STRINGS}|{_CONTROL_SEQUENCE}|{_SHORT_ESCAPE}|{_CONTROLS}")
_LINE_ENDS: Final = re.compile("\r\n?|[\x85\u2028\u2029]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_SPACES: Final = re.compile(r"\s+")


def clean(text: str) -> str:
    """Strip what could act on a terminal; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = _LINE_ENDS.sub("\n", text)
    text = _UNSAFE.sub("", text)
    return _SURROGATES.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Clean a text and set it on one line, each run of white space one space."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")  # nearly all text is like this
    return _SPACES.sub(" ", clean(text)).strip()


def lines_of(text: str) -> list[str]:
    """Clean a text and split it into lines, with tabs as spaces."""
    return [line.expandtabs(TAB) for line in clean(text).split("\n")]
