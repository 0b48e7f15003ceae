"""Patterns that somebody typed, matched in a process that is ended when they take too long.

A pattern such as (a|a)*b may run for longer than the universe is old, and Python's `re` lets
nobody else run meanwhile: no other request of a server, no Ctrl-C in a thread. Hence a process
of its own, kept for the next question, and killed where it is late (docs/decisions, 16).
"""

import atexit
import marshal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import IO, Final, TypeAlias

from msgspec import Struct

from bough.errors import BoughError
from bough.query.search import pattern_worker
from bough.query.search.pattern_worker import LENGTH, NUMBER, READY, SPAN

Span: TypeAlias = tuple[int, int]
Spans: TypeAlias = tuple[Span, ...]

_KEPT: Final = 2
_START: Final = 20.0


class PatternSource(Struct, frozen=True):
    """A pattern as `re` reads it, and the flags it is compiled with."""

    pattern: str
    flags: int = 0


class PatternMatches(Struct):
    """For each text that was done, in order, the matches of each pattern.

    Where it was stopped, the text behind the last one was being matched for `stopped_after`
    seconds; None where all were done.
    """

    spans: list[tuple[Spans, ...]]
    stopped_after: float | None = None


class PatternTrouble(BoughError):
    """Say that no process for patterns can be started."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "A pattern is matched in a process of its own, and that cannot be started: "
            f"{reason}. Search for words instead."
        )


def match_patterns(
    patterns: Sequence[PatternSource], texts: Sequence[str], *, seconds: float, most: int = 1
) -> PatternMatches:
    """Find the first matches of patterns in texts, as far as that takes no longer than said.

    Raises:
        PatternTrouble: The process could not be started.
    """
    if not texts or seconds <= 0:
        return PatternMatches([], 0.0 if texts else None)
    process = _take_process()
    try:
        return process.match(patterns, texts, seconds, most)
    except BaseException:  # somebody pressed Ctrl-C: what it would still answer is for nobody
        process.kill()
        raise
    finally:
        _give_back(process)


class _PatternProcess:
    """One process of `pattern_worker`, for one question at a time."""

    def __init__(self) -> None:
        # -S and -I: nothing but Python's own modules, so that it starts soon.
        command = [sys.executable, "-I", "-S", "-B", pattern_worker.__file__]
        try:
            self._child = subprocess.Popen(  # noqa: S603 - Python itself, with a file of ours
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise PatternTrouble(error.strerror or str(error)) from error
        assert self._child.stdin is not None  # noqa: S101 - both are pipes
        assert self._child.stdout is not None  # noqa: S101
        self._asked: IO[bytes] = self._child.stdin
        self._answers: IO[bytes] = self._child.stdout
        self._was_killed = False
        self._await_start()

    @property
    def is_alive(self) -> bool:
        return not self._was_killed and self._child.poll() is None

    def match(
        self, patterns: Sequence[PatternSource], texts: Sequence[str], seconds: float, most: int
    ) -> PatternMatches:
        found = PatternMatches([])
        asked = [(one.pattern, int(one.flags)) for one in patterns]
        question = marshal.dumps((asked, most, seconds, list(texts)))
        timer = self._kill_after(seconds)
        begun = monotonic()
        try:
            self._asked.write(LENGTH.pack(len(question)))
            self._asked.write(question)
            self._asked.flush()
            for _ in texts:
                found.spans.append(tuple(self._read_spans() for _ in patterns))
                begun = monotonic()
        except (EOFError, OSError):
            found.stopped_after = monotonic() - begun
            self.kill()
        finally:
            timer.cancel()
            timer.join()  # it may be about to kill: then nobody asks this process again
        return found

    def kill(self) -> None:
        """End it; who waits for its answer sees that none comes."""
        self._was_killed = True
        self._child.kill()

    def close(self) -> None:
        """End it, and take leave of it: nobody waits for its answer."""
        self.kill()
        with suppress(OSError):
            self._asked.close()
        self._answers.close()
        self._child.wait()

    def _await_start(self) -> None:
        timer = self._kill_after(_START)
        ready = False
        try:
            ready = self._answers.read(len(READY)) == READY
        finally:
            timer.cancel()
            if not ready:
                self.close()
        if not ready:
            raise PatternTrouble(f"{sys.executable} ended at once")

    def _kill_after(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self.kill)
        timer.daemon = True
        timer.start()
        return timer

    def _read_spans(self) -> Spans:
        (number,) = NUMBER.unpack(self._read(NUMBER.size))
        return tuple(SPAN.iter_unpack(self._read(SPAN.size * number)))

    def _read(self, size: int) -> bytes:
        answer = self._answers.read(size)
        if len(answer) < size:
            raise EOFError
        return answer


_kept: list[_PatternProcess] = []
_busy: set[_PatternProcess] = set()
_lock = threading.Lock()


def _take_process() -> _PatternProcess:
    with _lock:
        while _kept:
            process = _kept.pop()
            if process.is_alive:
                _busy.add(process)
                return process
            process.close()
    process = _PatternProcess()
    with _lock:
        _busy.add(process)
    return process


def _give_back(process: _PatternProcess) -> None:
    with _lock:
        _busy.discard(process)
        if process.is_alive and len(_kept) < _KEPT:
            _kept.append(process)
            return
    process.close()


@atexit.register
def end_pattern_processes() -> None:
    """End all processes for patterns; whoever waits for one is answered as if it was late."""
    with _lock:
        while _kept:
            _kept.pop().close()
        for process in _busy:
            process.kill()
