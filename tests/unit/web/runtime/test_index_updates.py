"""The index brought up to date behind the web app, and what is made ahead for its reports."""

import threading
from pathlib import Path

import pytest

from bough.library import IndexAccess
from bough.query.stats import background_sums
from bough.query.stats.stats_report import list_sum_kinds
from bough.sample import session
from bough.store.sqlite.store import SqliteStore
from bough.web.runtime.index_updates import IndexUpdater
from bough.web.wire.about import IndexStatus
from tests.changing_history import START, act

PATIENCE = 60.0


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> IndexAccess:
    """Write a session that nobody has indexed."""
    monkeypatch.setattr(background_sums, "_FEW", 0)
    made = session(start=START).user("hi")
    act(made, "tools")
    made.write(tmp_path / "claude")
    return IndexAccess([str(tmp_path / "claude")], str(tmp_path / "index.sqlite"))


def _read_all(source: IndexAccess, *, is_stopped: bool) -> list[IndexStatus]:
    """Bring the index up to date, and wait until everything behind it is done."""
    heard: list[IndexStatus] = []
    updater = IndexUpdater(source, lambda: 1, heard.append, lambda: None)
    if is_stopped:
        updater.stop()
    before = set(threading.enumerate())
    updater.start()
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
    return heard


def _count_missing(source: IndexAccess) -> int:
    store = SqliteStore(source.index_path)
    try:
        return store.behaviour().count_missing(list_sum_kinds())
    finally:
        store.close()


def test_when_all_is_read_the_sums_of_reports_are_made(source: IndexAccess) -> None:
    heard = _read_all(source, is_stopped=False)

    assert heard[-1].state == "ready"
    assert _count_missing(source) == 0


def test_who_stops_has_no_sums_made(source: IndexAccess) -> None:
    heard = _read_all(source, is_stopped=True)

    assert heard[-1].state == "ready"
    assert _count_missing(source) > 0
