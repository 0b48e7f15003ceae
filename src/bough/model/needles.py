"""What a searched word looks like in the text as it was written.

The index finds rows by folded tokens; a reader wants the very letters marked. So a word
becomes a regular expression over the original text: any case, any accents, whole tokens,
anything but letters and digits between them. Folding the text instead would move every
offset, except in ASCII, where lowering keeps them and is ten times as fast. The index and
this module must agree on what a match is; that is tested against SQLite itself.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from bough.model.text import LETTER, MARKS, PRIVATE, WIDE, fold, normal

_WIDE_CHAR = re.compile(f"[{WIDE}]")
_NARROW = f"[^\\W_{WIDE}]|[{PRIVATE}]"
_PIECE = re.compile(f"[{WIDE}]+|(?:{_NARROW})(?:{_NARROW}|[{MARKS}])*")
# Not in the middle of a token; an accent or two may stand between it and its letter.
_BEGINNING = "".join(f"(?<!(?:{_NARROW}){f'[{MARKS}]' * marks})" for marks in range(3))
_GAP = f"(?:_|[^{LETTER}])"
_FULL_WIDTH = 0xFEE0


class Needle(Struct, frozen=True):
    """A word or phrase to find: its tokens, in order; `prefix` leaves the last one open."""

    word: str
    prefix: bool = False

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where it stands in the text, from left to right."""
        if text.isascii():
            found = _in_ascii(self.word, self.prefix).finditer(text.lower())
        else:
            found = _in_any(self.word, self.prefix).finditer(text)
        return (match.span() for match in found)

    def is_in(self, text: str) -> bool:
        """Tell whether it stands anywhere in the text."""
        return next(self.spans(text), None) is not None


@lru_cache(maxsize=256)
def _in_ascii(word: str, prefix: bool) -> re.Pattern[str]:
    pieces = [re.escape(fold(piece)) for piece in _pieces(word)]
    if not pieces:
        return re.compile(re.escape(word.strip().lower()))
    # The first word leads the pattern, so that the engine can leap from one to the next.
    pieces[0] += f"(?<![a-z0-9]{pieces[0]})"
    end = "" if prefix else "(?![a-z0-9])"
    return re.compile("[^a-z0-9]+".join(pieces) + end)


@lru_cache(maxsize=256)
def _in_any(word: str, prefix: bool) -> re.Pattern[str]:
    pieces = _pieces(word)
    if not pieces:
        return re.compile(re.escape(word.strip()), re.IGNORECASE)
    out = [] if _is_wide(pieces[0]) else [_BEGINNING]
    for i, piece in enumerate(pieces):
        if i:
            # A script without spaces may touch Latin letters; two words never touch.
            apart = _is_wide(piece) == _is_wide(pieces[i - 1])
            out.append(_GAP + ("+" if apart else "*"))
        out.append(_letters(piece))
    if not prefix and not _is_wide(pieces[-1]):
        out.append(f"(?!{_NARROW})")
    return re.compile("".join(out), re.IGNORECASE)


def _pieces(word: str) -> list[str]:
    return _PIECE.findall(normal(word))


def _is_wide(piece: str) -> bool:
    return _WIDE_CHAR.match(piece) is not None


def _letters(piece: str) -> str:
    if _is_wide(piece):
        return re.escape(piece)
    return "".join(f"{_letter(char)}[{MARKS}]*+" for char in fold(piece))


def _letter(char: str) -> str:
    if char.isascii():
        return f"[{char}{chr(ord(char) + _FULL_WIDTH)}{_accented().get(char, '')}]"
    apart = unicodedata.normalize("NFD", char)
    return re.escape(char) if apart == char else f"(?:{re.escape(char)}|{re.escape(apart)})"


@cache
def _accented() -> dict[str, str]:
    """List, for each Latin letter, the letters that lose their accents to become it."""
    table: dict[str, str] = {}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        char = chr(code)
        base = fold(char)
        if base != char and base.isascii():
            table[base] = table.get(base, "") + char
    return table
