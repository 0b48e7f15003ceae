"""Threads that ask the library, so that the loop which serves never waits for a disk.

Few of them: the work is mostly Python's, and more threads would only make each answer
later. They are daemons: leaving must not wait for somebody who reads a large file.
"""

import asyncio
import contextvars
import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, TypeVar

T = TypeVar("T")
_log: Final = logging.getLogger(__name__)


class WorkerThreads:
    """A few threads that take work in the order it comes."""

    def __init__(self, number: int, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        for one in range(number):
            threading.Thread(target=self._run, name=f"{name}-{one}", daemon=True).start()

    async def run_and_wait(self, work: Callable[[], T]) -> T:
        """Have something done, and wait for what it gives or raises."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def settle(act: Callable[[], None]) -> None:
            if not done.cancelled():
                act()

        def run() -> None:
            try:
                found = work()
            except Exception as error:  # noqa: BLE001 - it is raised where it is awaited
                _notify_loop(loop, settle, lambda error=error: done.set_exception(error))  # type: ignore[misc]
            else:
                _notify_loop(loop, settle, lambda: done.set_result(found))

        self._put(run)
        return await done

    def run_later(self, work: Callable[[], object]) -> None:
        """Have something done some time; nobody waits for it."""

        def run() -> None:
            try:
                work()
            except Exception:  # noqa: BLE001 - nobody else would hear of it
                _log.exception("Work in the background failed.")

        self._put(run)

    def _put(self, run: Callable[[], None]) -> None:
        """Have something done as whoever asks for it: what a store shows depends on that."""
        context = contextvars.copy_context()
        self._work.put(lambda: context.run(run))

    def _run(self) -> None:
        while True:
            self._work.get()()


def _notify_loop(
    loop: asyncio.AbstractEventLoop,
    settle: Callable[[Callable[[], None]], None],
    act: Callable[[], None],
) -> None:
    """Tell the loop, if it still listens."""
    try:
        loop.call_soon_threadsafe(settle, act)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return
