"""The story: what was really said, in which order, and where it parts.

Most nodes with two children are no branches: parallel calls, hooks, progress and notes
hang beside the line of talk. So nodes are gathered into knots: a prompt, an answer (all
lines of one message, with the results of its calls), or the seam of a compaction. Knots
are then joined so that one story runs through the file, and only a person who goes back
and says something else makes a second one.
"""

from collections import defaultdict
from enum import IntEnum

from msgspec import Struct

from bough.model.prompts import STARTS_A_LINE, Said, said
from bough.model.tree import ROOT, Tree
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, System, User

NONE = -1
SYNTHETIC = "<synthetic>"


class Is(IntEnum):
    """What a knot is."""

    PROMPT = 0
    ANSWER = 1
    SYNTHETIC = 2
    SEAM = 3


class Knot(Struct):
    """A prompt, an answer or a seam: the nodes that make it, and its place in the story."""

    kind: Is
    nodes: list[int]
    parent: int = NONE
    children: list[int] = []
    notes: list[int] = []

    @property
    def first(self) -> int:
        """Give the node the knot begins with."""
        return self.nodes[0]


class Story(Struct):
    """The knots of a tree in file order.

    `knot_of` tells each node's knot, `above` the nearest one at or above it.
    """

    tree: Tree
    knots: list[Knot]
    knot_of: list[int]
    above: list[int] = []

    def path(self, knot: int) -> list[int]:
        """List the knots from the start of the story to this one."""
        way = []
        while knot != NONE:
            way.append(knot)
            knot = self.knots[knot].parent
        way.reverse()
        return way

    def last_line(self, knot: int) -> int:
        """Give the node a knot ends with: a message's last line, not a result."""
        tree = self.tree
        own = self.knots[knot]
        if own.kind in (Is.PROMPT, Is.SEAM):
            return own.first
        lines = [n for n in own.nodes if isinstance(tree.nodes[n], Assistant)]
        return max(lines)


def build_story(tree: Tree, *, sidechain: bool = False) -> Story:
    """Gather the nodes of the main line, or of a sidechain, into knots and join them."""
    story = Story(tree, [], [NONE] * len(tree.nodes))
    members = [sidechain or not record.is_sidechain for record in tree.nodes]
    _gather(story, members)
    story.above = _knots_above(story)
    _join(story)
    _give_notes(story, members)
    return story


def _gather(story: Story, members: list[bool]) -> None:
    """Make the knots: who belongs to which message, prompt or seam."""
    messages: dict[str, int] = {}
    calls: dict[str, int] = {}
    results: list[int] = []
    for number, record in enumerate(story.tree.nodes):
        if not members[number]:
            continue
        if isinstance(record, Assistant):
            _gather_line(story, number, messages, calls)
        elif isinstance(record, User):
            meaning = said(record)
            if meaning is Said.RESULT:
                results.append(number)
            elif meaning in STARTS_A_LINE:
                _new_knot(story, number, Is.PROMPT)
            elif meaning is Said.SUMMARY:
                _new_knot(story, number, Is.SEAM)
        elif isinstance(record, System) and record.subtype == "compact_boundary":
            _new_knot(story, number, Is.SEAM)
    for number in results:
        knot = _caller(story.tree.nodes[number], calls)
        if knot != NONE:
            story.knots[knot].nodes.append(number)
            story.knot_of[number] = knot
    _merge_seams(story)


def _new_knot(story: Story, number: int, kind: Is) -> int:
    story.knots.append(Knot(kind, [number]))
    story.knot_of[number] = len(story.knots) - 1
    return len(story.knots) - 1


def _gather_line(
    story: Story, number: int, messages: dict[str, int], calls: dict[str, int]
) -> None:
    """Put an assistant's line to its message and note the calls it makes."""
    record = story.tree.nodes[number]
    assert isinstance(record, Assistant)
    message = message_of(record)
    knot = messages.get(message.id, NONE) if message.id else NONE
    if knot == NONE:
        kind = Is.SYNTHETIC if message.model == SYNTHETIC else Is.ANSWER
        knot = _new_knot(story, number, kind)
        if message.id:
            messages[message.id] = knot
    else:
        story.knots[knot].nodes.append(number)
        story.knot_of[number] = knot
    for block in message.blocks:
        if isinstance(block, ToolUse):
            calls[block.id] = knot


def _merge_seams(story: Story) -> None:
    """Make a boundary and the summary below it one knot."""
    tree = story.tree
    for number, knot in enumerate(story.knot_of):
        if knot == NONE or story.knots[knot].kind is not Is.SEAM:
            continue
        parent = tree.parent[number]
        above = story.knot_of[parent] if parent != ROOT else NONE
        if above not in (NONE, knot) and story.knots[above].kind is Is.SEAM:
            story.knots[above].nodes.append(number)
            story.knots[knot].nodes.clear()
            story.knot_of[number] = above
    _drop_empty(story)


def _drop_empty(story: Story) -> None:
    if all(knot.nodes for knot in story.knots):
        return
    place, kept = {}, []
    for old, knot in enumerate(story.knots):
        if knot.nodes:
            place[old] = len(kept)
            kept.append(knot)
    story.knots = kept
    story.knot_of = [place.get(knot, NONE) for knot in story.knot_of]


def _caller(record: Record, calls: dict[str, int]) -> int:
    """Find the message whose call a result answers, wherever the result hangs."""
    assert isinstance(record, User)
    for block in message_of(record).blocks:
        if isinstance(block, ToolResult) and block.tool_use_id in calls:
            return calls[block.tool_use_id]
    return NONE


def _knots_above(story: Story) -> list[int]:
    """Find, for each node, the nearest knot at or above it, past everything contracted."""
    tree = story.tree
    above = list(story.knot_of)
    known = [knot != NONE for knot in above]
    for start in range(len(above)):
        walked = []
        number = start
        while number != ROOT and not known[number]:
            walked.append(number)
            known[number] = True
            number = tree.parent[number]
        found = above[number] if number != ROOT else NONE
        for passed in walked:
            above[passed] = found
    return above


class _Joining(Struct):
    """What `_join` remembers while it goes through the knots."""

    hung: list[int]
    placed: list[bool]
    beside: dict[int, list[int]]
    ends: dict[int, int] = {}
    spots: dict[tuple[int, int], int] = {}
    previous: int = NONE


def _join(story: Story) -> None:
    """Give each knot its place after another, in the order they were written.

    A knot follows the one it hangs on, except: what hangs beside an answer or a seam goes
    on where that line was last written (an answer beside a prompt is one story), and what
    hangs on nothing goes on where the file stood. Prompts beside each other part.
    """
    count = len(story.knots)
    hung = [_hung_on(story, knot) for knot in range(count)]
    state = _Joining(hung, [False] * count, defaultdict(list))
    for knot in range(count):
        for waiting in _with_parents(knot, state):
            _place(story, waiting, state)


def _with_parents(knot: int, state: _Joining) -> list[int]:
    """List a knot and what it hangs on, as far as not yet placed, the topmost first.

    Children may stand before their parents in the file.
    """
    waiting: list[int] = []
    seen = set()
    while knot != NONE and not state.placed[knot] and knot not in seen:
        seen.add(knot)
        waiting.append(knot)
        knot = state.hung[knot]
    return waiting[::-1]


def _place(story: Story, knot: int, state: _Joining) -> None:
    knots, own = story.knots, story.knots[knot]
    hung = state.hung[knot]
    if hung == NONE or not state.placed[hung]:
        logical = _logical(story, knot, state)
        own.parent = state.previous if logical == NONE else _after_talk(story, logical, state)
    else:
        own.parent = _after(story, knot, hung, state)
    if hung != NONE:
        state.beside[hung].append(knot)
    if own.parent != NONE:
        knots[own.parent].children.append(knot)
    state.placed[knot] = True
    state.previous = knot


def _after_talk(story: Story, logical: int, state: _Joining) -> int:
    """Let a seam follow the `/compact` that asked for it, where that stands as a prompt."""
    last = state.previous
    asked = last != NONE and story.knots[last].kind is Is.PROMPT
    return last if asked and story.knots[last].parent == logical else logical


def _hung_on(story: Story, knot: int) -> int:
    """Find the knot that this one hangs on by parentUuid."""
    tree, above = story.tree, story.above
    for number in story.knots[knot].nodes:
        parent = tree.parent[number]
        if parent != ROOT and above[parent] != knot:
            return above[parent]
        if parent == ROOT:
            return NONE
    return NONE


def _logical(story: Story, knot: int, state: _Joining) -> int:
    """Find what a compaction continues: its logical parent, else what it preserved."""
    tree = story.tree
    for number in story.knots[knot].nodes:
        record = tree.nodes[number]
        if not isinstance(record, System):
            continue
        for uuid in _continued(record):
            at = tree.number.get(uuid or "", NONE)
            found = story.above[at] if at != NONE else NONE
            if found not in (NONE, knot) and state.placed[found]:
                return found
    return NONE


def _continued(boundary: System) -> list[str | None]:
    """List the uuids a compaction may continue, the best first."""
    wanted = [boundary.logical_parent_uuid]
    if (metadata := boundary.compact_metadata) is not None:
        if (segment := metadata.preserved_segment) is not None:
            wanted += [segment.tail_uuid, segment.head_uuid]
        if (kept := metadata.preserved_messages) is not None:
            wanted += kept.uuids[-1:]
    return wanted


def _after(story: Story, knot: int, hung: int, state: _Joining) -> int:
    """Decide what a knot follows that hangs on `hung`, where others may hang already."""
    knots, own = story.knots, story.knots[knot]
    mates = state.beside[hung]
    if own.kind is Is.PROMPT:
        others = [mate for mate in mates if knots[mate].kind is not Is.PROMPT]
        others += [child for child in knots[hung].children if knots[child].kind is Is.SEAM]
        if not others:
            return hung
        newest = max(others)
        spot = (hung, newest)
        if spot not in state.spots:
            state.spots[spot] = _end(story, newest, state.ends)
        return state.spots[spot]
    if own.kind is Is.ANSWER and knots[hung].kind is Is.PROMPT and _only_answers(story, mates):
        return hung
    return _end(story, mates[-1], state.ends) if mates else hung


def _only_answers(story: Story, mates: list[int]) -> bool:
    """Tell whether all that hangs beside is other answers: then this one is a retry."""
    return all(story.knots[mate].kind is Is.ANSWER for mate in mates)


def _end(story: Story, knot: int, ends: dict[int, int]) -> int:
    """Find where the line through a knot was last written."""
    end = ends.get(knot, knot)
    while story.knots[end].children:
        end = story.knots[end].children[-1]
    ends[knot] = end
    return end


def _give_notes(story: Story, members: list[bool]) -> None:
    """Give every other node to the one knot it leads to, else to the knot it hangs on.

    What hangs on nothing goes to the knot written last before it.
    """
    leads = _leads_to(story)
    before = NONE
    for number, knot in enumerate(story.knot_of):
        if knot != NONE:
            before = knot
        if knot != NONE or not members[number] or not story.knots:
            continue
        owner = leads[number] if leads[number] >= 0 else story.above[number]
        if owner == NONE:
            owner = before if before != NONE else 0
        story.knots[owner].notes.append(number)


def _leads_to(story: Story) -> list[int]:
    """Find, for each node outside a knot, the only knot below it; -2 where there are more."""
    tree = story.tree
    several = -2
    leads = [NONE] * len(tree.nodes)
    pending = [0] * len(tree.nodes)
    for parent in tree.parent:
        if parent != ROOT:
            pending[parent] += 1
    ready = [number for number, count in enumerate(pending) if not count]
    while ready:
        number = ready.pop()
        parent = tree.parent[number]
        if parent == ROOT:
            continue
        below = story.knot_of[number] if story.knot_of[number] != NONE else leads[number]
        if below != NONE and leads[parent] != below:
            leads[parent] = below if leads[parent] == NONE else several
        pending[parent] -= 1
        if not pending[parent]:
            ready.append(parent)
    return leads
