"""Statistics of real files: sums of files and all rows give the same."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bough.query.index.handle import open_index
from bough.store.stats_protocol import StatsScope
from tests.counted import compare_reports

SCOPES = (
    StatsScope(),
    StatsScope(since="2025-11-16T00:00:00.000Z"),
    StatsScope(since="2026-02-03T04:05:06.000Z", until="2026-05-01T10:00:00.000Z"),
    StatsScope(projects=(1, 2, 3), until="2026-03-01T00:00:00.000Z"),
)


@pytest.mark.parametrize("folder", ["corpus", "client-files"])
def test_sums_of_real_files_are_what_their_rows_say(
    shared: Path, tmp_path: Path, folder: str
) -> None:
    dirs = sorted({path.parent for path in (shared / folder).glob("**/projects") if path.is_dir()})

    with open_index(dirs, tmp_path / "index.sqlite") as index:
        for scope in SCOPES:
            compare_reports(index, scope, ZoneInfo("Asia/Kathmandu"))
