"""One refresh while it lasts: reading in workers, writing here.

Small files are read by worker processes, two at a time, while this one writes; large ones
are read here, stretch by stretch. Each file is kept whole or not at all, so a run that is
killed is simply continued by the next.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder
from bough.files.directory import Problem
from bough.files.discover import ProjectFiles
from bough.files.worktrees import repository_of
from bough.ingest.index.outlines import unpack_outlines
from bough.ingest.index.read_file import (
    FileRead,
    count_kinds,
    outline_file,
    read_batches,
    read_file,
)
from bough.ingest.index.refresh import Progress, RefreshReport
from bough.ingest.index.session_facts import compute_session_facts
from bough.ingest.index.work_plan import FileAction, FileTask, ListedFile, WorkPlan
from bough.ingest.project_names import find_project_path
from bough.memory import pause_collector
from bough.model.text.formats import base_name_of
from bough.model.text.times import format_timestamp
from bough.store.protocol import FileRows, IndexWriter
from bough.store.rows import ONE_BRANCH, FileState, ProjectRow, RowBatch

if TYPE_CHECKING:
    from bough.ingest.index.worker_pool import WorkerPool

    FileReaders: TypeAlias = WorkerPool[list[FileTask], list[FileRead]]

LARGE = 4 * 1024 * 1024
"""Files above this are read in stretches."""
_WORTH_WORKERS = 16 * 1024 * 1024
_FIRST_STEP = 4 * 1024 * 1024
_STEP = 128 * 1024 * 1024
"""So much is read between two commits: at each one the full-text index is written out. The first
ones come sooner, so that lists show something at once."""
_GROUP = 1024 * 1024


class RefreshRun:
    """One refresh while it lasts."""

    def __init__(
        self,
        store: FileRows,
        writer: IndexWriter,
        work: WorkPlan,
        report: RefreshReport,
        progress: Progress | None,
        *,
        sources: SourceFinder = DISK_THEN_ARCHIVE,
    ) -> None:
        self._store = store
        self._writer = writer
        self._work = work
        self._size = work.bytes
        self._report = report
        self._progress = progress
        self._sources = sources
        self._projects: dict[str, int] = {}
        self._listed = {project.folder: project for project in work.projects}
        self._pending = 0
        self._step = _FIRST_STEP

    def run_tasks(self, workers: "FileReaders | None" = None) -> None:
        """Do all the work; small files are read by workers, where there are any."""
        moment = format_timestamp(datetime.now(UTC))
        for state in (*self._work.renamed, *self._work.removed):
            self._writer.forget(state.id)
        for state in self._work.gone:
            self._writer.deleted(state.id, moment)
        for state in self._work.placed:
            self._writer.place(state.id, state.device, state.inode)
        self._report.deleted = len(self._work.gone)
        small, large, other = [], [], []
        for task in self._work.tasks:
            if task.todo is not FileAction.READ:
                other.append(task)
            elif task.found.size > LARGE:
                large.append(task)
            else:
                small.append(task)
        # Oldest first: what was indexed last is then what was said last.
        small.sort(key=lambda task: task.found.mtime_ns)
        for task in other:
            self._update_file(task)
        for task in large:
            self._read_large(task)
        for read in _read_small(small, workers, self._sources):
            self._write_read(read)

    def _write_read(self, read: FileRead) -> None:
        """Keep a file that was read whole."""
        number = self._begin_file(read)
        if number is None or read.batch is None:
            return
        runs = ONE_BRANCH if read.facts is None else read.facts.branches
        self._writer.add(number, read.batch, runs)
        if read.facts is not None:
            self._writer.facts(number, read.facts)
        self._finish_task(read.task)

    def _begin_file(self, read: FileRead) -> int | None:
        """Make a file's row, empty of what was there before."""
        if read.state is None:
            self._report.problems.append(_problem_of(read))
            return None
        project = self._put_project(read.task.found)
        number = self._writer.file(project, read.state)
        if read.task.start == 0 and read.task.known is not None:
            self._writer.clear(number)
        if read.agent is not None:
            self._writer.agent(number, read.agent)
        if read.task.found.role == "session":
            self._writer.title(number, read.title)
        return number

    def _read_large(self, task: FileTask) -> None:
        known = task.known
        tools = self._store.tools(known.id) if known and task.start else None
        number: int | None = None
        for piece in read_batches(task, tools, self._sources):
            if isinstance(piece, RowBatch):
                if number is None:
                    number = self._reserve_row(task)
                self._writer.add(number, piece)
                continue
            kept = self._begin_large_file(piece, number)
            if kept is not None:
                self._refresh_facts(kept, task.found, piece.title)
                self._finish_task(task)

    def _reserve_row(self, task: FileTask) -> int:
        """Make the row of a large file before it is read through."""
        found = task.found
        project = self._put_project(found)
        blank = blank_state(found)
        number = self._writer.file(project, blank)
        if task.start == 0:
            self._writer.clear(number)
        return number

    def _begin_large_file(self, read: FileRead, reserved: int | None) -> int | None:
        if read.state is None:
            self._report.problems.append(_problem_of(read))
            if reserved is not None:
                self._writer.forget(reserved)
            return None
        project = self._put_project(read.task.found)
        number = self._writer.file(project, read.state)
        if read.agent is not None:
            self._writer.agent(number, read.agent)
        if read.task.found.role == "session":
            self._writer.title(number, read.title)
        return number

    def _update_file(self, task: FileTask) -> None:
        """Add what was appended to a file, or take in a changed title or meta file."""
        known = task.known
        if known is None:
            return
        try:
            self._write_outlines(known)
        except Unreadable as error:
            self._report.problems.append(_problem_of(FileRead(task, None, problem=error.message)))
            return
        self._writer.drop_from(known.id, known.read_to)
        read = read_file(task, self._store.tools(known.id), self._sources)
        number = self._begin_file(read)
        if number is None or read.batch is None:
            return
        self._writer.add(number, read.batch)
        self._refresh_facts(number, task.found, read.title)
        self._finish_task(task)

    def _write_outlines(self, known: FileState) -> None:
        """Make the outlines of a session that grows for the first time."""
        if known.role == "session" and not self._store.outlines(known.id):
            self._writer.add(known.id, outline_file(known.path, known.read_to, self._sources))

    def _refresh_facts(self, number: int, found: ListedFile, title: str | None) -> None:
        if found.role != "session":
            self._writer.branches(number, ONE_BRANCH)
            return
        outline = unpack_outlines(self._store.outlines(number))
        counts = count_kinds(self._store.kinds(number), found.size)
        facts = compute_session_facts(found.session, outline, counts, title)
        self._writer.facts(number, facts)
        self._writer.branches(number, facts.branches)

    def _put_project(self, found: ListedFile) -> int:
        """Keep what a project is called, once in a run: new files may name it better."""
        number = self._projects.get(found.folder)
        if number is None:
            number = self._writer.project(
                build_project_row(self._listed[found.folder], self._sources)
            )
            self._projects[found.folder] = number
        return number

    def _finish_task(self, task: FileTask) -> None:
        size = task.found.size - task.start
        self._report.files += 1
        self._report.bytes += size
        self._pending += size
        if self._pending >= self._step:
            self._writer.step(self._report.bytes, self._size)
            self._pending = 0
            self._step = min(_STEP, self._step * 2)
        if self._progress is not None:
            self._progress(self._report.bytes, self._size)


@contextmanager
def start_workers(wanted: int | None) -> Iterator["FileReaders | None"]:
    """Start processes that read files; none where one process is as good.

    They begin with a copy of what there is here, so they are started before much is listed.
    """
    count = wanted if wanted is not None else min(2, os.cpu_count() or 1)
    if count < 2:
        yield None
        return
    from bough.ingest.index.worker_pool import WorkerPool  # noqa: PLC0415 - only where there is much to read

    with WorkerPool(count, _read_group) as workers:
        yield workers


def _read_small(
    tasks: Sequence[FileTask], workers: "FileReaders | None", sources: SourceFinder
) -> Iterator[FileRead]:
    """Read small files, in worker processes where there is enough to do."""
    size = sum(task.found.size for task in tasks)
    # What another finder knows stays in this process.
    if workers is None or size < _WORTH_WORKERS or sources is not DISK_THEN_ARCHIVE:
        for task in tasks:
            yield read_file(task, sources=sources)
        return
    with pause_collector():
        for group in workers.map(_group_tasks(tasks)):
            yield from group


def _group_tasks(tasks: Sequence[FileTask]) -> Iterator[list[FileTask]]:
    """Put small files together, so that each trip to a worker is worth it."""
    group: list[FileTask] = []
    size = 0
    for task in tasks:
        group.append(task)
        size += task.found.size
        if size >= _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def _read_group(tasks: list[FileTask]) -> list[FileRead]:
    return [read_file(task) for task in tasks]


def _problem_of(read: FileRead) -> Problem:
    return Problem(Path(read.task.found.path), read.problem or "it cannot be read")


def build_project_row(project: ProjectFiles, sources: SourceFinder) -> ProjectRow:
    """Tell what a project is called, and where it was worked on."""
    path = find_project_path(project, sources)
    return ProjectRow(
        folder=project.folder,
        dir=project.dir,
        path=path,
        name=base_name_of(path) if path else project.dir,
        worktree_of=repository_of(path) if path else None,
    )


def blank_state(found: ListedFile) -> FileState:
    """Describe a file that is being read: nothing of it is known to be kept."""
    return FileState(
        found.path, found.role, found.session, found.agent, 0, 0, 0, 0, 0, b"", b"", 0, 0
    )
