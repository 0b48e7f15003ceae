"""Lineage: sessions that carry copies of one another.

Resume (1.0.x), fork, `/branch` and the background hand-off copy records into a new file.
Most copies keep their uuids; those of 1.0.51 get new ones, and only message ids tell. A
session comes from the earlier one it has most in common with. A `forkedFrom` says it
outright. Copies often keep their times too, so that two files begin alike: then the one
whose own lines are older was first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec import Struct

from bough.records.decode import decode_part, message_of
from bough.records.record import Record, camel
from bough.records.types import Assistant


class LineageFacts(Struct, frozen=True):
    """What lineage needs of one session.

    `uuids` are those of its nodes and `messages` the ids of its answers. `forked_from` is
    the session it says it was forked from, `named` the other sessions its records name.
    `times` are those of its nodes by uuid, `lines_at` the oldest time outside the tree.
    """

    session: str
    started_at: str
    uuids: frozenset[str]
    forked_from: str | None = None
    messages: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    times: Mapping[str, str] = {}
    lines_at: str | None = None


class Origin(Struct, frozen=True):
    """Where a session's first part comes from, how much of it, and how it came: fork or copy.

    `shared` counts nodes, or answers where the copies were given new uuids.
    """

    session: str
    shared: int
    how: str


class _ForkOrigin(Struct, rename=camel):
    session_id: str | None = None


def read_lineage_facts(session: str, records: Iterable[Record]) -> LineageFacts:
    """Read what lineage needs from the records of a session."""
    times: dict[str, str] = {}
    messages: set[str] = set()
    named: set[str] = set()
    forked: str | None = None
    lines_at: str | None = None
    for record in records:
        if record.uuid is not None:
            times[record.uuid] = record.timestamp or ""
            if record.forked_from_json and forked is None:
                forked = decode_part(record.forked_from_json, _ForkOrigin).session_id
            if isinstance(record, Assistant) and (message_id := message_of(record).id):
                messages.add(message_id)
        elif record.timestamp is not None:
            lines_at = min(lines_at or record.timestamp, record.timestamp)
        if record.session_id is not None:
            named.add(record.session_id)
    return LineageFacts(
        session=session,
        started_at=min(filter(None, times.values()), default=""),
        uuids=frozenset(times),
        forked_from=forked if forked != session else None,
        messages=frozenset(messages),
        named=frozenset(named - {session}),
        times=times,
        lines_at=lines_at,
    )


def find_origins(sessions: Iterable[LineageFacts]) -> dict[str, Origin]:
    """Find for each session the one it continues, where there is one."""
    earlier = _EarlierSessions()
    found: dict[str, Origin] = {}
    for facts in _sort_oldest_first(list(sessions)):
        how = "copy" if facts.forked_from is None else "fork"
        session = facts.forked_from or earlier.find_nearest(facts)
        if session is not None:
            found[facts.session] = Origin(session, earlier.count_shared(facts, session), how)
        earlier.add(facts)
    return found


class _Holders(Struct, eq=False):
    """The sessions that hold the same uuids, the latest first, each linked to those before it."""

    session: str
    before: "_Holders | None"
    first: str
    count: int


class _EarlierSessions:
    """The sessions seen so far, by what they hold.

    Uuids that the same sessions hold have one list of holders, and a list that is longer by one
    session goes on with the shorter. So thousands of copies of one session take no more room
    and time than their uuids.
    """

    def __init__(self) -> None:
        self._holders: dict[str, _Holders] = {}
        self._keys: dict[str, frozenset[str]] = {}
        self._places: dict[str, int] = {}

    def add(self, facts: LineageFacts) -> None:
        """Note what a session holds."""
        keys = facts.uuids | facts.messages
        self._keys[facts.session] = keys
        self._places[facts.session] = len(self._places)
        longer: dict[int, _Holders] = {}
        for key in keys:
            before = self._holders.get(key)
            if id(before) not in longer:
                first, count = (before.first, before.count) if before else (facts.session, 0)
                longer[id(before)] = _Holders(facts.session, before, first, count + 1)
            self._holders[key] = longer[id(before)]

    def count_shared(self, facts: LineageFacts, session: str) -> int:
        """Count the nodes, else the answers, that one earlier session has in common with this."""
        keys = self._keys.get(session, frozenset())
        return len(facts.uuids & keys) or len(facts.messages & keys)

    def find_nearest(self, facts: LineageFacts) -> str | None:
        """Find the session with most in common: one that the records name, else the earliest.

        All that only the longest list names have equally much in common: the first of them
        stands for the rest.
        """
        lists: dict[int, tuple[_Holders, str]] = {}
        weights: Counter[int] = Counter()
        for key in chain(facts.uuids, facts.messages):
            if (holders := self._holders.get(key)) is not None:
                lists[id(holders)] = holders, key
                weights[id(holders)] += 1
        if not lists:
            return None
        longest = max(lists, key=lambda name: lists[name][0].count)
        candidates = {lists[longest][0].first, *(facts.named & self._keys.keys())}
        for name, (holders, _) in lists.items():
            candidates.update(_list_sessions(holders) if name != longest else ())
        shared = {
            session: sum(
                weights[name] for name, (_, key) in lists.items() if key in self._keys[session]
            )
            for session in candidates
        }
        most = max(shared.values())
        best = [session for session, count in shared.items() if count == most]
        return min(best, key=lambda one: (one not in facts.named, self._places[one]))


def _list_sessions(holders: _Holders | None) -> Iterator[str]:
    while holders is not None:
        yield holders.session
        holders = holders.before


def _sort_oldest_first(sessions: list[LineageFacts]) -> list[LineageFacts]:
    """Sort so that a copy comes after what it was copied from."""
    holders = Counter(uuid for facts in sessions for uuid in facts.uuids)
    known = {facts.session for facts in sessions}

    def age(facts: LineageFacts) -> tuple[bool, str, bool, str, str]:
        own = [time for uuid, time in facts.times.items() if holders[uuid] == 1 and time]
        if facts.lines_at is not None:
            own.append(facts.lines_at)
        forked, tells = facts.forked_from in known, bool(facts.named & known)
        return forked, facts.started_at, tells, min(own, default=""), facts.session

    return sorted(sessions, key=age)
