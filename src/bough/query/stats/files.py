"""Files: which ones were read and changed, and in how many sessions.

Told from the calls of the tools that name a file. What a shell command read or wrote is
not known.
"""

from msgspec import Struct

from bough.query.stats.percentiles import later_of
from bough.store.stats_protocol import IndexedFileTouch, StatsScope, StatsSource

_READ_TOOLS = frozenset({"Read", "NotebookRead"})
_WRITE_TOOLS = frozenset({"Write"})


class FileRow(Struct, frozen=True):
    """One file by its path as the calls name it; `failed` calls are in no other count."""

    path: str
    reads: int
    edits: int
    writes: int
    failed: int
    sessions: int
    last: str | None


class FileTotals(Struct, frozen=True):
    """All files together; `changed` are those edited or written."""

    files: int
    changed: int
    reads: int
    edits: int
    writes: int
    failed: int


class FileReport(Struct, frozen=True):
    """Files, those changed most first, then those read most."""

    rows: list[FileRow]
    totals: FileTotals


def file_report(behaviour: StatsSource, scope: StatsScope) -> FileReport:
    """Count what happened to each file."""
    found: dict[str, list[IndexedFileTouch]] = {}
    for touch in behaviour.touches(scope):
        found.setdefault(touch.path, []).append(touch)
    rows = sorted(
        (_file_row(path, touches) for path, touches in found.items()),
        key=lambda row: (-(row.edits + row.writes), -row.reads, row.path),
    )
    totals = FileTotals(
        len(rows),
        sum(row.edits + row.writes > 0 for row in rows),
        sum(row.reads for row in rows),
        sum(row.edits for row in rows),
        sum(row.writes for row in rows),
        sum(row.failed for row in rows),
    )
    return FileReport(rows, totals)


def _file_row(path: str, touches: list[IndexedFileTouch]) -> FileRow:
    reads = edits = writes = failed = 0
    last: str | None = None
    for touch in touches:
        last = later_of(last, touch.timestamp)
        if touch.failed:
            failed += 1
        elif touch.tool in _READ_TOOLS:
            reads += 1
        elif touch.tool in _WRITE_TOOLS:
            writes += 1
        else:
            edits += 1
    return FileRow(
        path, reads, edits, writes, failed, len({touch.session for touch in touches}), last
    )
