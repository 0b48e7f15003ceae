"""Gathering: which nodes make one knot.

Lines that share a message id are one message, results go to the call they answer, a
compaction's boundary and its summary are one seam. Ids come from whatever server answered,
and some repeat theirs: a message does not reach across a prompt, and of several calls with
one id a result answers the nearest above it.
"""

from bisect import bisect_left
from collections import defaultdict
from itertools import islice

from bough.model.interpret.user_records import STARTS_A_LINE, Said, said
from bough.model.tree.message_tree import NONE, SYNTHETIC, Is, Knot, Story
from bough.model.tree.nodes import ROOT
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.types import Assistant, System, User

_FAR = 100
"""How far up is looked where an id alone does not tell; what is meant is mostly next."""


def gather(story: Story, members: list[bool]) -> None:
    """Make the knots of the nodes that are members."""
    gathering = _Gathering(story)
    for number, record in enumerate(story.tree.nodes):
        if not members[number]:
            continue
        if isinstance(record, Assistant):
            gathering.add_line(number, record)
        elif isinstance(record, User):
            gathering.add_user(number, record)
        elif isinstance(record, System) and record.subtype == "compact_boundary":
            gathering.begin(number, Is.SEAM)
    gathering.add_results()
    _merge_seams(story)


class _Gathering:
    """The knots so far, and what later nodes may belong to."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.messages: dict[str, int] = {}
        self.calls: dict[str, list[int]] = defaultdict(list)
        self.results: list[tuple[int, User]] = []

    def begin(self, number: int, kind: Is) -> int:
        knots = self.story.knots
        knots.append(Knot(kind, [number]))
        self.story.knot_of[number] = len(knots) - 1
        return len(knots) - 1

    def add(self, number: int, knot: int) -> None:
        self.story.knots[knot].nodes.append(number)
        self.story.knot_of[number] = knot

    def add_user(self, number: int, record: User) -> None:
        """Make a knot of a prompt or a summary; keep results for later."""
        meaning = said(record)
        if meaning is Said.RESULT:
            self.results.append((number, record))
        elif meaning in STARTS_A_LINE:
            self.begin(number, Is.PROMPT)
        elif meaning is Said.SUMMARY:
            self.begin(number, Is.SEAM)

    def add_line(self, number: int, record: Assistant) -> None:
        """Put a line to its message and note the calls it makes."""
        message = message_of(record)
        knot = self.messages.get(message.id, NONE) if message.id else NONE
        if knot != NONE and not self._new_turn(number, knot):
            self.add(number, knot)
        else:
            kind = Is.SYNTHETIC if message.model == SYNTHETIC else Is.ANSWER
            knot = self.begin(number, kind)
            if message.id:
                self.messages[message.id] = knot
        for block in message.blocks:
            if isinstance(block, ToolUse) and block.id:
                self.calls[block.id].append(number)

    def _new_turn(self, number: int, message: int) -> bool:
        """Tell whether a prompt stands between a line and the message it names."""
        story = self.story
        above = number
        for _ in range(_FAR):
            above = story.tree.parent[above]
            if above == ROOT:
                break
            knot = story.knot_of[above]
            if knot != NONE:
                own = story.knots[knot]
                return own.kind is Is.PROMPT and above > story.knots[message].first
        return False

    def add_results(self) -> None:
        """Put the results to their calls, wherever they hang."""
        for number, record in self.results:
            for block in message_of(record).blocks:
                if isinstance(block, ToolResult) and block.tool_use_id in self.calls:
                    call = self._nearest(number, self.calls[block.tool_use_id])
                    self.add(number, self.story.knot_of[call])
                    break

    def _nearest(self, number: int, calls: list[int]) -> int:
        """Choose among calls with one id: the one above, else the last before."""
        if len(calls) > 1:
            for above in islice(self.story.tree.up(number), _FAR):
                at = bisect_left(calls, above)
                if at < len(calls) and calls[at] == above:
                    return above
        return calls[max(0, bisect_left(calls, number) - 1)]


def _merge_seams(story: Story) -> None:
    """Make a boundary and the summary below it one knot."""
    tree, knots = story.tree, story.knots
    for number, knot in enumerate(story.knot_of):
        parent = tree.parent[number]
        if knot == NONE or parent == ROOT or not isinstance(tree.nodes[number], User):
            continue
        above = story.knot_of[parent]
        if above == NONE or not knots[knot].kind is knots[above].kind is Is.SEAM:
            continue
        if isinstance(tree.nodes[parent], System):
            knots[above].nodes.append(number)
            knots[knot].nodes.clear()
            story.knot_of[number] = above
    _drop_empty(story)


def _drop_empty(story: Story) -> None:
    if all(knot.nodes for knot in story.knots):
        return
    place: dict[int, int] = {}
    kept: list[Knot] = []
    for old, knot in enumerate(story.knots):
        if knot.nodes:
            place[old] = len(kept)
            kept.append(knot)
    story.knots = kept
    story.knot_of = [place.get(knot, NONE) for knot in story.knot_of]
