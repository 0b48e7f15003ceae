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
from bough.query.lists.list_rows import SessionRow


class Place(Struct, frozen=True, array_like=True):
    """Where a page ended: the number of rows before, the last of them, and the question."""

    shown: int
    last: int
    question: int


class Page(Struct, frozen=True):
    """Some rows, and the cursor of those after them."""

    rows: Sequence[SessionRow]
    next: str | None


_decoder = msgspec.msgpack.Decoder(Place)


def cut(rows: Sequence[SessionRow], cursor: str, limit: int, question: object) -> Page:
    """Give the page that begins behind a cursor."""
    name = crc32(msgspec.json.encode(question))
    start = _start(rows, _read(cursor, name)) if cursor else 0
    page = rows[start : start + limit]
    if start + limit >= len(rows) or not page:
        return Page(page, None)
    place = Place(start + limit, _named(page[-1]), name)
    return Page(page, urlsafe_b64encode(msgspec.msgpack.encode(place)).rstrip(b"=").decode())


def _read(cursor: str, name: int) -> Place:
    try:
        data = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        place = _decoder.decode(data)
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise Misuse("This is no cursor. Take it as the page before gave it.") from error
    if place.question != name or place.shown < 0:
        raise Misuse("This cursor belongs to another list. Ask for the first page again.")
    return place


def _start(rows: Sequence[SessionRow], place: Place) -> int:
    """Find where to go on: behind the last row that was shown, wherever it is now."""
    last = place.shown - 1
    if last < len(rows) and _named(rows[last]) == place.last:
        return place.shown
    found = next((n for n, row in enumerate(rows) if _named(row) == place.last), None)
    return place.shown if found is None else found + 1


def _named(row: SessionRow) -> int:
    return crc32(row.path.encode("utf-8", "replace"))
