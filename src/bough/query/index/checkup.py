"""Whether the index still knows what is on disk, by listing alone."""

from collections.abc import Sequence
from os import PathLike

from msgspec import Struct

from bough.ingest.index.work_plan import plan_work
from bough.query.index.index import open_index


class Checkup(Struct, frozen=True):
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
) -> Checkup:
    """Compare an index with the files below the Claude folders; nothing is changed."""
    with open_index(dirs, index, fresh=False) as handle:
        states = handle.store.states()
        work = plan_work(handle.folders, states)
        new = sum(task.known is None for task in work.tasks)
        changed = len(work.tasks) - new
        deleted = sum(state.deleted_at is not None for state in states.values())
        gone = len(work.gone) + len(work.renamed)
        return Checkup(
            index=str(handle.path),
            current=work.is_empty,
            files=len(states) - deleted - gone,
            new=new,
            changed=changed,
            gone=gone,
            deleted=deleted,
            bytes=work.bytes,
        )
