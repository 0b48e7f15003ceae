"""Mending a file: the same records without what a client trips over.

In this order: halves of a torn record are put together, lines that are none are left out,
circles and broken links on the way to the tip are closed, missing times filled in. Every
other byte stays. What was left out is in the backup.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from bough.line import Line
from bough.model.health import find_left_line
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.model.tree.nodes import ROOT
from bough.records.decode import decode
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, User
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.plans.copied_records import find_last_node
from bough.timetravel.plans.edit_record import set_fields
from bough.timetravel.session_file import list_lines

_MAX_HALF_DISTANCE = 4
"""How many lines apart the halves of a record may be; other writers come between."""


class RecordFix(Struct, frozen=True):
    """One thing that was mended, and where it stood."""

    kind: str
    where: str
    what: str


class RepairedFile(Struct, frozen=True):
    """A mended file and what was done to it."""

    data: bytes
    fixes: tuple[RecordFix, ...]


def repair_records(session: Session) -> RepairedFile:
    """Mend everything that can be mended without guessing."""
    lines, mends = _keep_readable_lines(session)
    data = b"".join(lines)
    for step in (_break_cycles, _close_gaps, _fill_times):
        again = parse_session(data, session.id)
        fields: dict[int, dict[str, object]] = {}
        mends += step(again, fields)
        data = _apply_fields(again, fields) if fields else data
    return RepairedFile(data, tuple(mends))


def _apply_fields(session: Session, fields: dict[int, dict[str, object]]) -> bytes:
    """Give the bytes of a file with other values in some fields of some nodes."""
    changed = {
        id(session.tree.nodes[node]): set_fields(session.tree.nodes[node].raw, values) + b"\n"
        for node, values in fields.items()
    }
    return b"".join(changed.get(id(item), item.raw) for item in list_lines(session))


def _keep_readable_lines(session: Session) -> tuple[list[bytes], list[RecordFix]]:
    """Keep the lines that can be read, each with its newline, and halves put together."""
    items = list_lines(session)
    joined, used = _join_halves(items)
    lines: list[bytes] = []
    mends: list[RecordFix] = []
    for at, item in enumerate(items):
        where = f"line {item.number}"
        if at in joined:
            lines.append(joined[at] + b"\n")
            mends.append(RecordFix("bad-line", where, "put together with its other half"))
        elif isinstance(item, BadLine) and not item.blank:
            if at not in used:
                kind = "torn-line" if item.torn else "bad-line"
                mends.append(RecordFix(kind, where, "left out; it is kept in the backup"))
        else:
            lines.append(item.raw if item.raw.endswith(b"\n") else item.raw + b"\n")
            if at == len(items) - 1 and not item.raw.endswith(b"\n"):
                mends.append(RecordFix("no-final-newline", where, "ended with a newline"))
    return lines, mends


def _join_halves(items: Sequence[Record | BadLine]) -> tuple[dict[int, bytes], set[int]]:
    """Find records that were torn in two, by trying: {place of the first half: record}."""
    bad = [at for at, item in enumerate(items) if isinstance(item, BadLine) and not item.blank]
    joined: dict[int, bytes] = {}
    used: set[int] = set()
    for first, second in pairwise(bad):
        if first in used or second - first > _MAX_HALF_DISTANCE:
            continue
        whole = items[first].raw.rstrip(b"\r\n") + items[second].raw.rstrip(b"\r\n")
        if whole.startswith(b"{") and isinstance(decode(Line(0, 1, whole)), Record):
            joined[first] = whole
            used |= {first, second}
    return joined, used


def _break_cycles(session: Session, fields: dict[int, dict[str, object]]) -> Iterator[RecordFix]:
    """Take the parent from the first node in the file of each circle of parents."""
    tree = session.tree
    if not tree.cycles:
        return
    # Not the tree's own links: those are cut already, at the oldest node.
    parents = [tree.number.get(record.parent_uuid or "", ROOT) for record in tree.nodes]
    done = [False] * len(parents)
    for start in range(len(parents)):
        walked: dict[int, int] = {}
        node = start
        while node != ROOT and not done[node] and node not in walked:
            walked[node] = len(walked)
            node = parents[node]
        if node in walked:
            first = min(n for n, place in walked.items() if place >= walked[node])
            fields[first] = {"parentUuid": None}
            record = tree.nodes[first]
            yield RecordFix("cycle", f"line {record.number}", "taken out of the circle of parents")
        for passed in walked:
            done[passed] = True


def _close_gaps(session: Session, fields: dict[int, dict[str, object]]) -> Iterator[RecordFix]:
    """Close the gaps on the way to the tip, where a client would stop or pass by."""
    tree = session.message_tree
    path = tree.path(find_main_tip(session))
    compactions = [
        at for at, group in enumerate(path) if tree.groups[group].kind is GroupKind.COMPACTION
    ]
    since = compactions[-1] if compactions else 0
    reached = _collect_reached_groups(tree, find_last_node(tree, path[-1])) if path else set()
    for at in range(len(path) - 1, since, -1):
        group, before = path[at], path[at - 1]
        if before in reached or tree.groups[group].kind is GroupKind.COMPACTION:
            continue
        loose = _find_loose_end(tree, group, find_last_node(tree, before))
        record = session.tree.nodes[loose]
        fields.setdefault(loose, {})["parentUuid"] = session.tree.uuid(find_last_node(tree, before))
        reached |= _collect_reached_groups(tree, find_last_node(tree, before))
        lost = record.parent_uuid is not None and record.parent_uuid not in session.tree.number
        kind = "dangling-parent" if lost else "unreachable"
        yield RecordFix(kind, f"line {record.number}", "linked to what was said before it")


def _collect_reached_groups(tree: MessageTree, node: int) -> set[int]:
    """List the groups that a client walks over from a node."""
    return {tree.group_of[above] for above in tree.tree.walk_up(node)} - {NONE}


def _find_loose_end(tree: MessageTree, group: int, before: int) -> int:
    """Find the node of a group's line that hangs on another group, or on nothing.

    What leads to `before` too, on which it will hang, stays where it is.
    """
    node = tree.groups[group].first
    shared = set(tree.tree.walk_up(before))
    while True:
        parent = tree.tree.parent[node]
        if parent == ROOT or parent in shared or tree.group_of[parent] not in (NONE, group):
            return node
        node = parent


def _fill_times(session: Session, fields: dict[int, dict[str, object]]) -> Iterator[RecordFix]:
    """Fill in times, without which clients from 2.1.150 find no conversation."""
    known = next((r.timestamp for r in session.tree.nodes if r.timestamp), None)
    for node, record in enumerate(session.tree.nodes):
        known = record.timestamp or known
        if record.timestamp is None and isinstance(record, User | Assistant):
            fields.setdefault(node, {})["timestamp"] = known or "1970-01-01T00:00:00.000Z"
            yield RecordFix("not-resumable", f"line {record.number}", "given the time before it")


def find_main_tip(session: Session) -> int:
    """Find the group a session should go on from: the active one, unless that went astray."""
    tips = [tip for tip in session.tips if tip.group != NONE]
    active = next((tip.group for tip in tips if tip.active), NONE)
    if active != NONE and not has_stale_tip(session):
        return active
    ends = [tip.group for tip in tips if not session.message_tree.groups[tip.group].children] or [
        tip.group for tip in tips
    ]
    return max(ends, key=session.message_tree.last_line, default=NONE)


def has_stale_tip(session: Session) -> bool:
    """Tell whether the client would go on from a place nobody chose.

    It finds no conversation, or an agent's line, or its rule picks a message in the middle
    of a line of talk (as where all times are equal), or a pointer names a branch that was left.
    """
    node = session.choice.node
    if node == NONE or session.tree.nodes[node].is_sidechain:
        return True
    if find_left_line(session.records, session.message_tree, session.choice) != NONE:
        return True
    group = session.message_tree.group_of[node]
    in_talk = group != NONE and session.choice.rule == "newest-timestamp"
    below = session.message_tree.groups[group].children if in_talk else []
    return bool(below)
