"""Tools: how often each was called, how it ended, how long it took, how much it said."""

from typing import Final

from msgspec import Struct, field

from bough.query.stats.kept_sums import SumKind
from bough.query.stats.percentiles import (
    Durations,
    later_of,
    milliseconds_between,
    no_durations,
)
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


class ToolSum(Struct, array_like=True):
    """The calls of one tool, while they are added up."""

    calls: int = 0
    failed: int = 0
    refused: int = 0
    unfinished: int = 0
    said: int = 0
    measured: int = 0
    durations: Durations = field(default_factory=no_durations)
    sessions: set[str] = field(default_factory=set)
    last: str | None = None

    def add(self, call: IndexedCall) -> None:
        """Take in a call."""
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
            self.durations.add(call.duration_ms)
        elif (passed := milliseconds_between(call.started, call.ended)) is not None:
            self.durations.add(passed)

    def merge(self, other: "ToolSum") -> None:
        """Take in the calls of another sum."""
        self.calls += other.calls
        self.failed += other.failed
        self.refused += other.refused
        self.unfinished += other.unfinished
        self.said += other.said
        self.measured += other.measured
        self.durations.merge(other.durations)
        self.sessions |= other.sessions
        self.last = later_of(self.last, other.last)


TOOL_SUMS: Final = SumKind(
    "tools",
    "call",
    (str, ToolSum),
    lambda source, scope, part: source.calls(scope, part),
    lambda call: call.name,
    lambda call: call.started,
)


def tool_report(behaviour: StatsSource, scope: StatsScope) -> ToolReport:
    """Count the calls of each tool."""
    sums = TOOL_SUMS.count(behaviour, scope)
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


def _tool_row(name: str, found: ToolSum) -> ToolRow:
    durations = found.durations.find_percentiles()
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
