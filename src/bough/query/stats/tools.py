"""Tools: how often each was called, how it ended, how long it took, how much it said."""

from collections.abc import Iterable

from msgspec import Struct

from bough.query.stats.percentiles import find_percentiles, later_of, milliseconds_between
from bough.store.stats_protocol import IndexedCall, StatsScope, StatsSource


class ToolRow(Struct, frozen=True):
    """One tool.

    `failed` does not count the `refused`: those that a person, a rule or a hook did not
    allow, or that a person stopped. `unfinished` calls have no result. Durations are the
    client's own for `measured` calls, and the time from call to result for `estimated`
    ones, which has the wait for a permission in it; refused calls have none.
    """

    tool: str
    calls: int
    failed: int
    refused: int
    unfinished: int
    p50_ms: float | None
    p95_ms: float | None
    measured: int
    estimated: int
    output_bytes: int
    sessions: int
    last: str | None


class ToolTotals(Struct, frozen=True):
    """All tools together."""

    calls: int
    failed: int
    refused: int
    unfinished: int
    output_bytes: int
    sessions: int


class ToolReport(Struct, frozen=True):
    """Tools, those called most first."""

    rows: list[ToolRow]
    totals: ToolTotals


class _ToolSum:
    __slots__ = (
        *("calls", "durations", "failed", "last", "measured", "refused"),
        *("said", "sessions", "unfinished"),
    )

    def __init__(self) -> None:
        self.calls = self.failed = self.refused = self.unfinished = self.said = 0
        self.measured = 0
        self.durations: list[float] = []
        self.sessions: set[str] = set()
        self.last: str | None = None

    def add(self, call: IndexedCall) -> None:
        self.calls += 1
        self.sessions.add(call.session)
        self.last = later_of(self.last, call.started)
        if call.failed is None:
            self.unfinished += 1
            return
        self.said += call.bytes or 0
        if call.refused:
            self.refused += 1
            return
        self.failed += call.failed
        if call.duration_ms is not None:
            self.measured += 1
            self.durations.append(call.duration_ms)
        elif (passed := milliseconds_between(call.started, call.ended)) is not None:
            self.durations.append(passed)


def tool_report(behaviour: StatsSource, scope: StatsScope) -> ToolReport:
    """Count the calls of each tool."""
    return count_tools(behaviour.calls(scope))


def count_tools(calls: Iterable[IndexedCall]) -> ToolReport:
    """Add calls up by tool."""
    sums: dict[str, _ToolSum] = {}
    for call in calls:
        found = sums.get(call.name)
        if found is None:
            found = sums[call.name] = _ToolSum()
        found.add(call)
    rows = sorted((_tool_row(name, found) for name, found in sums.items()), key=_sort_key)
    totals = ToolTotals(
        sum(row.calls for row in rows),
        sum(row.failed for row in rows),
        sum(row.refused for row in rows),
        sum(row.unfinished for row in rows),
        sum(row.output_bytes for row in rows),
        len(set().union(*(found.sessions for found in sums.values()))),
    )
    return ToolReport(rows, totals)


def _tool_row(name: str, found: _ToolSum) -> ToolRow:
    durations = find_percentiles(found.durations)
    return ToolRow(
        name,
        found.calls,
        found.failed,
        found.refused,
        found.unfinished,
        durations.p50_ms,
        durations.p95_ms,
        found.measured,
        len(found.durations) - found.measured,
        found.said,
        len(found.sessions),
        found.last,
    )


def _sort_key(row: ToolRow) -> tuple[int, str]:
    return -row.calls, row.tool
