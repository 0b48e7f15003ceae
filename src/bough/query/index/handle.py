"""The index, opened for questions, brought up to date first, or checked by listing alone."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.archive.intake.archive_run import start_archive_run
from bough.config import claude_dirs, index_path
from bough.errors import IndexTrouble
from bough.files.byte_source import SourceFinder
from bough.files.discover import find_claude_folders
from bough.ingest.index.refresh import RefreshReport, refresh_index
from bough.ingest.index.work_plan import ListedFile, find_removed, plan_work
from bough.model.text.times import format_timestamp
from bough.query.byte_sources import USUAL_SOURCES
from bough.store.open_store import is_store_url, open_store
from bough.store.rows import FileState, ListedSession
from bough.store.sqlite.connection import remove_index, replace_index
from bough.store.sqlite.deleted_rows import copy_deleted_rows
from bough.store.sqlite.index_lock import IndexBusy, IndexReadOnly
from bough.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from bough.store.protocol import Store

Progress = Callable[[int, int], None]


class IndexHandle:
    """An open index, and where the bytes are found that it names the places of.

    `partial` says why its answers may lack something, None if they do not. Where it is that of a
    team, `folders` are the Claude folders of all machines, and nothing here can be read into it.
    """

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        store: "Store",
        path: Path,
        folders: Sequence[Path],
        partial: str | None,
        report: RefreshReport,
        sources: SourceFinder = USUAL_SOURCES,
        *,
        is_team: bool = False,
    ) -> None:
        self.store = store
        self.path = path
        self.folders = tuple(folders)
        self.partial = partial
        self.report = report
        self.sources = sources
        self.is_team = is_team
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

    Where another bough is writing it, what it has so far is used, and `partial` says so. A team's
    store, named by its URL, is opened as it is: only `bough push` writes it.
    """
    if isinstance(index, str) and is_store_url(index):
        return _open_team_store(index)
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    path = index_path(Path(index) if index is not None else None, folders)
    store = SqliteStore(path)
    try:
        partial, report = None, RefreshReport()
        if fresh:
            try:
                report = refresh_index(store, folders, progress=progress)
                start_archive_run(folders, report.changed)
            except (IndexBusy, IndexReadOnly) as refused:
                partial = refused.message
        return IndexHandle(store, path, folders, partial, report)
    except BaseException:
        store.close()
        raise


def _open_team_store(url: str) -> IndexHandle:
    from bough.store.postgres.frame_bytes import FrameFinder  # noqa: PLC0415 - an extra

    store = open_store(url)
    try:
        found = {row.folder.rpartition("/projects/")[0] for row in store.projects()}
        folders = [Path(folder) for folder in sorted(filter(None, found))]
        return IndexHandle(
            store, Path(), folders, None, RefreshReport(), FrameFinder(url), is_team=True
        )
    except BaseException:
        store.close()
        raise


def refresh_handle(handle: IndexHandle, most: int) -> None:
    """Read what is new into an open index, unless that is more than so many bytes.

    Its `partial` then says that it is behind, or that another bough is writing it.
    """
    handle.partial = None
    if handle.is_team:
        return
    work = plan_work(handle.folders, handle.store.states())
    if work.bytes > most:
        handle.partial = "The index is behind; bough index reads what is new."
    elif not (work.is_empty and handle.store.is_complete()):
        try:
            handle.report = refresh_index(handle.store, handle.folders)
        except (IndexBusy, IndexReadOnly) as refused:
            handle.partial = refused.message


def index_exists(
    dirs: Sequence[str | PathLike[str]] = (), index: str | PathLike[str] | None = None
) -> bool:
    """Tell whether there is an index already, so that lists may use it."""
    if is_store_url(index):
        return True
    folders = claude_dirs([Path(folder) for folder in dirs])
    path = index_path(Path(index) if index is not None else None, folders)
    return path.is_file() and path.stat().st_size > 0


def rebuild_index(
    dirs: Sequence[str | PathLike[str]] = (),
    index: str | PathLike[str] | None = None,
    *,
    forget_deleted: bool = False,
    progress: Progress | None = None,
) -> IndexHandle:
    """Make the index anew, whatever state it is in.

    What it knows of files that are gone, and that nothing else keeps, goes into the new one,
    unless `forget_deleted`.
    """
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    path = index_path(Path(index) if index is not None else None, folders)
    kept = [] if forget_deleted else [state.id for state in _find_unkept(path, folders)[0]]
    if kept:
        moment = format_timestamp(datetime.now(UTC))
        replace_index(path, lambda new: copy_deleted_rows(new, path, kept, moment))
    else:
        remove_index(path)
    return open_index(dirs, index, progress=progress)


class UnkeptSession(Struct, frozen=True, kw_only=True):
    """A session that is gone and that no archive keeps: what the index knows is all there is."""

    id: str
    title: str | None
    path: str
    deleted_at: str | None


def list_unkept_sessions(
    dirs: Sequence[str | PathLike[str]] = (), index: str | PathLike[str] | None = None
) -> list[UnkeptSession]:
    """List the sessions that exist nowhere but in the index, the newest first."""
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    path = index_path(Path(index) if index is not None else None, folders)
    states, rows = _find_unkept(path, folders)
    paths = {state.path for state in states}
    found = [row for row in rows if row.path in paths]
    found.sort(key=lambda row: (row.ended_at or "", row.id), reverse=True)
    return [
        UnkeptSession(id=row.id, title=row.title, path=row.path, deleted_at=row.deleted_at)
        for row in found
    ]


def _find_unkept(
    path: Path, folders: Sequence[Path]
) -> tuple[Sequence[FileState], Sequence[ListedSession]]:
    """Find the files that only the index knows; none where it cannot be read.

    A file that is there under another name is not gone, and one that bough itself removed is
    nothing that was lost.
    """
    if not path.exists():
        return (), ()
    try:
        store = SqliteStore(path)
    except IndexTrouble:
        return (), ()  # damaged, or not ours: whoever makes it anew says so
    try:
        states = store.states().values()
        missing = [state for state in states if USUAL_SOURCES.find(state.path) is None]
        if not missing:
            return (), ()
        listed = {_key_of(task.found) for task in plan_work(folders, {}).tasks}
        other = [
            state
            for state in missing
            if not {_key_of(state), (state.role, "", state.agent)} & listed
        ]
        removed = find_removed(other)
        return [state for state in other if state not in removed], store.sessions()
    except IndexTrouble:
        return (), ()
    finally:
        store.close()


def _key_of(file: FileState | ListedFile) -> tuple[str, str, str | None]:
    """Name whose a file is, wherever it lies."""
    return file.role, file.session, file.agent


def forget_session(
    session: str,
    dirs: Sequence[str | PathLike[str]] = (),
    index: str | PathLike[str] | None = None,
) -> int:
    """Remove the rows of a session and of its agents from the index; tell of how many files.

    What is still on disk is read again by the next refresh.

    Raises:
        IndexTrouble: The index cannot be written.
    """
    if not index_exists(dirs, index):
        return 0
    with open_index(dirs, index, fresh=False) as handle:
        found = [one.id for one in handle.store.states().values() if one.session == session]
        if found:
            with handle.store.writing() as writer:
                for file in found:
                    writer.forget(file)
        return len(found)


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
