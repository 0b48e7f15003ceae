"""Processes that work ahead: in order, all of it, whatever becomes of them."""

import os
import signal
import time

import pytest

from bough.ingest.index.worker_pool import WorkerPool

_OWNER = os.getpid()


def doubled(number: int) -> int:
    time.sleep(0.002 * (number % 3))
    return number * 2


def who(_: int) -> int:
    return os.getpid()


def failing(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def dying(number: int) -> int:
    if number == 5 and os.getpid() != _OWNER:
        os._exit(9)
    return number


def test_answers_come_in_the_order_of_what_was_given() -> None:
    with WorkerPool(2, doubled) as workers:
        assert list(workers.map(range(100))) == [number * 2 for number in range(100)]


def test_what_is_submitted_is_worked_on_while_the_owner_does_something_else() -> None:
    with WorkerPool(1, who) as workers:
        answer = workers.submit(0)

        assert answer() != _OWNER


def test_the_work_is_done_elsewhere_by_all_of_them() -> None:
    with WorkerPool(2, who) as workers:
        seen = set(workers.map(range(40)))

    assert len(seen) == 2
    assert _OWNER not in seen


def test_an_error_of_a_worker_is_raised_here() -> None:
    with WorkerPool(2, failing) as workers:
        found = workers.map(range(6))
        assert [next(found), next(found), next(found)] == [0, 1, 2]
        with pytest.raises(ValueError, match="three"):
            next(found)


def test_what_a_killed_worker_owed_is_done_here() -> None:
    with WorkerPool(2, dying) as workers:
        assert list(workers.map(range(40))) == list(range(40))


def test_large_answers_do_not_block_anybody() -> None:
    with WorkerPool(2, bytes) as workers:
        assert [len(one) for one in workers.map([3_000_000] * 12)] == [3_000_000] * 12


def test_who_refuses_to_end_is_ended_all_the_same() -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with WorkerPool(2, who) as workers:
            assert len(list(workers.map(range(4)))) == 4
    finally:
        signal.signal(signal.SIGTERM, before)


def test_nobody_is_left_behind() -> None:
    with WorkerPool(2, who) as workers:
        pids = set(workers.map(range(20)))

    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
