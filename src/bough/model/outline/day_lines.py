"""Days: where a conversation goes over into another one.

A time of day says little in a conversation of a week. Where a new day begins, every face draws
a line with its date, and the times below it are of that day. In an outline the first prompt of
a day has the date, and those below it the time.
"""

from collections.abc import Iterable
from datetime import date, datetime, tzinfo

from bough.model.outline.pieces import Piece
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turns import Turn
from bough.model.text.formats import ENGLISH, TimeFormat, format_clock, format_moment
from bough.model.text.times import parse_moment


def find_day_starts(
    timestamps: Iterable[str | None], today: date | None = None, zone: tzinfo | None = None
) -> dict[int, date]:
    """Find which places begin a day; none where there is but one day, and that is today.

    Without `today` a single day needs no line either: who writes a document names it above.
    """
    found: dict[int, date] = {}
    latest: date | None = None
    for number, timestamp in enumerate(timestamps):
        at = parse_moment(timestamp)
        if at is None:
            continue
        day = at.astimezone(zone).date()
        # What was queued may be a little older than what stands before it: days only go on.
        if latest is None or day > latest:
            latest = found[number] = day
    is_plain = len(found) == 1 and (today is None or latest == today)
    return {} if is_plain else found


def list_piece_times(pieces: Iterable[Piece]) -> list[str | None]:
    """Give when each piece was said; nothing of what stands beside the conversation."""
    return [_time_of(piece) for piece in pieces]


def _time_of(piece: Piece) -> str | None:
    match piece.item:
        case Branch() | Turn():
            return None
        case Compaction(timestamp=at):
            return at
        case None:
            return piece.message.timestamp if piece.message is not None else None


def format_by_day(
    timestamps: Iterable[str | None],
    now: datetime,
    zone: tzinfo | None = None,
    words: TimeFormat = ENGLISH,
) -> list[str]:
    """Write the times of an outline: the first of a day by its date, those after it by the hour."""
    found: list[str] = []
    zone = zone or words.zone
    before: date | None = None
    for timestamp in timestamps:
        at = parse_moment(timestamp)
        day = at.astimezone(zone).date() if at is not None else before
        if at is not None and day == before:
            found.append(format_clock(at, zone, words))
        else:
            found.append(format_moment(at, now, zone, words))
        before = day
    return found
