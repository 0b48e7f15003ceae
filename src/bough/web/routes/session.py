"""Facts of a session: its branches, cost, context, agents, files, and what is wrong with it."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from bough.files.discover import SessionFiles
from bough.library import (
    ConversationView,
    KeptPlace,
    SessionRow,
    count_todos,
    describe_session,
    find_kept_place,
    list_forks,
    session_kind,
)
from bough.model.conversation.context_window import estimate_context_shares, measure_context
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.branch_names import name_branches
from bough.model.outline.branch_path import (
    branch_ended_at,
    count_turns,
    describe_active_tip,
    name_leave_reason,
    walk_branches,
)
from bough.model.outline.session_outline import Branch as Line
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.times import seconds_between
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.records.record import Record
from bough.web.open_sessions.open_session import ConversationRef, OpenSession
from bough.web.routes.conversation import find_open_session, publish_change, ref_of
from bough.web.routes.lists import make_session_item, plan_of
from bough.web.runtime.list_cache import ListSnapshot
from bough.web.state import AppState
from bough.web.wire.list_rows import (
    AgentFact,
    BranchInfo,
    ContextPart,
    ContextUsage,
    CostFact,
    FactsQuery,
    FileFact,
    FindingFact,
    ForkFact,
    PlanFileFact,
    SessionDetails,
)

_EDITS = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_MOST_TOUCHES = 200
# Fast path: details of a session of 6,000 records, 14 ms each time they are asked for again.
_files_of_view: WeakKeyDictionary[ConversationView, list[FileFact]] = WeakKeyDictionary()
_FEW = 300
"""Forks are looked for in projects of so many sessions; in larger ones the index must do."""


def get_session_details(state: AppState, session: str, query: FactsQuery) -> SessionDetails:
    """Give everything beside the words of a session."""
    open_session = find_open_session(state, session)
    view = open_session.full_view(ref_of(query))
    whole = open_session.full_view(ConversationRef()) if query.agent else view
    if open_session.is_late:
        state.open_sessions.schedule_recheck(
            open_session, lambda: publish_change(state, open_session)
        )
    lists = state.lists()
    row = lists.row(open_session.path) or _describe_session(open_session.session, open_session)
    own, conversation = view.session, view.conversation
    turns = [one for one in view.items if isinstance(one, Turn)]
    item = make_session_item(state, lists, row, state.annotations())
    todos = count_todos(whole.session.todo_lists)
    return SessionDetails(
        row=item,
        cwd=own.cwd,
        path=own.path or open_session.path,
        version=own.version,
        tip_rule=describe_active_tip(whole.session, whole.session_outline),
        branches=_list_branches(whole),
        cost_path=_describe_cost(sum((one.cost for one in turns), NO_USAGE)),
        cost_all=_describe_cost(view.session_outline.cost),
        duration_seconds=seconds_between(conversation.started_at, conversation.ended_at),
        context=_measure_context(view),
        agents=_list_agents(view, turns),
        files=_list_files_once(view),
        hooks=_count_kind(view, ("hook",), "hook"),
        notes=_count_kind(view, ("notice", "meta"), "note"),
        findings=[FindingFact(one.severity, one.message) for one in whole.session.health.findings],
        plan=plan_of(state, lists, open_session.path),
        plan_texts=[PlanFileFact(one.name, one.text) for one in whole.session.plan_files],
        todos=list(whole.session.todo_lists),
        todo_words=todos.words if todos is not None else "",
        forks=_list_forks(state, lists, open_session),
        resume=item.resume,
        resume_note=item.resume_note,
        resume_kind=item.resume_kind,
    )


def _describe_session(session: Session, open_session: OpenSession) -> SessionRow:
    """Describe a session that the lists do not have yet."""
    place = find_kept_place(open_session.path)
    files = SessionFiles(
        session.id,
        open_session.path,
        open_session.size,
        0,
        is_archived=place is KeptPlace.ARCHIVE,
    )
    project = open_session.folder.name
    agents = len(session.agents)
    return describe_session(session, files, project, agents, session_kind(session))


def _list_branches(view: ConversationView) -> list[BranchInfo]:
    """List the branches of a session, the active one first."""
    session = view.session
    lines: dict[str, Line] = {}
    for one in walk_branches(view.session_outline.branches):
        for turn in _turns_on(one):
            lines |= {uuid: one for uuid in turn.uuids if uuid not in lines}
    found = []
    for conversation, name in zip(session.conversations, name_branches(session), strict=True):
        tip = conversation.tip or ""
        line = lines.get(tip)
        bill = sum((one.cost for one in _turns_on(line)), NO_USAGE)
        found.append(
            BranchInfo(
                tip=tip,
                title=name,
                active=conversation.active,
                turns=conversation.turn_count,
                own_turns=count_turns(line.items) if line is not None else 0,
                own_cost_usd=bill.usd,
                copied_cost_usd=bill.copied.usd,
                unpriced_models=bill.cost.unpriced_models,
                left_because=(name_leave_reason(line) or None) if line is not None else None,
                left_at=branch_ended_at(line)
                if line is not None and not conversation.active
                else None,
            )
        )
    return sorted(found, key=lambda one: not one.active)


def _turns_on(line: Line | None) -> list[Turn]:
    return [one for one in line.items if isinstance(one, Turn)] if line is not None else []


def _count_kind(view: ConversationView, kinds: Sequence[str], block: str) -> int:
    """Count messages of some kinds, and blocks of a kind that stand in other messages."""
    return sum(
        1 if message.kind in kinds else sum(one.type == block for one in message.blocks)
        for message in view.messages
    )


def _describe_cost(used: UsageTotal) -> CostFact:
    return CostFact(used.usd, used.copied.usd, used.cost.unpriced_models)


def _measure_context(view: ConversationView) -> ContextUsage | None:
    records = [one for one in view.conversation.items if isinstance(one, Record)]
    found = measure_context(records)
    if found is None:
        return None
    parts = [
        ContextPart(one.name, one.tokens)
        for one in estimate_context_shares(view.messages, found.tokens)
    ]
    return ContextUsage(found.tokens, found.window, parts)


def _list_agents(view: ConversationView, turns: Sequence[Turn]) -> list[AgentFact]:
    by_id = {agent.id: agent for agent in view.session.agents}
    calls = {
        block.id: message.uuid
        for message in view.messages
        for block in message.blocks
        if isinstance(block, ToolBlock)
    }
    sent = [agent for turn in turns for agent in turn.agents]
    found = []
    for one in sent:
        agent = by_id.get(one.id or "")
        found.append(
            AgentFact(
                id=one.id or "",
                type=agent.type if agent is not None else None,
                description=(agent.description if agent is not None else None) or one.text,
                steps=one.steps or 0,
                state=_agent_state(one),
                cost_usd=one.cost.usd,
                unpriced_models=one.cost.cost.unpriced_models,
                call_uuid=calls.get(one.call),
            )
        )
    return found


def _agent_state(agent: AgentSummary) -> str:
    if agent.ok is None:
        return "open"
    return "finished" if agent.ok else "failed"


def _list_files_once(view: ConversationView) -> list[FileFact]:
    """Give the files that were changed, counted once for each view."""
    found = _files_of_view.get(view)
    if found is None:
        found = _files_of_view[view] = _list_files(view)
    return found


def _list_files(conversation_view: ConversationView) -> list[FileFact]:
    """List the files that were changed, in the order they were first touched."""
    added: dict[str, int] = {}
    removed: dict[str, int] = {}
    touches: dict[str, list[str]] = {}
    for message in conversation_view.messages:
        for block in message.blocks:
            if not isinstance(block, ToolBlock) or block.name not in _EDITS:
                continue
            view = view_of(block, cwd=conversation_view.session.cwd)
            path = view.summary
            added[path] = added.get(path, 0) + (view.outcome.added or 0)
            removed[path] = removed.get(path, 0) + (view.outcome.removed or 0)
            touches.setdefault(path, []).append(message.uuid or "")
    return [
        FileFact(path, added[path], removed[path], list(dict.fromkeys(own))[:_MOST_TOUCHES])
        for path, own in touches.items()
    ]


def _list_forks(state: AppState, lists: ListSnapshot, open_session: OpenSession) -> list[ForkFact]:
    beside = lists.sessions_in(str(open_session.folder))
    if len(beside) <= _FEW:
        return [
            ForkFact(_session_id_of(state, open_session, one.session), one.title, one.at)
            for one in list_forks(open_session.session)
        ]
    session = open_session.session.id
    return [
        ForkFact(state.session_ids.id_of(row.path), row.title, None)
        for row in beside
        if lists.forked.get(row.path) == session
    ]


def _session_id_of(state: AppState, open_session: OpenSession, session: str) -> str:
    return state.session_ids.id_of(str(open_session.folder / f"{session}.jsonl"))
