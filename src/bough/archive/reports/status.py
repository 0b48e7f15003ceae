"""How the archive stands: what is safe, what the client deletes next, what is not kept yet."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.archive.intake.automatic_folder import is_archive_missing
from bough.archive.reports.forecast import (
    SOON_DAYS,
    DeletionDay,
    DeletionForecast,
    ExpiringSession,
    sum_expiring,
)
from bough.archive.reports.last_verification import LastVerification, load_verification
from bough.archive.reports.lost_sessions import count_lost_sessions
from bough.archive.reports.retention import (
    Retention,
    find_shortest,
    read_project_retention,
    read_retention,
)
from bough.archive.storage.archive_catalog import CatalogEntry, keep_newest, path_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder, machine_id
from bough.archive.storage.contents import count_contents
from bough.config import load_settings
from bough.files.discover import SessionFiles, discover_projects
from bough.model.text.times import format_timestamp_ns

_DAY_NS: Final = 24 * 3600 * 10**9
_LATEST_NS: Final = 253_402_300_799 * 10**9
"""The last second that a calendar has: some people set more days than there are."""
ListSessions = Callable[[Path], Iterable[SessionFiles]]
"""Lists the sessions of a Claude folder whose files are on disk."""


class GoneSessionCopy(Struct, frozen=True, kw_only=True):
    """A session that the client deleted and the archive has; `gone_at` is when that was noticed."""

    session: str
    path: str
    bytes: int
    gone_at: str | None


class RewrittenSession(Struct, frozen=True, kw_only=True):
    """A session that was written anew; `generations` are kept, the last is what it has now."""

    session: str
    path: str
    generations: int


class ArchiveStatus(Struct, frozen=True, kw_only=True):
    """What an archive holds, and what there is beside it.

    `sessions` are kept, `deleted` of them are gone from disk; `partial` are further ones of which
    only agents or other files are. `behind` are on disk and have bytes that are not kept. It
    `is_missing` where it was there before: its disk may not be. `expiring` are those on disk that
    the client may delete within a week, which `forecast` counts; `later` counts the others, by the
    day. `gone` are those that were deleted, the newest first; `rewritten` have older generations;
    `lost` were deleted before they were kept, so that only their prompts are left. `written_at` is
    when something was last taken in, `verified` what the last verification found, where that is
    known. `automatic` is the setting archive, null
    until a person answered; `schedule` are the files of an hourly run.
    """

    archive: str
    exists: bool
    is_missing: bool = False
    sessions: int = 0
    partial: int = 0
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
    later: Sequence[DeletionDay] = ()
    forecast: DeletionForecast = DeletionForecast()
    gone: Sequence[GoneSessionCopy] = ()
    rewritten: Sequence[RewrittenSession] = ()
    lost: int = 0
    written_at: str | None = None
    verified: LastVerification | None = None


def read_status(
    folder: ArchiveFolder,
    claude_dirs: Sequence[Path],
    now: Callable[[], int] = time.time_ns,
    list_sessions: ListSessions | None = None,
    projects: Mapping[Path, Sequence[Path]] | None = None,
) -> ArchiveStatus:
    """Compare the archive with what is on disk; nothing is changed.

    Args:
        folder: The archive.
        claude_dirs: The Claude folders.
        now: The clock.
        list_sessions: Lists what is on disk; by default the disk itself is asked.
        projects: The folders that were worked in, by the Claude folder with their sessions: they
            may have settings of their own.
    """
    from bough.archive.intake.schedule import list_installed_files  # noqa: PLC0415 - who counts what is due does without it

    ask = list_sessions or _list_sessions
    entries = read_catalog(folder) if folder.exists() else []
    machine = machine_id()
    contents = count_contents(entries)
    kept = {
        path_of(one): one
        for one in keep_newest(entries)
        if one.header.role == "session" and one.header.machine == machine
    }
    rules = [read_rules(place, (projects or {}).get(place, ())) for place in claude_dirs]
    expiring: list[ExpiringSession] = []
    later: Counter[str] = Counter()
    not_kept: Counter[str] = Counter()
    behind = 0
    there: set[str] = set()
    known = {one.header.session for one in entries if one.header.role == "session"}
    forgotten = folder.list_forgotten()
    for place, found in zip(claude_dirs, rules, strict=True):
        rule = find_shortest(found)
        for file in ask(place.resolve()):
            there.add(file.file or "")
            known.add(file.id)
            if file.id in forgotten:
                continue  # no copy is wanted, so none is missing
            is_kept = _is_kept(file, kept.get(file.file or ""))
            behind += not is_kept
            deleted_from = min(rule.deletes_at(file.mtime_ns), _LATEST_NS)
            if deleted_from >= end_of_soon(now()):
                day = format_timestamp_ns(deleted_from).partition("T")[0]
                later[day] += 1
                not_kept[day] += not is_kept
            else:
                expiring.append(
                    ExpiringSession(
                        session=file.id,
                        path=file.file or "",
                        deleted_from=format_timestamp_ns(deleted_from),
                        kept=is_kept,
                    )
                )
    folders = tuple(str(place.resolve()) for place in claude_dirs)
    own = {path for path, entry in kept.items() if entry.header.folder in folders}
    expiring.sort(key=lambda one: (one.deleted_from, one.session))
    return ArchiveStatus(
        archive=str(folder.path),
        exists=folder.exists(),
        is_missing=is_archive_missing(folder),
        sessions=contents.sessions,
        partial=contents.partial,
        deleted=len(own - there),
        behind=behind,
        files=contents.files,
        generations=contents.generations,
        bytes=contents.bytes,
        packed=contents.packed,
        forgotten=len(forgotten),
        automatic=load_settings().archive,
        schedule=list_installed_files(),
        retention=[rule for found in rules for rule in found],
        expiring=expiring,
        later=[
            DeletionDay(day=day, sessions=later[day], not_kept=not_kept[day])
            for day in sorted(later)
        ],
        forecast=sum_expiring(expiring),
        gone=sorted(
            (_describe_gone(path, kept[path]) for path in own - there),
            key=lambda one: (one.gone_at or "~", one.session),
            reverse=True,
        ),
        rewritten=[
            RewrittenSession(session=entry.header.session, path=path, generations=entry.generation)
            for path, entry in sorted(kept.items())
            if entry.generation > 1
        ],
        lost=count_lost_sessions(claude_dirs, known | forgotten),
        written_at=_read_written_time(folder),
        verified=load_verification(folder),
    )


def end_of_soon(now_ns: int) -> int:
    """Tell until when a deletion is said beforehand."""
    return now_ns + SOON_DAYS * _DAY_NS


def name_sessions(entries: Iterable[CatalogEntry]) -> dict[str, list[CatalogEntry]]:
    """Put entries together by the session that they belong to."""
    found: defaultdict[str, list[CatalogEntry]] = defaultdict(list)
    for entry in entries:
        found[entry.header.session].append(entry)
    return dict(found)


def read_rules(claude_dir: Path, projects: Iterable[Path]) -> list[Retention]:
    """Read the rule of a Claude folder, and those of its projects that have their own."""
    folder = claude_dir.resolve()
    return [read_retention(folder), *read_project_retention(folder, projects)]


def _list_sessions(claude_dir: Path) -> Iterable[SessionFiles]:
    for project in discover_projects(claude_dir):
        yield from (session for session in project.sessions if session.file is not None)


def _describe_gone(path: str, entry: CatalogEntry) -> GoneSessionCopy:
    return GoneSessionCopy(
        session=entry.header.session, path=path, bytes=entry.size, gone_at=entry.gone_at
    )


def _read_written_time(folder: ArchiveFolder) -> str | None:
    try:
        return format_timestamp_ns(folder.catalog.stat().st_mtime_ns)
    except OSError:
        return None


def _is_kept(file: SessionFiles, entry: CatalogEntry | None) -> bool:
    return entry is not None and (entry.size, entry.source_mtime_ns) == (file.size, file.mtime_ns)
