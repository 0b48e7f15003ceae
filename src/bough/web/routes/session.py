"""Facts of a session: its branches, cost, context, agents, files, and what is wrong with it."""

from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from bough.export.html.conversation_view import Telling
from bough.files.discover import SessionFiles
from bough.model.agents.summaries import SentOut
from bough.model.conversation.branch_path import left_at, left_because
from bough.model.conversation.context_window import context_after, filling
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch as Line
from bough.model.conversation.outline import Parting
from bough.model.session import Session
from bough.model.text.times import seconds_between
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.model.usage.costs import NOTHING, Bill
from bough.query.lists.from_files import describe_session, session_kind
from bough.query.lists.list_rows import SessionRow
from bough.query.lists.related import forks_of
from bough.records.record import Record
from bough.terminal.header import SHORT, tip_sentence
from bough.web.open_sessions.open_session import Room, Which
from bough.web.routes.conversation import room_of, tell_more, which_of
from bough.web.routes.lists import item, plan_of
from bough.web.runtime.list_cache import Gathered
from bough.web.state import House
from bough.web.wire.list_rows import (
    AgentFact,
    Branch,
    Context,
    ContextPart,
    FactsQuery,
    FileFact,
    FindingFact,
    ForkFact,
    Money,
    SessionFacts,
)

_EDITS = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_MOST_TOUCHES = 200
_counted: WeakKeyDictionary[Telling, list[FileFact]] = WeakKeyDictionary()
_FEW = 300
"""Forks are looked for in projects of so many sessions; in larger ones the index must do."""


def session_facts(house: House, session: str, query: FactsQuery) -> SessionFacts:
    """Give everything beside the words of a session."""
    room = room_of(house, session)
    telling = room.full(which_of(query))
    whole = room.full(Which()) if query.agent else telling
    if room.late:
        house.rooms.look_again(room, lambda: tell_more(house, room))
    gathered = house.lists()
    row = gathered.row(room.path) or _described(room.session, room)
    own, told = telling.session, telling.conversation
    exchanges = [one for one in telling.items if isinstance(one, Exchange)]
    return SessionFacts(
        row=item(house, gathered, row),
        cwd=own.cwd,
        path=own.path or room.path,
        version=own.version,
        tip_rule=tip_sentence(whole.session, whole.seen, SHORT),
        branches=_branches(whole),
        cost_path=_money(sum((one.bill for one in exchanges), NOTHING)),
        cost_all=_money(telling.seen.bill),
        duration_seconds=seconds_between(told.started_at, told.ended_at),
        context=_context(telling),
        agents=_agents(telling, exchanges),
        files=_kept(telling),
        hooks=_number(telling, ("hook",), "hook"),
        notes=_number(telling, ("notice", "meta"), "note"),
        findings=[FindingFact(one.severity, one.message) for one in whole.session.health.findings],
        plan=plan_of(house, gathered, room.path),
        forks=_forks(house, gathered, room),
        resume=f"claude --resume {whole.session.id}",
    )


def _described(session: Session, room: Room) -> SessionRow:
    """Describe a session that the lists do not have yet."""
    files = SessionFiles(session.id, room.path, room.size, 0)
    project = room.folder.name
    agents = len(session.agents)
    return describe_session(session, files, project, agents, session_kind(session))


def _branches(telling: Telling) -> list[Branch]:
    """List the ways through a session, the active one first."""
    session = telling.session
    lines = list(_lines(telling.seen.branches))
    found = []
    for conversation in session.conversations:
        tip = conversation.tip or ""
        line = next((one for one in lines if _ends_in(one, tip)), None)
        bill = sum((one.bill for one in _asked(line)), NOTHING)
        found.append(
            Branch(
                tip=tip,
                title=conversation.title or session.title,
                active=conversation.active,
                turns=len(_asked(line)) if line is not None else conversation.turn_count,
                own_cost_usd=bill.usd,
                cost_complete=bill.complete,
                left_because=(left_because(line) or None) if line is not None else None,
                left_at=left_at(line) if line is not None and not conversation.active else None,
            )
        )
    return sorted(found, key=lambda one: not one.active)


def _lines(branches: Sequence[Line]) -> Iterator[Line]:
    waiting = list(reversed(branches))
    while waiting:
        line = waiting.pop()
        yield line
        for one in line.items:
            if isinstance(one, Parting):
                waiting += reversed(one.branches)


def _ends_in(line: Line, tip: str) -> bool:
    return any(tip in one.uuids for one in _asked(line))


def _asked(line: Line | None) -> list[Exchange]:
    return [one for one in line.items if isinstance(one, Exchange)] if line is not None else []


def _number(telling: Telling, kinds: Sequence[str], block: str) -> int:
    """Count turns of some kinds, and blocks of a kind that stand in other turns."""
    return sum(
        1 if turn.kind in kinds else sum(one.type == block for one in turn.blocks)
        for turn in telling.turns
    )


def _money(bill: Bill) -> Money:
    return Money(bill.usd, bill.complete)


def _context(telling: Telling) -> Context | None:
    records = [one for one in telling.conversation.items if isinstance(one, Record)]
    found = context_after(records)
    if found is None:
        return None
    parts = [ContextPart(one.name, one.tokens) for one in filling(telling.turns, found.tokens)]
    return Context(found.tokens, found.window, parts)


def _agents(telling: Telling, exchanges: Sequence[Exchange]) -> list[AgentFact]:
    by_id = {agent.id: agent for agent in telling.session.agents}
    calls = {
        block.id: turn.uuid
        for turn in telling.turns
        for block in turn.blocks
        if isinstance(block, ToolBlock)
    }
    sent = [agent for exchange in exchanges for agent in exchange.agents]
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
                cost_usd=one.bill.usd,
                cost_complete=one.bill.complete,
                call_uuid=calls.get(one.call),
            )
        )
    return found


def _agent_state(agent: SentOut) -> str:
    if agent.ok is None:
        return "open"
    return "finished" if agent.ok else "failed"


def _kept(telling: Telling) -> list[FileFact]:
    """Give the files that were changed, counted once for each telling."""
    found = _counted.get(telling)
    if found is None:
        found = _counted[telling] = _files(telling)
    return found


def _files(telling: Telling) -> list[FileFact]:
    """List the files that were changed, in the order they were first touched."""
    added: dict[str, int] = {}
    removed: dict[str, int] = {}
    touches: dict[str, list[str]] = {}
    for turn in telling.turns:
        for block in turn.blocks:
            if not isinstance(block, ToolBlock) or block.name not in _EDITS:
                continue
            view = view_of(block, cwd=telling.session.cwd)
            path = view.summary
            added[path] = added.get(path, 0) + (view.outcome.added or 0)
            removed[path] = removed.get(path, 0) + (view.outcome.removed or 0)
            touches.setdefault(path, []).append(turn.uuid or "")
    return [
        FileFact(path, added[path], removed[path], list(dict.fromkeys(own))[:_MOST_TOUCHES])
        for path, own in touches.items()
    ]


def _forks(house: House, gathered: Gathered, room: Room) -> list[ForkFact]:
    beside = gathered.beside(str(room.folder))
    if len(beside) <= _FEW:
        return [
            ForkFact(_address(house, room, one.session), one.title, one.at)
            for one in forks_of(room.session)
        ]
    session = room.session.id
    return [
        ForkFact(house.catalogue.id_of(row.path), row.title, None)
        for row in beside
        if gathered.forked.get(row.path) == session
    ]


def _address(house: House, room: Room, session: str) -> str:
    return house.catalogue.id_of(str(room.folder / f"{session}.jsonl"))
