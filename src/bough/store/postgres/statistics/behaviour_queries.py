"""Questions about behaviour to a team's store, in the SQL of PostgreSQL.

They are the local index's: what was copied from file to file is joined by the id it kept, and only
then the time is looked at. What several files of a project have is marked by who makes the sums
(`report_sums`).
"""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final

from bough.store.postgres.server_connection import Row, ServerConnection
from bough.store.postgres.statistics.report_sums import open_sums
from bough.store.stats_protocol import (
    ALL_ROWS,
    IndexedAgentFile,
    IndexedAgentRun,
    IndexedAnswer,
    IndexedCall,
    IndexedCompaction,
    IndexedFileTouch,
    IndexedHookRun,
    IndexedPrompt,
    IndexedTrouble,
    RowPart,
    StatsScope,
    SumBuilder,
    SumParts,
)

_SCOPED: Final = """
    with scoped as materialized (
        select file.id, session, role, mtime_ns from file
        where (%(session)s::text is null or session = %(session)s)
        and (%(projects)s::bigint[] is null or project_id = any(%(projects)s))
        and (%(files)s::bigint[] is null or id = any(%(files)s))
    )
"""
_ROWS: Final = re.compile(r"\{rows of (\w+)\}")
_ALL: Final = "scoped s join {table} t on t.file_id = s.id"
_IS_SHARED: Final = """
    exists (select 1 from stats_shared m where m.project_id = t.project_id
        and m.space = '{space}' and m.id = t.{key})
"""
_SHARED: Final = {
    table: _IS_SHARED.format(space=space, key=key)
    for table, space, key in (
        ("call", "call", "call_id"),
        ("result", "call", "call_id"),
        ("touch", "call", "call_id"),
        ("usage", "message", "message_id"),
        ("prompt", "prompt", "uuid"),
    )
}
_IN_TIME: Final = """
    where (%(since)s::text is null or timestamp >= %(since)s)
    and (%(until)s::text is null or timestamp < %(until)s)
"""
# The least of time and session says when and where a call was first made; ~ comes after every
# time.
_CALLS: Final = """
    , told as (
        select t.file_id, t.call_id, t.name,
            coalesce(t.timestamp, '~') || ' ' || s.session as first,
            null::text as ended, null::int as failed, null::int as refused,
            null::bigint as bytes, null::double precision as duration_ms
        from {rows of call}
        union all
        select t.file_id, t.call_id, null, null, t.timestamp, failed, refused, bytes, duration_ms
        from {rows of result}
    ),
    joined as (
        select min(file_id) as file_id, max(name) as name, min(first) as earliest,
            min(ended) as ended,
            max(failed) as failed, max(refused) as refused, max(bytes) as bytes,
            max(duration_ms) as duration_ms
        from told group by call_id
    )
    select file_id, name, earliest, ended, failed, refused, bytes, duration_ms from joined
    where earliest is not null
    and (%(since)s::text is null or earliest >= %(since)s and earliest < '~')
    and (%(until)s::text is null or earliest < %(until)s)
"""
_TOOLS: Final = """
    select name, count(distinct call_id) as calls
    from scoped join call on file_id = id
    group by name order by calls desc, name
"""
# The oldest file first, as the local index read them: the first that tells of a run has it.
_HOOKS: Final = """
    select h.file_id, s.session, h.call_id, h.event, h.command, h.outcome, h.duration_ms,
        h.source, h.timestamp, {is_shared}
    from scoped s join hook h on h.file_id = s.id
    {where}
    order by s.mtime_ns, h.file_id, h.offset, h.number
"""
_IS_SHARED_HOOK: Final = """
    exists (select 1 from stats_shared m where m.project_id = h.project_id
        and m.space = 'hook' and m.id = coalesce(h.call_id, h.timestamp, ''))
"""
_HAS_SHARED_HOOK: Final = f"""
    where s.id in (
        select h.file_id from scoped s join hook h on h.file_id = s.id where {_IS_SHARED_HOOK})
"""
_TROUBLES: Final = f"""
    , first as (
        select distinct on (coalesce(t.uuid, t.file_id || ' ' || t.offset))
            t.kind, t.reason, t.detail, s.session, t.timestamp
        from trouble t join scoped s on s.id = t.file_id
        order by coalesce(t.uuid, t.file_id || ' ' || t.offset),
            coalesce(t.timestamp, '~') || s.session
    )
    select kind, reason, detail, session, timestamp from first {_IN_TIME}
    order by timestamp nulls first
"""
_AGENT_RUNS: Final = """
    select a.call_id, a.source, a.type, a.status, a.tokens, a.steps, a.duration_ms,
        (select max(r.failed) from result r where r.call_id = a.call_id), s.session, a.timestamp
    from agent_run a join scoped s on s.id = a.file_id
    where a.source <> 'brief'
    order by a.timestamp nulls first, s.session, a.offset
"""
_AGENT_FILES: Final = """
    , called as (
        select file_id, count(distinct call_id) as steps from call
        where file_id in (select id from scoped where role = 'agent') group by file_id
    ),
    spoken as (
        select file_id, min(timestamp) as started, max(timestamp) as ended,
            max("offset") as last from usage
        where file_id in (select id from scoped where role = 'agent') group by file_id
    ),
    tied as (
        select distinct on (agent) agent, call_id
        from tie where known_by <> 'text'
        order by agent, case known_by
            when 'result' then 1 when 'progress' then 2 when 'queue' then 3 else 4 end
    )
    select f.agent, coalesce(f.agent_type, a.type), coalesce(f.agent_call, t.call_id), f.session,
        coalesce(c.steps, 0),
        u.input_tokens + u.output_tokens + u.cache_creation_tokens + u.cache_read_tokens,
        p.started, p.ended
    from file f
    join scoped s on s.id = f.id
    left join called c on c.file_id = f.id
    left join spoken p on p.file_id = f.id
    left join usage u on u.file_id = f.id and u.offset = p.last
    left join tied t on t.agent = f.agent
    left join agent_run a on a.file_id = f.id and a.source = 'brief'
    where f.role = 'agent'
    order by p.started nulls first, f.path
"""
_ANSWERS: Final = f"""
    , first as (
        select distinct on (coalesce(t.message_id, t.file_id || ' ' || t.offset))
            t.file_id, t.model, s.session, (t.rank < 2)::int as agent, t.timestamp
        from {{rows of usage}}
        order by coalesce(t.message_id, t.file_id || ' ' || t.offset),
            coalesce(t.timestamp, '~') || (2 - t.rank) || s.session
    )
    select file_id, model, session, agent, timestamp from first {_IN_TIME}
"""
_COMPACTIONS: Final = f"""
    , first as (
        select distinct on (coalesce(c.uuid, c.file_id || ' ' || c.offset))
            c.trigger, c.tokens_before, c.tokens_after, s.session, c.timestamp
        from compaction c join scoped s on s.id = c.file_id
        order by coalesce(c.uuid, c.file_id || ' ' || c.offset),
            coalesce(c.timestamp, '~') || s.session
    )
    select trigger, tokens_before, tokens_after, session, timestamp from first {_IN_TIME}
    order by timestamp nulls first
"""
_TOUCHES: Final = f"""
    , first as (
        select distinct on (t.call_id) t.file_id, t.call_id, t.path, t.tool, s.session, t.timestamp
        from {{rows of touch}}
        order by t.call_id, coalesce(t.timestamp, '~') || s.session
    )
    select file_id, path, tool, session,
        (select max(r.failed) from result r where r.call_id = first.call_id), timestamp
    from first {_IN_TIME}
"""
_PROMPTS: Final = f"""
    , first as (
        select distinct on (coalesce(t.uuid, t.file_id || ' ' || t.offset))
            t.file_id, s.session, t.timestamp
        from {{rows of prompt}}
        order by coalesce(t.uuid, t.file_id || ' ' || t.offset),
            coalesce(t.timestamp, '~') || s.session
    )
    select file_id, session, timestamp from first {_IN_TIME}
"""
_OWN_SESSIONS: Final = """
    select distinct scoped.session
    from scoped join session on session.file_id = scoped.id
    where session.tips > 0
"""


class PostgresStatsSource:
    """Answers questions about behaviour from a team's store."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    def calls(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedCall]:
        """Give every call of a tool, each once."""
        return map(_build_call, self._run_query(_CALLS, scope, part))

    def tools(self, scope: StatsScope) -> list[tuple[str, int]]:
        """Name the tools that were ever called, and how often, the most used first."""
        return [(name, calls) for name, calls in self._run_query(_TOOLS, scope)]

    def hook_runs(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedHookRun]:
        """Give what records tell about hooks, whenever they ran, file by file."""
        shared = "0" if part.shared is None else f"({_IS_SHARED_HOOK})::int"
        question = _HOOKS.replace("{is_shared}", shared)
        question = question.replace("{where}", _HAS_SHARED_HOOK if part.shared else "")
        return map(IndexedHookRun._make, self._run_query(question, scope, part))

    def troubles(self, scope: StatsScope) -> Iterator[IndexedTrouble]:
        """Give what went wrong, in the order it happened."""
        return map(IndexedTrouble._make, self._run_query(_TROUBLES, scope))

    def agent_reports(self, scope: StatsScope) -> Iterator[IndexedAgentRun]:
        """Give what records tell about agents, whenever they ran."""
        return map(IndexedAgentRun._make, self._run_query(_AGENT_RUNS, scope))

    def agent_files(self, scope: StatsScope) -> Iterator[IndexedAgentFile]:
        """Give the agents that have files, whenever they ran."""
        return map(IndexedAgentFile._make, self._run_query(_AGENT_FILES, scope))

    def answers(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedAnswer]:
        """Give the answers of models, each once."""
        return map(IndexedAnswer._make, self._run_query(_ANSWERS, scope, part))

    def compactions(self, scope: StatsScope) -> Iterator[IndexedCompaction]:
        """Give the compactions, in the order they happened."""
        return map(IndexedCompaction._make, self._run_query(_COMPACTIONS, scope))

    def touches(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedFileTouch]:
        """Give the calls that read or changed a file."""
        return map(IndexedFileTouch._make, self._run_query(_TOUCHES, scope, part))

    def prompts(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedPrompt]:
        """Give what people said, each once."""
        return map(IndexedPrompt._make, self._run_query(_PROMPTS, scope, part))

    def own_sessions(self, scope: StatsScope) -> Iterator[str]:
        """Name the sessions that lists have; of others only agents said something."""
        return (session for (session,) in self._run_query(_OWN_SESSIONS, scope))

    def open_sums(
        self, builder: SumBuilder, scope: StatsScope
    ) -> AbstractContextManager[SumParts | None]:
        """Say what a total is made of, and let nothing change while it is made."""
        return open_sums(self._connection, builder, scope)

    def _run_query(
        self, question: str, scope: StatsScope, part: RowPart = ALL_ROWS
    ) -> Iterator[Row]:
        chosen = _ROWS.sub(lambda found: _choose_rows(found[1], part), question)
        values = {
            "session": scope.session,
            "projects": None if scope.projects is None else list(scope.projects),
            "since": scope.since,
            "until": scope.until,
            "files": None if part.files is None else list(part.files),
        }
        yield from self._connection.fetch_all(_SCOPED + chosen, values)


def _build_call(row: Row) -> IndexedCall:
    file, name, first, *rest = row
    moment, _, session = first.partition(" ")
    return IndexedCall(file, name, session, None if moment == "~" else moment, *rest)


def _choose_rows(table: str, part: RowPart) -> str:
    rows = _ALL.format(table=table)
    if part.shared is None:
        return rows
    return f"{rows} and {'' if part.shared else 'not '}({_SHARED[table]})"
