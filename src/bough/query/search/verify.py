"""Reading what was found again, and checking what the index cannot know.

A regex, or a mark such as ->, is no word of the index, so each candidate's text is read
from its file. That is slow, and bounded: a page tells where it stopped.
"""

from collections.abc import Iterator, Sequence
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from bough.errors import Unreadable
from bough.files.lines import read_at
from bough.line import Line
from bough.model.interpret.searchable_text import read_searchable_text
from bough.records.decode import decode
from bough.records.record import BadLine
from bough.store.protocol import Store
from bough.store.query_language import And, Not, Or, TextQuery, matches
from bough.store.search_protocol import (
    KINDS,
    DatedPosition,
    HitRow,
    Position,
    RankedPosition,
    SearchRequest,
    SearchRows,
    choose_kinds,
)

CHECKED = 8_000
"""So many records are read at most for one page; half a second's work."""
_BYTES = 64 * 1024 * 1024
SECONDS = 2.0
"""So long a page may take; a slow regex is given up between two records."""
_BATCH = 1_000

Texts = tuple[str, ...]


class VerifiedRows(Struct):
    """The first records that hold, how many do as far as was read, and where to go on.

    `read` is set where something is left unread.
    """

    rows: list[tuple[HitRow, Texts]]
    count: int = 0
    sessions: set[str] | None = None
    next: Position | None = None
    read: int | None = None
    ranked: int | None = None


def read_texts(row: HitRow) -> Texts | None:
    """Read a record's texts again, by kind; None where it is no more what it was."""
    try:
        raw = read_at(row.path, row.offset, row.length)
    except Unreadable:
        return None
    record = decode(Line(row.offset, row.line, raw))
    if isinstance(record, BadLine) or record.uuid != row.uuid:
        return None
    return read_searchable_text(record)


def verify_candidates(store: Store, wanted: SearchRequest) -> VerifiedRows:
    """Find the records of a page by reading candidates; behind the page they are counted."""
    kinds = choose_kinds(wanted.query)
    done = VerifiedRows([], sessions=set() if wanted.after is None else None)
    behind_page: Position | None = None
    size = 0
    end = monotonic() + SECONDS
    for read, (row, behind, ranked) in enumerate(_read_candidates(store, wanted), start=1):
        done.ranked = ranked
        texts = read_texts(row) if row else None
        if (
            row
            and texts is not None
            and _matches_query(wanted.query.text, _texts_of_kinds(kinds, texts))
        ):
            done.count += 1
            if done.sessions is not None:
                done.sessions.add(row.session)
            if len(done.rows) < wanted.limit:
                done.rows.append((row, texts))
                behind_page = behind
        size += row.length if row else 0
        if row is None or read >= CHECKED or size >= _BYTES or monotonic() > end:
            done.read, done.next, done.sessions = read, behind, None
            break
    if done.count > len(done.rows):
        done.next = behind_page
    return done


def _read_candidates(
    store: Store, wanted: SearchRequest
) -> Iterator[tuple[HitRow | None, Position | None, int | None]]:
    """Give candidates, each with the position behind it; None where a store gave up."""
    wanted = replace(wanted, limit=_BATCH)
    while True:
        found = store.search(wanted)
        for number, row in enumerate(found.rows, start=1):
            yield row, _position_behind(wanted, found, number, row), found.ranked
        if found.next is None:
            return
        if not found.rows:
            yield None, found.next, found.ranked
        wanted = replace(wanted, after=found.next)


def _position_behind(
    wanted: SearchRequest, found: SearchRows, number: int, row: HitRow
) -> Position | None:
    if number == len(found.rows):
        return found.next
    if wanted.order == "relevance":
        before = wanted.after.rank if isinstance(wanted.after, RankedPosition) else 0
        return RankedPosition(found.newest, before + number)
    return DatedPosition(row.timestamp or "", row.place)


def _texts_of_kinds(kinds: Sequence[str], texts: Texts) -> list[str]:
    return [text for kind, text in zip(KINDS, texts, strict=False) if text and kind in kinds]


def _matches_query(text: TextQuery | None, texts: Sequence[str]) -> bool:
    """Tell whether a record is what a query asks for; each word may stand in any of its texts."""
    match text:
        case None:
            return True
        case Not():
            return not _matches_query(text.item, texts)
        case And():
            return all(_matches_query(item, texts) for item in text.items)
        case Or():
            return any(_matches_query(item, texts) for item in text.items)
        case _:
            return any(matches(text, one) for one in texts)
