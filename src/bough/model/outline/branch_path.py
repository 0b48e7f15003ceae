"""The path of one conversation through a session, with the side branches that leave it.

What a reader of one branch sees: its turns and compactions in order, and, where others part
from it, those others. Read from a branch that was left, the active one is among them. What a
compaction did, what a side branch is and which tip is active are put into words here, once for
every face.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from bough.model.conversation.conversation import Conversation
from bough.model.outline.session_outline import (
    Branch,
    BranchOff,
    Compaction,
    SessionOutline,
    list_positions,
)
from bough.model.outline.turns import INTERRUPTED, OPEN, RETRY, Turn
from bough.model.session import Session
from bough.model.text.formats import format_count, format_plural, format_tokens
from bough.model.tree.message_tree import NONE, GroupKind
from bough.model.usage.costs import NO_USAGE, UsageTotal

OutlineItem = Turn | Compaction | BranchOff

_SHORT: Final = 8
_RULES: Final = {
    "last-prompt": "rule of clients from 2.1.120",
    "last-line": "rule of clients from 2.1.101 to 2.1.119",
    "newest-timestamp": "rule of clients up to 2.1.100",
}
_LAST_LINE: Final = "the last line of the file"
_CHOSEN: Final = {
    "last-prompt": "named by last-prompt",
    "last-line": _LAST_LINE,
    "newest-timestamp": "the newest of the file",
}


def path_to_tip(seen: SessionOutline, tip: str | None) -> list[OutlineItem]:
    """List what is on the path to a tip; everything of the first branch where it is on none."""
    found = seen.positions.get(tip) if tip is not None else None
    if found is None:
        return list(seen.branches[0].items) if seen.branches else []
    stretches = [_cut_at_tip(found.branch, tip)]
    while found.parent is not None:
        parent = found.parent.branch
        branch_off = parent.items[found.at]
        others = (
            [b for b in branch_off.branches if b is not found.branch]
            if isinstance(branch_off, BranchOff)
            else []
        )
        active = _has_tip(parent, found.at)
        # The active branch is told by its being active, and goes on with the words that follow.
        goes_on = Branch(parent.items[found.at + 1 :], active, name="" if active else parent.name)
        branches = ([goes_on] if goes_on.items else []) + others
        stretches.append([BranchOff(tuple(branches))] if branches else [])
        stretches.append(list(parent.items[: found.at]))
        found = found.parent
    return [item for stretch in reversed(stretches) for item in stretch]


class PathEnd(Struct, frozen=True):
    """The end of a path, without what leaves it; `left` where that is left behind."""

    items: list[OutlineItem]
    left: bool


def find_path_end(seen: SessionOutline, tip: str | None, first: str | None, most: int) -> PathEnd:
    """List the last items on the path to a tip: from the record `first` on, at most so many."""
    found = seen.positions.get(tip) if tip is not None else None
    if found is None:
        return PathEnd([], left=False)
    left = found.left
    items: list[OutlineItem] = []
    rest: Sequence[OutlineItem] = _cut_at_tip(found.branch, tip)
    at = len(rest)
    while len(items) < most:
        if at == 0:
            if found.parent is None:
                break
            rest, at, found = found.parent.branch.items, found.at, found.parent
            continue
        at -= 1
        item = rest[at]
        if not isinstance(item, BranchOff):
            items.append(item)
            if isinstance(item, Turn) and first in item.uuids:
                break
    return PathEnd(items[::-1], left)


def find_conversation_through(session: Session, uuid: str | None) -> Conversation:
    """Choose the conversation to a tip, or the one that goes on through a message."""
    if uuid is None:
        return session.conversation()
    named = session.conversations_by_tip.get(uuid, ())
    through = [c for c in named if c.active] or list(named[-1:])
    return (through or _list_passing(session, uuid) or [session.conversation(uuid)])[0]


def find_neighbor_turn(session: Session, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of a turn so many turns away; None where the branch has none there.

    Args:
        session: The session.
        branch: A record of the branch.
        here: A record of the turn to go from.
        by: How many turns, back where it is below zero.
    """
    tree, number = session.message_tree, session.tree.number
    if branch not in number or here not in number:
        return None
    groups = find_conversation_through(session, branch).groups
    prompts = [group for group in groups if tree.groups[group].kind is GroupKind.PROMPT]
    own = tree.above[number[here]]
    if own == NONE or own not in groups:
        return None
    at = groups.index(own)
    passed = sum(groups.index(prompt) <= at for prompt in prompts) - 1
    wanted = passed + by
    if not 0 <= wanted < len(prompts):
        return None
    return session.tree.uuid(tree.groups[prompts[wanted]].first)


def _list_passing(session: Session, uuid: str) -> list[Conversation]:
    """List a conversation that a message is on, the active one or the last; none where none is.

    Paths are walked from their tips to what was walked before: all of them cost what one does.
    """
    tree = session.message_tree
    number = session.tree.number.get(uuid, NONE)
    group = tree.find_owner(number) if number != NONE and tree.tree.uuid(number) == uuid else NONE
    order = sorted(range(len(session.tips)), key=lambda n: (session.tips[n].active, n))
    walked: set[int] = set()
    for at in reversed(order):
        above, conversation = session.tips[at].group, session.conversations[at]
        if above == NONE and any(node.uuid == uuid for node in conversation.nodes):
            return [conversation]
        while above != NONE and above not in walked:
            if above == group:
                return [conversation]
            walked.add(above)
            above = tree.groups[above].parent
    return []


def name_leave_reason(branch: Branch) -> str:
    """Say in a word why a branch was left; nothing for the active one."""
    own = [item for item in branch.items if isinstance(item, Turn)]
    if branch.active or not own:
        return ""
    if own[-1].end == INTERRUPTED:
        return INTERRUPTED
    if branch.cause == RETRY:
        return "retried"
    return "edited" if len(own) == 1 and own[0].end == OPEN else "rewound"


def branch_ended_at(branch: Branch) -> str | None:
    """Give when something was last said on a branch."""
    own = [item for item in branch.items if isinstance(item, Turn)]
    return own[-1].ended_at if own else None


def _find_tip(branch: Branch, tip: str | None) -> int | None:
    """Find the item in which the conversation to a tip ends: commands may follow an answer."""
    turns = [(at, item) for at, item in enumerate(branch.items) if isinstance(item, Turn)]
    ends = (at for at, turn in turns if tip in turn.ends)
    return next(ends, next((at for at, turn in turns if tip in turn.uuids), None))


def _has_tip(branch: Branch, after: int) -> bool:
    return any(isinstance(item, Turn) and item.active for item in branch.items[after:])


def _cut_at_tip(branch: Branch, tip: str | None) -> list[OutlineItem]:
    """Take a branch to the turn of a tip; what follows it leaves there."""
    at = _find_tip(branch, tip)
    if at is None:
        return list(branch.items)
    last = at + 1
    while last < len(branch.items) and isinstance(branch.items[last], BranchOff):
        last += 1
    rest = branch.items[last:]
    others = [BranchOff((Branch(rest, name=branch.name),))] if rest else []
    return [*branch.items[:last], *others]


_WHO: Final = {"auto": "Compacted automatically", "manual": "Compacted by you"}


def describe_trigger(compaction: Compaction) -> str:
    """Say who compacted."""
    return _WHO.get(compaction.trigger or "", "Compacted")


def describe_compacted_tokens(compaction: Compaction, arrow: str) -> str:
    """Say how many tokens there were before and after."""
    if compaction.before is not None and compaction.after is not None:
        return (
            f"{format_tokens(compaction.before)} {arrow} {format_tokens(compaction.after)} tokens"
        )
    return (
        f"{format_tokens(compaction.before)} tokens before" if compaction.before is not None else ""
    )


def describe_compaction(compaction: Compaction, arrow: str, opening: str = "Compacted") -> str:
    """Say what a compaction did: tokens before and after, messages kept and dropped."""
    facts = [opening, describe_compacted_tokens(compaction, arrow)]
    if compaction.kept:
        facts.append(
            f"{format_count(compaction.kept)} "
            f"{'message' if compaction.kept == 1 else 'messages'} kept"
        )
    if compaction.dropped:
        thing = "" if compaction.kept else " message" if compaction.dropped == 1 else " messages"
        facts.append(f"{format_count(compaction.dropped)}{thing} dropped")
    return ", ".join(fact for fact in facts if fact)


def find_dropped_turns(compaction: Compaction, items: Sequence[OutlineItem]) -> list[Turn]:
    """List the turns that a compaction took away: those begun since the one before it."""
    return next((turns for one, turns in list_dropped_turns(items) if one is compaction), [])


def list_dropped_turns(items: Iterable[OutlineItem]) -> Iterator[tuple[Compaction, list[Turn]]]:
    """List the compactions of a path, each with the turns that it took away."""
    turns: list[Turn] = []
    for item in items:
        if isinstance(item, Compaction):
            yield item, turns
            turns = []
        elif isinstance(item, Turn) and not item.is_continuation:
            turns.append(item)


class PathCosts:
    """What the conversation to each tip used and cost, its agents included.

    Branches share their beginnings: each turn is looked at once, however many tips there are.
    """

    def __init__(self, seen: SessionOutline) -> None:
        self._by_uuid: dict[str, UsageTotal] = {}
        self._first = NO_USAGE
        waiting = [(root, NO_USAGE) for root in reversed(seen.branches)]
        while waiting:
            branch, cost = waiting.pop()
            ends: dict[str, UsageTotal] = {}
            others: dict[str, UsageTotal] = {}
            leaving: list[tuple[Branch, UsageTotal]] = []
            for item in branch.items:
                if isinstance(item, Turn):
                    cost += item.cost
                    ends |= {uuid: cost for uuid in item.ends if uuid not in ends}
                    others |= {uuid: cost for uuid in item.uuids if uuid not in others}
                elif isinstance(item, BranchOff):
                    leaving += [(other, cost) for other in item.branches]
            self._by_uuid |= {u: c for u, c in (others | ends).items() if u not in self._by_uuid}
            if branch is seen.branches[0]:
                self._first = cost
            waiting += reversed(leaving)

    def sum_to_tip(self, tip: str | None) -> UsageTotal:
        """Give the cost to a tip; that of the first branch where the tip is on none."""
        return self._by_uuid.get(tip or "", self._first)


def count_turns(items: Sequence[OutlineItem]) -> int:
    """Count the turns among some items; continuations are parts of them."""
    return sum(isinstance(item, Turn) and not item.is_continuation for item in items)


def walk_branches(branches: Sequence[Branch]) -> Iterator[Branch]:
    """List branches, each before those that leave it."""
    return (place.branch for place in list_positions(branches))


def list_own_turns(branch: Branch) -> list[Turn]:
    """List the turns of a branch itself and their parts, without those of what leaves it."""
    return [item for item in branch.items if isinstance(item, Turn)]


def describe_active_tip(session: Session, seen: SessionOutline, short: int = _SHORT) -> str:
    """Say which tip is active and by which rule; or that the client would find none.

    `short` is how many characters of an id are written.
    """
    rule = session.choice.rule
    active = session.active_tip
    if active is None:
        return f"No active tip: the client would find nothing to resume ({_RULES[rule]})"
    asked = (turn.uuid for turn in seen.all_turns if turn.active)
    name = active[:short]
    if (turn := next(asked, None)) is not None and turn != active:
        # Lists of branches go by the tip, the rows of a tree by what was asked.
        name = f"{name}, in turn {turn[:short]}"
    if session.choice.is_live:
        return f"Active tip {name}: {_LAST_LINE} (a client has the session open)"
    shown = next(tip.group for tip in session.tips if tip.active)
    is_named = session.choice.is_named and shown == session.resume_group
    chosen = _CHOSEN[rule] if is_named or rule != "last-prompt" else _LAST_LINE
    return f"Active tip {name}: {chosen} ({_RULES[rule]})"


def explain_why_left(branch: Branch) -> tuple[str, str | None]:
    """Say why a branch was left and, where that tells more, when; active for the active one."""
    if branch.active:
        return "active", None
    why = name_leave_reason(branch)
    return why, branch_ended_at(branch) if why in ("rewound", "interrupted") else None


def name_branch(branch: Branch) -> str:
    """Give the name of a branch, or its first words where it has no name of its own."""
    own = list_own_turns(branch)
    return branch.name or (own[0].label if own else "")


def format_branch_length(branch: Branch) -> str:
    """Say how long a branch is; nothing of one on which nobody began a turn."""
    count = count_turns(branch.items)
    return format_plural(count, "turn") if count else ""
