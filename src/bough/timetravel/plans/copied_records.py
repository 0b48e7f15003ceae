"""The copied path: the records that a copy of a conversation is made of, in order.

Not the bare walk up the parents, which loses answers and results wherever the client hung
something on a late hook, but the conversation as it is read. What was never said to the
model stays beside the line, as it was: a copy must not make Claude see more than it saw.
"""

from heapq import heapify, heappop, heappush

from msgspec import Struct

from bough.model.interpret.preserved_messages import list_preserved_uuids
from bough.model.interpret.user_records import UserRecordKind, classify_user_record
from bough.model.session import Session
from bough.model.tree.link_groups import list_kept_groups
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, Progress, System, User

_LINKS = (User, Assistant, System, Attachment)


class CopiedRecord(Struct, frozen=True):
    """A node of the path; one that is not in line hangs beside it."""

    node: int
    in_line: bool


class CopiedPath(Struct, frozen=True):
    """The links from the start to the end, and the groups they come from."""

    links: tuple[CopiedRecord, ...]
    groups: tuple[int, ...]

    @property
    def line_nodes(self) -> tuple[int, ...]:
        """List the nodes in line."""
        return tuple(link.node for link in self.links if link.in_line)


def find_copied_path(session: Session, group: int, end: int) -> CopiedPath:
    """Find the path to a group, as far as the node `end`."""
    tree = session.message_tree
    path = _skip_bypassed_compactions(tree, tree.path(group))
    spine = _collect_client_chain(tree, path, end)
    links: list[CopiedRecord] = []
    for one in path:
        own = tree.groups[one]
        numbers = _sort_by_parents(tree, {*own.nodes, *own.notes})
        if one == group:
            numbers = [n for n in numbers if n <= end]
        for number in numbers:
            record = tree.tree.nodes[number]
            if not isinstance(record, Progress):
                inside = tree.group_of[number] != NONE
                links.append(CopiedRecord(number, inside or _is_chain_link(record, number, spine)))
    if links and links[-1].node != end and end not in {link.node for link in links}:
        links.append(CopiedRecord(end, True))
    kept = _find_preserved(tree, path, {link.node for link in links})
    return CopiedPath((*_insert_before_compactions(links, kept),), tuple(path))


def _sort_by_parents(tree: MessageTree, nodes: set[int]) -> list[int]:
    """Put nodes into the order of the file, but each behind its parent.

    A client may write what hangs on a prompt before the prompt itself; it sends them in the order
    of the parents.
    """
    parent = tree.tree.parent
    if all(parent[node] < node or parent[node] not in nodes for node in nodes):
        return sorted(nodes)
    below: dict[int, list[int]] = {}
    for node in nodes:
        if parent[node] in nodes:
            below.setdefault(parent[node], []).append(node)
    ready = [node for node in nodes if parent[node] not in nodes]
    heapify(ready)
    found: list[int] = []
    while ready:
        found.append(heappop(ready))
        for child in below.get(found[-1], ()):
            heappush(ready, child)
    return found if len(found) == len(nodes) else sorted(nodes)


def _skip_bypassed_compactions(tree: MessageTree, path: list[int]) -> list[int]:
    """Leave out the compactions before which a person went back: Claude saw none of them after.

    Clients put what a compaction kept after its summary: who went back to that, saw it.
    """
    place = {group: at for at, group in enumerate(path)}
    kept: list[int] = []
    for at, group in enumerate(path):
        follower = path[at + 1] if at + 1 < len(path) else NONE
        if tree.groups[group].kind is GroupKind.COMPACTION and follower != NONE:
            above = _find_tight_parent(tree, follower)
            if place.get(above, at) < at and above not in list_kept_groups(tree, group):
                continue
        kept.append(group)
    return kept


def _find_tight_parent(tree: MessageTree, group: int) -> int:
    """Find the group that this one hangs on with nothing but notes between; NONE at progress."""
    for number in tree.tree.walk_up(tree.groups[group].first):
        if isinstance(tree.tree.nodes[number], Progress):
            return NONE
        if tree.group_of[number] not in (NONE, group):
            return tree.group_of[number]
    return NONE


def _is_chain_link(record: Record, number: int, spine: set[int]) -> bool:
    """Tell whether a note is a link of the client's own chain."""
    if number not in spine or not isinstance(record, _LINKS):
        return False
    # A result whose call is nowhere would be refused by the API.
    return not (isinstance(record, User) and classify_user_record(record) is UserRecordKind.RESULT)


def _collect_client_chain(tree: MessageTree, path: list[int], end: int) -> set[int]:
    """Collect the nodes a client walks over, taken up again wherever the walk breaks off."""
    spine: set[int] = set()
    starts, at = [end], len(path) - 1
    while True:
        while starts:
            starts += _walk_up(tree, starts.pop(), spine)
        while at >= 0 and any(node in spine for node in tree.groups[path[at]].nodes):
            at -= 1
        if at < 0:
            return spine
        starts.append(find_last_node(tree, path[at]))


def _walk_up(tree: MessageTree, number: int, spine: set[int]) -> list[int]:
    """Walk up from a node; give what a compaction met on top of it continues."""
    for above in tree.tree.walk_up(number):
        if above in spine:
            return []
        spine.add(above)
        number = above
    top = tree.tree.nodes[number]
    continued = top.logical_parent_uuid if isinstance(top, System) else None
    before = tree.tree.number.get(continued or "", NONE)
    return [before] if before != NONE else []


def find_last_node(tree: MessageTree, group: int) -> int:
    """Give the last node of a group's own line: a note such as a command's output too."""
    own = tree.groups[group]
    notes = [n for n in own.notes if isinstance(tree.tree.nodes[n], User)]
    return max([*own.nodes, *(n for n in notes if tree.above[n] == group)])


def _find_preserved(tree: MessageTree, path: list[int], there: set[int]) -> dict[int, list[int]]:
    """Find messages that a compaction kept from elsewhere, by the boundary that names them."""
    found: dict[int, list[int]] = {}
    for group in path:
        for number in tree.groups[group].nodes:
            record = tree.tree.nodes[number]
            if isinstance(record, System) and (wanted := list_preserved_uuids(record)):
                known = (tree.tree.number.get(uuid) for uuid in wanted)
                lost = sorted({n for n in known if n is not None and n not in there})
                found[number] = lost
                there.update(lost)
    return {boundary: lost for boundary, lost in found.items() if lost}


def _insert_before_compactions(
    links: list[CopiedRecord], kept: dict[int, list[int]]
) -> list[CopiedRecord]:
    """Put preserved messages from elsewhere before the boundary that names them."""
    if not kept:
        return links
    placed: list[CopiedRecord] = []
    for link in links:
        placed.extend(CopiedRecord(node, in_line=False) for node in kept.get(link.node, ()))
        placed.append(link)
    return placed
