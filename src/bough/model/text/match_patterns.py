"""What a searched word looks like in the text as it was written.

The index finds rows by folded tokens; a reader wants the very letters marked. So a word
becomes a regular expression over the original text: any case, any accents, anything but
letters and digits between its tokens; that a match does not begin or end inside a word is
checked afterwards. Folding the text instead would move every offset, except in ASCII,
where lowering keeps them and is fastest. The index and this module must agree on what a
match is; that is tested against SQLite itself.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from msgspec import Struct

from bough.model.text.identifiers import find_part
from bough.model.text.search_tokens import LETTER, MARKS, PRIVATE, WIDE, fold_text, normalize_text

_MARK = re.compile(f"[{MARKS}]")
_GAP = f"(?:_|[^{LETTER}])"
_FULL_WIDTH = 0xFEE0
# Where letters have cases and accents, apart from a few lone ones.
_CASED = (*range(0xC0, 0x590), *range(0x1E00, 0x2000), 0x212A, 0x212B)


class WordPattern(Struct, frozen=True):
    """A word or phrase to find: its tokens, in order; `prefix` leaves the last one open."""

    word: str
    prefix: bool = False

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where it stands in the text, from left to right.

        Only where it stands nowhere by itself, where it is a part of a name.
        """
        whole = self._find_whole(text)
        first = next(whole, None)
        if first is not None:
            yield first
            yield from whole
        elif (part := _find_only_piece(self.word)) is not None:
            yield from find_part(text, part, prefix=self.prefix)

    def _find_whole(self, text: str) -> Iterator[tuple[int, int]]:
        if text.isascii():
            found = _compile_ascii(self.word, self.prefix).finditer(text.lower())
            return (match.span() for match in found)
        return _compile_any(self.word).spans(text, prefix=self.prefix)

    def is_in(self, text: str) -> bool:
        """Tell whether it stands anywhere in the text."""
        return next(self.spans(text), None) is not None


class _LiteralPattern(Struct, frozen=True):
    """The letters of a word in any form; which of its ends must be the end of a token."""

    pattern: re.Pattern[str]
    whole_start: bool = False
    whole_end: bool = False

    def spans(self, text: str, *, prefix: bool) -> Iterator[tuple[int, int]]:
        place = 0
        while match := self.pattern.search(text, place):
            start, end = match.span()
            inside = (self.whole_start and _is_inside_word(text, start)) or (
                self.whole_end and not prefix and end < len(text) and _is_narrow(text[end])
            )
            if not inside:
                yield start, end
            place = start + 1 if inside else max(end, start + 1)


@lru_cache(maxsize=256)
def _compile_ascii(word: str, prefix: bool) -> re.Pattern[str]:
    pieces = [re.escape(fold_text(piece)) for piece in _split_pieces(word)]
    if not pieces:
        return re.compile(re.escape(word.strip().lower()))
    # The first word leads the pattern, so that the engine can leap from one to the next.
    pieces[0] += f"(?<![a-z0-9]{pieces[0]})"
    end = "" if prefix else "(?![a-z0-9])"
    return re.compile("[^a-z0-9]+".join(pieces) + end)


@lru_cache(maxsize=256)
def _compile_any(word: str) -> _LiteralPattern:
    pieces = _split_pieces(word)
    if not pieces:
        return _LiteralPattern(re.compile(re.escape(word.strip()), re.IGNORECASE))
    out = [_letters_regex(pieces[0])]
    for before, piece in pairwise(pieces):
        # A script without spaces may touch Latin letters; two words never touch.
        out.append(_GAP + ("++" if _is_wide(before) == _is_wide(piece) else "*+"))
        out.append(_letters_regex(piece))
    whole = not _is_wide(pieces[0]), not _is_wide(pieces[-1])
    return _LiteralPattern(re.compile("".join(out)), *whole)


@lru_cache(maxsize=256)
def _find_only_piece(word: str) -> str | None:
    """Give the one piece of a word that may be a part of a name; None where it has more."""
    pieces = _split_pieces(word)
    piece = fold_text(pieces[0]) if len(pieces) == 1 else ""
    return piece if piece.isascii() and len(piece) > 1 else None


def _split_pieces(word: str) -> list[str]:
    if word.isascii():
        return re.findall("[A-Za-z0-9]+", word)
    return _compile_piece().findall(normalize_text(word))


@cache
def _compile_piece() -> re.Pattern[str]:
    narrow = f"[^\\W_{WIDE}]|[{PRIVATE}]"
    return re.compile(f"[{WIDE}]+|(?:{narrow})(?:{narrow}|[{MARKS}])*")


@cache
def _compile_wide() -> re.Pattern[str]:
    return re.compile(f"[{WIDE}]")


@cache
def _compile_private() -> re.Pattern[str]:
    return re.compile(f"[{PRIVATE}]")


def _is_wide(piece: str) -> bool:
    return not piece.isascii() and _compile_wide().match(piece) is not None


def _is_narrow(char: str) -> bool:
    """Tell whether a character belongs to a word of a script with spaces."""
    if char.isascii():
        return char.isalnum()
    return (char.isalnum() or _compile_private().match(char) is not None) and not _is_wide(char)


def _is_inside_word(text: str, start: int) -> bool:
    """Tell whether the word at `start` begins further back; accents may stand between."""
    before = start - 1
    while before > 0 and _MARK.match(text, before):
        before -= 1
    return before >= 0 and _is_narrow(text[before])


def _letters_regex(piece: str) -> str:
    if _is_wide(piece):
        return re.escape(piece)
    return "".join(f"{_letter_regex(char)}[{MARKS}]*+" for char in fold_text(piece))


def _letter_regex(char: str) -> str:
    forms = {char, char.upper(), char.lower(), *_build_letter_forms().get(char, "")}
    if char.isascii():
        forms |= {chr(ord(form) + _FULL_WIDTH) for form in (char, char.upper())}
    one = f"[{''.join(sorted(re.escape(form) for form in forms if len(form) == 1))}]"
    apart = [unicodedata.normalize("NFD", form) for form in sorted(forms)]
    split = [re.escape(form) for form in apart if len(form) > 1 and not char.isascii()]
    return f"(?:{'|'.join([one, *split])})" if split else one


@cache
def _build_letter_forms() -> dict[str, str]:
    """List, for each folded letter, the letters beyond ASCII that fold to it."""
    table: dict[str, str] = {}
    for char in map(chr, _CASED):
        folded = fold_text(char)
        if folded != char:
            table[folded] = table.get(folded, "") + char
    return table
