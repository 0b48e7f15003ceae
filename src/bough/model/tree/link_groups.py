"""Linking: in which order the groups of a file are one line, and where it parts.

Parents alone do not tell. Clients hang prompts on late hooks, compactions on nothing, the
answer of an interrupted call beside the next prompt, and those of 1.0.35 to 1.0.56 every local
command on the one caveat they wrote. So a group follows the one it hangs on, except:

- a prompt beside an answer goes on where that line was last written, if it hangs on something
  that is written while Claude still works: progress, an interrupt, the caveat of a command; or
  if a task in the background asked for that answer. One that hangs there otherwise was said by
  a person who went back, and parts;
- a local command whose caveat has led to something before, and what was said after a resume
  at such a caveat, go on where the file stood;
- a prompt that hangs on a message a compaction kept goes on behind that compaction: clients put
  what is kept after the summary. One that hangs before a compaction otherwise was said by a
  person who went back, and parts there;
- an answer or a compaction beside anything goes on where that line was last written;
- what hangs on nothing goes on where the file stood.

Only prompts beside each other or beside an answer, and answers to one prompt, part.

A group is placed once and always after one that is placed, so no circle of the file's gets
into the tree. Everything is remembered rather than looked for: files with 100,000 siblings
are read in the same time as others.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from bough.model.interpret.preserved_messages import list_preserved_uuids
from bough.model.interpret.resume_pair import is_placeholder
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, is_caveat
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.model.tree.nodes import ROOT
from bough.records.record import Record
from bough.records.types import Progress, System, User


def link_groups(tree: MessageTree) -> None:
    """Give each group its place after another, in the order they were written."""
    joining = _Linker(tree)
    for group in range(len(tree.groups)):
        for waiting in joining.list_with_parents(group):
            joining.place(waiting)


class _OpenEnds:
    """Lines of groups without a gap, so that the end of a line is found without walking it.

    A group placed on the end of a strand makes it longer; one placed further up begins a
    strand of its own.
    """

    def __init__(self, tree: MessageTree) -> None:
        self._groups = tree.groups
        self._line_of = [NONE] * len(tree.groups)
        self._depth = [0] * len(tree.groups)
        self._ends: list[int] = []
        self._forks: dict[int, list[tuple[int, int]]] = defaultdict(list)

    def add(self, group: int, parent: int) -> None:
        """Note that a group was placed."""
        line = self._line_of[parent] if parent != NONE else NONE
        if line != NONE:
            self._depth[group] = self._depth[parent] + 1
        if line != NONE and self._ends[line] == parent:
            self._ends[line] = group
        else:
            self._note_fork(line, parent)
            line = len(self._ends)
            self._ends.append(group)
        self._line_of[group] = line

    def _note_fork(self, line: int, parent: int) -> None:
        if parent != NONE:
            fork = (self._depth[parent], parent)
            forks = self._forks[line]
            at = bisect_left(forks, fork)
            if at == len(forks) or forks[at] != fork:
                insort(forks, fork)

    def find_end(self, group: int) -> int:
        """Find where the line through a group was last written."""
        while True:
            line = self._line_of[group]
            forks = self._forks.get(line, ())
            at = bisect_left(forks, (self._depth[group], NONE))
            if at == len(forks):
                return self._ends[line]
            group = self._groups[forks[at][1]].children[-1]


class _Chain(Struct, frozen=True):
    """The notes between a group and the one it hangs on, from the lowest up.

    `is_late` where one of them may have been written while Claude still worked; a resume after
    it ends that. `has_notice` where one tells of a task in the background. `caveat` is the
    nearest caveat among them, `is_resumed` says that a resume lies below that.
    """

    is_late: bool = False
    has_notice: bool = False
    caveat: int = NONE
    is_resumed: bool = False


_NO_CHAIN = _Chain()


class _Chains:
    """The chain above each note, each note looked at once."""

    def __init__(self, tree: MessageTree) -> None:
        self._message_tree = tree
        self._known: dict[int, _Chain] = {}

    def find_chain(self, number: int) -> _Chain:
        """Find the chain that begins with a node; an empty one where the node is in a group."""
        tree, group_of = self._message_tree.tree, self._message_tree.group_of
        walked = []
        while number != ROOT and group_of[number] == NONE and number not in self._known:
            walked.append(number)
            number = tree.parent[number]
        chain = self._known.get(number, _NO_CHAIN)
        for passed in reversed(walked):
            chain = self._known[passed] = _extend_chain(chain, passed, tree.nodes[passed])
        return chain


def _extend_chain(above: _Chain, number: int, record: Record) -> _Chain:
    """Give the chain that begins with a note, from the one above it."""
    if is_placeholder(record):
        return replace(above, is_late=False, is_resumed=True)
    if isinstance(record, User):
        if is_caveat(record):
            return replace(above, is_late=True, caveat=number, is_resumed=False)
        meaning = classify_user_record(record)
        if meaning is UserRecordKind.NOTICE:
            return replace(above, has_notice=True)
        if meaning is UserRecordKind.INTERRUPT:
            return replace(above, is_late=True)
    if isinstance(record, Progress) and not above.is_late:
        return replace(above, is_late=True)
    return above


class _Linker:
    """The groups placed so far, and what the next ones need to know of them.

    By the group that others hang on or follow: `_last_sibling` is what came there last,
    `_newest_non_prompt` the newest that is no prompt, `_mixed` holds those with more than answers
    of their own. `_caveats` are the caveats that have led to something.
    """

    def __init__(self, tree: MessageTree) -> None:
        self._message_tree = tree
        self._parent_groups = [_find_parent_group(tree, group) for group in range(len(tree.groups))]
        self._placed = [False] * len(tree.groups)
        self._open_ends = _OpenEnds(tree)
        self._previous = NONE
        self._last_sibling: dict[int, int] = {}
        self._newest_non_prompt: dict[int, int] = {}
        self._mixed: set[int] = set()
        self._spots: dict[tuple[int, int], int] = {}
        self._starts: dict[int, int] = {}
        self._chains = _Chains(tree)
        self._caveats: set[int] = set()

    def list_with_parents(self, group: int) -> Iterable[int]:
        """List a group and what it hangs on, as far as not yet placed, the topmost first.

        Children may stand before their parents in the file.
        """
        waiting: dict[int, None] = {}
        while group != NONE and not self._placed[group] and group not in waiting:
            waiting[group] = None
            group = self._parent_groups[group]
        return reversed(waiting)

    def place(self, group: int) -> None:
        """Put a group after the one it follows."""
        groups, hung = self._message_tree.groups, self._parent_groups[group]
        own = groups[group]
        is_prompt = own.kind is GroupKind.PROMPT
        chain = self._find_chain_above(group) if is_prompt else _NO_CHAIN
        if chain.caveat != NONE and self._is_later_step(group, chain):
            parent = self._previous
        elif hung == NONE or not self._placed[hung]:
            parent = self._place_unattached(group)
        elif is_prompt:
            parent = self._place_prompt(hung, is_late=chain.is_late)
        else:
            parent = self._place_answer(group, hung)
        own.parent = parent
        if hung != NONE:
            self._note_sibling(group, hung)
        if parent != NONE:
            groups[parent].children.append(group)
            if parent != hung:
                # It hangs elsewhere, but what comes to hang here stands beside it all the same.
                self._note_sibling(group, parent)
                self._mixed.add(parent)
        self._open_ends.add(group, parent)
        self._placed[group] = True
        self._previous = group
        if chain.caveat != NONE:
            self._caveats.add(chain.caveat)

    def _find_chain_above(self, group: int) -> _Chain:
        tree = self._message_tree
        return self._chains.find_chain(tree.tree.parent[tree.groups[group].first])

    def _is_later_step(self, group: int, chain: _Chain) -> bool:
        """Tell whether a caveat that has led to something leads to this too.

        A prompt right below a caveat is no such step: a person went back to the command there,
        and said something else.
        """
        if chain.caveat not in self._caveats:
            return False
        record = self._message_tree.tree.nodes[self._message_tree.groups[group].first]
        if chain.is_resumed or not isinstance(record, User):
            return chain.is_resumed
        return classify_user_record(record) in (UserRecordKind.COMMAND, UserRecordKind.SHELL)

    def _note_sibling(self, group: int, hung: int) -> None:
        kind = self._message_tree.groups[group].kind
        self._last_sibling[hung] = group
        if kind is not GroupKind.PROMPT:
            self._newest_non_prompt[hung] = max(group, self._newest_non_prompt.get(hung, NONE))
        if kind is not GroupKind.ANSWER:
            self._mixed.add(hung)

    def _place_unattached(self, group: int) -> int:
        """Place what hangs on no group: a compaction, another root, or what begins a file.

        Prompts on one and the same hook or note, with nothing said before, part there.
        """
        tree, own = self._message_tree, self._message_tree.groups[group]
        logical = self._find_logical_parent(group)
        if logical != NONE:
            return self._place_after_compact_command(self._place_prompt(logical, is_late=True))
        parent = tree.tree.parent[own.first]
        if own.kind is GroupKind.PROMPT and parent != ROOT and tree.above[parent] == NONE:
            return self._starts.setdefault(parent, self._previous)
        return self._previous

    def _place_after_compact_command(self, spot: int) -> int:
        """Let a compaction follow the `/compact` that asked for it, where that is a prompt."""
        groups, last = self._message_tree.groups, self._previous
        asked = (
            last != NONE and groups[last].kind is GroupKind.PROMPT and groups[last].parent == spot
        )
        return last if asked else spot

    def _place_prompt(self, hung: int, *, is_late: bool) -> int:
        """Find the spot for a prompt or a compaction: behind a compaction that kept `hung`.

        After anything beside it, if the prompt came late. After an answer, if nobody asked for
        that one, or if it only goes on here and hangs elsewhere. Prompts beside a made-up
        answer part behind it.
        """
        newest = self._newest_non_prompt.get(hung, NONE)
        if newest == NONE:
            return hung
        kind = self._message_tree.groups[newest].kind
        if not is_late and kind is GroupKind.COMPACTION:
            return self._place_beside_compaction(hung, newest)
        if not is_late and self._parent_groups[newest] == hung:
            if kind is GroupKind.ANSWER and not self._find_chain_above(newest).has_notice:
                return hung
            if kind is GroupKind.SYNTHETIC:
                return newest
        spot = (hung, newest)
        if spot not in self._spots:
            self._spots[spot] = self._open_ends.find_end(newest)
        return self._spots[spot]

    def _place_beside_compaction(self, hung: int, compaction: int) -> int:
        """Find the spot for a prompt that hangs on what a compaction follows.

        Behind the compaction if that kept what the prompt hangs on, and behind those right
        after it that kept it too; else before it.
        """
        spot = (hung, compaction)
        if spot not in self._spots:
            found, below = hung, compaction
            while below != NONE and hung in list_kept_groups(self._message_tree, below):
                found, below = below, self._find_compaction_after(below)
            self._spots[spot] = found
        return self._spots[spot]

    def _find_compaction_after(self, compaction: int) -> int:
        groups = self._message_tree.groups
        below = groups[compaction].children
        return next((child for child in below if groups[child].kind is GroupKind.COMPACTION), NONE)

    def _place_answer(self, group: int, hung: int) -> int:
        """Place an answer or a compaction; answers alone beside each other are retries."""
        groups = self._message_tree.groups
        retry = groups[group].kind is GroupKind.ANSWER and groups[hung].kind is GroupKind.PROMPT
        if hung not in self._last_sibling or (retry and hung not in self._mixed):
            return hung
        return self._open_ends.find_end(self._last_sibling[hung])

    def _find_logical_parent(self, group: int) -> int:
        """Find what a compaction continues: its logical parent, else what it preserved."""
        tree, above = self._message_tree.tree, self._message_tree.above
        for number in self._message_tree.groups[group].nodes:
            record = tree.nodes[number]
            if not isinstance(record, System):
                continue
            for uuid in _list_continued_uuids(record):
                at = tree.number.get(uuid or "", NONE)
                found = above[at] if at != NONE else NONE
                if found not in (NONE, group) and self._placed[found]:
                    return found
        return NONE


def list_kept_groups(message_tree: MessageTree, compaction: int) -> set[int]:
    """List the groups of which a compaction kept something as it was said."""
    tree, above = message_tree.tree, message_tree.above
    return {
        above[tree.number[uuid]]
        for number in message_tree.groups[compaction].nodes
        if isinstance(boundary := tree.nodes[number], System)
        for uuid in list_preserved_uuids(boundary)
        if uuid in tree.number
    }


def _find_parent_group(message_tree: MessageTree, group: int) -> int:
    """Find the group that this one hangs on by parentUuid."""
    tree, above = message_tree.tree, message_tree.above
    for number in message_tree.groups[group].nodes:
        parent = tree.parent[number]
        if parent == ROOT:
            return NONE
        if above[parent] != group:
            return above[parent]
    return NONE


def _list_continued_uuids(boundary: System) -> list[str | None]:
    """List the uuids a compaction may continue, the best first."""
    wanted = [boundary.logical_parent_uuid]
    if (metadata := boundary.compact_metadata) is not None:
        if (segment := metadata.preserved_segment) is not None:
            wanted += [segment.tail_uuid, segment.head_uuid]
        if (kept := metadata.preserved_messages) is not None:
            wanted += kept.uuids[-1:]
    return wanted
