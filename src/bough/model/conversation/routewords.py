"""What a seam did and what a twig is, in words."""

from collections.abc import Sequence
from typing import Final

from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Seam
from bough.model.conversation.route import Item, left_at, left_because
from bough.model.text.numbers import count, plural, tokens

_WHO: Final = {"auto": "Compacted automatically", "manual": "Compacted by you"}


def seam_opening(seam: Seam) -> str:
    """Say who compacted."""
    return _WHO.get(seam.trigger or "", "Compacted")


def seam_tokens(seam: Seam, arrow: str) -> str:
    """Say how many tokens there were before and after."""
    if seam.before is not None and seam.after is not None:
        return f"{tokens(seam.before)} {arrow} {tokens(seam.after)} tokens"
    return f"{tokens(seam.before)} tokens before" if seam.before is not None else ""


def seam_text(seam: Seam, arrow: str, opening: str = "Compacted") -> str:
    """Say what a compaction did: tokens before and after, messages kept and dropped."""
    facts = [opening, seam_tokens(seam, arrow)]
    if seam.kept:
        facts.append(f"{count(seam.kept)} {'message' if seam.kept == 1 else 'messages'} kept")
    if seam.dropped:
        thing = "" if seam.kept else " message" if seam.dropped == 1 else " messages"
        facts.append(f"{count(seam.dropped)}{thing} dropped")
    return ", ".join(fact for fact in facts if fact)


def dropped_by(seam: Seam, items: Sequence[Item]) -> list[Exchange]:
    """List the exchanges that a compaction took away: those since the one before it."""
    at = next((n for n, item in enumerate(items) if item is seam), 0)
    before = [n for n in range(at) if isinstance(items[n], Seam)]
    span = items[before[-1] + 1 if before else 0 : at]
    return [item for item in span if isinstance(item, Exchange)]


def asked_on(branch: Branch) -> list[Exchange]:
    """List the exchanges of a branch itself, without those of what leaves it."""
    return [item for item in branch.items if isinstance(item, Exchange)]


def why_left(branch: Branch) -> tuple[str, str | None]:
    """Say why a branch was left and, where that tells more, when; active for the active one."""
    if branch.active:
        return "active", None
    why = left_because(branch)
    return why, left_at(branch) if why in ("rewound", "interrupted") else None


def turns_on(branch: Branch) -> str:
    """Say how long a branch is."""
    return plural(len(asked_on(branch)), "turn")
