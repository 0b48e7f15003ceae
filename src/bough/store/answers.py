"""What a question in SQL gives."""

from collections.abc import Iterator

from msgspec import Struct


class SqlAnswer(Struct, frozen=True):
    """The columns of an answer, and its rows as long as the question is open."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


class TableShape(Struct, frozen=True):
    """A table of the index and its columns."""

    table: str
    columns: tuple[str, ...]
