"""How much work something is, in steps of the interpreter: the same on every machine."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def count_steps(work: Callable[[], object]) -> int:
    """Count the steps that our own code takes for a piece of work; what is built in counts one."""
    steps = 0

    def trace(frame: FrameType, event: str, _: object) -> "TraceFunction | None":
        nonlocal steps
        if event == "call" and "bough" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        steps += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps
