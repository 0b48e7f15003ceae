"""Two branches side by side: where they part, what was said, what each touched and cost.

Turns are aligned by their number below the parting, not by their text: two ways to go on
have nothing in common but their beginning.
"""

from itertools import pairwise, takewhile

from msgspec import Struct

from bough.errors import TipNotFound
from bough.model.agents.links import collect_evidence
from bough.model.conversation.group_items import list_group_items
from bough.model.conversation.message_rules import label_turn_opener, list_turn_openers
from bough.model.conversation.messages import key_of
from bough.model.outline.agent_summaries import AgentSummaries
from bough.model.outline.branch_path import find_conversation_through
from bough.model.session import Session
from bough.model.text.times import find_time_range, seconds_between
from bough.model.tree.message_tree import NONE, GroupKind
from bough.model.usage.cost_allocator import price_call
from bough.model.usage.costs import NO_COST, Cost
from bough.model.usage.price_list import PRICES, PriceList
from bough.model.usage.tokens import (
    Usage,
    UsageSnapshot,
    count_calls_once,
    read_snapshots,
    sum_usage,
)
from bough.records.blocks import ServerToolUse, Text, ToolResult, ToolUse
from bough.records.decode import decode_plain, message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, User
from bough.timetravel.plan import Point
from bough.timetravel.plans.copied_records import find_copied_path
from bough.timetravel.plans.resume_view import list_write_calls
from bough.timetravel.plans.turn_ends import describe_point


class ComparedTurn(Struct, frozen=True, kw_only=True):
    """One turn of a side: the prompt, the last words of the answer, how much was done."""

    prompt: str
    uuid: str
    timestamp: str | None
    answer: str
    steps: int
    failed: int


class FileChange(Struct, frozen=True):
    """What a side did to one file: how often it wrote to it, and lines added and removed."""

    path: str
    writes: int
    added: int
    removed: int


class ComparedBranch(Struct, frozen=True, kw_only=True):
    """What is on one branch alone; `seconds` lie between its first and its last record.

    `calls` are the API calls that it used and cost.
    """

    tip: str
    active: bool
    turns: tuple[ComparedTurn, ...]
    files: tuple[FileChange, ...]
    usage: Usage
    cost: Cost
    seconds: float | None = None
    calls: tuple[UsageSnapshot, ...] = ()


class BranchComparison(Struct, frozen=True, kw_only=True):
    """Two branches of one session, or of two: then `other` is the one that B is of.

    `shared` counts the turns before they part at `parting` (None where they share nothing).
    `only_a`, `only_b` and `both` name the files each side wrote to.
    """

    session: str
    shared: int
    parting: Point | None
    a: ComparedBranch
    b: ComparedBranch
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    both: tuple[str, ...]
    other: str | None = None


class ComparedPaths(Struct, frozen=True):
    """The groups on the path to each of two nodes, and how many they begin with alike."""

    sessions: tuple[Session, Session]
    groups: tuple[list[int], list[int]]
    shared: int


def find_branch_tip(session: Session, uuid: str) -> str:
    """Give the tip that a message stands for: that of its branch, to the end.

    On the active branch, which everything else is compared with, it stands for itself, and a
    prompt for its whole turn.
    """
    tree = session.message_tree
    branch = find_conversation_through(session, uuid)
    if not branch.active and branch.tip is not None and not _lies_on_active(session, uuid):
        return branch.tip
    group = tree.above[session.tree.number[uuid]]
    if group == NONE or tree.groups[group].kind is not GroupKind.PROMPT:
        return uuid
    active = next((set(tree.path(tip.group)) for tip in session.tips if tip.active), set())
    while answers := [
        c for c in tree.groups[group].children if tree.groups[c].kind is not GroupKind.PROMPT
    ]:
        if tree.groups[answers[-1]].kind is GroupKind.COMPACTION:
            break
        group = next((child for child in answers if child in active), answers[-1])
    return tree.tree.uuid(tree.last_line(group))


def _lies_on_active(session: Session, uuid: str) -> bool:
    tree = session.message_tree
    group = tree.above[session.tree.number[uuid]]
    return any(tip.active and group in tree.path(tip.group) for tip in session.tips)


def compare_branches(
    session: Session,
    a: str,
    b: str,
    prices: PriceList = PRICES,
    *,
    other: Session | None = None,
) -> BranchComparison:
    """Compare the paths to two tips, or to any two nodes of the main conversation.

    Args:
        session: The session of A, and of B where no other is given.
        a: A node.
        b: Another node.
        prices: What tokens cost.
        other: Another session, which B is of.

    Raises:
        TipNotFound: There is no such node, or it lies in an agent's conversation.
    """
    paths = find_paths(session, a, b, other)
    shared, first = paths.shared, paths.groups[0]
    sides = tuple(
        _describe_branch(own, path, shared, prices)
        for own, path in zip(paths.sessions, paths.groups, strict=True)
    )
    files = tuple({change.path for change in side.files} for side in sides)
    return BranchComparison(
        session=session.id,
        shared=len(list_turn_openers(_list_items(session, first[:shared]))),
        parting=describe_point(session, first[shared - 1]) if shared else None,
        a=sides[0],
        b=sides[1],
        only_a=tuple(sorted(files[0] - files[1])),
        only_b=tuple(sorted(files[1] - files[0])),
        both=tuple(sorted(files[0] & files[1])),
        other=other.id if other is not None else None,
    )


def find_paths(session: Session, a: str, b: str, other: Session | None = None) -> ComparedPaths:
    """Find the paths to two nodes, and how many groups they have in common.

    Raises:
        TipNotFound: There is no such node, or it lies in an agent's conversation.
    """
    sessions = session, session if other is None else other
    one, two = (_find_group(own, tip) for own, tip in zip(sessions, (a, b), strict=True))
    first, second = sessions[0].message_tree.path(one), sessions[1].message_tree.path(two)
    pairs = takewhile(
        lambda pair: pair[0] == pair[1] if other is None else _is_copy(sessions, *pair),
        zip(first, second, strict=False),
    )
    return ComparedPaths(sessions, (first, second), sum(1 for _ in pairs))


def _is_copy(sessions: tuple[Session, Session], one: int, other: int) -> bool:
    """Tell whether two groups of two files are the same: by uuid, by answer, or by their words."""
    first, second = (
        own.tree.nodes[own.message_tree.groups[group].first]
        for own, group in zip(sessions, (one, other), strict=True)
    )
    if first.uuid == second.uuid:
        return True
    if isinstance(first, Assistant) and isinstance(second, Assistant):
        identity = message_of(first).id
        return identity is not None and identity == message_of(second).id
    # Clients of 1.0.51 gave copies new ids: what was sent is known by its words.
    words = label_turn_opener(first)
    return type(first) is type(second) and bool(words) and words == label_turn_opener(second)


def list_path_records(session: Session, path: list[int], groups: list[int]) -> list[Record]:
    """List the records of some groups of a way, in order."""
    tree, own = session.message_tree, set(groups)
    links = find_copied_path(session, path[-1], max(tree.groups[path[-1]].nodes)).links
    return [session.tree.nodes[n.node] for n in links if tree.group_of[n.node] in own]


def _find_group(session: Session, wanted: str) -> int:
    node = session.tree.number[session.find(wanted)]
    group = session.message_tree.above[node]
    if group == NONE or session.tree.nodes[node].is_sidechain:
        raise TipNotFound(wanted, session.id)
    return group


def _describe_branch(
    session: Session, path: list[int], shared: int, prices: PriceList
) -> ComparedBranch:
    tree, tip = session.message_tree, path[-1]
    records = list_path_records(session, path, path[shared:])
    active = any(t.active and t.group == tip for t in session.tips)
    calls = count_calls_once(read_snapshots([*records, *_list_agent_records(session, records)]))
    return ComparedBranch(
        tip=session.tree.uuid(tree.last_line(tip)),
        active=active,
        turns=tuple(_list_turns(session, _list_items(session, path[shared:]))),
        files=tuple(_sum_file_changes(records)),
        usage=sum_usage(calls),
        cost=sum((price_call(call, prices).cost for call in calls), NO_COST),
        calls=tuple(calls),
        seconds=seconds_between(*find_time_range(records)),
    )


def _list_agent_records(session: Session, records: list[Record]) -> list[Record]:
    """List the records of the agents that these started, and of those that they started."""
    called = collect_evidence(records).calls
    started = (a for a in session.agents if a.link is not None and a.link.call in called)
    return [
        record for agent in started for each in (agent, *agent.agents) for record in each.records
    ]


def _list_items(session: Session, groups: list[int]) -> list[Record]:
    """List everything in some groups and beside them, in order."""
    tree, lines = session.message_tree, session.unlinked_lines
    items = (item for group in groups for item in list_group_items(tree, group, lines))
    return [item for item in items if not isinstance(item, BadLine)]


def _list_turns(session: Session, records: list[Record]) -> list[ComparedTurn]:
    agents = AgentSummaries(session)
    openers = {id(record) for record in list_turn_openers(records)}
    starts = [at for at, record in enumerate(records) if id(record) in openers]
    return [
        _describe_turn(records[start], records[start + 1 : stop], agents)
        for start, stop in pairwise([*starts, len(records)])
    ]


def _describe_turn(prompt: Record, nodes: list[Record], agents: AgentSummaries) -> ComparedTurn:
    blocks = [b for r in nodes if isinstance(r, User | Assistant) for b in message_of(r).blocks]
    # A user record may carry a text too: the summary of a compaction is no answer.
    answers = [b for r in nodes if isinstance(r, Assistant) for b in message_of(r).blocks]
    said = [b.text for b in answers if isinstance(b, Text) and b.text.strip()]
    # As everywhere, what starts an agent is no step: the agent's own steps are.
    calls = {b.id: b for b in answers if isinstance(b, ToolUse | ServerToolUse)}
    started = {call.id for call in agents.filter_agent_calls(calls.values())}
    failed = {b.tool_use_id for b in blocks if isinstance(b, ToolResult) and b.is_error}
    return ComparedTurn(
        prompt=label_turn_opener(prompt),
        uuid=key_of(prompt.uuid, prompt.offset),
        timestamp=prompt.timestamp,
        answer=said[-1] if said else "",
        steps=len(calls.keys() - started),
        failed=len(failed - started),
    )


def _sum_file_changes(records: list[Record]) -> list[FileChange]:
    """Sum up by file what calls wrote, from the patches their results carry."""
    patches = _count_patch_lines(records)
    found: dict[str, FileChange] = {}
    for call, path in list_write_calls(records):
        added, removed = patches.get(call.id, (0, 0))
        so_far = found.get(path, FileChange(path, 0, 0, 0))
        found[path] = FileChange(
            path, so_far.writes + 1, so_far.added + added, so_far.removed + removed
        )
    return list(found.values())


def _count_patch_lines(records: list[Record]) -> dict[str, tuple[int, int]]:
    """Count the lines each call added and removed."""
    found = {}
    for record in records:
        if not isinstance(record, User) or not record.tool_use_result_json:
            continue
        result = decode_plain(record.tool_use_result_json)
        patch = result.get("structuredPatch") if isinstance(result, dict) else None
        lines = [line for hunk in _as_dicts(patch) for line in _as_list(hunk.get("lines"))]
        text = [line for line in lines if isinstance(line, str)]
        counts = sum(t.startswith("+") for t in text), sum(t.startswith("-") for t in text)
        if not text and isinstance(result, dict) and result.get("type") == "create":
            counts = len(str(result.get("content") or "").splitlines()), 0
        for block in message_of(record).blocks:
            if isinstance(block, ToolResult):
                found[block.tool_use_id] = counts
    return found


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _as_dicts(value: object) -> list[dict[str, object]]:
    return [item for item in _as_list(value) if isinstance(item, dict)]
