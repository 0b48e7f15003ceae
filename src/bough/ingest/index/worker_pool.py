"""Worker processes that read files while another writes or counts what they found.

Not a pool of the standard library: that unpacks results in a thread of its own, and the writer,
who lets go of the interpreter at every row, then waits for it at every row. Here a thread only
moves bytes, and results are unpacked where they are used.
"""

import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Generic, TypeVar

from bough.memory import collect_now, exempt_existing_objects, pause_collector

_COLLECT_EVERY = 16
_AHEAD = 16
"""So many groups are under way for each worker."""
_PIPE = 1024 * 1024
"""As much as a system lets a pipe hold, if nobody told it otherwise."""

T = TypeVar("T")
R = TypeVar("R")


class WorkerPool(Generic[T, R]):
    """Some processes that work on one group of things after the other; close them when done.

    They step back behind their owner by `niceness`, where it is the owner who is waited for.
    """

    def __init__(self, count: int, work: Callable[[T], R], *, niceness: int = 1) -> None:
        # Workers that are forked need not import anything again; elsewhere they are started.
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._work = work
        self._workers = [_Worker(context, work, niceness) for _ in range(count)]

    def __enter__(self) -> "WorkerPool[T, R]":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.close()

    def map(self, things: Iterable[T]) -> Iterator[R]:
        """Give what comes of each thing, in their order; some are always worked on ahead."""
        given: deque[Callable[[], R]] = deque()
        for thing in things:
            given.append(self.submit(thing))
            if len(given) > _AHEAD * len(self._workers):
                yield given.popleft()()
        while given:
            yield given.popleft()()

    def submit(self, thing: T) -> Callable[[], R]:
        """Have a thing worked on; what is given waits for what comes of it, in this order."""
        worker = min(self._workers, key=lambda one: one.owes)
        worker.give(thing)
        return partial(self._take_result, worker, thing)

    def _take_result(self, worker: "_Worker", thing: T) -> R:
        answer = worker.take()
        if answer is None:  # it was killed: somebody has to do its work
            return self._work(thing)
        found: R | Exception = pickle.loads(answer)  # noqa: S301 - our own process wrote it
        if isinstance(found, Exception):
            raise found
        return found


class _Worker:
    """One process, and the thread that takes in what it sends."""

    def __init__(
        self, context: multiprocessing.context.BaseContext, work: Callable[[T], R], niceness: int
    ) -> None:
        asks, self._asked = context.Pipe(duplex=False)
        self._answered, answers = context.Pipe(duplex=False)
        _widen_pipe(answers)
        args = (work, asks, answers, niceness)
        self._process = context.Process(target=_serve, args=args, daemon=True)  # type: ignore[attr-defined] # every context has it
        self._process.start()
        asks.close()
        answers.close()
        self.owes = 0
        self._came: SimpleQueue[bytes | None] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def give(self, thing: object) -> None:
        self.owes += 1
        try:
            self._asked.send(thing)
        except OSError:
            return  # it was killed; `take` says so

    def take(self) -> bytes | None:
        """Wait for the oldest answer that is due; None where none will come."""
        self.owes -= 1
        answer = self._came.get()
        if answer is None:
            self._came.put(None)
        return answer

    def close(self) -> None:
        self._asked.close()
        # Killed and not asked to end: it holds nothing, and may have inherited who refuses.
        self._process.kill()
        self._process.join()

    def _listen(self) -> None:
        try:
            while True:
                self._came.put(self._answered.recv_bytes())
        except (EOFError, OSError):
            self._came.put(None)


def _widen_pipe(pipe: Connection) -> None:
    """Let a whole answer fit into a pipe, where the system can.

    Fast path: a first index. A worker goes on at once, and an answer is taken in in one step
    instead of a dozen; for each the listening thread would wait for the interpreter.
    """
    if sys.platform != "linux":
        return
    from fcntl import F_SETPIPE_SZ, fcntl  # noqa: PLC0415 - other systems have no such thing

    with suppress(OSError):  # a user may have too many of them
        fcntl(pipe.fileno(), F_SETPIPE_SZ, _PIPE)


def _serve(work: Callable[[T], R], asks: Connection, answers: Connection, niceness: int) -> None:
    """Work until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner, who ends us
    # Fast path: a first index, a tenth cheaper (see bough.memory).
    exempt_existing_objects()
    if hasattr(os, "nice"):
        os.nice(niceness)
    Thread(target=_end_with_owner, daemon=True).start()
    # Few of the values that files are read into hold on to themselves in circles. They are
    # looked for between groups.
    with pause_collector():
        _answer_all(work, asks, answers)


def _answer_all(work: Callable[[T], R], asks: Connection, answers: Connection) -> None:
    done = 0
    while True:
        try:
            thing = asks.recv()
        except (EOFError, OSError):
            return
        found: R | Exception
        try:
            found = work(thing)
        except Exception as error:  # noqa: BLE001 - whoever asked shall know
            found = error
        answers.send_bytes(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))
        del found, thing
        done += 1
        if done % _COLLECT_EVERY == 0:
            collect_now()


def _end_with_owner() -> None:
    """End when the owner is killed, whatever the work."""
    owner = multiprocessing.parent_process()
    if owner is not None:
        owner.join()
        os._exit(1)
