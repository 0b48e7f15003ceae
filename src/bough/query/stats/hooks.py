"""Hooks: how often each ran, how it ended, how long it took.

The same run is told of by up to three records (`bough.model.interpret.hooks`), and those are copied
by forks. They share the id of what set the hook off, the event and the command; where a
command is hooked in twice, the second telling in a file by one kind of record is the
second run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from msgspec import Struct, field

from bough.model.interpret.hooks import BLOCKED, FAILED, FEEDBACK, OK, SUMMARY, UNKNOWN
from bough.query.stats.kept_sums import SumKind
from bough.query.stats.percentiles import Durations, later_of, no_durations
from bough.store.stats_protocol import ALL_ROWS, IndexedHookRun, RowPart, StatsScope, StatsSource

_WEIGHT = {UNKNOWN: 0, OK: 1, FAILED: 2, BLOCKED: 3}


class HookRow(Struct, frozen=True):
    """One hook: a command at an event.

    Where a client did not keep the command, `command` is its name for the occasion, such
    as PostToolUse:Write. `unknown` runs are those whose end no record tells; durations are
    those that the client kept, of `measured` runs; `waited_ms` is their sum.
    """

    event: str
    command: str
    runs: int
    failed: int
    blocked: int
    unknown: int
    p50_ms: float | None
    p95_ms: float | None
    measured: int
    sessions: int
    last: str | None
    waited_ms: float = 0.0


class HookTotals(Struct, frozen=True):
    """All hooks together."""

    runs: int
    failed: int
    blocked: int
    unknown: int
    waited_ms: float = 0.0


class HookReport(Struct, frozen=True):
    """Hooks, those that ran most first."""

    rows: list[HookRow]
    totals: HookTotals


class MergedHookRun(Struct):
    """One run of one hook, put together from what records tell; `file` tells of it first."""

    file: int
    event: str
    command: str
    session: str
    timestamp: str | None
    outcome: str = UNKNOWN
    duration_ms: float | None = None
    shared: bool = False

    def add(self, runs: IndexedHookRun) -> None:
        """Take in what one more record tells."""
        if _WEIGHT.get(runs.outcome, 0) > _WEIGHT.get(self.outcome, 0):
            self.outcome = runs.outcome
        if self.duration_ms is None:
            self.duration_ms = runs.duration_ms
        if runs.timestamp is not None and runs.timestamp < (self.timestamp or "~"):
            self.timestamp, self.session = runs.timestamp, runs.session


class HookSum(Struct, array_like=True):
    """The runs of one hook, while they are added up."""

    runs: int = 0
    failed: int = 0
    blocked: int = 0
    unknown: int = 0
    durations: Durations = field(default_factory=no_durations)
    sessions: set[str] = field(default_factory=set)
    last: str | None = None

    def add(self, run: MergedHookRun) -> None:
        """Take in a run."""
        self.runs += 1
        self.failed += run.outcome == FAILED
        self.blocked += run.outcome == BLOCKED
        self.unknown += run.outcome == UNKNOWN
        if run.duration_ms is not None:
            self.durations.add(run.duration_ms)
        self.sessions.add(run.session)
        self.last = later_of(self.last, run.timestamp)

    def merge(self, other: "HookSum") -> None:
        """Take in the runs of another sum."""
        self.runs += other.runs
        self.failed += other.failed
        self.blocked += other.blocked
        self.unknown += other.unknown
        self.durations.merge(other.durations)
        self.sessions |= other.sessions
        self.last = later_of(self.last, other.last)


def find_hook_runs(
    source: StatsSource, scope: StatsScope, part: RowPart = ALL_ROWS
) -> Iterator[MergedHookRun]:
    """Give the runs of hooks in scope."""
    for run in merge_runs(source.hook_runs(scope, part)):
        if scope.contains(run.timestamp) and part.shared in (None, run.shared):
            yield run


HOOK_SUMS: Final = SumKind(
    "hooks",
    "hook",
    (tuple[str, str], HookSum),
    find_hook_runs,
    lambda run: (run.event, run.command),
    lambda run: run.timestamp,
)


def hook_report(behaviour: StatsSource, scope: StatsScope) -> HookReport:
    """Count the runs of each hook."""
    sums = HOOK_SUMS.count(behaviour, scope)
    rows = [_hook_row(event, command, found) for (event, command), found in sums.items()]
    rows.sort(key=lambda row: (-row.runs, row.event, row.command))
    totals = HookTotals(
        sum(row.runs for row in rows),
        sum(row.failed for row in rows),
        sum(row.blocked for row in rows),
        sum(row.unknown for row in rows),
        sum(row.waited_ms for row in rows),
    )
    return HookReport(rows, totals)


def merge_runs(hook_runs: Iterable[IndexedHookRun]) -> list[MergedHookRun]:
    """Make one run of everything that is told about it."""
    runs: dict[tuple[str | None, ...], MergedHookRun] = {}
    for _, group in groupby(hook_runs, key=lambda one: one.file):
        seen: Counter[tuple[str | None, ...]] = Counter()
        for one in _drop_repeats(list(group)):
            place = one.call if one.call is not None else one.timestamp
            same = (place, one.event, one.command)
            seen[(*same, one.source)] += 1
            key = (*same, str(seen[(*same, one.source)]))
            run = runs.get(key)
            if run is None:
                run = runs[key] = MergedHookRun(
                    one.file,
                    one.event or "",
                    one.command,
                    one.session,
                    one.timestamp,
                    shared=bool(one.shared),
                )
            run.add(one)
    return list(runs.values())


def _drop_repeats(runs: list[IndexedHookRun]) -> Iterator[IndexedHookRun]:
    """Leave out what only repeats, without the id or the command, what another record tells."""
    summed_up = any(one.source == SUMMARY for one in runs)
    named = {(one.call, one.event) for one in runs if one.call and not _has_no_command(one)}
    for one in runs:
        repeats = one.source == FEEDBACK and summed_up
        added = (
            one.source == "attachment" and _has_no_command(one) and (one.call, one.event) in named
        )
        if not repeats and not added:
            yield one


def _has_no_command(runs: IndexedHookRun) -> bool:
    """Tell whether the client's name for the occasion stands in for the command."""
    event = runs.event or ""
    return runs.command == event or runs.command.startswith(f"{event}:")


def _hook_row(event: str, command: str, found: HookSum) -> HookRow:
    times = found.durations.find_percentiles()
    return HookRow(
        event,
        command,
        found.runs,
        found.failed,
        found.blocked,
        found.unknown,
        times.p50_ms,
        times.p95_ms,
        len(found.durations),
        len(found.sessions),
        found.last,
        found.durations.total(),
    )
