"""Which versions of the client work here: those that wrote lately, and the one on the PATH.

Old clients throw their whole settings away, rules of permission included, when these name an event
they do not know. So whoever writes hooks must know who will read them.
"""

import re
import shutil
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Raw, Struct

from bough.errors import Unreadable
from bough.files.byte_source import DISK, require_source
from bough.files.discover import discover_projects
from bough.ingest.running_clients import list_running_clients
from bough.ingest.sidecars import read_small_file
from bough.model.tree.active_tip import parse_version
from bough.records.decode import decode_part

LATELY = timedelta(days=90)
"""So far back a client that wrote may still be used."""
_VERSION = re.compile(rb'"version"\s*:\s*"([0-9][^"]{1,40})"')
_IN_PATH = re.compile(r"/versions/(\d+\.\d+\.\d+)(?:/|$)")
_PACKAGE = re.compile(rb'"version"\s*:\s*"(\d+\.\d+\.\d+)"')
_PACKAGE_NAME = b"@anthropic-ai/claude-code"


class _Versioned(Struct):
    version: str = ""


class SeenClients(Struct, frozen=True):
    """The versions that were seen, the oldest first; `unknown` names a client without one."""

    seen: tuple[str, ...] = ()
    unknown: str | None = None

    @property
    def oldest(self) -> tuple[int, ...] | None:
        """Give the oldest one; None where none was seen."""
        return parse_version(self.seen[0]) if self.seen else None


def find_seen_clients(folders: Iterable[Path], now: datetime) -> SeenClients:
    """Find the clients that wrote to some Claude folders lately, and the one on the PATH."""
    found: set[str] = set()
    since = (now - LATELY).timestamp()
    for folder in folders:
        found |= {one.version for one in list_running_clients(folder, careful=True) if one.version}
        for project in discover_projects(folder):
            for session in project.sessions:
                if session.path is not None:
                    _read_versions(session.path, since, found)
    program = shutil.which("claude")
    on_path = _read_program_version(Path(program)) if program else None
    found |= {on_path} if on_path else set()
    known = sorted((one for one in found if parse_version(one)), key=_sort_key)
    return SeenClients(tuple(known), program if program and not on_path else None)


def _sort_key(version: str) -> tuple[int, ...]:
    return parse_version(version) or (0, 0, 0)


def _read_versions(path: Path, since: float, found: set[str]) -> None:
    """Add the versions that wrote a session, where it was written to lately.

    All of it is looked at: an older client may have gone on with it in between.
    """
    try:
        source = require_source(DISK, path)
        if source.state().mtime_ns / 1e9 < since:
            return
        known = {version.encode() for version in found}
        for line in source.lines():
            # Most lines name what is known already; others may only quote a version.
            if not known.issuperset(_VERSION.findall(line.raw)):
                version = decode_part(Raw(line.raw), _Versioned).version
                found.add(version)
                known.add(version.encode("utf-8", "replace"))
    except (OSError, Unreadable):
        return


def _read_program_version(program: Path) -> str | None:
    """Tell the version of a client by where it lies, without running it."""
    try:
        real = program.resolve()
        if named := _IN_PATH.search(real.as_posix()):
            return named[1]
        for folder in list(real.parents)[:3]:
            data = read_small_file(folder / "package.json", DISK)
            if _PACKAGE_NAME in data and (version := _PACKAGE.search(data)):
                return version[1].decode()
    except (OSError, RuntimeError):
        return None
    return None
