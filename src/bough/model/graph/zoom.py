"""How near one looks at the graph of a session, and what of a branch is left from afar."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, StrEnum, auto
from typing import TypeVar

T = TypeVar("T")


class Zoom(StrEnum):
    """How near one looks."""

    SHAPE = "Shape"
    PROMPTS = "Prompts"
    MESSAGES = "Every message"

    def step_by(self, by: int) -> "Zoom":
        """Give the next one, nearer or further away."""
        order = list(Zoom)
        return order[max(0, min(order.index(self) + by, len(order) - 1))]


class ShapePart(Enum):
    """What an item is to the shape of a session; a part of a turn is counted with its turn."""

    TURN = auto()
    CONTINUATION = auto()
    TIP = auto()
    COMPACTION = auto()
    SPLIT = auto()
    DETAIL = auto()


_TURNS = frozenset((ShapePart.TURN, ShapePart.CONTINUATION, ShapePart.TIP))
_STOPS = _TURNS | {ShapePart.SPLIT}


def keep_shape(items: Sequence[T], part_of: Callable[[T], ShapePart]) -> Iterator[T | int]:
    """Keep splits, tips, compactions and the ends of a branch; a number counts turns between."""
    parts = [part_of(item) for item in items]
    turns = [at for at, part in enumerate(parts) if part in _TURNS]
    ends = {turns[0], turns[-1]} if turns else set()
    before_split = {at for at in turns if _has_split_after(parts, at)}
    between = 0
    for at, (item, part) in enumerate(zip(items, parts, strict=True)):
        is_turn = part in _TURNS
        if is_turn and part is not ShapePart.TIP and at not in ends and at not in before_split:
            between += part is ShapePart.TURN
            continue
        if part is ShapePart.DETAIL:
            continue
        if between:
            yield between
            between = 0
        yield item


def _has_split_after(parts: Sequence[ShapePart], at: int) -> bool:
    """Tell whether other branches leave right after a turn."""
    following = (parts[n] for n in range(at + 1, len(parts)))
    return next((part for part in following if part in _STOPS), None) is ShapePart.SPLIT
