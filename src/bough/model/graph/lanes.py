"""Branches put into rows: which stands in which lane, in which order.

The stem stands at the left. A branch that left it is drawn to its end, one lane to the right,
before the stem goes on; so the lane is free again for the next. Work waits on a list, not
on the call stack: a session may nest as deep as it likes.
"""

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class LaneBranch(Protocol[T_co]):
    """What lanes are made of: items in order, some of which are splits into more branches."""

    @property
    def items(self) -> Sequence[T_co]:
        """Give what stands on it, oldest first."""

    @property
    def active(self) -> bool:
        """Tell whether the active tip is on it."""


class LaneBar(Struct, frozen=True):
    """The line of another lane beside a row: whether it goes on there, and is the active one."""

    goes_on: bool
    active: bool


class Lane(Struct, frozen=True):
    """Where a branch is drawn: how deep, and what stands left of it.

    `bars` are those of the lanes at its left. Lanes deeper than asked for share the last one
    and are `crowded`: they have one bar less, and their depth must be said.
    """

    depth: int = 0
    active: bool = False
    bars: tuple[LaneBar, ...] = ()
    crowded: bool = False


class LaneRow(Struct, Generic[T], frozen=True):
    """One row: an item in its lane, or, where `item` is None, where a branch leaves it.

    `ends` says that nothing of the branch follows; `on_path` that the row is on the way to the
    active tip.
    """

    item: T | None
    lane: Lane
    ends: bool
    on_path: bool


class _Place(Struct, Generic[T], frozen=True):
    """What waits to be drawn: an item in its lane, or a branch that begins there."""

    lane: Lane
    item: T | None = None
    branch: LaneBranch[T] | None = None
    leaves: bool = False
    ends: bool = False


def place_in_lanes(
    branches: Sequence[LaneBranch[T]],
    *,
    split: Callable[[T], Sequence[LaneBranch[T]] | None],
    is_tip: Callable[[T], bool],
    most: int,
) -> list[LaneRow[T]]:
    """Put branches into rows, one root after the other, oldest first.

    Args:
        branches: The roots.
        split: Gives the branches that leave at an item; None of an item that is no split.
        is_tip: Tells whether an item is the active tip.
        most: How many lanes are drawn beside one another.
    """
    rows: list[LaneRow[T]] = []
    # Not _Place[T](...): that is three times as slow, and a row for each item.
    waiting: list[_Place[T]] = [
        _Place(Lane(active=one.active), branch=one) for one in reversed(branches)
    ]
    past_tip = False
    while waiting:
        place = waiting.pop()
        lane = place.lane
        if place.branch is not None and place.leaves:
            rows.append(LaneRow(None, lane, place.ends, lane.active and not past_tip))
            opened = _open_lane(lane, most, goes_on=not place.ends)
            waiting.append(_Place(opened, branch=place.branch))
        elif place.branch is not None:
            waiting += reversed(_place_items(place.branch, lane))
        elif place.item is not None:
            side_branches = split(place.item)
            if side_branches is None:
                on_path = lane.active and not past_tip
                rows.append(LaneRow(place.item, lane, place.ends, on_path))
                past_tip = past_tip or is_tip(place.item)
            else:
                waiting += reversed(_place_branches(side_branches, lane, ends=place.ends))
    return rows


def _place_items(branch: LaneBranch[T], lane: Lane) -> list[_Place[T]]:
    last = len(branch.items) - 1
    return [_Place(lane, item, ends=at == last) for at, item in enumerate(branch.items)]


def _place_branches(
    branches: Sequence[LaneBranch[T]], lane: Lane, *, ends: bool
) -> list[_Place[T]]:
    last = len(branches) - 1
    return [
        _Place(lane, branch=branch, leaves=True, ends=ends and at == last)
        for at, branch in enumerate(branches)
    ]


def _open_lane(lane: Lane, most: int, *, goes_on: bool) -> Lane:
    """Open the lane to the right; the bar of the one it leaves stays while that goes on."""
    depth = lane.depth + 1
    if depth > most:
        return Lane(depth, bars=lane.bars[: most - 1], crowded=True)
    return Lane(depth, bars=(*lane.bars, LaneBar(goes_on, lane.active)))
