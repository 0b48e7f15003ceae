"""Where the words of sessions are whose file the client may have deleted."""

from pathlib import Path
from typing import TYPE_CHECKING

from bough.files.byte_source import DISK, SourceFinder
from bough.model.interpret.kept_places import KeptPlace
from bough.query.byte_sources import USUAL_SOURCES

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle


def find_kept_place(path: str | Path, sources: SourceFinder = USUAL_SOURCES) -> KeptPlace:
    """Tell whether a session's file is there, or only what the archive or the index has of it."""
    if DISK.find(str(path)) is not None:
        return KeptPlace.FILE
    return KeptPlace.INDEX if sources.find(str(path)) is None else KeptPlace.ARCHIVE


def list_kept_places(handle: "IndexHandle") -> dict[tuple[str, str], KeptPlace]:
    """List the sessions whose file is gone, by the folder's name and the id, as the index knows."""
    return {
        (row.dir, row.session): KeptPlace.ARCHIVE if row.deleted_at is None else KeptPlace.INDEX
        for row in handle.store.gone_sessions()
    }
