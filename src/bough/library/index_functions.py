"""The index itself: reading what is new into it, and asking it in SQL.

Who asks several questions opens it once:

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
    index_exists,
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
    progress: Progress | None = None,
) -> IndexHandle:
    """Read what is new into the index, and give it open; close it, or use it in a `with`.

    Its `report` says what was read, `partial` why it may lack something, `path` where it is.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is; by default `$BOUGH_INDEX`, else your data folder.
        rebuild: Throw the index away and make it anew.
        progress: Is told how many bytes of how many were read.
    """
    make = rebuild_index if rebuild else open_index
    return make(as_dirs(claude_dir), index, progress=progress)


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
