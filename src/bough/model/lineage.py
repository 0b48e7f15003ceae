"""Lineage: sessions that carry copies of one another.

Resume (1.0.x), fork, `/branch` and the background hand-off copy records into a new file.
The copies keep their uuids, or at least their message ids. The earliest session that has a
record owns it; a later one continues the owner.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct


class Facts(Struct, frozen=True):
    """What lineage needs of one session."""

    session: str
    started_at: str
    uuids: frozenset[str]
    forked_from: str | None = None


class Origin(Struct, frozen=True):
    """Where a session's first part comes from, and how much of it."""

    session: str
    shared: int
    how: str


def origins(sessions: Iterable[Facts]) -> dict[str, Origin]:
    """Find for each session the one it continues, where there is one."""
    owner: dict[str, str] = {}
    found: dict[str, Origin] = {}
    for facts in sorted(sessions, key=lambda f: (f.forked_from is not None, f.started_at)):
        shared = Counter(owner[uuid] for uuid in facts.uuids if uuid in owner)
        if facts.forked_from is not None:
            shared_with = shared.get(facts.forked_from, 0)
            found[facts.session] = Origin(facts.forked_from, shared_with, "fork")
        elif shared:
            session, count = shared.most_common(1)[0]
            found[facts.session] = Origin(session, count, "copy")
        for uuid in facts.uuids:
            owner.setdefault(uuid, facts.session)
    return found
