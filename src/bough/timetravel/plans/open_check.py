"""Whether a client has a session open.

A client that registers and runs has it open (`ingest.running_clients`). Older clients leave no
trace but the time of the file.
"""

from pathlib import Path

from bough.ingest.running_clients import has_registry, list_running_clients
from bough.model.tree.active_tip import parse_version
from bough.timetravel.errors import SessionMaybeOpen, SessionOpen
from bough.timetravel.session_file import FileSnapshot

_REGISTERS = (2, 1, 118)
_QUIET_NS = 60 * 10**9


def require_closed(
    claude_dir: Path,
    session: str,
    *,
    harm: str = "",
    instead: str = "",
    force: bool = False,
) -> None:
    """Refuse where a client that runs has a session open; `force` does not override that.

    It does where a note comes from another container, into which we cannot look.
    """
    for client in list_running_clients(claude_dir, careful=True):
        if client.session != session:
            continue
        if not client.elsewhere:
            raise SessionOpen(client.pid, harm, instead)
        if not force:
            raise SessionMaybeOpen(f"A client elsewhere (pid {client.pid}) has registered it")


def require_quiet(
    claude_dir: Path, state: FileSnapshot, version: str | None, now_ns: int, *, own_ns: int = 0
) -> None:
    """Refuse where a client without registry may have a session open: its file is fresh.

    `own_ns` is the time of our own last write to it, which says nothing.
    """
    if state.mtime_ns == own_ns:
        return
    registers = (parse_version(version) or (0, 0, 0)) >= _REGISTERS
    if registers and has_registry(claude_dir):
        return
    age = now_ns - state.mtime_ns
    if 0 <= age < _QUIET_NS:
        raise SessionMaybeOpen(f"The session changed {age // 10**9} s ago")
