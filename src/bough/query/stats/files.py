"""Files: which ones were read and changed, and in how many sessions.

Told from the calls of the tools that name a file. What a shell command read or wrote is
not known.
"""

from typing import Final

from msgspec import Struct, field

from bough.query.stats.kept_sums import SumKind
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


class FileTouchSum(Struct, array_like=True):
    """What happened to one file, while it is added up."""

    reads: int = 0
    edits: int = 0
    writes: int = 0
    failed: int = 0
    sessions: set[str] = field(default_factory=set)
    last: str | None = None

    def add(self, touch: IndexedFileTouch) -> None:
        """Take in a call that names the file."""
        self.sessions.add(touch.session)
        self.last = later_of(self.last, touch.timestamp)
        if touch.failed:
            self.failed += 1
        elif touch.tool in _READ_TOOLS:
            self.reads += 1
        elif touch.tool in _WRITE_TOOLS:
            self.writes += 1
        else:
            self.edits += 1

    def merge(self, other: "FileTouchSum") -> None:
        """Take in the calls of another sum."""
        self.reads += other.reads
        self.edits += other.edits
        self.writes += other.writes
        self.failed += other.failed
        self.sessions |= other.sessions
        self.last = later_of(self.last, other.last)


FILE_SUMS: Final = SumKind(
    "files",
    "call",
    (str, FileTouchSum),
    lambda source, scope, part: source.touches(scope, part),
    lambda touch: touch.path,
    lambda touch: touch.timestamp,
)


def file_report(behaviour: StatsSource, scope: StatsScope) -> FileReport:
    """Count what happened to each file."""
    found = FILE_SUMS.count(behaviour, scope)
    rows = sorted(
        (_file_row(path, touched) for path, touched in found.items()),
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


def _file_row(path: str, touched: FileTouchSum) -> FileRow:
    return FileRow(
        path,
        touched.reads,
        touched.edits,
        touched.writes,
        touched.failed,
        len(touched.sessions),
        touched.last,
    )
