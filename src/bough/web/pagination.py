"""Pages of lists: a cursor is the place where the page before ended.

A cursor belongs to one question. Lists change while they are read, so it names the last row
that was shown and how many there were; where that row has gone, the number is what counts.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from zlib import crc32

import msgspec
from msgspec import Struct

from bough.errors import Misuse
from bough.library import SessionRow


class ListCursor(Struct, frozen=True, array_like=True):
    """Where a page ended: the number of rows before, the last of them, and the question."""

    shown: int
    last: int
    question: int


class SessionPage(Struct, frozen=True):
    """Some rows, and the cursor of those after them."""

    rows: Sequence[SessionRow]
    next: str | None


_decoder = msgspec.msgpack.Decoder(ListCursor)


def cut_page(rows: Sequence[SessionRow], cursor: str, limit: int, question: object) -> SessionPage:
    """Give the page that begins behind a cursor."""
    name = crc32(msgspec.json.encode(question))
    start = _find_start(rows, _decode_cursor(cursor, name)) if cursor else 0
    page = rows[start : start + limit]
    if start + limit >= len(rows) or not page:
        return SessionPage(page, None)
    place = ListCursor(start + limit, _hash_row(page[-1]), name)
    return SessionPage(page, urlsafe_b64encode(msgspec.msgpack.encode(place)).rstrip(b"=").decode())


def _decode_cursor(cursor: str, name: int) -> ListCursor:
    try:
        data = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        place = _decoder.decode(data)
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise Misuse("This is no cursor. Take it as the page before gave it.") from error
    if place.question != name or place.shown < 0:
        raise Misuse("This cursor belongs to another list. Ask for the first page again.")
    return place


def _find_start(rows: Sequence[SessionRow], place: ListCursor) -> int:
    """Find where to go on: behind the last row that was shown, wherever it is now."""
    last = place.shown - 1
    if last < len(rows) and _hash_row(rows[last]) == place.last:
        return place.shown
    found = next((n for n, row in enumerate(rows) if _hash_row(row) == place.last), None)
    return place.shown if found is None else found + 1


def _hash_row(row: SessionRow) -> int:
    return crc32(row.path.encode("utf-8", "replace"))
