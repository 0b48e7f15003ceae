"""Usage questions to a team's store: sums, and every line behind them."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bough.model.usage.across_files import FileUsage, ReportedUsage, keep_best_lines
from bough.model.usage.sums import UsageSum, begin_of, is_aligned
from bough.store.postgres.server_connection import Row, ServerConnection
from bough.store.postgres.shared_usage import are_sums_complete
from bough.store.protocol import AgentCallRow
from bough.store.rows import ConversationSteps
from bough.store.usage_protocol import SumKey, SumRequest

_FILES: Final = """
    select f.id, f.path, p.dir, f.session, f.agent, f.agent_type, f.agent_description, p.path,
        p.name, s.title, f.forked, f.deleted_at is not null, p.folder, substr(m.prefix, 3), m.owner
    from counted_files() f
    join project p on p.id = f.project_id
    join machine m on m.id = f.machine_id
    left join session s on s.file_id = f.id
"""
# With the files that have calls which are charged to these sessions.
_OF_SESSIONS: Final = """
    where f.session = any(%(sessions)s)
        or f.id in (select file_id from usage_sum where origin = any(%(sessions)s))
"""
_NEWEST: Final = "select file_id, max(timestamp) from usage group by file_id"
_COLUMNS: Final = """
    u.file_id, u.offset, u.message_id, u.request_id, u.model, u.timestamp, u.input_tokens,
    u.output_tokens, u.cache_creation_tokens, u.cache_read_tokens, u.cache_creation_1h_tokens,
    u.web_searches, u.speed, u.rank, u.origin
"""
_LINES: Final = f"select {_COLUMNS} from usage u order by u.file_id, u.offset"
_LINES_OF_CALLS: Final = f"""
    select {_COLUMNS} from usage u
    where u.file_id = any(%(files)s)
        or u.message_id in (select message_id from usage where file_id = any(%(files)s))
    order by u.file_id, u.offset
"""
_SHARED_LINES: Final = f"""
    select {_COLUMNS} from usage u
    where u.message_id in (
        select message_id from usage where message_id is not null
        group by message_id having min(file_id) <> max(file_id)
        union select message_id from usage where origin is not null)
    or u.origin is not null and u.message_id is null
    order by u.file_id, u.message_id is null, u.offset
"""
_CALLS_OF_AGENTS: Final = """
    with told as (
        select a.id as agent, a.session, a.project_id, a.agent_call as call_id,
            'meta' as known_by
        from file a
        where a.id = any(%(files)s) and a.role = 'agent' and a.agent_call is not null
        union all
        select a.id, a.session, a.project_id, t.call_id, t.known_by
        from file a
        join file f on f.session = a.session and f.project_id = a.project_id
        join tie t on t.file_id = f.id and t.agent = a.agent
        where a.id = any(%(files)s) and a.role = 'agent'
    )
    select told.agent, c.file_id, c.offset, c.name, told.known_by
    from told
    join call c on c.call_id = told.call_id and c.file_id <> told.agent
    join file f on f.id = c.file_id
        and f.session = told.session and f.project_id = told.project_id
"""
_STEPS: Final = """
    select c.file_id, c.tip, c.active, c.step, case when c.branch = 0 then s.steps end, c.title
    from conversation c join session s on s.file_id = c.file_id
    where c.file_id = any(%(files)s)
    order by c.file_id, c.branch
"""
# A special row is one call, and stays one. Of equal models, speed and rank may still differ;
# the first by place is given.
_SUMS: Final = """
    select {project}, {folder}, {machine}, {owner}, {session}, {agent}, {file},
        min(u.offset), u.model, {quarter}, sum(u.calls)::bigint, sum(u.input_tokens)::bigint,
        sum(u.output_tokens)::bigint, sum(u.cache_creation_tokens)::bigint,
        sum(u.cache_read_tokens)::bigint, sum(u.cache_creation_1h_tokens)::bigint,
        sum(u.web_searches)::bigint, (array_agg(u.speed order by u.offset))[1],
        (array_agg(u.rank order by u.offset))[1], min(u.first_at), max(u.last_at), {origin}
    from usage_sum u
    {joins}
    {where}
    group by {groups} u.model, case when u.special = 1 then u.file_id end,
        case when u.special = 1 then u.number end
"""
_JOINS: Final = """
    join counted_files() f on f.id = u.file_id join project p on p.id = f.project_id
    join machine m on m.id = f.machine_id
"""
_GROUPS: Final[dict[SumKey, tuple[str, ...]]] = {
    "quarter": ("u.quarter",),
    "session": ("f.session", "u.origin"),
    "project": ("p.dir",),
    "folder": ("p.folder",),
    "agent": ("f.agent", "u.rank"),
    "file": ("u.file_id", "u.step", "u.origin"),
    # Several machines may have one name; what stands before their paths tells them apart.
    "machine": ("m.prefix", "m.owner"),
}
_ANY_OUTSIDE: Final = """
    select exists (
        select 1 from counted_files() file where not exists (
            select 1 from unnest(%s::text[]) as root where starts_with(file.path, root)))
"""
_ANY_DELETED: Final = "select exists (select 1 from counted_files() where deleted_at is not null)"
_QUARTER: Final = len("2026-11-15T14:30")


def load_usage_files(
    connection: ServerConnection, *, dated: bool = False, sessions: Sequence[str] | None = None
) -> list[FileUsage]:
    """Give each file without its lines; with `dated`, with the time of its newest line."""
    newest: dict[int, str | None] = dict(connection.fetch_all(_NEWEST)) if dated else {}
    rows = (
        connection.fetch_all(_FILES)
        if sessions is None
        else connection.fetch_all(_FILES + _OF_SESSIONS, {"sessions": list(sessions)})
    )
    return [_build_usage(row, (), newest.get(row[0])) for row in rows]


def load_file_usage(connection: ServerConnection) -> list[FileUsage]:
    """Give each file with the lines that may count; repeats inside it are left out."""
    lines = _group_lines(connection.fetch_all(_LINES))
    return [
        _build_usage(row, keep_best_lines(lines.get(row[0], ())))
        for row in connection.fetch_all(_FILES)
    ]


def load_shared_usage(connection: ServerConnection) -> list[FileUsage]:
    """Give each file with those lines that may be copies, of itself or of others."""
    lines = _group_lines(connection.fetch_all(_SHARED_LINES))
    return [
        _build_usage(row, keep_best_lines(lines[row[0]]))
        for row in connection.fetch_all(_FILES)
        if row[0] in lines
    ]


def load_usage_sums(
    connection: ServerConnection, asked: SumRequest
) -> list[tuple[FileUsage, UsageSum]] | None:
    """Add up what is asked for; None where the sums that are kept cannot tell."""
    if not _can_tell(connection, asked):
        return None
    columns = [column for key in sorted(asked.by) for column in _GROUPS[key]]
    where, values = _build_where(asked)
    joined = (
        asked.by & {"session", "project", "folder", "agent", "machine"}
        or asked.project
        or asked.session
        or asked.sessions is not None
        or asked.projects is not None
    )
    statement = _SUMS.format(
        project="p.dir" if "project" in asked.by else "''",
        folder="p.folder" if "folder" in asked.by else "''",
        machine="substr(m.prefix, 3)" if "machine" in asked.by else "null",
        owner="m.owner" if "machine" in asked.by else "null",
        session="f.session" if "session" in asked.by else "''",
        agent="f.agent" if "agent" in asked.by else "null",
        file="u.file_id" if "file" in asked.by else "0",
        quarter="u.quarter" if "quarter" in asked.by else "''",
        origin="u.origin" if asked.by & {"session", "file"} else "null",
        joins=_JOINS if joined else "",
        where=where,
        groups="".join(f"{column}, " for column in columns),
    )
    return [_build_sum(row) for row in connection.fetch_all(statement, values)]


def load_conversation_steps(
    connection: ServerConnection, files: Sequence[int]
) -> list[ConversationSteps]:
    """Give the conversations of files in order, and the steps they pass through."""
    rows = connection.fetch_all(_STEPS, {"files": list(files)})
    return [ConversationSteps(*row) for row in rows]


def load_lines_of_calls(
    connection: ServerConnection, files: Sequence[int]
) -> list[tuple[int, ReportedUsage]]:
    """Give every line, of any file, that reports a call which one of these files reports."""
    rows = connection.fetch_all(_LINES_OF_CALLS, {"files": list(files)})
    return [(row[0], ReportedUsage(*row[1:])) for row in rows]


def load_agent_calls(connection: ServerConnection, files: Sequence[int]) -> list[AgentCallRow]:
    """Give the calls that are said to have started the agents that these files are of."""
    rows = connection.fetch_all(_CALLS_OF_AGENTS, {"files": list(files)})
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


def _group_lines(rows: Sequence[Row]) -> dict[int, list[ReportedUsage]]:
    return {
        file: [ReportedUsage(*row[1:]) for row in group]
        for file, group in groupby(rows, key=lambda row: row[0])
    }


def _can_tell(connection: ServerConnection, asked: SumRequest) -> bool:
    """Tell whether sums answer a question as the lines would."""
    if not all(is_aligned(moment) for moment in (asked.since, asked.until) if moment):
        return False
    if not are_sums_complete(connection) or _tells_true(connection, "select sees_kin()", []):
        return False
    if asked.roots and _tells_true(connection, _ANY_OUTSIDE, [list(asked.roots)]):
        return False
    return not (asked.existing and _tells_true(connection, _ANY_DELETED, []))


def _tells_true(connection: ServerConnection, statement: str, values: list[object]) -> bool:
    row = connection.fetch_one(statement, values)
    return bool(row and row[0])


def _build_where(asked: SumRequest) -> tuple[str, dict[str, object]]:
    """Limit what is added up; a quarter's name is the beginning of its moments."""
    clauses: list[str] = []
    values: dict[str, object] = {}
    for name, condition, value in (
        ("project", "p.dir = %(project)s", asked.project),
        ("session", "coalesce(u.origin, f.session) = %(session)s", asked.session),
        ("since", "u.quarter >= %(since)s", asked.since and asked.since[:_QUARTER]),
        (
            "until",
            "u.quarter < %(until)s and u.quarter <> ''",
            asked.until and asked.until[:_QUARTER],
        ),
        (
            "sessions",
            "(f.session = any(%(sessions)s) or u.origin = any(%(sessions)s))",
            None if asked.sessions is None else list(asked.sessions),
        ),
        (
            "projects",
            "p.dir = any(%(projects)s)",
            None if asked.projects is None else list(asked.projects),
        ),
    ):
        if value is not None:
            clauses.append(condition)
            values[name] = value
    return (f"where {' and '.join(clauses)}" if clauses else ""), values


def _build_sum(row: Row) -> tuple[FileUsage, UsageSum]:
    project, folder, machine, owner, session, agent, number, offset, model, quarter, *rest = row
    usage = FileUsage(
        "",
        project,
        session,
        (),
        agent=agent,
        number=number,
        folder=folder,
        machine=machine,
        owner=owner,
    )
    return usage, UsageSum(offset, model, begin_of(quarter), *rest)


def _build_usage(row: Row, lines: Sequence[ReportedUsage], newest: str | None = None) -> FileUsage:
    number, path, project, session, agent, kind, about, cwd, name, title, *rest = row
    forked, deleted, *place = rest
    return FileUsage(
        path,
        project,
        session,
        lines,
        agent,
        kind,
        about,
        cwd,
        name,
        title,
        forked,
        deleted,
        number,
        newest,
        *place,
    )
