"""A transcript: the records of one file, and what they alone say.

The tree, where it parts, where each line of talk ends, and plain facts. What needs to look
beside the file (agents, kept outputs, titles in other files) is `session`'s.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

from msgspec import Struct

from bough.errors import TipNotFound
from bough.model.conversation.plans import PlanFacts, read_plan_facts
from bough.model.interpret.message_kinds import SYNTHETIC
from bough.model.interpret.pull_requests import PullRequest, find_pull_requests
from bough.model.interpret.session_runs import classify_run
from bough.model.text.times import find_time_range
from bough.model.tree.active_tip import (
    ResumeChoice,
    choose_live_node,
    choose_resume_node,
    find_active_group,
    find_newest_version,
    find_shown_group,
    parse_version,
)
from bough.model.tree.branches import (
    BranchLine,
    BranchPoint,
    find_branch_points,
    find_tips,
    split_into_lines,
)
from bough.model.tree.build import NONE, MessageTree, build_message_tree
from bough.model.tree.nodes import Tree, build_tree
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Unknown, User


class Tip(Struct, frozen=True, gc=False):
    """The end of a line of conversation; `group` is its place in the message tree."""

    uuid: str
    active: bool
    group: int


class Transcript:
    """The records of one file and the paths that lead through them.

    `sidechain` says that the file is an agent's own: its sidechain is the main line.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - the word for it, as in the records
        records: Sequence[Record],
        bad_lines: Sequence[BadLine] = (),
        *,
        sidechain: bool | None = None,
    ) -> None:
        self.id = id
        self.records = records
        self.bad_lines = bad_lines
        self.sidechain = _is_sidechain(records) if sidechain is None else sidechain
        self._client: str | None = None
        self._is_open: Callable[[], bool] = bool
        self.size: int | None = None
        """The file's size, where the records do not tell it themselves."""
        self.records_left_out = 0
        """How many records of the file stand before these, where these are the newest alone."""
        self.started_in: str | None = None
        """Where the session was started, if that is told by records that stand before these."""

    @cached_property
    def tree(self) -> Tree:
        """Give the nodes and who follows whom."""
        return build_tree(self.records)

    @cached_property
    def message_tree(self) -> MessageTree:
        """Give the groups and how they are joined."""
        return build_message_tree(self.tree, sidechain=self.sidechain)

    @cached_property
    def branch_points(self) -> list[BranchPoint]:
        """List where a person went on in more than one way."""
        return find_branch_points(self.message_tree)

    @cached_property
    def version(self) -> str | None:
        """Give the newest client that wrote into the file."""
        return find_newest_version(self.records)

    @cached_property
    def choice(self) -> ResumeChoice:
        """Give the node the client would continue from, and by which rule.

        A client that has the session open goes on with its own line, which is the last one
        written, whatever an older `last-prompt` says: it writes another when it ends.
        """
        if self.sidechain:
            return ResumeChoice(len(self.tree.nodes) - 1, "last-line")
        client = parse_version(self._client or self.version)
        choice = choose_resume_node(self.records, self.tree, client, self.size)
        live = choose_live_node(self.records, self.tree)
        if live.node in (NONE, choice.node) or self._client is not None or not self.is_open():
            return choice
        return live

    def is_open(self) -> bool:
        """Tell whether a client has the session open; records alone do not say, so no."""
        return self._is_open()

    @cached_property
    def resume_group(self) -> int:
        """Give the group the client itself would continue from; NONE where it finds none.

        Mostly the active tip's. Where it is not, a resume leaves turns behind that are shown.
        """
        if self._find_sidechain_tip() is not None:
            return NONE
        return find_active_group(self.message_tree, self.choice)

    @cached_property
    def tips(self) -> list[Tip]:
        """List the tips in file order; at most one is active."""
        hijacked = self._find_sidechain_tip()
        active = NONE if hijacked else find_shown_group(self.message_tree, self.choice)
        groups = find_tips(self.message_tree)
        if active != NONE and active not in groups:
            groups = sorted([*groups, active], key=self.message_tree.last_line)
        found = [Tip(self._uuid_of(group), group == active, group) for group in groups]
        return [*found, *([hijacked] if hijacked else [])]

    @cached_property
    def branch_lines(self) -> list[BranchLine]:
        """Cut the message tree into lines, one for each root, of which others part."""
        active = next((tip.group for tip in self.tips if tip.active), NONE)
        return split_into_lines(self.message_tree, active)

    @cached_property
    def active_tip(self) -> str | None:
        """Give the uuid of the active tip, None where the client would find none."""
        return next((tip.uuid for tip in self.tips if tip.active), None)

    def find(self, prefix: str) -> str:
        """Give the uuid of the node that a prefix names, or raise TipNotFound."""
        if prefix in self.tree.number:
            return prefix
        found = [uuid for uuid in self.tree.number if uuid.startswith(prefix)]
        if len({self.tree.number[uuid] for uuid in found}) != 1:
            raise TipNotFound(prefix, self.id)
        return found[0]

    @cached_property
    def plan(self) -> PlanFacts:
        """Give what ties this session to plans."""
        return read_plan_facts(self.tree.nodes)

    @cached_property
    def models(self) -> list[str]:
        """List the models that answered, in the order they came."""
        answers = (record for record in self.records if isinstance(record, Assistant))
        seen = dict.fromkeys(message_of(record).model for record in answers)
        return [model for model in seen if model and model != SYNTHETIC]

    @property
    def unknown_records(self) -> list[Unknown]:
        """List the records of kinds we do not know."""
        return [record for record in self.records if isinstance(record, Unknown)]

    @property
    def started_at(self) -> str | None:
        """Give the oldest time in the tree, in UTC."""
        return self._times[0]

    @property
    def ended_at(self) -> str | None:
        """Give the newest time in the tree, in UTC."""
        return self._times[1]

    @cached_property
    def _times(self) -> tuple[str | None, str | None]:
        return find_time_range(self.tree.nodes)

    @cached_property
    def cwd(self) -> str | None:
        """Give the folder the session was started in."""
        return self.started_in or next((record.cwd for record in self.records if record.cwd), None)

    @cached_property
    def git_branch(self) -> str | None:
        """Give the branch the session was last on."""
        return next((r.git_branch for r in reversed(self.records) if r.git_branch), None)

    @cached_property
    def pull_requests(self) -> list[PullRequest]:
        """List the pull requests that came out of the session."""
        return find_pull_requests(self.records)

    @cached_property
    def entrypoint(self) -> str | None:
        """Give what started the client."""
        return next((record.entrypoint for record in self.records if record.entrypoint), None)

    @cached_property
    def session_kind(self) -> str | None:
        """Give what kind of session the client says it is: `bg` is one in the background."""
        return next((record.session_kind for record in self.records if record.session_kind), None)

    @property
    def run(self) -> str:
        """Tell how the session runs: typed, program, background or cloud."""
        return classify_run(self.entrypoint, self.session_kind)

    @cached_property
    def _message_tree_with_agents(self) -> MessageTree:
        """Give the message tree with the agents' lines in it, which only old clients wrote here."""
        return build_message_tree(self.tree, sidechain=True)

    def _uuid_of(self, group: int) -> str:
        return self.tree.uuid(self.message_tree.last_line(group))

    def _find_sidechain_tip(self) -> Tip | None:
        """Give the tip where an old client would be led astray by an agent's line."""
        node = self.choice.node
        if self.sidechain or node == NONE or not self.tree.nodes[node].is_sidechain:
            return None
        talk = (
            n for n in self.tree.walk_up(node) if isinstance(self.tree.nodes[n], User | Assistant)
        )
        return Tip(self.tree.uuid(next(talk, node)), True, NONE)

    def _tip_of(self, uuid: str) -> Tip:
        """Make any node an end: the group it is in, or hangs on, or stands at."""
        number = self.tree.number.get(uuid, NONE)
        if number == NONE:
            raise TipNotFound(uuid, self.id)
        if self.tree.nodes[number].is_sidechain and not self.sidechain:
            return Tip(uuid, False, NONE)
        group = self.message_tree.above[number]
        if group == NONE:
            stands_at = (k for k, own in enumerate(self.message_tree.groups) if number in own.notes)
            group = next(stands_at, NONE)
        return Tip(uuid, False, group)

    def _find_branch_point(self, group: int) -> tuple[BranchPoint | None, int | None]:
        """Find the last branch point on a path, and how many groups follow it; None is all."""
        walked: list[int] = []
        found: tuple[BranchPoint | None, int | None] | None = None
        while group != NONE and self.branch_points:
            if group in self._known_branch_points:
                found = self._known_branch_points[group]
                break
            walked.append(group)
            parent = self.message_tree.groups[group].parent
            point = self._branch_point_by_group.get(parent) if parent != NONE else None
            if point is not None:
                found = point, 0
                break
            group = parent
        if found is None:
            found = self._find_start_point(walked[-1] if walked else NONE), None
        for below in reversed(walked):
            found = found[0], None if found[1] is None else found[1] + 1
            self._known_branch_points[below] = found
        return found

    def _find_start_point(self, root: int) -> BranchPoint | None:
        """Find the branch point at which first prompts part, if a root is one of them."""
        start = self._branch_point_by_group.get(NONE)
        if start is None or root == NONE:
            return None
        first = self.tree.uuid(self.message_tree.groups[root].first)
        return start if first in self._first_prompts else None

    @cached_property
    def _first_prompts(self) -> frozenset[str]:
        start = self._branch_point_by_group.get(NONE)
        return frozenset(start.children if start is not None else ())

    @cached_property
    def _known_branch_points(self) -> dict[int, tuple[BranchPoint | None, int | None]]:
        return {}

    @cached_property
    def _branch_point_by_group(self) -> dict[int, BranchPoint]:
        number = self.tree.number
        return {
            self.message_tree.group_of[number[point.uuid]]: point for point in self.branch_points
        }


def _is_sidechain(records: Sequence[Record]) -> bool:
    """Tell whether a file is an agent's: all of its talk is a sidechain."""
    talk = False
    for record in records:
        if isinstance(record, User | Assistant):
            if not record.is_sidechain:
                return False
            talk = True
    return talk
