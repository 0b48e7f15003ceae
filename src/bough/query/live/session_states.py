"""Where the sessions of a list stand, also those that nobody follows.

Those with a client or recent activity are known from `running_sessions`; the others are told
from the ends of their files, which is quick and changes only when the file does.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from bough.ingest.read_records import read_last_records
from bough.model.live.session_activity import Activity
from bough.model.live.status import SessionState, SessionStatus, session_status
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.lists.list_rows import Dirs, SessionRow
from bough.query.live.running_sessions import list_live_sessions

DELETED: Final = "deleted"
_UNKNOWN: Final = SessionStatus(SessionState.FINISHED, sure=False)


class ListedState(Struct, frozen=True):
    """What the state of a session is called in a list, and whether that is sure."""

    name: str
    sure: bool = True


def read_session_status(row: SessionRow, now: datetime | None = None) -> SessionStatus:
    """Tell where a session stands from the end of its file alone."""
    activity = Activity()
    seen = False
    for record in read_last_records(USUAL_SOURCES.find(row.path), row.bytes):
        activity.add(record, None)
        seen = True
    return session_status(activity, None, now or datetime.now(UTC)) if seen else _UNKNOWN


def find_session_states(
    rows: Iterable[SessionRow], dirs: Dirs = (), now: datetime | None = None
) -> Mapping[str, ListedState]:
    """Name the state of each session, by the path of its file."""
    running = {one.path: one for one in list_live_sessions(dirs, quick=True, now=now)}
    found: dict[str, ListedState] = {}
    for row in rows:
        if row.deleted_at is not None:
            found[row.path] = ListedState(DELETED)
        else:
            stands = running.get(row.path) or read_session_status(row, now)
            found[row.path] = ListedState(stands.state.value, stands.sure)
    return found
