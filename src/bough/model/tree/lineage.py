"""Lineage: sessions that carry copies of one another.

Resume (1.0.x), fork, `/branch` and the background hand-off copy records into a new file.
Most copies keep their uuids; those of 1.0.51 get new ones, and only message ids tell. A
session comes from the earlier one it has most in common with. A `forkedFrom` says it
outright. Copies often keep their times too, so that two files begin alike: then the one
whose own lines are older was first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

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
    holders: defaultdict[str, list[str]] = defaultdict(list)
    found: dict[str, Origin] = {}
    seen: list[str] = []
    for facts in _sort_oldest_first(list(sessions)):
        uuids = _count_shared(facts.uuids, holders)
        messages = _count_shared(facts.messages, holders)
        if facts.forked_from is not None:
            count = uuids[facts.forked_from] or messages[facts.forked_from]
            found[facts.session] = Origin(facts.forked_from, count, "fork")
        elif uuids or messages:
            session = _choose_nearest(facts, uuids + messages, seen)
            found[facts.session] = Origin(session, uuids[session] or messages[session], "copy")
        for key in facts.uuids | facts.messages:
            holders[key].append(facts.session)
        seen.append(facts.session)
    return found


def _count_shared(keys: Iterable[str], holders: Mapping[str, list[str]]) -> Counter[str]:
    """Count what each earlier session has in common with this one."""
    return Counter(session for key in keys for session in holders.get(key, ()))


def _choose_nearest(facts: LineageFacts, shared: Counter[str], seen: list[str]) -> str:
    """Choose the session with most in common: one that the records name, else the earliest."""
    most = max(shared.values())
    best = sorted((s for s, count in shared.items() if count == most), key=seen.index)
    return next((session for session in best if session in facts.named), best[0])


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
