"""The graph of a session, a stretch of rows at a time, and its lineage across files."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from bough.errors import NotFound
from bough.library import (
    ConversationView,
    Origin,
    SessionFork,
    list_forks,
    trace_lineage,
)
from bough.model.graph.lanes import Lane
from bough.model.graph.lineage_lanes import place_lineage
from bough.model.graph.session_graph import (
    MOST_LANES,
    EntryKind,
    GraphEntry,
    LaneEntry,
    build_session_graph,
)
from bough.model.graph.turn_messages import find_last_answer
from bough.model.graph.zoom import Zoom
from bough.model.outline.branch_path import (
    count_turns,
    describe_active_tip,
    describe_compaction,
    explain_why_left,
    list_own_turns,
    name_branch,
    walk_branches,
)
from bough.model.outline.session_outline import Branch, Compaction
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.formats import format_plural, to_one_line
from bough.model.text.snippet_noise import find_noise
from bough.model.usage.costs import NO_USAGE
from bough.web.open_sessions.open_session import ConversationRef, OpenSession
from bough.web.routes.conversation import (
    choose_branch,
    find_open_session,
    find_title,
    render_pieces,
)
from bough.web.routes.lists import make_session_item
from bough.web.state import AppState
from bough.web.wire.tree_rows import (
    LineageAnswer,
    LineageQuery,
    LineageRow,
    ReadingAnswer,
    ReadingQuery,
    TreeAnswer,
    TreeBranch,
    TreeQuery,
    TreeRow,
    TreeRowsAnswer,
    TreeRowsQuery,
)

_PAGE: Final = 120
_WORDS: Final = 300
_ANSWER: Final = 600
_MANY: Final = 300
"""Forks are looked for in projects of so many sessions; in larger ones the index must do."""
_ZOOMS: Final = {"shape": Zoom.SHAPE, "prompts": Zoom.PROMPTS, "messages": Zoom.MESSAGES}
_WORKING: Final = frozenset(("working", "background", "waiting", "compacting"))


class TreeGraph:
    """The rows of a session at one zoom, the branches they are on, and the files beside it then."""

    def __init__(self, rows: list[LaneEntry], beside: frozenset[str]) -> None:
        self.rows = rows
        self.beside = beside
        self.branches: list[tuple[Branch, Turn | None]] = []
        self.number_of: dict[int, int] = {}
        for row in rows:
            branch = row.entry.branch
            if id(branch) not in self.number_of:
                self.number_of[id(branch)] = len(self.branches)
                self.branches.append((branch, row.entry.parent))


# Fast path: rows of 25,000 records, 150 ms each time more of them are asked for.
_graph_of_view: WeakKeyDictionary[ConversationView, dict[tuple[Zoom, bool], TreeGraph]] = (
    WeakKeyDictionary()
)


def get_tree(state: AppState, session: str, query: TreeQuery) -> TreeAnswer:
    """Give the graph of a session: its shape, and the rows around the start."""
    open_session = find_open_session(state, session)
    view = open_session.full_view(ConversationRef())
    graph = _build_graph(state, open_session, view, _ZOOMS[query.zoom])
    outline = view.session_outline
    tip = next((n for n, row in enumerate(graph.rows) if _is_tip(row)), None)
    asked = _find_row(graph.rows, query.at) if query.at else None
    start = asked if asked is not None else tip or 0
    first = max(0, min(start - _PAGE // 2, len(graph.rows) - _PAGE))
    return TreeAnswer(
        session=open_session.address,
        title=find_title(state, open_session, view),
        revision=_find_revision(open_session),
        zoom=query.zoom,
        branch_count=len(view.session.tips),
        turns=outline.turns,
        cost_usd=outline.cost.usd,
        unpriced_models=outline.cost.cost.unpriced_models,
        tip_rule=describe_active_tip(view.session, outline),
        count=len(graph.rows),
        kinds="".join(_choose_letter(row) for row in graph.rows),
        depths=[row.lane.depth for row in graph.rows],
        start=start,
        tip=tip,
        lanes=MOST_LANES,
        page=_make_page(state, open_session, view, graph, first, _PAGE),
    )


def get_tree_rows(state: AppState, session: str, query: TreeRowsQuery) -> TreeRowsAnswer:
    """Give rows of a session's graph."""
    open_session = find_open_session(state, session)
    view = open_session.full_view(ConversationRef())
    graph = _build_graph(state, open_session, view, _ZOOMS[query.zoom])
    return _make_page(state, open_session, view, graph, query.from_, query.count)


def read_branch(state: AppState, session: str, query: ReadingQuery) -> ReadingAnswer:
    """Give the pieces from a message on, on the branch that goes through it."""
    open_session = find_open_session(state, session)
    which = ConversationRef()
    if query.at:
        which = choose_branch(open_session, which, query.at)
    view = open_session.view(which)
    first = view.content.find_piece(query.at) if query.at else 0
    if first is None:
        raise NotFound(f"This session has no message {query.at[:40]}.")
    conversation = view.content.conversation
    return ReadingAnswer(
        tip=conversation.tip,
        active=conversation.active,
        revision=view.revision,
        from_=first,
        count=len(view.content.pieces),
        pieces=render_pieces(view, first, query.count),
    )


def get_lineage(state: AppState, session: str, _: LineageQuery) -> LineageAnswer:
    """Give the files that a session comes from and those that go on from it."""
    open_session = find_open_session(state, session)
    view = open_session.full_view(ConversationRef())
    lists = state.lists()
    beside = lists.sessions_in(str(open_session.folder))
    own = Path(open_session.path)
    forks_only = len(beside) > _MANY
    if not forks_only:
        origins = trace_lineage(own)
        points = {fork.session: fork.at for fork in list_forks(open_session.session)}
    else:
        known = ((Path(row.path).stem, lists.forked.get(row.path)) for row in beside)
        origins = {name: Origin(source, 0, "fork") for name, source in known if source}
        points = {}
    annotations = state.annotations()
    rows = []
    for placed in place_lineage(own.stem, origins):
        name, origin = placed.member.session, placed.member.origin
        path = str(open_session.folder / f"{name}.jsonl")
        row = lists.row(path)
        rows.append(
            LineageRow(
                id=state.session_ids.id_of(path) if row is not None else name,
                how="" if origin is None else "fork" if origin.how == "fork" else "copy",
                origin=origin.session if origin is not None else None,
                shared=origin.shared if origin is not None else 0,
                at=points.get(name),
                here=name == own.stem,
                depth=placed.lane.depth,
                bars=_write_bars(placed.lane),
                opens=placed.opens,
                ends=placed.ends,
                row=make_session_item(state, lists, row, annotations) if row else None,
            )
        )
    compactions = sum(
        isinstance(item, Compaction)
        for branch in walk_branches(view.session_outline.branches)
        for item in branch.items
    )
    return LineageAnswer(open_session.address, MOST_LANES, rows, compactions, forks_only)


def _find_revision(open_session: OpenSession) -> str:
    return open_session.view(ConversationRef()).revision


def _build_graph(
    state: AppState, open_session: OpenSession, view: ConversationView, zoom: Zoom
) -> TreeGraph:
    """Put a session into rows, once for each view and zoom."""
    live = state.live.rows.get(open_session.path)
    working = live is not None and live.state.value in _WORKING
    # A fork leaves what it was forked from as it is: the files beside it tell.
    folder = f"{open_session.folder}{os.sep}"
    known_files = (entry.path for entry in state.session_ids.entries())
    beside = frozenset(path for path in known_files if path.startswith(folder))
    known = _graph_of_view.setdefault(view, {})
    found = known.get((zoom, working))
    if found is None or found.beside != beside:
        forks = list_forks(view.session) if len(beside) <= _MANY else []
        rows = build_session_graph(view.session, view.session_outline, zoom, forks, working=working)
        found = known[zoom, working] = TreeGraph(rows, beside)
    return found


def _is_tip(row: LaneEntry) -> bool:
    return row.entry.kind is EntryKind.TURN and row.entry.turn is not None and row.entry.turn.active


def _find_row(rows: Sequence[LaneEntry], uuid: str) -> int | None:
    """Find the row of a record, else of the turn that it stands in, else of the one before."""
    for number, row in enumerate(rows):
        if row.entry.uuid == uuid and row.entry.kind is not EntryKind.AGENT:
            return number
    turns = [(n, row.entry.turn) for n, row in enumerate(rows) if row.entry.kind is EntryKind.TURN]
    inside = (n for n, turn in turns if turn is not None and (uuid in turn.uuids))
    return next(inside, None)


def _choose_letter(row: LaneEntry) -> str:
    letter = row.entry.kind.value[0]
    return letter.upper() if row.opens else letter


def _make_page(
    state: AppState,
    open_session: OpenSession,
    view: ConversationView,
    graph: TreeGraph,
    first: int,
    count: int,
) -> TreeRowsAnswer:
    last = min(first + count, len(graph.rows))
    numbers = range(min(first, last), last)
    used = sorted({graph.number_of[id(graph.rows[n].entry.branch)] for n in numbers})
    writer = _RowWriter(state, open_session, view, graph)
    return TreeRowsAnswer(
        revision=_find_revision(open_session),
        from_=numbers.start,
        rows=[writer.write_row(number) for number in numbers],
        branches=[_describe_branch(number, *graph.branches[number]) for number in used],
    )


def _describe_branch(number: int, branch: Branch, parent: Turn | None) -> TreeBranch:
    own = list_own_turns(branch)
    bill = sum((turn.cost for turn in own), NO_USAGE)
    why, at = explain_why_left(branch)
    last = own[-1] if own else None
    return TreeBranch(
        number=number,
        name=to_one_line(name_branch(branch), _WORDS),
        active=branch.active,
        tip=last.uuid if last is not None else None,
        left_because="" if branch.active else why,
        left_at=at,
        split_from=to_one_line(parent.label, _WORDS) if parent is not None else "",
        turns=count_turns(branch.items),
        steps=sum(turn.steps for turn in own),
        cost_usd=bill.usd,
        unpriced_models=bill.cost.unpriced_models,
    )


def _write_bars(lane: Lane) -> str:
    return "".join("0" if not bar.goes_on else "2" if bar.active else "1" for bar in lane.bars)


class _RowWriter:
    """Writes rows for the wire."""

    def __init__(
        self,
        state: AppState,
        open_session: OpenSession,
        view: ConversationView,
        graph: TreeGraph,
    ) -> None:
        self._state = state
        self._open_session = open_session
        self._session = view.session
        self._graph = graph

    def write_row(self, number: int) -> TreeRow:
        placed = self._graph.rows[number]
        entry, lane = placed.entry, placed.lane
        text, time = self._describe(entry)
        turn = entry.turn if entry.kind is EntryKind.TURN else None
        used = turn.cost if turn is not None else entry.agent.cost if entry.agent else None
        fork = entry.fork if isinstance(entry.fork, SessionFork) else None
        return TreeRow(
            number=number,
            kind=entry.kind.value,
            key=f"{entry.kind}/{self._find_key(entry, number)}",
            uuid=entry.uuid,
            text=to_one_line(text, _WORDS),
            answer=_excerpt_answer(turn, self._session) if turn else "",
            time=time,
            note=entry.note.word,
            note_at=entry.note.at,
            steps=turn.steps if turn is not None else entry.agent.steps if entry.agent else None,
            failed=turn.failed if turn is not None else 0,
            state=_find_state(entry),
            cost_usd=used.usd if used is not None else None,
            unpriced_models=used.cost.unpriced_models if used is not None else [],
            depth=lane.depth,
            bars=_write_bars(lane),
            opens=placed.opens,
            begins=placed.begins,
            ends=placed.ends,
            crowded=lane.crowded,
            active=lane.active,
            on_path=placed.on_path,
            tip=_is_tip(placed),
            continued=turn is not None and turn.is_continuation,
            quiet=entry.message is not None and entry.message.quiet,
            written=entry.message.written if entry.message is not None else 1,
            splits=entry.splits,
            branch=self._graph.number_of[id(entry.branch)],
            agent=entry.agent.id if entry.agent is not None else None,
            session=self._find_session_id(fork.session) if fork is not None else None,
        )

    def _describe(self, entry: GraphEntry) -> tuple[str, str | None]:
        """Give the words of an entry, and when it was."""
        if entry.message is not None:
            return entry.message.text, entry.message.timestamp
        if entry.agent is not None:
            return entry.agent.text, None
        if entry.compaction is not None:
            return describe_compaction(entry.compaction, "\N{RIGHTWARDS ARROW}"), (
                entry.compaction.timestamp
            )
        if isinstance(entry.fork, SessionFork):
            return f"Forked to {entry.fork.title}", entry.fork.timestamp
        if entry.turn is not None:
            return entry.turn.label, entry.turn.timestamp
        return format_plural(entry.count, "turn"), None

    def _find_key(self, entry: GraphEntry, number: int) -> str:
        """Name a row so that it is found again when the session has grown."""
        if entry.agent is not None:
            return entry.agent.id or entry.agent.call or str(number)
        if isinstance(entry.fork, SessionFork):
            return entry.fork.session
        return entry.uuid or (entry.turn.key if entry.turn is not None else str(number))

    def _find_session_id(self, session: str) -> str:
        folder = self._open_session.folder
        return self._state.session_ids.id_of(str(folder / f"{session}.jsonl"))


def _excerpt_answer(turn: Turn, session: Session) -> str:
    """Give the beginning of the last answer on one line, without the marks of Markdown."""
    text = find_last_answer(turn, session)[: 4 * _ANSWER]
    return to_one_line(find_noise("assistant").sub("", text), _ANSWER)


def _find_state(entry: GraphEntry) -> str:
    """Say how a turn or an agent ended; empty where all went to its end."""
    if entry.agent is not None:
        return {True: "finished", False: "failed", None: "open"}[entry.agent.ok]
    return entry.turn.end if entry.kind is EntryKind.TURN and entry.turn is not None else ""
