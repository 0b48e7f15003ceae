"""Reports that are kept: they must never differ from what would be counted."""

from datetime import UTC
from pathlib import Path

import pytest

from bough.errors import Misuse
from bough.query.index.handle import open_index
from bough.query.stats.kept_reports import load_stats_report
from bough.query.stats.stats_report import STATS_REPORTS, StatsQuestion, report_stats
from bough.sample import SampleSession, session
from bough.store.sqlite.store import SqliteStore
from bough.store.stats_protocol import StatsScope
from tests.conftest import Home

pytestmark = pytest.mark.writes_home
ALL = StatsQuestion(scope=StatsScope(), zone=UTC, zone_name="UTC")


def story() -> SampleSession:
    builder = session("one", cwd="/home/dev/orchard").user("hi")
    builder.tool("Read", {"file_path": "/a.py"}, "x").tool("Bash", {"command": "ls"}, "a.py")
    return builder.agent("Explore", "Find callers", answer="Four").assistant("Done")


@pytest.mark.parametrize("report", [None, *STATS_REPORTS])
def test_a_kept_report_is_the_one_that_would_be_counted(
    home: Home, tmp_path: Path, report: str | None
) -> None:
    story().write(home.path)
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        counted = report_stats(report, handle.store.behaviour(), ALL)

        assert load_stats_report(report, handle.store, ALL) == counted
        assert load_stats_report(report, handle.store, ALL) == counted


def test_a_report_is_counted_anew_when_a_file_has_changed(home: Home, tmp_path: Path) -> None:
    builder = story()
    builder.write(home.path)
    index = tmp_path / "index.sqlite"
    with open_index([home.path], index) as handle:
        before = load_stats_report("tools", handle.store, ALL)
    builder.user("more").tool("Bash", {"command": "pwd"}, "/").write(home.path)

    with open_index([home.path], index) as handle:
        after = load_stats_report("tools", handle.store, ALL)

        assert after == report_stats("tools", handle.store.behaviour(), ALL) != before


def test_another_scope_gives_another_report(home: Home, tmp_path: Path) -> None:
    story().write(home.path)
    nobody = StatsQuestion(scope=StatsScope(session="none"), zone=UTC, zone_name="UTC")
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        everything = load_stats_report("tools", handle.store, ALL)

        assert load_stats_report("tools", handle.store, nobody) != everything


def test_a_limit_cuts_what_is_kept_whole(home: Home, tmp_path: Path) -> None:
    story().write(home.path)
    few = StatsQuestion(scope=StatsScope(), zone=UTC, zone_name="UTC", limit=1)
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        first = load_stats_report("tools", handle.store, few)
        whole = load_stats_report("tools", handle.store, ALL)

        assert len(first.rows) == 1  # type: ignore[union-attr] # a report of tools
        assert whole == report_stats("tools", handle.store.behaviour(), ALL)
        assert load_stats_report("tools", handle.store, few) == first


def test_a_kept_report_that_makes_no_sense_is_counted_anew(home: Home, tmp_path: Path) -> None:
    story().write(home.path)
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        wanted = load_stats_report("tools", handle.store, ALL)
        assert isinstance(handle.store, SqliteStore)
        handle.store.connection.execute("update answer set answer = x'ff00ff'")

        assert load_stats_report("tools", handle.store, ALL) == wanted


def test_a_report_that_nobody_knows_is_misuse(home: Home, tmp_path: Path) -> None:
    story().write(home.path)
    with open_index([home.path], tmp_path / "index.sqlite") as handle, pytest.raises(Misuse):
        load_stats_report("weather", handle.store, ALL)
