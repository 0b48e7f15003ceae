"""Agents: what kinds were started, how far they went, how they ended.

A run is known by the call that started it, by a file of its own, or by both. What the
client says about a run is taken before what its file shows.
"""

import re

from msgspec import Struct

from bough.model.agents.runs import ANNOUNCED, NOTICE
from bough.query.stats.percentiles import find_percentiles, later_of, milliseconds_between
from bough.store.stats_protocol import IndexedAgentFile, IndexedAgentRun, StatsScope, StatsSource

UNNAMED = "unknown"
_OWN_WORK = re.compile(r"a(compact|prompt_suggestion)(?:-|$)")
_FAILURES = frozenset({"error", "failed", "killed", "interrupted", "cancelled", "canceled"})


class AgentRow(Struct, frozen=True):
    """One type of agent.

    `compact` and `prompt_suggestion` are the client's own work; `unknown` are those whose
    type nothing tells. `failed` are those that ended in an error, were killed, interrupted
    or not allowed. `steps` are the agents' own calls of tools; `tokens` the sizes of their
    last requests with the answers, as the client counts them.
    """

    type: str
    runs: int
    failed: int
    steps: int
    tokens: int
    p50_ms: float | None
    p95_ms: float | None
    measured: int
    sessions: int
    last: str | None


class AgentTotals(Struct, frozen=True):
    """All agents together."""

    runs: int
    failed: int
    steps: int
    tokens: int


class AgentReport(Struct, frozen=True):
    """Types of agents, those that ran most first."""

    rows: list[AgentRow]
    totals: AgentTotals


class _AgentRun:
    """One agent's run while it is put together."""

    def __init__(self, session: str, started: str | None) -> None:
        self.session = session
        self.started = started
        self.type: str | None = None
        self.failed = False
        self.steps: int | None = None
        self.tokens: int | None = None
        self.duration_ms: float | None = None
        self.is_agent = False

    def add_record(self, run: IndexedAgentRun) -> None:
        self.is_agent = self.is_agent or run.source != NOTICE
        self.type = run.type or self.type
        self.failed = self.failed or bool(run.failed) or run.status in _FAILURES
        if run.status != ANNOUNCED:
            self.steps = _larger_of(self.steps, run.steps)
            self.tokens = _larger_of(self.tokens, run.tokens)
            if run.duration_ms is not None:
                self.duration_ms = max(self.duration_ms or 0, run.duration_ms)

    def add_file(self, kept: IndexedAgentFile) -> None:
        self.is_agent = True
        self.type = kept.type or self.type or _client_task(kept.agent)
        self.started = self.started or kept.started
        self.steps = kept.steps if self.steps is None else self.steps
        self.tokens = kept.tokens if self.tokens is None else self.tokens
        if self.duration_ms is None and kept.started != kept.ended:
            self.duration_ms = milliseconds_between(kept.started, kept.ended)


def agent_report(behaviour: StatsSource, scope: StatsScope) -> AgentReport:
    """Count the runs of each type of agent."""
    by_type: dict[str, list[_AgentRun]] = {}
    for run in _collect_runs(behaviour, scope):
        if run.is_agent and scope.contains(run.started):
            by_type.setdefault(run.type or UNNAMED, []).append(run)
    rows = sorted(
        (_agent_row(name, runs) for name, runs in by_type.items()),
        key=lambda row: (-row.runs, row.type),
    )
    totals = AgentTotals(
        sum(row.runs for row in rows),
        sum(row.failed for row in rows),
        sum(row.steps for row in rows),
        sum(row.tokens for row in rows),
    )
    return AgentReport(rows, totals)


def _collect_runs(behaviour: StatsSource, scope: StatsScope) -> list[_AgentRun]:
    runs: dict[str, _AgentRun] = {}
    for report in behaviour.agent_reports(scope):
        if report.call not in runs:
            runs[report.call] = _AgentRun(report.session, report.timestamp)
        runs[report.call].add_record(report)
    for kept in behaviour.agent_files(scope):
        key = kept.call if kept.call is not None else f"agent {kept.agent}"
        if key not in runs:
            runs[key] = _AgentRun(kept.session, kept.started)
        runs[key].add_file(kept)
    return list(runs.values())


def _agent_row(name: str, runs: list[_AgentRun]) -> AgentRow:
    durations = [run.duration_ms for run in runs if run.duration_ms is not None]
    times = find_percentiles(durations)
    last: str | None = None
    for run in runs:
        last = later_of(last, run.started)
    return AgentRow(
        name,
        len(runs),
        sum(run.failed for run in runs),
        sum(run.steps or 0 for run in runs),
        sum(run.tokens or 0 for run in runs),
        times.p50_ms,
        times.p95_ms,
        len(durations),
        len({run.session for run in runs}),
        last,
    )


def _client_task(agent: str) -> str | None:
    """Name what the client itself starts agents for, by how it calls them."""
    found = _OWN_WORK.match(agent)
    return found[1] if found else None


def _larger_of(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return max(one, other)
