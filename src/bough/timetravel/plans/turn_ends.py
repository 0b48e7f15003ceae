"""Where turns end: the only places from which a conversation can go on well.

A turn ends at an answer whose calls all have results and after which the model says no
more. From anywhere else the client would have to make something up: an answer that was
never given, a result that never came.
"""

from bough.model.interpret.user_records import Said, asked_words, said
from bough.model.session import Session
from bough.model.text.formats import one_line
from bough.model.tree.message_tree import NONE, Is, Story
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.types import Assistant, User
from bough.timetravel.plan import Point

_ANSWERS = (Is.ANSWER, Is.SYNTHETIC)


def why_no_end(story: Story, knot: int) -> str | None:
    """Say why no turn ends at a knot; None where one does."""
    own = story.knots[knot]
    if own.kind is Is.PROMPT:
        return "Claude has not answered it"
    if own.kind is Is.SEAM:
        return "it is a compaction"
    if waits(story, knot):
        return "a tool call is waiting for its result"
    if own.children and all(story.knots[child].kind in _ANSWERS for child in own.children):
        return "Claude goes on after it"
    return None


def waits(story: Story, knot: int) -> bool:
    """Tell whether a call of an answer has no result."""
    called: set[str] = set()
    answered: set[str] = set()
    for number in story.knots[knot].nodes:
        record = story.tree.nodes[number]
        if isinstance(record, User | Assistant):
            for block in message_of(record).blocks:
                if isinstance(block, ToolUse):
                    called.add(block.id)
                elif isinstance(block, ToolResult):
                    answered.add(block.tool_use_id)
    return not called <= answered


def end_node(story: Story, knot: int) -> int:
    """Give the node a knot really ends with: a result or a note that it was interrupted too."""
    own = story.knots[knot]
    last = max(own.nodes)
    return next((n for n in _interrupts(story, knot) if n > last), last)


def end_of_turn(session: Session, knot: int, active: set[int] | None = None) -> int:
    """Find where the turn that a knot is in ends; NONE where it has no end.

    Where it was answered more than once, the active answer counts, else the last; `active`
    are the knots of the active conversation, for a caller that has them.
    """
    story = session.story
    active = active_path(session) if active is None else active
    while True:
        if why_no_end(story, knot) is None:
            return knot
        answers = [c for c in story.knots[knot].children if story.knots[c].kind in _ANSWERS]
        if not answers:
            return NONE
        knot = next((child for child in answers if child in active), answers[-1])


def end_above(story: Story, knot: int) -> int:
    """Find the nearest end of a turn above a knot; NONE where there is none."""
    knot = story.knots[knot].parent
    while knot != NONE and why_no_end(story, knot) is not None:
        knot = story.knots[knot].parent
    return knot


def nearest_end(session: Session, knot: int) -> int:
    """Find the end of the turn a knot is in, else the one before it."""
    below = end_of_turn(session, knot)
    return below if below != NONE else end_above(session.story, knot)


def point_at(session: Session, knot: int) -> Point:
    """Describe the end of a knot as a point."""
    story = session.story
    uuid = story.tree.uuid(end_node(story, knot))
    opener = knot
    while opener != NONE and story.knots[opener].kind is not Is.PROMPT:
        opener = story.knots[opener].parent
    if opener == NONE:
        return Point(uuid)
    record = story.tree.nodes[story.knots[opener].first]
    words = asked_words(record) if isinstance(record, User) else ""
    return Point(uuid, record.uuid, one_line(words), record.timestamp)


def turn_ends(session: Session) -> list[Point]:
    """List every point at which a turn ends, in file order."""
    story = session.story
    knots = range(len(story.knots))
    return [point_at(session, knot) for knot in knots if why_no_end(story, knot) is None]


def active_path(session: Session) -> set[int]:
    """List the knots of the active conversation."""
    tip = next((tip.knot for tip in session.tips if tip.active), NONE)
    return set(session.story.path(tip))


def _interrupts(story: Story, knot: int) -> list[int]:
    """List the notices that a knot was interrupted, which may stand with the next prompt."""
    own = story.knots[knot]
    near = [*own.notes, *(n for child in own.children for n in story.knots[child].notes)]
    found = []
    for number in sorted(near):
        record = story.tree.nodes[number]
        interrupt = isinstance(record, User) and said(record) is Said.INTERRUPT
        if interrupt and story.above[number] == knot:
            found.append(number)
    return found
