"""The index, opened for questions, brought up to date first, or checked by listing alone."""

import os
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.config import claude_dirs, index_path
from bough.files.byte_source import SourceFinder
from bough.files.discover import find_claude_folders
from bough.ingest.index.refresh import RefreshReport, refresh_index
from bough.ingest.index.work_plan import plan_work
from bough.query.byte_sources import USUAL_SOURCES
from bough.store.sqlite.connection import remove_index
from bough.store.sqlite.index_lock import IndexBusy, IndexReadOnly
from bough.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from bough.store.protocol import Store

Progress = Callable[[int, int], None]


class IndexHandle:
    """An open index, and where the bytes are found that it names the places of.

    `partial` says why its answers may lack something, None if they do not.
    """

    def __init__(
        self,
        store: "Store",
        path: Path,
        folders: Sequence[Path],
        partial: str | None,
        report: RefreshReport,
        sources: SourceFinder = USUAL_SOURCES,
    ) -> None:
        self.store = store
        self.path = path
        self.folders = tuple(folders)
        self.partial = partial
        self.report = report
        self.sources = sources
        self._roots = tuple(f"{folder / 'projects'}{os.sep}" for folder in folders)

    def close(self) -> None:
        """Let go of the index."""
        self.store.close()

    def __enter__(self) -> "IndexHandle":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def covers(self, folder: str) -> bool:
        """Tell whether a project's folder lies in one of the Claude folders asked about."""
        return folder.startswith(self._roots)


def open_index(
    dirs: Sequence[str | PathLike[str]] = (),
    index: str | PathLike[str] | None = None,
    *,
    fresh: bool = True,
    progress: Progress | None = None,
) -> IndexHandle:
    """Open the index, made where there is none; read what is new in the files first.

    Where another bough is writing it, what it has so far is used, and `partial` says so.
    """
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    path = index_path(Path(index) if index is not None else None, folders)
    store = SqliteStore(path)
    try:
        partial, report = None, RefreshReport()
        if fresh:
            try:
                report = refresh_index(store, folders, progress=progress)
            except (IndexBusy, IndexReadOnly) as refused:
                partial = refused.message
        return IndexHandle(store, path, folders, partial, report)
    except BaseException:
        store.close()
        raise


def refresh_handle(handle: IndexHandle, most: int) -> None:
    """Read what is new into an open index, unless that is more than so many bytes.

    Its `partial` then says that it is behind, or that another bough is writing it.
    """
    work = plan_work(handle.folders, handle.store.states())
    handle.partial = None
    if work.bytes > most:
        handle.partial = "The index is behind; bough index reads what is new."
    elif not work.is_empty:
        try:
            handle.report = refresh_index(handle.store, handle.folders)
        except (IndexBusy, IndexReadOnly) as refused:
            handle.partial = refused.message


def index_exists(
    dirs: Sequence[str | PathLike[str]] = (), index: str | PathLike[str] | None = None
) -> bool:
    """Tell whether there is an index already, so that lists may use it."""
    folders = claude_dirs([Path(folder) for folder in dirs])
    path = index_path(Path(index) if index is not None else None, folders)
    return path.is_file() and path.stat().st_size > 0


def rebuild_index(
    dirs: Sequence[str | PathLike[str]] = (),
    index: str | PathLike[str] | None = None,
    *,
    progress: Progress | None = None,
) -> IndexHandle:
    """Make the index anew, whatever state it is in."""
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    remove_index(index_path(Path(index) if index is not None else None, folders))
    return open_index(dirs, index, progress=progress)


class IndexCheck(Struct, frozen=True):
    """The index against a fresh listing.

    `files` are in the index and on disk, `new` only on disk, `changed` differ, `gone` are
    only in the index and not yet marked; `deleted` are, and stay listed. `bytes` are those
    that the next refresh will read.
    """

    index: str
    current: bool
    files: int
    new: int
    changed: int
    gone: int
    deleted: int
    bytes: int


def check_index(
    dirs: Sequence[str | PathLike[str]] = (), index: str | PathLike[str] | None = None
) -> IndexCheck:
    """Compare an index with the files below the Claude folders; nothing is changed."""
    with open_index(dirs, index, fresh=False) as handle:
        states = handle.store.states()
        work = plan_work(handle.folders, states)
        new = sum(task.known is None for task in work.tasks)
        changed = len(work.tasks) - new
        deleted = sum(state.deleted_at is not None for state in states.values())
        gone = len(work.gone) + len(work.renamed) + len(work.removed)
        return IndexCheck(
            index=str(handle.path),
            current=work.is_empty,
            files=len(states) - deleted - gone,
            new=new,
            changed=changed,
            gone=gone,
            deleted=deleted,
            bytes=work.bytes,
        )
