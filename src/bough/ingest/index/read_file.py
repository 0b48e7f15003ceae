"""Reading one file for the index: what a worker does.

Small files come back whole, as one batch. Large ones are read in stretches, so that memory
stays bounded whatever the file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import cast

from msgspec import Struct

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder, require_source
from bough.files.directory import NO_DEVICE
from bough.ingest.index.outlines import Outliner, pack_outlines
from bough.ingest.index.record_rows import BAD_LINE, RowBuilder
from bough.ingest.index.session_facts import RecordCounts, compute_session_facts
from bough.ingest.index.work_plan import HEAD, FileTask, ListedFile, hash_head, read_tail
from bough.ingest.sidecars import read_agent_meta, read_title
from bough.line import Line
from bough.model.agents.links import AgentMeta
from bough.model.outline.step_lists import read_branch_steps
from bough.model.usage.across_files import FileUsage, ReportedUsage, keep_best_lines
from bough.model.usage.sums import sum_alone
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record
from bough.records.types import KINDS
from bough.store.rows import AgentInfo, FileState, RowBatch, SessionFacts

STRETCH = 2 * 1024 * 1024


class FileRead(Struct):
    """What came of reading one file; `state` is None where it could not be read."""

    task: FileTask
    state: FileState | None
    batch: RowBatch | None = None
    facts: SessionFacts | None = None
    agent: AgentInfo | None = None
    title: str | None = None
    problem: str | None = None


class _ReadMeter:
    """Notes, as records pass, where the last ended line ends and whose file it is."""

    def __init__(self, start: int, line: int) -> None:
        self.read_to = start
        self.lines = line - 1
        self.owner: str | None = None

    def note(self, items: list[Record | BadLine]) -> list[Record | BadLine]:
        for item in reversed(items):
            if item.raw.endswith(b"\n"):
                self.read_to = item.offset + len(item.raw)
                self.lines = item.number
                break
        if self.owner is None:
            owners = (r.session_id for r in items if not isinstance(r, BadLine) and r.session_id)
            self.owner = next(owners, None)
        return items


def read_file(
    task: FileTask,
    tools: dict[str, str] | None = None,
    sources: SourceFinder = DISK_THEN_ARCHIVE,
) -> FileRead:
    """Read what a task asks for in one go; facts only where it starts at the beginning.

    Then there are no outlines: the facts come from the records themselves, and most files
    never grow again. For one that does, `outline_file` makes them.
    """
    found = task.found
    meter = _ReadMeter(task.start, task.line)
    extractor = RowBuilder(agent=found.role == "agent", outlines=task.start > 0, tools=tools)
    try:
        items = list(decode_lines(_read_lines(found.path, sources, task.start, task.line)))
        batch = extractor.batch(meter.note(items))
        state = describe_file(task, meter, sources)
    except Unreadable as error:
        return FileRead(task, None, problem=error.message)
    read = FileRead(
        task,
        state,
        batch,
        agent=read_agent_info(found, sources),
        title=read_title(found.title, sources),
    )
    if found.role == "session" and task.start == 0:
        records = [item for item in items if type(item) is not BadLine]
        bad = [item for item in items if type(item) is BadLine]
        kinds = Counter([row[3] for row in batch.records])
        counts = count_kinds(cast("Mapping[str, int]", kinds), found.size)
        read.facts = compute_session_facts(found.session, (records, bad), counts, read.title)
    if task.start == 0:
        batch.sums = _sum_usage(batch, read.facts)
    return read


def _sum_usage(batch: RowBatch, facts: SessionFacts | None) -> list[tuple[object, ...]]:
    """Add up the calls of a file, as if no other had some of them too."""
    if not batch.usage:
        return []
    lines = keep_best_lines(ReportedUsage(*row) for row in batch.usage)  # type: ignore[arg-type] # its fields
    return sum_alone(
        FileUsage("", "", "", lines), read_branch_steps(facts.steps if facts else None).step_at
    )


def outline_file(path: str, end: int, sources: SourceFinder = DISK_THEN_ARCHIVE) -> RowBatch:
    """Make the outlines of what was read of a file up to an offset."""
    outliner = Outliner()
    found = (outliner.outline(item) for item in _read_until(path, end, sources))
    return RowBatch(outlines=[(0, pack_outlines(one for one in found if one is not None))])


def _read_until(path: str, end: int, sources: SourceFinder) -> Iterator[Record | BadLine]:
    return takewhile(lambda item: item.offset < end, decode_lines(_read_lines(path, sources)))


def _read_lines(
    path: str, sources: SourceFinder, offset: int = 0, number: int = 1
) -> Iterator[Line]:
    return require_source(sources, path).lines(offset, number)


def read_batches(
    task: FileTask,
    tools: dict[str, str] | None = None,
    sources: SourceFinder = DISK_THEN_ARCHIVE,
) -> Iterator[RowBatch | FileRead]:
    """Read a file stretch by stretch; the last thing given is the Read, without a batch."""
    found = task.found
    meter = _ReadMeter(task.start, task.line)
    extractor = RowBuilder(agent=found.role == "agent", tools=tools)
    waiting: list[Record | BadLine] = []
    size = 0
    try:
        for item in decode_lines(_read_lines(found.path, sources, task.start, task.line)):
            waiting.append(item)
            size += len(item.raw)
            if size >= STRETCH:
                yield extractor.batch(meter.note(waiting))
                waiting, size = [], 0
        if waiting:
            yield extractor.batch(meter.note(waiting))
        state = describe_file(task, meter, sources)
    except Unreadable as error:
        yield FileRead(task, None, problem=error.message)
        return
    read = FileRead(
        task,
        state,
        agent=read_agent_info(found, sources),
        title=read_title(found.title, sources),
    )
    yield read


def count_kinds(kinds: Mapping[str, int], size: int) -> RecordCounts:
    """Tell records, bad lines and unknown kinds apart."""
    bad = kinds.get(BAD_LINE, 0)
    known = sum(count for kind, count in kinds.items() if kind in KINDS)
    every = sum(kinds.values()) - bad
    return RecordCounts(every, bad, every - known, size)


def describe_file(task: FileTask, meter: _ReadMeter, sources: SourceFinder) -> FileState:
    """Describe a file as it was read."""
    found = task.found
    status = require_source(sources, found.path).state()
    length = min(HEAD, meter.read_to)
    return FileState(
        path=found.path,
        role=found.role,
        session=found.session or meter.owner or (task.known.session if task.known else ""),
        agent=found.agent,
        device=NO_DEVICE if found.is_archived else status.device,
        inode=status.inode,
        size=found.size,
        mtime_ns=found.mtime_ns,
        head_length=length,
        head=hash_head(found.path, length, sources),
        tail=read_tail(found.path, meter.read_to, sources),
        read_to=meter.read_to,
        lines=meter.lines,
        meta_mtime_ns=found.meta_mtime_ns,
        title_mtime_ns=found.title_mtime_ns,
    )


def read_agent_info(found: ListedFile, sources: SourceFinder) -> AgentInfo | None:
    """Read an agent's .meta.json."""
    if found.role != "agent":
        return None
    meta = read_agent_meta(found.meta, sources) or AgentMeta()
    return AgentInfo(meta.agent_type, meta.description, meta.tool_use_id)
