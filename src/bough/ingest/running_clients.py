"""Which clients run now, and what each says it is doing.

Clients from 2.1.150 keep a note in `sessions/<pid>.json` and remove it on a clean exit; one
that was killed leaves it behind, so the process is asked for: whether it lives, and whether
it began when the note says. Only `<pid>.json` is opened. The keys beside them are not.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Raw, Struct

from bough.errors import Unreadable
from bough.files.lines import read_at
from bough.files.processes import is_our_domain, is_still_running
from bough.model.live.status import RunningClient
from bough.records.decode import decode_part

_NOTE = re.compile(r"\d+\.json")
_LONGEST = 64 * 1024
_FAR_AWAY = timedelta(minutes=10)
"""How long the note of a process we cannot ask for is believed."""


class _ClientNote(Struct, rename="camel"):
    pid: int = 0
    session_id: str = ""
    cwd: str | None = None
    status: str | None = None
    waiting_for: str | None = None
    kind: str | None = None
    entrypoint: str | None = None
    version: str | None = None
    proc_start: str | None = None
    pid_domain: str | None = None
    updated_at: float | None = None
    status_updated_at: float | None = None


def list_running_clients(claude_dir: Path, now: datetime | None = None) -> list[RunningClient]:
    """List the clients that run now, as far as they keep notes."""
    moment = now or datetime.now(UTC)
    return [
        _build_client(note)
        for note in _read_notes(claude_dir / "sessions")
        if _is_running(note, moment)
    ]


def has_registry(claude_dir: Path) -> bool:
    """Tell whether clients keep notes here at all."""
    return (claude_dir / "sessions").is_dir()


def _read_notes(folder: Path) -> Iterator[_ClientNote]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError:
        return
    for name in names:
        if _NOTE.fullmatch(name):
            try:
                data = read_at(folder / name, 0, _LONGEST)
            except Unreadable:
                continue  # it went away meanwhile
            note = decode_part(Raw(data), _ClientNote)
            if note.session_id:
                yield note


def _build_client(note: _ClientNote) -> RunningClient:
    return RunningClient(
        pid=note.pid,
        session=note.session_id,
        status=note.status,
        waiting_for=note.waiting_for,
        status_at=_to_datetime(note.status_updated_at or note.updated_at),
        kind=note.kind,
        entrypoint=note.entrypoint,
        version=note.version,
        cwd=note.cwd,
    )


def _to_datetime(milliseconds: float | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _is_running(note: _ClientNote, now: datetime) -> bool:
    if is_our_domain(note.pid_domain):
        return is_still_running(note.pid, note.proc_start)
    told = _to_datetime(note.status_updated_at or note.updated_at)
    return told is not None and now - told < _FAR_AWAY
