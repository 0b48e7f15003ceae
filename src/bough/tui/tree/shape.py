"""The shape of a session: its splits, tips and seams, with what lies between only counted."""

from typing import Final

from bough.tui.style.style import (
    DrawnBranch,
    DrawnItem,
    DrawnMessage,
    DrawnSeam,
    DrawnSplit,
    DrawnTurn,
    plural,
)

_DEEPEST: Final = 100


def shaped(branch: DrawnBranch, depth: int = 0) -> DrawnBranch:
    """Keep of a branch what its shape is made of."""
    if depth > _DEEPEST:
        return branch
    turns = [at for at, item in enumerate(branch.items) if isinstance(item, DrawnTurn)]
    ends = {turns[0], turns[-1]} if turns else set()
    kept: list[DrawnItem] = []
    between = 0
    for at, item in enumerate(branch.items):
        if isinstance(item, DrawnTurn) and not (at in ends or item.tip or _parts(branch, at)):
            between += 1
            continue
        if isinstance(item, DrawnTurn | DrawnSplit | DrawnSeam) and between:
            kept.append(DrawnMessage("", "", plural(between, "turn"), quiet=True))
            between = 0
        if isinstance(item, DrawnSplit):
            kept.append(DrawnSplit(tuple(shaped(way, depth + 1) for way in item.ways)))
        elif isinstance(item, DrawnTurn | DrawnSeam):
            kept.append(item)
    return DrawnBranch(tuple(kept), branch.active)


def _parts(branch: DrawnBranch, at: int) -> bool:
    """Tell whether other ways leave right after a turn."""
    for item in branch.items[at + 1 :]:
        if isinstance(item, DrawnSplit):
            return True
        if isinstance(item, DrawnTurn):
            return False
    return False
