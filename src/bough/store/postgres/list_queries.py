"""Lists from a team's store: projects, sessions, conversations, and the state of files."""

from collections.abc import Sequence
from typing import Final

from bough.store.postgres.server_connection import ServerConnection
from bough.store.rows import (
    FileStamp,
    FileState,
    GoneSession,
    ListedConversation,
    ListedProject,
    ListedSession,
    SessionFileRow,
)

_STAMPS: Final = """
    select substr(f.path, 1 + length(m.prefix)), f.size, f.mtime_ns, f.meta_mtime_ns,
        f.title_mtime_ns, (f.device = -1)::int
    from file f join machine m on m.id = f.machine_id
    where f.deleted_at is null and f.machine_id = %s
"""
_STATES: Final = """
    select {path}, f.role, f.session, f.agent, f.device, f.inode, f.size, f.mtime_ns,
        f.head_length, f.head, f.tail, f.read_to, f.lines, f.meta_mtime_ns, f.title_mtime_ns,
        f.id, f.deleted_at
    from file f
"""
_OWN_PATH: Final = "substr(f.path, 1 + length(m.prefix))"
_OF_MACHINE: Final = """
    join machine m on m.id = f.machine_id where f.machine_id = %s
"""
_OF_SESSIONS: Final = " and f.id = any(array(select own_files(%s)))"
_PROJECTS: Final = """
    select p.id, p.folder, p.dir, p.path, p.name, p.worktree_of,
        count(s.file_id) filter (where s.tips > 0) as sessions,
        max(s.ended_at) filter (where s.tips > 0) as talked,
        max(s.ended_at) as touched, substr(m.prefix, 3), m.owner
    from project p
    join machine m on m.id = p.machine_id
    left join file f on f.project_id = p.id and f.role = 'session' and f.deleted_at is null
    left join session s on s.file_id = f.id
    group by p.id, m.id
"""
_SESSIONS: Final = """
    select s.file_id, s.id, p.folder, p.dir, f.path, f.size, f.deleted_at, s.title,
        s.title_source, s.started_at, s.ended_at, s.records, s.bad_lines, s.unknown_records,
        s.turns, s.messages, s.branch_points, s.tips,
        s.inline_agents + coalesce(a.files, 0) as agents,
        s.models, s.git_branch, s.version, s.entrypoint, s.session_kind,
        s.slugs, s.implements, s.forked_from, f.mtime_ns, s.first_prompt,
        s.last_prompt, s.pull_requests, (f.device = -1)::int as archived, s.cwd,
        substr(m.prefix, 3), m.owner
    from session s
    join file f on f.id = s.file_id
    join project p on p.id = f.project_id
    join machine m on m.id = f.machine_id
    left join (
        select session, project_id, deleted_at is null as here, count(*) as files
        from file where role = 'agent' group by session, project_id, here
    ) a on a.session = s.id and a.project_id = f.project_id and a.here = (f.deleted_at is null)
"""
_GONE_SESSIONS: Final = """
    select p.dir, f.session, f.path, f.deleted_at
    from file f
    join project p on p.id = f.project_id
    where f.role = 'session' and (f.deleted_at is not null or f.device = -1)
    order by f.deleted_at is null
"""
_SESSION_FILES: Final = """
    select session, path, size, mtime_ns from file
    where role = 'session' and deleted_at is null and device <> -1 and mtime_ns < %s
"""
_END_OF_TIME: Final = (1 << 63) - 1
_CONVERSATIONS: Final = """
    select c.file_id, f.session, c.tip, c.active, c.title, c.turns, c.messages, c.started_at,
        c.ended_at, c.branch_point, c.branch, c.parent, p.folder, f.deleted_at
    from conversation c
    join file f on f.id = c.file_id
    join project p on p.id = f.project_id
    order by c.ended_at desc nulls last, c.file_id, c.branch
"""
_TITLES_FROM_OTHERS: Final = """
    select r.file_id, m.text
    from summary m
    join record r on r.uuid = m.leaf_uuid and r.file_id <> m.file_id
    join file f on f.id = m.file_id
    join file own on own.id = r.file_id and own.project_id = f.project_id
    order by f.path, m.offset
"""
_TITLES_OF: Final = "select file_id, title from titles_from_others(%s)"


def load_stamps(connection: ServerConnection, machine: str | None) -> dict[str, FileStamp]:
    """Give the stamps of a machine's files, by the paths they have there."""
    if machine is None:
        return {}
    rows = connection.fetch_all(_STAMPS, [machine])
    return {row[0]: (row[1], row[2], row[3], row[4], row[5]) for row in rows}


def load_states(
    connection: ServerConnection, machine: str | None, sessions: Sequence[str] | None = None
) -> dict[str, FileState]:
    """Give the files of a machine by the paths they have there; of all, by whole paths.

    With `sessions`, only those of these.
    """
    if machine is None:
        rows = connection.fetch_all(_STATES.format(path="f.path"))
    else:
        statement = _STATES.format(path=_OWN_PATH) + _OF_MACHINE
        values: list[object] = [machine]
        if sessions is not None:
            statement += _OF_SESSIONS
            values.append(list(sessions))
        rows = connection.fetch_all(statement, values)
    return {row[0]: FileState(*row) for row in rows}


def list_projects(connection: ServerConnection) -> Sequence[ListedProject]:
    """List all projects, of all machines."""
    return [ListedProject(*row) for row in connection.fetch_all(_PROJECTS)]


def list_sessions(connection: ServerConnection) -> Sequence[ListedSession]:
    """List all sessions, in no order."""
    return [ListedSession(*row) for row in connection.fetch_all(_SESSIONS)]


def list_gone_sessions(connection: ServerConnection) -> Sequence[GoneSession]:
    """List the sessions whose files were said to be gone."""
    return [GoneSession(*row) for row in connection.fetch_all(_GONE_SESSIONS)]


def list_session_files(
    connection: ServerConnection, before_ns: int | None = None
) -> Sequence[SessionFileRow]:
    """List the files of sessions; those last written before a time."""
    asked = [_END_OF_TIME if before_ns is None else before_ns]
    return [SessionFileRow(*row) for row in connection.fetch_all(_SESSION_FILES, asked)]


def list_conversations(connection: ServerConnection) -> Sequence[ListedConversation]:
    """List all conversations, newest first."""
    return [ListedConversation(*row) for row in connection.fetch_all(_CONVERSATIONS)]


def load_other_titles(
    connection: ServerConnection, files: Sequence[int] | None = None
) -> dict[int, list[str]]:
    """Give the summaries that other files of a project hold for a session's leaves.

    Those of all sessions, or of those with these files.
    """
    found: dict[int, list[str]] = {}
    rows = (
        connection.fetch_all(_TITLES_FROM_OTHERS)
        if files is None
        else connection.fetch_all(_TITLES_OF, [files])
    )
    for file, text in rows:
        found.setdefault(file, []).append(text)
    return found
