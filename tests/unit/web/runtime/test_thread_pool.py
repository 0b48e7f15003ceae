"""Threads that ask, so that the loop does not wait."""

import asyncio
import threading
import time

import pytest

from bough.web.runtime.thread_pool import WorkerThreads


def test_what_work_gives_or_raises_comes_back() -> None:
    workers = WorkerThreads(2, "test")

    async def run() -> int:
        with pytest.raises(ZeroDivisionError):
            await workers.run_and_wait(lambda: 1 // 0)
        return await workers.run_and_wait(lambda: 6 * 7)

    assert asyncio.run(run()) == 42


@pytest.mark.alone
def test_the_loop_goes_on_meanwhile() -> None:
    workers = WorkerThreads(2, "test")

    async def run() -> float:
        work = asyncio.ensure_future(workers.run_and_wait(lambda: time.sleep(0.3)))
        begun = time.monotonic()
        await asyncio.sleep(0)
        passed = time.monotonic() - begun
        await work
        return passed

    assert asyncio.run(run()) < 0.2


def test_who_no_longer_waits_disturbs_nobody() -> None:
    workers = WorkerThreads(1, "test")
    go = threading.Event()

    async def run() -> int:
        waiting = asyncio.ensure_future(workers.run_and_wait(go.wait))
        await asyncio.sleep(0.01)
        waiting.cancel()
        go.set()
        return await workers.run_and_wait(lambda: 1)

    assert asyncio.run(run()) == 1


def test_work_in_the_background_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    workers = WorkerThreads(1, "test")
    done = threading.Event()

    workers.run_later(lambda: 1 // 0)
    workers.run_later(done.set)

    assert done.wait(5)
    assert "ZeroDivisionError" in caplog.text
