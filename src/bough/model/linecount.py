"""Lines gained and lost, as a row says them of an edit."""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

_MOST_COMPARED = 2_000
_MOST_WORK = 100_000


def patch_size(lines: Sequence[str]) -> tuple[int, int]:
    """Count the lines that a stretch of a patch adds and removes."""
    added = [line[1:] for line in lines if line.startswith("+")]
    removed = [line[1:] for line in lines if line.startswith("-")]
    same = _same_at_end(added, removed)
    return len(added) - same, len(removed) - same


def text_change(old: str, new: str) -> tuple[int, int]:
    """Count the lines that one text has more and less than another."""
    before, after = old.splitlines(), new.splitlines()
    same = _same_at_end(before, after)
    before, after = before[: len(before) - same], after[: len(after) - same]
    if len(before) + len(after) > _MOST_COMPARED:
        return len(after), len(before)
    kept = sum(block.size for block in matcher_of(before, after).get_matching_blocks())
    return len(after) - kept, len(before) - kept


def matcher_of(old: Sequence[str], new: Sequence[str]) -> SequenceMatcher[str]:
    """Compare two texts, part by part; exactly, unless that would take too long.

    Lines that are everywhere (blank ones, brackets) make exact matching take minutes. Where
    there are too many of them they are no reason to call two stretches the same.
    """
    return SequenceMatcher(None, old, new, autojunk=matching_work(old, new) > _MOST_WORK)


def matching_work(old: Sequence[str], new: Sequence[str]) -> int:
    """Estimate what matching two texts takes: how often each part of one meets its equal."""
    there = Counter(new)
    return sum(times * there[part] for part, times in Counter(old).items())


def _same_at_end(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines at the end that two texts have in common."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count
