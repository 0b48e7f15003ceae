"""Paths by as little of their end as tells them apart: `page.tsx`, or `users/page.tsx`."""

from collections import Counter
from collections.abc import Sequence


def shorten_apart(paths: Sequence[str]) -> list[str]:
    """Give each path by its name, with as many folders before it as its namesakes need."""
    parts = [path.replace("\\", "/").strip("/").split("/") for path in paths]
    depths = [1] * len(parts)
    while True:
        ends = ["/".join(one[-depth:]) for one, depth in zip(parts, depths, strict=True)]
        shared = Counter(ends)
        longer = [
            depth + (shared[end] > 1 and depth < len(one))
            for one, depth, end in zip(parts, depths, ends, strict=True)
        ]
        if longer == depths:
            return ends
        depths = longer
