"""Which point is meant: an id, some words, or a number of turns back.

A prompt's id stands for its whole turn. Any other id must end a turn; if it does not, the
nearest that does is offered. Words must be in one turn only.
"""

import re

from msgspec import Struct

from bough.model.interpret.user_records import typed_text
from bough.model.session import Session
from bough.model.tree.message_tree import NONE, Is
from bough.records.types import User
from bough.timetravel.errors import (
    AmbiguousPoint,
    EndsNoTurn,
    InsideAgent,
    NothingSaid,
    PointNotFound,
    short,
)
from bough.timetravel.find import spoken
from bough.timetravel.plans.turn_ends import (
    end_above,
    end_of_turn,
    nearest_end,
    point_at,
    why_no_end,
)

_BACK = re.compile(r"-(\d+)")
_ID = re.compile(r"[0-9a-fA-F][0-9a-fA-F-]{2,}|request_[0-9a-fA-F-]+")


class Aim(Struct, frozen=True):
    """A point as a person names it.

    `at` is a uuid or the start of one, words, or `-N` for N turns before the active tip.
    `before` means the end of the turn before the one that is named; with `nearest` a point
    that ends no turn stands for the nearest that does.
    """

    at: str
    before: bool = False
    nearest: bool = False


def resolve(session: Session, aim: Aim | str) -> int:
    """Find the knot that is meant.

    Raises:
        PointNotFound: Nothing fits.
        AmbiguousPoint: More than one turn fits.
        EndsNoTurn: The point is in the middle of a turn.
        InsideAgent: It lies in an agent's own conversation.
    """
    aim = Aim(aim) if isinstance(aim, str) else aim
    at = aim.at
    if session.sidechain:
        raise InsideAgent(session.id)
    if not session.story.knots:
        raise NothingSaid(session.id)
    if back := _BACK.fullmatch(at):
        return _turns_back(session, int(back[1]))
    node = _by_id(session, at)
    knot = _by_words(session, at) if node == NONE else _knot_at(session, node)
    if aim.before:
        opener = _opener(session, knot)
        return _required(session, opener, end_above(session.story, opener))
    if node == NONE or session.story.knots[knot].kind is Is.PROMPT:
        end = end_of_turn(session, knot)
        if end != NONE:
            return end
    reason = why_no_end(session.story, knot)
    if reason is None:
        return knot
    if aim.nearest:
        return _required(session, knot, nearest_end(session, knot))
    found = nearest_end(session, knot)
    raise EndsNoTurn(reason, point_at(session, found).uuid if found != NONE else None)


def _required(session: Session, knot: int, found: int) -> int:
    if found == NONE:
        raise EndsNoTurn(why_no_end(session.story, knot) or "nothing comes before it", None)
    return found


def _by_id(session: Session, at: str) -> int:
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


def _knot_at(session: Session, node: int) -> int:
    if session.tree.nodes[node].is_sidechain:
        raise InsideAgent(session.tree.uuid(node))
    knot = session.story.above[node]
    if knot == NONE:
        raise EndsNoTurn("nothing was said before it", None)
    return knot


def _by_words(session: Session, text: str) -> int:
    """Find the one turn that has some words; a prompt of just these words comes first."""
    story = session.story
    wanted = text.strip().casefold()
    whole: set[int] = set()
    turns: dict[int, int] = {}
    for node, kind, words in spoken(session):
        folded = words.casefold()
        if not wanted or wanted not in folded:
            continue
        opener = _opener(session, story.above[node])
        turns.setdefault(opener, node)
        if kind == "prompt" and folded.strip() == wanted:
            whole.add(opener)
    openers = sorted(whole) if len(whole) == 1 else sorted(turns)
    if not openers:
        raise PointNotFound(text, session.id)
    if len(openers) > 1:
        points = [point_at(session, knot) for knot in openers]
        ids = [point.prompt or point.uuid for point in points]
        shown = [f"{short(uuid)} {p.text[:60]}" for uuid, p in zip(ids, points, strict=True)]
        raise AmbiguousPoint(text, ids, shown)
    return openers[0]


def _opener(session: Session, knot: int) -> int:
    """Find the prompt that opens the turn a knot is in, or where the story begins."""
    story = session.story
    while story.knots[knot].kind is not Is.PROMPT and story.knots[knot].parent != NONE:
        knot = story.knots[knot].parent
    return knot


def _turns_back(session: Session, count: int) -> int:
    """Find the end of the turn that many turns before the active tip."""
    story = session.story
    tip = next((tip.knot for tip in session.tips if tip.active), NONE)
    if tip == NONE:
        tip = next((tip.knot for tip in reversed(session.tips) if tip.knot != NONE), NONE)
    if tip == NONE:
        raise NothingSaid(session.id)
    if count == 0:
        return _required(session, tip, nearest_end(session, tip))
    prompts = [knot for knot in story.path(tip) if _typed(session, knot)]
    if count >= len(prompts):
        raise EndsNoTurn(f"the conversation has only {len(prompts)} turns", None)
    return _required(session, prompts[-count], end_above(story, prompts[-count]))


def _typed(session: Session, knot: int) -> bool:
    own = session.story.knots[knot]
    record = session.tree.nodes[own.first]
    return own.kind is Is.PROMPT and isinstance(record, User) and bool(typed_text(record).strip())
