"""Sessions of which only the prompts are left: the client deleted them before bough came.

The client writes every typed prompt to `history.jsonl` and never cleans that file. A session that
it names, and of which there is no transcript on disk and none in the archive, is lost; what its
person said is there.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.intake.session_sources import HISTORY
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.errors import Unreadable
from bough.files.byte_source import DiskSource
from bough.files.discover import discover_projects
from bough.model.text.times import format_timestamp_ns

ANSWERS_DELETED: Final = "The answers were deleted before bough saw them."
_MS: Final = 10**6
_LATEST: Final = 253_402_300_799_000
"""The last millisecond that a calendar has."""
_LONGEST_PASTE: Final = 1 << 20


class LostPrompt(Struct, frozen=True):
    """What a person typed, and when; `pasted` are the longer texts that were pasted into it."""

    text: str
    at: str | None = None
    pasted: tuple[str, ...] = ()


class LostSession(Struct, frozen=True, kw_only=True):
    """A session without a transcript; `claude_dir` is the folder whose history names it."""

    id: str
    project: str | None
    claude_dir: str
    prompts: tuple[LostPrompt, ...]

    @property
    def first_at(self) -> str | None:
        """Tell when it began."""
        return min((one.at for one in self.prompts if one.at), default=None)

    @property
    def last_at(self) -> str | None:
        """Tell when its person last said something."""
        return max((one.at for one in self.prompts if one.at), default=None)


class _Paste(Struct, rename="camel"):
    content: str | None = None
    content_hash: str | None = None


class _Line(Struct, rename="camel"):
    session_id: str = ""
    display: str = ""
    timestamp: float | None = None
    project: str | None = None
    pasted_contents: msgspec.Raw = msgspec.Raw(b"{}")


_decode_line = msgspec.json.Decoder(_Line).decode
_decode_pastes = msgspec.json.Decoder(dict[str, _Paste]).decode


def find_lost_sessions(folder: ArchiveFolder, claude_dirs: Sequence[Path]) -> list[LostSession]:
    """List the sessions of which only the prompts are left, the newest first."""
    known = {*folder.list_forgotten(), *_list_archived(folder), *_list_on_disk(claude_dirs)}
    found: dict[str, LostSession] = {}
    for claude_dir in claude_dirs:
        for one in _read_history(claude_dir.resolve(), known):
            found.setdefault(one.id, one)
    return sorted(found.values(), key=lambda one: (one.last_at or "", one.id), reverse=True)


def count_lost_sessions(claude_dirs: Iterable[Path], known: Container[str]) -> int:
    """Count the sessions of which only the prompts are left; `known` are all others."""
    named = {
        line.session_id
        for claude_dir in claude_dirs
        for line in _read_lines(claude_dir.resolve())
        if line.session_id
    }
    return sum(session not in known for session in named)


def _list_archived(folder: ArchiveFolder) -> set[str]:
    entries = read_catalog(folder) if folder.exists() else []
    return {entry.header.session for entry in entries if entry.header.role == "session"}


def _list_on_disk(claude_dirs: Iterable[Path]) -> set[str]:
    return {
        session.id
        for claude_dir in claude_dirs
        for project in discover_projects(claude_dir)
        for session in project.sessions
        if session.file is not None
    }


def _read_history(claude_dir: Path, known: set[str]) -> list[LostSession]:
    lines: dict[str, list[_Line]] = {}
    for line in _read_lines(claude_dir):
        if line.session_id and line.session_id not in known:
            lines.setdefault(line.session_id, []).append(line)
    return [
        LostSession(
            id=session,
            project=next((line.project for line in found if line.project), None),
            claude_dir=str(claude_dir),
            prompts=tuple(_make_prompt(claude_dir, line) for line in found),
        )
        for session, found in lines.items()
    ]


def _read_lines(claude_dir: Path) -> Iterator[_Line]:
    """Read what can be read of the typed prompts."""
    with suppress(Unreadable):
        for raw in DiskSource(str(claude_dir / HISTORY)).lines():
            with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                yield _decode_line(raw.raw)


def _make_prompt(claude_dir: Path, line: _Line) -> LostPrompt:
    moment = line.timestamp
    is_time = moment is not None and 0 < moment < _LATEST
    at = format_timestamp_ns(int(moment) * _MS) if moment is not None and is_time else None
    return LostPrompt(line.display, at, tuple(_read_pastes(claude_dir, line)))


def _read_pastes(claude_dir: Path, line: _Line) -> list[str]:
    try:
        pastes = _decode_pastes(line.pasted_contents)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []
    texts = (_read_paste(claude_dir, paste) for paste in pastes.values())
    return [text for text in texts if text]


def _read_paste(claude_dir: Path, paste: _Paste) -> str | None:
    """Give a pasted text: it stands in the line, or in a file that is named by its digest."""
    name = paste.content_hash
    if paste.content is not None or not name or not name.isalnum():
        return paste.content
    source = DISK_THEN_ARCHIVE.find(str(claude_dir / "paste-cache" / f"{name}.txt"))
    try:
        data = source.at(0, _LONGEST_PASTE) if source is not None else b""
    except Unreadable:
        return None
    return data.decode("utf-8", "replace")
