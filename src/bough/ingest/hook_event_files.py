"""The events that `bough-hook` keeps, read for whoever asks where sessions stand.

Each lies in a file of its own, written whole; its name says when. Only those of the last hour are
read, and none twice.
"""

import os
import re
import time
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Raw, Struct
from msgspec.structs import replace

from bough.config import data_dir
from bough.files.byte_source import DISK
from bough.files.processes import is_our_domain, is_still_running
from bough.hook_program import FOLDER
from bough.ingest.sidecars import read_small_file
from bough.model.live.hook_events import HookEvent, find_newest_events
from bough.records.decode import decode_part

_NAME = re.compile(r"(\d{1,20})-\d+-[0-9a-f]+\.json")
_RECENT_NS = 3_600 * 1_000_000_000


class _EventNote(Struct):
    event: str = ""
    at: int = 0
    session: str = ""
    tool: str = ""
    about: str = ""
    kind: str = ""
    tasks: int = 0
    client: int = 0
    domain: str = ""
    begun: str = ""


def find_events_folder() -> Path:
    """Name the folder of events, which need not exist."""
    return data_dir() / FOLDER


class HookEventCache:
    """Reads the events of a folder, each once."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or find_events_folder()
        self._known: dict[str, HookEvent | None] = {}

    def read_newest(self) -> dict[str, HookEvent]:
        """Give for each session the event that holds, and whether its client still runs."""
        oldest = time.time_ns() - _RECENT_NS
        names = [name for name in self._list_names() if _time_of(name) >= oldest]
        self._known = {name: self._read(name) for name in names}
        newest = find_newest_events(event for event in self._known.values() if event is not None)
        return {
            session: replace(event, has_ended=_has_ended(event))
            for session, event in newest.items()
        }

    def _read(self, name: str) -> HookEvent | None:
        if name in self._known:
            return self._known[name]
        note = decode_part(Raw(read_small_file(self.folder / name, DISK)), _EventNote)
        if not note.session or not 0 < note.at < 1 << 45:
            return None
        at = datetime.fromtimestamp(note.at / 1000, UTC)
        return HookEvent(
            note.event,
            note.session,
            at,
            note.tool,
            note.about,
            note.kind,
            note.tasks,
            pid=note.client,
            pid_domain=note.domain,
            begun=note.begun,
        )

    def _list_names(self) -> list[str]:
        try:
            names = [entry.name for entry in os.scandir(self.folder)]
        except OSError:
            return []
        return sorted(filter(_NAME.fullmatch, names), key=lambda name: (_time_of(name), name))


def _has_ended(event: HookEvent) -> bool:
    """Tell whether the client of an event is known, and runs no more."""
    known = event.pid > 0 and is_our_domain(event.pid_domain)
    return known and not is_still_running(event.pid, event.begun)


def _time_of(name: str) -> int:
    return int(name.partition("-")[0])
