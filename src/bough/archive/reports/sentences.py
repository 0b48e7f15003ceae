"""What was done to the archive, in sentences that every face says."""

from typing import TYPE_CHECKING, Final

from bough.errors import with_tilde
from bough.model.text.formats import format_plural, format_size

if TYPE_CHECKING:
    from bough.archive.intake.take_in import ArchiveUpdate
    from bough.archive.reports.retention import Retention
    from bough.archive.reports.status import ArchiveStatus
    from bough.archive.reports.verification import ArchiveDamage, EqualCopies, VerifyReport
    from bough.archive.storage.contents import ArchiveContents


NO_ARCHIVE: Final = "Nothing is archived yet."
SHORT_MACHINE: Final = 8
MISSING_ARCHIVE: Final = "The archive is not there any more; its disk may be missing."


def describe_contents(status: "ArchiveStatus") -> str:
    """Say how much is kept, how much of it was deleted by the client since, and what before."""
    if status.is_missing:
        return MISSING_ARCHIVE
    lost = f" {_describe_lost(status.lost)}" if status.lost else ""
    if not status.sessions and not status.partial:
        return f"{NO_ARCHIVE}{lost}"
    return (
        f"{describe_safe(status)}, "
        f"{format_size(status.packed)} for {format_size(status.bytes)}; "
        f"{status.deleted:,} of them deleted by the client since.{lost}"
    )


def _describe_lost(count: int) -> str:
    were = "was" if count == 1 else "were"
    sessions = format_plural(count, "session")
    return (
        f"{sessions} {were} deleted before any copy was kept: bough archive lost has the prompts."
    )


def describe_safe(kept: "ArchiveContents | ArchiveStatus") -> str:
    """Say how many sessions are safe, and of how many others only agents or files are kept."""
    partial = f" and parts of {kept.partial:,} more" if kept.partial else ""
    return f"{format_plural(kept.sessions, 'session')} safe{partial}"


def describe_retention(rule: "Retention") -> str:
    """Say how long the client keeps the sessions of a folder, and what says so."""
    where = f"as {with_tilde(rule.source)} says" if rule.source else "as no settings say otherwise"
    days = format_plural(rule.days, "day")
    if rule.project is None:
        return f"{with_tilde(rule.folder)} is kept {days}, {where}."
    place = with_tilde(rule.project)
    return f"A client that is started in {place} keeps all projects {days}, {where}."


def describe_update(update: "ArchiveUpdate") -> str:
    """Say what was taken in."""
    sessions = format_plural(len(update.sessions), "session")
    words = [f"{sessions} archived, {format_size(update.bytes)}"]
    if update.problems:
        words.append(f"{format_plural(len(update.problems), 'file')} cannot be read")
    return f"{', '.join(words)}." if update.files or update.problems else "Nothing was new."


def describe_verification(
    report: "VerifyReport", *, deep: bool = False, damaged: str = "Some of it is damaged."
) -> str:
    """Say what was read, and whether all of it is as it was written."""
    compared = f", {report.compared:,} compared with their files" if deep else ""
    state = "All of it is as it was written." if report.is_sound and not report.damage else ""
    state = state or ("Everything was repaired." if report.is_sound else damaged)
    files = format_plural(report.files, "file")
    return f"Read {files}, {format_size(report.bytes)}{compared}. {state}"


def describe_damage(damage: "ArchiveDamage") -> str:
    """Say which bytes of which copy are damaged."""
    where = f", bytes {damage.offset:,} to {damage.offset + damage.length:,}"
    name = damage.path or damage.file
    done = " Repaired." if damage.is_repaired else ""
    return f"{with_tilde(name)}{where if damage.length else ''}: {damage.reason}.{done}"


def describe_equal(equal: "EqualCopies") -> str:
    """Say what is kept twice, under the names of two machines, and what joins them."""
    files = format_plural(equal.files, "file")
    return (
        f"Machine {equal.other[:SHORT_MACHINE]} has {files} of machine "
        f"{equal.machine[:SHORT_MACHINE]} too, with the same bytes. "
        f"bough archive adopt {equal.machine[:SHORT_MACHINE]} joins them."
    )
