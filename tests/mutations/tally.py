"""Counting how steps ended, and which took too long.

Time is that of the processor: what a shared machine does meanwhile is nobody's fault.
"""

import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

LONGEST_SECONDS: Final = 5.0
_GIVEN_UP_SECONDS: Final = 60.0


class Tally(Struct):
    """How many steps were done, what went wrong in which, and which was the slowest."""

    steps: int = 0
    problems: list[str] = []
    slowest: float = 0.0
    slowest_step: str = ""

    def add(self, step: str, seconds: float, problem: str | None = None) -> None:
        """Count a step."""
        self.steps += 1
        if seconds > self.slowest:
            self.slowest, self.slowest_step = seconds, step
        if problem is not None:
            self.problems.append(f"{step}: {problem}")
        elif seconds > LONGEST_SECONDS:
            self.problems.append(f"{step}: took {seconds:.1f} s")

    def merge(self, other: "Tally") -> None:
        """Add what another one counted."""
        self.steps += other.steps
        self.problems += other.problems
        if other.slowest > self.slowest:
            self.slowest, self.slowest_step = other.slowest, other.slowest_step

    def run(self, step: str, act: Callable[[], object], *expected: type[Exception]) -> object:
        """Do a step in this process; whatever it raises and nobody expected is a problem."""
        began = time.process_time()
        result, problem = None, None
        try:
            with _limit_seconds(_GIVEN_UP_SECONDS):
                result = act()
        except expected:
            pass
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            problem = f"{type(error).__name__}: {str(error)[:200]} at {where}"
        self.add(step, time.process_time() - began, problem)
        return result

    def describe(self, title: str) -> str:
        """Say what was counted, in a line."""
        return (
            f"{title}: {self.steps:,} steps, {len(self.problems):,} problems; "
            f"slowest {self.slowest:.1f} s ({self.slowest_step})"
        )


class EndlessStepError(Exception):
    """Say that a step did not end."""


@contextmanager
def _limit_seconds(seconds: float) -> Iterator[None]:
    """Stop what takes so many seconds of the processor, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise EndlessStepError(f"stopped after {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
