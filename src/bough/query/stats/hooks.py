"""Hooks: how often each ran, how it ended, how long it took.

The same run is told of by up to three records (`bough.model.interpret.hooks`), and those are copied
by forks. They share the id of what set the hook off, the event and the command; where a
command is hooked in twice, the second telling in a file by one kind of record is the
second run.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from bough.model.interpret.hooks import BLOCKED, FAILED, FEEDBACK, OK, SUMMARY, UNKNOWN
from bough.query.stats.percentiles import find_percentiles, later_of
from bough.store.stats_protocol import IndexedHookRun, StatsScope, StatsSource

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
    """One run of one hook, put together from what records tell."""

    event: str
    command: str
    session: str
    timestamp: str | None
    outcome: str = UNKNOWN
    duration_ms: float | None = None

    def add(self, runs: IndexedHookRun) -> None:
        """Take in what one more record tells."""
        if _WEIGHT.get(runs.outcome, 0) > _WEIGHT.get(self.outcome, 0):
            self.outcome = runs.outcome
        if self.duration_ms is None:
            self.duration_ms = runs.duration_ms
        if runs.timestamp is not None and runs.timestamp < (self.timestamp or "~"):
            self.timestamp, self.session = runs.timestamp, runs.session


def hook_report(behaviour: StatsSource, scope: StatsScope) -> HookReport:
    """Count the runs of each hook."""
    runs = [run for run in merge_runs(behaviour.hook_runs(scope)) if scope.contains(run.timestamp)]
    by_hook: dict[tuple[str, str], list[MergedHookRun]] = {}
    for run in runs:
        by_hook.setdefault((run.event, run.command), []).append(run)
    rows = [_hook_row(event, command, found) for (event, command), found in by_hook.items()]
    rows.sort(key=lambda row: (-row.runs, row.event, row.command))
    ended = Counter(run.outcome for run in runs)
    waited = sum(row.waited_ms for row in rows)
    totals = HookTotals(len(runs), ended[FAILED], ended[BLOCKED], ended[UNKNOWN], waited)
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
                    one.event or "", one.command, one.session, one.timestamp
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


def _hook_row(event: str, command: str, runs: list[MergedHookRun]) -> HookRow:
    ended = Counter(run.outcome for run in runs)
    durations = [run.duration_ms for run in runs if run.duration_ms is not None]
    times = find_percentiles(durations)
    last: str | None = None
    for run in runs:
        last = later_of(last, run.timestamp)
    return HookRow(
        event,
        command,
        len(runs),
        ended[FAILED],
        ended[BLOCKED],
        ended[UNKNOWN],
        times.p50_ms,
        times.p95_ms,
        len(durations),
        len({run.session for run in runs}),
        last,
        float(sum(durations)),
    )
