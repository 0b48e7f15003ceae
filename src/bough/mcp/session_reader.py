"""Sessions as they may be quoted: with what looks like a secret hidden.

A password that one message names as such is hidden wherever the session mentions it. Who reads
a session has the whole of it looked at first; that takes longer than reading it, and is kept
for the sessions that were asked about last. For a few lines of many sessions that would be too
much: there the index is asked which other records of those sessions have the odd words of the
lines too, and those alone are looked at.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough import library
from bough.mcp.scope import ScopedHistory

if TYPE_CHECKING:
    from bough.library import Record, Redactor, Session, SessionRow

_MOST_SESSIONS: Final = 64
_MOST_BYTES: Final = 48 * 1024 * 1024
_SHORTEST_SECRET: Final = 8
_CHUNK: Final = re.compile(r"[^\s\"'`]+")
_RUN: Final = re.compile(r"[^\W_]+")
_MOST_PHRASES: Final = 120
_MOST_MENTIONS: Final = 1_000


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

    def rewrite(self, path: str, record: "Record") -> "Record":  # noqa: ARG002 - asked for so
        """Hide the secrets of a record, also those that its session was seen to tell of."""
        known = self._read.get(record.session_id or "")
        redactor = known.redactor if known is not None else library.Redactor()
        return redactor.record(record)

    def make_redactor(self, texts: Iterable[str], sessions: Iterable[str]) -> "Redactor":
        """Make what hides secrets in texts, also those that other records of sessions tell of."""
        redactor = library.Redactor()
        phrases = list(dict.fromkeys(phrase for text in texts for phrase in _list_odd_words(text)))
        unread = [name for name in dict.fromkeys(sessions) if name not in self._read]
        if unread and not self._learn_mentions(redactor, phrases, unread):
            # Their words are everywhere: whatever the sessions tell has to be known.
            for name in unread:
                redactor.learn_records(self._load(self._history.rows[name]).session.records)
        return redactor

    def _learn_mentions(
        self, redactor: "Redactor", phrases: Sequence[str], sessions: Sequence[str]
    ) -> bool:
        """Learn from the records that have some phrases; tell whether those were all of them."""

        def learn(_: str, record: "Record") -> "Record":
            redactor.learn_records([record])
            return record

        named = " ".join(f"session:{name}" for name in sessions)
        for start in range(0, len(phrases), _MOST_PHRASES):
            words = " OR ".join(f'"{phrase}"' for phrase in phrases[start : start + _MOST_PHRASES])
            page = library.search(
                f"({words}) {named}",
                newest=True,
                limit=_MOST_MENTIONS,
                within=self._history.select_folders(None),
                rewrite=learn,
                excerpts=False,
                index=self._history.handle,
            )
            if page.next is not None:
                return False
        return True

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


def _list_odd_words(text: str) -> Iterator[str]:
    """List what a mentioned password would be found by: long runs with digits, and neighbours.

    What is known by its words alone has eight characters and one that is no letter, and stands
    between two that are neither letters nor digits.
    """
    for chunk in _CHUNK.findall(text):
        if len(chunk) < _SHORTEST_SECRET or chunk.isalpha():
            continue
        runs = _RUN.findall(chunk)
        for run in runs:
            if len(run) >= _SHORTEST_SECRET and not run.isalpha():
                yield run
        for first, second in pairwise(runs):
            yield f"{first} {second}"
