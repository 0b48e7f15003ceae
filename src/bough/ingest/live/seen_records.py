"""Which records were reported lately, whatever file they came from.

A resume, a fork or a branch writes a conversation into another file again, under the same
uuids. Whoever watches has seen it. Only the newest are remembered: copies of older ones are
told by their time.
"""

from collections.abc import Iterable

from bough.records.record import BadLine, Record
from bough.records.types import QueueOperation

_STRETCH = 2_000


class SeenRecords:
    """Remembers uuids, as numbers to save memory: those of this stretch and of the one before."""

    def __init__(self) -> None:
        self._now: set[int] = set()
        self._before: set[int] = set()

    def fresh(self, items: Iterable[Record | BadLine]) -> tuple[Record | BadLine, ...]:
        """Keep what was not reported yet, and remember it."""
        return tuple(item for item in items if self._is_new(item))

    def _is_new(self, item: Record | BadLine) -> bool:
        name = _identity_of(item)
        if name is None:
            return True
        key = hash(name)
        if key in self._now or key in self._before:
            return False
        if len(self._now) >= _STRETCH:
            self._before, self._now = self._now, set()
        self._now.add(key)
        return True


def _identity_of(item: Record | BadLine) -> object:
    """Give what a copy has in common with its original; None where nothing tells."""
    if isinstance(item, QueueOperation):
        return item.timestamp, item.operation, bytes(item.content_json)
    return None if isinstance(item, BadLine) else item.uuid
