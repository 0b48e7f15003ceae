"""Stars, short notes and hidden projects: what a person adds to what they read."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from bough.errors import AnnotationTrouble, Misuse
from bough.library.parameters import ClaudeDir, SessionLike, as_dirs, as_path, as_session
from bough.store.annotations.annotation import (
    Annotation,
    AnnotationEntry,
    AnnotationKind,
    Annotations,
)
from bough.store.annotations.annotation_file import annotations_path, format_moment
from bough.store.annotations.annotation_store import (
    AnnotationChange,
    AnnotationStore,
    MergeReport,
    clean_note,
)

if TYPE_CHECKING:
    from pathlib import Path

_HEADER: Final = {"bough": "annotations", "schema": 1}


class ImportReport(Struct, frozen=True):
    """What an import did: values that were new, newer, older than ours, the same, unreadable."""

    added: int
    changed: int
    older: int
    same: int
    unreadable: int


def annotations() -> list[Annotation]:
    """List everything that is starred, noted or hidden, the newest first.

    Raises:
        AnnotationTrouble: It cannot be read.
    """
    return load_annotations().list_all()


def star(
    session: SessionLike, *, message: str | None = None, claude_dir: ClaudeDir = None
) -> Annotation:
    """Star a session, or one message of it.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        message: The beginning of a message's uuid.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
    """
    return _change(session, message, claude_dir, AnnotationChange(starred=True))


def unstar(
    session: SessionLike, *, message: str | None = None, claude_dir: ClaudeDir = None
) -> Annotation:
    """Take the star of a session, or of one message of it; takes what `star` takes."""
    return _change(session, message, claude_dir, AnnotationChange(starred=False))


def annotate(
    session: SessionLike, note: str, *, message: str | None = None, claude_dir: ClaudeDir = None
) -> Annotation:
    """Write a short note on a session, or on one message of it; an empty one removes it.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        note: At most 2,000 characters.
        message: The beginning of a message's uuid.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.

    Raises:
        Misuse: The note is too long.
    """
    return _change(session, message, claude_dir, AnnotationChange(note=note))


def hide_project(project: str, *, hidden: bool = True, claude_dir: ClaudeDir = None) -> Annotation:
    """Hide a project on Home of the web app and of the terminal app, or show it again.

    Args:
        project: A project's path, name or folder name.
        hidden: False shows it again.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
    """
    from bough.query.lists.projects import project_listings  # noqa: PLC0415 - reads the folders
    from bough.query.lookup import find_project  # noqa: PLC0415 - as above

    found = find_project(project, project_listings(as_dirs(claude_dir)))
    return change_annotation("project", found.dir, AnnotationChange(hidden=hidden))


def export_annotations() -> str:
    """Give all annotations as JSON Lines, to be kept or to be merged elsewhere."""
    lines = [_HEADER, *_open_store().list_entries()]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def import_annotations(lines: Iterable[str | bytes]) -> ImportReport:
    """Merge annotations that were exported: where both have something, the newer stays.

    Raises:
        Misuse: These are no annotations.
    """
    entries: list[AnnotationEntry] = []
    unreadable = 0
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        if number == 0 and _is_header(line):
            continue
        entry = _parse_entry(line)
        if entry is None:
            unreadable += 1
        else:
            entries.append(entry)
    if unreadable and not entries:
        raise Misuse(
            "This file has no stars and notes. bough notes export writes what import reads."
        )
    report = _open_store().merge(entries) if entries else MergeReport()
    return ImportReport(report.added, report.changed, report.older, report.same, unreadable)


def load_annotations() -> Annotations:
    """Give all annotations, to look things up in.

    Raises:
        AnnotationTrouble: They cannot be read.
    """
    return _open_store().load()


def load_readable_annotations() -> tuple[Annotations, str]:
    """Give all annotations, or none and why: a list is shown all the same."""
    try:
        return load_annotations(), ""
    except AnnotationTrouble as error:
        return Annotations(), error.message


def change_annotation(
    kind: AnnotationKind, about: str, change: AnnotationChange, session: str = ""
) -> Annotation:
    """Change what is said of a session, a message or a project that is known by its id."""
    return _open_store().change(kind, about, change, session)


def remove_session_annotations(session: str) -> int:
    """Remove what is said of a session and of its messages; tell of how many things."""
    return _open_store().remove_session(session)


def _change(
    session: SessionLike, message: str | None, claude_dir: ClaudeDir, change: AnnotationChange
) -> Annotation:
    if message is None:
        return change_annotation("session", as_path(session, claude_dir).stem, change)
    from bough.query.sessions.session_parts import find_message  # noqa: PLC0415 - reads sessions

    whole = as_session(session, claude_dir)
    uuid = find_message(whole, message)
    return change_annotation("message", uuid, change, whole.id)


def _open_store() -> AnnotationStore:
    return _open_store_at(annotations_path())


# Fast path: every list asks, and a file that did not change is not read again.
@cache
def _open_store_at(path: "Path") -> AnnotationStore:
    return AnnotationStore(path)


def _is_header(line: str | bytes) -> bool:
    try:
        found = msgspec.json.decode(line, type=dict[str, object])
    except msgspec.MsgspecError:
        return False
    if found.get("bough") != _HEADER["bough"]:
        return False
    if found.get("schema") != _HEADER["schema"]:
        raise Misuse("These annotations were exported by a newer bough. Update bough.")
    return True


def _parse_entry(line: str | bytes) -> AnnotationEntry | None:
    """Read one value; None where it makes no sense."""
    try:
        entry = msgspec.json.decode(line, type=AnnotationEntry)
        moment = datetime.fromisoformat(entry.changed_at)
        value = clean_note(entry.value)
    except (msgspec.MsgspecError, ValueError, Misuse):
        return None
    if not entry.id or (entry.field != "note" and value not in ("", "1")):
        return None
    changed_at = format_moment(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    return msgspec.structs.replace(entry, value=value, changed_at=changed_at)
