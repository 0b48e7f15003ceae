"""Which branch of a session a call belongs to.

A session that parts has several paths from the start to a tip, and they share their first
part. `own` gives each stretch to one way, the active one first, so that own parts add up
to the session; the path of a way is all of it, from the start. A sub-agent's calls belong
where the call stands that started it; where nobody tells, they are on no branch.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from bough.model.agents.links import KNOWN_BY
from bough.model.outline.branch_names import name_branches
from bough.model.outline.branch_steps import find_branch_steps
from bough.model.outline.step_lists import OFF, ONE_STEP, BranchSteps
from bough.model.session import Session
from bough.model.tools.calls import AGENT_TOOLS
from bough.model.usage.across_files import FileUsage, charged_session_of
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.price_list import PriceList
from bough.query.usage.totals import CountedUsage, LedgerEntry, sum_by_key
from bough.records.record import BadLine, Record

_LONGEST_CHAIN = 100
"""How deep agents may start agents."""


class BranchPath(Struct, frozen=True):
    """One conversation of a session: its tip, whether it is the active one, the step it ends on.

    `name` is what it is called where the session has several.
    """

    tip: str
    active: bool
    step: int = 0
    name: str = ""


class BranchMap(Struct, frozen=True):
    """The conversations of a session, and the steps they pass through."""

    paths: Sequence[BranchPath]
    steps: BranchSteps = ONE_STEP


CallPosition = tuple[str, int]
"""A file and an offset in it."""


class AgentStart(Struct, frozen=True):
    """A call that is said to have started an agent: both files, the tool, and who says so."""

    agent: str
    file: str
    offset: int
    tool: str
    known_by: str


class BranchUsage(Struct, frozen=True):
    """What one branch used itself, and what its whole path did; no `tip`: on no branch."""

    session: str
    tip: str | None
    active: bool
    own: dict[str, UsageTotal]
    path: dict[str, UsageTotal]
    name: str = ""


def branch_key(session: str, tip: str | None) -> str:
    """Name a conversation as the report of branches does."""
    return f"{session}/{tip or ''}"


def map_branches(
    session_id: str, records: Sequence[Record], bad_lines: Sequence[BadLine]
) -> BranchMap:
    """Lay out the paths of a session."""
    session = Session(session_id, records, bad_lines, sidechain=False)
    steps, ends = find_branch_steps(session)
    paths = [
        BranchPath(conversation.tip or "", conversation.active, end, name)
        for conversation, end, name in zip(
            session.conversations, ends, name_branches(session), strict=True
        )
    ]
    return BranchMap(paths, steps) if len(paths) > 1 else BranchMap(paths)


def choose_agent_starts(
    starts: Iterable[AgentStart], usages: Mapping[str, FileUsage]
) -> dict[str, CallPosition]:
    """Choose the call that started each agent: by the surest witness, then the first."""
    best: dict[str, tuple[int, int, CallPosition]] = {}
    for one in starts:
        agent, file = usages.get(one.agent), usages.get(one.file)
        if agent is None or file is None or agent.path == file.path:
            continue
        akin = (agent.project, agent.session) == (file.project, file.session)
        if not akin or (one.known_by == "text" and one.tool not in AGENT_TOOLS):
            continue
        rank = (KNOWN_BY.index(one.known_by), one.offset, (one.file, one.offset))
        best[one.agent] = min(best.get(one.agent, rank), rank)
    return {agent: place for agent, (_, _, place) in best.items()}


def sum_by_branch(
    calls: Iterable[LedgerEntry],
    shapes: Mapping[str, BranchMap],
    starts: Mapping[str, CallPosition],
    prices: PriceList,
) -> list[BranchUsage]:
    """Add calls up by branch; shapes go by the path of a session's own file."""

    def step(usage: FileUsage, line: CountedUsage) -> tuple[str, str, str | None, int]:
        place: CallPosition | None = (usage.path, line.offset)
        if usage.agent is not None:
            place = _find_start(usage, starts)
        shape = shapes.get(place[0]) if place else None
        if place is None or shape is None or not shape.paths or line.origin is not None:
            return usage.project, charged_session_of(usage, line), None, 0
        return usage.project, usage.session, place[0], shape.steps.step_at(place[1])

    files: dict[tuple[str, str, str | None], dict[int, dict[str, UsageTotal]]] = {}
    for (project, session, file, at), amounts in sum_by_key(calls, step, prices).items():
        files.setdefault((project, session, file), {})[at] = amounts
    found: list[BranchUsage] = []
    for (_, session, file), steps in files.items():
        if file is None:
            found.append(BranchUsage(session, None, active=False, own=steps[0], path=steps[0]))
        else:
            found += _sum_file_branches(session, shapes[file], steps)
    return found


def _find_start(usage: FileUsage, starts: Mapping[str, CallPosition]) -> CallPosition | None:
    """Find the place that an agent hangs on, through the agents that started it."""
    place = starts.get(usage.path)
    for _ in range(_LONGEST_CHAIN):
        if place is None or place[0] not in starts:
            break
        place = starts[place[0]]
    return place


def _sum_file_branches(
    session: str, shape: BranchMap, used: Mapping[int, dict[str, UsageTotal]]
) -> Iterator[BranchUsage]:
    """Add up what each branch used itself, and what it used from its start on."""
    own: dict[int, list[dict[str, UsageTotal]]] = {}
    beside: dict[int, list[dict[str, UsageTotal]]] = {}
    for step, amounts in used.items():
        owner = shape.steps.owners[step]
        own.setdefault(owner, []).append(amounts)
        if shape.steps.parents[step] == OFF:
            beside.setdefault(owner, []).append(amounts)
    paths = _PathSums(shape.steps.parents, used)
    for number, path in enumerate(shape.paths):
        parts = [*filter(None, [paths.sum_to(path.step)]), *beside.get(number, ())]
        if parts:
            mine = _sum_amounts(own.get(number, ()))
            name = path.name if len(shape.paths) > 1 else ""
            yield BranchUsage(session, path.tip, path.active, mine, _sum_amounts(parts), name)


class _PathSums:
    """Adds up the steps from the start to any of them, each once."""

    def __init__(self, parents: Sequence[int], used: Mapping[int, dict[str, UsageTotal]]) -> None:
        self._parents = parents
        self._used = used
        self._sums: dict[int, dict[str, UsageTotal]] = {}

    def sum_to(self, step: int) -> dict[str, UsageTotal]:
        """Give what was used on the path to the end of a step; nothing where nothing was."""
        chain = []
        while step >= 0 and step not in self._sums and self._parents[step] != OFF:
            chain.append(step)
            step = self._parents[step]
        found = self._sums.get(step, {})
        for one in reversed(chain):
            if one in self._used:
                found = _sum_amounts([*filter(None, [found]), self._used[one]])
            self._sums[one] = found
        return found


def _sum_amounts(parts: Sequence[dict[str, UsageTotal]]) -> dict[str, UsageTotal]:
    if len(parts) == 1:
        return parts[0]
    found: dict[str, UsageTotal] = {}
    for part in parts:
        for model, amount in part.items():
            found[model] = found.get(model, NO_USAGE) + amount
    return found
