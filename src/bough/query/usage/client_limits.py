"""How much of a subscription's limits is used, as the client says it, and when it did.

Nothing in the transcripts tells. A status line is told, and keeps it; where none of bough's is
shown, nothing is known. What was said of a window that is over does not count any more.
"""

from datetime import UTC, datetime

from msgspec import Struct

from bough.model.text.times import format_timestamp
from bough.status_line.limit_log import LIMITS, read_limits

_LABELS = {"five_hour": "5 h", "seven_day": "7 d"}


class ClientLimit(Struct, frozen=True):
    """A limit: its name at the client and for people, how much is used, and when that was said.

    `used_percentage` is of a hundred; times are in UTC, `resets_at` null where the client names
    none. `heard_at` is when it was last said.
    """

    name: str
    label: str
    used_percentage: float
    resets_at: str | None
    heard_at: str


def list_client_limits(now: datetime) -> list[ClientLimit]:
    """List the limits that hold, the shortest first."""
    kept = read_limits()
    if kept is None:
        return []
    found = []
    for name in LIMITS:
        used, resets = kept.number(name, "used_percentage"), kept.number(name, "resets_at")
        if used is None or (resets is not None and resets <= now.timestamp()):
            continue
        until, heard = _format_iso(resets), _format_iso(kept.heard_at)
        if heard is not None:
            found.append(ClientLimit(name, _LABELS[name], used, until, heard))
    return found


def _format_iso(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    try:
        at = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return format_timestamp(at)
