"""Any value in any field: nothing stops the index, nor the questions asked of it."""

import json
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from bough.query.index.handle import open_index
from bough.query.stats.overview import build_stats_overview
from bough.sample import session
from bough.store.stats_protocol import StatsScope

ODD: tuple[Any, ...] = (
    *("\ud800x", "", "\x00", "a" * 300),
    *(10**30, -(10**30), 1.5, float("nan"), float("inf"), None, True),
    *([], {}, [1], {"a": 1}, [{"command": 5}], ["\ud800"]),
)


@pytest.mark.slow
def test_any_value_in_any_field_is_indexed_and_counted(tmp_path: Path) -> None:
    records = [*_told("2.1.50"), *_told("2.1.250")]
    lines = [
        json.dumps(_changed(record, place, odd))
        for record in records
        for place in _places(record)
        for odd in ODD
    ]
    folder = tmp_path / "claude" / "projects" / "-odd"
    folder.mkdir(parents=True)
    (folder / "odd.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    with open_index([tmp_path / "claude"], tmp_path / "index.sqlite") as index:
        counted = build_stats_overview(index.store.behaviour(), StatsScope(), UTC)
        with index.store.sql("select count(*), count(json) from record_json") as answer:
            ((kept, readable),) = answer.rows

    assert kept == readable == len(lines)
    assert counted.tools.calls
    assert counted.hooks.runs
    assert counted.errors.retries
    assert counted.compactions.count


def _told(version: str) -> list[dict[str, Any]]:
    """Make one record of each kind that the index keeps something special of."""
    made = session(version=version).user("go").tool("Read", {"file_path": "/a"}, "x")
    made.hook("Stop", "lint.sh").hook("Stop", "lint.sh", outcome="blocking_error")
    made.stop_hooks("lint.sh", errors=["[lint.sh]: no"]).retry().api_error().interrupt()
    made.informational("PostToolUse:Bash [c] completed successfully: x")
    made.agent("Explore", "look", echoed=version < "2.1.82").compact()
    return [dict(record) for record in made.records()]


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """List the ways to every value inside a record, its type left out."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, item in value.items() if isinstance(value, dict) else ():
        yield from _places(item, (*place, key))
    if place and place != ("type",):
        yield place


def _changed(record: dict[str, Any], place: tuple[Any, ...], odd: object) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(record))
    at: Any = copy
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = odd
    return copy
