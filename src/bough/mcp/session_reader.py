"""Sessions as they may be quoted: read once, with what looks like a secret hidden.

A password that one message names as such is hidden wherever the session mentions it, so the
whole session is looked at before a word of it goes out. That takes longer than reading it, and
is kept for the sessions that were asked about last.
"""

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough import library
from bough.mcp.scope import ScopedHistory

if TYPE_CHECKING:
    from bough.library import Record, Redactor, Session, SessionRow

_MOST_SESSIONS: Final = 64
_MOST_BYTES: Final = 48 * 1024 * 1024


class _ReadSession(Struct, frozen=True):
    session: "Session"
    redactor: "Redactor"
    size: int
    ended_at: str | None


class SessionReader:
    """Reads sessions in scope, and rewrites their records, without secrets."""

    def __init__(self, history: ScopedHistory) -> None:
        self._history = history
        self._read: OrderedDict[str, _ReadSession] = OrderedDict()

    def read(self, session: str) -> "Session":
        """Read a session in scope by its id, with secrets hidden."""
        return self._load(self._history.find_row(session)).session

    def rewrite(self, path: str, record: "Record") -> "Record":
        """Hide the secrets of a record, also those that only its session tells to be some."""
        row = self._history.rows.get(record.session_id or "")
        if row is None:
            row = next((one for one in self._history.rows.values() if one.path == path), None)
        redactor = self._load(row).redactor if row is not None else library.Redactor()
        return redactor.record(record)

    def hide_secrets(self, text: str) -> str:
        """Hide the secrets of a text that stands in no record, or was made of several."""
        return library.Redactor().words(text)

    def _load(self, row: "SessionRow") -> _ReadSession:
        known = self._read.get(row.id)
        if known is not None and (known.size, known.ended_at) == (row.bytes, row.ended_at):
            self._read.move_to_end(row.id)
            return known
        session = library.read_session(Path(row.path))
        hidden, redactor = library.redact_session(session, secrets=True, emails=False)
        made = self._read[row.id] = _ReadSession(hidden, redactor, row.bytes, row.ended_at)
        self._read.move_to_end(row.id)
        self._make_space()
        return made

    def _make_space(self) -> None:
        while len(self._read) > 1 and (
            len(self._read) > _MOST_SESSIONS
            or sum(one.size for one in self._read.values()) > _MOST_BYTES
        ):
            self._read.popitem(last=False)
