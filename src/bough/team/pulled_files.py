"""Reading a session out of a team's database, as it can be continued here."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from bough.errors import AmbiguousSession, SessionNotFound
from bough.files.byte_source import require_source
from bough.store.postgres.frame_bytes import FrameFinder
from bough.store.postgres.schema_scripts import require_schema
from bough.store.postgres.sent_files import SentSession, find_sessions, list_session_paths
from bough.store.postgres.server_connection import ServerConnection
from bough.team.redacted_source import read_whole
from bough.team.thinking_filter import drop_masked_thinking
from bough.timetravel.plans.pulled_session import PulledFile


class PulledSession(Struct, frozen=True):
    """A session out of the database: its own file first, and what is not as it was."""

    session: str
    machine: str
    files: tuple[PulledFile, ...]
    notes: tuple[str, ...] = ()


def read_sent_session(url: str, begin: str) -> PulledSession:
    """Read a session whose id begins so, with all that belongs to it; of several the newest.

    Raises:
        SessionNotFound: No machine sent one that is called so.
        AmbiguousSession: Several sessions begin so.
        IndexTrouble: The database cannot be read.
    """
    connection = ServerConnection(url)
    try:
        require_schema(connection)
        found = find_sessions(connection, begin)
        if not found:
            raise SessionNotFound(begin)
        names = list(dict.fromkeys(one.session for one in found))
        if len(names) > 1 and begin not in names:
            raise AmbiguousSession(begin, names)
        wanted = begin if begin in names else names[0]
        sent = next(one for one in found if one.session == wanted)
        paths = list_session_paths(connection, sent)
    finally:
        connection.close()
    return _read_files(url, sent, [sent.path, *(path for path in paths if path != sent.path)])


def _read_files(url: str, sent: SentSession, paths: Sequence[str]) -> PulledSession:
    sources = FrameFinder(url)
    files: list[PulledFile] = []
    dropped = odd = 0
    for path in paths:
        name = _place_below(path, sent.folder)
        if name is None:
            odd += 1
            continue
        data = read_whole(require_source(sources, path))
        if path.endswith(".jsonl"):
            data, count = drop_masked_thinking(data)
            dropped += count
        files.append(PulledFile(name, data))
    notes = ["What was hidden before it was sent stays hidden here."]
    if dropped:
        blocks = "A block of thinking" if dropped == 1 else f"{dropped:,} blocks of thinking"
        had = "is left out: something in it was" if dropped == 1 else "are left out: parts were"
        notes.append(f"{blocks} {had} hidden, and a model refuses thinking that is not its own.")
    if odd:
        notes.append(
            "A file with an odd name is left out."
            if odd == 1
            else f"{odd:,} files with odd names are left out."
        )
    return PulledSession(sent.session, sent.machine_name, tuple(files), tuple(notes))


def _place_below(path: str, folder: str) -> PurePosixPath | None:
    """Name a file below the folder of its project; None where it lies elsewhere.

    Somebody else wrote the database: no name may lead out of the folder.
    """
    if not path.startswith(folder):
        return None
    parts = path[len(folder) :].replace("\\", "/").strip("/").split("/")
    if any(part in ("", ".", "..") or "\0" in part or ":" in part for part in parts):
        return None
    return PurePosixPath(*parts)
