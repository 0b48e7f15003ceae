"""Pages of lists: a cursor is the place where the page before ended.

A cursor belongs to one question. Lists change while they are read, so it names the last row
that was shown and how many there were; where that row has gone, the number is what counts.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from bough.errors import Misuse

T = TypeVar("T")


class ListCursor(Struct, frozen=True, array_like=True):
    """Where a page ended: the number of rows before, the last of them, and the question."""

    shown: int
    last: int
    question: int


class ListPage(Struct, Generic[T], frozen=True):
    """Some rows of `total`, and the cursor of those after them."""

    rows: Sequence[T]
    total: int
    next: str | None = None


_decoder = msgspec.msgpack.Decoder(ListCursor)


def cut_page(
    rows: Sequence[T],
    cursor: str | None,
    limit: int | None,
    question: object,
    name_row: Callable[[T], str],
) -> ListPage[T]:
    """Give the page that begins behind a cursor.

    Args:
        rows: The whole list.
        cursor: The `next` of the page before; none gives the first page.
        limit: How many rows a page has at most; None gives all that follow.
        question: What the list answers; a cursor is of no use to another.
        name_row: Gives what tells a row from all others.
    """
    asked = crc32(msgspec.json.encode(question))
    start = _find_start(rows, _decode_cursor(cursor, asked), name_row) if cursor else 0
    page = rows[start:] if limit is None else rows[start : start + limit]
    end = start + len(page)
    if end >= len(rows) or not page:
        return ListPage(page, len(rows))
    place = ListCursor(end, _hash_name(name_row(page[-1])), asked)
    written = urlsafe_b64encode(msgspec.msgpack.encode(place)).rstrip(b"=").decode()
    return ListPage(page, len(rows), written)


def _decode_cursor(cursor: str, asked: int) -> ListCursor:
    try:
        data = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        place = _decoder.decode(data)
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise Misuse("This is not a cursor. Copy it as the previous page printed it.") from error
    if place.question != asked or place.shown < 0:
        raise Misuse("This cursor belongs to another list. Ask for the first page again.")
    return place


def _find_start(rows: Sequence[T], place: ListCursor, name_row: Callable[[T], str]) -> int:
    """Find where to go on: behind the last row that was shown, wherever it is now."""
    last = place.shown - 1
    if last < len(rows) and _hash_name(name_row(rows[last])) == place.last:
        return place.shown
    found = next((n for n, row in enumerate(rows) if _hash_name(name_row(row)) == place.last), None)
    return place.shown if found is None else found + 1


def _hash_name(name: str) -> int:
    return crc32(name.encode("utf-8", "replace"))
