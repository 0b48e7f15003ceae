"""Where turns end: the only places from which a conversation can go on well.

A turn ends at an answer whose calls all have results and after which the model says no
more. From anywhere else the client would have to make something up: an answer that was
never given, a result that never came. What a client once made up so, a placeholder
("No response requested."), is in no group: it ends no turn, and hides none that ends above.
"""

from bough.model.conversation.message_rules import is_queued_prompt
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, label_prompt
from bough.model.outline.branch_path import find_neighbor_turn
from bough.model.session import Session
from bough.model.text.formats import to_one_line
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, User
from bough.timetravel.plan import Point

_ANSWERS = (GroupKind.ANSWER, GroupKind.SYNTHETIC)


def explain_no_end(tree: MessageTree, group: int) -> str | None:
    """Say why no turn ends at a group; None where one does."""
    own = tree.groups[group]
    if own.kind is GroupKind.PROMPT:
        return "Claude has not answered it"
    if own.kind is GroupKind.COMPACTION:
        return "it is a compaction"
    if has_pending_call(tree, group):
        return "a tool call is waiting for its result"
    if own.children and all(tree.groups[c].kind is GroupKind.ANSWER for c in own.children):
        return "Claude goes on after it"
    return None


def has_pending_call(tree: MessageTree, group: int) -> bool:
    """Tell whether a call of an answer has no result."""
    called: set[str] = set()
    answered: set[str] = set()
    for number in tree.groups[group].nodes:
        record = tree.tree.nodes[number]
        if isinstance(record, User | Assistant):
            for block in message_of(record).blocks:
                if isinstance(block, ToolUse):
                    called.add(block.id)
                elif isinstance(block, ToolResult):
                    answered.add(block.tool_use_id)
    return not called <= answered


def find_end_node(tree: MessageTree, group: int) -> int:
    """Give the node a group really ends with: a result or a note that it was interrupted too."""
    own = tree.groups[group]
    last = max(own.nodes)
    return next((n for n in _list_interrupts(tree, group) if n > last), last)


def find_turn_end(session: Session, group: int, active: set[int] | None = None) -> int:
    """Find where the turn that a group is in ends; NONE where it has no end.

    Where it was answered more than once, the active answer counts, else the last; `active`
    are the groups of the active conversation, for a caller that has them.
    """
    tree = session.message_tree
    active = collect_active_groups(session) if active is None else active
    while True:
        children = tree.groups[group].children
        answers = [child for child in children if tree.groups[child].kind in _ANSWERS]
        # A turn that failed ends with the error, of which Claude knows nothing.
        failed = bool(answers) and len(answers) == len(children)
        if explain_no_end(tree, group) is None and not failed:
            return group
        if not answers:
            return NONE
        group = next((child for child in answers if child in active), answers[-1])


def find_neighbor_point(session: Session, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of the nearest turn before or after that has an end; None where none has.

    Args:
        session: The session.
        branch: A record of the branch.
        here: A record of the turn to go from.
        by: 1 for what comes after, -1 for what came before.
    """
    tree, number = session.message_tree, session.tree.number
    away = by
    while (prompt := find_neighbor_turn(session, branch, here, away)) is not None:
        if find_turn_end(session, tree.above[number[prompt]]) != NONE:
            return prompt
        away += by
    return None


def find_anchor(session: Session, record: Record) -> int:
    """Find the group with which the turn of a record begins or goes on; NONE where nothing is.

    A queued prompt is a line of the client's own, so its turn is the turn it joined: what
    Claude said next after it, else what it stands behind.
    """
    tree = session.message_tree
    number = tree.tree.number.get(record.uuid or "", NONE)
    if number == NONE:
        unlinked = session.unlinked_lines.by_group.items()
        return next((k for k, own in unlinked if any(one is record for one in own)), NONE)
    if tree.group_of[number] == NONE and is_queued_prompt(record):
        below = _find_answer_below(tree, number)
        return below if below != NONE else tree.above[number]
    return tree.above[number]


def is_unanswered(session: Session, record: Record) -> bool:
    """Tell whether Claude never spoke after a queued prompt that it was given."""
    tree = session.message_tree
    number = tree.tree.number.get(record.uuid or "", NONE)
    if number == NONE or not is_queued_prompt(record):
        return False
    return _find_answer_below(tree, number) == NONE


def _find_answer_below(tree: MessageTree, number: int) -> int:
    """Find the last answer that follows a line of the client's own, past others of them."""
    below = tree.tree.children()
    found: list[int] = []
    waiting = list(below[number])
    while waiting:
        child = waiting.pop()
        group = tree.group_of[child]
        if group == NONE:
            waiting += below[child]
        elif tree.groups[group].kind in _ANSWERS:
            found.append(group)
    return max(found, default=NONE)


def find_end_above(tree: MessageTree, group: int) -> int:
    """Find the nearest end of a turn above a group; NONE where there is none."""
    group = tree.groups[group].parent
    while group != NONE and explain_no_end(tree, group) is not None:
        group = tree.groups[group].parent
    return group


def find_nearest_end(session: Session, group: int) -> int:
    """Find the end of the turn a group is in, else the one before it."""
    below = find_turn_end(session, group)
    return below if below != NONE else find_end_above(session.message_tree, group)


def describe_point(session: Session, group: int) -> Point:
    """Describe the end of a group as a point."""
    tree = session.message_tree
    uuid = tree.tree.uuid(find_end_node(tree, group))
    opener = group
    while opener != NONE and tree.groups[opener].kind is not GroupKind.PROMPT:
        opener = tree.groups[opener].parent
    if opener == NONE:
        return Point(uuid)
    record = tree.tree.nodes[tree.groups[opener].first]
    words = label_prompt(record) if isinstance(record, User) else ""
    return Point(uuid, record.uuid, to_one_line(words), record.timestamp)


def list_turn_ends(session: Session) -> list[Point]:
    """List every point at which a turn ends, in file order."""
    tree = session.message_tree
    groups = range(len(tree.groups))
    return [
        describe_point(session, group) for group in groups if explain_no_end(tree, group) is None
    ]


def collect_active_groups(session: Session) -> set[int]:
    """List the groups of the active conversation."""
    tip = next((tip.group for tip in session.tips if tip.active), NONE)
    return set(session.message_tree.path(tip))


def _list_interrupts(tree: MessageTree, group: int) -> list[int]:
    """List the notices that a group was interrupted, which may stand with the next prompt."""
    own = tree.groups[group]
    near = [*own.notes, *(n for child in own.children for n in tree.groups[child].notes)]
    found = []
    for number in sorted(near):
        record = tree.tree.nodes[number]
        interrupt = (
            isinstance(record, User) and classify_user_record(record) is UserRecordKind.INTERRUPT
        )
        if interrupt and tree.above[number] == group:
            found.append(number)
    return found
