"""Which point is meant: an id, some words, or a number of turns back.

A prompt's id stands for its whole turn, a queued one's for the turn it joined. Any other id
must end a turn; if it does not, the nearest that does is offered. Words must be in one turn
only. Turns are counted by the rule that everything counts them by.
"""

import re

from msgspec import Struct

from bough.model.conversation.message_rules import is_queued_prompt, list_turn_openers
from bough.model.conversation.messages import key_of
from bough.model.interpret.message_kinds import MessageKind
from bough.model.interpret.resume_pair import is_of_resume_pair
from bough.model.session import Session
from bough.model.text.formats import format_plural
from bough.model.tree.message_tree import NONE, GroupKind
from bough.records.record import Record
from bough.records.types import QueueOperation
from bough.timetravel.errors import (
    AmbiguousPoint,
    InsideAgent,
    NoFinishedTurn,
    NotATurnEnd,
    PointNotFound,
    shorten_id,
)
from bough.timetravel.plans.find import RecordText, list_searchable_texts
from bough.timetravel.plans.turn_ends import (
    describe_point,
    explain_no_end,
    find_anchor,
    find_end_above,
    find_nearest_end,
    find_turn_end,
    is_unanswered,
)

_BACK = re.compile(r"-(\d+)")
_PLACE = re.compile(r"@\d+")
_PROMPT_KINDS = (MessageKind.PROMPT, MessageKind.QUEUED)
_ID = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]{2,}|request_[0-9a-fA-F-]+")


class PointSpec(Struct, frozen=True):
    """A point as a person names it.

    `at` is a uuid or the start of one, the place of a prompt that was only ever queued (as
    `@1234`), words, or `-N` for N turns before the active tip.
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
    named = _find_record_by_id(session, at)
    record = named if named is not None else _find_record_by_words(session, at)
    group = _find_group_of(session, record)
    if aim.before:
        opener = _find_opening_prompt(session, group)
        return _require_end(session, opener, find_end_above(session.message_tree, opener))
    reason = _explain_no_point(session, record)
    if reason is None and (named is None or _begins_turn(session, record, group)):
        end = find_turn_end(session, group)
        if end != NONE:
            return end
    reason = reason or explain_no_end(session.message_tree, group)
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


def _find_record_by_id(session: Session, at: str) -> Record | None:
    """Find the record that an id, or the start of one, names; None where it names none."""
    number, nodes = session.tree.number, session.tree.nodes
    if at in number:
        return nodes[number[at]]
    if _PLACE.fullmatch(at):
        lines = (line for lines in session.unlinked_lines.by_group.values() for line in lines)
        queued = (line for line in lines if isinstance(line, QueueOperation))
        return next((line for line in queued if key_of(None, line.offset) == at), None)
    if not _ID.fullmatch(at):
        return None
    found = {node for uuid, node in number.items() if uuid.startswith(at.lower())}
    if len(found) > 1:
        uuids = sorted(session.tree.uuid(node) for node in found)
        raise AmbiguousPoint(at, uuids, uuids)
    return nodes[found.pop()] if found else None


def _find_group_of(session: Session, record: Record) -> int:
    if record.is_sidechain:
        raise InsideAgent(record.uuid or "")
    group = find_anchor(session, record)
    if group == NONE:
        raise NotATurnEnd("nothing was said before it", None)
    return group


def _explain_no_point(session: Session, record: Record) -> str | None:
    """Say why a record is never a point, whatever it stands behind; None where it may be."""
    if is_of_resume_pair(record):
        return "the client wrote it by itself on a resume"
    return "Claude has not answered it" if is_unanswered(session, record) else None


def _begins_turn(session: Session, record: Record, group: int) -> bool:
    """Tell whether a record stands for its whole turn: a prompt, queued or not."""
    return is_queued_prompt(record) or session.message_tree.groups[group].kind is GroupKind.PROMPT


def _find_record_by_words(session: Session, text: str) -> Record:
    """Find the one turn that has some words; a prompt of just these words comes first.

    A prompt stands for its turn; where a queued one alone has the words, that one.
    """
    tree = session.message_tree
    wanted = text.strip().casefold()
    whole: set[int] = set()
    turns: dict[int, list[RecordText]] = {}
    for found in list_searchable_texts(session):
        folded = found.text.casefold()
        if not wanted or wanted not in folded:
            continue
        opener = _find_opening_prompt(session, found.group)
        turns.setdefault(opener, []).append(found)
        if found.kind in _PROMPT_KINDS and folded.strip() == wanted:
            whole.add(opener)
    openers = sorted(whole) if len(whole) == 1 else sorted(turns)
    if not openers:
        raise PointNotFound(text, session.id)
    if len(openers) > 1:
        points = [describe_point(session, group) for group in openers]
        ids = [point.prompt or point.uuid for point in points]
        shown = [f"{shorten_id(uuid)} {p.text[:60]}" for uuid, p in zip(ids, points, strict=True)]
        raise AmbiguousPoint(text, ids, shown)
    found_in = turns[openers[0]]
    if all(found.kind == MessageKind.QUEUED for found in found_in):
        return found_in[0].record
    return session.tree.nodes[tree.groups[openers[0]].first]


def _find_opening_prompt(session: Session, group: int) -> int:
    """Find the prompt that opens the turn a group is in, or where the session begins."""
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
    turns = list_turn_openers(session.conversation(_uuid_of(session, tip)).items)
    if count >= len(turns):
        raise NotATurnEnd(f"the conversation has only {format_plural(len(turns), 'turn')}", None)
    group = _find_group_of(session, turns[-count])
    if tree.groups[group].kind is GroupKind.PROMPT:
        return _require_end(session, group, find_end_above(tree, group))
    # It is no prompt in the tree: a queued one joined the turn before it, which ends with it.
    return _require_end(session, group, find_nearest_end(session, group))


def _uuid_of(session: Session, group: int) -> str:
    return session.tree.uuid(session.message_tree.last_line(group))
