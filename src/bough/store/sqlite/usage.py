"""Usage questions: sums of what was counted when it was written, and every line behind them.

Nearly all reports are answered from sums. Lines are read where sums cannot tell: a stretch of
time that does not begin with a quarter of an hour, some of the files only, files that were
written but not added up yet.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from bough.model.usage.across_files import FileUsage, ReportedUsage, keep_best_lines
from bough.model.usage.sums import UsageSum, begin_of, is_aligned
from bough.store.protocol import AgentCallRow
from bough.store.rows import ConversationSteps
from bough.store.sqlite.writer import are_sums_complete
from bough.store.usage_protocol import SumKey, SumRequest

_FILES = """
    select f.id, f.path, p.dir, f.session, f.agent, f.agent_type, f.agent_description, p.path,
        p.name, s.title, s.forked_from is not null, f.deleted_at is not null, p.folder
    from {files}
    join project p on p.id = f.project_id
    left join session s on s.file_id = f.id
"""
_EVERY_FILE = "file f"
# With the files that have calls which are charged to these sessions.
_FILES_BY_SESSION = """
    (
        select f.id as number
        from json_each(:wanted) as part cross join file f on f.session = part.value
        union
        select u.file_id
        from json_each(:wanted) as part cross join usage_sum u on u.origin = part.value
    ) as wanted cross join file f on f.id = wanted.number
"""
_FILES_BY_NUMBER = """
    json_each(:wanted) as part cross join file f on f.id = part.value
"""
_NEWEST = "select file_id, max(timestamp) from usage group by file_id"
_LINES = """
    select offset, message_id, request_id, model, timestamp, input_tokens, output_tokens,
        cache_creation_tokens, cache_read_tokens, cache_creation_1h_tokens, web_searches,
        speed, rank, origin
    from usage
    where file_id = :file order by offset
"""
_LINES_OF_CALLS = """
    select file_id, offset, message_id, request_id, model, timestamp, input_tokens,
        output_tokens, cache_creation_tokens, cache_read_tokens, cache_creation_1h_tokens,
        web_searches, speed, rank, origin
    from usage
    where file_id in (select value from json_each(:files))
        or message_id in (
            select message_id from usage where file_id in (select value from json_each(:files))
        )
    order by file_id, offset
"""
_MAY_BE_COPIED = """
    select message_id from usage_shared
    union select message_id from usage where origin is not null
"""
_MAY_BE_COPIED_UNKNOWN = """
    select message_id from usage where message_id is not null
    group by message_id having min(file_id) <> max(file_id)
    union select message_id from usage where origin is not null
"""
"""The same, while it is not known which messages several files report."""
LINES_OF_MESSAGES = """
    select u.file_id, u.offset, u.message_id, u.request_id, u.model, u.timestamp,
        u.input_tokens, u.output_tokens, u.cache_creation_tokens, u.cache_read_tokens,
        u.cache_creation_1h_tokens, u.web_searches, u.speed, u.rank, u.origin
    from json_each(:messages) as part cross join usage u on u.message_id = part.value
    order by u.file_id, u.offset
"""
_ORIGINS_WITHOUT_MESSAGE = """
    select file_id, offset, message_id, request_id, model, timestamp, input_tokens,
        output_tokens, cache_creation_tokens, cache_read_tokens, cache_creation_1h_tokens,
        web_searches, speed, rank, origin
    from usage where origin is not null and message_id is null and :messages is not null
    order by file_id, offset
"""
# Cross joins: from an agent to the files of its session, and there to what is told of it. Old
# clients gave many agents the same short id.
_CALLS_OF_AGENTS = """
    with told as (
        select a.id as agent, a.session, a.project_id, a.agent_call as call_id,
            'meta' as known_by
        from json_each(:files) as part cross join file a on a.id = part.value
        where a.role = 'agent' and a.agent_call is not null
        union all
        select a.id, a.session, a.project_id, t.call_id, t.known_by
        from json_each(:files) as part cross join file a on a.id = part.value
        cross join file f on f.session = a.session and f.project_id = a.project_id
        cross join tie t on t.file_id = f.id and t.agent = a.agent
        where a.role = 'agent'
    )
    select told.agent, c.file_id, c.offset, c.name, told.known_by
    from told
    cross join call c on c.call_id = told.call_id and c.file_id <> told.agent
    cross join file f on f.id = c.file_id
        and f.session = told.session and f.project_id = told.project_id
"""
_STEPS = """
    select c.file_id, c.tip, c.active, c.step, case when c.branch = 0 then s.steps end, c.title
    from json_each(:files) as part
    cross join conversation c on c.file_id = part.value
    join session s on s.file_id = c.file_id
    order by c.file_id, c.branch
"""
# A special row is one call, and stays one.
_SUMS = """
    select {project}, {folder}, {session}, {agent}, {file}, {numbers}, {origin}
    from {sums}
    {joins}
    {where}
    {groups}
"""
_ADDED_UP = """
        min(u.offset), u.model, {quarter}, sum(u.calls), sum(u.input_tokens),
        sum(u.output_tokens), sum(u.cache_creation_tokens), sum(u.cache_read_tokens),
        sum(u.cache_creation_1h_tokens), sum(u.web_searches), u.speed, u.rank,
        min(u.first_at), max(u.last_at)
"""
_GROUPED = "group by {columns} u.model, case when u.special then u.id end"
# Fast path: `usage daily --by project` on 100 copies, 16 % of counting. What is told apart by
# quarter of an hour and something else are nearly the rows themselves.
_SINGLE = """
        u.offset, u.model, {quarter}, u.calls, u.input_tokens, u.output_tokens,
        u.cache_creation_tokens, u.cache_read_tokens, u.cache_creation_1h_tokens,
        u.web_searches, u.speed, u.rank, u.first_at, u.last_at
"""
_EVERY_SUM = "usage_sum u"
# By number: in the order in which all sums are read.
_SUMS_BY_SESSION = """
    (
        select u.id as number
        from json_each(:sessions) as part
        cross join file f on f.session = part.value
        cross join usage_sum u on u.file_id = f.id
        union
        select u.id from json_each(:sessions) as part
        cross join usage_sum u on u.origin = part.value
    ) as wanted cross join usage_sum u on u.id = wanted.number
"""
_SUMS_BY_PROJECT = """
    (select id from project where dir in (select value from json_each(:projects))) as o
    cross join file l on l.project_id = o.id
    cross join usage_sum u on u.file_id = l.id
"""
_JOINS = "join file f on f.id = u.file_id join project p on p.id = f.project_id"
_COLUMNS: dict[SumKey, tuple[str, ...]] = {
    "quarter": ("u.quarter",),
    "session": ("f.session", "u.origin"),
    "project": ("p.dir",),
    "folder": ("p.folder",),
    "agent": ("f.agent", "u.rank"),
    "file": ("u.file_id", "u.step", "u.origin"),
}
_ANY_OUTSIDE = """
    select exists (
        select 1 from file
        where not exists (
            select 1 from json_each(:roots) as root
            where substr(file.path, 1, length(root.value)) = root.value
        )
    )
"""
_ENDS = "select min(path), max(path) from file"
_ANY_DIFFERS = "select exists (select 1 from usage_shared where existing_differs)"


def load_usage_files(
    connection: sqlite3.Connection, *, dated: bool = False, sessions: Sequence[str] | None = None
) -> list[FileUsage]:
    """Give each file without its lines; with `dated`, with the time of its newest line."""
    newest: dict[int, str | None] = dict(connection.execute(_NEWEST).fetchall()) if dated else {}
    rows = (
        connection.execute(_FILES.format(files=_EVERY_FILE))
        if sessions is None
        else _query(connection, _FILES.format(files=_FILES_BY_SESSION), wanted=sessions)
    )
    return [_build_file_usage(row, (), newest.get(row[0])) for row in rows]


def load_file_usage(connection: sqlite3.Connection) -> list[FileUsage]:
    """Give each file with the lines that may count; repeats inside it are left out."""
    return [
        _build_file_usage(row, keep_best_lines(_load_lines(connection, row[0])))
        for row in connection.execute(_FILES.format(files=_EVERY_FILE)).fetchall()
    ]


def load_shared_usage(connection: sqlite3.Connection) -> list[FileUsage]:
    """Give each file with those lines that may be copies, of itself or of others.

    These are the lines of messages that several files report, and those that name an origin.
    """
    known = are_sums_complete(connection)
    may_be_copied = _MAY_BE_COPIED if known else _MAY_BE_COPIED_UNKNOWN
    wanted = {row[0] for row in connection.execute(may_be_copied)}
    lines: dict[int, list[ReportedUsage]] = {}
    messages = msgspec.json.encode([one for one in wanted if one is not None]).decode()
    for statement in (LINES_OF_MESSAGES, _ORIGINS_WITHOUT_MESSAGE):
        for file, *line in connection.execute(statement, {"messages": messages}):
            lines.setdefault(file, []).append(ReportedUsage(*line))
    files = _query(connection, _FILES.format(files=_FILES_BY_NUMBER), wanted=sorted(lines))
    return [_build_file_usage(row, keep_best_lines(lines[row[0]])) for row in files]


def load_usage_sums(
    connection: sqlite3.Connection, asked: SumRequest
) -> list[tuple[FileUsage, UsageSum]] | None:
    """Add up what is asked for; None where the sums that are kept cannot tell."""
    if not _can_tell(connection, asked):
        return None
    columns = [column for key in sorted(asked.by) for column in _COLUMNS[key]]
    is_single = "quarter" in asked.by and len(asked.by) > 1
    numbers = _SINGLE if is_single else _ADDED_UP
    grouped = _GROUPED.format(columns="".join(f"{column}, " for column in columns))
    where, values = _build_where(asked)
    joined = (
        asked.by & {"session", "project", "folder", "agent"}
        or asked.project
        or asked.session
        or asked.existing
    )
    statement = _SUMS.format(
        project="p.dir" if "project" in asked.by else "''",
        folder="p.folder" if "folder" in asked.by else "''",
        session="f.session" if "session" in asked.by else "''",
        agent="f.agent" if "agent" in asked.by else "null",
        file="u.file_id" if "file" in asked.by else "0",
        numbers=numbers.format(quarter="u.quarter" if "quarter" in asked.by else "''"),
        origin="u.origin" if asked.by & {"session", "file"} else "null",
        sums=_choose_sums(asked),
        joins=_JOINS if joined else "",
        where=where,
        groups="" if is_single else grouped,
    )
    return [_build_sum(row) for row in connection.execute(statement, values)]


def load_conversation_steps(
    connection: sqlite3.Connection, files: Sequence[int]
) -> list[ConversationSteps]:
    """Give the conversations of files in order, and the steps they pass through."""
    return [ConversationSteps(*row) for row in _query(connection, _STEPS, files=files)]


def load_lines_of_calls(
    connection: sqlite3.Connection, files: Sequence[int]
) -> list[tuple[int, ReportedUsage]]:
    """Give every line, of any file, that reports a call which one of these files reports."""
    wanted = msgspec.json.encode(files).decode()
    rows = connection.execute(_LINES_OF_CALLS, {"files": wanted})
    return [(row[0], ReportedUsage(*row[1:])) for row in rows]


def load_agent_calls(connection: sqlite3.Connection, files: Sequence[int]) -> list[AgentCallRow]:
    """Give the calls that are said to have started the agents that these files are of."""
    return _query(connection, _CALLS_OF_AGENTS, files=files).fetchall()


def _can_tell(connection: sqlite3.Connection, asked: SumRequest) -> bool:
    """Tell whether sums answer a question as the lines would.

    Which line of a call counts depends on all files that are asked about; sums are made for all
    that there are.
    """
    if not all(is_aligned(moment) for moment in (asked.since, asked.until) if moment):
        return False
    if not are_sums_complete(connection):
        return False
    if asked.roots and _is_any_outside(connection, asked.roots):
        return False
    return not (asked.existing and connection.execute(_ANY_DIFFERS).fetchone()[0])


def _is_any_outside(connection: sqlite3.Connection, roots: Sequence[str]) -> bool:
    """Tell whether some files lie elsewhere."""
    ends = [path for path in connection.execute(_ENDS).fetchone() if path is not None]
    # What lies between two names that begin alike begins like them.
    if any(all(path.startswith(root) for path in ends) for root in roots):
        return False
    found: int = _query(connection, _ANY_OUTSIDE, roots=roots).fetchone()[0]
    return bool(found)


def _choose_sums(asked: SumRequest) -> str:
    """Lead from what is asked about to its sums, where it is not everything."""
    if asked.sessions is not None:
        return _SUMS_BY_SESSION
    return _EVERY_SUM if asked.projects is None else _SUMS_BY_PROJECT


def _query(
    connection: sqlite3.Connection, statement: str, **lists: Sequence[object]
) -> sqlite3.Cursor:
    values = {name: msgspec.json.encode(values).decode() for name, values in lists.items()}
    return connection.execute(statement, values)


def _build_where(asked: SumRequest) -> tuple[str, dict[str, str]]:
    """Limit what is added up; a quarter's name is the beginning of its moments."""
    clauses: list[str] = []
    values: dict[str, str] = {}
    for name, condition, value in (
        ("project", "p.dir = :project", asked.project),
        ("session", "coalesce(u.origin, f.session) = :session", asked.session),
        ("since", "u.quarter >= :since", asked.since and asked.since[:_QUARTER]),
        ("until", "u.quarter < :until and u.quarter <> ''", asked.until and asked.until[:_QUARTER]),
    ):
        if value is not None:
            clauses.append(condition)
            values[name] = value
    if asked.existing:
        clauses.append("f.deleted_at is null")
    for name in ("sessions", "projects"):
        wanted = getattr(asked, name)
        if wanted is not None:
            values[name] = msgspec.json.encode(wanted).decode()
    return (f"where {' and '.join(clauses)}" if clauses else ""), values


_QUARTER = len("2026-11-15T14:30")


def _build_sum(row: tuple[Any, ...]) -> tuple[FileUsage, UsageSum]:
    project, folder, session, agent, number, offset, model, quarter, *rest = row
    usage = FileUsage("", project, session, (), agent=agent, number=number, folder=folder)
    return usage, UsageSum(offset, model, begin_of(quarter), *rest)


def _build_file_usage(
    row: tuple[Any, ...], lines: Sequence[ReportedUsage], newest: str | None = None
) -> FileUsage:
    number, path, project, session, agent, kind, about, cwd, name, title, *rest = row
    forked, deleted, folder = rest
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
        bool(forked),
        bool(deleted),
        number,
        newest,
        folder,
    )


def _load_lines(connection: sqlite3.Connection, file: int) -> list[ReportedUsage]:
    return [ReportedUsage(*row) for row in connection.execute(_LINES, {"file": file})]
