"""Which sessions a writing changes, so that what was counted before is counted again for them only.

A call is charged to the session of its file, or to the one that it was copied from. So a change of
a file concerns its session and every session that its calls were charged to before or are now.
"""

import sqlite3
from collections.abc import Iterable

import msgspec

_CHARGED = """
    select f.session from json_each(:files) as part cross join file f on f.id = part.value
    union
    select u.origin from json_each(:files) as part
    cross join usage_sum u on u.file_id = part.value and u.origin is not null
"""
_NUMBER = "select id from file where path = ?"
_LAST_WRITING = "select cast(value as integer) from meta where key = 'writing'"
_SET_WRITING = "insert or replace into meta values ('writing', ?)"
_CHANGE = "insert or replace into session_change values (?, ?)"
_CHANGED = "select session from session_change where writing > ?"


class SessionChanges:
    """Gathers the sessions that are changed, until they are kept with what was written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._files: set[int] = set()
        self._sessions: set[str] = set()

    def note(self, *files: int) -> None:
        """Note, before their rows are changed, that files are."""
        new = [file for file in files if file not in self._files]
        if new:
            self._sessions |= self._list_charged(new)
            self._files.update(new)

    def note_path(self, path: str) -> None:
        """Note, before its row is changed, that a file is; nothing where it is new."""
        self.note(*(row[0] for row in self._connection.execute(_NUMBER, (path,))))

    def keep(self) -> None:
        """Number what was written so far, and keep that number for the sessions it changed."""
        self._sessions |= self._list_charged(self._files)
        writing = load_last_writing(self._connection) + 1
        self._connection.executemany(_CHANGE, ((session, writing) for session in self._sessions))
        self._connection.execute(_SET_WRITING, (str(writing),))
        self._files.clear()
        self._sessions.clear()

    def _list_charged(self, files: Iterable[int]) -> set[str]:
        wanted = {"files": msgspec.json.encode(list(files)).decode()}
        return {row[0] for row in self._connection.execute(_CHARGED, wanted)}


def load_last_writing(connection: sqlite3.Connection) -> int:
    """Give the number of the last writing; 0 before the first one that has a number."""
    row = connection.execute(_LAST_WRITING).fetchone()
    return row[0] if row else 0


def load_changed_sessions(connection: sqlite3.Connection, writing: int) -> frozenset[str]:
    """Give the sessions that were changed by later writings."""
    return frozenset(row[0] for row in connection.execute(_CHANGED, (writing,)))
