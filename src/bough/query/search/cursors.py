"""Where a page of a search ended, as a word that can be typed.

A cursor knows which search it belongs to: used with another one it would show nonsense.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.errors import Misuse
from bough.store import query_language as searchql
from bough.store.query_language import Query
from bough.store.search_protocol import (
    DatedPosition,
    Order,
    Position,
    RankedPosition,
    SearchRequest,
    SearchRows,
)


class SearchCursor(Struct, frozen=True, array_like=True):
    """A position in a search, and how many hits were shown before it."""

    position: Position | None = None
    shown: int = 0
    search: int = 0


_decoder = msgspec.msgpack.Decoder(SearchCursor)


def format_cursor(cursor: SearchCursor) -> str | None:
    """Write a cursor as a word; None where nothing follows."""
    if cursor.position is None:
        return None
    return urlsafe_b64encode(msgspec.msgpack.encode(cursor)).rstrip(b"=").decode()


def make_cursor(wanted: SearchRequest, position: Position | None, count: int) -> SearchCursor:
    """Make the cursor of the page that begins at a position, behind so many hits of a page."""
    return SearchCursor(position, wanted.shown + count, _search_hash(wanted.query, wanted.order))


def list_cursors(
    wanted: SearchRequest, positions: Iterable[Position | None]
) -> tuple[SearchCursor, ...]:
    """Give the cursors behind the hits of a page, one after the other."""
    start = make_cursor(wanted, None, 0)
    return tuple(
        replace(start, position=position, shown=start.shown + count)
        for count, position in enumerate(positions, start=1)
    )


def find_position_behind(wanted: SearchRequest, found: SearchRows, number: int) -> Position | None:
    """Find where a page begins that follows the first rows, so many, of what was found."""
    if number == len(found.rows):
        return found.next
    if wanted.order == "relevance":
        before = wanted.after.rank if isinstance(wanted.after, RankedPosition) else 0
        return RankedPosition(found.newest, before + number)
    row = found.rows[number - 1]
    return DatedPosition(row.timestamp or "", row.place)


def parse_cursor(cursor: str, query: Query, order: Order) -> SearchCursor:
    """Read a cursor; raises Misuse where it is none of this search."""
    try:
        data = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        place = _decoder.decode(data)
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise Misuse(
            f"{cursor} is not a cursor. Copy it as the previous page printed it."
        ) from error
    if place.search != _search_hash(query, order):
        raise Misuse("This cursor belongs to another search. Repeat the query and the order.")
    return place


def _search_hash(query: Query, order: Order) -> int:
    # Times are left out: `after:3d` is another moment on every page.
    timeless = replace(query, after=None, before=None)
    return crc32(f"{order} {searchql.format_query(timeless)}".encode("utf-8", "replace")) & 0xFFFF
