"""The index itself: reading what is new into it, and asking it in SQL.

Whoever asks several questions opens it once:

    with bough.index() as index:
        bough.search("checkpoint", index=index)
        bough.stats("tools", index=index)
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bough.errors import Misuse
from bough.library.parameters import (
    ClaudeDir,
    Folder,
    IndexLike,
    Progress,
    as_dirs,
    as_index_path,
    borrow_index,
)
from bough.query.index.handle import (
    IndexCheck,
    IndexHandle,
    UnkeptSession,
    index_exists,
    list_unkept_sessions,
    open_index,
    rebuild_index,
)
from bough.query.index.handle import check_index as check_index_files
from bough.store.rows import SqlResult, TableColumns


def index(
    claude_dir: ClaudeDir = None,
    index: Folder | None = None,
    *,
    rebuild: bool = False,
    forget_deleted: bool = False,
    progress: Progress | None = None,
) -> IndexHandle:
    """Read what is new into the index, and give it open; close it, or use it in a `with`.

    Its `report` says what was read, `partial` why it may lack something, `path` where it is.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is; by default `$BOUGH_INDEX`, else your data folder.
        rebuild: Throw the index away and make it anew; what it knows of sessions that exist nowhere
            else stays.
        forget_deleted: Throw that away too.
        progress: Is told how many bytes of how many were read.
    """
    dirs = as_dirs(claude_dir)
    if not rebuild:
        return open_index(dirs, index, progress=progress)
    return rebuild_index(dirs, index, forget_deleted=forget_deleted, progress=progress)


def unkept_sessions(
    claude_dir: ClaudeDir = None, index: IndexLike = None
) -> Sequence[UnkeptSession]:
    """List the sessions that exist nowhere but in the index: no file, and no copy in the archive.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is; by default `$BOUGH_INDEX`, else your data folder.
    """
    return list_unkept_sessions(as_dirs(claude_dir), as_index_path(index))


def check_index(claude_dir: ClaudeDir = None, index: IndexLike = None) -> IndexCheck | None:
    """Compare the index with the files; nothing is changed. None where there is no index."""
    dirs, path = as_dirs(claude_dir), as_index_path(index)
    return check_index_files(dirs, path) if index_exists(dirs, path) else None


@contextmanager
def sql(
    query: str, *, claude_dir: ClaudeDir = None, index: IndexLike = None
) -> Iterator[SqlResult]:
    """Ask the index in SQL; rows are read as long as the `with` lasts. Nothing can be changed.

    Args:
        query: One statement that begins with select or with; docs/index.md has the tables.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one.
    """
    if not query.strip():
        raise Misuse("The query is empty. Try: bough sql 'select count(*) from session'.")
    with (
        borrow_index(claude_dir, index) as handle,
        handle.store.sql(query, handle.sources) as answer,
    ):
        yield answer


def tables(*, claude_dir: ClaudeDir = None, index: IndexLike = None) -> Sequence[TableColumns]:
    """List the tables of the index and their columns."""
    with borrow_index(claude_dir, index) as handle:
        return handle.store.list_tables()
