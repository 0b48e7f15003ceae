"""What a team's database has of one machine beyond the rows of transcripts: for whoever sends.

Companions as they were sent, whose the machines are, and taking a session back.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from bough.store.postgres.list_queries import load_states
from bough.store.postgres.postgres_writer import PostgresWriter
from bough.store.postgres.server_connection import ServerConnection
from bough.store.rows import FileState, MachineRow

_COMPANIONS: Final = """
    select substr(c.path, 1 + length(m.prefix)), c.size, c.mtime_ns
    from companion c join machine m on m.id = c.machine_id where c.machine_id = %(machine)s
"""
_FORMS: Final = """
    select substr(f.path, 1 + length(m.prefix)), f.redaction
    from file f join machine m on m.id = f.machine_id where f.machine_id = %(machine)s
"""
_OF_OTHERS: Final = """
    select f.session, case when bool_or(f.deleted_at is not null) then null else max(f.size) end
    from file f where f.role = 'session' and f.machine_id = any(array(
        select id from machine where owner = %(owner)s and id <> %(machine)s))
"""
_BY_SESSION: Final = " group by f.session"
# Policies let the index of sessions be asked for nothing but one session at a time.
_OF_SESSIONS: Final = " and {table}.id = any(array(select own_files(%(sessions)s)))"
_FILES: Final = """
    select id from file where machine_id = %s and session = %s and deleted_at is null
"""
_SESSIONS: Final = """
    select distinct session from file
    where machine_id = %(machine)s and starts_with(session, %(begin)s) and deleted_at is null
    order by session
"""
_OTHERS: Final = """
    select f.session, f.machine_id::text, m.name, f.path, p.folder
    from file f join machine m on m.id = f.machine_id join project p on p.id = f.project_id
    where f.role = 'session' and starts_with(f.session, %s) and f.deleted_at is null
    order by f.session, f.mtime_ns desc
"""
_SESSION_PATHS: Final = """
    select path from file where machine_id = %(machine)s and session = %(session)s
    and deleted_at is null
    union select path from companion where machine_id = %(machine)s and session = %(session)s
    order by path
"""
_DROP_FRAMES: Final = """
    delete from frame where file_id in (
        select id from companion where machine_id = %s and session = %s)
"""
_DROP_COMPANIONS: Final = "delete from companion where machine_id = %s and session = %s"
_MARK: Final = """
    update file set deleted_at = %s, head = '', head_length = 0, tail = '', custom_title = null,
        agent_type = null, agent_description = null, agent_call = null, size = 0, read_to = 0,
        lines = 0, pushed = now()
    where id = %s
"""


class SentFiles(Struct, frozen=True):
    """What a database has of a machine, by the paths it has there.

    `companions` go by size and time, `forms` by the rules by which secrets were hidden. `others`
    are the sessions that other machines of the same person sent: how long, or None where they were
    taken back.
    """

    states: Mapping[str, FileState]
    companions: Mapping[str, tuple[int, int]] = {}
    forms: Mapping[str, int] = {}
    others: Mapping[str, int | None] = {}


class SentSession(Struct, frozen=True):
    """A session that a machine sent: its own file, and the folder of its project, by their paths.

    Paths begin with the machine's prefix.
    """

    session: str
    machine: str
    machine_name: str
    path: str
    folder: str


def find_sessions(connection: ServerConnection, begin: str) -> list[SentSession]:
    """Find the sessions of all machines whose ids begin so, of each the newest first."""
    return [SentSession(*row) for row in connection.fetch_all(_OTHERS, [begin])]


def list_session_paths(connection: ServerConnection, sent: SentSession) -> list[str]:
    """List everything that was sent of a session: transcripts, and what lies beside them."""
    values = {"machine": sent.machine, "session": sent.session}
    return [row[0] for row in connection.fetch_all(_SESSION_PATHS, values)]


def load_sent_files(
    connection: ServerConnection, machine: MachineRow, sessions: Sequence[str] | None = None
) -> SentFiles:
    """Give what was sent from a machine: all of it, or of some sessions."""
    values: dict[str, object] = {"machine": machine.id, "owner": machine.owner}
    companions, files = "", ""
    if sessions is not None:
        values["sessions"] = list(sessions)
        companions, files = (_OF_SESSIONS.format(table=table) for table in ("c", "f"))
    states = load_states(connection, machine.id, sessions)
    beside = connection.fetch_all(_COMPANIONS + companions, values)
    others = connection.fetch_all(_OF_OTHERS + files + _BY_SESSION, values)
    return SentFiles(
        states,
        {path: (size, mtime_ns) for path, size, mtime_ns in beside},
        dict(connection.fetch_all(_FORMS + files, values)),
        dict(others),
    )


def find_role(connection: ServerConnection) -> str:
    """Name the role that one is in the database."""
    row = connection.fetch_one("select coalesce(me(), session_user::text)")
    return str(row[0]) if row else ""


def list_sent_sessions(connection: ServerConnection, machine: str, begin: str) -> list[str]:
    """List the sessions of a machine whose ids begin so."""
    rows = connection.fetch_all(_SESSIONS, {"machine": machine, "begin": begin})
    return [row[0] for row in rows]


def drop_companions(connection: ServerConnection, machine: str, session: str) -> None:
    """Remove what lies beside a session; it belongs to the transaction that is open."""
    connection.run(_DROP_FRAMES, [machine, session])
    connection.run(_DROP_COMPANIONS, [machine, session])


def remove_session(
    connection: ServerConnection, writer: PostgresWriter, machine: str, session: str, moment: str
) -> int:
    """Remove all rows and bytes of a session; tells of how many files.

    That there was one stays, with where it was: so it is not sent again.
    """
    files = [row[0] for row in connection.fetch_all(_FILES, [machine, session])]
    for number in files:
        writer.clear(number)
        connection.run("delete from usage_sum where file_id = %s", [number])
        connection.run(_MARK, [moment, number])
    drop_companions(connection, machine, session)
    return len(files)
