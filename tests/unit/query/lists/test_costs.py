"""Costs that are kept for lists: they must never differ from what would be counted."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.config import Settings
from bough.model.usage.costs import UsageTotal
from bough.query.index.handle import IndexHandle, open_index
from bough.query.lists.costs import load_indexed_costs, sum_costs
from bough.query.usage.sources import IndexUsageSource
from bough.sample import session
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home

pytestmark = pytest.mark.writes_home

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
MODEL = "claude-opus-4-6"


def story(seed: str) -> bytes:
    told = session(seed, cwd="/home/dev/orchard").user("hi").thinking("Hm").assistant("Hello")
    return told.agent("Explore", "Find callers", answer="Four").bytes()


def write(home: Home, name: str, data: bytes) -> Path:
    path = home.projects / "-home-dev-orchard" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def counted(handle: IndexHandle, report: str, settings: Settings) -> dict[str, UsageTotal]:
    return dict(sum_costs(report, IndexUsageSource(handle), now=NOW, settings=settings))


def kept(handle: IndexHandle, report: str, settings: Settings) -> dict[str, UsageTotal]:
    return dict(load_indexed_costs(report, handle, now=NOW, settings=settings))


@pytest.mark.parametrize("report", ["session", "project"])
def test_kept_costs_are_those_that_would_be_counted(
    home: Home, tmp_path: Path, report: str
) -> None:
    write(home, "one", story("one"))
    write(home, "two", story("two"))
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        first = kept(handle, report, Settings())
        again = kept(handle, report, Settings())

        assert first == again == counted(handle, report, Settings())
        assert sum(amount.tokens for amount in again.values()) > 0


def appended(path: Path) -> None:
    path.write_bytes(path.read_bytes() + story("more"))


def shortened(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))


@pytest.mark.parametrize("change", [appended, shortened, Path.unlink])
def test_costs_are_counted_anew_when_a_file_has_changed(
    home: Home, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    path = write(home, "one", story("one"))
    write(home, "two", story("two"))
    index = tmp_path / "index.sqlite"
    with open_index([home.path], index) as handle:
        before = kept(handle, "session", Settings())
    change(path)

    with open_index([home.path], index) as handle:
        after = kept(handle, "session", Settings())

        assert after == counted(handle, "session", Settings())
    assert (after == before) is (change is Path.unlink)  # what was spent stays spent


def test_another_price_gives_another_answer(home: Home, tmp_path: Path) -> None:
    write(home, "one", story("one"))
    dear = Settings(prices={MODEL: {"input": 1_000.0, "output": 5_000.0}})
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        models = {builder.lines[0].model for builder in handle.store.usages() if builder.lines}
        assert models == {MODEL}
        usual = kept(handle, "session", Settings())

        assert kept(handle, "session", dear) == counted(handle, "session", dear) != usual


def test_who_may_not_write_gets_the_same_answer(home: Home, tmp_path: Path) -> None:
    write(home, "one", story("one"))
    index = tmp_path / "index.sqlite"
    with open_index([home.path], index) as handle:
        wanted = counted(handle, "session", Settings())
        reading = SqliteStore(index, reading=True)
        try:
            shut = IndexHandle(reading, index, handle.folders, None, handle.report)

            assert kept(shut, "session", Settings()) == wanted
        finally:
            reading.close()


def test_a_kept_answer_that_makes_no_sense_is_counted_anew(home: Home, tmp_path: Path) -> None:
    write(home, "one", story("one"))
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        wanted = kept(handle, "session", Settings())
        store = handle.store
        assert isinstance(store, SqliteStore)
        store.connection.execute("update answer set answer = x'ff00ff'")

        assert kept(handle, "session", Settings()) == wanted
