"""Sums that are made before anybody asks for a report."""

import subprocess
from pathlib import Path

import pytest

from bough.query.stats import background_sums
from bough.query.stats.background_sums import BackgroundSums
from bough.query.stats.stats_report import list_sum_kinds
from bough.sample import session
from bough.store.sqlite.store import SqliteStore
from bough.store.stats_protocol import StatsScope
from tests.changing_history import START, act
from tests.counted import compare_reports
from tests.indexed import indexed

ALL = StatsScope()


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """Index two sessions; no report was asked for."""
    sessions = [session(name, start=START).user("hi") for name in ("one", "two")]
    for made in sessions:
        act(made, "tools")
    with indexed(tmp_path, *sessions):
        pass
    return tmp_path / "index.sqlite"


def _count_missing(index: Path) -> int:
    store = SqliteStore(index)
    try:
        return store.behaviour().count_missing(list_sum_kinds())
    finally:
        store.close()


def test_another_process_makes_all_that_are_missing(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_sums, "_FEW", 0)
    assert _count_missing(index) == 2 * len(list_sum_kinds())

    BackgroundSums(index).run()

    assert _count_missing(index) == 0


def test_reports_of_sums_that_were_made_ahead_are_those_of_all_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_sums, "_FEW", 0)
    made = session(start=START).user("hi")
    act(made, "tools")
    with indexed(tmp_path, made) as handle:
        BackgroundSums(handle.path).run()

        compare_reports(handle, ALL)


def test_few_are_left_to_whoever_asks(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)

    BackgroundSums(index).run()

    assert _count_missing(index) > 0


def test_who_is_stopped_first_makes_none(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_sums, "_FEW", 0)
    work = BackgroundSums(index)
    work.stop()

    work.run()

    assert _count_missing(index) > 0


def test_an_index_that_is_none_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_sums, "_FEW", 0)
    (tmp_path / "index.sqlite").write_bytes(b"this is no index" * 1000)

    BackgroundSums(tmp_path / "index.sqlite").run()

    assert (tmp_path / "index.sqlite").read_bytes() == b"this is no index" * 1000
