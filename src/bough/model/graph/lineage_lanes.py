"""The files that a session comes from and those that go on from it, in lanes.

A resumed session goes on in the lane of the file it was copied from; a fork leaves it.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.graph.lanes import Lane, place_in_lanes
from bough.model.graph.session_graph import MOST_LANES
from bough.model.tree.lineage import Origin

COPY = "copy"


class LineageMember(Struct, frozen=True):
    """A session of a lineage, and what it comes from; None of the first."""

    session: str
    origin: Origin | None


class PlacedMember(Struct, frozen=True):
    """A session of a lineage in its row; `opens` where it leaves the lane at its left."""

    member: LineageMember
    lane: Lane
    opens: bool
    ends: bool


class _MemberSplit(Struct, frozen=True):
    branches: tuple["_MemberBranch", ...]


class _MemberBranch(Struct, frozen=True):
    items: "tuple[LineageMember | _MemberSplit, ...]"
    active: bool = False


def find_relatives(session: str, origins: Mapping[str, Origin]) -> set[str]:
    """Find every session that is tied to one by copies, however far away."""
    beside: dict[str, set[str]] = {}
    for own, origin in origins.items():
        beside.setdefault(own, set()).add(origin.session)
        beside.setdefault(origin.session, set()).add(own)
    found, waiting = {session}, [session]
    while waiting:
        new = beside.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def place_lineage(session: str, origins: Mapping[str, Origin]) -> list[PlacedMember]:
    """Put the lineage of a session into rows.

    Args:
        session: The session; what is on the way to it is active.
        origins: What each session comes from, the oldest first.
    """
    age = {own: number for number, own in enumerate(origins)}
    children: dict[str, list[str]] = {}
    for own in sorted(find_relatives(session, origins), key=lambda one: (age.get(one, -1), one)):
        origin = origins.get(own)
        children.setdefault(origin.session if origin is not None else "", []).append(own)
    path = set(_list_ancestors(session, origins))
    done: dict[str, _MemberBranch] = {}
    for own in reversed(_list_oldest_first(children)):
        done[own] = _build_branch(own, origins, children.get(own, ()), done, path)
    roots = [done[own] for own in children.get("", ())]
    return list(_join_openings(roots))


def _list_ancestors(session: str, origins: Mapping[str, Origin]) -> Iterator[str]:
    seen: set[str] = set()
    own: str | None = session
    while own is not None and own not in seen:
        seen.add(own)
        yield own
        origin = origins.get(own)
        own = origin.session if origin is not None else None


def _list_oldest_first(children: Mapping[str, Sequence[str]]) -> list[str]:
    order = list(children.get("", ()))
    for own in order:  # grows while it is gone through
        order += children.get(own, ())
    return order


def _build_branch(
    own: str,
    origins: Mapping[str, Origin],
    children: Sequence[str],
    done: Mapping[str, _MemberBranch],
    path: set[str],
) -> _MemberBranch:
    """Let the last copy go on in the lane, and everything else leave it."""
    copies = [one for one in children if origins[one].how == COPY]
    follows = next((one for one in copies if one in path), copies[-1] if copies else None)
    leaving = tuple(done[one] for one in children if one != follows)
    items: list[LineageMember | _MemberSplit] = [LineageMember(own, origins.get(own))]
    if leaving:
        items.append(_MemberSplit(leaving))
    if follows is not None:
        items += done[follows].items
    return _MemberBranch(tuple(items), own in path)


def _join_openings(roots: Sequence[_MemberBranch]) -> Iterator[PlacedMember]:
    opens = False
    rows = place_in_lanes(
        roots,
        split=lambda item: item.branches if isinstance(item, _MemberSplit) else None,
        is_tip=lambda _: False,
        most=MOST_LANES,
    )
    for row in rows:
        if isinstance(row.item, LineageMember):
            yield PlacedMember(row.item, row.lane, opens, row.ends)
        opens = row.item is None
