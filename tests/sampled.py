"""What `make test` takes a sample of: the rest of the cases is `make test-whole`'s."""

from collections.abc import Collection, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def mark_rest_whole(cases: Iterable[Case], sample: Collection[Case]) -> list[object]:
    """Leave the cases of a sample as they are, and mark all others `whole`."""
    return [one if one in sample else pytest.param(one, marks=pytest.mark.whole) for one in cases]
