"""Lists from the index: projects, sessions, conversations."""

import sqlite3
from collections.abc import Sequence

from bough.store.rows import (
    GoneSession,
    ListedConversation,
    ListedProject,
    ListedSession,
    SessionFileRow,
)

_PROJECTS = """
    select p.id, p.folder, p.dir, p.path, p.name, p.worktree_of,
        count(s.file_id) filter (where s.tips > 0) as sessions,
        max(s.ended_at) filter (where s.tips > 0) as talked,
        max(s.ended_at) as touched
    from project p
    left join file f on f.project_id = p.id and f.role = 'session' and f.deleted_at is null
    left join session s on s.file_id = f.id
    group by p.id
"""
_SESSIONS = """
    select s.file_id, s.id, p.folder, p.dir, f.path, f.size, f.deleted_at, s.title,
        s.title_source, s.started_at, s.ended_at, s.records, s.bad_lines, s.unknown_records,
        s.turns, s.messages, s.branch_points, s.tips,
        s.inline_agents + coalesce(a.files, 0) as agents,
        s.models, s.git_branch, s.version, s.entrypoint, s.session_kind,
        s.slugs, s.implements, s.forked_from, f.mtime_ns, s.first_prompt,
        s.last_prompt, s.pull_requests, f.device = -1 as archived, s.cwd
    from session s
    join file f on f.id = s.file_id
    join project p on p.id = f.project_id
    left join (
        select session, project_id, deleted_at is null as here, count(*) as files
        from file where role = 'agent' group by session, project_id, here
    ) a on a.session = s.id and a.project_id = f.project_id and a.here = (f.deleted_at is null)
"""
_GONE_SESSIONS = """
    select p.dir, f.session, f.path, f.deleted_at
    from file f
    join project p on p.id = f.project_id
    where f.role = 'session' and (f.deleted_at is not null or f.device = -1)
    order by f.deleted_at is null
"""
_SESSION_FILES = """
    select session, path, size, mtime_ns from file
    where role = 'session' and deleted_at is null and device <> -1 and mtime_ns < ?
"""
_END_OF_TIME = (1 << 63) - 1
_CONVERSATIONS = """
    select c.file_id, f.session, c.tip, c.active, c.title, c.turns, c.messages, c.started_at,
        c.ended_at, c.branch_point, c.branch, c.parent, p.folder, f.deleted_at
    from conversation c
    join file f on f.id = c.file_id
    join project p on p.id = f.project_id
    order by c.ended_at desc
"""
# Cross joins: the few summaries must lead, or every record is looked at.
_TITLES_FROM_OTHERS = """
    select r.file_id, m.text
    from summary m
    cross join record r on r.uuid = m.leaf_uuid and r.file_id <> m.file_id
    cross join file f on f.id = m.file_id
    cross join file own on own.id = r.file_id and own.project_id = f.project_id
    order by f.path, m.offset
"""


def list_projects(connection: sqlite3.Connection) -> Sequence[ListedProject]:
    """List all projects the index knows."""
    return [ListedProject(*row) for row in connection.execute(_PROJECTS)]


def list_sessions(connection: sqlite3.Connection) -> Sequence[ListedSession]:
    """List all sessions, in no order."""
    return [ListedSession(*row) for row in connection.execute(_SESSIONS)]


def list_gone_sessions(connection: sqlite3.Connection) -> Sequence[GoneSession]:
    """List the sessions whose files are gone; those that the archive has come last."""
    return [GoneSession(*row) for row in connection.execute(_GONE_SESSIONS)]


def list_session_files(
    connection: sqlite3.Connection, before_ns: int | None = None
) -> Sequence[SessionFileRow]:
    """List the files of sessions that are on disk; those last written before a time."""
    asked = (_END_OF_TIME if before_ns is None else before_ns,)
    return [SessionFileRow(*row) for row in connection.execute(_SESSION_FILES, asked)]


def list_conversations(connection: sqlite3.Connection) -> Sequence[ListedConversation]:
    """List all conversations, newest first."""
    return [ListedConversation(*row) for row in connection.execute(_CONVERSATIONS)]


def titles_from_others(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """Give the summaries that other files of a project hold for a session's leaves."""
    found: dict[int, list[str]] = {}
    for file, text in connection.execute(_TITLES_FROM_OTHERS):
        found.setdefault(file, []).append(text)
    return found
