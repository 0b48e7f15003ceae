"""What the client itself says of a result: its structured copy.

One struct over all tools, because their keys do not collide. Agents' files mostly have no
copy, errors have a text instead, MCP tools a list: then there is nothing here.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from bough.model.tools.calls import CallResult
from bough.records.decode import decode_part
from bough.records.record import camel


class Hunk(Struct, gc=False):
    """One stretch of a patch: lines that begin with a space, a plus or a minus."""

    lines: list[str] = []


class NumberedHunk(Struct, gc=False, rename=camel):
    """A stretch of a patch, and the lines of the old and the new file it begins at."""

    old_start: int = 1
    new_start: int = 1
    lines: list[str] = []


class EditResult(Struct, gc=False, rename=camel):
    """What an edit did, where the client kept it; the old file where it kept that too."""

    structured_patch: list[NumberedHunk] | None = None
    original_file: str | None = None

    @property
    def hunks(self) -> Sequence[NumberedHunk]:
        """List the stretches; none where the client kept none."""
        return self.structured_patch or ()


class FileReadRange(Struct, gc=False, rename=camel):
    """Which lines of a file were read."""

    num_lines: int | None = None
    start_line: int | None = None


class StructuredResult(Struct, gc=False, rename=camel):
    """What structured copies tell."""

    type: str | None = None
    file: FileReadRange | None = None
    structured_patch: list[Hunk] | None = None
    mode: str | None = None
    num_files: int | None = None
    num_lines: int | None = None
    num_matches: int | None = None
    truncated: bool = False
    interrupted: bool = False
    background_task_id: str | None = None
    return_code_interpretation: str | None = None
    is_async: bool = False
    status: str | None = None
    total_tool_use_count: int | None = None
    total_duration_ms: float | None = None
    duration_ms: float | None = None
    duration_seconds: float | None = None
    code: int | None = None
    code_text: str | None = None
    results: list[Any] | None = None
    matches: list[Any] | None = None
    answers: dict[str, Any] | None = None
    new_todos: list[Any] | None = None
    old_todos: list[Any] | None = None

    @property
    def seconds(self) -> float | None:
        """Give how long the tool took by its own account."""
        for milliseconds in (self.total_duration_ms, self.duration_ms):
            if milliseconds is not None:
                return milliseconds / 1_000
        return self.duration_seconds


def read_edit_result(result: CallResult) -> EditResult:
    """Read what an edit did from the structured copy of its result."""
    return decode_part(result.structured, EditResult) if result.structured else EditResult()


def read_structured_result(result: CallResult) -> StructuredResult:
    """Read the structured copy of a result."""
    return (
        decode_part(result.structured, StructuredResult)
        if result.structured
        else StructuredResult()
    )
