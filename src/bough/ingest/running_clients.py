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
from bough.files.processes import is_here, still_runs
from bough.model.live.status import Client
from bough.records.decode import part

_NOTE = re.compile(r"\d+\.json")
_LONGEST = 64 * 1024
_FAR_AWAY = timedelta(minutes=10)
"""How long the note of a process we cannot ask for is believed."""


class _Note(Struct, rename="camel"):
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


def running_clients(claude_dir: Path, now: datetime | None = None) -> list[Client]:
    """List the clients that run now, as far as they keep notes."""
    moment = now or datetime.now(UTC)
    return [_client(note) for note in _notes(claude_dir / "sessions") if _runs(note, moment)]


def has_registry(claude_dir: Path) -> bool:
    """Tell whether clients keep notes here at all."""
    return (claude_dir / "sessions").is_dir()


def _notes(folder: Path) -> Iterator[_Note]:
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
            note = part(Raw(data), _Note)
            if note.session_id:
                yield note


def _client(note: _Note) -> Client:
    return Client(
        pid=note.pid,
        session=note.session_id,
        status=note.status,
        waiting_for=note.waiting_for,
        status_at=_moment(note.status_updated_at or note.updated_at),
        kind=note.kind,
        entrypoint=note.entrypoint,
        version=note.version,
        cwd=note.cwd,
    )


def _moment(milliseconds: float | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _runs(note: _Note, now: datetime) -> bool:
    if is_here(note.pid_domain):
        return still_runs(note.pid, note.proc_start)
    told = _moment(note.status_updated_at or note.updated_at)
    return told is not None and now - told < _FAR_AWAY
