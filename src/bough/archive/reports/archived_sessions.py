"""What the archive keeps of one session: its transcript and everything that belongs to it."""

import os
from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

from bough.archive.storage.archive_catalog import CatalogEntry, file_of, keep_newest, path_of
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.files.byte_source import ByteSource
from bough.files.companions import SESSION_FOLDERS

PROJECTS = "projects"


class KeptFile(Struct, frozen=True):
    """One file of a session: where it lies in a Claude folder, and which file keeps its bytes."""

    name: PurePosixPath
    mtime_ns: int
    place: str

    @property
    def source(self) -> ByteSource:
        """Give its bytes."""
        return ArchiveSource(str(self.name), self.place)


class KeptSession(Struct, frozen=True):
    """A session as it is kept; `folder` is the Claude folder it was in, on `machine`.

    `transcript` is the first of `files`. What lies elsewhere than clients keep sessions is left
    out: an archive may come from somebody else.
    """

    session: str
    machine: str
    folder: str
    files: tuple[KeptFile, ...]

    @property
    def transcript(self) -> KeptFile:
        """Give the session's own file."""
        return self.files[0]


def find_kept_sessions(
    archive: ArchiveFolder,
    entries: Iterable[CatalogEntry],
    session: str,
    generation: int | None = None,
) -> list[KeptSession]:
    """List where a session was kept from, the newest first: it may have been moved or copied.

    Of its transcript that is the newest generation, or the one with this number; of what belongs to
    it the newest in any case.
    """
    found = list(entries)
    places = keep_newest(
        one
        for one in found
        if _is_transcript(one, session) and generation in (None, one.generation)
    )
    rest = keep_newest(one for one in found if not _is_transcript(one, session))
    places.sort(key=lambda one: (one.gone_at is None, one.source_mtime_ns), reverse=True)
    kept = [_gather_files(archive, [place, *rest], place) for place in places]
    return [one for one in kept if one is not None]


def list_generations(entries: Iterable[CatalogEntry], session: str) -> list[int]:
    """List the generations that are kept of a session's transcript."""
    return sorted({one.generation for one in entries if _is_transcript(one, session)})


def find_kept_at(
    archive: ArchiveFolder, entries: Iterable[CatalogEntry], machine: str, path: str
) -> KeptSession | None:
    """Find what is kept of the session whose file was at a path of this machine."""
    newest = keep_newest(entries)
    for one in newest:
        own = (one.header.machine, one.header.role) == (machine, "session")
        if own and path_of(one) == path:
            return _gather_files(archive, newest, one)
    return None


def list_belonging(entries: Iterable[CatalogEntry], session: str) -> list[CatalogEntry]:
    """List the entries of a session, with plans and pastes that its lines name."""
    found = list(entries)
    own = [entry for entry in found if entry.header.session == session]
    named = {
        (entry.header.machine, entry.header.folder, name)
        for entry in own
        for name in entry.names or ()
    }
    return [
        entry
        for entry in found
        if entry.header.session == session
        or (entry.header.machine, entry.header.folder, entry.header.path) in named
    ]


def _is_transcript(entry: CatalogEntry, session: str) -> bool:
    return (entry.header.role, entry.header.session) == ("session", session)


def _gather_files(
    archive: ArchiveFolder, newest: list[CatalogEntry], transcript: CatalogEntry
) -> KeptSession | None:
    header = transcript.header
    project = PurePosixPath(header.path).parent
    files = [
        KeptFile(PurePosixPath(one.header.path), one.source_mtime_ns, str(file_of(archive, one)))
        for one in list_belonging(newest, header.session)
        if (one.header.machine, one.header.folder) == (header.machine, header.folder)
        and one.header.role != "prompts"
        and _is_placed(one.header.path, project)
    ]
    own = [file for file in files if str(file.name) == header.path]
    if not own:
        return None
    rest = sorted((file for file in files if str(file.name) != header.path), key=_sort_key)
    return KeptSession(header.session, header.machine, header.folder, (*own, *rest))


def _sort_key(file: KeptFile) -> tuple[bool, str]:
    return file.name.parts[0] != PROJECTS, str(file.name)


def _is_placed(path: str, project: PurePosixPath) -> bool:
    """Tell whether a path is one that clients give to a file of a session of this project."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or os.sep in part or "\0" in part for part in parts):
        return False
    if parts[0] == PROJECTS:
        return PurePosixPath(path).is_relative_to(project) and len(project.parts) > 1
    return parts[0] in SESSION_FOLDERS and len(parts) > 1
