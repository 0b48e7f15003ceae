"""Where two texts differ, part by part: lines of a file, or words of a line.

difflib compares them; what it lacks is a rule for texts that are the same few parts over and over.

Lines gained and lost, as a row says them of an edit.
"""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

_MOST_WORK: Final = 100_000
_MOST_COMPARED: Final = 2_000

DiffRange = tuple[int, int, int, int]
"""From where up to where parts of one text became parts of the other, and these in the other."""


def find_differences(old: Sequence[str], new: Sequence[str]) -> list[DiffRange]:
    """Give the stretches, in order, in which two texts differ."""
    # Lines that are everywhere (blank ones, brackets) make exact matching take minutes. Where
    # there are too many of them they are no reason to call two stretches the same.
    junk = len(old) * len(new) > _MOST_WORK and estimate_diff_work(old, new) > _MOST_WORK
    codes = SequenceMatcher(None, old, new, autojunk=junk).get_opcodes()
    return [(i, i2, j, j2) for tag, i, i2, j, j2 in codes if tag != "equal"]


def estimate_diff_work(old: Sequence[str], new: Sequence[str]) -> int:
    """Estimate what matching two texts takes: how often each part of one meets its equal."""
    there = Counter(new)
    return sum(times * there[part] for part, times in Counter(old).items())


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
