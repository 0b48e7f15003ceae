"""A session as a graph: an entry for each turn, message, agent, compaction and fork, in its lane.

Values, not words: each face writes them in its own way. From afar (`Zoom.SHAPE`) turns between
two splits are one entry that counts them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Final, Protocol

from msgspec import Struct

from bough.model.graph.lanes import Lane, place_in_lanes
from bough.model.graph.turn_messages import TurnMessage, list_turn_messages
from bough.model.graph.zoom import ShapePart, Zoom, keep_shape
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.branch_path import OutlineItem, branch_ended_at, name_leave_reason
from bough.model.outline.session_outline import Branch, BranchOff, Compaction, SessionOutline
from bough.model.outline.turns import FAILED, INTERRUPTED, OPEN, Turn
from bough.model.session import Session

MOST_LANES: Final = 7
"""So many lanes stand beside one another on a page; deeper ones share the last."""

WORKING: Final = "working"
UNFINISHED: Final = "unfinished"


class EntryKind(StrEnum):
    """What an entry is. The values are words of the web API."""

    TURN = "turn"
    MESSAGE = "message"
    AGENT = "agent"
    COMPACTION = "compaction"
    FORK = "fork"
    GAP = "gap"

    __repr__ = str.__repr__


class LinkedFork(Protocol):
    """Another file that goes on from a record of this one."""

    @property
    def at(self) -> str:
        """Name the last record that both have."""


class BranchNote(Struct, frozen=True):
    """What is said at the last turn of a branch: why it was left, or that it still runs."""

    word: str = ""
    at: str | None = None


class GraphEntry(Struct, frozen=True):
    """One entry of the graph.

    `turn` is the turn it is, or stands in; `branch` what it is on, and `parent` the turn which
    that branch left. `splits` counts the branches that leave right after it. `count` is the
    number of turns of a gap.
    """

    kind: EntryKind
    branch: Branch
    parent: Turn | None = None
    turn: Turn | None = None
    message: TurnMessage | None = None
    agent: AgentSummary | None = None
    compaction: Compaction | None = None
    fork: LinkedFork | None = None
    count: int = 0
    splits: int = 0
    note: BranchNote = BranchNote()

    @property
    def uuid(self) -> str | None:
        """Name the record that it stands for, as reading and comparing take it."""
        if self.message is not None:
            return self.message.uuid
        if self.compaction is not None:
            return self.compaction.uuid
        return self.turn.uuid if self.turn is not None else None


class PlacedEntry(Struct, frozen=True):
    """An entry in its row; `opens` where a branch leaves the lane at its left with it.

    `begins` says that nothing of its branch stands before it.
    """

    entry: GraphEntry
    lane: Lane
    opens: bool
    begins: bool
    ends: bool
    on_path: bool


class _EntrySplit(Struct, frozen=True):
    branches: tuple["_EntryBranch", ...]


class _EntryBranch(Struct, frozen=True):
    items: "tuple[GraphEntry | _EntrySplit, ...]"
    active: bool = False


_EntryItem = GraphEntry | _EntrySplit


def find_branch_note(branch: Branch, *, left: bool, working: bool = False) -> BranchNote:
    """Say why a branch was left, or of one that is not ended whether somebody is at work."""
    own = [item for item in branch.items if isinstance(item, Turn)]
    if not own:
        return BranchNote()
    if left and not branch.active:
        why = name_leave_reason(branch)
        return BranchNote(why, branch_ended_at(branch) if why == "rewound" else None)
    if own[-1].end == OPEN:
        return BranchNote(WORKING if working else UNFINISHED)
    return BranchNote()


def build_session_graph(
    session: Session,
    outline: SessionOutline,
    zoom: Zoom,
    forks: Sequence[LinkedFork] = (),
    *,
    working: bool = False,
) -> list[PlacedEntry]:
    """Put a session into rows, oldest first.

    Args:
        session: The session.
        outline: Its turns on their branches.
        zoom: How near one looks.
        forks: Other files that go on from records of this one.
        working: Whether a client is at work on it now.
    """
    builder = _GraphBuilder(session, zoom, forks, working=working)
    return list(_join_openings(builder.build(outline)))


def _join_openings(branches: Sequence[_EntryBranch]) -> Iterator[PlacedEntry]:
    """Join the place where a branch leaves with the first row of it."""
    opens, is_new_root = False, True
    rows = place_in_lanes(
        branches,
        split=lambda item: item.branches if isinstance(item, _EntrySplit) else None,
        is_tip=_is_tip,
        most=MOST_LANES,
    )
    for row in rows:
        at_root = row.lane.depth == 0
        if isinstance(row.item, GraphEntry):
            begins = opens or (at_root and is_new_root)
            yield PlacedEntry(row.item, row.lane, opens, begins, row.ends, row.on_path)
        is_new_root = row.ends if at_root else is_new_root
        opens = row.item is None


def _is_tip(item: _EntryItem) -> bool:
    if isinstance(item, _EntrySplit) or item.turn is None:
        return False
    return item.kind is EntryKind.TURN and item.turn.active


class _GraphBuilder:
    """Makes entries of the items of branches, from the innermost branch out."""

    def __init__(
        self, session: Session, zoom: Zoom, forks: Sequence[LinkedFork], *, working: bool
    ) -> None:
        self._session = session
        self._zoom = zoom
        self._working = working
        self._forks: dict[str, list[LinkedFork]] = {}
        for fork in forks:
            self._forks.setdefault(fork.at, []).append(fork)

    def build(self, outline: SessionOutline) -> list[_EntryBranch]:
        order: list[tuple[Branch, Turn | None]] = [(branch, None) for branch in outline.branches]
        for branch, parent in order:  # grows while it is gone through
            last = parent
            for item in branch.items:
                if isinstance(item, Turn):
                    last = item
                elif isinstance(item, BranchOff):
                    order += [(leaving, last) for leaving in item.branches]
        roots = {id(branch) for branch in outline.branches}
        done: dict[int, _EntryBranch] = {}
        for branch, parent in reversed(order):
            note = find_branch_note(branch, left=id(branch) not in roots, working=self._working)
            items = tuple(self._list_entries(branch, parent, note, done))
            done[id(branch)] = _EntryBranch(items, branch.active)
        return [done[id(branch)] for branch in outline.branches]

    def _list_entries(
        self,
        branch: Branch,
        parent: Turn | None,
        note: BranchNote,
        done: Mapping[int, _EntryBranch],
    ) -> Iterator[_EntryItem]:
        last = next((one for one in reversed(branch.items) if isinstance(one, Turn)), None)
        shape = keep_shape(branch.items, _find_part)
        kept: Iterable[OutlineItem | int] = shape if self._zoom is Zoom.SHAPE else branch.items
        splits = _count_splits(branch.items)
        for item in kept:
            match item:
                case int():
                    yield GraphEntry(EntryKind.GAP, branch, parent, count=item)
                case BranchOff():
                    yield _EntrySplit(tuple(done[id(leaving)] for leaving in item.branches))
                case Compaction():
                    yield GraphEntry(EntryKind.COMPACTION, branch, parent, compaction=item)
                case Turn():
                    said = note if item is last and note.word else _note_end(item)
                    turn = GraphEntry(
                        EntryKind.TURN,
                        branch,
                        parent,
                        item,
                        splits=splits.get(item.key, 0),
                        note=said,
                    )
                    yield from chain((turn,), self._list_details(turn, item))

    def _list_details(self, entry: GraphEntry, turn: Turn) -> Iterator[GraphEntry]:
        """List what leaves a turn, and what was said in it."""
        if self._zoom is Zoom.SHAPE:
            return
        branch, parent = entry.branch, entry.parent
        if self._zoom is Zoom.MESSAGES:
            for message in list_turn_messages(turn, self._session):
                yield GraphEntry(EntryKind.MESSAGE, branch, parent, turn, message=message)
        for agent in turn.agents:
            yield GraphEntry(EntryKind.AGENT, branch, parent, turn, agent=agent)
        if self._forks:
            for uuid in self._forks.keys() & turn.uuids:
                for fork in self._forks[uuid]:
                    yield GraphEntry(EntryKind.FORK, branch, parent, turn, fork=fork)


def _note_end(turn: Turn) -> BranchNote:
    return BranchNote(turn.end if turn.end in (FAILED, INTERRUPTED) else "")


def _find_part(item: OutlineItem) -> ShapePart:
    match item:
        case BranchOff():
            return ShapePart.SPLIT
        case Compaction():
            return ShapePart.COMPACTION
        case Turn():
            if item.active:
                return ShapePart.TIP
            return ShapePart.CONTINUATION if item.is_continuation else ShapePart.TURN


def _count_splits(items: Sequence[OutlineItem]) -> dict[str, int]:
    """Count the branches that leave after each turn, by its key."""
    found: dict[str, int] = {}
    last = ""
    for item in items:
        if isinstance(item, Turn):
            last = item.key
        elif isinstance(item, BranchOff):
            found[last] = found.get(last, 0) + len(item.branches)
    return found
