"""Lines gained and lost, as a row says them of an edit."""

from collections.abc import Sequence

from bough.model.text.matching import differing

_MOST_COMPARED = 2_000


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
    changes = differing(before, after)
    return sum(end - start for *_, start, end in changes), sum(i2 - i for i, i2, *_ in changes)


def _same_at_end(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines at the end that two texts have in common."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count
