"""Where questions get bytes from: the one place that says where is looked, and in which order.

Disk comes first: a transcript that is there is read as it is now. What is gone from it comes
from the archive. A path of a team's store (`//laptop/home/...`) is looked for in the store that
was chosen. Nothing in `query` opens a path; `tests/architecture/test_sources.py` holds that.
"""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.files.byte_source import FinderChain, SourceFinder
from bough.files.directory import NOTHING_KEPT, KeptFolders

if TYPE_CHECKING:
    from bough.files.byte_source import ByteSource

_OF_A_MACHINE: Final = "//"
_chosen: ContextVar[str | None] = ContextVar("chosen_store", default=None)
_is_alone: ContextVar[bool] = ContextVar("store_alone", default=False)


def choose_store(url: str | None, *, alone: bool = False) -> None:
    """Let this thread's questions be about a team's store; None: about this machine again.

    With `alone` nothing of this machine is read, whatever path a transcript names.
    """
    _chosen.set(url)
    _is_alone.set(alone)


def chosen_store() -> str | None:
    """Give the URL of the team's store that questions are about; None where there is none."""
    return _chosen.get()


class ChosenStoreFinder(Struct, frozen=True):
    """Finds bytes in the team's store that was chosen."""

    def find(self, path: str) -> "ByteSource | None":
        """Find the bytes of a path that names a machine."""
        url = _chosen.get()
        if url is None or not path.startswith(_OF_A_MACHINE):
            return None
        from bough.store.postgres.frame_bytes import FrameFinder  # noqa: PLC0415 - an extra

        return FrameFinder(url).find(path)

    def list_kept(self, folder: str) -> KeptFolders:
        """List what the store has below a folder that names a machine."""
        url = _chosen.get()
        if url is None or not folder.startswith(_OF_A_MACHINE):
            return NOTHING_KEPT
        from bough.store.postgres.frame_bytes import FrameFinder  # noqa: PLC0415 - an extra

        return FrameFinder(url).list_kept(folder)


class LocalFinder(Struct, frozen=True):
    """Finds bytes on this machine, unless a store was chosen alone."""

    def find(self, path: str) -> "ByteSource | None":
        """Find the bytes of a path on disk, or in the archive."""
        return None if _is_alone.get() else DISK_THEN_ARCHIVE.find(path)

    def list_kept(self, folder: str) -> KeptFolders:
        """List what the archive has below a folder."""
        return NOTHING_KEPT if _is_alone.get() else DISK_THEN_ARCHIVE.list_kept(folder)


USUAL_SOURCES: Final[SourceFinder] = FinderChain((ChosenStoreFinder(), LocalFinder()))
