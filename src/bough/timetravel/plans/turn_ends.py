"""Where turns end: the only places from which a conversation can go on well.

A turn ends at an answer whose calls all have results and after which the model says no
more. From anywhere else the client would have to make something up: an answer that was
never given, a result that never came.
"""

from bough.model.interpret.user_records import UserRecordKind, classify_user_record, label_prompt
from bough.model.session import Session
from bough.model.text.formats import to_one_line
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.types import Assistant, User
from bough.timetravel.plan import Point

_ANSWERS = (GroupKind.ANSWER, GroupKind.SYNTHETIC)


def explain_no_end(story: MessageTree, knot: int) -> str | None:
    """Say why no turn ends at a knot; None where one does."""
    own = story.groups[knot]
    if own.kind is GroupKind.PROMPT:
        return "Claude has not answered it"
    if own.kind is GroupKind.COMPACTION:
        return "it is a compaction"
    if has_pending_call(story, knot):
        return "a tool call is waiting for its result"
    if own.children and all(story.groups[child].kind in _ANSWERS for child in own.children):
        return "Claude goes on after it"
    return None


def has_pending_call(story: MessageTree, knot: int) -> bool:
    """Tell whether a call of an answer has no result."""
    called: set[str] = set()
    answered: set[str] = set()
    for number in story.groups[knot].nodes:
        record = story.tree.nodes[number]
        if isinstance(record, User | Assistant):
            for block in message_of(record).blocks:
                if isinstance(block, ToolUse):
                    called.add(block.id)
                elif isinstance(block, ToolResult):
                    answered.add(block.tool_use_id)
    return not called <= answered


def find_end_node(story: MessageTree, knot: int) -> int:
    """Give the node a knot really ends with: a result or a note that it was interrupted too."""
    own = story.groups[knot]
    last = max(own.nodes)
    return next((n for n in _list_interrupts(story, knot) if n > last), last)


def find_turn_end(session: Session, knot: int, active: set[int] | None = None) -> int:
    """Find where the turn that a knot is in ends; NONE where it has no end.

    Where it was answered more than once, the active answer counts, else the last; `active`
    are the knots of the active conversation, for a caller that has them.
    """
    story = session.message_tree
    active = collect_active_groups(session) if active is None else active
    while True:
        if explain_no_end(story, knot) is None:
            return knot
        answers = [c for c in story.groups[knot].children if story.groups[c].kind in _ANSWERS]
        if not answers:
            return NONE
        knot = next((child for child in answers if child in active), answers[-1])


def find_end_above(story: MessageTree, knot: int) -> int:
    """Find the nearest end of a turn above a knot; NONE where there is none."""
    knot = story.groups[knot].parent
    while knot != NONE and explain_no_end(story, knot) is not None:
        knot = story.groups[knot].parent
    return knot


def find_nearest_end(session: Session, knot: int) -> int:
    """Find the end of the turn a knot is in, else the one before it."""
    below = find_turn_end(session, knot)
    return below if below != NONE else find_end_above(session.message_tree, knot)


def describe_point(session: Session, knot: int) -> Point:
    """Describe the end of a knot as a point."""
    story = session.message_tree
    uuid = story.tree.uuid(find_end_node(story, knot))
    opener = knot
    while opener != NONE and story.groups[opener].kind is not GroupKind.PROMPT:
        opener = story.groups[opener].parent
    if opener == NONE:
        return Point(uuid)
    record = story.tree.nodes[story.groups[opener].first]
    words = label_prompt(record) if isinstance(record, User) else ""
    return Point(uuid, record.uuid, to_one_line(words), record.timestamp)


def list_turn_ends(session: Session) -> list[Point]:
    """List every point at which a turn ends, in file order."""
    story = session.message_tree
    knots = range(len(story.groups))
    return [describe_point(session, knot) for knot in knots if explain_no_end(story, knot) is None]


def collect_active_groups(session: Session) -> set[int]:
    """List the knots of the active conversation."""
    tip = next((tip.group for tip in session.tips if tip.active), NONE)
    return set(session.message_tree.path(tip))


def _list_interrupts(story: MessageTree, knot: int) -> list[int]:
    """List the notices that a knot was interrupted, which may stand with the next prompt."""
    own = story.groups[knot]
    near = [*own.notes, *(n for child in own.children for n in story.groups[child].notes)]
    found = []
    for number in sorted(near):
        record = story.tree.nodes[number]
        interrupt = (
            isinstance(record, User) and classify_user_record(record) is UserRecordKind.INTERRUPT
        )
        if interrupt and story.above[number] == knot:
            found.append(number)
    return found
