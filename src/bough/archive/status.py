"""How the archive stands: what is safe, what the client deletes next, what is not kept yet."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.archive.archive_catalog import CatalogEntry, keep_newest, path_of, read_catalog
from bough.archive.archive_folder import ArchiveFolder, machine_id
from bough.archive.retention import Retention, read_retention
from bough.archive.schedule import list_installed_files
from bough.archive.take_in import format_moment
from bough.config import load_settings
from bough.files.discover import SessionFiles, discover_projects

_DAY_NS: Final = 24 * 3600 * 10**9
SOON_DAYS: Final = 7


class ExpiringSession(Struct, frozen=True, kw_only=True):
    """A session that the client may delete soon, or did; `kept` tells whether its copy is whole."""

    session: str
    path: str
    deleted_from: str
    kept: bool


class ArchiveStatus(Struct, frozen=True, kw_only=True):
    """What an archive holds, and what there is beside it.

    `sessions` are kept, `deleted` of them are gone from disk; `behind` are on disk and have bytes
    that are not kept. `expiring` are those on disk that the client may delete within a week.
    `automatic` is the setting archive, `schedule` the files of an hourly run.
    """

    archive: str
    exists: bool
    sessions: int = 0
    deleted: int = 0
    behind: int = 0
    files: int = 0
    generations: int = 0
    bytes: int = 0
    packed: int = 0
    forgotten: int = 0
    automatic: bool | None = None
    schedule: Sequence[str] = ()
    retention: Sequence[Retention] = ()
    expiring: Sequence[ExpiringSession] = ()


def read_status(
    folder: ArchiveFolder, claude_dirs: Sequence[Path], now: Callable[[], int] = time.time_ns
) -> ArchiveStatus:
    """Compare the archive with what is on disk; nothing is changed."""
    entries = read_catalog(folder) if folder.exists() else []
    machine = machine_id()
    newest = keep_newest(entries)
    kept = {
        path_of(one): one
        for one in newest
        if one.header.role == "session" and one.header.machine == machine
    }
    retention = [read_retention(place.resolve()) for place in claude_dirs]
    expiring: list[ExpiringSession] = []
    behind = 0
    there: set[str] = set()
    for place, rule in zip(claude_dirs, retention, strict=True):
        for file in _list_sessions(place.resolve()):
            there.add(file.file or "")
            is_kept = _is_kept(file, kept.get(file.file or ""))
            behind += not is_kept
            deleted_from = rule.deletes_at(file.mtime_ns)
            if deleted_from < now() + SOON_DAYS * _DAY_NS:
                expiring.append(
                    ExpiringSession(
                        session=file.id,
                        path=file.file or "",
                        deleted_from=format_moment(deleted_from),
                        kept=is_kept,
                    )
                )
    folders = tuple(str(place.resolve()) for place in claude_dirs)
    own = {path for path, entry in kept.items() if entry.header.folder in folders}
    return ArchiveStatus(
        archive=str(folder.path),
        exists=folder.exists(),
        sessions=len({entry.header.session for entry in newest if entry.header.session}),
        deleted=len(own - there),
        behind=behind,
        files=len(newest),
        generations=len(entries) - len(newest),
        bytes=sum(entry.size for entry in entries),
        packed=sum(entry.packed for entry in entries),
        forgotten=len(folder.list_forgotten()),
        automatic=load_settings().archive,
        schedule=list_installed_files(),
        retention=retention,
        expiring=sorted(expiring, key=lambda one: (one.deleted_from, one.session)),
    )


def name_sessions(entries: Iterable[CatalogEntry]) -> dict[str, list[CatalogEntry]]:
    """Put entries together by the session that they belong to."""
    found: defaultdict[str, list[CatalogEntry]] = defaultdict(list)
    for entry in entries:
        found[entry.header.session].append(entry)
    return dict(found)


def _list_sessions(claude_dir: Path) -> Iterable[SessionFiles]:
    for project in discover_projects(claude_dir):
        yield from (session for session in project.sessions if session.file is not None)


def _is_kept(file: SessionFiles, entry: CatalogEntry | None) -> bool:
    return entry is not None and (entry.size, entry.source_mtime_ns) == (file.size, file.mtime_ns)
