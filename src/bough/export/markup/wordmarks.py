"""Which words differ between the lines that went and the lines that came in their place.

Two lines are compared where they share words, whatever their order: spaces and signs say
nothing, for all lines have the same. Marks are stretches of a line as HTML without its colours.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate
from typing import Final

from bough.export.markup.escape import escaped
from bough.model.text.matching import differing, matching_work

Marks = list[tuple[int, int]]
"""Stretches of a line, by their first place and the place after their last."""

_MOST_PAIRS: Final = 900
_MOST_WORK: Final = 10_000
_LONGEST_LINE: Final = 1_000
_ALIKE: Final = 0.3
_WORD: Final = re.compile(r"\w+")
_PART: Final = re.compile(r"\w+|\s+|&\w+;|<span[^>]*>[^<]*</span>|.")
"""A word, spaces or one character, which may be written by its name."""


def changed_words(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int, Marks, int, Marks]]:
    """Pair lines that are alike, in order, and mark the words in which each pair differs."""
    if 0 < len(old) * len(new) <= _MOST_PAIRS:
        for i, j in _pairs([_words(line) for line in old], [_words(line) for line in new]):
            gone, come = _marks(_parts(old[i]), _parts(new[j]))
            yield i, gone, j, come


def _words(line: str) -> Set[str]:
    """Give the words of a line; a line beyond reading has none."""
    return set(_WORD.findall(line)) if len(line) <= _LONGEST_LINE else set()


def _pairs(old: Sequence[Set[str]], new: Sequence[Set[str]]) -> Iterator[tuple[int, int]]:
    """Give each old line the new one that is most like it, behind those that are taken."""
    after = 0
    for i, words in enumerate(old):
        best, found = _ALIKE, -1
        for j in range(after, len(new)):
            total = len(words) + len(new[j])
            same = 2 * len(words & new[j])
            if same > best * total:
                best, found = same / total, j
        if found >= 0:
            yield i, found
            after = found + 1


def _parts(line: str) -> list[str]:
    return _PART.findall(escaped(line.removesuffix("\r")))


def _marks(one: Sequence[str], other: Sequence[str]) -> tuple[Marks, Marks]:
    """Mark what two lines do not share: most differ in one stretch between a start and an end."""
    start = _same(one, other)
    end = min(_same(reversed(one), reversed(other)), len(one) - start, len(other) - start)
    middle, instead = one[start : len(one) - end], other[start : len(other) - end]
    if len(middle) * len(instead) > _MOST_WORK and matching_work(middle, instead) > _MOST_WORK:
        return [], []
    left = [*accumulate(map(len, one), initial=0)]
    right = [*accumulate(map(len, other), initial=0)]
    gone: Marks = []
    come: Marks = []
    for i, i2, j, j2 in differing(middle, instead):
        if i < i2:
            gone.append((left[start + i], left[start + i2]))
        if j < j2:
            come.append((right[start + j], right[start + j2]))
    return gone, come


def _same(one: Iterable[str], other: Iterable[str]) -> int:
    """Count the words that two lines begin with."""
    number = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        number += 1
    return number
