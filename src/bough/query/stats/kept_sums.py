"""Totals of a report, from the sums that an index keeps of each file and the rows that are left.

Both ways of counting use the same accumulators: a sum takes in one thing after the other, or
another sum.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from bough.store.stats_protocol import (
    ALL_ROWS,
    FileSum,
    IdSpace,
    RowPart,
    StatsScope,
    StatsSource,
)

_ALL_TIME = StatsScope()
_UNDATED = "~"


class StatsItem(Protocol):
    """A thing that is counted, and a file that tells of it."""

    @property
    def file(self) -> int:
        """Number the file."""


class ReportSum(Protocol):
    """What is known of one row of a report."""

    def add(self, one: Any, /) -> None:
        """Take in one thing."""

    def merge(self, other: Any, /) -> None:
        """Take in all that another sum has taken in."""


Item = TypeVar("Item", bound=StatsItem)
Key = TypeVar("Key")
Sum = TypeVar("Sum", bound=ReportSum)


class SumKind(Generic[Item, Key, Sum]):
    """One kind of sum: what is counted, by which key, and when it happened.

    Args:
        name: What the index calls it.
        space: The ids that say which rows of several files are one thing.
        shape: The keys and sums of a total, as they are packed.
        find: Gives the things in a scope, each once.
        key_of: The row of the report that a thing belongs to.
        moment_of: When it happened.
    """

    def __init__(
        self,
        name: str,
        space: IdSpace,
        shape: tuple[type[Key], type[Sum]],
        find: Callable[[StatsSource, StatsScope, RowPart], Iterable[Item]],
        key_of: Callable[[Item], Key],
        moment_of: Callable[[Item], str | None],
    ) -> None:
        self.name = name
        self.space = space
        self._make = shape[1]
        self._find = find
        self._key_of = key_of
        self._moment_of = moment_of
        self._encode = msgspec.msgpack.Encoder().encode
        packed: type[dict[Key, Sum]] = dict[shape]  # type: ignore[misc, valid-type] # a pair of types
        self._decode = msgspec.msgpack.Decoder(packed).decode

    def count(self, source: StatsSource, scope: StatsScope) -> dict[Key, Sum]:
        """Count everything in scope, by sums where they can be had."""
        totals: dict[Key, Sum] = {}
        with source.open_sums(self, scope) as parts:
            if parts is None:
                return self.count_rows(source, scope)
            for value in parts.values:
                self._merge(totals, self._decode(value))
            for part in parts.rows:
                self._add(totals, self._find(source, scope, part))
        return totals

    def count_rows(
        self, source: StatsSource, scope: StatsScope, part: RowPart = ALL_ROWS
    ) -> dict[Key, Sum]:
        """Count everything in scope, thing by thing."""
        return self.count_items(self._find(source, scope, part))

    def count_items(self, items: Iterable[Item]) -> dict[Key, Sum]:
        """Count things."""
        totals: dict[Key, Sum] = {}
        self._add(totals, items)
        return totals

    def sum_files(self, source: StatsSource, files: Sequence[int]) -> Iterator[FileSum]:
        """Add up, for each of these files, what only it has."""
        items: dict[int, list[Item]] = {file: [] for file in files}
        for item in self._find(source, _ALL_TIME, RowPart(files=tuple(files), shared=False)):
            items[item.file].append(item)
        return map(self._sum_items, items.values())

    def _sum_items(self, items: Sequence[Item]) -> FileSum:
        if not items:
            return FileSum("", "", None)
        moments = [_UNDATED if at is None else at for at in map(self._moment_of, items)]
        return FileSum(min(moments), max(moments), self._encode(self.count_items(items)))

    def merge_packed(self, values: Iterable[bytes]) -> bytes:
        """Make one sum of several."""
        totals: dict[Key, Sum] = {}
        for value in values:
            self._merge(totals, self._decode(value))
        return self._encode(totals)

    def _add(self, totals: dict[Key, Sum], items: Iterable[Item]) -> None:
        key_of = self._key_of
        for item in items:
            key = key_of(item)
            found = totals.get(key)
            if found is None:
                found = totals[key] = self._make()
            found.add(item)

    @staticmethod
    def _merge(totals: dict[Key, Sum], more: dict[Key, Sum]) -> None:
        for key, found in more.items():
            known = totals.get(key)
            if known is None:
                totals[key] = found
            else:
                known.merge(found)
