"""The way in: whatever happened to the files, the index ends as if made anew."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bough.errors import IndexTrouble
from bough.ingest.index.refresh import RefreshReport, refresh_index
from bough.ingest.index.refresh_run import LARGE
from bough.sample import session
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home
from tests.index_rows import rows_of
from tests.sampled import scale_examples

pytestmark = pytest.mark.writes_home


def _refresh(home: Path, index: Path) -> RefreshReport:
    store = SqliteStore(index)
    try:
        return refresh_index(store, [home])
    finally:
        store.close()


def _same_as_fresh(home: Path, index: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.sqlite"
    for left in tmp_path.glob("fresh.sqlite*"):
        left.unlink()
    _refresh(home, fresh)

    assert rows_of(index) == rows_of(fresh)


def _story(seed: str = "one") -> bytes:
    builder = session(seed, cwd="/home/dev/orchard")
    builder.user("Make it resumable", name="P1").assistant("It is now.", name="A1")
    builder.user("Check it").tool("Bash", {"command": "make check"}, "all good 漢字の話")
    builder.assistant("Done.").at("A1").user("Another way")
    return builder.bytes()


def _write(home: Home, name: str, data: bytes) -> Path:
    path = home.projects / "-home-dev-orchard" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_a_first_run_reads_everything_and_a_second_nothing(home: Home, tmp_path: Path) -> None:
    data = _story()
    _write(home, "one", data)
    index = tmp_path / "index.sqlite"

    first = _refresh(home.path, index)
    second = _refresh(home.path, index)

    assert (first.files, first.bytes) == (1, len(data))
    assert (second.files, second.bytes) == (0, 0)


def test_what_cannot_be_listed_is_named_by_a_first_run_and_by_the_next(
    home: Home, tmp_path: Path
) -> None:
    _write(home, "one", _story())
    loop = home.projects / "-home-dev-loop"
    loop.symlink_to(loop)
    index = tmp_path / "index.sqlite"

    first = _refresh(home.path, index)
    second = _refresh(home.path, index)

    assert [problem.path for problem in first.problems] == [loop]
    assert second.problems == first.problems


def test_a_first_index_leaves_the_settings_of_its_connection_as_they_were(
    home: Home, tmp_path: Path
) -> None:
    _write(home, "one", _story())
    store = SqliteStore(tmp_path / "index.sqlite")

    def read_settings() -> list[object]:
        return [
            store.connection.execute(f"pragma {name}").fetchone()
            for name in ("cache_size", "threads")
        ]

    before = read_settings()
    refresh_index(store, [home.path])
    after = read_settings()
    store.close()

    assert after == before


def test_an_append_costs_only_the_append(home: Home, tmp_path: Path) -> None:
    data = _story()
    start = data.index(b"\n", len(data) // 2) + 1
    path = _write(home, "one", data[:start])
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    with path.open("ab") as file:
        file.write(data[start:])

    report = _refresh(home.path, index)

    assert report.bytes == len(data) - start
    _same_as_fresh(home.path, index, tmp_path)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_line_is_taken_back_when_its_end_comes(home: Home, tmp_path: Path, cut: int) -> None:
    data = _story()
    path = _write(home, "one", data[: -cut - 1])
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    with path.open("ab") as file:
        file.write(data[-cut - 1 :])

    _refresh(home.path, index)

    _same_as_fresh(home.path, index, tmp_path)


def test_a_file_that_shrinks_is_read_anew(home: Home, tmp_path: Path) -> None:
    data = _story()
    path = _write(home, "one", data)
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    path.write_bytes(data[: data.index(b"\n") + 1])

    _refresh(home.path, index)

    _same_as_fresh(home.path, index, tmp_path)


def test_a_replaced_file_is_read_anew(home: Home, tmp_path: Path) -> None:
    path = _write(home, "one", _story())
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    other = path.with_suffix(".new")
    other.write_bytes(_story("two") + _story("three"))
    other.replace(path)

    _refresh(home.path, index)

    _same_as_fresh(home.path, index, tmp_path)


def test_a_renamed_file_is_not_called_deleted(home: Home, tmp_path: Path) -> None:
    path = _write(home, "one", _story())
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    path.rename(path.with_name("two.jsonl"))

    report = _refresh(home.path, index)
    store = SqliteStore(index)
    listed = [(row.id, row.deleted_at) for row in store.sessions()]
    store.close()

    assert report.deleted == 0
    assert listed == [("two", None)]
    _same_as_fresh(home.path, index, tmp_path)


def test_a_deleted_session_stays_listed_with_its_numbers(home: Home, tmp_path: Path) -> None:
    path = _write(home, "one", _story())
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    path.unlink()

    report = _refresh(home.path, index)
    store = SqliteStore(index)
    (row,) = store.sessions()
    store.close()

    assert report.deleted == 1
    assert row.deleted_at is not None
    assert (row.title, row.tips) == ("Make it resumable", 2)


def test_a_restored_file_is_alive_again(home: Home, tmp_path: Path) -> None:
    path = _write(home, "one", _story())
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    path.unlink()
    _refresh(home.path, index)
    _write(home, "one", _story())

    _refresh(home.path, index)

    _same_as_fresh(home.path, index, tmp_path)


def test_files_of_other_claude_folders_are_left_alone(home: Home, tmp_path: Path) -> None:
    _write(home, "one", _story())
    index = tmp_path / "index.sqlite"
    _refresh(home.path, index)
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "projects").mkdir(parents=True)

    report = _refresh(elsewhere, index)

    assert report.deleted == 0


def test_a_large_file_read_in_stretches_gives_the_same_rows(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(home, "one", _story() + _story("more"))
    whole, pieces = tmp_path / "whole.sqlite", tmp_path / "pieces.sqlite"
    _refresh(home.path, whole)
    monkeypatch.setattr("bough.ingest.index.refresh_run.LARGE", 0)
    monkeypatch.setattr("bough.ingest.index.read_file.STRETCH", 500)

    _refresh(home.path, pieces)

    assert LARGE > 0
    assert rows_of(pieces) == rows_of(whole)


def test_two_writers_do_not_write_at_once(home: Home, tmp_path: Path) -> None:
    _write(home, "one", _story())
    index = tmp_path / "index.sqlite"
    first, second = SqliteStore(index), SqliteStore(index)
    with first.writing(), pytest.raises(IndexTrouble, match="another bough"):
        refresh_index(second, [home.path])
    first.close()
    second.close()


_ACTIONS = st.lists(
    st.sampled_from(["append", "tear", "mend", "shrink", "rewrite", "rename", "delete", "new"]),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@settings(
    max_examples=scale_examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(actions=_ACTIONS, seed=st.integers(0, 10**6))
def test_any_sequence_of_changes_ends_like_a_fresh_index(
    home: Home, tmp_path: Path, actions: list[str], seed: int
) -> None:
    for left in [*home.projects.rglob("*.jsonl"), *tmp_path.glob("*.sqlite*")]:
        left.unlink()
    index = tmp_path / "index.sqlite"
    path = _write(home, f"s{seed}", _story(f"s{seed}"))
    _refresh(home.path, index)
    for number, action in enumerate(actions):
        path = _change(path, action, f"{seed}-{number}")
        _refresh(home.path, index)

    _same_as_fresh(home.path, index, tmp_path)


def _change(path: Path, action: str, seed: str) -> Path:
    data = path.read_bytes() if path.exists() else b""
    changes: dict[str, Callable[[], bytes]] = {
        "append": lambda: data + _story(seed),
        "tear": lambda: data + _story(seed)[:77],
        "mend": lambda: data + b'"}}\n',
        "shrink": lambda: data[: len(data) // 2],
        "rewrite": lambda: _story(seed) + data,
        "new": lambda: _story(seed),
    }
    if action == "delete":
        path.unlink(missing_ok=True)
        return path
    if action == "rename":
        target = path.with_name(f"r{seed}.jsonl")
        if path.exists():
            path.rename(target)
        return target
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(changes[action]())
    # Two writes within one tick of the clock must not look like none.
    os.utime(path, ns=(0, 1_000_000_000 + hash(seed) % 10**12))
    return path


def test_a_first_reading_that_was_killed_at_its_very_end_is_finished_by_the_next(
    home: Home, tmp_path: Path
) -> None:
    index = tmp_path / "index.sqlite"
    _write(home, "one", _story())
    _refresh(home.path, index)
    store = SqliteStore(index)
    try:
        store.connection.execute("drop index record_uuid")
        assert not store.is_complete()

        refresh_index(store, [home.path])

        assert store.is_complete()
    finally:
        store.close()
