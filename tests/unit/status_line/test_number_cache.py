"""The cache of numbers: small, whole, and renewed by one process at a time."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bough.status_line.client_status import ClientStatus
from bough.status_line.limit_log import MOST_BYTES as MOST_LOGGED
from bough.status_line.limit_log import find_log_path, log_limits
from bough.status_line.number_cache import (
    MOST_BYTES,
    STALE_SECONDS,
    claim_refresh,
    find_cache_path,
    read_numbers,
    write_numbers,
)

NOW = 1_794_830_000.0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "claude").mkdir()
    return str(tmp_path / "claude")


def cache_of(folder: str, suffix: str = ".json") -> Path:
    return Path(find_cache_path(folder, suffix) or "")


def age_lock(folder: str, seconds: float) -> None:
    lock = cache_of(folder, ".lock")
    os.utime(lock, (lock.stat().st_mtime - seconds,) * 2)


def test_numbers_come_back(folder: str) -> None:
    write_numbers(folder, {"at": NOW - 5, "day": 1.5}, ["one", "two"])
    found = read_numbers(folder, NOW)

    assert found is not None
    assert (found.age, found.day_cost, found.count_waiting("one")) == (5, 1.5, 1)
    assert found.count_waiting("other") == 2
    assert cache_of(folder).stat().st_mode & 0o077 == 0
    assert [one.name for one in cache_of(folder).parent.iterdir()] == [cache_of(folder).name]


def test_a_folder_has_one_cache_whatever_it_is_called(folder: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)

    assert find_cache_path(str(tmp_path / "link")) == find_cache_path(folder)
    assert find_cache_path(str(tmp_path)) != find_cache_path(folder)


def test_many_who_wait_are_counted_and_the_file_stays_small(folder: str) -> None:
    write_numbers(folder, {"at": NOW}, [f"{number:036d}" for number in range(5_000)])
    found = read_numbers(folder, NOW)

    assert cache_of(folder).stat().st_size <= MOST_BYTES
    assert found is not None
    assert found.count_waiting() == 5_000


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"\xff", b'{"at": 1', b"[" * 4_000, b'{"folder": "/other"}', b"x" * 5_000]
)
def test_a_file_that_is_none_of_ours_is_as_if_there_were_none(folder: str, data: bytes) -> None:
    cache_of(folder).parent.mkdir(parents=True)
    cache_of(folder).write_bytes(data)

    assert read_numbers(folder, NOW) is None


def test_numbers_of_the_future_do_not_count(folder: str) -> None:
    write_numbers(folder, {"at": NOW + 3_600}, [])

    assert read_numbers(folder, NOW) is None


def test_numbers_that_took_long_are_counted_anew_more_rarely(folder: str) -> None:
    write_numbers(folder, {"at": NOW, "took": 10}, [])

    assert [bool(n and n.is_due) for n in (read_numbers(folder, NOW + s) for s in (150, 201))] == [
        False,
        True,
    ]


def test_of_many_who_ask_at_once_one_counts(folder: str) -> None:
    with ThreadPoolExecutor(20) as pool:
        claims = list(pool.map(lambda _: claim_refresh(folder, time.time()), range(200)))

    assert claims.count(True) == 1


def test_a_lock_that_was_left_behind_is_taken_by_one(folder: str) -> None:
    now = 0.0
    assert claim_refresh(folder, now)
    now = cache_of(folder, ".lock").stat().st_mtime
    assert not claim_refresh(folder, now + STALE_SECONDS - 5)
    age_lock(folder, STALE_SECONDS + 1)

    with ThreadPoolExecutor(20) as pool:
        claims = list(pool.map(lambda _: claim_refresh(folder, now), range(200)))

    assert claims.count(True) == 1


def test_who_writes_the_numbers_lets_the_lock_go(folder: str) -> None:
    assert claim_refresh(folder, NOW)
    write_numbers(folder, {"at": NOW}, [])

    assert not cache_of(folder, ".lock").exists()
    assert not claim_refresh(folder, NOW + 30)
    assert claim_refresh(folder, NOW + 61)


def test_without_a_place_for_data_nobody_counts(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/nowhere")

    assert not claim_refresh(folder, NOW)
    assert read_numbers(folder, NOW) is None


def limits(percent: float) -> ClientStatus:
    return ClientStatus({"rate_limits": {"five_hour": {"used_percentage": percent}, "x": {}}})


def test_limits_are_kept_once_as_long_as_they_are_the_same(folder: str) -> None:
    for at, percent in enumerate((10, 10, 11, 11, 10)):
        log_limits(limits(percent), NOW + at)
    log_limits(ClientStatus({"rate_limits": {"five_hour": {"used_percentage": "1"}}}), NOW)
    lines = Path(find_log_path() or "").read_text().splitlines()

    assert [json.loads(line) for line in lines] == [
        {"at": NOW + at, "five_hour": {"used_percentage": percent}}
        for at, percent in ((0, 10.0), (2, 11.0), (4, 10.0))
    ]


def test_the_file_of_limits_does_not_grow_without_end(folder: str) -> None:
    path = Path(find_log_path() or "")
    path.parent.mkdir(parents=True)
    for _ in range(3):
        path.write_bytes(b"x" * MOST_LOGGED + b"\n")
        log_limits(limits(1), NOW)

    assert {one.name for one in path.parent.iterdir()} == {"limits.jsonl.1"}
    assert path.with_name("limits.jsonl.1").stat().st_size < MOST_LOGGED + 200
