"""Compactions: how often, by whom, and how much was left."""

from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from bough.store.stats_protocol import IndexedCompaction, StatsScope, StatsSource


class CompactionRow(Struct, frozen=True):
    """The compactions with one trigger: auto, manual, or unknown.

    `tokens_before` and `tokens_after` are medians of what clients kept; most keep only the
    first.
    """

    trigger: str
    count: int
    tokens_before: int | None
    tokens_after: int | None
    largest_before: int | None
    sessions: int
    last: str | None


class CompactionTotals(Struct, frozen=True):
    """All compactions; `most_in_a_session` is the largest number in one."""

    count: int
    sessions: int
    most_in_a_session: int


class CompactionReport(Struct, frozen=True):
    """Compactions by trigger, the most frequent first."""

    rows: list[CompactionRow]
    totals: CompactionTotals


def compaction_report(behaviour: StatsSource, scope: StatsScope) -> CompactionReport:
    """Count the compactions by trigger."""
    by_trigger: dict[str, list[IndexedCompaction]] = {}
    by_session: dict[str, int] = {}
    for one in behaviour.compactions(scope):
        by_trigger.setdefault(one.trigger or "unknown", []).append(one)
        by_session[one.session] = by_session.get(one.session, 0) + 1
    rows = sorted(
        (_compaction_row(trigger, found) for trigger, found in by_trigger.items()),
        key=lambda row: (-row.count, row.trigger),
    )
    totals = CompactionTotals(
        sum(by_session.values()), len(by_session), max(by_session.values(), default=0)
    )
    return CompactionReport(rows, totals)


def _compaction_row(trigger: str, found: Sequence[IndexedCompaction]) -> CompactionRow:
    before = [one.tokens_before for one in found if one.tokens_before is not None]
    after = [one.tokens_after for one in found if one.tokens_after is not None]
    return CompactionRow(
        trigger,
        len(found),
        _median(before),
        _median(after),
        max(before, default=None),
        len({one.session for one in found}),
        max((one.timestamp for one in found if one.timestamp), default=None),
    )


def _median(numbers: list[int]) -> int | None:
    return round(median(numbers)) if numbers else None
