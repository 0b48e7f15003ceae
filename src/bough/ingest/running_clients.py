"""Which clients run now, and what each says it is doing.

Clients keep a note in `sessions/<pid>.json` (2.1.118 has it, from 2.1.150 it says what they
do) and remove it on a clean exit; one that was killed leaves it behind, so the process is
asked for: whether it lives, and whether it began when the note says. Only `<pid>.json` is
opened. The keys beside them are not.

A note may come from another container that shares the folder. Nobody here can ask for its
process, so how long it is believed depends on what a mistake costs. A list believes it for
ten minutes after its last word: a client that died there must not stand in it for ever. Who
is about to write is `careful` and believes it as long as it lies there: a person can say that
nobody runs there, and no write can be taken back under a client that does.
"""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import Raw, Struct

from bough.files.byte_source import DISK
from bough.files.processes import is_our_domain, is_still_running
from bough.ingest.sidecars import read_small_file
from bough.model.live.status import RunningClient
from bough.records.decode import decode_part

_NOTE = re.compile(r"\d+\.json")
_FAR_AWAY = timedelta(minutes=10)
"""How long a list believes the note of a process we cannot ask for."""


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


def list_running_clients(
    claude_dir: Path, now: datetime | None = None, *, careful: bool = False
) -> list[RunningClient]:
    """List the clients that run now, as far as they keep notes.

    Args:
        claude_dir: The Claude folder.
        now: The time; by default the clock's.
        careful: Believe notes from other containers however old they are.
    """
    moment = now or datetime.now(UTC)
    return [
        _build_client(note)
        for note in _read_notes(claude_dir / "sessions")
        if _is_running(note, moment, careful=careful)
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
            # One that went away meanwhile, or is being written, names no session.
            note = decode_part(Raw(read_small_file(folder / name, DISK)), _ClientNote)
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
        elsewhere=not is_our_domain(note.pid_domain),
    )


def _to_datetime(milliseconds: float | None) -> datetime | None:
    if milliseconds is None:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _is_running(note: _ClientNote, now: datetime, *, careful: bool) -> bool:
    if is_our_domain(note.pid_domain):
        return is_still_running(note.pid, note.proc_start)
    if careful:
        return True
    updated = _to_datetime(note.status_updated_at or note.updated_at)
    return updated is not None and now - updated < _FAR_AWAY
