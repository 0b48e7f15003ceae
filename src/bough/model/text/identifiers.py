"""The parts of names such as `importJob`: what they are also found by.

A name in snake case comes apart by itself, because `_` ends a word of the index. Where only
the case tells parts from one another, they are cut out here, for the index and for whoever
marks what was found; both must agree on what a part is.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

LONGEST: Final = 80
"""Longer runs are data, not names."""
_FIRST_MARK: Final = 0xE000
_RUN: Final = re.compile("[A-Za-z0-9]+")
_HUMP: Final = re.compile("[a-z0-9][A-Z]")
_PART: Final = re.compile("[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_LETTERS_PER_PART: Final = 3
# Fast path: translating 15 MB and searching that takes 35 ms, a regex for the same 180. The capital
# comes first in the pattern: `re` leaps from one to the next, and only then looks back.
_CAPITAL: Final = re.compile(b"A(?<=aA)")
_CLASSES: Final = bytes(
    ord("A") if 65 <= code <= 90 else ord("a") if 97 <= code <= 122 or 48 <= code <= 57 else 32
    for code in range(256)
)


def find_parts(run: str) -> list[tuple[int, int]]:
    """Find the parts of a run of letters and digits; none where it is one word.

    A name begins a part with a capital somewhere after a small letter or a digit.
    What changes its case all the time is no name but an id, a hash or a key. Parts of a single
    letter, or of nothing but digits, are left out.
    """
    if len(run) > LONGEST or _HUMP.search(run) is None:
        return []
    parts = [part.span() for part in _PART.finditer(run)]
    if len(parts) > 1 + len(run) // _LETTERS_PER_PART:
        return []
    return [(start, end) for start, end in parts if end - start > 1 and not run[start].isdigit()]


def list_parts(written: bytes, kind: int) -> str:
    """List the parts of all names in a text of some kind, in lower case, each once.

    Each stands there twice, by itself and with the mark of its kind, so that it is found in any
    kind or in one. So no two parts are beside each other either, and no phrase is found in them.
    """
    classes = written.translate(_CLASSES)
    hump = _CAPITAL.search(classes)
    if hump is None:
        return ""
    found: dict[str, None] = {}
    while hump is not None:
        place = hump.start()
        start = classes.rfind(b" ", 0, place) + 1
        end = classes.find(b" ", place)
        end = len(classes) if end < 0 else end
        if end - start <= LONGEST:
            found.update(_lower_parts(written[start:end]))
        hump = _CAPITAL.search(classes, end)
    mark = mark_kind(kind)
    return " ".join(f"{part} {mark}{part}" for part in found)


def mark_kind(kind: int) -> str:
    """Give the mark of a kind of text: a letter to the index, and to nobody else."""
    return chr(_FIRST_MARK + kind)


@lru_cache(maxsize=4_096)
def _lower_parts(written: bytes) -> dict[str, None]:
    run = written.decode("ascii")
    return dict.fromkeys(run[start:end].lower() for start, end in find_parts(run))


def find_part(text: str, word: str, *, prefix: bool) -> Iterator[tuple[int, int]]:
    """Yield where a word is a part of a name, or begins one; it is given in lower case."""
    lowered = text.lower() if text.isascii() else _lower_ascii(text)
    place = lowered.find(word)
    while place >= 0:
        start, end = _find_run(text, place)
        for first, last in find_parts(text[start:end]):
            beyond = last - first - len(word)
            if start + first == place and (beyond == 0 or (prefix and beyond > 0)):
                yield place, place + len(word)
        place = lowered.find(word, place + 1)


def _find_run(text: str, place: int) -> tuple[int, int]:
    """Find where the run of letters and digits around a place begins and ends."""
    start = place
    while start and place - start <= LONGEST and _is_in_run(text[start - 1]):
        start -= 1
    run = _RUN.match(text, start, start + LONGEST + 1)
    return (start, run.end()) if run else (place, place)


def _is_in_run(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _lower_ascii(text: str) -> str:
    """Lower ASCII letters alone: other letters may become two, and move every place after."""
    return text.translate(_TO_LOWER)


_TO_LOWER: Final = {code: code + 32 for code in range(65, 91)}
