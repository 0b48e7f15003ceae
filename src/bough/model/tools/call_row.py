"""A tool call as one row: what it is about, how it ended, how long it took.

Every face shows the same words; each cuts and colours them its own way. A folded row says
its outcome, so that nobody opens it to learn whether to open it.
"""

from msgspec import Struct

from bough.model.text.times import seconds_between
from bough.model.tools.call_summary import split_tool_name, summarize_call
from bough.model.tools.calls import AGENT_TOOLS, ToolBlock
from bough.model.tools.outcomes import CallOutcome, CallState, exit_code_of, outcome_of
from bough.model.tools.structured_results import StructuredResult, read_structured_result

__all__ = [
    "CallOutcome",
    "CallState",
    "ToolView",
    "exit_code_of",
    "is_agent",
    "measure_duration_ms",
    "view_of",
]

LOST_RESULT = "Result"
"""The name of a result whose call is in no record."""


class ToolView(Struct, frozen=True, gc=False):
    """One row. `server` is the MCP server of the tool, empty for the client's own.

    `started_at` is when the call was made, as far as that is known.
    """

    name: str
    summary: str
    outcome: CallOutcome
    server: str = ""
    seconds: float | None = None
    started_at: str | None = None

    @property
    def label(self) -> str:
        """Name the tool as rows do, one of an MCP server behind the name of its server."""
        return f"{self.server}: {self.name}" if self.server else self.name


def view_of(block: ToolBlock, started_at: str | None = None, cwd: str | None = None) -> ToolView:
    """Show a call; the time it was made and the working folder make the row better."""
    name, server = split_tool_name(block.name)
    structured = (
        read_structured_result(block.result) if block.result is not None else StructuredResult()
    )
    outcome = outcome_of(block, structured)
    summary = summarize_call(block.name, block.input, cwd)
    if outcome.span is not None:
        first, last = outcome.span
        summary = f"{summary} {first}\N{EN DASH}{last}"
    return ToolView(
        name or LOST_RESULT,
        summary,
        outcome,
        server,
        _measure_seconds(block, structured, started_at),
        started_at,
    )


def measure_duration_ms(block: ToolBlock) -> int | None:
    """Measure how long a call took: as the tool says, else from the call to its result."""
    if block.result is None:
        return None
    seconds = _measure_seconds(block, read_structured_result(block.result), block.timestamp)
    return None if seconds is None else round(seconds * 1_000)


def is_agent(block: ToolBlock) -> bool:
    """Tell whether a call starts an agent; others are steps."""
    return block.name in AGENT_TOOLS or block.agent is not None


def _measure_seconds(
    block: ToolBlock, structured: StructuredResult, started_at: str | None
) -> float | None:
    if block.result is None:
        return None
    own = structured.seconds
    return own if own is not None else seconds_between(started_at, block.result.timestamp)
