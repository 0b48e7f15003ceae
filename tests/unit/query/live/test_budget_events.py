"""Budgets that are used up: each is an event once, when it happens."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.live import status_numbers
from bough.query.live.budget_events import BudgetWatcher
from bough.query.live.events import StreamEvent
from bough.query.live.running_sessions import LiveSession, list_live_sessions
from bough.query.live.stream import Stream, open_stream
from bough.sample import session
from tests.conftest import Home

NOW = 1_794_830_000.0


def rows(home: Home) -> list[LiveSession]:
    with home.writing():
        session("s", cwd="/home/dev/shop", session_id="one").user("Go").write(home.path)
    return list_live_sessions([str(home.path)], since=datetime(2000, 1, 1, tzinfo=UTC), quick=True)


def numbers(day: float, over: dict[str, float], **more: object) -> dict[str, object]:
    budgets = {"day_budget": 40.0, "session_budget": 5.0}
    return {"at": NOW, "day": day, "day_ends": NOW + 60, "over": over, **budgets, **more}


def texts(events: list[StreamEvent]) -> list[tuple[str, str]]:
    return [(event.session, event.text) for event in events]


def test_what_was_over_before_tells_nobody_and_what_is_over_later_is_told_once(home: Home) -> None:
    live, watcher = rows(home), BudgetWatcher()
    told = [
        texts(watcher.find_crossings(one, live))
        for one in (
            numbers(1.0, {"one": 5.5}),
            numbers(40.0, {"one": 6.0}),
            numbers(41.0, {"one": 6.5}),
            numbers(50.0, {"one": 6.5}, session_budget=6.0),
            numbers(41.0, {}, day_ends=NOW + 86_460),
        )
    ]

    assert told == [
        [],
        [("", "the day is over budget: $40.00 of $40.00")],
        [],
        [("one", "over budget: $6.50 of $6.00")],
        [("", "the day is over budget: $41.00 of $40.00")],
    ]


def test_who_follows_some_sessions_hears_of_theirs_and_not_of_the_day(home: Home) -> None:
    live, watcher = rows(home), BudgetWatcher(with_day=False)
    watcher.find_crossings(numbers(1.0, {}), live)

    found = watcher.find_crossings(numbers(41.0, {"one": 5.5, "other": 9.0}), live)

    assert [(e.kind, e.session, e.name, e.project) for e in found] == [
        ("budget", "one", "shop", "-home-dev-shop")
    ]


def test_the_stream_tells_of_a_session_that_goes_over_its_budget(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "bough").mkdir()
    (tmp_path / "bough" / "settings.json").write_text(json.dumps({"budget_session": 1e-6}))
    monkeypatch.setattr(status_numbers, "_FIRST", 0.0)
    monkeypatch.setattr(status_numbers, "_EVERY", 0.0)
    monkeypatch.setattr(status_numbers, "_SHARE", 0)
    builder = session("s", cwd="/home/dev/shop", session_id="one").user("Go")
    with home.writing():
        path = builder.write(home.path)
    with open_stream([str(home.path)], ["shop"]) as stream:
        stream.past()
        _wait(lambda: stream.next(0.05) == [] and _has_counted(stream))
        more = session("t", cwd="/home/dev/shop", session_id="one").assistant("Done.")
        with home.writing(), path.open("ab") as file:
            file.write(more.bytes())
        told: list[StreamEvent] = []

        def is_told() -> bool:
            told.extend(event for event in stream.next(0.05) if event.kind == "budget")
            return bool(told)

        _wait(is_told)

    assert [(one.session, one.text.partition(" of ")[2]) for one in told] == [("one", "<$0.01")]


def _has_counted(stream: Stream) -> bool:
    assert stream.numbers is not None
    return stream.numbers._budgets._begun


def _wait(is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not is_done():
        assert time.monotonic() < deadline
