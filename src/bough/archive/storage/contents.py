"""How much an archive holds, counted from its catalog in one place."""

from collections.abc import Collection

from msgspec import Struct

from bough.archive.storage.archive_catalog import CatalogEntry, keep_newest


class ArchiveContents(Struct, frozen=True, kw_only=True):
    """What is kept: sessions, files, older generations of these, and bytes, also as packed.

    `partial` are further sessions of which no transcript is kept, only agents or other files: it
    was gone when bough came.
    """

    sessions: int = 0
    partial: int = 0
    files: int = 0
    generations: int = 0
    bytes: int = 0
    packed: int = 0


def count_contents(entries: Collection[CatalogEntry]) -> ArchiveContents:
    """Count what the entries of a catalog keep, every generation of each."""
    newest = keep_newest(entries)
    sessions = {entry.header.session for entry in newest if entry.header.role == "session"}
    named = {entry.header.session for entry in newest if entry.header.session}
    return ArchiveContents(
        sessions=len(sessions),
        partial=len(named - sessions),
        files=len(newest),
        generations=len(entries) - len(newest),
        bytes=sum(entry.size for entry in entries),
        packed=sum(entry.packed for entry in entries),
    )
