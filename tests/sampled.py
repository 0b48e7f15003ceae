"""What `make test` takes a sample of: all of it is `make test-whole`'s."""

from collections.abc import Collection, Iterable
from typing import TypeVar

import pytest
from hypothesis import settings

Case = TypeVar("Case")


def mark_rest_whole(cases: Iterable[Case], sample: Collection[Case]) -> list[object]:
    """Leave the cases of a sample as they are, and mark all others `whole`."""
    return [one if one in sample else pytest.param(one, marks=pytest.mark.whole) for one in cases]


def scale_examples(count: int) -> int:
    """Count the examples of a law that takes long: so many where others have a hundred."""
    return max(1, count * settings().max_examples // 100)
