"""Which point is meant: an id, some words, or a number of turns back.

A prompt's id stands for its whole turn. Any other id must end a turn; if it does not, the
nearest that does is offered. Words must be in one turn only.
"""

import re

from msgspec import Struct

from bough.model.interpret.user_records import extract_typed_text
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, GroupKind
from bough.records.types import User
from bough.timetravel.errors import (
    AmbiguousPoint,
    InsideAgent,
    NoFinishedTurn,
    NotATurnEnd,
    PointNotFound,
    shorten_id,
)
from bough.timetravel.plans.find import list_searchable_texts
from bough.timetravel.plans.turn_ends import (
    describe_point,
    explain_no_end,
    find_end_above,
    find_nearest_end,
    find_turn_end,
)

_BACK = re.compile(r"-(\d+)")
_ID = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]{2,}|request_[0-9a-fA-F-]+")


class PointSpec(Struct, frozen=True):
    """A point as a person names it.

    `at` is a uuid or the start of one, words, or `-N` for N turns before the active tip.
    `before` means the end of the turn before the one that is named; with `nearest` a point
    that ends no turn stands for the nearest that does.
    """

    at: str
    before: bool = False
    nearest: bool = False


def find_point(session: Session, aim: PointSpec | str) -> int:
    """Find the group that is meant.

    Raises:
        PointNotFound: Nothing fits.
        AmbiguousPoint: More than one turn fits.
        EndsNoTurn: The point is in the middle of a turn.
        InsideAgent: It lies in an agent's own conversation.
    """
    aim = PointSpec(aim) if isinstance(aim, str) else aim
    at = aim.at
    if session.sidechain:
        raise InsideAgent(session.id)
    if not session.message_tree.groups:
        raise NoFinishedTurn(session.id)
    if back := _BACK.fullmatch(at):
        return _find_turn_back(session, int(back[1]))
    node = _find_node_by_id(session, at)
    group = _find_turn_by_words(session, at) if node == NONE else _find_group_at(session, node)
    if aim.before:
        opener = _find_opening_prompt(session, group)
        return _require_end(session, opener, find_end_above(session.message_tree, opener))
    if node == NONE or session.message_tree.groups[group].kind is GroupKind.PROMPT:
        end = find_turn_end(session, group)
        if end != NONE:
            return end
    reason = explain_no_end(session.message_tree, group)
    if reason is None:
        return group
    if aim.nearest:
        return _require_end(session, group, find_nearest_end(session, group))
    found = find_nearest_end(session, group)
    raise NotATurnEnd(reason, describe_point(session, found).uuid if found != NONE else None)


def _require_end(session: Session, group: int, found: int) -> int:
    if found == NONE:
        raise NotATurnEnd(
            explain_no_end(session.message_tree, group) or "nothing comes before it", None
        )
    return found


def _find_node_by_id(session: Session, at: str) -> int:
    """Find the node that an id, or the start of one, names; NONE where it names none."""
    number = session.tree.number
    if at in number:
        return number[at]
    if not _ID.fullmatch(at):
        return NONE
    found = {node for uuid, node in number.items() if uuid.startswith(at.lower())}
    if len(found) > 1:
        uuids = sorted(session.tree.uuid(node) for node in found)
        raise AmbiguousPoint(at, uuids, uuids)
    return found.pop() if found else NONE


def _find_group_at(session: Session, node: int) -> int:
    if session.tree.nodes[node].is_sidechain:
        raise InsideAgent(session.tree.uuid(node))
    group = session.message_tree.above[node]
    if group == NONE:
        raise NotATurnEnd("nothing was said before it", None)
    return group


def _find_turn_by_words(session: Session, text: str) -> int:
    """Find the one turn that has some words; a prompt of just these words comes first."""
    tree = session.message_tree
    wanted = text.strip().casefold()
    whole: set[int] = set()
    turns: dict[int, int] = {}
    for node, kind, words in list_searchable_texts(session):
        folded = words.casefold()
        if not wanted or wanted not in folded:
            continue
        opener = _find_opening_prompt(session, tree.above[node])
        turns.setdefault(opener, node)
        if kind == "prompt" and folded.strip() == wanted:
            whole.add(opener)
    openers = sorted(whole) if len(whole) == 1 else sorted(turns)
    if not openers:
        raise PointNotFound(text, session.id)
    if len(openers) > 1:
        points = [describe_point(session, group) for group in openers]
        ids = [point.prompt or point.uuid for point in points]
        shown = [f"{shorten_id(uuid)} {p.text[:60]}" for uuid, p in zip(ids, points, strict=True)]
        raise AmbiguousPoint(text, ids, shown)
    return openers[0]


def _find_opening_prompt(session: Session, group: int) -> int:
    """Find the prompt that opens the turn a group is in, or where the story begins."""
    tree = session.message_tree
    while tree.groups[group].kind is not GroupKind.PROMPT and tree.groups[group].parent != NONE:
        group = tree.groups[group].parent
    return group


def _find_turn_back(session: Session, count: int) -> int:
    """Find the end of the turn that many turns before the active tip."""
    tree = session.message_tree
    tip = next((tip.group for tip in session.tips if tip.active), NONE)
    if tip == NONE:
        tip = next((tip.group for tip in reversed(session.tips) if tip.group != NONE), NONE)
    if tip == NONE:
        raise NoFinishedTurn(session.id)
    if count == 0:
        return _require_end(session, tip, find_nearest_end(session, tip))
    prompts = [group for group in tree.path(tip) if _is_typed_prompt(session, group)]
    if count >= len(prompts):
        raise NotATurnEnd(f"the conversation has only {len(prompts)} turns", None)
    return _require_end(session, prompts[-count], find_end_above(tree, prompts[-count]))


def _is_typed_prompt(session: Session, group: int) -> bool:
    own = session.message_tree.groups[group]
    record = session.tree.nodes[own.first]
    return (
        own.kind is GroupKind.PROMPT
        and isinstance(record, User)
        and bool(extract_typed_text(record).strip())
    )
