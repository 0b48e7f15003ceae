"""Whether a client has a session open.

Clients from 2.1.118 on (at the latest) register themselves in `sessions/<pid>.json` and
remove that on a clean exit; a process that is alive, and started when the file says, has it
open. Older clients leave no trace but the time of the file. Only `<pid>.json` is ever opened:
the keys that lie beside them are nobody's business.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bough.files.processes import is_our_domain, is_still_running
from bough.model.tree.active_tip import parse_version
from bough.timetravel.errors import SessionMaybeOpen, SessionOpen
from bough.timetravel.session_file import FileSnapshot

_REGISTERS = (2, 1, 118)
_QUIET_NS = 60 * 10**9
_ENTRY = re.compile(r"\d+\.json")


class RegisteredClient(msgspec.Struct, frozen=True, rename="camel"):
    """What a client says of itself."""

    pid: int = 0
    session_id: str = ""
    cwd: str = ""
    status: str | None = None
    kind: str | None = None
    version: str | None = None
    proc_start: str | None = None
    pid_domain: str | None = None


def list_live_clients(claude_dir: Path) -> list[RegisteredClient]:
    """List the clients that run now, as far as they register."""
    return [entry for entry in _read_entries(claude_dir) if _is_running(entry)]


def require_closed(
    claude_dir: Path,
    session: str,
    *,
    harm: str = "",
    instead: str = "",
    force: bool = False,
) -> None:
    """Refuse where a client that runs has a session open; `force` does not override that.

    It does where an entry comes from another container, into which we cannot look.
    """
    for entry in list_live_clients(claude_dir):
        if entry.session_id != session:
            continue
        if is_our_domain(entry.pid_domain):
            raise SessionOpen(entry.pid, harm, instead)
        if not force:
            raise SessionMaybeOpen(f"A client elsewhere (pid {entry.pid}) has registered it")


def require_quiet(
    claude_dir: Path, state: FileSnapshot, version: str | None, now_ns: int, *, own_ns: int = 0
) -> None:
    """Refuse where a client without registry may have a session open: its file is fresh.

    `own_ns` is the time of our own last write to it, which says nothing.
    """
    if state.mtime_ns == own_ns:
        return
    registers = (parse_version(version) or (0, 0, 0)) >= _REGISTERS
    if registers and (claude_dir / "sessions").is_dir():
        return
    age = now_ns - state.mtime_ns
    if 0 <= age < _QUIET_NS:
        raise SessionMaybeOpen(f"The session changed {age // 10**9} s ago")


def _read_entries(claude_dir: Path) -> Iterator[RegisteredClient]:
    folder = claude_dir / "sessions"
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return
    for name in names:
        if not _ENTRY.fullmatch(name):
            continue
        try:
            yield msgspec.json.decode(
                (folder / name).read_bytes(), type=RegisteredClient, strict=False
            )
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            continue  # it vanished, or is being written: then its client just started or ended


def _is_running(entry: RegisteredClient) -> bool:
    # Another container may share the folder; we cannot look there, so it counts as running.
    return not is_our_domain(entry.pid_domain) or is_still_running(entry.pid, entry.proc_start)
