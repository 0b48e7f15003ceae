"""Where two texts differ, part by part: lines of a file, or words of a line.

The longest run of parts that both share stays, and what is on both sides of it is compared
alike. That is how difflib compares; but most texts are short, and then each different part
can be one letter, because Python finds letters in letters at once.

Lines gained and lost, as a row says them of an edit.
"""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import count
from typing import Final

_SHORT: Final = 40_000
"""Beyond so many pairs of parts, letters may take longer than difflib's table of places."""

_MOST_WORK: Final = 100_000

SharedRun = tuple[int, int, int]
"""Parts that two texts share: where they are in both, and how many."""

DiffRange = tuple[int, int, int, int]
"""From where up to where parts of one text became parts of the other, and these in the other."""


def find_differences(old: Sequence[str], new: Sequence[str]) -> list[DiffRange]:
    """Give the stretches, in order, in which two texts differ."""
    found: list[DiffRange] = []
    i = j = 0
    for first, second, size in (*_find_shared_runs(old, new), (len(old), len(new), 0)):
        if first > i or second > j:
            found.append((i, first, j, second))
        i, j = first + size, second + size
    return found


def estimate_diff_work(old: Sequence[str], new: Sequence[str]) -> int:
    """Estimate what matching two texts takes: how often each part of one meets its equal."""
    there = Counter(new)
    return sum(times * there[part] for part, times in Counter(old).items())


def _find_shared_runs(old: Sequence[str], new: Sequence[str]) -> list[SharedRun]:
    if len(old) * len(new) <= _SHORT:
        return _find_shared_letters(old, new)
    # Lines that are everywhere (blank ones, brackets) make exact matching take minutes. Where
    # there are too many of them they are no reason to call two stretches the same.
    matcher = SequenceMatcher(None, old, new, autojunk=estimate_diff_work(old, new) > _MOST_WORK)
    return [(*block,) for block in matcher.get_matching_blocks()]


def _find_shared_letters(old: Sequence[str], new: Sequence[str]) -> list[SharedRun]:
    both = {*old}.intersection(new)
    if not both:
        return []
    letters = dict(zip(both, map(chr, count(2)), strict=False))
    left = "".join([letters.get(part, "\0") for part in old])
    right = "".join([letters.get(part, "\1") for part in new])
    found: list[SharedRun] = []
    todo = [(0, left, 0, right)]
    while todo:
        i, left, j, right = todo.pop()
        run = _find_longest_run(left, right)
        if run:
            before, _, after = left.partition(run)
            start, _, end = right.partition(run)
            if before and start:
                todo.append((i, before, j, start))
            i, j = i + len(before), j + len(start)
            found.append((i, j, len(run)))
            if after and end:
                todo.append((i + len(run), after, j + len(run), end))
    return sorted(found)


def _find_longest_run(one: str, other: str) -> str:
    """Find the longest run of letters that two texts share, and of several the first."""
    found, size = "", 1
    for start in range(len(one)):
        while (run := one[start : start + size]) in other and len(run) == size:
            found = run
            size += 1
    return found


_MOST_COMPARED = 2_000


def count_patch_lines(lines: Sequence[str]) -> tuple[int, int]:
    """Count the lines that a stretch of a patch adds and removes."""
    added = [line[1:] for line in lines if line.startswith("+")]
    removed = [line[1:] for line in lines if line.startswith("-")]
    same = _count_common_suffix(added, removed)
    return len(added) - same, len(removed) - same


def count_changed_lines(old: str, new: str) -> tuple[int, int]:
    """Count the lines that one text has more and less than another."""
    before, after = old.splitlines(), new.splitlines()
    same = _count_common_suffix(before, after)
    before, after = before[: len(before) - same], after[: len(after) - same]
    if len(before) + len(after) > _MOST_COMPARED:
        return len(after), len(before)
    changes = find_differences(before, after)
    return sum(end - start for *_, start, end in changes), sum(i2 - i for i, i2, *_ in changes)


def _count_common_suffix(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines at the end that two texts have in common."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count
