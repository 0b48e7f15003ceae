"""Sessions as they may be quoted: with what looks like a secret hidden.

A password that one message names as such is hidden wherever the session mentions it. Whoever reads
a session has the whole of it looked at first; that takes longer than reading it, and is kept
for the sessions that were asked about last. For a few lines of many sessions that would be too
much: there the index is asked which other records of those sessions have the odd words of the
lines too, and those alone are looked at. Where their words are everywhere, the sessions are
looked through as a whole, and what they tell is kept.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
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
_SPELLED: Final = re.compile(rb"\\[u/]")
_PLAIN_SPELLED: Final = re.compile(rb"\\(?:/|u00[2-7])")
_MOST_PHRASES: Final = 120
_MOST_MENTIONS: Final = 1_000
_MOST_LEARNT: Final = 512


class _LearntSession(Struct, frozen=True):
    """What knows the secrets of a session, as the session was when it was looked through."""

    redactor: "Redactor"
    size: int
    ended_at: str | None

    def is_of(self, row: "SessionRow") -> bool:
        return (self.size, self.ended_at) == (row.bytes, row.ended_at)


class _ReadSession(_LearntSession, frozen=True):
    session: "Session"


class SessionReader:
    """Reads sessions in scope, and rewrites their records, without secrets."""

    def __init__(self, history: ScopedHistory) -> None:
        self._history = history
        self._read: OrderedDict[str, _ReadSession] = OrderedDict()
        self._learnt: OrderedDict[str, _LearntSession] = OrderedDict()

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
        odd_words = dict.fromkeys(one for text in texts for one in list_odd_words(text))
        unread: list[str] = []
        for name in dict.fromkeys(sessions):
            known = self._find_learnt(name)
            if known is not None:
                redactor.learn_from(known)
            else:
                unread.append(name)
        if unread and not self._learn_mentions(redactor, list(odd_words), unread):
            # Their words are everywhere: whatever the sessions tell has to be known.
            for row in filter(None, map(self._history.rows.get, unread)):
                redactor.learn_from(self._learn_session(row))
        return redactor

    def _find_learnt(self, name: str) -> "Redactor | None":
        """Find what knows all secrets of a session as it is now, if it was looked through."""
        row = self._history.rows.get(name)
        for known in (self._read.get(name), self._learnt.get(name)):
            if known is not None and row is not None and known.is_of(row):
                return known.redactor
        return None

    def _learn_session(self, row: "SessionRow") -> "Redactor":
        """Learn what a session tells, without understanding it; that is kept, as it is little."""
        redactor = library.Redactor()
        session = library.read_session(Path(row.path))
        redactor.learn_named([*session.records, *session.bad_lines])
        for agent in session.agents:
            redactor.learn_named([*agent.records, *agent.bad_lines])
        if len(self._learnt) >= _MOST_LEARNT:
            self._learnt.popitem(last=False)
        self._learnt[row.id] = _LearntSession(redactor, row.bytes, row.ended_at)
        return redactor

    def _learn_mentions(
        self, redactor: "Redactor", odd_words: "Sequence[_OddWords]", sessions: Sequence[str]
    ) -> bool:
        """Learn from the records that have some words; tell whether those were all of them."""
        named = " ".join(f"session:{name}" for name in sessions)
        for start in range(0, len(odd_words), _MOST_PHRASES):
            some = odd_words[start : start + _MOST_PHRASES]
            words = " OR ".join(dict.fromkeys(f'"{one.phrase}"' for one in some))
            page = library.search(
                f"({words}) {named}",
                newest=True,
                limit=_MOST_MENTIONS,
                within=self._history.select_folders(None),
                rewrite=_MentionLearner(redactor, some).learn,
                excerpts=False,
                index=self._history.handle,
            )
            if page.next is not None:
                return False
        return True

    def _load(self, row: "SessionRow") -> _ReadSession:
        known = self._read.get(row.id)
        if known is not None and known.is_of(row):
            self._read.move_to_end(row.id)
            return known
        session = library.read_session(Path(row.path))
        hidden, redactor = library.redact_session(session, secrets=True, emails=False)
        made = self._read[row.id] = _ReadSession(redactor, row.bytes, row.ended_at, hidden)
        self._read.move_to_end(row.id)
        self._make_space()
        return made

    def _make_space(self) -> None:
        while len(self._read) > 1 and (
            len(self._read) > _MOST_SESSIONS
            or sum(one.size for one in self._read.values()) > _MOST_BYTES
        ):
            self._read.popitem(last=False)


class _OddWords(Struct, frozen=True):
    """What a mentioned password would be found by: as the index has it, and as it is written."""

    phrase: str
    written: str


class _MentionLearner:
    """Learns from records in which some words stand as they are written in the quotes.

    The index knows neither capitals nor marks: most records that it finds have other words.
    """

    def __init__(self, redactor: "Redactor", some: Iterable[_OddWords]) -> None:
        self._redactor = redactor
        self._written = {msgspec.json.encode(one.written)[1:-1]: one.written for one in some}
        self._spelled = _PLAIN_SPELLED if b"".join(self._written).isascii() else _SPELLED

    def learn(self, _: str, record: "Record") -> "Record":
        raw = record.raw
        if self._spelled.search(raw):
            # JSON may spell characters in several forms: where it does, the bytes prove nothing.
            self._redactor.learn_named([record])
        elif words := [word for written, word in self._written.items() if written in raw]:
            self._redactor.learn_near(record, words)
        return record


def list_odd_words(text: str) -> Iterator[_OddWords]:
    """List what a mentioned password would be found by: long runs with digits, and neighbours.

    What is known by its words alone has eight characters and one that is no letter, and stands
    between two that are neither letters nor digits.
    """
    for chunk in _CHUNK.findall(text):
        if len(chunk) < _SHORTEST_SECRET or chunk.isalpha():
            continue
        runs = list(_RUN.finditer(chunk))
        for before, run, after in zip([None, *runs], runs, [*runs[1:], None], strict=False):
            # Marks around it may be part of it.
            start = before.end() if before else 0
            end = after.start() if after else len(chunk)
            if end - start >= _SHORTEST_SECRET and not run[0].isalpha():
                yield _OddWords(run[0], run[0])
        for first, second in pairwise(runs):
            yield _OddWords(f"{first[0]} {second[0]}", chunk[first.start() : second.end()])
