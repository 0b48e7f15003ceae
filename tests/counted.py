"""Reports of statistics, made from sums and made from all rows: for comparing them."""

from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, tzinfo

from typing_extensions import override

from bough.query.index.handle import IndexHandle
from bough.query.stats.stats_report import STATS_REPORTS, StatsQuestion, report_stats
from bough.store.sqlite.stats import SqliteStatsSource
from bough.store.sqlite.store import SqliteStore
from bough.store.stats_protocol import StatsScope, SumBuilder, SumParts


class RowsOnly(SqliteStatsSource):
    """Looks at every row each time, as if no sums could be kept."""

    @override
    def open_sums(
        self, builder: SumBuilder, scope: StatsScope
    ) -> AbstractContextManager[SumParts | None]:
        """Give none."""
        return nullcontext(None)


def compare_reports(handle: IndexHandle, scope: StatsScope, zone: tzinfo = UTC) -> None:
    """Make every report both ways; they must be the same."""
    store = handle.store
    assert isinstance(store, SqliteStore)
    asked = StatsQuestion(scope=scope, zone=zone)
    rows = RowsOnly(store.connection, store.path)
    for report in (*STATS_REPORTS, None):
        quick = report_stats(report, store.behaviour(), asked)
        assert quick == report_stats(report, rows, asked), (report, scope)
    assert not store.connection.in_transaction
